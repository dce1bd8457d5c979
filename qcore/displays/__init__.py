"""Displays as scikit-learn has them: a table made from an estimator or from results, and a Plotly figure of it."""

from qcore.displays.critical_difference import CriticalDifferenceDisplay
from qcore.displays.prevalence_error import PrevalenceErrorDisplay
from qcore.displays.prevalence_interval import PrevalenceIntervalDisplay

__all__ = ["CriticalDifferenceDisplay", "PrevalenceErrorDisplay", "PrevalenceIntervalDisplay"]
