"""Classifiers that score instances in [0, 1], and the registry CLASSIFIERS."""

from qcore.classifiers.catalog import CLASSIFIERS, ClassifierEntry, make_classifier, positive_scores

__all__ = ["CLASSIFIERS", "ClassifierEntry", "make_classifier", "positive_scores"]
