"""The contract of a quantifier: scikit-learn's verbs, NumPy's broadcasting.

The families of quantifiers, in the order in which pages list them.

Formulas, as LaTeX, that several entries of the registry share.

Samples of any number, answered block by block, so that memory stays bounded.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self, overload

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.metadata_routing import UNUSED

from qcore._base.registry import Entry
from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray, InvalidInput, check_class_scores, check_scores
from qcore.protocols.samples import samples_per_block
from qcore.quantifiers.batch import Batch, ClassBatch, class_samples_per_block
from qcore.quantifiers.inspection import Inspection


class Quantifier(Protocol):
    """Estimate prevalence from scores. Parameters are dataclass fields; what is learnt ends in `_`.

    Examples
    --------
    >>> class HalfWay:
    ...     def fit(self, scores, labels):
    ...         self.prevalence_ = np.mean(labels)
    ...         return self
    ...
    ...     def predict(self, scores):
    ...         return (np.mean(np.asarray(scores) >= 0.5, axis=-1) + self.prevalence_) / 2
    >>> HalfWay().fit([0.9, 0.2, 0.1, 0.3], [1, 0, 0, 0]).predict([[0.8, 0.9], [0.1, 0.6]]).tolist()
    [0.625, 0.375]
    """

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn from out-of-fold scores in [0, 1] and labels, every class present.

        Scores of one class against the rest are (n_training,), with labels 0 and 1. Some quantifiers take those of all classes,
        too, as their entries say: (n_training, n_classes), with the sum 1, and labels from 0, (n_training,).
        """
        ...

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Estimates in [0, 1], shape (...), of samples of scores in [0, 1], shape (..., sample_size).

        Of all classes both have n_classes as a last axis. A Batch (of all classes a ClassBatch) holds the scores of a block of
        samples, with what several quantifiers need of them, computed once. A CountedBatch holds samples of the same few scores
        by their numbers: methods of a Batch, such as `means` and `share_from`, take either, and `scores` by itself does not.
        """
        ...


class ScoreQuantifier(BaseEstimator):
    """What qcore's quantifiers share with scikit-learn's estimators: parameters that can be read, set and cloned.

    A quantifier is a dataclass, so it prints its parameters and equals another one with the same.
    """

    takes_counts: ClassVar[bool] = False
    """Whether `predict` takes a CountedBatch, of one class against the rest; else large samples are redrawn row by row."""

    __metadata_request__fit: ClassVar[Mapping[str, str]] = {"scores": UNUSED, "labels": UNUSED}
    __metadata_request__predict: ClassVar[Mapping[str, str]] = {"scores": UNUSED}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Raise NotFittedError, which is an AttributeError, for what `fit` would have learnt."""
            if name.endswith("_") and not name.startswith("_"):
                raise NotFittedError(f"This {type(self).__name__} is not fitted yet: call fit(scores, labels) first.")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class ThresholdPolicyQuantifier(Quantifier, Protocol):
    """A quantifier that counts at one threshold and adjusts the count.

    After `fit`, `threshold_` is the threshold and `corrects_` says whether the count is adjusted there.
    """

    threshold_: float
    corrects_: bool


@dataclass(frozen=True)
class QuantifierEntry(Entry):
    """A registered quantifier, with all properties of its kind of method, so that no other code checks its type.

    Attributes
    ----------
    make : returns a fresh, unfitted one.
    takes_all_classes : whether it takes the scores of all classes at once; another takes each class against the rest.
    family : key of FAMILIES.
    weakness : a phrase, as `idea` is: when it fails.
    formula : LaTeX.
    symmetric : whether swapping the classes (labels and 1 - score) gives one minus the estimate by definition.
    inspect : (fitted, one sample of scores) -> arrays that a page can draw; None if there is nothing to show.
    is_threshold_policy : whether it is a ThresholdPolicyQuantifier.
    reads_posteriors : whether it takes scores for posteriors: those of a classifier that gives no probabilities are calibrated
        for it.
    needs_probabilities : whether scores that are not calibrated probabilities make it wrong even without a shift.
    labels_needed : with fewer labelled instances of a class it is biased, which its bootstrap intervals do not show.
    no_interval : why redrawn samples do not show how far its estimate is off, if they do not: no interval is shown then.
    learns_from_labels_alone : whether it is the same after `fit` on other scores of the same labels.
    adjusts : (block of samples) -> the share, such as the count, that it corrects with the same share of each class's training
        scores, if this is how it estimates one class against the rest; else None. If it takes all classes, too, it
        then inverts `rates_`, of which `rates_[i, j]` is the share that class j adds to class i.

    Examples
    --------
    >>> from qcore import QUANTIFIERS
    >>> QUANTIFIERS["AC"].make(), QUANTIFIERS["AC"].family
    (AdjustedCount(rates=None), 'adjustment')
    """

    make: Callable[[], Quantifier]
    family: str
    weakness: str
    formula: str
    symmetric: bool
    inspect: Callable[[Any, FloatArray], Inspection] | None = None
    is_threshold_policy: bool = False
    reads_posteriors: bool = False
    needs_probabilities: bool = False
    takes_all_classes: bool = False
    labels_needed: int = 0
    no_interval: str = ""
    learns_from_labels_alone: bool = False
    adjusts: Callable[[Batch], FloatArray] | None = None

    @property
    def takes_counts(self) -> bool:
        """Whether what it makes estimates from numbers of few scores as well, as `ScoreQuantifier.takes_counts` says."""
        return bool(getattr(self.make(), "takes_counts", False))

    @property
    def corrects(self) -> bool:
        """Whether it corrects what it counts; if not, its estimates are off where prevalence differs from training."""
        return self.family not in ("counting", "baseline")


FAMILIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "counting": "Counting: no correction",
        "adjustment": "Adjusted by tpr and fpr",
        "thresholds": "Adjusted at a chosen threshold",
        "likelihood": "Maximum likelihood",
        "matching": "Distribution matching",
        "baseline": "Baseline",
    }
)


def adjusted_at(threshold: str) -> str:
    """The count adjusted at a threshold, which is given as LaTeX."""
    return r"\begin{gathered} \hat p = \frac{\hat p_{CC}(t) - fpr(t)}{tpr(t) - fpr(t)} \\ t = " + threshold + r" \end{gathered}"


def matched(distance: str) -> str:
    """The median over bin counts of the nearest mixtures, by a distance that is given as LaTeX."""
    return (
        r"\begin{gathered} \hat p = \operatorname{median}_b\; \hat a_b \\ "
        r"\hat a_b = \arg\min_a d(a P_b + (1 - a) N_b,\; Q_b) \\ " + distance + r" \end{gathered}"
    )


def likelihood(estimate: str) -> str:
    """An estimate, given as LaTeX, made of the two classes' likelihood ratios."""
    ratios = r" \\ u_i = \frac{s_i}{p_{train}}, \quad v_i = \frac{1 - s_i}{1 - p_{train}}"
    return r"\begin{gathered} " + estimate + ratios + r" \end{gathered}"


@overload
def blockwise(scores: ArrayLike | Batch | ClassBatch, estimate: Callable[[Batch], FloatArray]) -> FloatArray: ...
@overload
def blockwise(
    scores: ArrayLike | Batch | ClassBatch, estimate: Callable[[Any], FloatArray], n_classes: int | None
) -> FloatArray: ...
def blockwise(
    scores: ArrayLike | Batch | ClassBatch, estimate: Callable[[Any], FloatArray], n_classes: int | None = None
) -> FloatArray:
    """`estimate` of samples, block by block.

    Parameters
    ----------
    scores : (..., sample_size), in [0, 1]; of `n_classes` classes (..., sample_size, n_classes), with the sum 1. A Batch, or of
        several classes a ClassBatch, is taken as it is.
    estimate : from a block to its estimates, (n_samples,) or (n_samples, n_classes).
    n_classes : None for scores of one class against the rest.

    Returns the estimates, (...) or (..., n_classes).

    Raises
    ------
    InvalidInput
        Scores that are not numbers in [0, 1], or of other classes.
    """
    if isinstance(scores, Batch | ClassBatch):
        if isinstance(scores, Batch) != (n_classes is None):
            learnt = "one class against the rest" if n_classes is None else f"{n_classes} classes"
            hint = "Pass a Batch of one class's scores, or a ClassBatch of the scores of all classes, as in training."
            raise InvalidInput("scores", f"be of {learnt}, as in training", f"a {type(scores).__name__}", hint)
        if isinstance(scores, ClassBatch):
            _check_classes(scores.scores, n_classes)
        with one_thread():
            return estimate(scores)
    checked = check_scores("scores", scores) if n_classes is None else check_class_scores("scores", scores)
    sample_axes = 1 if n_classes is None else 2
    rows = checked.reshape(-1, *checked.shape[-sample_axes:])
    if n_classes is None:
        step, estimates = samples_per_block(rows.shape[1]), np.empty(len(rows))
    else:
        _check_classes(checked, n_classes)
        step, estimates = class_samples_per_block(rows.shape[1], n_classes), np.empty((len(rows), n_classes))
    kind = Batch if n_classes is None else ClassBatch
    with one_thread():
        for start in range(0, len(rows), step):
            estimates[start : start + step] = estimate(kind(rows[start : start + step]))
    return estimates.reshape(checked.shape[:-sample_axes] + estimates.shape[1:])


def _check_classes(scores: FloatArray, n_classes: int | None) -> None:
    if scores.shape[-1] != n_classes:
        rule = f"have the {n_classes} classes of training"
        raise InvalidInput("scores", rule, str(scores.shape[-1]), "Check the last axis.")
