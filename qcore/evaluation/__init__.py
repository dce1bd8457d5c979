"""Evaluation: quantifiers x samples -> estimates -> losses -> summaries and reports."""

from qcore.evaluation.estimates import Estimates, Losses, estimate
from qcore.evaluation.multiclass import estimate_classes, multiclass_report
from qcore.evaluation.report import evaluation_report

__all__ = ["Estimates", "Losses", "estimate", "estimate_classes", "evaluation_report", "multiclass_report"]
