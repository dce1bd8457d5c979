"""qcore: quantification (class prevalence estimation) on classifier scores, thousands of samples at once."""

# The first import: from here on Ctrl-C ends a command with one line.
from qcore._base import interrupted  # noqa: F401
from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.threads import keep_freed_memory
from qcore._base.validation import InvalidInput
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import (
    DATASETS,
    SOURCES,
    Dataset,
    DatasetReference,
    load_dataset,
    read_dataset,
    read_scores,
    read_texts,
    scores_dataset,
)
from qcore.estimator import QuantifierCV, make_quantification_scorer
from qcore.evaluation import Estimates, estimate, evaluation_report
from qcore.intervals import Counts, LabelledSample, difference, estimate_labelled_sample, estimate_sample
from qcore.losses import LOSSES
from qcore.measures import MEASURES, ParametricMeasure, Skew
from qcore.protocols import (
    PROTOCOLS,
    ArtificialPrevalence,
    BetaPrevalence,
    NaturalPrevalence,
    PrevalencePath,
    SamplesFromFolder,
    SimplexPrevalence,
    SizeGrid,
    UniformPrevalence,
)
from qcore.quantifiers import NAMED_QUANTIFIERS, QUANTIFIERS, make_quantifiers
from qcore.recommender import recommend
from qcore.scoring import Scores, ScoringPlan, ScoringSettings, score_dataset, score_sample
from qcore.studies.classifier_evaluation import evaluate_classifier
from qcore.watching import watch_share

__version__ = "1.0.0"

__all__ = [
    "CLASSIFIERS",
    "DATASETS",
    "LOSSES",
    "MEASURES",
    "NAMED_QUANTIFIERS",
    "PROTOCOLS",
    "QUANTIFIERS",
    "SOURCES",
    "ArtificialPrevalence",
    "BetaPrevalence",
    "Counts",
    "Dataset",
    "DatasetReference",
    "Estimates",
    "InvalidInput",
    "LabelledSample",
    "NaturalPrevalence",
    "ParametricMeasure",
    "PrevalencePath",
    "QuantifierCV",
    "RandomStream",
    "SamplesFromFolder",
    "Scores",
    "ScoringPlan",
    "ScoringSettings",
    "SimplexPrevalence",
    "SizeGrid",
    "Skew",
    "UniformPrevalence",
    "__version__",
    "difference",
    "estimate",
    "estimate_labelled_sample",
    "estimate_sample",
    "evaluate_classifier",
    "evaluation_report",
    "keep_freed_memory",
    "load_dataset",
    "make_quantification_scorer",
    "make_quantifiers",
    "random_stream",
    "read_dataset",
    "read_scores",
    "read_texts",
    "recommend",
    "score_dataset",
    "score_sample",
    "scores_dataset",
    "watch_share",
]
