"""Median Sweep and SORD against the plain definition where the table and its cells matter: many thresholds, many samples."""

import numpy as np
import pytest

from qcore.quantifiers import threshold_selection
from qcore.quantifiers.distribution_matching import SORD
from qcore.quantifiers.threshold_selection import MedianSweep
from tests.qcore import slow_matching

SHIFTS = {"good": 2.0, "weak": 0.7, "useless": 0.0, "inverted": -0.7}


def problem(shift: float, n_training: int = 900, cells: int = 10**9) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    labels = (rng.random(n_training) < 0.3).astype(int)
    raw = 1 / (1 + np.exp(-rng.normal(np.where(labels == 1, shift, -shift) / 2, 1)))
    return np.round(raw * cells) / cells, labels


def samples(size: int, n: int = 400, cells: int = 10**9) -> np.ndarray:
    rng = np.random.default_rng(4)
    return np.round(rng.beta(rng.uniform(0.2, 3, (n, 1)), rng.uniform(0.2, 3, (n, 1)), (n, size)) * cells) / cells


@pytest.mark.parametrize("entries", [50, 2**18])
@pytest.mark.parametrize("size", [1, 2, 7, 60])
@pytest.mark.parametrize("cells", [20, 10**9])
@pytest.mark.parametrize("shift", SHIFTS.values(), ids=SHIFTS)
def test_median_sweep_is_the_median_over_all_thresholds(shift, cells, size, entries, monkeypatch):
    monkeypatch.setattr(threshold_selection, "_ENTRIES", entries)
    quantifier = MedianSweep().fit(*problem(shift, cells=cells))
    drawn = samples(size, cells=cells)
    expected = [np.median(quantifier.sweep(sample).estimates) for sample in drawn]
    assert quantifier.predict(drawn) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("size", [1, 7, 60])
@pytest.mark.parametrize("cells", [20, 10**9])
@pytest.mark.parametrize("shift", SHIFTS.values(), ids=SHIFTS)
def test_sord_is_the_least_point_of_the_integral(shift, cells, size):
    scores, labels = problem(shift, 120, cells)
    drawn = samples(size, 400, cells)
    result = SORD().fit(scores, labels).predict(drawn)
    for sample, estimate in zip(drawn[:40:5], result[:40:5], strict=True):
        expected = slow_matching.sord(scores[labels == 1].tolist(), scores[labels == 0].tolist(), sample.tolist())
        assert estimate == pytest.approx(expected, abs=1e-9)


def test_a_flat_stretch_is_seen_in_a_large_sample():
    # Between F = 0.3 and F = 0.7 the integral does not change: half of the weight lies on each side.
    sample = np.repeat([0.5, 0.665, 0.8], [3000, 4000, 3000])
    assert SORD().fit(np.array([0.72, 0.61]), np.array([1, 0])).predict(sample) == pytest.approx(0.3, abs=1e-12)


def test_both_signs_of_the_gap_are_weighed():
    scores, labels = problem(0.0)
    assert len(SORD().fit(scores, labels).areas_) == 2
    assert len(SORD().fit(labels.astype(float), labels).areas_) == 1


def test_the_grid_grows_with_the_work_and_stays_bounded():
    sizes = [threshold_selection._grid_size(n, 101, t) for n, t in ((1, 10), (100, 1000), (4000, 50_000), (10**6, 10**6))]
    assert sizes == sorted(sizes)
    assert sizes[0] >= 8
    assert sizes[-1] == 1024
