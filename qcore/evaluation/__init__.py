"""Evaluation: quantifiers x samples -> estimates -> losses -> summaries and reports."""

from qcore.evaluation.estimates import Estimates, Losses, estimate, evaluation_report

__all__ = ["Estimates", "Losses", "estimate", "evaluation_report"]
