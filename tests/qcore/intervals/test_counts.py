"""Counts from rates as people have them, the same interval as for a model that judges, and the counts of weighted rows."""

import numpy as np
import pytest
from scipy.stats import norm

from qcore import Counts, InvalidInput
from qcore.intervals.analytic import clopper_pearson, known_rates, lang_reiczigel
from qcore.intervals.catalog import all_intervals
from qcore.intervals.counts import KNOWN, EffectiveCounts, MeasuredRate, effective_labels, rate_from_text
from qcore.intervals.labelled_sample_intervals import wilson
from qcore.intervals.weights import effective_rows, effective_size


def of_lee_et_al(p, m, q0, n0, q1, n1, level=0.95):
    """The estimate and interval of Lee et al. 2025: q0, q1: specificity, sensitivity; n0, n1: labels."""
    z = norm.ppf(0.5 + level / 2)
    estimate = (p + q0 - 1) / (q0 + q1 - 1)
    p, q0, q1 = (m * p + z**2 / 2) / (m + z**2), (n0 * q0 + 1) / (n0 + 2), (n1 * q1 + 1) / (n1 + 2)
    m, n0, n1 = m + z**2, n0 + 2, n1 + 2
    theta = (p + q0 - 1) / (q0 + q1 - 1)
    shift = 2 * z**2 * (-(1 - theta) * q0 * (1 - q0) / n0 + theta * q1 * (1 - q1) / n1)
    variance = p * (1 - p) / m + (1 - theta) ** 2 * q0 * (1 - q0) / n0 + theta**2 * q1 * (1 - q1) / n1
    half = z * np.sqrt(variance) / (q0 + q1 - 1)
    return [float(np.clip(end, 0, 1)) for end in (estimate, theta + shift - half, theta + shift + half)]


def test_a_judge_is_corrected_as_lee_et_al_correct_it():
    """500 random counts; Rogan and Gladen's estimate with the interval of Lang and Reiczigel."""
    rng = np.random.default_rng(2511)
    for _ in range(500):
        m, n0, n1 = rng.integers(50, 5000), rng.integers(10, 1000), rng.integers(10, 1000)
        tp, fp = rng.integers(round(0.6 * n1), n1 + 1), rng.integers(0, round(0.4 * n0))
        x = rng.integers(0, m + 1)
        counts = Counts(x, m, tp, n1, fp, n0)
        expected = of_lee_et_al(x / m, m, 1 - fp / n0, n0, tp / n1, n1)
        ours = [float(counts.estimate), *map(float, lang_reiczigel(counts))]
        assert ours == pytest.approx(expected, abs=1e-12)


def test_the_four_cells_are_the_same_counts():
    assert Counts.from_confusion(400, 1000, tp=180, fn=20, fp=60, tn=140) == Counts(400, 1000, 180, 200, 60, 200)
    with pytest.raises(InvalidInput, match="FN must be a whole number"):
        Counts.from_confusion(400, 1000, tp=180, fn=-1, fp=60, tn=140)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("180/200", (180, 200, "counted")),
        ("180 of 200", (180, 200, "counted")),
        ("0.9/200", (180, 200, "counted")),
        ("90%/200", (180, 200, "counted")),
        ("0,9/200", (180, 200, "counted")),
        ("1/200", (1, 200, "counted")),
        ("1.0/200", (200, 200, "counted")),
        ("0.9 (0.85-0.94)", (153, 170, "published")),
        ("0,9 (0,85\u20130,94)", (153, 170, "published")),
        ("90% [85% to 94%]", (153, 170, "published")),
        ("90 (85, 94)", (153, 170, "published")),
        ("0.9 (95% CI: 0.85-0.94)", (153, 170, "published")),
        ("1.00 (0.95-1.00)", (73, 73, "published")),
        (".9", (9 * 10**8, KNOWN, "known")),
        ("87.35%", (873_500_000, KNOWN, "known")),
    ],
)
def test_rates_are_read_as_people_write_them(text, expected):
    assert rate_from_text(text) == MeasuredRate(*expected)


def test_an_interval_of_90_percent_says_less_than_one_of_95():
    narrower, wider = rate_from_text("0.9 (90% CI 0.85-0.94)"), rate_from_text("0.9 (0.85-0.94)")
    assert narrower.total == pytest.approx(wider.total * (norm.ppf(0.95) / norm.ppf(0.975)) ** 2, rel=0.11)
    assert narrower.rate == 0.9


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("good", "specificity must be a rate, got 'good'"),
        ("300/200", "got 300 of 200"),
        ("3/0", "got 3 of 0"),
        ("1.2/100", "specificity must be"),
        ("0.9 (0.95-0.99)", "lie within its interval"),
        ("0.9 (0.9-0.9)", "lie within its interval"),
        ("190%", "specificity must be"),
        ("", "specificity must be a rate"),
    ],
)
def test_what_is_no_rate_is_one_sentence(text, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        Counts.from_rates(400, 1000, "0.9/200", text)


@pytest.mark.parametrize("found", [40, 90, 97, 100])
def test_a_published_interval_stands_for_the_labels_that_it_came_from(found):
    """Whether by Wilson, exactly, or with a normal distribution (which has no width for 100 of 100)."""
    ends = wilson(found, 100, 0.95)
    assert effective_labels(found / 100, float(ends.low), float(ends.high)) == 100
    low, high = (float(end) for end in clopper_pearson(found, 100, 0.025))
    assert effective_labels(found / 100, low, high) == pytest.approx(100, abs=20)
    rate = found / 100
    half = 1.96 * np.sqrt(rate * (1 - rate) / 100)
    if half > 0 and rate + half <= 1:
        assert effective_labels(rate, rate - half, rate + half) == pytest.approx(100, abs=8)


def test_rates_that_are_known_leave_the_error_of_the_sample_alone():
    counts = Counts.from_rates(400, 1000, "0.9", "0.7")
    table = all_intervals(counts).set_index("method")
    exact = known_rates(counts)
    assert table.loc["Lang-Reiczigel", ["low", "high"]].tolist() == pytest.approx([*map(float, exact)], abs=0.003)
    assert table.loc["Bayes", ["low", "high"]].tolist() == pytest.approx([*map(float, exact)], abs=0.003)
    measured = Counts.from_rates(400, 1000, "0.9/200", "0.7/200")
    (low, high), (wider_low, wider_high) = lang_reiczigel(counts), lang_reiczigel(measured)
    assert high - low < 0.6 * (wider_high - wider_low)


class TestWeights:
    weights = np.random.default_rng(5).gamma(2.0, 1.0, 400)

    def test_an_effective_size_is_that_of_the_design_effect(self):
        design_effect = 1 + self.weights.var() / self.weights.mean() ** 2
        assert effective_size(self.weights) == pytest.approx(400 / design_effect)
        assert effective_size(np.full(400, 0.01)) == pytest.approx(400)

    def test_the_weighted_share_scatters_as_that_of_so_many_rows(self):
        rng = np.random.default_rng(6)
        taken = rng.random((20_000, 400)) < 0.3
        shares = (taken * self.weights).sum(axis=1) / self.weights.sum()
        assert shares.var() == pytest.approx(0.21 / effective_size(self.weights), rel=0.03)

    def test_counts_have_the_weighted_share_and_equal_weights_change_nothing(self):
        taken = np.random.default_rng(7).random(400) < 0.3
        labelled = Counts(int(taken.sum()), 400, 85, 100, 12, 100)
        counts = EffectiveCounts.from_weights(labelled, taken, self.weights)
        assert counts.count == pytest.approx(np.average(taken, weights=self.weights))
        equal = EffectiveCounts.from_weights(labelled, taken, np.full(400, 3.0))
        assert [*map(float, lang_reiczigel(equal))] == pytest.approx([*map(float, lang_reiczigel(labelled))])
        low, high = lang_reiczigel(counts)
        assert high - low > float(np.diff([*map(float, lang_reiczigel(labelled))])[0])

    def test_rows_of_equal_weight_are_all_rows_and_others_have_the_weighted_quantiles(self):
        scores = np.random.default_rng(8).random(400)
        assert np.sort(effective_rows(scores, np.ones(400), 400)).tolist() == list(range(400))
        rows = effective_rows(scores, self.weights, 10_000)
        assert scores[rows].mean() == pytest.approx(np.average(scores, weights=self.weights), abs=1e-3)

    @pytest.mark.parametrize(
        ("weights", "sentence"),
        [
            ([1.0, 2.0], "have 3 entries"),
            ([1.0, -2.0, 1.0], "got -2 in row 2"),
            ([1.0, np.nan, 1.0], "got none in row 2"),
            ([0.0, 0.0, 0.0], "above 0 in some row"),
            (["a", "b", "c"], "be numbers"),
        ],
    )
    def test_what_is_no_weight_is_one_sentence(self, weights, sentence):
        with pytest.raises(InvalidInput, match=sentence):
            EffectiveCounts.from_weights(Counts(2, 3, 85, 100, 12, 100), [1, 1, 0], weights)
