"""Classifiers that score instances in [0, 1], and the registry CLASSIFIERS."""

from qcore.classifiers.catalog import (
    CLASSIFIERS,
    ClassifierEntry,
    class_scores,
    encoded,
    make_classifier,
    make_text_classifier,
    positive_scores,
    with_chosen_parameters,
)
from qcore.classifiers.multivariate_svm import MultivariateSVM
from qcore.classifiers.quantification_tree import QuantificationForest, QuantificationTree
from qcore.classifiers.tuned_linear_svm import TunedLinearSVM
from qcore.classifiers.weighted_neighbours import WeightedNeighbours

__all__ = [
    "CLASSIFIERS",
    "ClassifierEntry",
    "MultivariateSVM",
    "QuantificationForest",
    "QuantificationTree",
    "TunedLinearSVM",
    "WeightedNeighbours",
    "class_scores",
    "encoded",
    "make_classifier",
    "make_text_classifier",
    "positive_scores",
    "with_chosen_parameters",
]
