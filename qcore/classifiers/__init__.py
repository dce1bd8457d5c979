"""Classifiers that score instances in [0, 1], and the registry CLASSIFIERS."""

from qcore.classifiers.catalog import CLASSIFIERS, ClassifierEntry, class_scores, make_classifier, positive_scores

__all__ = ["CLASSIFIERS", "ClassifierEntry", "class_scores", "make_classifier", "positive_scores"]
