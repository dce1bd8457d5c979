"""The contract of a quantifier: scikit-learn's verbs, NumPy's broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

from numpy.typing import ArrayLike

from qcore.quantifiers.batch import Batch
from qcore.validation import FloatArray, IntArray, InvalidInput, check_binary_labels, check_scores


class Quantifier(Protocol):
    """Estimate positive prevalence from scores. Parameters are dataclass fields; what is learnt ends in `_`."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn from out-of-fold scores in [0, 1] and labels 0 and 1, both (n_training,), both classes present."""
        ...

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Estimates in [0, 1], shape (...), of samples of scores in [0, 1], shape (..., sample_size).

        A Batch holds the scores of a block of samples with what several quantifiers need of them, made once.
        """
        ...


@dataclass(frozen=True)
class Entry:
    """A registered quantifier, with what a page needs to explain it.

    `make` returns a fresh, unfitted one; `formula` is LaTeX; `symmetric` says whether swapping the classes (labels and
    1 - score) gives one minus the estimate by definition.
    """

    key: str
    name: str
    make: Callable[[], Quantifier]
    family: str
    idea: str
    formula: str
    source: str
    symmetric: bool


def training_data(scores: ArrayLike, labels: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Checked (scores, labels) for `fit`, shape (n_training,) each. Raises InvalidInput."""
    checked = check_scores("scores", scores)
    if checked.ndim != 1:
        rule, way_out = "be the positive class alone, on one axis", "Pass that column, for example scores[:, 1]."
        raise InvalidInput("scores", rule, f"shape {checked.shape}", way_out)
    return checked, check_binary_labels("labels", labels, len(checked))
