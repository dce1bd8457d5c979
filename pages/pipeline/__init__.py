"""Data set -> scores -> samples -> estimates: the steps that several pages share, each computed once for all sessions."""

from pages.pipeline.estimates import estimates, sample_overlap, samples
from pages.pipeline.evaluated_classifier import classifier_evaluation, estimated_rates, rates_by_folds
from pages.pipeline.scores import dataset, fitted, plan, scores

__all__ = [
    "classifier_evaluation",
    "dataset",
    "estimated_rates",
    "estimates",
    "fitted",
    "plan",
    "rates_by_folds",
    "sample_overlap",
    "samples",
    "scores",
]
