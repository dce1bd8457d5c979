"""The split rule of quantification trees, for many nodes at once (Milli et al. 2013; Maletzke et al. 2020, Table 1).

A split makes two children, each labelled by its majority (a tie is positive). FP and FN are the errors of both together. The
best split has the lowest |FP - FN| (FP + FN). Ties, which are common where errors balance out or where both children keep the
parent's label, go to the purest children (Gini), then to the first feature and value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qcore._base.validation import FloatArray, IntArray


@dataclass(frozen=True)
class Entries:
    """Instances in the nodes that are being split, each (n_entries,): node, row of the data, label and weight (a count)."""

    node: IntArray
    row: IntArray
    truth: IntArray
    weight: IntArray

    def kept(self, which: np.ndarray) -> Entries:
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
