"""The test-size grid of Maletzke et al. (2020) on a made problem: 14 sizes x 101 prevalences x 10 repeats = 14,140 samples."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification

from qcore import ArtificialPrevalence, Dataset, Scores, ScoringSettings, score_dataset
from qcore.base import IntArray
from qcore.datasets.preparation import as_labels
from qcore.protocols.samples import Samples

SIZES = (*range(10, 101, 10), 200, 300, 400, 500)
REPEATS = 10
ESTIMATORS = (
    "CC",
    "AC",
    "PCC",
    "PACC",
    "X",
    "Max",
    "T50",
    "MS",
    "EMQ",
    "HDy",
    "DyS-TS",
    "DyS-PS",
    "DyS-ORD",
    "SORD",
    "BL",
    "MM",
    "FM",
    "EDy",
    "KDEy-ML",
)


@dataclass(frozen=True)
class Problem:
    """Scores of a training part and a pool, and the grid's samples of the pool."""

    scores: Scores
    samples: tuple[Samples, ...]

    def __len__(self) -> int:
        return sum(len(samples) for samples in self.samples)

    @cached_property
    def indices(self) -> list[IntArray]:
        """The index arrays, (n_samples, size) for each size."""
        return [np.concatenate([index for _, index in samples.blocks()]) for samples in self.samples]


def made_scores(n_instances: int) -> Scores:
    """Scores of logistic regression on two simulated classes; one half trains (out of fold), the other half is the pool."""
    features, labels = make_classification(
        n_instances, n_features=10, n_informative=6, flip_y=0.15, class_sep=0.8, random_state=0
    )
    named = pd.DataFrame(features, columns=[f"x{k}" for k in range(10)])
    dataset = Dataset("made", "made", named, as_labels(labels), default_positive="1")
    return score_dataset(dataset, ScoringSettings("1"))


def grid(n_instances: int) -> Problem:
    """The whole grid on a simulated problem with `n_instances` instances."""
    scores = made_scores(n_instances)
    rng = np.random.default_rng(0)
    samples = tuple(ArtificialPrevalence(101, size, REPEATS).draw(scores.pool_labels, rng) for size in SIZES)
    for drawn in samples:
        list(drawn.blocks())
    return Problem(scores, samples)
