"""Scoring: a data set, a classifier and a seed give out-of-fold training scores and pool scores; calibration of scores."""

from qcore.scoring.calibration import CALIBRATIONS, calibrate
from qcore.scoring.plan import ScoringPlan, score_dataset
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.sample_scores import SampleScores, score_sample
from qcore.scoring.scores import Scores, ScoringSettings

__all__ = [
    "CALIBRATIONS",
    "RATE_ESTIMATIONS",
    "SampleScores",
    "Scores",
    "ScoringPlan",
    "ScoringSettings",
    "calibrate",
    "score_dataset",
    "score_sample",
]
