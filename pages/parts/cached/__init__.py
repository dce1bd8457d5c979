"""The only caches. Each holds one step, keyed by the settings that determine it, so that a change repeats no other step."""

from pages.parts.cached.classifier import all_classes, calibrated, calibrated_errors, classifier_evaluation, decisions
from pages.parts.cached.corrections import errors_under_shift, shifted_pools, threshold_adjustment, trend
from pages.parts.cached.data_sets import facts, feature_table, projection, uploaded_frame
from pages.parts.cached.estimate import drawn_scores, outside, own_scores, sample_estimate, simulated
from pages.parts.cached.estimated_rates import errors_by_complexity, estimated_rates
from pages.parts.cached.estimates import estimates
from pages.parts.cached.recommender import recommendation
from pages.parts.cached.scores import dataset, fitted, plan, scores
from pages.parts.cached.search_space import classifier_points_so_far, iris_example, learner_estimates, optima, train
from pages.parts.cached.test_size import loss_grid, sample_overlap, size_estimates

__all__ = [
    "all_classes",
    "calibrated",
    "calibrated_errors",
    "classifier_evaluation",
    "classifier_points_so_far",
    "dataset",
    "decisions",
    "drawn_scores",
    "errors_by_complexity",
    "errors_under_shift",
    "estimated_rates",
    "estimates",
    "facts",
    "feature_table",
    "fitted",
    "iris_example",
    "learner_estimates",
    "loss_grid",
    "optima",
    "outside",
    "own_scores",
    "plan",
    "projection",
    "recommendation",
    "sample_estimate",
    "sample_overlap",
    "scores",
    "shifted_pools",
    "simulated",
    "size_estimates",
    "threshold_adjustment",
    "train",
    "trend",
    "uploaded_frame",
]
