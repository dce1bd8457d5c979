"""Quantifiers that are known by a name of their own: a classifier and the correction that goes with it.

Each classifier can take any other correction as well; these are the pairs that the papers put forward.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from qcore.classifiers import CLASSIFIERS
from qcore.quantifiers import QUANTIFIERS
from qcore.registry import registry
from qcore.scores import ScoringSettings


@dataclass(frozen=True)
class NamedQuantifier:
    """A pair of keys of CLASSIFIERS and QUANTIFIERS, what it is for, and who named it."""

    key: str
    classifier: str
    quantifier: str
    idea: str
    source: str

    def __post_init__(self) -> None:
        if self.classifier not in CLASSIFIERS or self.quantifier not in QUANTIFIERS:
            raise ValueError(f"{self.key} pairs what is not registered: {self.classifier} and {self.quantifier}")

    def settings(self, settings: ScoringSettings) -> ScoringSettings:
        """The same settings with this pair's classifier."""
        return replace(settings, classifier=self.classifier)


_NEIGHBOURS: Final = "Barranquero et al. 2013; thesis, chapter 5"
_LEARNT: Final = "Barranquero 2013, chapter 6"

NAMED_QUANTIFIERS: Final = registry(
    NamedQuantifier("KNN", "KNN", "AC", "nearest neighbours, adjusted", _NEIGHBOURS),
    NamedQuantifier("PWK", "PWK", "AC", "neighbours that weigh by class, adjusted", _NEIGHBOURS),
    NamedQuantifier("PWK-alpha", "PWK-alpha", "AC", "as PWK, with weights that the data choose", _NEIGHBOURS),
    NamedQuantifier("Q0.5", "SVM-Q0.5", "CC", "learns to count, with an eye on recall", _LEARNT),
    NamedQuantifier("Q1", "SVM-Q1", "CC", "learns to count and to classify", _LEARNT),
    NamedQuantifier("Q2", "SVM-Q2", "CC", "learns to count, without losing sight of recall", _LEARNT),
    NamedQuantifier("NAS", "SVM-NAS", "CC", "learns to count, however it classifies", "Esuli and Sebastiani 2010; " + _LEARNT),
    NamedQuantifier("QT", "quantification forest", "CC", "trees whose errors cancel out, counted", "Milli et al. 2013"),
)


def paired_with(classifier: str) -> str:
    """The correction that a classifier goes with by name; CC, which all others refine, where it has no name."""
    return next((pair.quantifier for pair in NAMED_QUANTIFIERS.values() if pair.classifier == classifier), "CC")
