"""The rate curve as a picture needs it."""

import numpy as np

from qcore.measures.rate_curve import rate_curve


def test_a_coarsened_curve_leaves_out_only_what_lies_beside_what_stays():
    rng = np.random.default_rng(0)
    labels = (rng.random(5000) < 0.4).astype(np.intp)
    curve = rate_curve(rng.random(5000) ** 2 * 0.7 + 0.3 * labels, labels)
    coarse = curve.coarsened(100)
    assert 100 < len(coarse.fpr) < len(curve.fpr) / 5
    assert (coarse.thresholds[0], coarse.thresholds[-1]) == (curve.thresholds[0], curve.thresholds[-1])
    points, kept = (np.column_stack([c.thresholds, c.tpr, c.fpr]) for c in (curve, coarse))
    assert {tuple(row) for row in kept.tolist()} <= {tuple(row) for row in points.tolist()}
    before = kept[np.searchsorted(coarse.thresholds, curve.thresholds, side="right") - 1]
    assert np.abs(points - before).max() <= 0.01


def test_a_short_curve_stays_as_it_is():
    curve = rate_curve(np.array([0.1, 0.5, 0.9]), np.array([0, 1, 1]))
    assert curve.coarsened() is curve
