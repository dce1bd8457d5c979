"""ROC curves, hulls, areas and operating points, against slow definitions and scikit-learn."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from qcore import QUANTIFIERS, InvalidInput, ScoringSettings, load_dataset, score_dataset
from qcore.measures.classification import pairwise_auc
from qcore.measures.roc import RateCurve, auc, convex_hull, rate_curve, roc_curve
from qcore.quantifiers.operating_points import POLICIES, policy_points, sweep_bands
from qcore.quantifiers.threshold_selection import MedianSweep

SCORES = st.integers(2, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.6, 0.9, 1.0]), min_size=n, max_size=n),
        st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda labels: len(set(labels)) == 2),
    )
)


@pytest.fixture(scope="module")
def scored():
    return score_dataset(load_dataset("wdbc"), ScoringSettings("malignant"))


@settings(max_examples=50)
@given(SCORES)
def test_auc_is_the_share_of_pairs_in_order_ties_half(data):
    scores, labels = map(np.array, data)
    pairs = [(p > n) + 0.5 * (p == n) for p in scores[labels == 1] for n in scores[labels == 0]]
    assert auc(scores, labels) == pytest.approx(np.mean(pairs))


@settings(max_examples=50)
@given(SCORES)
def test_the_area_under_the_roc_curve_is_the_auc(data):
    curve = roc_curve(*data)
    assert -np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(auc(*data))
    assert (curve.tpr[0], curve.fpr[0]) == (1.0, 1.0)
    assert (curve.tpr[-1], curve.fpr[-1], curve.thresholds[-1]) == (0.0, 0.0, np.inf)
    assert len(curve.thresholds) == len(set(data[0])) + 1, "one point for each distinct score"


@given(SCORES)
@settings(max_examples=50)
def test_no_point_and_no_mixture_lies_above_the_hull(data):
    curve = roc_curve(*data)
    hull = convex_hull(curve)
    order = np.lexsort((hull.tpr, hull.fpr))
    x, y = hull.fpr[order], hull.tpr[order]
    points = set(zip(curve.fpr, curve.tpr, strict=True)) | {(0.0, 0.0), (1.0, 1.0)}
    assert set(zip(x, y, strict=True)) <= points
    for fpr, tpr in points:
        highest = max(y[x == fpr]) if fpr in x else np.interp(fpr, x, y)
        assert tpr <= highest + 1e-12
    for (x0, y0), (x1, y1), (x2, y2) in zip(*(list(zip(x, y, strict=True))[i:] for i in range(3)), strict=False):
        assert (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0) < 0, "every point of the hull is a corner"
    assert -np.trapezoid(hull.tpr, hull.fpr) >= auc(*data) - 1e-12


def test_the_hull_drops_what_is_never_best():
    points = RateCurve(np.full(3, np.nan), np.array([0.2, 0.5, 0.9]), np.array([0.3, 0.1, 0.4]))
    hull = convex_hull(points)
    assert hull.tpr.tolist() == [1.0, 0.9, 0.5, 0.0]
    assert hull.fpr.tolist() == [1.0, 0.4, 0.1, 0.0]


def test_hand_till_is_the_mean_over_pairs():
    result = score_dataset(load_dataset("wine"), ScoringSettings(None, "Gaussian naive Bayes"))
    expected = roc_auc_score(result.pool_labels, result.pool_scores, multi_class="ovo", average="macro")
    pairs = pairwise_auc(result.pool_scores, result.pool_labels)
    assert np.nanmean(pairs) == pytest.approx(expected)
    assert np.isnan(np.diag(pairs)).all()
    assert np.array_equal(pairs, pairs.T, equal_nan=True)


def test_hand_till_of_two_classes_is_the_auc(scored):
    both = np.stack([1.0 - scored.pool_scores, scored.pool_scores], axis=1)
    assert pairwise_auc(both, scored.pool_labels)[0, 1] == pytest.approx(auc(scored.pool_scores, scored.pool_labels))


def test_hand_till_needs_a_column_for_each_class():
    with pytest.raises(InvalidInput, match=r"shape \(3, 3\)"):
        pairwise_auc([[0.5, 0.5]] * 3, [0, 1, 2])


def test_policies_are_all_that_count_at_one_threshold():
    assert POLICIES == ("AC", "X", "Max", "T50", "FM")


def test_points_are_where_the_quantifiers_stand(scored):
    points = policy_points(scored.training_scores, scored.training_labels)
    for key, point in points.items():
        fitted = QUANTIFIERS[key].make().fit(scored.training_scores, scored.training_labels)
        assert point.threshold == getattr(fitted, "threshold_", 0.5)
        assert (point.tpr, point.fpr) == (fitted.tpr_, fitted.fpr_)
    assert list(points) == list(POLICIES)


@pytest.mark.parametrize("scores", [[0.2, 0.3, 0.8, 0.9], [0.5, 0.5, 0.5, 0.5], [0.5, 0.6, 0.8, 0.9]])
def test_without_a_candidate_only_those_that_choose_none_have_a_point(scores):
    points = policy_points(scores, [1, 1, 0, 0])
    assert list(points) == ["AC", "FM"]
    assert points["AC"].tpr <= points["AC"].fpr
    assert sweep_bands(scores, [1, 1, 0, 0]) == []


@settings(max_examples=50)
@given(SCORES)
def test_bands_hold_just_the_thresholds_that_median_sweep_uses(data):
    scores, labels = np.array(data[0]), np.array(data[1])
    curve = rate_curve(scores, labels)
    bands = sweep_bands(scores, labels)
    inside = {t for t in curve.thresholds.tolist() for low, high in bands if low < t <= high}
    if (curve.tpr - curve.fpr > 1e-12).any():
        assert inside == set(MedianSweep().fit(scores, labels).curve_.thresholds.tolist())
    else:
        assert bands == []
    for (_, end), (start, _) in itertools.pairwise(bands):
        assert end < start
