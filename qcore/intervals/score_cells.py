"""Many scores as numbers of few: cells so narrow that estimates from their mean scores are nearly those of all rows."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.batch import THRESHOLD
from qcore.quantifiers.histogram_matching import DYS_BINS, HDY_BINS

_FEW: Final = 2000
"""So many distinct scores, or fewer, are cells by themselves."""
_CELLS: Final = 500
"""Else so many cells of equal width, divided further by as many quantiles."""
_TAILS: Final = np.geomspace(1e-9, 2e-3, 40)
"""Distances from 0 and 1, where the ratio of the classes' densities, which likelihoods depend on, changes fast."""
_BIN_EDGES: Final = np.unique(np.concatenate([np.arange(1, n) / n for n in {*HDY_BINS, *DYS_BINS, 100}]))


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
