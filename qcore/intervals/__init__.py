"""Uncertainty: one sample -> an estimate with its interval; whether its assumption holds; coverage over many samples."""

from qcore.intervals.all_classes_estimate import AllClassesEstimate, ClassRegion
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS, IntervalMethod, all_intervals
from qcore.intervals.class_posterior import ClassPosterior, class_posterior
from qcore.intervals.counts import Counts, EffectiveCounts, MeasuredRate, rate_from_text
from qcore.intervals.coverage import coverage, coverage_curves, simulated_counts
from qcore.intervals.difference import Differences, count_differences, difference, group_differences
from qcore.intervals.few_labels import cautions
from qcore.intervals.goodness_of_fit import GoodnessOfFit, mixture_fit
from qcore.intervals.labelled_sample import LabelledSample, read_labelled_columns
from qcore.intervals.labelled_sample_difference import labelled_difference, labelled_sample_differences
from qcore.intervals.labelled_sample_estimate import LabelledSampleEstimate, estimate_labelled_sample
from qcore.intervals.labelled_sample_intervals import (
    LABELLED_SAMPLE_INTERVALS,
    labelled_sample_intervals,
    prediction_powered_scores,
)
from qcore.intervals.labels_needed import (
    DifferencePlan,
    best_split,
    expected_width,
    labels_for_difference,
    plan_difference,
    sample_size_for_difference,
)
from qcore.intervals.panels import panel_differences
from qcore.intervals.posterior import Posterior, posterior
from qcore.intervals.posteriors import POSTERIORS, PosteriorMethod, PrecisePosterior, precise_posterior
from qcore.intervals.sample_estimate import SampleEstimate, estimate_sample
from qcore.intervals.weights import effective_size
from qcore.intervals.which_shift import ShiftVerdict, which_shift

__all__ = [
    "DEFAULT_INTERVAL",
    "INTERVALS",
    "LABELLED_SAMPLE_INTERVALS",
    "POSTERIORS",
    "AllClassesEstimate",
    "ClassPosterior",
    "ClassRegion",
    "Counts",
    "DifferencePlan",
    "Differences",
    "EffectiveCounts",
    "GoodnessOfFit",
    "IntervalMethod",
    "LabelledSample",
    "LabelledSampleEstimate",
    "MeasuredRate",
    "Posterior",
    "PosteriorMethod",
    "PrecisePosterior",
    "SampleEstimate",
    "ShiftVerdict",
    "all_intervals",
    "best_split",
    "cautions",
    "class_posterior",
    "count_differences",
    "coverage",
    "coverage_curves",
    "difference",
    "effective_size",
    "estimate_labelled_sample",
    "estimate_sample",
    "expected_width",
    "group_differences",
    "labelled_difference",
    "labelled_sample_differences",
    "labelled_sample_intervals",
    "labels_for_difference",
    "mixture_fit",
    "panel_differences",
    "plan_difference",
    "posterior",
    "precise_posterior",
    "prediction_powered_scores",
    "rate_from_text",
    "read_labelled_columns",
    "sample_size_for_difference",
    "simulated_counts",
    "which_shift",
]
