"""The only caches. Each holds one step, keyed by the settings that determine it, so that a change repeats no other step."""

from pages.parts.cached.class_sample import ClassSample, drawn_class_sample, own_class_sample
from pages.parts.cached.class_scores import class_scores
from pages.parts.cached.classifier import all_classes, calibrated, calibrated_errors, classifier_evaluation, decisions
from pages.parts.cached.compare import experiment, experiment_losses, protocol_ranks, ranking_losses, simulated_trust
from pages.parts.cached.corrections import errors_under_shift, shifted_pools, threshold_adjustment, trend
from pages.parts.cached.coverage import coverage_along, simulated_coverage
from pages.parts.cached.data_sets import facts, feature_table, projection, uploaded_frame
from pages.parts.cached.estimate import (
    drawn_scores,
    outside,
    own_scores,
    recommended_for_drawn,
    recommended_for_own,
    sample_estimate,
    unusable,
)
from pages.parts.cached.estimated_rates import errors_by_complexity, estimated_rates
from pages.parts.cached.estimates import estimates
from pages.parts.cached.recommender import recommendation
from pages.parts.cached.scores import dataset, fitted, plan, scores
from pages.parts.cached.search_space import classifier_points_so_far, iris_example, learner_estimates, optima, train
from pages.parts.cached.test_size import loss_grid, sample_overlap, size_estimates

__all__ = [
    "ClassSample",
    "all_classes",
    "calibrated",
    "calibrated_errors",
    "class_scores",
    "classifier_evaluation",
    "classifier_points_so_far",
    "coverage_along",
    "dataset",
    "decisions",
    "drawn_class_sample",
    "drawn_scores",
    "errors_by_complexity",
    "errors_under_shift",
    "estimated_rates",
    "estimates",
    "experiment",
    "experiment_losses",
    "facts",
    "feature_table",
    "fitted",
    "iris_example",
    "learner_estimates",
    "loss_grid",
    "optima",
    "outside",
    "own_class_sample",
    "own_scores",
    "plan",
    "projection",
    "protocol_ranks",
    "ranking_losses",
    "recommendation",
    "recommended_for_drawn",
    "recommended_for_own",
    "sample_estimate",
    "sample_overlap",
    "scores",
    "shifted_pools",
    "simulated_coverage",
    "simulated_trust",
    "size_estimates",
    "threshold_adjustment",
    "train",
    "trend",
    "unusable",
    "uploaded_frame",
]
