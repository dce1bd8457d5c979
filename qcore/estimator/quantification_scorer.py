"""A scorer for scikit-learn's searches and cross-validation: how well an estimator counts when prevalence moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qcore._base.validation import check_choice, check_seed, is_one_of
from qcore.estimator.sampled_estimates import sampled_estimates
from qcore.losses import LOSSES, ORDERED_LOSSES
from qcore.protocols import SamplingProtocol


@dataclass(frozen=True)
class QuantificationScorer:
    """Minus the mean loss of an estimator on samples of the instances that it is scored on: greater is better.

    `make_quantification_scorer` makes one.

    Attributes
    ----------
    loss : key of LOSSES or ORDERED_LOSSES.
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

    A search stratifies folds only for classifiers, and a QuantifierCV is none: pass it `cv=StratifiedKFold(5)`.
    Raises InvalidInput for an unknown loss.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV, StratifiedKFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from qcore import ArtificialPrevalence, QuantifierCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> counting = make_quantification_scorer("AE", ArtificialPrevalence(grid=11, sample_size=50, repeats=20))
    >>> both = GridSearchCV(QuantifierCV(GaussianNB()), {"quantifier": ["CC", "AC"]}, scoring=counting, cv=StratifiedKFold(3))
    >>> both.fit(X, y).best_params_
    {'quantifier': 'AC'}
    """
    known = {key: entry for key, entry in {**LOSSES, **ORDERED_LOSSES}.items() if not entry.signed}
    check_choice("loss", loss, known, "be an unsigned one" if is_one_of(loss, LOSSES) else "")
    check_seed(seed)
    return QuantificationScorer(loss, protocol, seed)
