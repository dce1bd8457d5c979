"""The registry of posteriors: what each needs to know, what it costs and when it fails."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from qcore._base.registry import registry
from qcore.intervals.class_posterior import class_posterior
from qcore.intervals.posterior import posterior
from qcore.intervals.precise_quantifier import precise_posterior


@dataclass(frozen=True)
class PosteriorMethod:
    """A posterior of shares, from which intervals are taken.

    Attributes
    ----------
    key, idea, weakness, source : its name, what it does, when it fails, and where it is defined.
    needs : what it is made of.
    cost : how long one takes.
    make : the function that makes it.
    """

    key: str
    idea: str
    weakness: str
    source: str
    needs: str
    cost: str
    make: Callable[..., Any]


POSTERIORS: Final = registry(
    PosteriorMethod(
        key="posterior of counts",
        idea="The posterior of the prevalence of two classes, given counts at a threshold, with uniform priors.",
        weakness="It uses only on which side of the threshold a score lies.",
        source="Messam et al. 2008",
        needs="six counts",
        cost="under 1 ms",
        make=posterior,
    ),
    PosteriorMethod(
        key="precise quantifier",
        idea="The posterior of the prevalence of two classes, given histograms of their scores and the sample's in five bins.",
        weakness="With fewer than some 50 labels of a class, or with more bins, its uniform priors bias it. It gives a short "
        "interval even for a sample that no mixture of the classes explains.",
        source="Igiraneza et al. 2025",
        needs="scores",
        cost="10 to 25 ms",
        make=precise_posterior,
    ),
    PosteriorMethod(
        key="posterior of all classes",
        idea="The posterior of the shares of k classes, given counts by predicted class, with the prior Dirichlet(1/k), which "
        "expects some classes to be rare.",
        weakness="It uses only the predicted classes, not the scores. Its intervals never hold a share of exactly 0 or 1.",
        source="Ziegler and Czyz 2024",
        needs="counts by true and predicted class",
        cost="15 to 50 ms with three classes, 0.2 s with ten; up to a second where one of many dominates",
        make=class_posterior,
    ),
)
