"""A sample labelled in part: coverage and width as derived, PPI as ppi-python has it, edges, tables, the command."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import InvalidInput
from qcore.__main__ import main
from qcore.datasets.table_reader import read_table
from qcore.intervals.analytic import why_no_interval
from qcore.intervals.labelled_sample import LabelledSample, likely_columns, read_labelled_columns
from qcore.intervals.labelled_sample_estimate import estimate_labelled_sample
from qcore.intervals.labelled_sample_intervals import (
    LABELLED_SAMPLE_INTERVALS,
    double_sampling,
    double_sampling_arms,
    labelled_sample_intervals,
    prediction_powered_scores,
)
from qcore.intervals.labels_needed import (
    labels_for_half_the_width,
    split_of_classes,
    split_of_predicted_classes,
    worth_of_a_label_inside,
)

SAMPLE = LabelledSample(310, 1000, 31, 24, 69, 6)
ROWS = {
    (0.3, 0.8, 0.1, 100, 1000): {"labels alone": (0.937, 0.176), "PPI": (0.949, 0.152), "PPI++": (0.942, 0.133),
                                 "double sampling": (0.956, 0.138), "own": (0.954, 0.126), "worth": 2.0, "allocated": 0.96},
    (0.1, 0.8, 0.1, 100, 1000): {"labels alone": (0.936, 0.118), "PPI": (0.943, 0.130), "PPI++": (0.923, 0.097),
                                 "double sampling": (0.956, 0.102), "own": (0.951, 0.095), "worth": 3.2, "allocated": 0.73},
    (0.05, 0.9, 0.05, 200, 2000): {"labels alone": (0.964, 0.062), "PPI": (0.941, 0.065), "PPI++": (0.922, 0.047),
                                   "double sampling": (0.964, 0.051), "own": (0.958, 0.046), "worth": 2.4, "allocated": 0.46},
    (0.5, 0.95, 0.05, 50, 500): {"labels alone": (0.935, 0.265), "PPI": (0.952, 0.150), "PPI++": (0.939, 0.140),
                                 "double sampling": (0.982, 0.182), "own": (0.989, 0.156), "worth": 1.2, "allocated": 1.0},
    (0.3, 0.6, 0.3, 100, 1000): {"labels alone": (0.939, 0.176), "PPI": (0.946, 0.230), "PPI++": (0.944, 0.171),
                                 "double sampling": (0.948, 0.168), "own": (0.946, 0.158), "worth": 12.6, "allocated": 0.99},
    (0.02, 0.7, 0.02, 300, 10000): {"labels alone": (0.942, 0.033), "PPI": (0.938, 0.033), "PPI++": (0.909, 0.026),
                                    "double sampling": (0.952, 0.029), "own": (0.948, 0.028), "worth": 3.3, "allocated": 0.61},
}  # fmt: skip
"""(prevalence, tpr, fpr, labels, instances) -> coverage and mean width over 20,000 samples, and what labels are worth."""


def simulated(prevalence, tpr, fpr, labels, size, repetitions=3000):
    rng = np.random.default_rng(0)
    positives = rng.binomial(size, prevalence, repetitions)
    taken = rng.binomial(positives, tpr), rng.binomial(size - positives, fpr)
    cells = np.stack([taken[0], taken[1], positives - taken[0], size - positives - taken[1]], axis=1)
    drawn = np.array([rng.multivariate_hypergeometric(row, labels) for row in cells])
    checked = drawn[:, 0] + drawn[:, 1]
    return LabelledSample(taken[0] + taken[1], size, checked, drawn[:, 0], labels - checked, drawn[:, 2]), positives / size


@pytest.mark.parametrize("setting", ROWS, ids=str)
def test_coverage_and_width_are_those_derived(setting):
    sample, own = simulated(*setting)
    for method, expected in ROWS[setting].items():
        if method in ("worth", "allocated"):
            continue
        name = "double sampling" if method == "own" else method
        ends = LABELLED_SAMPLE_INTERVALS[name].interval(sample, 0.95, method == "own")
        truth = own if method == "own" else setting[0]
        assert np.mean((ends.low <= truth) & (truth <= ends.high)) == pytest.approx(expected[0], abs=0.018)
        assert np.mean(ends.high - ends.low) == pytest.approx(expected[1], abs=0.0025)


@pytest.mark.parametrize("setting", ROWS, ids=str)
def test_what_labels_are_worth_is_as_derived(setting):
    prevalence, tpr, fpr, labels, _ = setting
    assert worth_of_a_label_inside(prevalence, (tpr, fpr)) == pytest.approx(ROWS[setting]["worth"], abs=0.05)
    # So large a sample, a tenth labelled, that its counts are the expected ones.
    large = 10_000_000
    taken = round(large * (prevalence * tpr + (1 - prevalence) * fpr))
    found, missed = round(large * prevalence * tpr), round(large * prevalence * (1 - tpr))
    sample = LabelledSample(taken, large, taken // 10, found // 10, (large - taken) // 10, missed // 10)
    split = split_of_predicted_classes(sample, labels * 1000)
    variance = (sample.weights**2 * sample.shares * (1 - sample.shares) / np.array([split.negatives, split.positives])).sum()
    within = (sample.weights * sample.shares * (1 - sample.shares)).sum() / (labels * 1000)
    assert variance / within == pytest.approx(ROWS[setting]["allocated"], abs=0.01)


def test_ppi_is_that_of_ppi_python():
    """Numbers of ppi-python 0.2.3; `test_ppi_beside_ppi_python` compares with the package where it is installed."""
    rng = np.random.default_rng(3)
    truth = (rng.random(300) < 0.3).astype(float)
    scores = np.clip(rng.normal(0.4 + 0.2 * truth, 0.3), 0, 1).round(2)
    labels = np.where(np.arange(300) < 60, truth, np.nan)
    assert np.ravel(prediction_powered_scores(scores, labels)) == pytest.approx(PPI_PYTHON[0], abs=1e-9)
    assert np.ravel(prediction_powered_scores(scores, labels, tuned=False)) == pytest.approx(PPI_PYTHON[1], abs=1e-9)


PPI_PYTHON = ([0.339249088712, 0.227651521117, 0.450846656306], [0.359708333333, 0.239366160377, 0.48005050629])


@pytest.mark.parametrize("tuned", [True, False], ids=["PPI++", "PPI"])
@pytest.mark.parametrize("binary", [True, False], ids=["predictions", "scores"])
def test_ppi_beside_ppi_python(tuned, binary):
    peer = pytest.importorskip("ppi_py", reason="ppi-python has an environment of its own: make peers")
    rng = np.random.default_rng(1)
    truth = (rng.random(1000) < 0.3).astype(float)
    scores = np.clip(rng.normal(0.3 + 0.4 * truth, 0.2), 0, 1)
    scores = (scores > 0.5).astype(float) if binary else scores
    weight = None if tuned else 1.0
    ends = peer.ppi_mean_ci(truth[:120], scores[:120], scores[120:], alpha=0.05, lam=weight)
    estimate = peer.ppi_mean_pointestimate(truth[:120], scores[:120], scores[120:], lam=weight)
    expected = [np.ravel(value)[0] for value in (estimate, *ends)]
    labels = np.where(np.arange(1000) < 120, truth, np.nan)
    assert np.ravel(prediction_powered_scores(scores, labels, tuned=tuned)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("key", ["PPI", "PPI++"])
def test_counts_and_arrays_agree(key):
    rng = np.random.default_rng(2)
    truth = rng.random(400) < 0.2
    taken = np.where(truth, rng.random(400) < 0.8, rng.random(400) < 0.1).astype(float)
    labels = np.where(rng.random(400) < 0.2, truth, np.nan)
    by_counts = LABELLED_SAMPLE_INTERVALS[key].interval(LabelledSample.from_labels(taken, labels), 0.9, False)
    by_arrays = prediction_powered_scores(taken, labels, 0.9, tuned=key == "PPI++")
    assert np.ravel(by_counts) == pytest.approx(np.ravel(by_arrays), abs=1e-12)


@st.composite
def samples(draw):
    size = draw(st.integers(1, 200))
    taken = draw(st.integers(0, size))
    checked, missed = draw(st.integers(0, taken)), draw(st.integers(0, size - taken))
    if not checked + missed:
        checked, missed = min(taken, 1), 0 if taken else 1
    return LabelledSample(taken, size, checked, draw(st.integers(0, checked)), missed, draw(st.integers(0, missed)))


KNOWN = ("double sampling", "labels alone")


@given(samples(), st.sampled_from([0.8, 0.95]), st.booleans())
def test_every_interval_lies_within_0_and_1_around_its_estimate(sample, level, own):
    table = labelled_sample_intervals(sample, level, own=own)
    assert table[["estimate", "low", "high"]].notna().all(axis=None)
    assert table.low.ge(0).all()
    assert table.high.le(1).all()
    assert (table.low <= table.estimate + 1e-12).all()
    assert (table.estimate <= table.high + 1e-12).all()


@given(samples())
def test_swapped_classes_give_one_minus_the_estimate(sample):
    swapped = LabelledSample(
        sample.sample_size - sample.predicted_positives, sample.sample_size,
        sample.checked_negatives, sample.checked_negatives - sample.false_negatives,
        sample.checked_positives, sample.checked_positives - sample.true_positives,
    )  # fmt: skip
    for own in (True, False):
        one, other = double_sampling(sample, own=own), double_sampling(swapped, own=own)
        assert float(one.estimate) == pytest.approx(1 - float(other.estimate))
        assert float(one.low) == pytest.approx(1 - float(other.high))


def test_all_labelled_is_known_and_a_predicted_class_without_labels_is_not():
    estimate, low, high = double_sampling(LabelledSample(310, 1000, 310, 240, 690, 60))
    assert low == estimate == high == 0.3
    table = labelled_sample_intervals(LabelledSample(310, 1000, 310, 240, 690, 60), own=False)
    assert table.loc[0, "high"] > 0.31
    half = double_sampling(LabelledSample(310, 1000, 0, 0, 69, 6))
    assert float(half.high - half.low) > 0.3
    none_predicted = double_sampling(LabelledSample(0, 1000, 0, 0, 69, 6))
    alone = labelled_sample_intervals(LabelledSample(0, 1000, 0, 0, 69, 6)).loc[1]
    assert [float(value) for value in none_predicted] == pytest.approx([alone.estimate, alone.low, alone.high])


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((310, 1000, 0, 0, 0, 0), "labels must be at least 1"),
        ((310, 1000, 311, 0, 0, 0), "checked_positives must be from 0 to predicted_positives"),
        ((310, 1000, 10, 11, 0, 0), "true_positives must be from 0 to checked_positives"),
        ((310, 1000, 10, 1, 691, 0), "checked_negatives must be from 0 to the predicted negatives"),
        ((1010, 1000, 10, 1, 0, 0), "predicted_positives must be from 0 to sample_size"),
        ((1.5, 1000, 10, 1, 0, 0), "whole numbers"),
        ((310, 1000, 10, -1, 0, 0), "true_positives"),
    ],
)
def test_counts_that_contradict_each_other_are_refused(counts, message):
    with pytest.raises(InvalidInput, match=message):
        LabelledSample(*counts)


def test_half_the_width_is_half_the_width():
    more = labels_for_half_the_width(SAMPLE)
    scale = 1 + more / 100
    larger = LabelledSample(310, 1000, round(31 * scale), round(24 * scale), round(69 * scale), round(6 * scale))
    widths = [float(ends.high - ends.low) for ends in map(double_sampling, (SAMPLE, larger))]
    assert widths[1] / widths[0] == pytest.approx(0.5, abs=0.03)
    with pytest.raises(InvalidInput, match="larger sample"):
        labels_for_half_the_width(LabelledSample(60, 120, 50, 45, 50, 5), own=False)


def test_labels_elsewhere_go_where_they_help_most():
    assert split_of_classes(0.3, (0.8, 0.1), 100) == (36, 64)
    assert split_of_classes(0.3, (1.0, 0.0), 100) == (50, 50)
    assert worth_of_a_label_inside(0.3, (0.2, 0.2)) == np.inf
    assert worth_of_a_label_inside(0.3, (1.0, 0.0)) == 1.0


def test_the_estimate_says_what_labels_are_worth():
    result = estimate_labelled_sample(SAMPLE, 0.9)
    pd.testing.assert_frame_equal(result.table, estimate_labelled_sample(SAMPLE, 0.9, own=True).table)
    assert result.table.method.tolist() == list(LABELLED_SAMPLE_INTERVALS)
    assert 0 < result.width_elsewhere < 1
    assert json.loads(json.dumps(result.to_dict("right")))["counts"]["sample_size"] == 1000
    useless = estimate_labelled_sample(LabelledSample(500, 1000, 50, 10, 50, 20))
    assert (useless.width_elsewhere, useless.worth) == (1.0, np.inf)
    assert json.loads(json.dumps(useless.to_dict("right")))["labels_from_elsewhere_for_one"] is None


def judged(n=400, labels=80):
    rng = np.random.default_rng(0)
    truth = rng.random(n) < 0.6
    taken = np.where(truth, rng.random(n) < 0.85, rng.random(n) < 0.15)
    names = np.where(truth, "right", "wrong")
    return pd.DataFrame(
        {
            "question": np.arange(n),
            "judge": np.where(taken, "right", "wrong"),
            "human": [name if i < labels else None for i, name in enumerate(names)],
        }
    )


@pytest.mark.parametrize("name", ["outcome", "Class", "truth"])
def test_a_full_column_of_labels_is_known_by_its_name(name):
    table = judged(labels=400).rename(columns={"human": name, "judge": "prediction"})
    assert likely_columns(table) == ("prediction", name)


def test_a_table_is_read_by_its_columns():
    table = judged()
    assert likely_columns(table) == ("judge", "human")
    columns = read_labelled_columns(table, "judge", "human")
    assert (columns.positive, columns.classes, columns.scores) == ("right", ("right", "wrong"), None)
    known = table[table.human.notna()]
    counts = pd.crosstab(known.judge, known.human)
    assert int(columns.sample.true_positives) == counts.loc["right", "right"]
    assert int(columns.sample.false_negatives) == counts.loc["wrong", "right"]
    assert int(columns.sample.predicted_positives) == (table.judge == "right").sum()


def test_scores_and_numbers_are_read_too():
    table = judged()
    table["score"] = np.where(table.judge == "right", 0.9, 0.2)
    table["label"] = table.human.map({"right": 1.0, "wrong": 0.0})
    scored = read_labelled_columns(table[["score", "label"]], "score", "label")
    assert scored.positive == "1"
    assert scored.scores is not None
    assert scored.sample.estimate == read_labelled_columns(table, "judge", "human").sample.estimate
    assert likely_columns(table[["score", "label"]]) == ("score", "label")
    numbers = table.assign(judge=(table.judge == "right").astype(int))[["judge", "label"]]
    assert read_labelled_columns(numbers, "judge", "label").sample.estimate == scored.sample.estimate


@pytest.mark.parametrize(
    ("change", "columns", "message"),
    [
        ({}, ("judge", "nobody"), "column of the label must be a column"),
        ({}, ("judge", "judge"), "must differ from that of the prediction"),
        ({"human": None}, ("judge", "human"), "have a label in some rows"),
        ({"judge": [None] + ["right"] * 399}, ("judge", "human"), "none in row 1"),
        ({"judge": "yes"}, ("judge", "human"), "have the names that predictions have, .* Rename one of them"),
        ({"judge": np.linspace(0, 100, 400)}, ("judge", "human"), "divide percentages by 100"),
    ],
)
def test_columns_that_do_not_fit_are_refused(change, columns, message):
    with pytest.raises(InvalidInput, match=message):
        read_labelled_columns(judged().assign(**change), *columns)
    with pytest.raises(InvalidInput, match="positive class must be one"):
        read_labelled_columns(judged(), "judge", "human", "maybe")


@pytest.mark.parametrize("alone", ["scores", "labels"])
def test_scores_and_labels_go_together(alone):
    with pytest.raises(InvalidInput, match=f"got {alone} alone"):
        estimate_labelled_sample(LabelledSample(310, 1000, 31, 24, 69, 6), **{alone: np.ones(1000)})


def test_the_command_answers(tmp_path, capsys):
    file = tmp_path / "judged.csv"
    judged().to_csv(file, index=False)
    assert main(["estimate", "--labelled-sample", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    low, high = (answer["estimates"][0][end] for end in ("low", "high"))
    assert low < 0.6 < high
    assert main(["estimate", "--labelled-sample", str(file), "--population", "--positive", "wrong"]) == 0
    text = capsys.readouterr().out
    assert "Share of 'wrong' in its population: 400 instances, 80 of them labelled" in text
    assert "All labels of this sample would not make the first interval half as wide" in text
    assert main(["estimate", "--labelled-sample", str(file)]) == 0
    assert "more labels would make the first interval about half as wide" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--labelled-sample", "x.csv", "y.csv"], "be given without other tables"),
        (["x.csv"], "x.csv"),
        ([], "be two"),
    ],
)
def test_the_command_says_what_it_needs(words, message, capsys):
    assert main(["estimate", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("key", ["PPI", "PPI++"])
def test_predictions_have_no_weight_where_all_is_labelled(key):
    labels = np.repeat([1.0, 0.0], [300, 700])
    taken = np.concatenate([np.repeat([1.0, 0.0], [240, 60]), np.repeat([1.0, 0.0], [70, 630])])
    by_counts = LABELLED_SAMPLE_INTERVALS[key].interval(LabelledSample.from_labels(taken, labels), 0.95, False)
    half = 1.959964 * np.sqrt(0.3 * 0.7 / 1000)
    assert np.ravel(by_counts) == pytest.approx([0.3, 0.3 - half, 0.3 + half], abs=1e-6)
    by_arrays = prediction_powered_scores(taken, labels, tuned=key == "PPI++")
    assert np.ravel(by_arrays) == pytest.approx(np.ravel(by_counts), abs=1e-12)


def test_a_class_that_is_named_exactly_is_that_one():
    table = pd.DataFrame({"predicted": ["Yes", "yes", "no", "Yes"], "label": ["Yes", "yes", "no", None]})
    assert [read_labelled_columns(table, "predicted", "label", name).positive for name in ("yes", "Yes", "NO")] == [
        "yes", "Yes", "no",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LabelledSample.from_labels(["yes", "no"], ["yes", "no"]), "be 0 or 1"),
        (lambda: estimate_labelled_sample(LabelledSample([31, 30], 100, 3, 2, 6, 1)), "one sample"),
        (lambda: LabelledSample([31, 30], [100, 100, 100], 3, 2, 6, 1), "have equal lengths"),
    ],
)
def test_counts_that_cannot_be_are_refused_in_one_sentence(call, words):
    with pytest.raises(InvalidInput, match=words):
        call()


def test_scores_are_those_of_the_class_that_has_the_higher_ones():
    table = pd.DataFrame({"score": np.linspace(0.05, 0.95, 20), "label": ["ham"] * 6 + ["spam"] * 14})
    columns = read_labelled_columns(table, "score", "label")
    assert columns.positive == "spam", "though ham is rarer"
    assert float(columns.sample.agreement) > 0.75


def test_a_label_is_not_another_class_because_of_its_capitals():
    table = pd.DataFrame({"predicted": ["yes", "no"] * 6, "label": ["Yes", "no", None] * 4})
    for positive in ("", "yes", "Yes"):
        with pytest.raises(InvalidInput, match="classes must be spelt alike, got 'Yes' and 'yes'"):
            read_labelled_columns(table, "predicted", "label", positive)
    assert read_labelled_columns(table, "predicted", "label", "no").sample.true_positives == 2, "nobody counts the others"
    mixed = pd.DataFrame({"predicted": ["Yes", "yes", "no"] * 4, "label": ["yes", "yes", "no"] * 4})
    scored = pd.DataFrame({"predicted": np.linspace(0.1, 0.9, 12), "label": ["no", "yes", "Yes"] * 4})
    for one in (mixed, scored):
        with pytest.raises(InvalidInput, match="be spelt alike"):
            read_labelled_columns(one, "predicted", "label", "YES")


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    "counts",
    [
        (310, 20_000, 31, 31, 69, 0), (9_000, 20_000, 45, 0, 55, 0), (310, 20_000, 31, 30, 69, 0), (310, 20_000, 31, 31, 69, 1),
        (5_000, 20_000, 5, 5, 69, 3), (5_000, 20_000, 500, 450, 500, 50),
    ],
)  # fmt: skip
@pytest.mark.parametrize("level", [0.8, 0.99])
def test_so_many_labels_halve_the_interval(counts, own, level):
    """Wilson's arm at 0 and 1 falls with their number, not with its root."""
    sample = LabelledSample(*counts)
    try:
        more = labels_for_half_the_width(sample, level, own=own)
    except InvalidInput:
        assert not own
        return
    after = sample.checked + (sample.predicted - sample.checked) * more / (sample.sample_size - sample.n_labels)
    shares = sample.shares
    larger = LabelledSample(*counts[:2], *(int(part) for pair in ((round(after[1]), round(after[1] * shares[1])),
                            (round(after[0]), round(after[0] * shares[0]))) for part in pair))  # fmt: skip
    before, now = (sum(double_sampling_arms(one, one.positives, one.checked, level, own=own)) for one in (sample, larger))
    assert now / before == pytest.approx(0.5, abs=0.05)


def test_where_all_is_labelled_no_label_is_missing_and_where_too_little_is_left_it_is_said():
    assert labels_for_half_the_width(LabelledSample(3, 10, 3, 3, 7, 0)) == 0
    assert labels_for_half_the_width(LabelledSample(10, 30, 10, 10, 10, 0)) < 10
    with pytest.raises(InvalidInput, match="too few instances"):
        labels_for_half_the_width(LabelledSample(10, 30, 10, 10, 10, 0), own=False)


NONE_TABLES = {
    "no label, beside words": (["yes", "no", "yes", "no"], ["yes", "None", "no", "None"], 2),
    "no label, beside truth values": (["True", "False", "True", "False"], ["True", "None", "False", "None"], 2),
    "a class, predicted": (["None", "yes", "None", "yes"], ["None", "yes", "", ""], 2),
    "no label, beside scores": (["0.9", "0.1", "0.8", "0.2"], ["yes", "no", "None", "None"], 2),
    "a class, beside scores": (["0.9", "0.1", "0.8", "0.2"], ["yes", "None", "", ""], 2),
}


@pytest.mark.parametrize("case", NONE_TABLES)
def test_none_is_no_label_or_a_class_as_the_predictions_say(case):
    predictions, labels, n_labels = NONE_TABLES[case]
    rows = [f"{prediction},{label}" for prediction, label in zip(predictions, labels, strict=True)]
    table = read_table("\n".join(["prediction,label", *rows]).encode(), "a.csv")
    assert likely_columns(table) == ("prediction", "label")
    assert read_labelled_columns(table, "prediction", "label").sample.n_labels == n_labels


class TestLabelsThatAreNone:
    @pytest.mark.parametrize("code", ["9", ".", "\\N", "-1", "unlabeled", "unknown"])
    @pytest.mark.parametrize("kind", ["classes", "scores"])
    def test_a_code_for_no_label_is_refused(self, code, kind):
        rng = np.random.default_rng(0)
        ill = rng.random(1000) < 0.4
        said = np.where(rng.random(1000) < 0.9, ill, ~ill).astype(int) if kind == "classes" else 0.1 + 0.8 * rng.random(1000)
        table = pd.DataFrame({"prediction": said, "label": np.where(np.arange(1000) < 150, ill.astype(int).astype(str), code)})
        with pytest.raises(
            InvalidInput, match=f"{re.escape(repr(code))} in 850 rows. If it means that there is no label, leave"
        ):
            read_labelled_columns(table, "prediction", "label")
        table["label"] = table["label"].where(table["label"] != code)
        assert read_labelled_columns(table, "prediction", "label").sample.n_labels == 150

    def test_a_label_that_is_never_predicted_is_named_and_is_not_the_one_counted(self):
        table = pd.DataFrame({"prediction": ["spam", "ham"] * 50, "label": ["spam", "ham"] * 20 + ["spma"] + [None] * 59})
        read = read_labelled_columns(table, "prediction", "label")
        assert read.positive in ("spam", "ham")
        assert read.notes == ("The label 'spma' of 1 row is never predicted: is it a class, or misspelt, or no label?",)
        assert read_labelled_columns(table.replace({"spma": "spam"}), "prediction", "label").notes == ()

    @pytest.mark.parametrize(
        ("predictions", "labels", "positive"),
        [
            (["1"] * 100, ["-1"] * 5 + ["1"] * 35, "1"),
            ([*"012345678"] * 11, [*"0123456789"] * 4, "8"),
            ([*"01"] * 50, ["-1"] * 5 + [*"01"] * 15, "1"),
            (["no"] * 100, ["yes"] * 25 + ["no"] * 15, "yes"),
            (["a", "b"] * 50, ["c"] * 25 + ["a", "b"] * 5, "b"),
            (["ham"] * 100, ["spam"] * 5 + ["ham"] * 35, "spam"),
            (["a", "b"] * 50, ["unknown"] * 3 + ["a", "b"] * 8, "b"),
        ],
    )
    def test_classes_that_are_never_predicted_are_read(self, predictions, labels, positive):
        table = pd.DataFrame({"prediction": predictions, "label": labels + [None] * (len(predictions) - len(labels))})
        read = read_labelled_columns(table, "prediction", "label", positive)
        assert read.positive == positive
        assert read.sample.n_labels == len(labels)
        assert set(labels) <= set(read.classes)
        never = next((label for label in labels if label not in predictions), labels[0])
        assert read_labelled_columns(table, "prediction", "label", never).positive == never

    def test_a_rare_class_that_is_never_predicted_is_the_positive_one(self):
        table = pd.DataFrame({"prediction": ["ham"] * 100, "label": ["spam"] * 5 + ["ham"] * 35 + [None] * 60})
        assert read_labelled_columns(table, "prediction", "label").positive == "spam"

    @pytest.mark.parametrize("labels", [[*"0123456789"] * 4, ["-1", "0", "1"] * 12])
    def test_beside_scores_marks_may_be_classes(self, labels):
        scores = np.linspace(0.0, 1.0, 100)
        table = pd.DataFrame({"score": scores, "label": labels + [None] * (100 - len(labels))})
        assert len(read_labelled_columns(table, "score", "label").classes) == len(set(labels))

    def test_a_class_that_is_predicted_is_a_class_whatever_its_name(self):
        table = pd.DataFrame({"prediction": ["9", "8"] * 50, "label": ["9", "8"] * 20 + [None] * 60})
        assert read_labelled_columns(table, "prediction", "label").classes == ("8", "9")

    @pytest.mark.parametrize(
        ("columns", "expected"),
        [
            (["female", "pred", "label"], "pred"), (["ward", "prob", "label"], "prob"),
            (["female", "other", "label"], "female"), (["said", "prob", "label"], "said"),
        ],
    )  # fmt: skip
    def test_the_prediction_is_the_column_that_is_called_so(self, columns, expected):
        rng = np.random.default_rng(0)
        table = pd.DataFrame({name: rng.random(40) if name == "prob" else rng.integers(0, 2, 40) for name in columns})
        table["label"] = table["label"].where(table.index < 10).astype(float)
        if "ward" in columns:
            table["ward"] = 1 + np.arange(40) % 4
        assert likely_columns(table) == (expected, "label")

    @pytest.mark.parametrize(
        ("factor", "hint"), [(100.0, "divide percentages by 100"), (-8.0, r"take 1 / \(1 \+ exp\(-value\)\)")]
    )
    def test_what_scores_must_be_is_said_of_what_they_are(self, factor, hint):
        rng = np.random.default_rng(0)
        table = pd.DataFrame({"score": factor * rng.random(80), "label": ["a", "b"] * 20 + [None] * 40})
        with pytest.raises(InvalidInput, match=hint):
            read_labelled_columns(table, "score", "label")


class TestPredictionsThatNoLabelHas:
    """Such as a judge's "unsure": said, and left out on demand."""

    table = pd.DataFrame(
        {"judge": ["pass", "fail", "unsure", "pass"] * 50, "human": (["pass", "fail", "pass", "pass"] * 10) + [None] * 160}
    )

    def test_they_are_said_and_count_as_not_positive(self):
        read = read_labelled_columns(self.table, "judge", "human")
        assert read.never_labels == ("unsure",)
        assert read.notes == (
            "50 of 200 rows are predicted as 'unsure', and no label is: it is a class of its own, and counts as not 'fail'.",
        )

    def test_their_rows_are_left_out_on_demand(self):
        read = read_labelled_columns(self.table, "judge", "human", leave_out=["unsure"])
        without = read_labelled_columns(self.table[self.table.judge != "unsure"], "judge", "human")
        assert read.sample == without.sample
        assert read.notes == ("50 rows predicted as 'unsure' are left out: the share is that of the other 150.",)
        with pytest.raises(InvalidInput, match="a prediction to leave out must be one of the predictions, got 'perhaps'"):
            read_labelled_columns(self.table, "judge", "human", leave_out=["perhaps"])

    def test_the_command_names_the_option(self, tmp_path, capsys):
        self.table.to_csv(tmp_path / "judged.csv", index=False)
        command = ["estimate", "--labelled-sample", str(tmp_path / "judged.csv")]
        assert main(command) == 0
        assert "To leave the rows of such a prediction out: --leave-out 'unsure'." in capsys.readouterr().err
        assert main([*command, "--drop", "unsure"]) == 0
        said = capsys.readouterr()
        assert "150 instances" in said.out
        assert "50 rows predicted as 'unsure' are left out" in said.err


def test_labels_that_are_all_alike_are_not_taken_for_certainty():
    result = estimate_labelled_sample(LabelledSample(60, 500, 3, 0, 17, 0))
    table = result.table.set_index("method")
    assert table.loc["PPI++", ["low", "high"]].tolist() == [0.0, 1.0]
    assert why_no_interval(table.interval["PPI++"]).startswith("all 20 labels are negative")
    assert table.idea["PPI++"].startswith("No interval: all 20 labels are negative")
    assert table.too_short["PPI"].startswith("all 20 labels are negative")
    assert table.too_short[["double sampling", "labels alone"]].tolist() == ["", ""]
    assert result.worth is None
    assert result.to_dict("x")["labels_from_elsewhere_for_one"] is None


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ((480, 1000, 10, 10, 10, 0), "no label contradicts its prediction, and it takes that as certain"),
        ((60, 500, 6, 3, 44, 1), "only 4 of 50 labels are positive"),
        ((440, 500, 44, 44, 6, 5), "only 1 of 50 labels is negative"),
        ((310, 1000, 31, 24, 69, 6), ""),
    ],
)
def test_a_normal_approximation_that_is_too_short_says_so_in_its_row(counts, why):
    table = labelled_sample_intervals(LabelledSample(*counts)).set_index("method")
    assert table.too_short[["PPI++", "PPI"]].tolist() == [why, why]
    assert table.idea["PPI"].startswith(f"Too short here: {why}. " if why else "The share of predicted")


@given(samples(), st.booleans())
def test_no_interval_is_without_width_unless_all_is_known(sample, own):
    table = labelled_sample_intervals(sample, own=own)
    known = own and int(sample.n_labels) == int(sample.sample_size)
    assert (table.low < table.high).all() or (known and table[table.low == table.high].method.isin(KNOWN).all())


def test_scores_of_labels_that_are_all_alike_give_no_interval():
    labels = np.where(np.arange(100) < 20, 0.0, np.nan)
    scores = np.linspace(0.0, 0.9, 100)
    sample = LabelledSample.from_labels(scores >= 0.5, labels)
    row = estimate_labelled_sample(sample, scores=scores, labels=labels).table.iloc[-1]
    assert row.interval.startswith("none: all 20 labels are negative")
