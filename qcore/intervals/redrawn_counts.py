"""The double bootstrap of large samples: numbers of few scores are redrawn in place of all rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.intervals.score_cells import ScoreCells
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import QuantifierEntry
from qcore.quantifiers.counted_batch import CountedBatch
from qcore.scoring.sigmoid import Sigmoid


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
    """Redraw the training scores, and for them so many samples as each of `n_samples`, (n_fits,), says."""
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
    return {name: _estimates(entry, redrawn) for name, entry in entries.items()}


def _estimates(entry: QuantifierEntry, redrawn: RedrawnCounts) -> FloatArray:
    if entry.reads_posteriors and not redrawn.posteriors:
        quantifier = entry.make().fit(redrawn.curve(redrawn.training), redrawn.labels)
        return quantifier.predict(redrawn.samples.mapped(redrawn.curve))
    if entry.adjusts is not None:
        of_negatives, of_positives = (entry.adjusts(batch) for batch in redrawn.of_classes)
        return adjust(entry.adjusts(redrawn.samples), of_positives, of_negatives)
    samples = redrawn.scattered_samples if entry.needs_probabilities and entry.corrects else redrawn.samples
    return entry.make().fit(redrawn.training, redrawn.labels).predict(samples)
