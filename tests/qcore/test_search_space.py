"""Search spaces, landings, the conflict, learners side by side; their figures and sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import (
    NAMED_QUANTIFIERS,
    ArtificialPrevalence,
    Scores,
    ScoringSettings,
    load_dataset,
    make_quantifiers,
    score_dataset,
)
from qcore.conflict import conflict
from qcore.contingency import ContingencyTable, fpr, recall
from qcore.estimates import estimate
from qcore.figures.conflict import counted_figure, hypotheses_figure
from qcore.figures.learners import learners_figure
from qcore.figures.search_space import Marked, narrow_surface, row_of_surfaces, slider_position, surface_figure
from qcore.findings.search_space import (
    conflict_sentences,
    landing_sentences,
    optima_sentence,
    reference_sentence,
)
from qcore.landings import every_threshold, landing_table, landings, sweep
from qcore.learners import AS_NAMED, correction_of, learner_estimates
from qcore.losses import LOSSES
from qcore.search_space import BETAS, drawn_space, every_table, landing, optima, value_at
from qcore.summaries import curves
from qcore.table_measures import TABLE_MEASURES, Measured
from qcore.validation import InvalidInput

ALL = [*(Measured(key) for key in TABLE_MEASURES), Measured("Q_beta", 0.5), Measured("Q_beta", 2.0, "GM", "1 - KLD")]


def named(measured):
    return measured.name


def test_every_table_has_its_value():
    surface = every_table(Measured("accuracy"), positives=3, negatives=5)
    assert surface.shape == (6, 4)
    assert (surface[0, 0], surface[5, 3], surface[2, 1]) == (1, 0, pytest.approx(5 / 8))
    assert np.diag(every_table(Measured("NAS"), 4, 4)) == pytest.approx(np.ones(5))
    assert every_table(Measured("recall"), 3, 5)[:, 1] == pytest.approx(np.full(6, 2 / 3))
    with pytest.raises(InvalidInput, match="positives"):
        every_table(Measured("accuracy"), 0, 5)


@pytest.mark.parametrize("measured", ALL, ids=named)
@pytest.mark.parametrize(("positives", "negatives"), [(1000, 1000), (100, 1000), (130, 7), (1, 1)])
def test_what_is_drawn_is_a_part_of_all_tables_with_the_ridge(measured, positives, negatives):
    space = drawn_space(measured, positives, negatives)
    whole = every_table(measured, positives, negatives)
    assert space.values == pytest.approx(whole[np.ix_(space.fp, space.fn)])
    table = space.table()
    assert (table["value"] == whole[table["FP"], table["FN"]]).all()
    for ticks, own in ((space.fp, negatives), (space.fn, positives)):
        assert (ticks[0], ticks[-1]) == (0, own)
        assert len(ticks) <= 81
    shared = np.intersect1d(space.fp, space.fn)
    assert shared[-1] == min(positives, negatives)
    assert len(shared) >= min(41, min(positives, negatives) + 1), "FP = FN runs through the grid's own tables"


@pytest.mark.parametrize("measured", ALL, ids=named)
@pytest.mark.parametrize("block", [1_000_000, 20])
def test_optima_are_those_of_all_tables(measured, block, monkeypatch):
    monkeypatch.setattr("qcore.search_space._BLOCK", block)
    whole = every_table(measured, 9, 14)
    found = optima(measured, 9, 14, good=0.7)
    assert found.best == pytest.approx(whole.max())
    at_best = whole >= whole.max() - 1e-12
    assert found.n_best == at_best.sum()
    assert found.least_tp == 9 - np.nonzero(at_best)[1].max()
    assert found.good_share == pytest.approx((whole >= 0.7 - 1e-12).mean())
    assert found.n_tables == whole.size


def test_a_pure_measure_of_counting_has_useless_optima_and_q_has_none():
    nas, q = (optima(measured, 100, 1000) for measured in (Measured("NAS"), Measured("Q_beta", 2.0)))
    assert (nas.n_best, nas.least_tp) == (101, 0)
    assert (q.n_best, q.least_tp) == (1, 100)


@pytest.mark.parametrize("counts", [(0, 5), (5, 0), (5001, 5), (5, 5001)])
def test_empty_and_huge_classes_are_refused(counts):
    with pytest.raises(InvalidInput, match=r"must be a whole number from 1 to 5000.*Divide"):
        optima(Measured(), *counts)


def test_betas_below_1_are_one_over_those_above():
    assert BETAS[0] == 0
    assert BETAS[-1] == np.inf
    assert [round(1 / beta, 2) for beta in BETAS[-2:8:-1]] == list(BETAS[1:8])
    assert BETAS[8] == 1
    positions = [slider_position(beta) for beta in BETAS]
    assert positions == sorted(positions)
    assert (positions[0], slider_position(1.0), positions[-1]) == (0, 0.5, 1)


def toy_scores(n=300, seed=0):
    rng = np.random.default_rng(seed)
    labels = (rng.random(n) < 0.3).astype(int)
    scores = np.round(1 / (1 + np.exp(-rng.normal(size=n) - 2 * labels + 1)), 2)
    return Scores(scores, labels, scores, labels)


@given(st.integers(0, 1000), st.integers(5, 400))
def test_a_sweep_goes_from_nobody_to_everybody_through_one_half(seed, n):
    scores = toy_scores(n, seed)
    if scores.training_labels.min() == scores.training_labels.max():
        return
    whole = every_threshold(scores)
    found = sweep(whole)
    assert (found.tpr[0], found.fpr[0], found.tpr[-1], found.fpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(found.thresholds) < 0).all()
    assert (np.diff(found.tpr) >= 0).all()
    assert len(found.thresholds) <= 123
    place = list(found.thresholds).index(0.5)
    assert (found.tpr[place], found.fpr[place]) == scores.rates


def test_landings_are_rates_times_counts():
    scores = toy_scores()
    found = landings({"KNN": scores, "PWK": toy_scores(seed=1)}, "KNN")
    table = ContingencyTable.from_scores(scores.training_scores, scores.training_labels)
    fp, fn = landing(found.tpr, found.fpr, 50, 200)
    assert (fp[0], fn[0]) == (pytest.approx(200 * float(fpr(table))), pytest.approx(50 * (1 - float(recall(table)))))
    assert found.names == ("KNN", "PWK")
    positives = int(scores.training_labels.sum())
    own = landing(found.tpr[:1], found.fpr[:1], positives, 300 - positives)
    assert (own[0][0], own[1][0]) == (pytest.approx(float(table.fp)), pytest.approx(float(table.fn)))
    assert value_at(Measured("recall"), *own, positives, 300 - positives) == pytest.approx(found.tpr[:1])
    assert landings({}).names == ()
    table = landing_table(found, Measured("recall"), 50, 200)
    assert sorted(table["FN"]) == pytest.approx(sorted(fn))
    assert list(table["value"]) == sorted(found.tpr, reverse=True)
    assert set(table["classifier"]) == {"KNN", "PWK"}
    with pytest.raises(InvalidInput, match="fp must lie in"):
        value_at(Measured(), np.array([8.0]), np.array([0.0]), 5, 7)


def test_the_conflict_is_the_thesis_s():
    found = conflict()
    w1, w2 = found.hypotheses
    assert (found.positives, found.negatives) == (50, 100)
    assert (w1.fp, w1.fn) == (50, 50), "Table 6.1: TP = 0, FP = P"
    assert w2.fp == w2.fn <= 5
    features = found.table.iloc[:, :2].to_numpy()
    for one, target in ((w1, "setosa"), (w2, "virginica")):
        taken = features @ one.normal >= one.offset
        assert taken.sum() == 50
        assert (found.table["class"][taken] == target).mean() > 0.9
    assert found.counted(w1, np.array([0.0, 0.5, 1.0])) == pytest.approx([0.5, 0.25, 0])
    for measured, wanted in ((Measured("NAS"), 1), (Measured("Q_beta", 2.0), 0)):
        assert value_at(measured, np.array([50.0]), np.array([50.0]), 50, 100) == pytest.approx([wanted])


def test_learners_answer_the_same_samples_each_with_its_correction():
    settings, data = ScoringSettings("virginica"), load_dataset("iris")
    keys = ("SVM-NAS", "PWK")
    pairs = {pair.classifier: pair for pair in NAMED_QUANTIFIERS.values()}
    scores = {key: score_dataset(data, pairs[key].settings(settings)) for key in keys}
    protocol = ArtificialPrevalence(11, 10, 4)
    told = []
    found = learner_estimates(scores, AS_NAMED, protocol, 7, told.append)
    assert told == [0.5, 1.0]
    assert list(found.by_method) == list(keys)
    samples = protocol.draw(scores["PWK"].pool_labels, np.random.default_rng(7))
    for key, method in zip(keys, ("CC", "AC"), strict=True):
        assert correction_of(key, AS_NAMED) == method
        fitted = make_quantifiers([method], scores[key].training_scores, scores[key].training_labels)
        wanted = estimate(fitted, scores[key].pool_scores, samples).by_method[method]
        assert (found.by_method[key] == wanted).all()
    assert correction_of("PWK", "EMQ") == "EMQ"
    other = score_dataset(data, ScoringSettings("virginica", training_share=0.6))
    for bad, says in (({}, "learners must be one at least"), (scores | {"x": other}, "scores must be of one pool")):
        with pytest.raises(InvalidInput, match=says):
            learner_estimates(bad, "CC", protocol, 7)
    with pytest.raises(InvalidInput, match="correction must be one that is registered"):
        correction_of("PWK", "magic")


class TestFigures:
    """Data in, figure out."""

    def test_surface_and_projection_show_one_space(self):
        spaces = [drawn_space(Measured("Q_beta", beta), 30, 60) for beta in (0.0, 1.0, np.inf)]
        found = landings({"KNN": toy_scores(), "PWK": toy_scores(seed=1)}, "PWK")
        following = surface_figure(spaces, 1, found, [Marked("w", 3.0, 4.0)])
        by_type = {}
        for trace in following.figure.data:
            by_type.setdefault(trace.type, []).append(trace)
        assert [len(by_type[kind]) for kind in ("surface", "heatmap", "scatter3d", "scatter")] == [1, 1, 4, 5]
        assert (np.array(by_type["surface"][0].z) == np.array(by_type["heatmap"][0].z)).all()
        assert np.array(by_type["surface"][0].z).shape == (len(spaces[1].fn), len(spaces[1].fp))
        assert following.values == [0, 0.5, 1]
        for space, frame in zip(spaces, following.frames, strict=True):
            kinds = [following.figure.data[number].type for number in frame["traces"]]
            assert kinds == ["surface", "heatmap", *["scatter3d"] * 4]
            heights = frame["data"][-1]["z"]
            wanted = value_at(space.measured, np.array([3.0]), np.array([4.0]), 30, 60)
            assert heights == pytest.approx(wanted + 0.03, abs=1e-3)

        names = [trace.name for trace in following.figure.data]
        assert len(set(names)) == len(names), "a trace is known by its name"
        assert [trace.name for trace in by_type["scatter"]] == [
            "FP = FN: the count is right",
            "PWK, every threshold",
            "KNN",
            "PWK",
            "w",
        ]
        assert by_type["scatter"][1].line.color == by_type["scatter"][3].marker.color
        narrow = narrow_surface(following).narrow
        assert narrow["scene"]["domain"]["y"][0] > narrow["yaxis"]["domain"][1], "the projection lies below"

    def test_a_row_has_one_scale_and_one_camera(self):
        spaces = [drawn_space(Measured("Q_beta", beta), 10, 20) for beta in (np.inf, 2.0, 0.0)]
        panels = row_of_surfaces(spaces)
        layout = panels.figure.layout
        assert [layout[key].camera for key in ("scene2", "scene3")] == [layout.scene.camera] * 2
        assert (layout.coloraxis.cmin, layout.coloraxis.cmax) == (0, 1)
        assert {trace.scene for trace in panels.figure.data} == {"scene", "scene2", "scene3"}
        wide = [layout[key].domain.x[0] for key in ("scene", "scene2", "scene3")]
        assert wide == pytest.approx([0, 1 / 3, 2 / 3])
        assert panels.narrow["scene3"]["domain"]["x"][0] == 0
        assert panels.narrow["height"] > layout.height

    def test_the_lines_of_the_conflict_lie_where_they_cut(self):
        found = conflict()
        figure = hypotheses_figure(found)
        traces = {trace.name: trace for trace in figure.data}
        for one, side in zip(found.hypotheses, ("below", "above"), strict=True):
            line = traces[f"{one.name}: counts what lies {side}"]
            assert np.stack([line.x, line.y], axis=1) @ one.normal == pytest.approx(np.full(2, one.offset))
            for ends, axis in ((line.x, figure.layout.xaxis), (line.y, figure.layout.yaxis)):
                assert axis.range[0] - 1e-9 <= min(ends) < max(ends) <= axis.range[1] + 1e-9
        assert sum(len(trace.x) for trace in figure.data if trace.mode == "markers") == 150
        counted = {trace.name: trace for trace in counted_figure(found).data}
        assert (counted["w1"].y[0], counted["w1"].y[-1]) == (0.5, 0)
        assert counted["w2"].y[-1] == pytest.approx(1 - found.hypotheses[1].fn / 50)

    def test_learners_have_a_line_each(self):
        scores = {"PWK": toy_scores(), "SVM-Q2": toy_scores()}
        found = learner_estimates(scores, "CC", ArtificialPrevalence(11, 20, 5), 0)
        losses = found.losses("AE")
        table = curves(losses.by_method, found.samples)
        figure = learners_figure(table, LOSSES["AE"], {"PWK": "one", "SVM-Q2": "other"}, 0.3)
        assert [trace.name for trace in figure.data] == ["one", "other"]
        assert list(figure.data[0].y) == pytest.approx(table[table.method == "PWK"]["mean"].tolist())
        assert len({(trace.line.color, trace.line.dash, trace.marker.symbol) for trace in figure.data}) == 2


class TestSentences:
    """Numbers in, words out."""

    def test_the_references_are_the_values_there(self):
        text = reference_sentence(drawn_space(Measured("NAS"), 100, 1000))
        assert text.startswith(
            "**NAS** where errors cancel out, so that the count is right: **1.00** with 50 on each side (FP = FN), 1.00 with"
        )
        assert "Predicting nobody positive is worth 0.90, everybody 0.00." in text
        assert "**0.83** with 50 on each side (FP = FN), 0.00 with 100" in reference_sentence(
            drawn_space(Measured("Q_beta", 2.0), 100, 1000)
        )

    def test_optima_in_words(self):
        def text(measured):
            return optima_sentence(optima(measured, 100, 1000), measured, 100)

        assert "**101** tables share the largest value under **NAS** (1.00), among them one that finds no positive" in text(
            Measured("NAS")
        )
        assert text(Measured("GM")).startswith("Only one table is best under **GM**: the one without errors. ")
        assert "all of which find every positive" in text(Measured("recall"))

    def test_landings_in_words(self):
        found = landings({"KNN": toy_scores(), "PWK": toy_scores(seed=4)}, "KNN")
        first, second = landing_sentences(found, Measured("recall"), 50, 200)
        best = found.names[int(found.tpr.argmax())]
        assert first.startswith(f"At the threshold 0.5 **{best}** is worth most: ")
        assert "instead of" in second
        assert ": 1.000 instead of" in second, "recall wants everybody positive"
        (alone,) = landing_sentences(landings({"KNN": toy_scores()}), Measured("recall"), 50, 200)
        assert alone.startswith("At the threshold 0.5 **KNN** is worth 0.")
        tied = landings({"KNN": toy_scores(), "PWK": toy_scores()}, "PWK")
        assert (
            "**KNN** and **PWK** are worth most, as much as each other" in landing_sentences(tied, Measured("NAS"), 50, 200)[0]
        )
        assert landing_sentences(landings({}), Measured("NAS"), 50, 200) == []

    def test_the_conflict_in_words(self):
        sentences = conflict_sentences(conflict(), [Measured("NAS"), Measured("Q_beta", 2.0)])
        assert "Both take 50 of 150" in sentences[0]
        assert sentences[1].startswith("NAS gives 1.00 and 1.00; Q_2 gives 0.00 and 0.9")
        assert "w1 goes the wrong way, from 45% to 5%" in sentences[2]

    @given(st.integers(0, 200), st.sampled_from([0.5, 1.0, 2.0]))
    def test_the_best_threshold_is_that_of_all(self, seed, beta):
        scores, measured = toy_scores(800, seed), Measured("Q_beta", beta)
        found = landings({"KNN": scores}, "KNN")
        values = [
            float(value_at(measured, *landing(tpr, false, 60, 90), 60, 90))
            for tpr, false in zip(found.curve.tpr, found.curve.fpr, strict=True)
        ]
        every = np.append(np.unique(np.append(scores.training_scores, 0.5)), np.inf)
        assert sorted(found.curve.thresholds) == pytest.approx(every)
        said = landing_sentences(found, measured, 60, 90)[1]
        own = values[list(found.curve.thresholds).index(0.5)]
        assert ("No other threshold" in said) == (max(values) <= own + 1e-9)
        assert "No other threshold" in said or f"{max(values):.3f}" in said or f"{max(values):.4f}"[:5] in said
