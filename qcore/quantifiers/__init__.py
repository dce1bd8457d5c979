"""Quantifiers on classifier scores, and the registry QUANTIFIERS. The contract is in base.py."""

from qcore.quantifiers.adjustment import AdjustedCount, ProbabilisticAdjustedCount, unbiased_prevalence
from qcore.quantifiers.base import FAMILIES, Quantifier, QuantifierEntry
from qcore.quantifiers.catalog import NAMED_QUANTIFIERS, QUANTIFIERS, names_with
from qcore.quantifiers.counting import Baseline, ClassifyAndCount, ProbabilisticClassifyAndCount
from qcore.quantifiers.distribution_matching import SORD
from qcore.quantifiers.expectation_maximisation import EMQ
from qcore.quantifiers.fitting import Methods, make_quantifiers
from qcore.quantifiers.histogram_matching import DyS, HDy
from qcore.quantifiers.operating_points import POLICIES
from qcore.quantifiers.threshold_selection import MedianSweep, ThresholdPolicy

__all__ = [
    "EMQ",
    "FAMILIES",
    "NAMED_QUANTIFIERS",
    "POLICIES",
    "QUANTIFIERS",
    "SORD",
    "AdjustedCount",
    "Baseline",
    "ClassifyAndCount",
    "DyS",
    "HDy",
    "MedianSweep",
    "Methods",
    "ProbabilisticAdjustedCount",
    "ProbabilisticClassifyAndCount",
    "Quantifier",
    "QuantifierEntry",
    "ThresholdPolicy",
    "make_quantifiers",
    "names_with",
    "unbiased_prevalence",
]
