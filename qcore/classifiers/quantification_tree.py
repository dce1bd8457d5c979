"""Quantification tree and forest (Milli et al. 2013): the split rule, the growth, the classifiers.

The split rule of quantification trees, for many nodes at once (Milli et al. 2013; Maletzke et al. 2020, Table 1).

A split makes two children, each labelled by its majority (a tie is positive). FP and FN are the errors of both together. The
best split has the lowest |FP - FN| (FP + FN). Ties, which are common where errors balance out or where both children keep the
parent's label, go to the purest children (Gini), then to the first feature and value.

Growing many quantification trees at once: all nodes of a level are split in one array operation.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore._base.validation import FloatArray, IntArray, check_integer
from qcore.classifiers.binary_classifier import BinaryClassifier, two_classes


@dataclass(frozen=True)
class Entries:
    """Instances in the nodes that are being split, each (n_entries,): node, row of the data, label and weight (a count)."""

    node: IntArray
    row: IntArray
    truth: IntArray
    weight: IntArray

    def kept(self, which: np.ndarray) -> "Entries":
        """Only the entries that `which` selects."""
        return Entries(self.node[which], self.row[which], self.truth[which], self.weight[which])


@dataclass(frozen=True)
class Splits:
    """The best split of each node, (n_nodes,): feature (-1 without a split); rank up to which instances go left; next rank."""

    feature: IntArray
    rank: IntArray
    next_rank: IntArray


def balance_loss(fp: IntArray, fn: IntArray) -> FloatArray:
    """|FP - FN| (FP + FN), (...), as floats, which do not overflow. Source: Milli et al. 2013."""
    return np.abs(fp - fn).astype(np.float64) * (fp + fn)


def child_errors(positives: IntArray, negatives: IntArray) -> tuple[IntArray, IntArray]:
    """(FP, FN) of a child with these numbers of positives and negatives, labelled by its majority, (...)."""
    positive = positives >= negatives
    return np.where(positive, negatives, 0), np.where(positive, 0, positives)


def best_splits(entries: Entries, ranks: IntArray, features: IntArray) -> Splits:
    """The best split of each node among its candidate features.

    Parameters
    ----------
    entries : instances in nodes 0 to n_nodes - 1, none of them empty.
    ranks : (n, n_features), the rank of each value among the distinct values of its feature.
    features : (n_nodes, n_candidates), the features that each node may split on.
    """
    n_nodes, n_candidates = features.shape
    segment, rank, positive, weight = _sorted(entries, ranks, features)
    totals = np.bincount(entries.node, entries.weight, n_nodes).astype(np.intp)
    all_positive = np.bincount(entries.node, entries.weight * entries.truth, n_nodes).astype(np.intp)
    node = segment // n_candidates
    # Every segment of a node holds all its instances, so the sums before a segment cover whole nodes and segments.
    slot = segment - node * n_candidates
    before = (np.cumsum(totals) - totals) * n_candidates
    left = np.cumsum(weight) - before[node] - slot * totals[node]
    before = (np.cumsum(all_positive) - all_positive) * n_candidates
    left_positive = np.cumsum(positive) - before[node] - slot * all_positive[node]
    between = np.zeros(len(segment), dtype=bool)
    between[:-1] = (segment[1:] == segment[:-1]) & (rank[1:] > rank[:-1])
    positions = np.flatnonzero(between)
    best = _best_of(positions, node[positions], (left[positions], left_positive[positions]), (totals, all_positive))
    none = np.full(n_nodes, -1)
    feature, low, high = none.copy(), none.copy(), none.copy()
    split = node[best]
    feature[split] = features[split, slot[best]]
    low[split], high[split] = rank[best], rank[best + 1]
    return Splits(feature, low, high)


def _sorted(entries: Entries, ranks: IntArray, features: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """(segment, rank, positive weight, weight) of every entry and candidate feature, by segment and rank.

    A segment is a node with one of its candidates. Each entry is packed into one 64-bit number, which sorts much faster than an
    index.
    """
    n_candidates = features.shape[1]
    values = ranks[entries.row[:, None], features[entries.node]]
    segments = entries.node[:, None].astype(np.int64) * n_candidates + np.arange(n_candidates)  # 64 bits: packed below
    n_ranks, most = int(ranks.max()) + 1, int(entries.weight.max()) + 1
    packed = ((segments * n_ranks + values) * 2 + entries.truth[:, None]) * most + entries.weight[:, None]
    ordered = np.sort(packed, axis=None)
    ordered, weight = np.divmod(ordered, most)
    ordered, truth = np.divmod(ordered, 2)
    segment, rank = np.divmod(ordered, n_ranks)
    return segment.astype(np.intp), rank.astype(np.intp), (weight * truth).astype(np.intp), weight.astype(np.intp)


def _best_of(
    positions: IntArray, node: IntArray, left: tuple[IntArray, IntArray], totals: tuple[IntArray, IntArray]
) -> IntArray:
    """The positions of the best split of each node; `positions` are all possible splits, sorted by node."""
    if not len(positions):
        return positions
    positives = left[1], totals[1][node] - left[1]
    negatives = left[0] - left[1], (totals[0] - totals[1])[node] - (left[0] - left[1])
    errors = [child_errors(p, n) for p, n in zip(positives, negatives, strict=True)]
    fp, fn = (left_errors + right_errors for left_errors, right_errors in zip(*errors, strict=True))
    impurity = sum(p * n / (p + n) for p, n in zip(positives, negatives, strict=True))
    starts = np.flatnonzero(np.diff(node, prepend=-1))
    counts = np.diff(np.append(starts, len(node)))
    best = np.ones(len(positions), dtype=bool)
    for criterion in (balance_loss(fp, fn), _rounded(impurity)):
        value = np.where(best, criterion, np.inf)
        best &= value == np.repeat(np.minimum.reduceat(value, starts), counts)
    chosen = np.flatnonzero(best)
    return positions[chosen[np.flatnonzero(np.diff(node[chosen], prepend=-1))]]


def _rounded(values: FloatArray) -> FloatArray:
    """The values, rounded, since equal sums may differ in their last digits."""
    return np.round(values, 9)


@dataclass(frozen=True)
class RankedFeatures:
    """Features as ranks among their distinct values: `ranks` is (n, n_features), `values` holds the distinct values of each."""

    ranks: IntArray
    values: list[FloatArray]


def ranked_features(features: FloatArray) -> RankedFeatures:
    """Each feature's distinct values, and the rank of each instance among them."""
    columns = [np.unique(column, return_inverse=True) for column in features.T]
    return RankedFeatures(np.stack([ranks for _, ranks in columns], axis=1).astype(np.intp), [values for values, _ in columns])


@dataclass(frozen=True)
class Trees:
    """Trees with their nodes in common arrays, (n_nodes,): the roots come first, `left` and `left` + 1 are a node's children.

    Attributes
    ----------
    n_trees : number of roots.
    feature, threshold : an instance goes left where its feature is at most the threshold; feature -1 is a leaf.
    left : index of the left child.
    share : share of positives.
    """

    n_trees: int
    feature: IntArray
    threshold: FloatArray
    left: IntArray
    share: FloatArray

    def shares(self, features: FloatArray) -> FloatArray:
        """Share of positives in the leaf that each instance reaches in each tree, (n_trees, n)."""
        rows = np.tile(np.arange(len(features)), self.n_trees)
        node = np.repeat(np.arange(self.n_trees), len(features))
        moving = np.flatnonzero(self.feature[node] >= 0)
        while len(moving):
            current = node[moving]
            right = features[rows[moving], self.feature[current]] > self.threshold[current]
            node[moving] = self.left[current] + right
            moving = moving[self.feature[node[moving]] >= 0]
        return self.share[node].reshape(self.n_trees, len(features))


def grow_trees(data: RankedFeatures, truth: IntArray, counts: IntArray, n_candidates: int, rng: np.random.Generator) -> Trees:
    """Grow one tree for each row of `counts`, (n_trees, n), which says how often each instance counts.

    A node is split while it is not pure and one of `n_candidates` random features separates its instances; if none of those
    does, all features are tried.
    """
    n_trees = len(counts)
    tree, row = np.nonzero(counts)
    entries = Entries(tree, row, truth[row], counts[tree, row])
    levels: list[tuple[IntArray, FloatArray, IntArray, FloatArray]] = []
    n_nodes, done = n_trees, 0
    while n_nodes:
        totals = np.bincount(entries.node, entries.weight, n_nodes)
        share = np.bincount(entries.node, entries.weight * entries.truth, n_nodes) / totals
        splits = _split(entries, data.ranks, (share > 0) & (share < 1), n_candidates, rng)
        inner = splits.feature >= 0
        inner_index = np.cumsum(inner) - 1
        done += n_nodes
        levels.append((splits.feature, _thresholds(splits, data), np.where(inner, done + 2 * inner_index, 0), share))
        entries = _children(entries, splits, data.ranks, inner_index)
        n_nodes = 2 * int(inner.sum())
    return Trees(n_trees, *(np.concatenate(column) for column in zip(*levels, strict=True)))


def _split(entries: Entries, ranks: IntArray, mixed: np.ndarray, n_candidates: int, rng: np.random.Generator) -> Splits:
    """The best split of each mixed node, by random candidates first and by all features if these give none."""
    n_features = ranks.shape[1]
    splits = Splits(*(np.full(len(mixed), -1) for _ in range(3)))
    some = rng.random((int(mixed.sum()), n_features)).argpartition(n_candidates - 1, axis=1)[:, :n_candidates]
    _try_splits(splits, entries, ranks, np.flatnonzero(mixed), np.sort(some, axis=1))
    if n_candidates < n_features:
        left_over = np.flatnonzero(mixed & (splits.feature < 0))
        _try_splits(splits, entries, ranks, left_over, np.tile(np.arange(n_features), (len(left_over), 1)))
    return splits


def _try_splits(splits: Splits, entries: Entries, ranks: IntArray, nodes: IntArray, features: IntArray) -> None:
    """Write the best split of each of `nodes` among its `features` into `splits`, if it has one."""
    if not len(nodes):
        return
    number = np.full(len(splits.feature), -1)
    number[nodes] = np.arange(len(nodes))
    inside = entries.kept(number[entries.node] >= 0)
    best = best_splits(Entries(number[inside.node], inside.row, inside.truth, inside.weight), ranks, features)
    splits.feature[nodes], splits.rank[nodes], splits.next_rank[nodes] = best.feature, best.rank, best.next_rank


def _thresholds(splits: Splits, data: RankedFeatures) -> FloatArray:
    """The threshold of each split: halfway between the values on both sides."""
    thresholds = np.zeros(len(splits.feature))
    for feature in np.unique(splits.feature[splits.feature >= 0]):
        nodes = np.flatnonzero(splits.feature == feature)
        low, high = (data.values[feature][ranks[nodes]] for ranks in (splits.rank, splits.next_rank))
        # Not (low + high) / 2, which could overflow; and always below the value on the right.
        middle = low / 2.0 + high / 2.0
        thresholds[nodes] = np.where(middle < high, middle, low)
    return thresholds


def _children(entries: Entries, splits: Splits, ranks: IntArray, inner_index: IntArray) -> Entries:
    """The entries of the split nodes, moved to their children, which are numbered in pairs."""
    inside = entries.kept(splits.feature[entries.node] >= 0)
    right = ranks[inside.row, splits.feature[inside.node]] > splits.rank[inside.node]
    return Entries(2 * inner_index[inside.node] + right, inside.row, inside.truth, inside.weight)


_MOST_THREADS = 4
_TOGETHER = 200_000
"""Limit of instances times candidate features for the trees that are grown together."""


class QuantificationTree(BinaryClassifier):
    """A binary tree whose splits minimise `|FP - FN| (FP + FN)` of the two children, grown until leaves are pure.

    The score of a leaf is its share of positives; 0.5 is predicted positive.

    Attributes
    ----------
    trees_ : the one tree.
    classes_ : the two labels, the positive one last.

    Source: Milli et al. 2013; Maletzke et al. 2020, Table 1.

    Examples
    --------
    >>> QuantificationTree().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[0.5], [2.5]]).tolist()
    [0, 1]
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,). Raises InvalidInput unless there are two classes."""
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        once = np.ones((1, len(labels)), dtype=np.intp)
        self.trees_ = grow_trees(ranked_features(features), truth, once, features.shape[1], np.random.default_rng(0))
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Shares of negatives and positives in the leaf of each instance, (n, 2)."""
        check_is_fitted(self)
        share = self.trees_.shares(validate_data(self, X, reset=False, dtype=np.float64))[0]
        return np.stack([1.0 - share, share], axis=1)


class QuantificationForest(BinaryClassifier):
    """Quantification trees on bootstrap samples, each node choosing among a random sqrt(n_features) features.

    The score is the share of trees that vote positive; 0.5 is predicted positive.

    Parameters
    ----------
    n_trees : number of trees (Maletzke et al. 2020: 200).
    random_state : seed of the bootstrap samples and of the random features.

    Attributes
    ----------
    trees_ : the trees, in groups that grew together.
    classes_ : the two labels, the positive one last.

    Source: Milli et al. 2013; Maletzke et al. 2020, Table 1.

    Examples
    --------
    >>> forest = QuantificationForest(n_trees=20, random_state=0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> forest.predict([[0.5], [2.5]]).tolist()
    [0, 1]
    """

    def __init__(self, n_trees: int = 200, random_state: int | None = None) -> None:
        self.n_trees = n_trees
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,). Raises InvalidInput unless there are two classes and a tree."""
        check_integer("n_trees", self.n_trees, low=1)
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        n_candidates = max(1, round(features.shape[1] ** 0.5))
        data = ranked_features(features)
        together = max(1, _TOGETHER // (len(labels) * n_candidates))
        sizes = [min(together, self.n_trees - start) for start in range(0, self.n_trees, together)]

        def group(size: int, group_rng: np.random.Generator) -> Trees:
            counts = group_rng.multinomial(len(labels), np.full(len(labels), 1.0 / len(labels)), size=size)
            return grow_trees(data, truth, counts.astype(np.intp), n_candidates, group_rng)

        # Sorting releases the interpreter lock; each group has a generator of its own, so the order of the threads is
        # irrelevant.
        with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool:
            self.trees_ = list(pool.map(group, sizes, rng.spawn(len(sizes))))
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Shares of the trees that vote negative and positive, (n, 2)."""
        check_is_fitted(self)
        features = validate_data(self, X, reset=False, dtype=np.float64)
        share = np.concatenate([trees.shares(features) >= 0.5 for trees in self.trees_]).mean(axis=0)
        return np.stack([1.0 - share, share], axis=1)
