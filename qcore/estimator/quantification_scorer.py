"""A scorer for scikit-learn's searches: estimates on samples drawn from the test part, judged by a loss."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, InvalidInput, check_choice, check_seed, in_a_line, is_one_of
from qcore.estimator.checked_input import n_instances, numbers_of_known_classes
from qcore.estimator.quantifier_cv import QuantifierCV, name_of
from qcore.evaluation.estimates import Estimates, estimate
from qcore.losses import LOSSES, ORDERED_LOSSES
from qcore.protocols import ArtificialPrevalence, Samples, SamplingProtocol, UniformPrevalence
from qcore.protocols.catalog import draw_samples
from qcore.scoring.scores import Scores

_GRID, _REPEATS, _SAMPLES = 11, 50, 500
_LARGEST_SAMPLE = 100


def sampled_estimates(
    estimator: Any, X: Any, y: Any, protocol: SamplingProtocol | None = None, *, seed: int = 0, name: str = "estimator"
) -> Estimates:
    """The estimates of a fitted estimator for samples of instances, all at once for a QuantifierCV.

    Parameters
    ----------
    estimator : a QuantifierCV, a Pipeline that ends with one, or another one whose `predict` gives the shares of `classes_`.
    X, y : instances that it has not seen, (n, n_features), and their labels, (n,).
    protocol : draws the samples. By default 11 prevalences from 0 to 1, 50 samples each; for more than two classes 500 samples
        of uniform prevalence; of as many instances as the smallest class has, at most 100.
    seed : seed of the draws.
    name : the method's name in the result.

    Raises
    ------
    InvalidInput
        A class is missing among the instances, the protocol needs more of them, or the estimator has no classes, or predicts
        no shares of them.
    """
    classes = _classes_of(estimator)
    numbers = numbers_of_known_classes(y, classes, n_instances(X))
    found = np.unique(numbers)
    if len(found) < len(classes):
        rule, hint = "hold every class that the estimator knows, and no other", "Stratify the folds: cv=StratifiedKFold(5)."
        raise InvalidInput("y", rule, f"{classes[found[:5]].tolist()}", hint)
    chosen = _fitting_protocol(np.bincount(numbers)) if protocol is None else protocol
    samples = draw_samples(chosen, numbers, random_stream(seed, RandomStream.SCORED_SAMPLES))
    return _estimates(estimator, X, samples, name)


def _classes_of(estimator: Any) -> np.ndarray:
    """The classes that a fitted estimator knows. Raises NotFittedError, and InvalidInput for an estimator without any."""
    if not hasattr(estimator, "classes_"):
        if hasattr(estimator, "fit") and not isinstance(estimator, type):
            check_is_fitted(estimator)
        rule, hint = "have classes_, whose shares it predicts", "Pass a fitted QuantifierCV."
        raise InvalidInput("estimator", rule, in_a_line(estimator), hint)
    return np.asarray(estimator.classes_)


def innermost(estimator: Any, X: Any = None) -> tuple[Any, Any]:
    """The fitted estimator at the end of pipelines and searches, and what it gets of X."""
    last, prepared = estimator, X
    while isinstance(last, Pipeline) or hasattr(last, "best_estimator_"):
        if isinstance(last, Pipeline):
            prepared = prepared if X is None or len(last) == 1 else last[:-1].transform(prepared)
            last = last[-1]
        else:
            last = last.best_estimator_
    return last, prepared


def method_name(estimator: Any) -> str:
    """What an estimator is called beside others: a QuantifierCV by its quantifier, another one by its class."""
    last = innermost(estimator)[0]
    return name_of(last.quantifier) if isinstance(last, QuantifierCV) else type(last).__name__


def _fitting_protocol(counts: np.ndarray) -> SamplingProtocol:
    size = min(_LARGEST_SAMPLE, int(counts.min()))
    if len(counts) == 2:
        return ArtificialPrevalence(_GRID, size, _REPEATS)
    return UniformPrevalence(sample_size=size, n_samples=_SAMPLES)


def _estimates(estimator: Any, features: Any, samples: Samples, name: str) -> Estimates:
    last, prepared = innermost(estimator, features)
    if isinstance(last, QuantifierCV):
        pool = last.instance_scores(prepared)
        names = tuple(str(name) for name in last.classes_) if pool.ndim > 1 else ()
        scores = Scores(last.training_scores_, last.training_labels_, pool, samples.pool_labels, classes=names)
        return estimate({name: last.quantifier_}, scores, samples)
    parts = [_predicted(estimator, features, index) for _, index in samples.blocks()]
    shares = np.concatenate(parts)
    return Estimates(samples, {name: shares[:, 1] if samples.n_classes == 2 else shares})


def _predicted(estimator: Any, features: Any, index: np.ndarray) -> FloatArray:
    shares = [np.asarray(estimator.predict(_safe_indexing(features, rows)), dtype=np.float64) for rows in index]
    for values in shares:
        if values.shape != (len(estimator.classes_),) or not np.isclose(values.sum(), 1.0):
            value = f"an array of shape {values.shape} with the sum {values.sum():g}"
            rule = f"predict the share of each of its {len(estimator.classes_)} classes in a sample, with the sum 1"
            raise InvalidInput(type(estimator).__name__, rule, value, "Wrap a classifier: QuantifierCV(classifier, 'EMQ').")
    return np.stack(shares)


@dataclass(frozen=True)
class QuantificationScorer:
    """Minus the mean loss of an estimator on samples of the instances that it is scored on: greater is better.

    `make_quantification_scorer` makes one.

    Attributes
    ----------
    loss : key of LOSSES or ORDERED_LOSSES.
    protocol : draws the samples; None for one that fits the instances.
    seed : seed of the draws: all candidates of a search are scored on the same samples.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> fitted = QuantifierCV(GaussianNB(), "CC").fit(X[::2], y[::2])
    >>> round(QuantificationScorer("AE")(fitted, X[1::2], y[1::2]), 2)
    -0.06
    """

    loss: str = "AE"
    protocol: SamplingProtocol | None = None
    seed: int = 0

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Score a fitted QuantifierCV, a Pipeline that ends with one, or another estimator: `predict` gives `classes_`' shares.

        Raises InvalidInput if a class is missing among the instances, or if the protocol needs more of them.
        """
        estimates = sampled_estimates(estimator, X, y, self.protocol, seed=self.seed)
        return -float(estimates.losses(self.loss).by_method["estimator"].mean())


def make_quantification_scorer(
    loss: str = "AE", protocol: SamplingProtocol | None = None, *, seed: int = 0
) -> QuantificationScorer:
    """A scorer with which models are chosen for counting, for `scoring=` of GridSearchCV, cross_validate and others.

    Parameters
    ----------
    loss : key of LOSSES, such as AE or KLD, or of ORDERED_LOSSES, whose order is that of the sorted classes; not a signed
        one, such as bias, whose lowest value is not the best.
    protocol : draws samples of the instances of each test fold. By default 11 prevalences from 0 to 1, 50 samples each; for
        more than two classes 500 of uniform prevalence; of as many instances as the smallest class has, at most 100.
    seed : seed of the draws.

    A search with a number for `cv` stratifies the folds of a QuantifierCV; one with folds that lack a class has no score there.
    Raises InvalidInput for an unknown loss.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from qcore import ArtificialPrevalence, QuantifierCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> counting = make_quantification_scorer("AE", ArtificialPrevalence(grid=11, sample_size=50, repeats=20))
    >>> both = GridSearchCV(QuantifierCV(GaussianNB()), {"quantifier": ["CC", "AC"]}, scoring=counting, cv=3)
    >>> both.fit(X, y).best_params_
    {'quantifier': 'AC'}
    """
    known = {key: entry for key, entry in {**LOSSES, **ORDERED_LOSSES}.items() if not entry.signed}
    check_choice("loss", loss, known, "be an unsigned one" if is_one_of(loss, LOSSES) else "")
    check_seed(seed)
    return QuantificationScorer(loss, protocol, seed)
