"""Measures of a contingency table, of a rate curve and of probabilities, and the registry MEASURES."""

from qcore.measures.catalog import MEASURES
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.costs import Skew
from qcore.measures.measure import Measure
from qcore.measures.parametric import Q_BETA, ParametricMeasure

__all__ = ["MEASURES", "Q_BETA", "ContingencyTable", "Measure", "ParametricMeasure", "Skew"]
