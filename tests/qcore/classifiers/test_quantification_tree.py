"""Quantification trees: each split beside all splits, one by one; the forest; ties and copies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qcore._base.validation import InvalidInput
from qcore.classifiers.quantification_tree import (
    Entries,
    QuantificationForest,
    QuantificationTree,
    best_splits,
    ranked_features,
)


def slow_criteria(labels):
    """(positives, negatives) to (FP, FN) of a node labelled by its majority."""
    positives, negatives = int((labels == 1).sum()), int((labels == 0).sum())
    return (negatives, 0) if positives >= negatives else (0, positives)


def slow_split(features, labels, candidates):
    """(feature, value up to which instances go left) of the best of all splits, or None."""
    result = []
    for index, feature in enumerate(candidates):
        for value in np.unique(features[:, feature])[:-1]:
            left = features[:, feature] <= value
            children = [labels[left], labels[~left]]
            fp, fn = np.sum([slow_criteria(child) for child in children], axis=0)
            impurity = round(sum((child == 1).sum() * (child == 0).sum() / len(child) for child in children), 9)
            result.append((abs(fp - fn) * (fp + fn), impurity, index, value, feature))
    return min(result)[-1:-3:-1] if result else None


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 25))
def test_each_split_is_the_best_of_all(seed, n_nodes, n):
    rng = np.random.default_rng(seed)
    features, labels = rng.integers(0, 5, size=(n, 3)).astype(float), rng.integers(0, 2, size=n)
    weight = rng.integers(1, 4, size=n)
    # Every node has at least one of the instances.
    node = np.concatenate([np.arange(n_nodes), rng.integers(0, n_nodes, size=n)])[:n] if n >= n_nodes else np.zeros(n, int)
    n_nodes = node.max() + 1
    candidates = np.stack([rng.permutation(3)[:2] for _ in range(n_nodes)])
    data = ranked_features(features)
    result = best_splits(Entries(node, np.arange(n), labels, weight), data.ranks, candidates)
    for number in range(n_nodes):
        inside = np.repeat(np.flatnonzero(node == number), weight[node == number])
        wanted = slow_split(features[inside], labels[inside], candidates[number])
        if wanted is None:
            assert result.feature[number] == -1
        else:
            feature, value = result.feature[number], data.values[result.feature[number]][result.rank[number]]
            assert (feature, value) == (wanted[0], wanted[1])


def problem(n=200, prevalence=0.3, seed=0):
    rng = np.random.default_rng(seed)
    labels = (rng.permutation(n) < prevalence * n).astype(int)
    features = rng.normal(size=(n, 4))
    features[:, :2] += labels[:, None]
    return features, labels


def test_a_tree_by_hand():
    features = np.array([[1.0, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 1]])
    labels = np.array([1, 1, 0, 0, 1, 0])
    trees = QuantificationTree().fit(features, labels).trees_
    # x <= 2 leaves one positive among negatives (FN = 1): 1 x 1. x <= 5 has FP = 2: 4. x <= 3 has one FP and one FN, which
    # cancel out: 0, and the threshold lies in the middle. The second feature can only do what x <= 2 does.
    assert (trees.feature[0], trees.threshold[0]) == (0, 3.5)
    assert trees.share[0] == 0.5


def test_a_tree_learns_by_heart_what_features_tell_apart():
    features, labels = problem()
    tree = QuantificationTree().fit(features, labels)
    assert (tree.predict(features) == labels).all()
    # Of copies with different labels the leaf tells the share; a half is positive.
    copies = QuantificationTree().fit([[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 0, 0, 1])
    assert copies.predict_proba([[0.0], [1.0]])[:, 1] == pytest.approx([0.5, 1 / 3])
    assert copies.predict([[0.0], [1.0]]).tolist() == [1, 0]


def test_rare_positives_are_split_although_no_split_changes_a_label():
    # One split alone leaves the majority of both children negative; purity decides.
    features = np.array([[x, y] for x in range(6) for y in range(6)], dtype=float)
    labels = ((features[:, 0] == 2) & (features[:, 1] == 3)).astype(int)
    tree = QuantificationTree().fit(features, labels)
    assert (tree.predict(features) == labels).all()


def test_a_forest_votes_and_its_seed_makes_it():
    features, labels = problem()
    rng = np.random.default_rng(5)
    others = rng.normal(size=(300, 4)) + np.repeat([[0, 0, 0, 0], [1, 1, 0, 0]], [210, 90], axis=0)
    forest = QuantificationForest(n_trees=40, random_state=1).fit(features, labels)
    shares = forest.predict_proba(others)[:, 1]
    assert np.isin(np.round(shares * 40, 9), np.arange(41)).all()
    assert shares[210:].mean() > shares[:210].mean() + 0.2
    assert (forest.predict(others) == (shares >= 0.5)).all()
    again, other = (QuantificationForest(n_trees=40, random_state=s).fit(features, labels) for s in (1, 2))
    assert (again.predict_proba(others)[:, 1] == shares).all()
    assert not (other.predict_proba(others)[:, 1] == shares).all()
    assert sum(trees.n_trees for trees in forest.trees_) == 40


def test_a_forest_that_grows_in_groups_has_all_its_trees(monkeypatch):
    monkeypatch.setattr("qcore.classifiers.quantification_tree._TOGETHER", 1)
    features, labels = problem(n=40)
    forest = QuantificationForest(n_trees=5, random_state=0).fit(features, labels)
    assert [trees.n_trees for trees in forest.trees_] == [1] * 5
    assert forest.predict_proba(features).shape == (40, 2)


def test_candidates_that_tell_nothing_apart_are_no_leaf():
    # Nine constant features: most random candidates are constant, yet the tenth splits everything.
    features = np.zeros((40, 10))
    features[:, 9] = np.arange(40)
    labels = (np.arange(40) % 2).astype(int)
    forest = QuantificationForest(n_trees=3, random_state=0).fit(features, labels)
    for trees in forest.trees_:
        leaves = trees.feature < 0
        assert np.isin(trees.share[leaves], [0, 1]).all()


def test_thresholds_of_huge_and_of_close_values():
    tree = QuantificationTree().fit([[-1.7e308], [1.7e308]], [0, 1])
    assert tree.predict([[-1.7e308], [1.7e308]]).tolist() == [0, 1]
    close = np.nextafter(1.0, 2.0)
    assert QuantificationTree().fit([[1.0], [close]], [0, 1]).predict([[1.0], [close]]).tolist() == [0, 1]
    # Halfway between these two rounds up to the second.
    closer = np.nextafter(close, 2.0)
    assert QuantificationTree().fit([[close], [closer]], [0, 1]).predict([[close], [closer]]).tolist() == [0, 1]


def test_a_leaf_of_both_votes_positive_in_a_forest_too():
    forest = QuantificationForest(n_trees=60, random_state=0).fit([[0.0]] * 4, [0, 1, 0, 1])
    shares = np.concatenate([trees.shares(np.zeros((1, 1))) for trees in forest.trees_])[:, 0]
    assert (shares == 0.5).any()
    assert forest.predict_proba([[0.0]])[0, 1] == pytest.approx((shares >= 0.5).mean())


def test_bad_input_is_refused():
    with pytest.raises(InvalidInput, match="two classes"):
        QuantificationTree().fit([[0.0], [1.0]], [1, 1])
    with pytest.raises(InvalidInput, match="two classes"):
        QuantificationForest().fit([[0.0], [1.0]], [1, 1])
    with pytest.raises(InvalidInput, match="n_trees must be a whole number of at least 1, got 0"):
        QuantificationForest(n_trees=0).fit([[0.0], [1.0]], [0, 1])
