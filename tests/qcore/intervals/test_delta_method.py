"""The delta method, against simulation."""

import numpy as np
import pytest

from qcore import Counts, InvalidInput
from qcore.intervals.analytic import adjusted_count_deviations, variance_shares

TRAINING = (400, 900)


def simulate(rng, p, tpr, fpr, size, *, rates):
    """Standard deviation of the unclipped adjusted count over many samples, of rates measured anew or known."""
    n = 200_000
    positives = round(p * size)
    count = (rng.binomial(positives, tpr, n) + rng.binomial(size - positives, fpr, n)) / size
    true, false = (rng.binomial(k, rate, n) / k for k, rate in zip(TRAINING, (tpr, fpr), strict=True)) if rates else (tpr, fpr)
    return np.std((count - false) / (true - false))


@pytest.mark.parametrize(("p", "tpr", "fpr"), [(0.3, 0.8, 0.1), (0.9, 0.95, 0.3), (0.1, 0.5, 0.02), (0.5, 0.6, 0.2)])
def test_it_is_what_a_simulation_finds(p, tpr, fpr):
    rng = np.random.default_rng(0)
    spread = adjusted_count_deviations(p, tpr, fpr, sample_size=200, training_counts=TRAINING)
    assert spread.sampling == pytest.approx(simulate(rng, p, tpr, fpr, 200, rates=False), rel=0.02)
    assert spread.total == pytest.approx(simulate(rng, p, tpr, fpr, 200, rates=True), rel=0.02)
    assert spread.total**2 == pytest.approx(spread.sampling**2 + spread.rates**2)


def test_a_sample_that_takes_a_good_part_of_the_pool_varies_less():
    rng = np.random.default_rng(1)
    pool = np.repeat([1, 0], [80, 20]), np.repeat([1, 0], [15, 135])
    counts = [sum(rng.choice(part, 60, replace=False).sum() for part in pool) for _ in range(20_000)]
    measured = np.std(np.array(counts) / 120 / 0.7)
    spread = adjusted_count_deviations(0.5, 0.8, 0.1, sample_size=120, training_counts=(100, 150), pool_counts=(100, 150))
    assert spread.sampling == pytest.approx(measured, rel=0.02)
    whole = adjusted_count_deviations(0.4, 0.8, 0.1, sample_size=250, training_counts=(100, 150), pool_counts=(100, 150))
    assert whole.sampling == 0.0


def test_shapes_broadcast_and_a_small_gap_explodes():
    tpr, fpr = np.array([0.9, 0.5, 0.3, 0.3]), np.array([0.1, 0.3, 0.29, 0.3])
    spread = adjusted_count_deviations(0.2, tpr, fpr, sample_size=100, training_counts=TRAINING)
    assert spread.total.shape == (4,)
    assert spread.total[0] < spread.total[1] < 0.5 < 4.0 < spread.total[2]
    assert np.isnan(spread.total[3]), "tpr = fpr"


@pytest.mark.parametrize(
    "change", [{"prevalence": 1.2}, {"tpr": 1.5}, {"fpr": -0.1}, {"sample_size": 0}, {"training_counts": (0, 5)}]
)
def test_bad_input_is_refused(change):
    good = {"prevalence": 0.3, "tpr": 0.8, "fpr": 0.1, "sample_size": 10, "training_counts": (5, 5)}
    with pytest.raises(InvalidInput):
        adjusted_count_deviations(**(good | change))


@pytest.mark.parametrize(("p", "rates", "sizes"), [(0.3, (0.8, 0.1), (500, 80, 120)), (0.05, (0.9, 0.04), (2000, 300, 900))])
def test_the_parts_of_the_variance_are_those_of_a_simulation(p, rates, sizes):
    rng, (tpr, fpr), (m, n_pos, n_neg) = np.random.default_rng(0), rates, sizes
    q = p * tpr + (1 - p) * fpr
    count, true, false = (rng.binomial(n, share, 200_000) / n for n, share in ((m, q), (n_pos, tpr), (n_neg, fpr)))
    alone = [(count - fpr) / (tpr - fpr), (q - fpr) / (true - fpr), (q - false) / (tpr - false)]
    variances = np.array([np.var(one) for one in alone])
    parts = variance_shares(Counts(round(q * m), m, round(tpr * n_pos), n_pos, round(fpr * n_neg), n_neg))
    assert list(parts) == pytest.approx((variances / variances.sum()).tolist(), abs=0.03)


def test_without_a_correction_there_are_no_parts():
    assert np.isnan(variance_shares(Counts(45, 100, 30, 100, 60, 100))).all()
