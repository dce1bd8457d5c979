"""Intervals at the edges: samples without a class, samples that are large beside the labels, and input of another sample."""

import numpy as np
import pandas as pd
import pytest

from qcore import LabelledSample, estimate_labelled_sample, estimate_sample
from qcore._base.validation import InvalidInput
from qcore.datasets.time_order import groups_in_time
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import default_interval, many_beside_labels
from qcore.intervals.weights import in_groups
from qcore.watching import watch_share

RNG = np.random.default_rng(3)
LABELS = (np.arange(200) % 2).astype(np.intp)
SCORES = np.clip(RNG.normal(0.35 + 0.3 * LABELS, 0.15), 0.0, 1.0)
CLASS_SCORES = 0.5 * RNG.dirichlet([1, 1, 1], 60) + 0.5 * np.eye(3)[np.arange(60) % 3]


@pytest.mark.parametrize(("predicted", "end"), [(30, 1.0), (0, 0.0)])
def test_a_sample_of_one_predicted_class_does_not_prove_that_the_other_is_absent(predicted, end):
    low, high = default_interval(Counts(predicted, 30, 68, 100, 32, 100))
    assert (low, high) == pytest.approx((0.025 ** (1 / 30), 1.0) if end else (0.0, 1.0 - 0.025 ** (1 / 30)))


def test_all_at_once_are_as_one_by_one_at_the_edges():
    several = default_interval(Counts(np.array([30, 15, 0]), 30, 68, 100, 12, 100))
    for i, predicted in enumerate((30, 15, 0)):
        one = default_interval(Counts(predicted, 30, 68, 100, 12, 100))
        assert (several.low[i], several.high[i]) == pytest.approx(tuple(map(float, one)))


def test_an_interval_without_the_error_of_probabilities_says_so_in_a_large_sample():
    counts = Counts(90, 150, 80, 100, 10, 100)
    assert [text.split("'")[0] for text in many_beside_labels({"AC": "AC", "my EM": "EMQ", "PCC": "PCC"}, counts)] == ["my EM"]
    assert many_beside_labels({"EMQ": "EMQ"}, Counts(89, 149, 80, 100, 10, 100)) == []
    result = estimate_sample(np.repeat(SCORES, 2), SCORES, LABELS, ["AC", "EMQ"])
    assert "here 400 instances beside 200 labelled ones" in " ".join(result.cautions)
    assert "labelled ones" not in " ".join(estimate_sample(SCORES[:100], SCORES, LABELS, ["AC", "EMQ"]).cautions)


@pytest.mark.parametrize(("n", "n_labelled"), [(3, 2), (1000, 99), (999, 100)])
def test_scores_and_labels_of_another_sample_are_refused(n, n_labelled):
    labels = np.where(np.arange(n) < n_labelled, 1.0, np.nan)
    with pytest.raises(InvalidInput, match="labels must be of the sample: 1,000 instances, 100 of them labelled"):
        estimate_labelled_sample(LabelledSample(310, 1000, 31, 24, 69, 6), scores=np.full(n, 0.5), labels=labels)


@pytest.mark.parametrize("none", [None, pd.NA, np.nan])
def test_labels_may_be_missing_in_each_way(none):
    sample, scores = LabelledSample(310, 1000, 31, 24, 69, 6), RNG.random(1000)
    labels = [i % 2 for i in range(100)] + [none] * 900
    usual = estimate_labelled_sample(sample, scores=scores, labels=np.array([i % 2 for i in range(100)] + [np.nan] * 900))
    pd.testing.assert_frame_equal(estimate_labelled_sample(sample, scores=scores, labels=labels).table, usual.table)
    with pytest.raises(InvalidInput, match="labels must be 0, 1 or NaN, at least one of them 0 or 1, got 'yes'"):
        estimate_labelled_sample(sample, scores=scores, labels=["yes", *labels[1:]])


def test_scores_as_training_are_of_the_same_sample():
    with pytest.raises(InvalidInput, match="as_training must have 100 scores, as the sample, got 2"):
        estimate_sample(SCORES[:100], SCORES, LABELS, ["AC"], as_training=[0.1, 0.2])


@pytest.mark.parametrize("classes", [("a", "a", "b"), "abc", ("a", "b"), None])
def test_classes_have_a_name_each(classes):
    with pytest.raises(InvalidInput, match="classes must name the 3 classes"):
        estimate_sample(CLASS_SCORES, CLASS_SCORES, np.arange(60) % 3, ["AC"], classes=classes)


def test_names_of_classes_are_those_of_the_columns():
    table = pd.DataFrame(CLASS_SCORES, columns=["b", "a", "c"])
    with pytest.raises(InvalidInput, match=r"Write classes=\('b', 'a', 'c'\)"):
        estimate_sample(table, table, np.arange(60) % 3, ["AC"], classes=("a", "b", "c"))
    named = estimate_sample(table, table, np.arange(60) % 3, ["AC"], classes=("b", "a", "c")).table
    assert named["class"].tolist() == ["b", "a", "c"]


@pytest.mark.parametrize("labels", [pd.array([pd.NA] + [True] * 199, dtype="boolean"), np.where(LABELS, 1, None)])
def test_missing_labels_are_a_sentence(labels):
    with pytest.raises(InvalidInput, match="labels must hold both 0"):
        estimate_sample(SCORES, SCORES, labels, ["AC"])


@pytest.mark.parametrize("kind", [bool, int, float])
def test_labels_that_are_numbers_may_stand_among_objects_and_words_may_not(kind):
    usual = estimate_sample(SCORES, SCORES, LABELS, ["AC"]).table
    pd.testing.assert_frame_equal(estimate_sample(SCORES, SCORES, LABELS.astype(kind).astype(object), ["AC"]).table, usual)
    with pytest.raises(InvalidInput, match="labels must hold both 0"):
        estimate_sample(SCORES, SCORES, LABELS.astype(str).astype(object), ["AC"])


@pytest.mark.parametrize(
    ("column", "groups"),
    [
        ([f"{k % 12 + 1}/2024" for k in range(200)], [f"{k}/2024" for k in range(1, 13)]),
        ([k % 12 + 1.0 if k % 7 else np.nan for k in range(200)], [str(k) for k in range(1, 13)]),
        (["south", "north"] * 100, ["north", "south"]),
        ([True, False] * 100, ["False", "True"]),
        ([1.5, 0.5] * 100, ["0.5", "1.5"]),
    ],
)
def test_groups_stand_in_the_order_of_time(column, groups):
    names = in_groups(groups_in_time(pd.Series(column), "month"), len(column))
    sizes = names.groupby(names, observed=True).size()
    assert sizes.index.astype(str).tolist() == groups
    assert sizes.sum() == pd.Series(column).notna().sum()


def test_one_batch_is_too_few():
    with pytest.raises(InvalidInput, match=r"batches must be two or more, .*, got one\. Add the next batch"):
        watch_share([3], [50], baseline=1)
