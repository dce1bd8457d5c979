"""A scorer for scikit-learn's searches and cross-validation: how well an estimator counts when prevalence moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, InvalidInput, check_choice, check_seed
from qcore.estimator.quantifier_cv import QuantifierCV
from qcore.evaluation.estimates import Estimates, estimate
from qcore.losses import LOSSES
from qcore.protocols import ArtificialPrevalence, SamplingProtocol, UniformPrevalence
from qcore.protocols.samples import Samples
from qcore.scoring.scores import Scores

_GRID, _REPEATS, _SAMPLES = 11, 50, 500
_LARGEST_SAMPLE = 100


@dataclass(frozen=True)
class QuantificationScorer:
    """Minus the mean loss of an estimator on samples of the instances that it is scored on: greater is better.

    `make_quantification_scorer` makes one.

    Attributes
    ----------
    loss : key of LOSSES.
    protocol : draws the samples; None for one that fits the instances.
    seed : seed of the draws: all candidates of a search are scored on the same samples.
    """

    loss: str = "AE"
    protocol: SamplingProtocol | None = None
    seed: int = 0

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Score a fitted QuantifierCV, a Pipeline that ends with one, or another estimator: `predict` gives `classes_`' shares.

        Raises InvalidInput if a class is missing among the instances, or if the protocol needs more of them.
        """
        classes = np.asarray(estimator.classes_)
        numbers = np.searchsorted(classes, y).clip(max=len(classes) - 1)
        if not np.array_equal(classes[numbers], y) or len(np.unique(numbers)) < len(classes):
            way_out = "Stratify the folds: cv=StratifiedKFold(5)."
            raise InvalidInput("y", "hold every class that the estimator knows, and no other", f"{np.unique(y)[:5]}", way_out)
        protocol = self.protocol or _fitting_protocol(np.bincount(numbers))
        samples = protocol.draw(numbers, random_stream(self.seed, RandomStream.SCORED_SAMPLES))
        return -float(_estimates(estimator, X, samples).losses(self.loss).by_method["estimator"].mean())


def make_quantification_scorer(
    loss: str = "AE", protocol: SamplingProtocol | None = None, *, seed: int = 0
) -> QuantificationScorer:
    """A scorer with which models are chosen for counting, for `scoring=` of GridSearchCV, cross_validate and others.

    Parameters
    ----------
    loss : key of LOSSES, such as AE or KLD; none that is signed, such as bias, since it does not order errors.
    protocol : draws samples of the instances of each test fold. By default 11 prevalences from 0 to 1, 50 samples each; for
        more than two classes 500 of uniform prevalence; of as many instances as the smallest class has, at most 100.
    seed : seed of the draws.

    A search does not stratify the folds of an estimator that is no classifier: pass it `cv=StratifiedKFold(5)`.
    Raises InvalidInput for an unknown loss.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV, StratifiedKFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> counting = make_quantification_scorer("AE", ArtificialPrevalence(grid=11, sample_size=50, repeats=20))
    >>> both = GridSearchCV(QuantifierCV(GaussianNB()), {"quantifier": ["CC", "AC"]}, scoring=counting, cv=StratifiedKFold(3))
    >>> both.fit(X, y).best_params_
    {'quantifier': 'AC'}
    """
    check_choice("loss", loss, [key for key, entry in LOSSES.items() if not entry.signed])
    check_seed(seed)
    return QuantificationScorer(loss, protocol, seed)


def _fitting_protocol(counts: np.ndarray) -> SamplingProtocol:
    size = min(_LARGEST_SAMPLE, int(counts.min()))
    if len(counts) == 2:
        return ArtificialPrevalence(_GRID, size, _REPEATS)
    return UniformPrevalence(sample_size=size, n_samples=_SAMPLES)


def _estimates(estimator: Any, features: Any, samples: Samples) -> Estimates:
    """The estimates of samples; those of ours all at once, from scores of all instances."""
    last, before = (estimator[-1], estimator[:-1]) if isinstance(estimator, Pipeline) else (estimator, None)
    if isinstance(last, QuantifierCV):
        pool = last.instance_scores(before.transform(features) if before else features)
        scores = Scores(last.training_scores_, last.training_labels_, pool, samples.pool_labels)
        return estimate({"estimator": last.quantifier_}, scores, samples)
    parts = [_predicted(estimator, features, index) for _, index in samples.blocks()]
    shares = np.concatenate(parts)
    return Estimates(samples, {"estimator": shares[:, 1] if samples.n_classes == 2 else shares})


def _predicted(estimator: Any, features: Any, index: np.ndarray) -> FloatArray:
    return np.stack([np.asarray(estimator.predict(_safe_indexing(features, rows)), dtype=np.float64) for rows in index])
