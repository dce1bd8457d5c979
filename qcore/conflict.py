"""Two conflicting perfect quantifiers: both count the irises of class 3 right, and only one of them finds any (B Figure 6.1).

Both are lines in the plane of petal length and width. w1 takes class 1 for class 3: all positives are missed, and as many
negatives are taken for them. w2 separates class 3 as well as a line with as many errors on both sides can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from qcore.datasets import load_dataset
from qcore.validation import FloatArray

FEATURES: Final = ("petal length (cm)", "petal width (cm)")
POSITIVE: Final = "virginica"
WRONG: Final = "setosa"


@dataclass(frozen=True)
class Hypothesis:
    """A line through the plane: `normal` (2,) and `offset`; positive where normal x - offset is at least 0."""

    name: str
    normal: FloatArray
    offset: float
    fp: int
    fn: int


@dataclass(frozen=True)
class Conflict:
    """The irises (two features and class) and the two hypotheses, with the numbers of both classes."""

    table: pd.DataFrame
    hypotheses: tuple[Hypothesis, Hypothesis]
    positives: int
    negatives: int

    def rates(self, hypothesis: Hypothesis) -> tuple[float, float]:
        """Its (tpr, fpr)."""
        return 1.0 - hypothesis.fn / self.positives, hypothesis.fp / self.negatives

    def counted(self, hypothesis: Hypothesis, prevalences: FloatArray) -> FloatArray:
        """What counting with it says where the true prevalence is p, (...): p tpr + (1 - p) fpr (Forman's theorem)."""
        tpr, fpr = self.rates(hypothesis)
        return prevalences * tpr + (1.0 - prevalences) * fpr


def conflict() -> Conflict:
    """Fit both lines on all irises, and set each where it counts exactly as many as there are of class 3."""
    dataset = load_dataset("iris")
    features = dataset.features[list(FEATURES)]
    labels = np.asarray(dataset.labels)
    table = features.assign(**{"class": labels})
    positive = labels == POSITIVE
    found = [
        _hypothesis(name, features.to_numpy(), labels == target, positive) for name, target in (("w1", WRONG), ("w2", POSITIVE))
    ]
    return Conflict(table, (found[0], found[1]), int(positive.sum()), int((~positive).sum()))


def _hypothesis(name: str, features: FloatArray, target: np.ndarray, positive: np.ndarray) -> Hypothesis:
    """The line that tells the target from the rest, moved to where as many lie above it as there are positives."""
    scaler = StandardScaler().fit(features)
    normal = LogisticRegression().fit(scaler.transform(features), target).coef_[0] / scaler.scale_
    values = features @ normal
    ordered = np.sort(values)[::-1]
    wanted = int(positive.sum())
    offset = float((ordered[wanted - 1] + ordered[wanted]) / 2.0)
    predicted = values >= offset
    return Hypothesis(name, normal, offset, int((predicted & ~positive).sum()), int((~predicted & positive).sum()))
