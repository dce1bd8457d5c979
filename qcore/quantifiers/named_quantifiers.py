"""Methods that the papers name as a whole: a classifier together with its correction.

Each classifier can be used with any other correction as well; these are the pairs that the papers propose.
"""

from dataclasses import dataclass, replace
from typing import Final

from qcore._base.registry import registry
from qcore.classifiers import CLASSIFIERS
from qcore.quantifiers.catalog import QUANTIFIERS
from qcore.scoring.scores import ScoringSettings


@dataclass(frozen=True)
class NamedQuantifier:
    """A key of CLASSIFIERS and one of QUANTIFIERS, with the idea and the source of the pair."""

    key: str
    classifier: str
    quantifier: str
    idea: str
    source: str

    def __post_init__(self) -> None:
        if self.classifier not in CLASSIFIERS or self.quantifier not in QUANTIFIERS:
            raise ValueError(f"{self.key} pairs unregistered keys: {self.classifier} and {self.quantifier}")

    def settings(self, settings: ScoringSettings) -> ScoringSettings:
        """The same settings with this pair's classifier."""
        return replace(settings, classifier=self.classifier)


_NEIGHBOURS: Final = "Barranquero 2013, chapter 5"
_LEARNT: Final = "Barranquero 2013, chapter 6"

NAMED_QUANTIFIERS: Final = registry(
    NamedQuantifier(
        key="KNN", classifier="KNN", quantifier="AC", idea="the adjusted count with nearest neighbours", source=_NEIGHBOURS
    ),
    NamedQuantifier(
        key="PWK",
        classifier="PWK",
        quantifier="AC",
        idea="the adjusted count with neighbours weighted by class",
        source=_NEIGHBOURS,
    ),
    NamedQuantifier(
        key="PWK-alpha",
        classifier="PWK-alpha",
        quantifier="AC",
        idea="as PWK, with weights chosen from the data",
        source=_NEIGHBOURS,
    ),
    NamedQuantifier(
        key="Q0.5",
        classifier="SVM-Q0.5",
        quantifier="CC",
        idea="learns to count and to classify, with more weight on recall",
        source=_LEARNT,
    ),
    NamedQuantifier(
        key="Q1",
        classifier="SVM-Q1",
        quantifier="CC",
        idea="learns to count and to classify, with equal weight",
        source=_LEARNT,
    ),
    NamedQuantifier(
        key="Q2",
        classifier="SVM-Q2",
        quantifier="CC",
        idea="learns to count and to classify, with more weight on counting",
        source=_LEARNT,
    ),
    NamedQuantifier(
        key="NAS",
        classifier="SVM-NAS",
        quantifier="CC",
        idea="learns only to count, however badly it classifies",
        source="Esuli and Sebastiani 2010; " + _LEARNT,
    ),
    NamedQuantifier(
        key="QT",
        classifier="quantification forest",
        quantifier="CC",
        idea="classify and count with trees whose false positives and false negatives cancel out",
        source="Milli et al. 2013",
    ),
)


def named_correction(classifier: str) -> str:
    """The correction of the named method with this classifier; CC if there is no such method."""
    return next((pair.quantifier for pair in NAMED_QUANTIFIERS.values() if pair.classifier == classifier), "CC")


def names_with(classifier: str) -> dict[str, str]:
    """Key of a quantifier -> what the papers call it together with this classifier, where they name the pair."""
    return {pair.quantifier: pair.key for pair in NAMED_QUANTIFIERS.values() if pair.classifier == classifier}
