"""Three answers of one set of posteriors, by prevalence: the share of positives, calibration, and how good the classifier is.

Source: Moreo 2025.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray
from qcore.evaluation.estimates import estimate
from qcore.measures.estimated import CLASSIFIER_MEASURES, EstimatedMeasures, estimated_measures
from qcore.measures.probability import reliability
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import Quantifier
from qcore.quantifiers.expectation_maximisation import adjusted_posteriors
from qcore.scoring.scores import Scores

TRUTH: Final = "truth"
POSTERIORS: Final = ("as they are", "adjusted")
"""Scores taken for posteriors as they are, and adjusted to a quantifier's estimate of each sample."""


@dataclass(frozen=True)
class PosteriorTasks:
    """The answers that posteriors give for samples, beside the truth.

    Attributes
    ----------
    table : by (of `TRUTH` and `POSTERIORS`), true (prevalence), prevalence, accuracy, F1, AUC, means of the samples with that
        prevalence; AUC is NaN where there is one class alone.
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
