"""What each method minimises, as arrays: the curves are the definitions', and their minima are what the method answers."""

import numpy as np
import pytest
from hypothesis import given, settings

from qcore._base.validation import InvalidInput
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.distribution_matching import SORD, EDy
from qcore.quantifiers.expectation_maximisation import EMQ
from qcore.quantifiers.histogram_matching import DISTANCES, DYS_BINS, HDY_BINS, DyS, HDy
from qcore.quantifiers.inspection import Objective, Scaling, SweepEstimates, Trajectory
from qcore.quantifiers.kernel_density import KDEyML
from qcore.quantifiers.threshold_selection import MedianSweep
from tests.qcore import slow_matching
from tests.qcore.quantifiers.test_quantifiers import problems

INSPECTABLE = tuple(key for key, entry in QUANTIFIERS.items() if entry.inspect)
MATCHING = [HDy(), SORD(), EDy(), KDEyML(), DyS("ORD", (100,)), *(DyS(key) for key in DISTANCES)]


def named(quantifier: object) -> str:
    return f"{type(quantifier).__name__} {getattr(quantifier, 'distance', '')}"


@pytest.mark.parametrize("quantifier", MATCHING, ids=named)
class TestObjective:
    @settings(max_examples=30)
    @given(problem=problems(n_samples=1))
    def test_the_minima_lie_below_the_curves_and_give_the_estimate(self, quantifier, problem):
        scores, labels, samples = problem
        objective = quantifier.fit(scores, labels).objective(samples[0])
        assert objective.weights[[0, -1]].tolist() == [0, 1]
        assert objective.distances.shape == (max(len(objective.bins), 1), len(objective.weights))
        assert objective.estimate == np.median(objective.minima) == quantifier.predict(samples[0])
        for curve, minimum in zip(objective.distances, objective.minima, strict=True):
            nearest = objective.weights[(curve <= curve.min() + 1e-6)]
            assert nearest.min() - 0.0101 <= minimum <= nearest.max() + 0.0101

    @settings(max_examples=30)
    @given(problem=problems(n_samples=1))
    def test_the_curves_are_convex(self, quantifier, problem):
        scores, labels, samples = problem
        curves = quantifier.fit(scores, labels).objective(samples[0]).distances
        # Hellinger's square is; its root has the same minimum.
        if isinstance(quantifier, HDy) or getattr(quantifier, "distance", "") == "HD":
            curves = curves**2
        assert (np.diff(curves, 2, axis=1) > -1e-9).all()

    def test_it_is_of_one_sample(self, quantifier):
        quantifier.fit(np.array([0.2, 0.8]), np.array([0, 1]))
        with pytest.raises(InvalidInput, match="one sample"):
            quantifier.objective(np.full((2, 3), 0.5))


@settings(max_examples=30)
@given(problems(n_samples=1))
def test_the_curves_are_the_definitions(problem):
    scores, labels, samples = problem
    classes, sample = [scores[labels == c].tolist() for c in (1, 0)], samples[0].tolist()
    for key in DISTANCES:
        objective = DyS(key).fit(scores, labels).objective(samples[0], 3)
        assert objective.bins == DYS_BINS
        for curve, n_bins in zip(objective.distances, objective.bins, strict=True):
            p, n, q = (slow_matching.histogram(part, n_bins) for part in (*classes, sample))
            expected = [slow_matching.DISTANCES[key](slow_matching.mix(weight, p, n), q) for weight in (0, 0.5, 1)]
            if key == "HD":
                expected = np.sqrt(np.maximum(1 + np.array(expected), 0))
                assert curve**2 == pytest.approx(expected**2, abs=1e-12)
            else:
                assert curve == pytest.approx(expected, abs=1e-12)
    assert HDy().fit(scores, labels).objective(samples[0]).bins == HDY_BINS


@given(problems(n_samples=1))
def test_sords_curve_is_the_integral(problem):
    scores, labels, samples = problem
    points = np.unique(np.concatenate([scores, samples[0]]))
    below = [
        (part[:, np.newaxis] <= points[:-1]).mean(axis=0) for part in (scores[labels == 1], scores[labels == 0], samples[0])
    ]
    objective = SORD().fit(scores, labels).objective(samples[0], 5)
    expected = [(np.diff(points) * abs(a * below[0] + (1 - a) * below[1] - below[2])).sum() for a in (0, 0.25, 0.5, 0.75, 1)]
    assert objective.distances[0] == pytest.approx(expected, abs=1e-12)


@given(problems(n_samples=1))
def test_the_sweep_gives_median_sweeps_answer(problem):
    scores, labels, samples = problem
    quantifier = MedianSweep().fit(scores, labels)
    swept = quantifier.sweep(samples[0])
    assert swept.thresholds.shape == swept.estimates.shape
    assert swept.estimate == pytest.approx(float(quantifier.predict(samples[0])), abs=1e-12)
    curve = quantifier.curve_
    for threshold, estimate, tpr, fpr in zip(swept.thresholds, swept.estimates, curve.tpr, curve.fpr, strict=True):
        count = np.mean(samples[0] >= threshold)
        assert estimate == pytest.approx(np.clip((count - fpr) / (tpr - fpr), 0, 1), abs=1e-12)


class TestEMQ:
    @given(problem=problems(n_samples=1))
    def test_the_trajectory_nears_the_fixed_point(self, problem):
        scores, labels, samples = problem
        quantifier = EMQ().fit(scores, labels)
        path = quantifier.trajectory(samples[0], 200)
        assert len(path.prevalences) == 201
        assert path.prevalences[0] == labels.mean()
        assert path.estimate == quantifier.predict(samples[0])
        distance = np.abs(path.prevalences - path.estimate)
        # A step of EM never leads away from the maximum of a concave likelihood of one variable.
        assert (np.diff(distance) <= 1e-9).all()
        assert path.prevalences[5] == pytest.approx(float(EMQ(5).fit(scores, labels).predict(samples[0])))

    @given(problem=problems())
    def test_posteriors_average_to_the_estimate(self, problem):
        scores, labels, samples = problem
        samples = samples.clip(0.01, 0.99)
        quantifier = EMQ().fit(scores, labels)
        posteriors, estimates = quantifier.posteriors(samples), quantifier.predict(samples)
        assert posteriors.shape == samples.shape
        # What a fixed point is; at a border, where there is none inside, all posteriors are 0 or 1.
        assert posteriors.mean(axis=1) == pytest.approx(estimates, abs=1e-6)

    def test_posteriors_where_they_are_0_over_0(self):
        quantifier = EMQ(1).fit(np.array([0.2, 0.8]), np.array([0, 1]))
        assert quantifier.posteriors(np.array([1.0, 1.0])).tolist() == [1, 1]
        quantifier.predict = lambda scores: np.zeros(len(scores))
        assert quantifier.posteriors(np.array([[1.0, 0.3]])).tolist() == [[1, 0]]


class TestWhatMatchingFinds:
    """The mixtures that a page draws over the sample."""

    def test_those_that_can_be_looked_into(self):
        assert INSPECTABLE == (
            "AC",
            "PACC",
            "X",
            "Max",
            "T50",
            "MS",
            "HDy",
            "DyS-TS",
            "DyS-JD",
            "DyS-HD",
            "DyS-PS",
            "EMQ",
            "SORD",
            "DyS-ORD",
            "EMQ-5",
            "MM",
            "FM",
            "EDy",
            "KDEy-ML",
        )

    @pytest.mark.parametrize("key", INSPECTABLE)
    def test_what_is_seen_leads_to_the_estimate(self, key):
        rng = np.random.default_rng(1)
        scores, labels, sample = rng.uniform(size=200).round(2), np.repeat([0, 1], 100), rng.uniform(size=50).round(2)
        fitted = QUANTIFIERS[key].make().fit(scores, labels)
        seen = QUANTIFIERS[key].inspect(fitted, sample)
        assert isinstance(seen, Objective | SweepEstimates | Trajectory | Scaling)
        assert seen.estimate == pytest.approx(float(fitted.predict(sample)), abs=1e-12)

    @pytest.mark.parametrize("key", ["HDy", "DyS-PS"])
    def test_histograms_of_sample_and_mixture(self, key):
        rng = np.random.default_rng(0)
        scores, labels, sample = rng.uniform(size=200), np.repeat([0, 1], 100), rng.uniform(size=50)
        objective = QUANTIFIERS[key].make().fit(scores, labels).objective(sample)
        assert objective.mixture.of == "histogram"
        table = objective.mixture.table
        assert table["sample"].tolist() == pytest.approx((np.histogram(sample, 10, (0, 1))[0] / 50).tolist())
        positives = objective.estimate * np.histogram(scores[100:], 10, (0, 1))[0] / 100
        assert table.positives.tolist() == pytest.approx(positives.tolist())
        assert table.negatives.sum() == pytest.approx(1 - objective.estimate)

    def test_distribution_functions(self):
        scores, labels = np.array([0.1, 0.2, 0.6, 0.8]), np.array([0, 0, 1, 1])
        objective = QUANTIFIERS["SORD"].make().fit(scores, labels).objective(np.array([0.15, 0.7]))
        assert objective.mixture.of == "distribution function"
        table = objective.mixture.table
        assert objective.estimate == pytest.approx(0.5)
        assert table.score.tolist() == scores.tolist()
        assert table["sample"].tolist() == [0.0, 0.5, 0.5, 1.0]
        assert table.mixture.tolist() == pytest.approx([0.0, 0.25, 0.5, 0.75])


class TestScaling:
    """Corrections as a change of scale (Barranquero 2013, Figure 3.3)."""

    def test_the_figure_of_the_thesis(self):
        # Limits at 0.3 and 0.9: 0.8 goes to 0.83; 0.4 goes to 0.17, where the thesis prints 0.23.
        fitted = QUANTIFIERS["PACC"].make().fit([0.3, 0.3, 0.9, 0.9], [0, 0, 1, 1])
        for mean, expected in ((0.8, 5 / 6), (0.4, 1 / 6), (0.54, 0.4)):
            seen = QUANTIFIERS["PACC"].inspect(fitted, np.array([mean]))
            assert (seen.low, seen.high, seen.value) == pytest.approx((0.3, 0.9, mean))
            assert seen.estimate == pytest.approx(expected)

    def test_without_a_gap_the_count_stays(self):
        fitted = QUANTIFIERS["Max"].make().fit([0.5, 0.5, 0.5, 0.5], [0, 0, 1, 1])
        seen = QUANTIFIERS["Max"].inspect(fitted, np.array([0.2, 0.7, 0.9]))
        assert seen.estimate == pytest.approx(2 / 3)
