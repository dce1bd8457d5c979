"""Data set -> scores -> samples -> estimates: the steps that several pages share, each computed once for all sessions."""

from pages.pipeline.classifier_evaluation import classifier_evaluation
from pages.pipeline.estimated_rates import estimated_rates
from pages.pipeline.estimates import estimates, sample_overlap, samples
from pages.pipeline.scores import dataset, fitted, plan, scores

__all__ = [
    "classifier_evaluation",
    "dataset",
    "estimated_rates",
    "estimates",
    "fitted",
    "plan",
    "sample_overlap",
    "samples",
    "scores",
]
