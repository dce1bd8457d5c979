"""Quantify, then classify better: decisions by scores that are adjusted to a sample's estimated prevalence.

Source: Saerens et al. 2002.
"""

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, InvalidInput
from qcore.evaluation.estimates import estimate
from qcore.measures.classification import accuracy, f_measure
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.costs import Skew
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import Quantifier
from qcore.quantifiers.expectation_maximisation import adjusted_posteriors
from qcore.scoring.scores import Scores

ADJUSTMENTS: Final = ("as they are", "to the estimate", "to the truth")
"""What scores are adjusted to before instances are classified; the truth is known in an experiment only."""


def decision_threshold(skew: Skew) -> float:
    """The threshold on probabilities with the lowest expected cost: FPcost / (FPcost + FNcost). Source: Elkan 2001."""
    return skew.false_positive / (skew.false_positive + skew.false_negative)


def decisions_by_prevalence(
    quantifier: Quantifier, scores: Scores, protocol: ArtificialPrevalence, skew: Skew, seed: int
) -> pd.DataFrame:
    """How well instances are classified at each prevalence, with scores as they are and adjusted.

    Parameters
    ----------
    quantifier : a fitted quantifier; scores are adjusted to its estimate for the sample.
    skew : the costs of both errors, which set the threshold.

    Returns a tidy table: adjusted (of ADJUSTMENTS), true, accuracy, F1, cost (mean per instance), each of all instances of the
    samples with that prevalence. Raises InvalidInput if the pool can't give the samples.
    """
    if skew.false_positive + skew.false_negative <= 0:
        raise InvalidInput("the costs", "not both be 0", "0 and 0", "Give one of them a cost.")
    samples = protocol.draw(scores.pool_labels, random_stream(seed, RandomStream.DECISIONS))
    estimates = estimate({"method": quantifier}, scores, samples).by_method["method"]
    threshold, before = decision_threshold(skew), scores.training_prevalence
    counts = np.zeros((len(ADJUSTMENTS), 4, len(samples)))
    for part, indices in samples.blocks():
        raw, truth = scores.pool_posteriors[indices], scores.pool_labels[indices] == 1
        targets = (None, estimates[part], samples.prevalences[part])
        for number, target in enumerate(targets):
            adjusted = raw if target is None else adjusted_posteriors(raw, before, target[:, np.newaxis])
            counts[number, :, part] = _counts(adjusted >= threshold, truth)
    return pd.concat([_row(name, of, samples.prevalences, skew) for name, of in zip(ADJUSTMENTS, counts, strict=True)])


def _counts(predicted: NDArray[np.bool_], truth: NDArray[np.bool_]) -> FloatArray:
    """TP, FP, FN and TN of each sample, (4, n_samples)."""
    pairs = ((predicted, truth), (predicted, ~truth), (~predicted, truth), (~predicted, ~truth))
    return np.array([(first & second).sum(axis=1) for first, second in pairs]).astype(np.float64)


def _row(name: str, counts: FloatArray, prevalences: FloatArray, skew: Skew) -> pd.DataFrame:
    true, positions = np.unique(prevalences, return_inverse=True)
    sums = [np.bincount(positions, weights=column).astype(np.float64) for column in counts]
    table = ContingencyTable(*sums)
    cost = (skew.false_positive * table.fp + skew.false_negative * table.fn) / table.size
    return pd.DataFrame({"adjusted": name, "true": true, "accuracy": accuracy(table), "F1": f_measure(table), "cost": cost})
