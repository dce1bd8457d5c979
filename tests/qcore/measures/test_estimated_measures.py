"""Accuracy, F1 and AUC expected of posteriors: the spec's numbers, all pairs one by one, and bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm

from qcore import InvalidInput, make_quantifiers
from qcore.intervals.sample_estimate import classifier_on_sample, in_words, records
from qcore.measures.probability import estimated_measures
from qcore.quantifiers.expectation_maximisation import adjusted_posteriors

POSTERIORS = [0.9, 0.8, 0.6, 0.4, 0.3, 0.1]
TENTHS = st.integers(0, 10).map(lambda tenth: tenth / 10)


def one_by_one(q, scores):
    """AUC by all pairs of two instances."""
    ordered = pairs = 0.0
    for i in range(len(q)):
        for j in range(len(q)):
            if i != j:
                weight = q[i] * (1 - q[j])
                pairs += weight
                ordered += weight * ((scores[i] > scores[j]) + 0.5 * (scores[i] == scores[j]))
    return ordered / pairs if pairs > 1e-9 else np.nan


def test_numbers_that_are_known():
    found = estimated_measures(POSTERIORS)
    assert float(found.accuracy) == pytest.approx(0.75)
    assert float(found.f1) == pytest.approx(0.7541, abs=5e-5)
    assert float(found.auc) == pytest.approx(0.8580, abs=5e-5)
    q = np.array(POSTERIORS)
    with_itself = (float(found.auc) * (q.sum() * (1 - q).sum() - (q * (1 - q)).sum()) + (q * (1 - q)).sum() / 2) / (
        q.sum() * (1 - q).sum()
    )
    assert with_itself == pytest.approx(0.8170, abs=5e-5), "NannyML pairs each instance with itself, too"


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12).flatmap(lambda m: st.tuples(*[arrays(float, (2, m), elements=TENTHS)] * 2)))
def test_the_auc_is_that_of_all_pairs(drawn):
    q, scores = drawn
    expected = [one_by_one(*row) for row in zip(q, scores, strict=True)]
    assert estimated_measures(q, scores).auc == pytest.approx(expected, nan_ok=True)


def test_labels_are_the_posteriors_of_one_who_knows():
    labels, scores = np.array([1.0, 1.0, 0.0, 0.0]), np.array([0.9, 0.4, 0.6, 0.1])
    assert [float(value) for value in estimated_measures(labels, scores)] == [0.5, 0.5, 0.5, 0.75]


def test_what_is_not_there():
    assert float(estimated_measures([0.0, 0.0]).f1) == 0.0
    assert np.isnan(estimated_measures([1.0, 1.0]).auc)
    assert np.isnan(estimated_measures([0.4]).auc), "an instance is no pair with itself"


@pytest.mark.parametrize(
    ("posteriors", "scores", "said"),
    [([1.2], None, "posteriors must"), ([0.2, 0.4], [0.1], "have the shape of the posteriors"), ([], None, "posteriors must")],
)
def test_bad_input_is_one_sentence(posteriors, scores, said):
    with pytest.raises(InvalidInput, match=said):
        estimated_measures(posteriors, scores)


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(1)

    def scored(n, share):
        labels = (rng.random(n) < share).astype(int)
        return 1.0 / (1.0 + 4.0 * np.exp(-1.5 * rng.normal(1.5 * labels - 0.75))), labels

    return *scored(20_000, 0.2), *scored(20_000, 0.6)


class TestOnASample:
    """Normals 1.5 standard deviations apart, trained at a prevalence of .2, a sample at .6."""

    def test_adjusting_finds_the_accuracy_that_scores_as_they_are_miss(self, problem):
        training, labels, sample, truth = problem
        table = classifier_on_sample(sample, training, labels, truth=truth).set_index("measure")
        edge = np.log(4.0) / 1.5
        true = 0.6 * norm.sf(edge - 0.75) + 0.4 * norm.cdf(edge + 0.75)
        assert true == pytest.approx(0.639, abs=0.001)
        assert table.truth["accuracy"] == pytest.approx(true, abs=0.01)
        assert table.adjusted["accuracy"] == pytest.approx(true, abs=0.01)
        assert table.as_they_are["accuracy"] == pytest.approx(0.792, abs=0.01)
        assert table.adjusted["F1"] == pytest.approx(table.truth["F1"], abs=0.015)
        assert table.adjusted["AUC"] == pytest.approx(table.truth["AUC"], abs=0.015)
        assert table.labelled["accuracy"] == pytest.approx(np.mean((training >= 0.5) == labels))

    def test_the_mean_of_the_posteriors_is_the_estimate_of_em(self, problem):
        training, labels, sample, _ = problem
        share = float(make_quantifiers(["EMQ"], training, labels)["EMQ"].predict(sample))
        adjusted = adjusted_posteriors(sample, labels.mean(), share)
        assert float(estimated_measures(adjusted).prevalence) == pytest.approx(share, abs=1e-4)

    def test_one_class_alone_has_no_auc(self, problem):
        training, labels, sample, _ = problem
        table = classifier_on_sample(sample[:3], training, labels, truth=[1, 1, 1])
        assert np.isnan(table.truth[2])
        assert "AUC" not in in_words(table, "truth")
        assert records(table)[2]["truth"] is None
        assert records(None) is None

    def test_labels_that_are_none_are_said(self, problem):
        training, labels, sample, _ = problem
        with pytest.raises(InvalidInput, match="be 3 labels 0 and 1"):
            classifier_on_sample(sample[:3], training, labels, truth=[0, 1, 2])
