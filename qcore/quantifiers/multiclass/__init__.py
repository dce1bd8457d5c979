"""Quantifiers for any number of classes, and the registry MULTICLASS. Binary problems have their own, faster ones."""

from qcore.quantifiers.multiclass.base import ClassBatch, MulticlassQuantifier
from qcore.quantifiers.multiclass.catalog import MULTICLASS, NATIVE

__all__ = ["MULTICLASS", "NATIVE", "ClassBatch", "MulticlassQuantifier"]
