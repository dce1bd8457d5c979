"""Quantifiers for any number of classes, and the registry MULTICLASS. Binary problems have their own, faster ones."""

from qcore.multiclass.base import ClassBatch, MulticlassQuantifier
from qcore.multiclass.catalog import MULTICLASS, NATIVE, make_multiclass_quantifiers
from qcore.multiclass.estimates import estimate_classes, multiclass_report
from qcore.multiclass.scores import MulticlassScores, score_classes

__all__ = [
    "MULTICLASS",
    "NATIVE",
    "ClassBatch",
    "MulticlassQuantifier",
    "MulticlassScores",
    "estimate_classes",
    "make_multiclass_quantifiers",
    "multiclass_report",
    "score_classes",
]
