"""Quantify, then classify better: posteriors adjusted to a prevalence, and what they tell.

Source: Saerens et al. 2002.

Three answers of one set of posteriors, by prevalence: the share of positives, calibration, and how good the classifier is.

Source: Moreo 2025.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray, InvalidInput
from qcore.evaluation.estimates import estimate
from qcore.measures import ContingencyTable, Skew
from qcore.measures.classification import accuracy, f_measure
from qcore.measures.probability import CLASSIFIER_MEASURES, EstimatedMeasures, estimated_measures, reliability
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import Quantifier
from qcore.quantifiers.expectation_maximisation import adjusted_posteriors
from qcore.scoring.scores import Scores

ADJUSTMENTS = ("as they are", "to the estimate", "to the truth")
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


TRUTH = "truth"
POSTERIORS = ("as they are", "adjusted")
"""Scores taken as posteriors as they are, and adjusted to a quantifier's estimate of each sample."""


@dataclass(frozen=True)
class PosteriorTasks:
    """The answers that posteriors give for samples, beside the truth.

    Attributes
    ----------
    table : by (of `TRUTH` and `POSTERIORS`), true (prevalence), prevalence, accuracy, F1, AUC, means of the samples with that
        prevalence; AUC is NaN where there is only one class.
    reliability : by (of `POSTERIORS`), true, and the columns of `reliability`, of all instances of those samples; only where
        both classes are there.
    """

    table: pd.DataFrame
    reliability: pd.DataFrame

    def nearest(self, prevalence: float) -> float:
        """The true prevalence nearest to the given one, of those with both classes."""
        true = np.unique(self.reliability.true)
        return float(true[np.abs(true - prevalence).argmin()])

    def errors(self) -> pd.DataFrame:
        """The table's rows of `POSTERIORS` minus the truth, for samples with both classes."""
        of = {name: rows.drop(columns="by").set_index("true") for name, rows in self.table.groupby("by")}
        both = np.unique(self.reliability.true)
        return pd.concat(of[name].sub(of[TRUTH]).loc[both].assign(by=name) for name in POSTERIORS).reset_index()


def posterior_tasks(
    quantifier: Quantifier, scores: Scores, protocol: ArtificialPrevalence, *, threshold: float = 0.5
) -> PosteriorTasks:
    """The share, the reliability and the classifier's measures that posteriors give at each prevalence, beside the truth.

    The classifier predicts by its scores and `threshold`, whatever the posteriors. Raises InvalidInput if the pool can't give
    the samples.
    """
    samples = protocol.draw(scores.pool_labels, random_stream(scores.seed, RandomStream.DECISIONS))
    estimates = estimate({"method": quantifier}, scores, samples).by_method["method"]
    indices = np.concatenate([block for _, block in samples.blocks()])
    raw, labels = scores.pool_scores[indices], scores.pool_labels[indices]
    read = scores.pool_posteriors[indices]
    adjusted = adjusted_posteriors(read, scores.training_prevalence, estimates[:, np.newaxis])
    # With the labels 0 and 1 as posteriors, the expected measures are the true ones.
    given = {TRUTH: labels.astype(np.float64), **dict(zip(POSTERIORS, (read, adjusted), strict=True))}
    table = pd.concat(
        _table(name, samples.prevalences, estimated_measures(posteriors, raw, threshold=threshold))
        for name, posteriors in given.items()
    )
    return PosteriorTasks(table, _reliability(given, labels, samples.prevalences))


def _table(name: str, prevalences: FloatArray, measures: EstimatedMeasures) -> pd.DataFrame:
    values = pd.DataFrame(dict(zip(["prevalence", *CLASSIFIER_MEASURES], measures, strict=True)))
    means = values.groupby(prevalences).mean()
    return means.rename_axis("true").reset_index().assign(by=name)


def _reliability(given: dict[str, FloatArray], labels: IntArray, prevalences: FloatArray) -> pd.DataFrame:
    tables = []
    for true in np.unique(prevalences):
        rows = prevalences == true
        truth = labels[rows].ravel()
        if 0 < truth.sum() < len(truth):
            tables += [reliability(given[name][rows].ravel(), truth).assign(by=name, true=true) for name in POSTERIORS]
    return pd.concat(tables, ignore_index=True)
