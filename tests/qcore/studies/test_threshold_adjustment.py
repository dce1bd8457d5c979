"""The correction at every threshold, against the quantifiers themselves and plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import InvalidInput, make_quantifiers
from qcore.measures.roc import RateCurve, rate_curve
from qcore.protocols import PrevalencePath
from qcore.quantifiers.adjustment import adjust, unbiased_prevalence
from qcore.quantifiers.operating_points import POLICIES, policy_points, threshold_grid
from qcore.studies.threshold_adjustment import adjust_at_thresholds, corrected_counts, deviation_by_threshold, score_histograms


@pytest.fixture(scope="module")
def adjustment(scored):
    return adjust_at_thresholds(scored, PrevalencePath((0.3,), 80), 0.123, seed=0, n_samples=200)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_forman_theorem(p, tpr, fpr):
    """Counting says too little above p*, too much below, and p* at p* (Barranquero 2013, theorem 3.1)."""
    meets = float(unbiased_prevalence(tpr, fpr))
    count = p * tpr + (1 - p) * fpr
    if np.isnan(meets):
        assert count == pytest.approx(p)
    else:
        assert 0.0 <= meets <= 1.0
        assert meets * tpr + (1 - meets) * fpr == pytest.approx(meets)
        if p > meets + 1e-9:
            assert count < p + 1e-9
        if p < meets - 1e-9:
            assert count > p - 1e-9


def test_the_grid_holds_the_policies_and_what_is_asked_for(scored):
    points = policy_points(scored.training_scores, scored.training_labels)
    grid = threshold_grid(points, 0.1234)
    assert {0.0, 0.5, 1.0, 0.1234, *(point.threshold for point in points.values())} <= set(grid.tolist())
    assert (np.diff(grid) > 0).all()
    with pytest.raises(InvalidInput, match=r"threshold must be a number from 0 to 1, got 1\.5"):
        threshold_grid(points, 1.5)


def test_at_the_policies_thresholds_it_says_what_they_say(scored, adjustment):
    quantifiers = make_quantifiers(POLICIES, scored.training_scores, scored.training_labels)
    for key, quantifier in quantifiers.items():
        row = adjustment.corrections.iloc[adjustment.rates.nearest(adjustment.points[key].threshold)]
        assert row.estimate == pytest.approx(float(quantifier.predict(adjustment.sample)), abs=1e-15), key


def test_each_row_by_the_definition(adjustment):
    for row in adjustment.corrections.itertuples():
        count = np.mean(adjustment.sample >= row.threshold)
        assert row.count == count
        assert row.n_positive == count * len(adjustment.sample)
        assert row.estimate == pytest.approx(float(adjust(np.array(count), row.tpr, row.fpr)))
        if row.tpr > row.fpr:
            assert np.clip(row.raw, 0, 1) == pytest.approx(row.estimate)
    flat = adjustment.corrections[adjustment.corrections.threshold == 0.0].iloc[0]
    assert np.isnan(flat.raw)
    assert flat.estimate == flat["count"] == 1.0


def test_the_sample_is_drawn_as_asked_and_each_draw_is_another(scored):
    path = PrevalencePath((0.3,), 80)
    one, same, other = (adjust_at_thresholds(scored, path, 0.5, seed=0, draw=draw, n_samples=2).sample for draw in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(np.sort(one), np.sort(other))
    assert len(one) == 80
    assert adjust_at_thresholds(scored, path, 0.5, seed=0, n_samples=2).prevalence == 24 / 80
    assert not np.array_equal(np.sort(one), np.sort(adjust_at_thresholds(scored, path, 0.5, seed=1, n_samples=2).sample))


def test_spread_is_what_a_loop_over_the_samples_finds(scored):
    rates = rate_curve(scored.training_scores, scored.training_labels, np.array([0.0, 0.2, 0.5, 0.9, 0.9999]))
    samples = PrevalencePath((0.4,), 50, 300).draw(scored.pool_labels, np.random.default_rng(3))
    table = deviation_by_threshold(rates, scored.pool_scores, samples, (100, 200))
    drawn = [scored.pool_scores[row] for _, index in samples.blocks() for row in index]
    for i, threshold in enumerate(rates.thresholds):
        gap = rates.tpr[i] - rates.fpr[i]
        if gap == 0:
            assert table.iloc[i].drop("threshold").isna().sum() >= 6
            continue
        raw = np.array([(np.mean(sample >= threshold) - rates.fpr[i]) / gap for sample in drawn])
        row = table.iloc[i]
        assert row.measured == pytest.approx(raw.std())
        assert row.clipped_deviation == pytest.approx(np.clip(raw, 0, 1).std())
        assert row.bias == pytest.approx(np.clip(raw, 0, 1).mean() - 0.4)
        assert row.clipped == pytest.approx(np.mean((raw < -1e-12) | (raw > 1 + 1e-12)))
        assert row.inflation == pytest.approx(1 / gap)


def test_a_score_at_the_threshold_counts_as_positive():
    scores, labels = np.array([0.2, 0.5, 0.5, 0.8]), np.array([0, 0, 1, 1])
    rates = RateCurve(np.array([0.2, 0.5, 0.8]), np.array([1.0, 1.0, 1.0]), np.array([0.0, 0.0, 0.0]))
    samples = PrevalencePath((0.5,), 4, 3).draw(labels, np.random.default_rng(0))
    # Perfect rates leave the counts as they are: 4, 3 and 1 of 4.
    assert deviation_by_threshold(rates, scores, samples, (2, 2)).bias.tolist() == [0.5, 0.25, -0.25]


def test_measured_and_delta_method_agree_where_the_rates_hold():
    """On a pool whose rates are those of training, the delta method's sampling part is the measured spread."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 4000)
    scores = np.concatenate([rng.beta(2, 4, 4000), rng.beta(4, 2, 4000)])
    rates = rate_curve(scores, labels, np.array([0.2, 0.4, 0.6, 0.8]))
    samples = PrevalencePath((0.3,), 200, 3000).draw(labels, rng)
    table = deviation_by_threshold(rates, scores, samples, (4000, 4000))
    assert table.measured.to_numpy() == pytest.approx(table.sampling.to_numpy(), rel=0.05)
    assert (table.total > table.sampling).all()


def test_flat_rates_give_nothing_to_correct():
    rates = RateCurve(np.array([0.5]), np.array([0.4]), np.array([0.4]))
    table = corrected_counts(rates, [0.2, 0.7, 0.9])
    assert np.isnan(table.raw[0])
    assert table.estimate[0] == table["count"][0] == pytest.approx(2 / 3)


def test_histograms_are_shares():
    table = score_histograms(np.array([0.0, 0.1, 0.5, 1.0]), np.array([0, 0, 1, 1]), np.array([0.5, 0.6]), n_bins=2)
    assert table.negatives.tolist() == [1.0, 0.0]
    assert table.positives.tolist() == [0.0, 1.0]
    assert table["sample"].tolist() == [0.0, 1.0]


def test_a_class_absent_from_the_sample(scored):
    for prevalence, n_positives in ((0.0, 0), (1.0, 40)):
        result = adjust_at_thresholds(scored, PrevalencePath((prevalence,), 40), 0.5, seed=0, n_samples=5)
        assert result.n_positives == n_positives


def test_a_sample_larger_than_the_pool_is_refused(scored):
    with pytest.raises(InvalidInput, match=r"sample size must fit into a pool of 166 positives .* at a prevalence of 0.50"):
        adjust_at_thresholds(scored, PrevalencePath((0.5,), 400), 0.5, seed=0)
