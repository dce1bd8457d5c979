"""qcore: quantification (class prevalence estimation) on classifier scores, thousands of samples at once."""

from qcore.classifiers import CLASSIFIERS
from qcore.costs import Skew
from qcore.datasets import DATASETS, Dataset, load_dataset
from qcore.estimates import Estimates, estimate, evaluation_report
from qcore.judgement import judge
from qcore.losses import LOSSES, SCORES
from qcore.multiclass import MULTICLASS, make_multiclass_quantifiers, multiclass_report, score_classes
from qcore.named_quantifiers import NAMED_QUANTIFIERS
from qcore.protocols import (
    ArtificialPrevalence,
    BetaPrevalence,
    NaturalPrevalence,
    PrevalencePath,
    SimplexPrevalence,
    SizeGrid,
    UniformPrevalence,
)
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.recommendation import recommend
from qcore.scores import Scores, ScoringPlan, ScoringSettings, score_dataset
from qcore.validation import InvalidInput

__all__ = [
    "CLASSIFIERS",
    "DATASETS",
    "LOSSES",
    "MULTICLASS",
    "NAMED_QUANTIFIERS",
    "QUANTIFIERS",
    "SCORES",
    "ArtificialPrevalence",
    "BetaPrevalence",
    "Dataset",
    "Estimates",
    "InvalidInput",
    "NaturalPrevalence",
    "PrevalencePath",
    "Scores",
    "ScoringPlan",
    "ScoringSettings",
    "SimplexPrevalence",
    "SizeGrid",
    "Skew",
    "UniformPrevalence",
    "estimate",
    "evaluation_report",
    "judge",
    "load_dataset",
    "make_multiclass_quantifiers",
    "make_quantifiers",
    "multiclass_report",
    "recommend",
    "score_classes",
    "score_dataset",
]
