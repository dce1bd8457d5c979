"""The contract of a quantifier: scikit-learn's verbs, NumPy's broadcasting."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.metadata_routing import UNUSED

from qcore._base.validation import FloatArray
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.inspection import Inspection


class Quantifier(Protocol):
    """Estimate prevalence from scores. Parameters are dataclass fields; what is learnt ends in `_`."""

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
        by their numbers: methods of a Batch, such as `means` and `share_from`, take either, and `scores` alone does not.
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
class QuantifierEntry:
    """A registered quantifier, with all properties of its kind of method, so that no other code checks its type.

    Attributes
    ----------
    key : its name in links, tables and settings.
    name : its name in full.
    also_called : its names in other libraries and papers.
    make : returns a fresh, unfitted one.
    takes_all_classes : whether it takes the scores of all classes at once; another takes each class against the rest.
    family : key of FAMILIES.
    idea, weakness : phrases: what it does, and when it fails.
    formula, source : LaTeX, and where it is defined.
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
    """

    key: str
    name: str
    make: Callable[[], Quantifier]
    family: str
    idea: str
    weakness: str
    formula: str
    source: str
    symmetric: bool
    inspect: Callable[[Any, FloatArray], Inspection] | None = None
    is_threshold_policy: bool = False
    reads_posteriors: bool = False
    needs_probabilities: bool = False
    takes_all_classes: bool = False
    labels_needed: int = 0
    also_called: tuple[str, ...] = ()
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
