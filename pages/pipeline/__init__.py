"""Data set -> scores -> samples -> estimates: the steps that several pages share, each computed once for all sessions."""

from pages.pipeline.classifier_evaluation import classifier_evaluation
from pages.pipeline.data_sets import dataset
from pages.pipeline.estimated_rates import estimated_rates
from pages.pipeline.estimates import estimates, samples
from pages.pipeline.sample_overlap import sample_overlap
from pages.pipeline.scores import fitted, plan, scores

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
