"""Measures of a contingency table, of a rate curve and of probabilities, and the registry MEASURES."""

from qcore.measures.catalog import MEASURES, Q_BETA, ParametricMeasure
from qcore.measures.measure import ContingencyTable, Measure
from qcore.measures.roc import Skew

__all__ = ["MEASURES", "Q_BETA", "ContingencyTable", "Measure", "ParametricMeasure", "Skew"]
