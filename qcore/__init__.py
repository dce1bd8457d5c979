"""qcore: quantification (class prevalence estimation) on classifier scores, thousands of samples at once."""

from qcore.classifiers import CLASSIFIERS
from qcore.datasets import DATASETS, Dataset, load_dataset
from qcore.estimates import Estimates, estimate, evaluation_report
from qcore.losses import LOSSES, SCORES
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.scores import Scores, ScoringPlan, ScoringSettings, score_dataset
from qcore.validation import InvalidInput

__all__ = [
    "CLASSIFIERS",
    "DATASETS",
    "LOSSES",
    "QUANTIFIERS",
    "SCORES",
    "ArtificialPrevalence",
    "Dataset",
    "Estimates",
    "InvalidInput",
    "Scores",
    "ScoringPlan",
    "ScoringSettings",
    "estimate",
    "evaluation_report",
    "load_dataset",
    "make_quantifiers",
    "score_dataset",
]
