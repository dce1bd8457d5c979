"""KNN, PWK and PWK-alpha: Table 5.1, Theorem 5.1, the grid and the leave-one-out scores beside slow definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from qcore._base.validation import InvalidInput
from qcore.classifiers import weighted_neighbours as neighbours
from qcore.classifiers.weighted_neighbours import (
    GRID_ALPHA,
    GRID_K,
    WeightedNeighbours,
    alpha_weights,
    alpha_weights_by_prevalence,
    nearest_sorted,
    proportion_weights,
    sorted_neighbours,
)

TABLE_5_1 = {
    1: (1, 1, 0.67, 0.43, 0.25, 0.11, 0.01),
    2: (1, 1, 0.82, 0.65, 0.50, 0.33, 0.10),
    3: (1, 1, 0.87, 0.75, 0.63, 0.48, 0.22),
    4: (1, 1, 0.90, 0.81, 0.71, 0.58, 0.32),
    5: (1, 1, 0.92, 0.84, 0.76, 0.64, 0.40),
}
"""Weights of a class whose share is 1%, 50%, 60%, 70%, 80%, 90% and 99% (Barranquero 2013, Table 5.1)."""


def problem(n=90, prevalence=0.3, seed=0, shift=1.2):
    rng = np.random.default_rng(seed)
    labels = (rng.permutation(n) < prevalence * n).astype(int)
    features = rng.normal(size=(n, 3))
    features[:, 0] += shift * labels
    return features, labels


def slow_vote(features, labels, others, k, weights):
    """Scores of `others` by their k nearest of `features`, one by one."""
    result = []
    for one in others:
        order = np.argsort(np.round(((features - one) ** 2).sum(axis=1), 10), kind="stable")[:k]
        votes = [weights[label] for label in labels[order]]
        result.append(sum(w for w, label in zip(votes, labels[order], strict=True) if label) / sum(votes))
    return np.array(result)


@pytest.mark.parametrize("alpha", TABLE_5_1)
def test_table_5_1(alpha):
    shares = [1, 50, 60, 70, 80, 90, 99]
    result = alpha_weights_by_prevalence([share / 100 for share in shares])[GRID_ALPHA.index(alpha)]
    # The thesis rounds a half up: 0.62996 to 0.63, 0.625 would be 0.63.
    assert result == pytest.approx(TABLE_5_1[alpha], abs=0.005)


def test_weights_of_pwk_are_the_share_of_the_other_class():
    assert proportion_weights(np.array([30, 10])) == pytest.approx([0.25, 0.75])
    assert alpha_weights(np.array([30, 10]), np.inf) == pytest.approx([1, 1])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 25), st.sampled_from([0.05, 0.2, 0.5, 0.8]))
def test_theorem_5_1_alpha_1_predicts_as_pwk_does(seed, k, prevalence):
    # Whole numbers make ties: of distances, and of votes.
    rng = np.random.default_rng(seed)
    features, labels = rng.integers(0, 3, size=(60, 2)).astype(float), rng.permutation(60) < max(2, round(prevalence * 60))
    pwk, alpha = WeightedNeighbours("proportion", k=k), WeightedNeighbours("alpha", k=k, alpha=1)
    for model in (pwk, alpha):
        model.fit(features, labels.astype(int))
    others = rng.integers(0, 3, size=(40, 2)).astype(float)
    assert (pwk.predict(others) == alpha.predict(others)).all()
    assert (pwk.predict_proba(others) >= 0).all()
    assert pwk.predict_proba(others) == pytest.approx(alpha.predict_proba(others))


@pytest.mark.parametrize("weighting", neighbours.WEIGHTINGS)
def test_scores_are_the_weighted_votes_of_the_nearest(weighting):
    features, labels = problem()
    model = WeightedNeighbours(weighting, k=7, alpha=3).fit(features, labels)
    counts = np.bincount(labels)
    weights = {"equal": np.ones(2), "proportion": 1 - counts / counts.sum(), "alpha": alpha_weights(counts, 3)}[weighting]
    others = np.random.default_rng(9).normal(size=(50, 3))
    assert model.predict_proba(others)[:, 1] == pytest.approx(slow_vote(features, labels, others, 7, weights))
    assert model.weights_ == pytest.approx(weights)


@pytest.mark.parametrize("weighting", neighbours.WEIGHTINGS)
def test_leave_one_out_scores_are_those_without_the_instance(weighting):
    features, labels = problem(n=60)
    model = WeightedNeighbours(weighting, k=5, alpha=2).fit(features, labels)
    slow = [slow_vote(np.delete(features, i, 0), np.delete(labels, i), features[[i]], 5, model.weights_)[0] for i in range(60)]
    assert model.leave_one_out_scores_ == pytest.approx(slow)


def slow_grid(features, labels, points, weighting, seed):
    """Mean GM of each point by 2 x 5 folds, each fold's neighbours searched anew."""
    result = np.zeros(len(points))
    folds = list(RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=seed).split(features, labels))
    for inside, held in folds:
        counts = np.bincount(labels[inside])
        for index, (k, alpha) in enumerate(points):
            weights = {"equal": np.ones(2), "proportion": 1 - counts / counts.sum(), "alpha": alpha_weights(counts, alpha)}
            scores = slow_vote(features[inside], labels[inside], features[held], k, weights[weighting])
            positive, truth = scores >= 0.5 - 1e-12, labels[held] == 1
            result[index] += np.sqrt(positive[truth].mean() * (~positive[~truth]).mean()) / len(folds)
    return result


@pytest.mark.parametrize("weighting", neighbours.WEIGHTINGS)
def test_the_grid_is_judged_by_two_times_five_folds_on_gm(weighting):
    features, labels = problem(seed=2)
    model = WeightedNeighbours(weighting, random_state=4).fit(features, labels)
    points = [(k, alpha) for k in GRID_K for alpha in {"alpha": GRID_ALPHA, "equal": [np.inf], "proportion": [1.0]}[weighting]]
    assert [point[:2] for point in model.grid_] == points
    slow = slow_grid(features, labels, points, weighting, 4)
    assert [value for _, _, value in model.grid_] == pytest.approx(slow)
    assert (model.k_, model.alpha_) == points[int(np.argmax(np.round(slow, 12)))]


def test_the_grid_is_right_where_copies_fill_the_order(monkeypatch):
    features, labels = problem(seed=2, n=120)
    features = np.repeat(features[:12], 10, axis=0)
    whole = WeightedNeighbours(random_state=1).fit(features, labels).grid_
    # So few are kept of the order that most rows must be searched again.
    monkeypatch.setattr(neighbours, "_WIDTH", 10)
    assert WeightedNeighbours(random_state=1).fit(features, labels).grid_ == whole


def test_k_beyond_the_folds_is_left_out_of_the_grid():
    features, labels = problem(n=20)
    assert [k for k, _, _ in WeightedNeighbours(random_state=0).fit(features, labels).grid_] == [1, 3, 5, 7, 11, 15]
    two = WeightedNeighbours(random_state=0).fit([[0.0], [1.0]], [0, 1])
    assert two.k_ == 1
    assert two.predict([[0.1], [0.9]]).tolist() == [0, 1]


def test_neighbours_are_in_order_whatever_is_kept_of_them():
    features = np.round(np.random.default_rng(0).normal(size=(70, 2)), 1)
    whole = sorted_neighbours(features, 69)
    distances = ((features[:, None] - features[None]) ** 2).sum(axis=-1).round(10)
    np.fill_diagonal(distances, -1)
    assert (whole == np.argsort(distances, axis=1, kind="stable")[:, 1:]).all()
    assert (sorted_neighbours(features, 12) == whole[:, :12]).all()
    assert (nearest_sorted(features[:5], features, 1)[:, 0] == np.arange(5)).sum() >= 3


def test_too_large_a_k_is_refused_with_the_largest_that_is_allowed():
    features, labels = problem(n=30)
    with pytest.raises(InvalidInput, match=r"k must be .* got 30\. The largest allowed with 30 instances is 29"):
        WeightedNeighbours(k=30).fit(features, labels)
    assert WeightedNeighbours(k=29).fit(features, labels).predict_proba(features).shape == (30, 2)
    assert WeightedNeighbours("alpha", k=29, random_state=0).fit(features, labels).alpha_ in GRID_ALPHA


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WeightedNeighbours(k=0), "k must be a whole number"),
        (lambda: WeightedNeighbours("alpha", k=3, alpha=0.5), "alpha must be at least 1"),
        (lambda: WeightedNeighbours("alpha", k=3, alpha="two"), "alpha must be at least 1"),
        (lambda: WeightedNeighbours("gold"), "Unknown weighting"),
    ],
)
def test_bad_parameters_are_refused(make, message):
    with pytest.raises(InvalidInput, match=message):
        make().fit(*problem())


def test_one_class_alone_and_empty_classes_are_refused():
    with pytest.raises(InvalidInput, match="two classes"):
        WeightedNeighbours().fit([[0.0], [1.0], [2.0]], [1, 1, 1])
    with pytest.raises(InvalidInput, match="counts must be above 0"):
        proportion_weights(np.array([3, 0]))


@pytest.mark.parametrize("scale", [1e-150, 1e-8, 1.0, 1e150])
def test_the_unit_of_the_features_does_not_matter(scale):
    features, labels = problem()
    whole = WeightedNeighbours(k=3).fit(features, labels)
    scaled = WeightedNeighbours(k=3).fit(features * scale, labels)
    assert (scaled.leave_one_out_scores_ == whole.leave_one_out_scores_).all()
    assert (scaled.predict_proba(features[:9] * scale) == whole.predict_proba(features[:9])).all()


def test_one_instance_of_a_class_leaves_nothing_to_choose_by():
    model = WeightedNeighbours(random_state=0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1])
    assert (model.grid_, model.k_) == ([], 1)


def test_a_given_k_may_be_larger_than_what_is_kept_for_a_search():
    rng = np.random.default_rng(6)
    features, labels = rng.normal(size=(300, 2)), np.arange(300) % 4 == 0
    chosen = WeightedNeighbours("alpha", k=250, random_state=0, search="5 x 2").fit(features, labels)
    again = chosen.fixed().fit(features, labels)
    assert again.search == "5 x 2"
    assert (again.leave_one_out_scores_ == chosen.leave_one_out_scores_).all()


def test_leave_one_out_scores_are_the_same_with_k_given_or_chosen():
    rng = np.random.default_rng(4)
    features, labels = rng.normal(size=(60, 3)), np.arange(60) % 3 == 0
    chosen = WeightedNeighbours("alpha", random_state=0).fit(features, labels)
    assert chosen.grid_
    assert (chosen.fixed().fit(features, labels).leave_one_out_scores_ == chosen.leave_one_out_scores_).all()


def test_one_far_row_leaves_the_others_as_they_are():
    """Distances are rounded, so that ties are found; in units of the far row's, all others would be equal."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 100)
    rows, others = (rng.normal(size=(200, 2)) + 3.0 * labels[:, None] for _ in range(2))
    rows[0] = 1e7
    mine = WeightedNeighbours("equal", k=5).fit(rows, labels).predict(others)
    assert np.mean(mine == KNeighborsClassifier(5).fit(rows, labels).predict(others)) > 0.99
