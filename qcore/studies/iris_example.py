"""The iris example: two classifiers that both count the irises of class 3 right, and only one of them finds any.

Both are lines in the plane of petal length and width. w1 predicts class 1 to be class 3: all positives are false negatives, and
there are as many false positives. w2 separates class 3 as well as a line with FP = FN can.
Source: Barranquero 2013, Figure 6.1.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from qcore._base.validation import FloatArray
from qcore.datasets import load_dataset
from qcore.quantifiers.adjustment import expected_count

FEATURES = ("petal length (cm)", "petal width (cm)")
POSITIVE = "virginica"
WRONG = "setosa"


@dataclass(frozen=True)
class Hypothesis:
    """A line through the plane: `normal` (2,) and `offset`; positive where normal x - offset is at least 0."""

    name: str
    normal: FloatArray
    offset: float
    fp: int
    fn: int


@dataclass(frozen=True)
class IrisExample:
    """The irises (two features and class) and the two hypotheses, with the numbers of both classes."""

    table: pd.DataFrame
    hypotheses: tuple[Hypothesis, Hypothesis]
    positives: int
    negatives: int

    def rates(self, hypothesis: Hypothesis) -> tuple[float, float]:
        """(tpr, fpr) of a hypothesis."""
        return 1.0 - hypothesis.fn / self.positives, hypothesis.fp / self.negatives

    def expected_count(self, hypothesis: Hypothesis, prevalences: FloatArray) -> FloatArray:
        """The share that a hypothesis counts on average at the true prevalences, (...)."""
        return expected_count(*self.rates(hypothesis), prevalences)


def iris_example() -> IrisExample:
    """Fit both lines on all irises, and move each to where it counts exactly as many as there are in class 3."""
    dataset = load_dataset("iris")
    features = dataset.features[list(FEATURES)]
    labels = np.asarray(dataset.labels)
    table = features.assign(**{"class": labels})
    positive = labels == POSITIVE
    hypotheses = [
        _hypothesis(name, features.to_numpy(), labels == target, positive) for name, target in (("w1", WRONG), ("w2", POSITIVE))
    ]
    return IrisExample(table, (hypotheses[0], hypotheses[1]), int(positive.sum()), int((~positive).sum()))


def _hypothesis(name: str, features: FloatArray, target: np.ndarray, positive: np.ndarray) -> Hypothesis:
    """The line that separates the target from the rest, moved to where as many lie above it as there are positives."""
    scaler = StandardScaler().fit(features)
    normal = LogisticRegression().fit(scaler.transform(features), target).coef_[0] / scaler.scale_
    values = features @ normal
    ordered = np.sort(values)[::-1]
    n_positives = int(positive.sum())
    offset = float((ordered[n_positives - 1] + ordered[n_positives]) / 2.0)
    predicted = values >= offset
    return Hypothesis(name, normal, offset, int((predicted & ~positive).sum()), int((~predicted & positive).sum()))
