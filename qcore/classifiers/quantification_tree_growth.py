"""Growing many quantification trees at once: all nodes of a level are split in one array operation."""

from dataclasses import dataclass

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.classifiers.quantification_tree_split import Entries, Splits, best_splits


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
