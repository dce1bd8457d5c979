"""The only caches. Each holds one step, keyed by the settings that determine it, so that a change redoes no other step."""

from pages.parts.cached.correcting import at_work, degradation, shifted_pools, shifted_scores, trend
from pages.parts.cached.estimating import cells, draws, estimates, size_estimates
from pages.parts.cached.judging import calibrated, calibrated_errors, class_pairs, judgement
from pages.parts.cached.landing import conflict, landed_so_far, learner_estimates, optima, train
from pages.parts.cached.recommending import inner_notes, recommended
from pages.parts.cached.scoring import dataset, fitted, plan, scores

__all__ = [
    "at_work",
    "calibrated",
    "calibrated_errors",
    "cells",
    "class_pairs",
    "conflict",
    "dataset",
    "degradation",
    "draws",
    "estimates",
    "fitted",
    "inner_notes",
    "judgement",
    "landed_so_far",
    "learner_estimates",
    "optima",
    "plan",
    "recommended",
    "scores",
    "shifted_pools",
    "shifted_scores",
    "size_estimates",
    "train",
    "trend",
]
