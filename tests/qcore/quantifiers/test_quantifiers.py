"""The contract of a quantifier over the whole registry, the reference numbers, and the slow definitions."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from qcore import QUANTIFIERS, make_quantifiers
from qcore._base.validation import InvalidInput
from qcore.measures.roc import counts_at
from qcore.quantifiers import EMQ, FAMILIES, DyS, HDy, MedianSweep
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import ScoreQuantifier
from qcore.quantifiers.histogram_matching import DISTANCES
from tests.qcore import slow_definitions, slow_matching
from tests.qcore.own_definitions import own_definitions

CASES = json.loads((Path(__file__).parents[2] / "data" / "reference_estimates.json").read_text())["cases"]
TOLERANCES = {"HDy": 0.01, "EMQ": 1e-3, "DyS-TS": 1e-3, "DyS-PS": 1e-3, "DyS-JD": 1e-3, "DyS-ORD": 1e-3, "SORD": 1e-3}
"""Of the reference numbers, where it is not 1e-9."""
EXACTNESS = {"EMQ": 1e-8, "KDEy-ML": 1e-6, **{f"DyS-{key}": 1e-6 for key in DISTANCES}}
"""Against the slow definitions, where it is not 1e-9: both search to a precision of their own."""
ANSWERS_ANYTHING = {"BL"}
"""Quantifiers that do not look at the sample: perfect scores do not help them."""
FLAT_ANSWER = {
    "BL": 0.25,
    "KDEy-ML": 0.25,
    "HDy": 0.0,
    "SORD": 0.0,
    "MM": 0.0,
    "EDy": 0.0,
    **{f"DyS-{key}": 0.0 for key in DISTANCES},
}
"""What constant scores give where it is not a count: matching answers the lowest weight."""
OWN_DEFINITIONS = own_definitions(__file__, "DEFINITIONS")
"""Of quantifiers that are defined in test files of their own."""

grids = st.sampled_from([4, 10, 1000])


@st.composite
def problems(draw, n_samples=3, size=12):
    """Training scores and labels, and samples, tied as often as not; classes of unequal size."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    cells = draw(grids)
    n_positives, n_negatives = draw(st.integers(2, 30)), draw(st.integers(2, 30))
    labels = np.repeat([1, 0], [n_positives, n_negatives])
    shift = draw(st.floats(-0.5, 1.0))
    raw = rng.beta(1 + max(shift, 0), 1, len(labels)) * (labels == 1) + rng.beta(1, 1 + abs(shift), len(labels)) * (labels == 0)
    scores = np.round(raw * cells) / cells
    return scores, labels, np.round(rng.random((n_samples, size)) * cells) / cells


def fitted(scores, labels):
    return make_quantifiers(QUANTIFIERS, scores, labels)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_reference_numbers(case):
    scores, labels = np.array(case["train_scores"]), np.array(case["train_labels"])
    quantifiers = fitted(scores, labels)
    pool = np.array(case["pool_scores"])
    checked = 0
    for sample in case["samples"]:
        members = pool[sample["index"]]
        for key, expected in sample["estimates"].items():
            result, tolerance = quantifiers[key].predict(members), TOLERANCES.get(key, 1e-9)
            if abs(result - expected) > tolerance:
                # The reference's search ends anywhere on a flat stretch; the definition says at its lowest weight.
                lowest, highest = slow_matching.dys(scores[labels == 1], scores[labels == 0], members, key[4:])
                assert key == "DyS-ORD"
                assert result == pytest.approx(lowest, abs=1e-9)
                assert lowest < expected <= highest
            checked += 1
    assert checked == 18 * 15
    assert quantifiers["BL"].predict(pool) == pytest.approx(case["train_prevalence"])


@given(problems(n_samples=1))
def test_slow_definitions(problem):
    scores, labels, samples = problem
    lists = scores.tolist(), labels.tolist(), samples[0].tolist()
    slow = slow_definitions.estimates(*lists) | {key: own.estimate(*lists) for key, own in OWN_DEFINITIONS.items()}
    lacking = sorted(QUANTIFIERS.keys() - slow.keys())
    assert not lacking, (
        f"{lacking} have no definition in plain loops: add DEFINITIONS = {{key: Definition(...)}} to a test file."
    )
    for key, quantifier in fitted(scores, labels).items():
        tolerance = OWN_DEFINITIONS[key].tolerance if key in OWN_DEFINITIONS else EXACTNESS.get(key, 1e-9)
        assert quantifier.predict(samples[0]) == pytest.approx(slow[key], abs=tolerance), key


@settings(max_examples=40)
@given(problems(n_samples=1))
def test_variants_of_maletzke_2020(problem):
    scores, labels, samples = problem
    sample, positives, negatives = samples[0].tolist(), scores[labels == 1].tolist(), scores[labels == 0].tolist()
    hdy_lp = HDy(laplace=True).fit(scores, labels).predict(sample)
    assert hdy_lp == pytest.approx(slow_matching.hdy(positives, negatives, sample, laplace=True), abs=1e-9)
    for distance in ("TS", "JD", "PS"):
        result = DyS(distance, laplace=True).fit(scores, labels).predict(sample)
        assert result == pytest.approx(slow_matching.dys(positives, negatives, sample, distance, laplace=True)[0], abs=1e-6)
    lowest, highest = slow_matching.dys(positives, negatives, sample, "ORD", laplace=True)
    # Smoothed shares are seldom equal, but for rounding: where the distance is flat, either end of it.
    assert lowest - 1e-6 <= DyS("ORD", laplace=True).fit(scores, labels).predict(sample) <= highest + 1e-6
    swept = slow_definitions.median_sweep(slow_definitions.rates(scores, labels)[2], sample, 0.0)
    if swept is not None:
        assert MedianSweep(0.0).fit(scores, labels).predict(sample) == pytest.approx(swept, abs=1e-9)


@pytest.mark.parametrize("key", QUANTIFIERS)
class TestContract:
    @settings(max_examples=30)
    @given(problem=problems())
    def test_estimates_are_prevalences(self, key, problem):
        scores, labels, samples = problem
        estimates = QUANTIFIERS[key].make().fit(scores, labels).predict(samples)
        assert estimates.shape == (3,)
        assert ((estimates >= 0) & (estimates <= 1)).all()

    @settings(max_examples=20)
    @given(problem=problems(n_samples=6))
    def test_a_batch_gives_what_its_samples_give(self, key, problem):
        scores, labels, samples = problem
        quantifier = QUANTIFIERS[key].make().fit(scores, labels)
        batch = quantifier.predict(samples.reshape(2, 3, -1))
        assert batch.shape == (2, 3)
        # A search ends elsewhere by rounding: some 1e-12 away.
        tolerance = 1e-9 if key in EXACTNESS else 1e-12
        assert batch.ravel() == pytest.approx([float(quantifier.predict(sample)) for sample in samples], abs=tolerance)

    @settings(max_examples=20)
    @given(problem=problems(), order=st.permutations(range(12)))
    def test_the_order_of_instances_does_not_matter(self, key, problem, order):
        scores, labels, samples = problem
        quantifier = QUANTIFIERS[key].make().fit(scores, labels)
        assert quantifier.predict(samples[:, order]) == pytest.approx(quantifier.predict(samples), abs=1e-12)

    def test_perfect_scores_give_the_exact_prevalence(self, key):
        labels = np.repeat([1, 0], [30, 70])
        sample = np.array([[1.0] * k + [0.0] * (20 - k) for k in range(21)])
        estimates = QUANTIFIERS[key].make().fit(labels.astype(float), labels).predict(sample)
        expected = np.full(21, 0.3) if key in ANSWERS_ANYTHING else np.arange(21) / 20
        assert estimates == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize("value", [0.0, 0.3, 0.5, 1.0])
    def test_constant_scores_give_a_defined_answer(self, key, value):
        labels = np.repeat([1, 0], [3, 9])
        quantifier = QUANTIFIERS[key].make().fit(np.full(12, value), labels)
        count = {"PCC": value, "PACC": value, "EMQ": float(value > 0.25), "FM": float(value >= 0.25), **FLAT_ANSWER}.get(
            key, float(value >= 0.5)
        )
        if key in OWN_DEFINITIONS:
            count = OWN_DEFINITIONS[key].constant(value)
        if key == "EMQ-5":
            count = slow_matching.emq_steps([value], 0.25, 5)
        assert quantifier.predict(np.full((4, 7), value)) == pytest.approx(count)
        assert quantifier.predict(np.array([value])).shape == ()

    def test_no_samples(self, key):
        quantifier = QUANTIFIERS[key].make().fit(np.array([0.2, 0.9, 0.7]), np.array([0, 1, 0]))
        assert quantifier.predict(np.empty((0, 5))).shape == (0,)

    def test_fit_does_not_keep_or_change_its_input(self, key):
        scores, labels = np.array([0.2, 0.9, 0.7, 0.4]), np.array([0, 1, 0, 1])
        sample = np.array([[0.9, 0.1, 0.5]])
        quantifier = QUANTIFIERS[key].make().fit(scores, labels)
        before = quantifier.predict(sample)
        scores[:] = 0.5
        assert quantifier.predict(sample) == before
        assert sample.tolist() == [[0.9, 0.1, 0.5]]

    def test_the_entry_explains_the_method(self, key):
        entry = QUANTIFIERS[key]
        assert entry.key == key
        assert entry.family in FAMILIES
        assert entry.name
        assert entry.idea
        assert r"\hat p" in entry.formula
        assert entry.source


@pytest.mark.parametrize("key", [key for key, entry in QUANTIFIERS.items() if entry.symmetric])
@settings(max_examples=50)
@given(problem=problems())
def test_swapping_the_classes_gives_one_minus_the_estimate(key, problem):
    scores, labels, samples = problem
    # A score of exactly 0.5 is positive either way round, by convention; keep off it.
    scores, samples = (np.where(s == 0.5, 0.45, s) for s in (scores, samples))
    there = QUANTIFIERS[key].make().fit(scores, labels).predict(samples)
    back = QUANTIFIERS[key].make().fit(1 - scores, 1 - labels).predict(1 - samples)
    assert back == pytest.approx(1 - there, abs=1e-9)


@pytest.mark.parametrize("key", [key for key, entry in QUANTIFIERS.items() if not entry.symmetric])
def test_the_exceptions_are_real(key):
    rng = np.random.default_rng(0)
    for cells in [4, 10**6] * 100:
        labels = np.repeat([1, 0], rng.integers(2, 12, 2))
        # The middle of a cell: no score of 0.5, and none on a border.
        scores, sample = ((np.floor(rng.random(n) * cells) + 0.5) / cells for n in (len(labels), 15))
        there = QUANTIFIERS[key].make().fit(scores, labels).predict(sample)
        back = QUANTIFIERS[key].make().fit(1 - scores, 1 - labels).predict(1 - sample)
        if abs(back - (1 - there)) > 1e-6:
            return
    pytest.fail(f"{key} looks symmetric; list it so")


def test_ties_go_to_the_lowest_threshold():
    labels = np.array([1, 1, 0, 0])
    scores = np.array([0.8, 0.4, 0.4, 0.1])
    # tpr - fpr is 1/2 at 0.4 and at 0.8; the lower one is Max's.
    assert fitted(scores, labels)["Max"].threshold_ == 0.4


def test_median_sweep_falls_back_on_max_and_then_on_cc():
    labels = np.array([1] * 10 + [0] * 10)
    close = np.concatenate([np.linspace(0.1, 1.0, 10), np.linspace(0.05, 0.95, 10)])
    sample = np.linspace(0, 1, 9)
    both = fitted(close, labels)
    assert both["MS"].predict(sample) == both["Max"].predict(sample)
    worse = fitted(1 - np.repeat([1.0, 0.0], 10), labels)
    assert worse["MS"].predict(sample) == worse["CC"].predict(sample) == pytest.approx(5 / 9)


def test_adjust():
    assert adjust(np.array([0.1, 0.5, 0.9]), 0.8, 0.2) == pytest.approx([0, 0.5, 1])
    assert adjust(np.array([0.1, 0.5]), 0.4, 0.4) == pytest.approx([0.1, 0.5])


@given(problems())
def test_counts_at_every_threshold(problem):
    scores, _, samples = problem
    thresholds = np.unique(scores)
    assert (counts_at(samples[0], thresholds) == (samples[0][:, np.newaxis] >= thresholds).sum(axis=0)).all()


class TestErrors:
    def test_scores_out_of_range(self):
        with pytest.raises(InvalidInput, match=r"lie in \[0, 1\], got values from -2 to 3"):
            fitted(np.array([-2.0, 3.0]), np.array([0, 1]))
        with pytest.raises(InvalidInput, match="1 missing of 2"):
            fitted(np.array([0.1, 0.9]), np.array([0, 1]))["CC"].predict([0.1, np.nan])

    def test_both_classes_scores_are_not_mixed(self):
        with pytest.raises(InvalidInput, match=r"only those of the positive class.*got shape \(2, 2\).*scores\[:, 1\]"):
            QUANTIFIERS["MS"].make().fit(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1]))

    def test_settings_of_the_methods(self):
        scores, labels = np.array([0.1, 0.9]), np.array([0, 1])
        rejected = [DyS("TS", 8), DyS("TS", ()), DyS("TS", (0,)), DyS("TS", (3000,)), DyS("KL"), HDy(n_weights=1)]
        rejected += [HDy(bins=(8.5,)), MedianSweep("a"), MedianSweep(float("nan")), EMQ(0), EMQ(2.5)]
        for quantifier in rejected:
            with pytest.raises(InvalidInput):
                quantifier.fit(scores, labels)
        assert DyS("TS", np.arange(2, 10, 2)).fit(scores, labels).bins_ == (2, 4, 6, 8)

    def test_one_method_is_a_list_of_one(self):
        with pytest.raises(InvalidInput, match=r"methods must be a list.*'EMQ'.*\['EMQ'\]"):
            make_quantifiers("EMQ", np.array([0.1, 0.9]), np.array([0, 1]))

    def test_labels(self):
        with pytest.raises(InvalidInput, match="both 0"):
            fitted(np.array([0.1, 0.9]), np.array([1, 1]))
        with pytest.raises(InvalidInput, match="one label for each score"):
            fitted(np.array([0.1, 0.9]), np.array([1, 1, 0]))

    def test_empty_sample_and_unknown_key(self):
        with pytest.raises(InvalidInput, match="at least one score"):
            fitted(np.array([0.1, 0.9]), np.array([0, 1]))["CC"].predict(np.empty((3, 0)))
        with pytest.raises(InvalidInput, match="'EM'"):
            make_quantifiers(["EM"], np.array([0.1, 0.9]), np.array([0, 1]))


OURS = {key: entry for key, entry in QUANTIFIERS.items() if isinstance(entry.make(), ScoreQuantifier)}


@pytest.mark.parametrize("key", OURS)
def test_one_that_is_not_fitted_says_so_and_is_copied_as_any_other(key):
    quantifier = OURS[key].make()
    with pytest.raises(NotFittedError, match=r"is not fitted yet: call fit\(scores, labels\) first"):
        quantifier.predict([0.1, 0.9])
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = quantifier.nothing
    assert pickle.loads(pickle.dumps(quantifier)) == clone(quantifier) == quantifier
