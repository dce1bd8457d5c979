"""Labels of a sample in the tests of shift between two tables."""

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, estimate_sample, score_sample
from qcore.intervals.which_shift import shift_of
from qcore.scoring.sample_scores import unknown_labels


def table(n, share, seed):
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < share
    return pd.DataFrame(
        {"x": rng.normal(size=n) + 1.5 * ill, "z": rng.normal(size=n) - 1.5 * ill, "cls": np.where(ill, "yes", "no")}
    )


@pytest.fixture(scope="module")
def labelled():
    return Dataset.from_frame(table(300, 0.4, 1), "cls")


def verdict(labelled, sample):
    return shift_of(labelled, sample, score_sample(labelled, sample, "yes"), "yes", "cls")


def test_labels_as_the_classes_are_called_are_taken(labelled):
    sample = table(200, 0.7, 2)
    assert len(verdict(labelled, sample).table) > len(verdict(labelled, sample.drop(columns="cls")).table)


@pytest.mark.parametrize("written", [str.upper, lambda name: {"yes": "1", "no": "0"}[name], lambda _name: "pending"])
def test_what_is_no_class_is_no_label(labelled, written):
    sample = table(200, 0.7, 2)
    other = sample.assign(cls=sample.cls.map(written))
    without = verdict(labelled, sample.drop(columns="cls"))
    pd.testing.assert_frame_equal(verdict(labelled, other).table, without.table)
    assert unknown_labels(other, "cls", labelled.classes) == tuple(sorted(set(other.cls)))


def test_labels_beside_what_is_none_are_taken(labelled):
    sample = table(200, 0.7, 2)
    some = sample.assign(cls=np.where(np.arange(200) < 60, sample.cls, "pending"))
    empty = sample.assign(cls=np.where(np.arange(200) < 60, sample.cls, ""))
    pd.testing.assert_frame_equal(verdict(labelled, some).table, verdict(labelled, empty.replace("", np.nan)).table)
    assert unknown_labels(some, "cls", labelled.classes) == ("pending",)
    assert unknown_labels(sample, "cls", labelled.classes) == unknown_labels(sample, "none", labelled.classes) == ()


def test_the_mixture_has_the_p_value_that_the_estimate_has(labelled):
    sample = table(200, 0.7, 2).drop(columns="cls")
    scored = score_sample(labelled, sample, "yes")
    fit = estimate_sample(*scored, ["AC"], as_training=scored.as_training).fit
    tests = verdict(labelled, sample).table.set_index("test")
    assert tests.p_value["mixture"] == fit.p_value
