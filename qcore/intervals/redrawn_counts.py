"""The double bootstrap of large samples: numbers of few scores are redrawn in place of all rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.intervals.score_cells import ScoreCells
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import QuantifierEntry
from qcore.quantifiers.counted_batch import CountedBatch


@dataclass(frozen=True)
class RedrawnCounts:
    """Training scores that are redrawn once, class by class, and samples that are redrawn for the fit on them.

    Attributes
    ----------
    training, labels : (n,) each, redrawn scores and their labels.
    of_classes : the negatives and the positives among them.
    samples : the redrawn samples.
    """

    training: FloatArray
    labels: IntArray
    of_classes: tuple[CountedBatch, CountedBatch]
    samples: CountedBatch


def redrawn_counts(cells: ScoreCells, n_samples: IntArray, rng: np.random.Generator) -> Iterator[RedrawnCounts]:
    """Redraw the training scores, and for them so many samples as each of `n_samples`, (n_fits,), says."""
    totals, labels = cells.of_classes.sum(axis=1), np.repeat([0, 1], cells.of_classes.sum(axis=1))
    size = int(cells.counts.sum())
    for n in n_samples:
        drawn = [rng.multinomial(total, of_one / total) for total, of_one in zip(totals, cells.of_classes, strict=True)]
        training = np.concatenate([np.repeat(cells.training, of_one) for of_one in drawn])
        negatives, positives = (CountedBatch(cells.training, of_one[np.newaxis]) for of_one in drawn)
        samples = CountedBatch(cells.scores, rng.multinomial(size, cells.counts / size, size=int(n)))
        yield RedrawnCounts(training, labels, (negatives, positives), samples)


def counted_estimates(entries: Mapping[str, QuantifierEntry], redrawn: RedrawnCounts) -> dict[str, FloatArray]:
    """Estimates of the samples by each registered quantifier, fitted to the redrawn training scores: (n_samples,) each."""
    return {name: _estimates(entry, redrawn) for name, entry in entries.items()}


def _estimates(entry: QuantifierEntry, redrawn: RedrawnCounts) -> FloatArray:
    if entry.adjusts is not None:
        of_negatives, of_positives = (entry.adjusts(batch) for batch in redrawn.of_classes)
        return adjust(entry.adjusts(redrawn.samples), of_positives, of_negatives)
    return entry.make().fit(redrawn.training, redrawn.labels).predict(redrawn.samples)
