"""Percentile bootstrap of the sample and of the training scores together: of an adjusted count, and of any quantifier."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.threads import one_thread, where_limited
from qcore._base.validation import (
    FloatArray,
    IntArray,
    check_class_scores,
    check_integer,
    check_labelled_scores,
    check_level,
    check_scores,
)  # fmt: skip
from qcore.intervals.analytic import Interval, beside_none_or_all, clipped
from qcore.intervals.counts import Counts
from qcore.intervals.redrawn_counts import counted_estimates, redrawn_counts
from qcore.intervals.refitted_estimates import Redrawn, refitted_estimates
from qcore.intervals.score_cells import ScoreCells
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.base import QuantifierEntry
from qcore.quantifiers.fitting import Methods, by_name, registered_keys
from qcore.scoring.sigmoid import Sigmoid

Estimate = Callable[[Any], dict[str, FloatArray]]
"""What is redrawn -> the estimates of each method."""

_REPLICATES = 1000
_FITS = 100
_LARGEST_PART = 4_000_000
"""Number of scores of samples that are gathered at once."""
_LARGE = 20_000
"""More scores than this are redrawn as numbers of few."""
_ESTIMATED_AT_ONCE = 200_000
"""Samples are estimated together once they hold so many scores: fewer cost more calls, more exceed the processor's cache."""


def bootstrap(counts: Counts, level: float = 0.95, *, rng: np.random.Generator | None = None) -> Interval:
    """Percentiles of the adjusted count when the sample, the labelled positives and the labelled negatives are redrawn.

    `rng` is the random generator; by default it has seed 0, so that equal counts have equal intervals.
    """
    check_level(level)
    estimates = _redrawn_counts(counts, rng or np.random.default_rng(0))
    low, high = np.quantile(estimates, ((1.0 - level) / 2.0, (1.0 + level) / 2.0), axis=0)
    return clipped(low, high, counts)


def _redrawn_counts(counts: Counts, rng: np.random.Generator) -> FloatArray:
    shape = (_REPLICATES, *counts.unclipped.shape)
    count, tpr, fpr = (
        rng.binomial(total, share, shape) / np.asarray(total)
        for total, share in (
            (counts.sample_size, counts.count), (counts.positives, counts.tpr), (counts.negatives, counts.fpr),
        )
    )  # fmt: skip
    gap = tpr - fpr
    corrected = (count - fpr) / np.where(gap > TIE, gap, 1.0)
    return np.where(gap > TIE, np.clip(corrected, 0.0, 1.0), count)


def double_bootstrap(
    methods: Methods,
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    rng: np.random.Generator,
    replicates: int = _REPLICATES,
    posteriors: bool = True,
    n_jobs: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> dict[str, FloatArray]:
    """Estimates of quantifiers when the sample and the training scores are redrawn, for each method.

    Shape (replicates,) for one class against the rest, (replicates, n_classes) for all classes.

    Quantifiers are fitted anew on 100 draws of the training scores, class by class, to include the scatter of tpr, fpr and
    distributions; each fit estimates its share of the redrawn samples. For EMQ, which learns nothing but the training
    prevalence, the posteriors of each draw are moved as Platt's sigmoid of the redrawn training scores differs from that of
    all: else its interval would leave out that they are learnt, too. For a registered quantifier of one class against the
    rest, and more than 20,000 scores of either part, numbers of few scores are redrawn (see `ScoreCells`): an estimate differs
    from that of all rows by less than 1e-4, SORD's by less than 1e-3; if more than 2,000 training scores are distinct, those of
    threshold policies and MS by about a tenth of their standard error. The draws are others than those of rows.

    Parameters
    ----------
    methods : as in `make_quantifiers`; a copy of your own is fitted anew on each draw, even if it is fitted already.
    sample : (m,) or (m, n_classes), scores of the sample.
    scores, labels : (n,) or (n, n_classes), and (n,): out-of-fold training scores, and labels 0 and 1 or from 0.
    rng : random generator of all draws.
    replicates : at least 100.
    posteriors : whether the scores are posteriors: see `make_quantifiers`.
    n_jobs : how many threads estimate at once, as in joblib; results are the same with any number.
    on_progress : called with the share of the work that is done.

    Raises
    ------
    InvalidInput
        An unknown method, scores outside [0, 1], or too few replicates.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([1, 0], 50)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.2), 0.0, 1.0)
    >>> drawn = double_bootstrap(["AC"], scores[30:80], scores, labels, rng=rng)["AC"]
    >>> drawn.shape, round(float(np.median(drawn)), 1)
    ((1000,), 0.4)
    """
    check_integer("replicates", replicates, low=_FITS)
    training, truth = check_labelled_scores(scores, labels)
    checked, named = (check_scores if training.ndim == 1 else check_class_scores)("sample", sample), by_name(methods)
    n_samples = np.diff(np.linspace(0, replicates, _FITS + 1).astype(int))
    counted = _counted(named) if training.ndim == 1 and max(len(checked), len(training)) > _LARGE else {}
    rest = {name: method for name, method in named.items() if name not in counted}
    centre = Sigmoid.fit(training, truth) if training.ndim == 1 else None
    runs: list[tuple[Estimate, Iterable[Any]]] = []
    if counted:
        cells = ScoreCells.of(checked, training, truth)
        counted_draws = redrawn_counts(cells, n_samples, centre, rng, posteriors=posteriors)
        runs.append((partial(counted_estimates, counted), counted_draws))
    if rest:
        runs.append(
            (partial(_of_rows, rest), _redrawn(checked, (training, truth), n_samples, centre, rng, posteriors=posteriors))
        )
    found: dict[str, FloatArray] = {}
    with one_thread():
        for number, (estimate, draws) in enumerate(runs):
            parts: list[dict[str, FloatArray]] = []
            n_done = 0
            for part in Parallel(n_jobs=n_jobs, require="sharedmem", return_as="generator")(
                delayed(where_limited(estimate))(drawn) for drawn in draws
            ):
                parts.append(part)
                n_done += len(next(iter(part.values())))
                if on_progress:
                    on_progress((number + n_done / replicates) / len(runs))
            found |= {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {name: found[name] for name in named}


def _counted(methods: Mapping[str, Any]) -> dict[str, QuantifierEntry]:
    """The entries of the registered methods that take numbers of scores, by the method's name."""
    entries = {name: QUANTIFIERS[key] for name, key in registered_keys(methods).items() if key is not None}
    return {name: entry for name, entry in entries.items() if entry.takes_counts}


def _of_rows(methods: Mapping[str, Any], redrawn: Redrawn) -> dict[str, FloatArray]:
    return {name: refitted_estimates(name, method, redrawn) for name, method in methods.items()}


def _redrawn(
    sample: FloatArray, labelled: tuple[FloatArray, IntArray], n_samples_of_fits: IntArray, centre: Sigmoid | None,
    rng: np.random.Generator, *, posteriors: bool,
) -> Iterator[Redrawn]:  # fmt: skip
    """Training scores that are redrawn 100 times, class by class, each with its share of the redrawn samples; in blocks.

    Samples of more than some 100,000 scores come in several parts, each with the training scores that they are estimated with.
    """
    (training, labels), how = labelled, {"centre": centre, "posteriors": posteriors}
    of_classes = [training[labels == label] for label in np.unique(labels)]
    truth, waiting, n_scores = np.sort(labels), list[tuple[FloatArray, FloatArray]](), 0
    for n_samples in n_samples_of_fits:
        scores = np.concatenate([one[rng.integers(len(one), size=len(one))] for one in of_classes])
        for samples in _redrawn_samples(sample, int(n_samples), rng):
            waiting.append((scores, samples))
            n_scores += scores.size + samples.size
            if n_scores >= _ESTIMATED_AT_ONCE:
                yield _block(waiting, truth, how)
                waiting, n_scores = [], 0
    if waiting:
        yield _block(waiting, truth, how)


def _block(drawn: list[tuple[FloatArray, FloatArray]], labels: IntArray, how: Mapping[str, Any]) -> Redrawn:
    training, samples = zip(*drawn, strict=True)
    fits = np.repeat(np.arange(len(drawn)), [len(part) for part in samples])
    return Redrawn(np.stack(training), labels, np.concatenate(samples), fits, **how)


def _redrawn_samples(sample: FloatArray, n_samples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """The sample redrawn so many times, in parts."""
    part = max(1, _LARGEST_PART // sample.size)
    for start in range(0, n_samples, part):
        yield sample[rng.integers(len(sample), size=(min(part, n_samples - start), len(sample)))]


def percentiles(estimates: FloatArray, level: float, sample_size: int) -> FloatArray:
    """The percentile interval of bootstrap estimates, (replicates, ...) -> (2, ...).

    Where nearly all estimates are 0, or all are 1, `beside_none_or_all` replaces the other end.
    """
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(estimates, (tail, 1.0 - tail), axis=0)
    return np.stack(beside_none_or_all(low, high, level, sample_size))
