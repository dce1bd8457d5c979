"""Quantifiers on classifier scores, and the registry QUANTIFIERS. The contract is in base.py."""

from qcore.quantifiers.adjustment import AdjustedCount, ProbabilisticAdjustedCount
from qcore.quantifiers.base import Entry, Quantifier
from qcore.quantifiers.catalog import FAMILIES, QUANTIFIERS, make_quantifiers
from qcore.quantifiers.counting import Baseline, ClassifyAndCount, ProbabilisticClassifyAndCount
from qcore.quantifiers.likelihood import EMQ
from qcore.quantifiers.matching import DyS, HDy
from qcore.quantifiers.sord import SORD
from qcore.quantifiers.thresholds import MedianSweep, ThresholdPolicy

__all__ = [
    "EMQ",
    "FAMILIES",
    "QUANTIFIERS",
    "SORD",
    "AdjustedCount",
    "Baseline",
    "ClassifyAndCount",
    "DyS",
    "Entry",
    "HDy",
    "MedianSweep",
    "ProbabilisticAdjustedCount",
    "ProbabilisticClassifyAndCount",
    "Quantifier",
    "ThresholdPolicy",
    "make_quantifiers",
]
