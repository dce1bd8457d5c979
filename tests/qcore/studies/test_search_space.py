"""Search spaces, classifiers as points of them, the iris example, learners side by side."""

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
from qcore._base.validation import InvalidInput
from qcore.evaluation.estimates import estimate
from qcore.measures.catalog import SCORE_KEYS, ParametricMeasure
from qcore.measures.classification import fpr, recall
from qcore.measures.measure import ContingencyTable
from qcore.studies.search_space import (
    BETAS,
    NAMED_CORRECTION,
    classifier_point_table,
    classifier_points,
    correction_for,
    errors_at_rates,
    iris_example,
    learner_estimates,
    optima,
    rates_at_every_threshold,
    search_space_grid,
    threshold_path,
    value_at,
    values_on_all_tables,
)

ALL = [
    *(ParametricMeasure(key) for key in SCORE_KEYS),
    ParametricMeasure("Q_beta", 0.5),
    ParametricMeasure("Q_beta", 2.0, "GM", "1 - KLD"),
]


def named(measured):
    return measured.name


def test_every_table_has_its_value():
    surface = values_on_all_tables(ParametricMeasure("accuracy"), positives=3, negatives=5)
    assert surface.shape == (6, 4)
    assert (surface[0, 0], surface[5, 3], surface[2, 1]) == (1, 0, pytest.approx(5 / 8))
    assert np.diag(values_on_all_tables(ParametricMeasure("NAS"), 4, 4)) == pytest.approx(np.ones(5))
    assert values_on_all_tables(ParametricMeasure("recall"), 3, 5)[:, 1] == pytest.approx(np.full(6, 2 / 3))
    with pytest.raises(InvalidInput, match="positives"):
        values_on_all_tables(ParametricMeasure("accuracy"), 0, 5)


@pytest.mark.parametrize("measured", ALL, ids=named)
@pytest.mark.parametrize(("positives", "negatives"), [(1000, 1000), (100, 1000), (130, 7), (1, 1)])
def test_what_is_drawn_is_a_part_of_all_tables_with_the_ridge(measured, positives, negatives):
    space = search_space_grid(measured, positives, negatives)
    whole = values_on_all_tables(measured, positives, negatives)
    assert space.values == pytest.approx(whole[np.ix_(space.fp, space.fn)])
    table = space.table()
    assert (table["value"] == whole[table["FP"], table["FN"]]).all()
    for ticks, selected in ((space.fp, negatives), (space.fn, positives)):
        assert (ticks[0], ticks[-1]) == (0, selected)
        assert len(ticks) <= 81
    shared = np.intersect1d(space.fp, space.fn)
    assert shared[-1] == min(positives, negatives)
    assert len(shared) >= min(41, min(positives, negatives) + 1), "FP = FN runs through the grid's own tables"


def test_the_ridge_and_the_best_tables_of_a_space():
    nas, recall, q = (search_space_grid(one, 4, 6) for one in map(ParametricMeasure, ("NAS", "recall", "Q_beta")))
    assert [errors.tolist() for errors in nas.best()] == [[0, 1, 2, 3, 4]] * 2
    assert np.stack(recall.best(), axis=1).tolist() == [[fp, 0] for fp in range(7)]
    assert np.stack(q.best(), axis=1).tolist() == [[0, 0]]
    along, values = recall.ridge()
    assert (along[0], along[-1], len(along)) == (0, 4, 41)
    assert values == pytest.approx(1 - along / 4)
    assert nas.ridge()[1] == pytest.approx(np.ones(41))


@pytest.mark.parametrize("measured", ALL, ids=named)
@pytest.mark.parametrize("block", [1_000_000, 20])
def test_optima_are_those_of_all_tables(measured, block, monkeypatch):
    monkeypatch.setattr("qcore.studies.search_space._BLOCK", block)
    whole = values_on_all_tables(measured, 9, 14)
    result = optima(measured, 9, 14, good=0.7)
    assert result.best == pytest.approx(whole.max())
    at_best = whole >= whole.max() - 1e-12
    assert result.n_best == at_best.sum()
    assert result.lowest_tp == 9 - np.nonzero(at_best)[1].max()
    assert result.good_share == pytest.approx((whole >= 0.7 - 1e-12).mean())
    assert result.n_tables == whole.size


def test_a_pure_measure_of_counting_has_useless_optima_and_q_has_none():
    nas, q = (optima(measured, 100, 1000) for measured in (ParametricMeasure("NAS"), ParametricMeasure("Q_beta", 2.0)))
    assert (nas.n_best, nas.lowest_tp) == (101, 0)
    assert (q.n_best, q.lowest_tp) == (1, 100)


@pytest.mark.parametrize("counts", [(0, 5), (5, 0), (5001, 5), (5, 5001)])
def test_empty_and_huge_classes_are_refused(counts):
    with pytest.raises(InvalidInput, match=r"must be a whole number from 1 to 5000.*Divide"):
        optima(ParametricMeasure(), *counts)


def test_betas_below_1_are_one_over_those_above():
    assert BETAS[0] == 0
    assert BETAS[-1] == np.inf
    assert [round(1 / beta, 2) for beta in BETAS[-2:8:-1]] == list(BETAS[1:8])
    assert BETAS[8] == 1


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
    whole = rates_at_every_threshold(scores)
    result = threshold_path(whole)
    assert (result.tpr[0], result.fpr[0], result.tpr[-1], result.fpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(result.thresholds) < 0).all()
    assert (np.diff(result.tpr) >= 0).all()
    assert len(result.thresholds) <= 123
    index = list(result.thresholds).index(0.5)
    assert (result.tpr[index], result.fpr[index]) == scores.rates


def test_points_are_rates_times_counts():
    scores = toy_scores()
    result = classifier_points({"KNN": scores, "PWK": toy_scores(seed=1)}, "KNN")
    table = ContingencyTable.from_scores(scores.training_scores, scores.training_labels)
    fp, fn = errors_at_rates(result.tpr, result.fpr, 50, 200)
    assert (fp[0], fn[0]) == (pytest.approx(200 * float(fpr(table))), pytest.approx(50 * (1 - float(recall(table)))))
    assert result.names == ("KNN", "PWK")
    positives = int(scores.training_labels.sum())
    selected = errors_at_rates(result.tpr[:1], result.fpr[:1], positives, 300 - positives)
    assert (selected[0][0], selected[1][0]) == (pytest.approx(float(table.fp)), pytest.approx(float(table.fn)))
    assert value_at(ParametricMeasure("recall"), *selected, positives, 300 - positives) == pytest.approx(result.tpr[:1])
    assert classifier_points({}).names == ()
    table = classifier_point_table(result, ParametricMeasure("recall"), 50, 200)
    assert sorted(table["FN"]) == pytest.approx(sorted(fn))
    assert list(table["value"]) == sorted(result.tpr, reverse=True)
    assert set(table["classifier"]) == {"KNN", "PWK"}
    with pytest.raises(InvalidInput, match="fp must lie in"):
        value_at(ParametricMeasure(), np.array([8.0]), np.array([0.0]), 5, 7)


def test_the_iris_example_is_the_thesis_s():
    result = iris_example()
    w1, w2 = result.hypotheses
    assert (result.positives, result.negatives) == (50, 100)
    assert (w1.fp, w1.fn) == (50, 50), "Table 6.1: TP = 0, FP = P"
    assert w2.fp == w2.fn <= 5
    features = result.table.iloc[:, :2].to_numpy()
    for one, target in ((w1, "setosa"), (w2, "virginica")):
        taken = features @ one.normal >= one.offset
        assert taken.sum() == 50
        assert (result.table["class"][taken] == target).mean() > 0.9
    assert result.expected_count(w1, np.array([0.0, 0.5, 1.0])) == pytest.approx([0.5, 0.25, 0])
    for measured, wanted in ((ParametricMeasure("NAS"), 1), (ParametricMeasure("Q_beta", 2.0), 0)):
        assert value_at(measured, np.array([50.0]), np.array([50.0]), 50, 100) == pytest.approx([wanted])


def test_learners_answer_the_same_samples_each_with_its_correction():
    settings, data = ScoringSettings("virginica"), load_dataset("iris")
    keys = ("SVM-NAS", "PWK")
    pairs = {pair.classifier: pair for pair in NAMED_QUANTIFIERS.values()}
    scores = {key: score_dataset(data, pairs[key].settings(settings)) for key in keys}
    protocol = ArtificialPrevalence(11, 10, 4)
    shares = []
    result = learner_estimates(scores, NAMED_CORRECTION, protocol, 7, shares.append)
    assert shares == [0.5, 1.0]
    assert list(result.by_method) == list(keys)
    samples = protocol.draw(scores["PWK"].pool_labels, np.random.default_rng(7))
    for key, method in zip(keys, ("CC", "AC"), strict=True):
        assert correction_for(key, NAMED_CORRECTION) == method
        fitted = make_quantifiers([method], scores[key].training_scores, scores[key].training_labels)
        wanted = estimate(fitted, scores[key], samples).by_method[method]
        assert (result.by_method[key] == wanted).all()
    assert correction_for("PWK", "EMQ") == "EMQ"
    other = score_dataset(data, ScoringSettings("virginica", training_share=0.6))
    for bad, message in (({}, "learners must be at least one"), (scores | {"x": other}, "scores must come from one pool")):
        with pytest.raises(InvalidInput, match=message):
            learner_estimates(bad, "CC", protocol, 7)
    with pytest.raises(InvalidInput, match="Unknown correction"):
        correction_for("PWK", "magic")
