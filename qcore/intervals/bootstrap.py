"""The bootstrap of the sample and of the training scores together, of few rows and of many.

Many scores as numbers of few: cells so narrow that estimates from their mean scores are nearly those of all rows.

The double bootstrap of large samples: numbers of few scores are redrawn in place of all rows.

Estimates of redrawn samples by quantifiers that are fitted anew to redrawn training scores.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike

from qcore._base.threads import one_thread, where_limited
from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    check_class_scores,
    check_integer,
    check_labelled_scores,
    check_level,
    check_scores,
)
from qcore.intervals.analytic import Interval, beside_none_or_all, clipped
from qcore.intervals.counts import Counts
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import QuantifierEntry, blockwise
from qcore.quantifiers.batch import THRESHOLD, Batch, CountedBatch
from qcore.quantifiers.fitting import Methods, by_name, check_estimates, only_to_read, registered_keys
from qcore.quantifiers.histogram_matching import DYS_BINS, HDY_BINS
from qcore.scoring.sigmoid import Sigmoid

_FEW = 2000
"""This many distinct scores, or fewer, are cells by themselves."""
_CELLS = 500
"""Else this many cells of equal width, divided further by as many quantiles."""
_FEW_CELLS = 128
"""This many cells of equal width, and as many with equally many scores, are enough where no histogram is made of them."""
_TAILS = np.geomspace(1e-9, 2e-3, 40)
"""Distances from 0 and 1, where the ratio of the classes' densities, which likelihoods depend on, changes fast."""
_BIN_EDGES = np.unique(np.concatenate([np.arange(1, n) / n for n in {*HDY_BINS, *DYS_BINS, 100}]))


@dataclass(frozen=True)
class ScoreCells:
    """A sample and training scores as numbers of the same few scores.

    No cell holds two training scores, or scores on both sides of 0.5, of the training prevalence or of an edge of a histogram,
    unless there are more than 2,000 distinct training scores: then the two share cells, and thresholds are scores of these.

    Attributes
    ----------
    scores : (n_scores,), increasing, of the sample.
    counts : (n_scores,), how many of the sample each stands for.
    training : (n_training_scores,), increasing, of the training part.
    of_classes : (2, n_training_scores), how many negatives and positives each stands for.
    """

    scores: FloatArray
    counts: IntArray
    training: FloatArray
    of_classes: IntArray

    @classmethod
    def of(cls, sample: FloatArray, training: FloatArray, labels: IntArray) -> "ScoreCells":
        """The cells of a sample, (m,), and of training scores and labels 0 and 1, (n,) each."""
        distinct = np.unique(training)
        fixed = [_BIN_EDGES, [0.0, THRESHOLD, float(labels.mean())]]
        edges = np.unique(np.concatenate([*fixed, _edges(distinct, training), _edges(np.unique(sample), sample)]))
        sums, counts = _in_cells(edges, sample)
        training_sums, training_counts = _in_cells(edges, training)
        means = np.where(counts, sums, training_sums) / np.maximum(np.where(counts, counts, training_counts), 1)
        # A mean of equal numbers may differ from them in its last digit.
        scores = np.clip(means, edges, np.nextafter(np.append(edges[1:], 2.0), 0.0))
        own = distinct if len(distinct) <= _FEW else scores[training_counts > 0]
        places = np.searchsorted(own, training) if len(distinct) <= _FEW else _places(edges, training, training_counts)
        of_classes = np.stack([np.bincount(places[labels == label], minlength=len(own)) for label in (0, 1)])
        return cls(scores[counts > 0], counts[counts > 0], own, of_classes)


def few_cells(sample: FloatArray, prevalence: float) -> tuple[FloatArray, IntArray]:
    """The mean scores of cells of a large sample, increasing, and how many scores each stands for: some 400 cells.

    They are enough for a mean of the scores, for a share at the threshold 0.5, and for a likelihood of posteriors: none has
    scores on both sides of 0.5 or of the training prevalence.
    """
    quantiles = np.quantile(sample, np.arange(1, _FEW_CELLS) / _FEW_CELLS, method="inverted_cdf")
    wide = np.arange(1, _FEW_CELLS) / _FEW_CELLS
    edges = np.unique(np.concatenate([[0.0, THRESHOLD, prevalence], quantiles, wide, _TAILS, 1.0 - _TAILS]))
    sums, counts = _in_cells(edges, sample)
    return sums[counts > 0] / counts[counts > 0], counts[counts > 0]


def _edges(distinct: FloatArray, scores: FloatArray) -> FloatArray:
    """The scores themselves if they are few, else edges of narrow cells with few scores each."""
    if len(distinct) <= _FEW:
        return distinct
    quantiles = np.quantile(scores, np.arange(1, _CELLS) / _CELLS, method="inverted_cdf")
    return np.concatenate([quantiles, np.arange(1, _CELLS) / _CELLS, _TAILS, 1.0 - _TAILS])


def _in_cells(edges: FloatArray, scores: FloatArray) -> tuple[FloatArray, IntArray]:
    """The sum of the scores in each cell, and their number, (n_edges,) each."""
    cells = np.searchsorted(edges, scores, side="right") - 1
    sums: FloatArray = np.asarray(np.bincount(cells, scores, minlength=len(edges)), dtype=np.float64)
    return sums, np.bincount(cells, minlength=len(edges))


def _places(edges: FloatArray, scores: FloatArray, counts: IntArray) -> IntArray:
    """Which of the cells that are not empty each score lies in, (n,)."""
    return (np.cumsum(counts > 0) - 1)[np.searchsorted(edges, scores, side="right") - 1]


@dataclass(frozen=True)
class RedrawnCounts:
    """Training scores that are redrawn once, class by class, and samples that are redrawn for the fit on them.

    Attributes
    ----------
    training, labels : (n,) each, redrawn scores and their labels.
    of_classes : the negatives and the positives among them.
    samples : the redrawn samples.
    centre : the sigmoid of the training scores before they are redrawn.
    posteriors : whether the scores are posteriors: see `make_quantifiers`.
    """

    training: FloatArray
    labels: IntArray
    of_classes: tuple[CountedBatch, CountedBatch]
    samples: CountedBatch
    centre: Sigmoid | None
    posteriors: bool

    @cached_property
    def curve(self) -> Sigmoid:
        """The sigmoid of the redrawn training scores."""
        scores, labels = np.tile(self.of_classes[0].scores[0], 2), np.repeat([0, 1], self.of_classes[0].scores.shape[1])
        counts = np.concatenate([batch.counts[0] for batch in self.of_classes])
        return Sigmoid.fit(scores, labels, self.centre, counts)

    @cached_property
    def scattered_samples(self) -> CountedBatch:
        """The samples, their posteriors moved as this sigmoid differs from that of all training scores: see `Redrawn`."""
        centre = self.centre
        return self.samples if centre is None else self.samples.mapped(lambda scores: self.curve.scattered(scores, centre))


def redrawn_counts(
    cells: ScoreCells, n_samples: IntArray, centre: Sigmoid | None, rng: np.random.Generator, *, posteriors: bool
) -> Iterator[RedrawnCounts]:
    """Redraw the training scores, and for each draw as many samples as `n_samples`, (n_fits,), says."""
    totals, labels = cells.of_classes.sum(axis=1), np.repeat([0, 1], cells.of_classes.sum(axis=1))
    size = int(cells.counts.sum())
    for n in n_samples:
        drawn = [rng.multinomial(total, of_one / total) for total, of_one in zip(totals, cells.of_classes, strict=True)]
        training = np.concatenate([np.repeat(cells.training, of_one) for of_one in drawn])
        negatives, positives = (CountedBatch(cells.training, of_one[np.newaxis]) for of_one in drawn)
        samples = CountedBatch(cells.scores, rng.multinomial(size, cells.counts / size, size=int(n)))
        yield RedrawnCounts(training, labels, (negatives, positives), samples, centre, posteriors)


def counted_estimates(entries: Mapping[str, QuantifierEntry], redrawn: RedrawnCounts) -> dict[str, FloatArray]:
    """Estimates of the samples by each registered quantifier, fitted to the redrawn training scores: (n_samples,) each."""
    return {name: _estimates_of_counts(entry, redrawn) for name, entry in entries.items()}


def _estimates_of_counts(entry: QuantifierEntry, redrawn: RedrawnCounts) -> FloatArray:
    if entry.reads_posteriors and not redrawn.posteriors:
        quantifier = entry.make().fit(redrawn.curve(redrawn.training), redrawn.labels)
        return quantifier.predict(redrawn.samples.mapped(redrawn.curve))
    if entry.adjusts is not None:
        of_negatives, of_positives = (entry.adjusts(batch) for batch in redrawn.of_classes)
        return adjust(entry.adjusts(redrawn.samples), of_positives, of_negatives)
    samples = redrawn.scattered_samples if entry.needs_probabilities and entry.corrects else redrawn.samples
    return entry.make().fit(redrawn.training, redrawn.labels).predict(samples)


@dataclass(frozen=True)
class Redrawn:
    """Redrawn training scores, and redrawn samples for each of them; scores of all classes have a last axis of classes.

    Attributes
    ----------
    training : (n_fits, n_training) scores, sorted by class.
    labels : (n_training,) the same for all.
    samples : (n_samples, sample_size) scores.
    fits : (n_samples,) the training scores, by index and in increasing order, with which each sample is estimated.
    centre : the sigmoid of the training scores before they are redrawn; None for scores of all classes.
    posteriors : whether the scores are posteriors: see `make_quantifiers`.
    """

    training: FloatArray
    labels: IntArray
    samples: FloatArray
    fits: IntArray
    centre: Sigmoid | None = None
    posteriors: bool = True

    @cached_property
    def scattered_samples(self) -> FloatArray:
        """The samples, their posteriors moved as the sigmoid of the redrawn training scores differs from that of all.

        Else the interval of a quantifier that takes scores for posteriors would leave out that these are learnt, too.
        """
        if self.centre is None:
            return self.samples
        curves = Sigmoid.fit(self.training, self.labels, self.centre)
        return curves.of(self.fits).scattered(self.samples, self.centre)


def refitted_estimates(name: str, method: Any, redrawn: Redrawn) -> FloatArray:
    """Estimates of the samples by a method, each fitted to its training scores: (n_samples,) or (n_samples, n_classes).

    What labels alone teach is learnt once, and an adjusted share takes the shares of all training scores in one operation.
    Raises InvalidInput for an invalid method, or invalid estimates of a user-defined one.
    """
    entry = QUANTIFIERS.get(registered_keys({name: method})[name] or "")
    if entry is not None and entry.reads_posteriors and not redrawn.posteriors:
        # A sigmoid is learnt from the scores of each draw, whatever else is.
        entry = None
    if entry is not None and entry.learns_from_labels_alone:
        samples = redrawn.scattered_samples if entry.needs_probabilities and entry.corrects else redrawn.samples
        return make_quantifiers({name: method}, redrawn.training[0], redrawn.labels)[name].predict(samples)
    if entry is not None and entry.adjusts is not None and redrawn.samples.ndim == 2:
        return _adjusted(entry.adjusts, redrawn)
    starts = np.searchsorted(redrawn.fits, np.arange(len(redrawn.training) + 1))
    estimates = [
        _estimates(name, method, (scores, redrawn.labels), redrawn.samples[start:end], posteriors=redrawn.posteriors)
        for scores, start, end in zip(redrawn.training, starts, starts[1:], strict=False)
    ]
    return np.concatenate(estimates)


def _adjusted(share: Callable[[Batch], FloatArray], redrawn: Redrawn) -> FloatArray:
    of_classes = [blockwise(redrawn.training[:, redrawn.labels == label], share) for label in (0, 1)]
    of_negatives, of_positives = (shares[redrawn.fits] for shares in of_classes)
    return adjust(blockwise(redrawn.samples, share), of_positives, of_negatives)


def _estimates(
    name: str, method: Any, training: tuple[FloatArray, IntArray], samples: FloatArray, *, posteriors: bool
) -> FloatArray:
    quantifier = make_quantifiers({name: method}, *training, refit=True, posteriors=posteriors)[name]
    return check_estimates(name, quantifier.predict(only_to_read(samples)), (len(samples), *samples.shape[2:]))


Estimate = Callable[[Any], dict[str, FloatArray]]
"""What is redrawn -> the estimates of each method."""

_REPLICATES = 1000
_FITS = 100
_LARGEST_PART = 4_000_000
"""Number of scores of samples that are gathered at once."""
_LARGE = 20_000
"""More scores than this are redrawn as numbers of few."""
_ESTIMATED_AT_ONCE = 200_000
"""Samples are estimated together once they hold this many scores: fewer cost more calls, more exceed the processor's cache."""


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
            # A sample with weights has an effective size, which need not be whole.
            (np.rint(counts.sample_size).astype(np.intp), counts.count),
            (counts.positives, counts.tpr),
            (counts.negatives, counts.fpr),
        )
    )
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
    sample: FloatArray,
    labelled: tuple[FloatArray, IntArray],
    n_samples_of_fits: IntArray,
    centre: Sigmoid | None,
    rng: np.random.Generator,
    *,
    posteriors: bool,
) -> Iterator[Redrawn]:
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
    """The sample redrawn that many times, in parts."""
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
