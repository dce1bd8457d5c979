"""Intervals of an adjusted count: published numbers, plain definitions, properties, and whether they keep their promise."""

import sys
from itertools import pairwise
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from benchmarks.coverage import random_setting
from qcore import InvalidInput
from qcore.intervals import INTERVALS, Counts, all_intervals, coverage, posterior, simulated_counts
from qcore.intervals.analytic import lang_reiczigel
from qcore.intervals.catalog import DEFAULT_INTERVAL
from qcore.intervals.coverage import simulated_labelled_samples
from qcore.intervals.few_labels import beyond_the_rates, cautions, exact_corners

WITH_RATES = [key for key, entry in INTERVALS.items() if entry.includes == "sample and rates"]
DRAWN = {"bootstrap"}
COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.fixture(scope="module", autouse=True)
def posteriors_of_the_same_counts_are_one():
    """Two intervals, and every level, are of the same posterior, which takes milliseconds."""
    known = {}

    def remembered(counts):
        key = tuple(int(value) for value in vars(counts).values())
        if key not in known:
            known[key] = posterior(counts)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["qcore.intervals.posterior"], "posterior", remembered)
        yield


def interval(key, counts, level=0.95):
    return INTERVALS[key].interval(counts, level)


def swapped(counts):
    """The same with the classes swapped."""
    return Counts(
        counts.sample_size - counts.predicted_positives, counts.sample_size,
        counts.negatives - counts.false_positives, counts.negatives, counts.positives - counts.true_positives, counts.positives,
    )  # fmt: skip


class TestCounts:
    @pytest.mark.parametrize(
        ("positive", "tested", "se", "sp", "expected"),
        [(23, 150, 960, 890, 0.051), (6, 151, 964, 927, -0.0373), (166, 2008, 800, 950, 0.0436)],
    )
    def test_rogan_and_gladen_as_epir_has_it(self, positive, tested, se, sp, expected):
        """The examples of the documentation of epiR's epi.prev, and a published one; rates as counts of 1,000."""
        counts = Counts(positive, tested, se, 1000, 1000 - sp, 1000)
        assert counts.unclipped == pytest.approx(expected, abs=5e-5)
        assert counts.estimate == pytest.approx(max(expected, 0.0), abs=5e-5)

    @pytest.mark.parametrize(("positive", "tested", "se", "sp", "high"), [(23, 150, 960, 890, 0.13), (6, 151, 964, 927, 0.01)])
    def test_with_rates_that_are_known_it_is_epirs_interval(self, positive, tested, se, sp, high):
        """The examples of epi.prev say 0 to 13 cases per 100, and up to 1."""
        result = interval("known rates", Counts(positive, tested, se, 1000, 1000 - sp, 1000))
        assert (float(result.low), round(float(result.high), 2)) == (0.0, high)

    def test_from_scores_counts_at_the_threshold(self):
        counts = Counts.from_scores([[0.5, 0.4, 0.9], [0.1, 0.2, 0.3]], [0.9, 0.5, 0.4, 0.6, 0.1], [1, 1, 1, 0, 0])
        assert counts.predicted_positives.tolist() == [2, 0]
        assert (counts.tpr, counts.fpr) == (pytest.approx(2 / 3), 0.5)

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"predicted_positives": 11}, "from 0 to sample_size"), ({"true_positives": -1}, "from 0 to positives"),
            ({"negatives": 0}, "at least 1"), ({"positives": 0.5}, "whole numbers"), ({"sample_size": "ten"}, "whole numbers"),
            ({"sample_size": float("nan")}, "whole numbers"),
        ],
    )  # fmt: skip
    def test_what_are_no_counts_is_refused(self, change, words):
        good = {
            "predicted_positives": 4, "sample_size": 10, "true_positives": 8, "positives": 10, "false_positives": 1,
            "negatives": 10,
        }  # fmt: skip
        with pytest.raises(InvalidInput, match=words):
            Counts(**(good | change))


class TestEveryInterval:
    @pytest.mark.parametrize("key", INTERVALS)
    @settings(max_examples=12)
    @given(COUNTS, COUNTS, COUNTS)
    def test_it_lies_in_the_unit_interval_and_grows_with_the_level(self, key, taken, found, wrong):
        counts = Counts(*taken, *found, *wrong)
        narrow, wide = (interval(key, counts, level) for level in (0.8, 0.99))
        for ends in (narrow, wide):
            assert 0.0 <= ends.low <= ends.high <= 1.0
        if counts.corrects:
            assert wide.low <= narrow.low + 1e-9
            assert wide.high >= narrow.high - 1e-9
        else:
            assert (narrow.low, narrow.high) == (0.0, 1.0), "nothing is known"

    @pytest.mark.parametrize("key", [key for key in INTERVALS if key not in (*DRAWN, "highest density")])
    @settings(max_examples=12)
    @given(COUNTS, COUNTS, COUNTS)
    def test_swapped_classes_have_the_other_interval(self, key, taken, found, wrong):
        counts = Counts(*taken, *found, *wrong)
        here, there = interval(key, counts), interval(key, swapped(counts))
        # A percentile of a binomial is a whole number: from the other side it may be the next one.
        tolerance = 1.5 / taken[1] / max(float(counts.tpr - counts.fpr), 0.01) if key == "sample alone" else 3e-3
        assert here.low == pytest.approx(1.0 - there.high, abs=tolerance)

    @pytest.mark.parametrize("key", INTERVALS)
    def test_many_samples_are_answered_at_once(self, key):
        x = np.array([[40, 80], [120, 160]])
        counts = Counts(x, 200, 45, 50, 5, 50)
        ends = interval(key, counts)
        assert ends.low.shape == (2, 2)
        if key not in DRAWN:
            alone = [[float(interval(key, Counts(int(one), 200, 45, 50, 5, 50)).high) for one in row] for row in x]
            assert ends.high == pytest.approx(np.array(alone))

    @pytest.mark.parametrize("key", WITH_RATES)
    @pytest.mark.parametrize(
        ("prevalence", "labelled", "size"), [(0.1, (100, 100), 1000), (0.3, (50, 50), 200), (0.9, (500, 60), 5000)]
    )
    def test_it_keeps_its_promise(self, key, prevalence, labelled, size):
        repetitions = 300 if INTERVALS[key].one_by_one else 1000 if key in DRAWN else 3000
        rng = np.random.default_rng(7)
        counts = simulated_counts(prevalence, (0.8, 0.1), labelled, size, repetitions=repetitions, rng=rng)
        (row,) = coverage(prevalence, counts, [key]).itertuples()
        assert (0.915 if INTERVALS[key].one_by_one else 0.93) <= row.coverage <= 0.985

    def test_the_sample_alone_does_not(self):
        counts = simulated_counts(0.1, (0.8, 0.1), (100, 100), 1000, repetitions=3000, rng=np.random.default_rng(7))
        row, other = coverage(0.1, counts, ["sample alone", DEFAULT_INTERVAL]).itertuples()
        assert row.coverage == pytest.approx(0.58, abs=0.04), "the table of the specification"
        assert row.width < other.width / 2
        assert row.below + row.above + row.coverage == pytest.approx(1.0)


def test_lang_and_reiczigel_by_its_formulas():
    x, m, tp, n_pos, fp, n_neg = 210, 1000, 85, 100, 12, 100
    z = norm.ppf(0.975)
    c = (m * x / m + z**2 / 2) / (m + z**2)
    se, sp = (tp + 1) / (n_pos + 2), (n_neg - fp + 1) / (n_neg + 2)
    e = (c + sp - 1) / (se + sp - 1)
    shift = 2 * z**2 * (e * se * (1 - se) / (n_pos + 2) - (1 - e) * sp * (1 - sp) / (n_neg + 2))
    half = z * sqrt(
        c * (1 - c) / (m + z**2) + (1 - e) ** 2 * sp * (1 - sp) / (n_neg + 2) + e**2 * se * (1 - se) / (n_pos + 2)
    ) / abs(se + sp - 1)  # fmt: skip
    low, high = interval("Lang-Reiczigel", Counts(x, m, tp, n_pos, fp, n_neg))
    assert (low, high) == (pytest.approx(e + shift - half), pytest.approx(e + shift + half))


def test_the_posterior_is_that_of_its_definition():
    """Beside a sum over a fine grid of tpr and fpr, weighed by their Beta densities, of a binomial likelihood."""
    x, m, tp, n_pos, fp, n_neg = 12, 40, 17, 20, 3, 20
    result = posterior(Counts(x, m, tp, n_pos, fp, n_neg))
    rates = np.linspace(0.0025, 0.9975, 200)
    weight_tpr, weight_fpr = rates**tp * (1 - rates) ** (n_pos - tp), rates**fp * (1 - rates) ** (n_neg - fp)
    tpr, fpr = rates[:, np.newaxis], rates
    density = np.array([
        ((share := p * tpr + (1 - p) * fpr) ** x * (1 - share) ** (m - x) * weight_tpr[:, np.newaxis] * weight_fpr).sum()
        for p in result.prevalences[::20]
    ]) * comb(m, x)  # fmt: skip
    expected = density / np.trapezoid(density, result.prevalences[::20])
    assert result.density[::20] == pytest.approx(expected, abs=0.03 * expected.max())
    assert result.cumulative[-1] == pytest.approx(1.0)
    assert result.interval()[0] < result.mean < result.interval()[1]


EXACT = [
    # Integrated over 500 x 500 quantiles of tpr and fpr, with the prevalence in closed form: few, many and the fewest labels.
    ((79, 500, 4, 5, 2, 5), 0.95, (0.0031, 0.6834)),
    ((744, 2000, 14, 20, 34, 200), 0.99, (0.2340, 0.8736)),
    ((3100, 10_000, 9000, 10_000, 1000, 10_000), 0.999, (0.2412, 0.2838)),
    ((9, 10, 1, 2, 0, 3), 0.8, (0.4314, 0.9753)),
]


@pytest.mark.parametrize(("counts", "level", "ends"), EXACT)
def test_the_posterior_is_within_two_thousandths_of_exact_integration(counts, level, ends):
    assert posterior(Counts(*counts)).interval(level) == pytest.approx(ends, abs=2e-3)


@pytest.mark.parametrize(
    ("counts", "ends"),
    [
        ((41, 437, 71610, 78843, 165, 219), (9.491e-05, 0.013684)),
        ((103, 32465, 72, 587, 67, 598), (1.711e-05, 0.002508)),
        ((3843, 7555, 2728, 3687, 422, 718), (5.070e-04, 0.064330)),
        ((40, 437, 80, 100, 40, 219), (2.787e-04, 0.035657)),
    ],
)
def test_far_below_the_fpr_the_posterior_is_that_of_sums_over_a_fine_grid(counts, ends):
    """720,000 pairs of tpr and fpr around the mode for each of 1,500 prevalences."""
    assert posterior(Counts(*counts)).interval() == pytest.approx(ends, rel=0.02)
    low, high = posterior(swapped(Counts(*counts))).interval()
    assert (1.0 - high, 1.0 - low) == pytest.approx(ends, rel=0.02)


def test_a_density_with_two_peaks_has_an_interval_that_grows_with_the_level():
    result = posterior(Counts(42, 169, 35, 44, 189, 339))
    widths = [result.highest_density(level) for level in (0.5, 0.8, 0.9, 0.95, 0.99)]
    assert all(one[0] >= two[0] and one[1] <= two[1] for one, two in pairwise(widths))
    assert all(0.0 <= low <= high <= 1.0 for low, high in widths)


RATES = st.integers(0, 4).flatmap(lambda power: st.integers(1, 10**power))


@given(st.tuples(RATES, RATES, RATES), st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)))
@settings(deadline=None, max_examples=10)
def test_the_posterior_is_that_of_many_more_nodes(totals, shares):
    m, n_pos, n_neg = totals
    x, tp, fp = (round(share * total) for share, total in zip(shares, totals, strict=True))
    counts = Counts(x, m, tp, n_pos, fp, n_neg)
    assume(counts.corrects)
    result = posterior(counts)
    with pytest.MonkeyPatch.context() as patch:
        module = sys.modules["qcore.intervals.posterior"]
        for name, value in (("_NODES", 70), ("_NODES_WHERE_STEEP", 100), ("_COARSE", 401), ("_FINE", 301)):
            patch.setattr(module, name, value)
        patch.setattr(module, "_NEAR_THE_ENDS", np.geomspace(1e-7, 0.007, 60))
        finer = posterior(counts)
    for level in (0.5, 0.95, 0.999):
        assert result.interval(level) == pytest.approx(finer.interval(level), abs=2e-3)


@pytest.mark.parametrize(
    ("counts", "near"),
    [
        ((10_000, 10_000, 500, 1000, 100, 1000), 1.0),
        ((0, 10_000, 800, 1000, 400, 1000), 0.0),
        ((0, 10_000, 999, 1000, 1, 1000), 0.0),
    ],
)
def test_counts_that_contradict_the_rates_have_a_posterior_all_the_same(counts, near):
    result = posterior(Counts(*counts))
    for ends in (result.interval(), result.highest_density(0.99)):
        assert ends == pytest.approx((near, near), abs=0.01)
    assert result.cumulative[-1] == pytest.approx(1.0)


def test_the_highest_density_is_the_shortest_and_holds_none_at_all():
    result = posterior(Counts(10, 100, 45, 50, 5, 50))
    (low, high), (start, end) = result.interval(), result.highest_density()
    assert low > 0.0 == start
    assert end - start < high - low
    # As much probability is in it, and the density at its inner end is that of the level.
    cumulative = np.interp([start, end], result.prevalences, result.cumulative)
    assert cumulative[1] - cumulative[0] == pytest.approx(0.95, abs=2e-3)
    middle = posterior(Counts(500, 1000, 90, 100, 10, 100))
    assert middle.highest_density() == pytest.approx(middle.interval(), abs=2e-3)


class TestFewLabels:
    @pytest.mark.parametrize(
        "counts", [(30, 300, 100, 100, 0, 2), (270, 300, 2, 2, 0, 100), (0, 300, 50, 50, 0, 2), (1, 20, 1, 1, 0, 1)]
    )
    def test_with_few_labels_it_is_wider_than_the_formula(self, counts):
        known = Counts(*counts)
        low, high = interval(DEFAULT_INTERVAL, known)
        assert low <= known.estimate <= high
        alone = lang_reiczigel(known)
        assert high - low > alone.high - alone.low

    @given(COUNTS, COUNTS, COUNTS)
    def test_the_default_always_holds_its_estimate(self, taken, found, wrong):
        counts = Counts(*taken, *found, *wrong)
        low, high = interval(DEFAULT_INTERVAL, counts)
        assert low <= counts.estimate <= high

    def test_from_twenty_labels_and_rates_apart_it_is_the_formula(self):
        counts = Counts(np.arange(100), 100, 20, 20, 0, 20)
        low, high = lang_reiczigel(counts)
        wide = interval(DEFAULT_INTERVAL, counts)
        assert (wide.low == np.minimum(low, counts.estimate)).all()
        assert (wide.high == np.maximum(high, counts.estimate)).all()

    def test_its_width_falls_with_every_label_and_never_jumps(self):
        n = np.arange(5, 41)
        low, high = interval(DEFAULT_INTERVAL, Counts(150, 500, n, n, 0, n))
        ratios = (high - low)[:-1] / (high - low)[1:]
        assert (ratios >= 1.0).all()
        assert ratios.max() < 1.2

    def test_no_false_positive_more_makes_it_jump(self):
        low, high = interval(DEFAULT_INTERVAL, Counts(24, 60, 30, 60, np.arange(1, 16), 60))
        ratios = (high - low)[1:] / (high - low)[:-1]
        assert ratios.max() < 1.12

    def test_it_covers_in_random_settings(self):
        rng, shares = np.random.default_rng(3), []
        for _ in range(300):
            prevalence, rates, labels, size = random_setting(rng)
            counts = simulated_counts(prevalence, rates, labels, size, repetitions=800, rng=rng)
            shares.append(coverage(prevalence, counts, [DEFAULT_INTERVAL]).coverage[0])
        assert min(shares) >= 0.90
        assert np.mean(shares) >= 0.95

    def test_the_corners_by_hand(self):
        # z / sqrt(2) leaves 0.0829 below and above: of 3 of 3, [0.0829^(1/3), 1]; of 0 of 40, [0, 1 - 0.0829^(1/40)].
        low, high = exact_corners(Counts(0, 40, 3, 3, 0, 40))
        tail = norm.sf(norm.ppf(0.975) / sqrt(2))
        edge = 1 - tail ** (1 / 40)
        assert (low, high) == (0.0, pytest.approx(edge / tail ** (1 / 3)))

    def test_what_is_hardly_known_is_said(self):
        assert cautions(Counts(1, 2, 80, 100, 10, 100)) == []
        (few,) = cautions(Counts(1, 2, 1, 1, 20, 100))
        (close,) = cautions(Counts(1, 2, 30, 100, 20, 100))
        assert few == "Only 1 labelled positive: tpr is hardly known. Default intervals are widened; others may be too short."
        assert close.startswith("tpr and fpr are close (0.30 and 0.20)")
        (swapped,) = cautions(Counts(1, 2, 30, 100, 60, 100))
        (perhaps,) = cautions(Counts(1, 2, 14, 30, 16, 30))
        assert swapped.startswith("tpr (0.30) is below fpr (0.60), the wrong way round: true and false positives or the")
        assert "may be swapped" in swapped
        assert "(perhaps by chance): " in perhaps
        (below,) = cautions(Counts(20, 1000, 88, 100, 15, 300))
        (above,) = cautions(Counts(950, 1000, 88, 100, 15, 300))
        assert below.startswith("2.0% are predicted to be positive, less than the fpr of 5.0%: the estimate is cut off at 0%")
        assert above.startswith("95.0% are predicted to be positive, more than the tpr of 88.0%")


class TestDegenerateCounts:
    @settings(max_examples=15)
    @given(COUNTS, COUNTS, COUNTS)
    def test_no_interval_is_without_width(self, taken, found, wrong):
        table = all_intervals(Counts(*taken, *found, *wrong))
        assert (table.low < table.high).all()

    @pytest.mark.parametrize("count", [0, 50])
    def test_a_method_that_takes_none_or_all_for_certain_gives_no_interval(self, count):
        table = all_intervals(Counts(count, 50, 50, 50, 0, 50)).set_index("method")
        for method in ("delta", "bootstrap", "sample alone"):
            assert table.interval[method].startswith("none: it sees no error in the count")
            assert table.loc[method, ["low", "high"]].tolist() == [0.0, 1.0]
        assert table.interval["Lang-Reiczigel"] == "Lang-Reiczigel"
        assert table.high["Lang-Reiczigel"] - table.low["Lang-Reiczigel"] < 0.3

    def test_what_is_too_short_says_so_in_its_row(self):
        table = all_intervals(Counts(20, 50, 50, 50, 10, 50)).set_index("method")
        assert table.idea["delta"].startswith("Too short here: it sees no error in the tpr (50 of 50). ")
        assert table.idea["sample alone"].startswith("Too short here: it sees no error in tpr and fpr, which it takes as known")
        assert table.too_short[["Lang-Reiczigel", "Bayes", "highest density", "known rates"]].eq("").all()


def test_the_posterior_of_many_samples_is_asked_for_one_by_one():
    with pytest.raises(InvalidInput, match="of one sample"):
        posterior(Counts(np.array([1, 2]), 10, 8, 10, 1, 10))


def test_an_unknown_interval_is_refused():
    counts = simulated_counts(0.5, (0.8, 0.1), (10, 10), 10, repetitions=5, rng=np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="Lang-Reiczigel, delta"):
        coverage(0.5, counts, ["Wald"])


@pytest.mark.parametrize("values", [(1.5, (0.8, 0.1), (9, 9), 9), (0.5, (1.8, 0.1), (9, 9), 9), (0.5, (0.8, 0.1), (0, 9), 9)])
def test_a_simulation_of_nonsense_is_refused(values):
    with pytest.raises(InvalidInput):
        simulated_counts(*values, repetitions=5, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((1.5, (0.8, 0.1), 5, 9), "prevalence must"), ((0.5, (1.8, 0.1), 5, 9), "tpr must"),
        ((0.5, (0.8, 0.1), 0, 9), "a number of instances must"), ((0.5, (0.8, 0.1), 10, 9), "no more labels than instances"),
    ],
)  # fmt: skip
def test_a_simulation_of_labelled_samples_of_nonsense_is_refused(values, words):
    with pytest.raises(InvalidInput, match=words):
        simulated_labelled_samples(*values, repetitions=5, rng=np.random.default_rng(0))


@pytest.mark.parametrize("key", INTERVALS)
def test_a_level_that_is_none_is_refused(key):
    with pytest.raises(InvalidInput, match="level must be a number from"):
        INTERVALS[key].interval(Counts(50, 100, 90, 100, 10, 100), 95)
    with pytest.raises(InvalidInput, match="level must be a number from"):
        lang_reiczigel(Counts(50, 100, 90, 100, 10, 100), 1.5)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # Between the rates; below the fpr of 0.2, above the tpr of 0.8, with errors of the sample and of that rate.
        (Counts(50, 100, 80, 100, 20, 100), 0.0),
        (Counts(10, 100, 80, 100, 80, 400), 0.1 / np.sqrt(0.2 * 0.8 * (1 / 100 + 1 / 400))),
        (Counts(95, 100, 160, 200, 20, 100), 0.15 / np.sqrt(0.8 * 0.2 * (1 / 100 + 1 / 200))),
        (Counts(10, 100, 20, 100, 20, 100), 0.0),
    ],
)
def test_how_far_a_count_lies_outside_the_rates(counts, expected):
    assert beyond_the_rates(counts) == pytest.approx(expected)
