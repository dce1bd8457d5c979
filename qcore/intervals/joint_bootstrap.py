"""The joint bootstrap of several samples: labelled instances are redrawn once for all of them, each sample by itself.

So the errors that a quantifier's training leaves in all samples alike cancel in their differences.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray, IntArray
from qcore.intervals.bootstrap import few_cells
from qcore.intervals.weights import TIMES_AS_MANY, effective_rows, effective_size
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.batch import CountedBatch

_FITS = 100
_SAMPLES_A_FIT = 10
_LARGE = 5_000
"""Samples of this many scores are redrawn as numbers of few scores, where these say as much."""
_FEWEST_BEYOND = 10
"""With fewer replicates beyond 0, a normal distribution tells the tail: of 1,000, none says no more than a p of 0.002."""


@dataclass(frozen=True)
class RedrawnShares:
    """Estimates of each sample, (...), and of its redrawn ones, (replicates, ...); of all classes the last axis is theirs.

    `weights` are the sums of the samples' weights, or their sizes: so much each counts among all others.
    """

    shares: Mapping[str, FloatArray]
    redrawn: Mapping[str, FloatArray]
    weights: Mapping[str, float]

    def compared_with(self, base: str, others: str, level: float) -> dict[str, FloatArray]:
        """Of each sample, (n_samples, ...): share, share_low, share_high, difference, low, high and p_value.

        Differences are from the sample `base`; if it is `others`, from the mean of all other samples, weighted by their sizes.
        """
        tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
        rows = []
        for name, share in self.shares.items():
            beside, redrawn = self._others_than(name) if base == others else (self.shares[base], self.redrawn[base])
            estimate, moved = share - beside, self.redrawn[name] - redrawn
            ends = np.quantile(self.redrawn[name], tails, axis=0)
            low, high = np.quantile(moved, tails, axis=0)
            rows.append([share, *ends, estimate, np.minimum(low, estimate), np.maximum(high, estimate), _p_values(moved)])
        names = ("share", "share_low", "share_high", "difference", "low", "high", "p_value")
        return {name: np.array(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}

    def _others_than(self, name: str) -> tuple[FloatArray, FloatArray]:
        rest = [other for other in self.shares if other != name]
        by = np.array([self.weights[other] for other in rest])
        shares, redrawn = (np.average([of[other] for other in rest], axis=0, weights=by) for of in (self.shares, self.redrawn))
        return shares, redrawn


def _p_values(moved: FloatArray) -> FloatArray:
    """Two-sided p-values of "no difference", (...), of replicates (replicates, ...)."""
    n = len(moved)
    beyond = np.minimum((moved <= 0.0).sum(axis=0), (moved >= 0.0).sum(axis=0))
    deviation = moved.std(axis=0)
    by_normal = norm.sf(np.abs(moved.mean(axis=0)) / np.where(deviation > 0.0, deviation, np.inf))
    # One is added, since no replicate beyond 0 does not prove a p-value of 0.
    by_rank = (beyond + 1.0) / (n + 1.0)
    p_values: FloatArray = np.minimum(2.0 * np.where(beyond < _FEWEST_BEYOND, np.minimum(by_normal, by_rank), by_rank), 1.0)
    return p_values


def joint_bootstrap(
    method: Any,
    samples: Mapping[str, FloatArray],
    scores: FloatArray,
    labels: IntArray,
    *,
    weights: Mapping[str, FloatArray] | None,
    rng: np.random.Generator,
    posteriors: bool,
) -> RedrawnShares:
    """Estimates of a quantifier for samples that one classifier has scored, and for 1,000 redrawn ones of each.

    Parameters
    ----------
    method : a key of QUANTIFIERS, or your own quantifier.
    samples : name -> scores, (m,) or of all classes (m, n_classes) each.
    scores, labels : training scores, (n,) or (n, n_classes), and labels from 0: they are redrawn class by class, 100 times.
    weights : name -> weights of the rows, (m,) each: rows are drawn in proportion to them, as many as the effective size.
    rng : of all draws.
    posteriors : see `make_quantifiers`.

    Raises InvalidInput for an unknown method.
    """
    classes = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    reached = {name: np.cumsum(weights[name]) for name in samples} if weights else {}
    counted = {} if weights else _counted(method, samples, scores, labels)
    estimates: dict[str, list[FloatArray]] = {name: [] for name in samples}
    with one_thread():
        for _ in range(_FITS):
            chosen = np.concatenate([rng.choice(members, len(members)) for members in classes])
            fitted = _fitted(method, scores[chosen], labels[chosen], posteriors)
            for name, sample in samples.items():
                if name in counted:
                    drawn: Any = _redrawn_counts(*counted[name], rng)
                else:
                    drawn = sample[_drawn(len(sample), reached.get(name), weights[name] if weights else None, rng)]
                estimates[name].append(np.asarray(fitted.predict(drawn), dtype=np.float64))
    once = _fitted(method, scores, labels, posteriors)
    whole = {name: sample[_stand_for(sample, weights[name])] if weights else sample for name, sample in samples.items()}
    shares = {name: np.asarray(once.predict(part[np.newaxis]), dtype=np.float64)[0] for name, part in whole.items()}
    sizes = {name: float(weights[name].sum()) if weights else float(len(sample)) for name, sample in samples.items()}
    return RedrawnShares(shares, {name: np.concatenate(values) for name, values in estimates.items()}, sizes)


def _counted(
    method: Any, samples: Mapping[str, FloatArray], scores: FloatArray, labels: IntArray
) -> dict[str, tuple[FloatArray, IntArray]]:
    """Large samples as numbers of few scores, for a registered quantifier for which these say as much as all rows do."""
    entry = QUANTIFIERS.get(method) if isinstance(method, str) and scores.ndim == 1 else None
    if entry is None or not entry.takes_counts or not (entry.adjusts or entry.needs_probabilities):
        return {}
    return {name: few_cells(one, float(labels.mean())) for name, one in samples.items() if len(one) >= _LARGE}


def _redrawn_counts(scores: FloatArray, counts: IntArray, rng: np.random.Generator) -> CountedBatch:
    size = int(counts.sum())
    return CountedBatch(scores, rng.multinomial(size, counts / size, size=_SAMPLES_A_FIT))


def _drawn(size: int, reached: FloatArray | None, weights: FloatArray | None, rng: np.random.Generator) -> IntArray:
    """Rows of redrawn samples, (samples, m), in proportion to their weights if there are any."""
    if reached is None or weights is None:
        return rng.integers(0, size, (_SAMPLES_A_FIT, size))
    places = rng.random((_SAMPLES_A_FIT, max(round(effective_size(weights)), 1))) * reached[-1]
    return np.minimum(np.searchsorted(reached, places, side="right"), size - 1)


def _stand_for(sample: FloatArray, weights: FloatArray) -> IntArray:
    """Rows that have the weighted distribution of a sample, in numbers; of all classes by the score of the last one."""
    by = sample if sample.ndim == 1 else sample[:, -1]
    return effective_rows(by, weights, TIMES_AS_MANY * len(sample))


def _fitted(method: Any, scores: FloatArray, labels: IntArray, posteriors: bool) -> Any:
    return make_quantifiers({"method": method}, scores, labels, refit=True, posteriors=posteriors)["method"]
