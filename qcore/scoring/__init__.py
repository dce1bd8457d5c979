"""Scoring: a data set, a classifier and a seed give out-of-fold training scores and pool scores; calibration of scores."""

from qcore.scoring.calibration import CALIBRATIONS, calibrate
from qcore.scoring.class_scores import MulticlassScores, score_classes
from qcore.scoring.plan import ScoringPlan, score_dataset
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.sample_class_scores import ClassSampleScores, score_class_sample
from qcore.scoring.sample_scores import SampleScores, score_sample
from qcore.scoring.scores import Scores, ScoringSettings

__all__ = [
    "CALIBRATIONS",
    "RATE_ESTIMATIONS",
    "ClassSampleScores",
    "MulticlassScores",
    "SampleScores",
    "Scores",
    "ScoringPlan",
    "ScoringSettings",
    "calibrate",
    "score_class_sample",
    "score_classes",
    "score_dataset",
    "score_sample",
]
