"""What posteriors say of samples by prevalence: the mean of EMQ's posteriors is its estimate, and the truth is the truth."""

import numpy as np
import pytest

from qcore import ArtificialPrevalence, ScoringSettings, load_dataset, make_quantifiers, score_dataset
from qcore.studies.posteriors import CLASSIFIER_MEASURES, POSTERIORS, TRUTH, posterior_tasks


@pytest.fixture(scope="module")
def scores():
    return score_dataset(load_dataset("waveform"), ScoringSettings(positive="0"))


def tasks_of(scores, method):
    quantifier = make_quantifiers([method], scores.training_scores, scores.training_labels)[method]
    return posterior_tasks(quantifier, scores, ArtificialPrevalence(11, 100, 20))


def test_adjusted_posteriors_are_nearer_in_all_three_tasks(scores):
    result = tasks_of(scores, "EMQ")
    assert set(result.table.by) == {TRUTH, *POSTERIORS}
    errors = result.errors().groupby("by")[["prevalence", *CLASSIFIER_MEASURES]].agg(lambda column: column.abs().mean())
    for task in ("prevalence", "F1", "AUC"):
        assert errors.loc["adjusted", task] < errors.loc["as they are", task], task
    gaps = (result.reliability.share - result.reliability.score).abs() * result.reliability.n
    assert gaps[result.reliability.by == "adjusted"].sum() < gaps[result.reliability.by == "as they are"].sum()


def test_the_truth_is_that_of_the_labels(scores):
    truth = tasks_of(scores, "CC").table.query("by == @TRUTH").set_index("true")
    assert truth.prevalence.to_numpy() == pytest.approx(truth.index.to_numpy())
    # Accuracy is a mixture of the accuracies of the classes.
    at = {true: truth.accuracy[true] for true in truth.index}
    assert at[0.5] == pytest.approx((at[0.0] + at[1.0]) / 2, abs=0.02)
    assert np.isnan(truth.AUC[0.0])


def test_the_nearest_prevalence_has_both_classes(scores):
    result = tasks_of(scores, "EMQ")
    assert result.nearest(0.0) == pytest.approx(0.1)
    assert result.nearest(0.62) == pytest.approx(0.6)
