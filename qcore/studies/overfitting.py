"""Overfitting: the error of ever more complex models on their training data, out of fold, and on a pool.

Source: slides on model evaluation, on validation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from qcore._base.registry import registry
from qcore._base.validation import InvalidInput, check_choice
from qcore.classifiers import encoded
from qcore.datasets import Dataset
from qcore.scoring.plan import ScoringPlan
from qcore.scoring.rate_estimation import n_folds

OVERFITTING_PARTS: Final = ("training", "out of fold", "pool")


@dataclass(frozen=True)
class Complexity:
    """A family of models that one number makes more complex.

    Attributes
    ----------
    key : the number's name.
    steps : from the simplest model to the most complex.
    make : (step, random state) -> an unfitted estimator.
    counts_instances : whether a step can't be above the number of training instances.
    """

    key: str
    steps: Sequence[int]
    make: Callable[[int, int], BaseEstimator]
    counts_instances: bool


COMPLEXITIES: Final = registry(
    Complexity(
        key="depth of a tree",
        steps=tuple(range(1, 16)),
        make=lambda depth, seed: DecisionTreeClassifier(max_depth=depth, random_state=seed),
        counts_instances=False,
    ),
    Complexity(
        key="number of neighbours",
        steps=(101, 75, 51, 35, 25, 19, 15, 11, 9, 7, 5, 3, 1),
        make=lambda k, _: KNeighborsClassifier(n_neighbors=k),
        counts_instances=True,
    ),
)


def errors_by_complexity(
    dataset: Dataset,
    positive: str,
    plan: ScoringPlan,
    complexity: str,
    *,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> pd.DataFrame:
    """Share of errors of each model, learnt on a plan's training part.

    Returns a tidy table: value, part (of OVERFITTING_PARTS), error. Raises InvalidInput for an unknown complexity, or a
    training part that is too small for two models.
    """
    check_choice("complexity", complexity, COMPLEXITIES)
    family, labels = COMPLEXITIES[complexity], dataset.binary_labels(positive)
    training, pool = plan.training_rows, plan.pool_rows
    folds = StratifiedKFold(n_folds(labels[training]), shuffle=True, random_state=seed)
    smallest = min(len(inside) for inside, _ in folds.split(training, labels[training]))
    values = [step for step in family.steps if step <= smallest or not family.counts_instances]
    if len(values) < 2:
        raise InvalidInput("training part", "allow two models at least", f"{len(training)} instances", "Enlarge it.")
    features, truth = dataset.features.iloc[training], labels[training]
    rows = []
    for number, value in enumerate(values):
        if on_progress:
            on_progress(number / len(values))
        model = encoded(dataset.nominal, family.make(value, seed))
        fitted = clone(model).fit(features, truth)
        predicted = (
            fitted.predict(features),
            cross_val_predict(model, features, truth, cv=folds),
            fitted.predict(dataset.features.iloc[pool]),
        )
        for part, one, of in zip(OVERFITTING_PARTS, predicted, (truth, truth, labels[pool]), strict=True):
            rows.append((value, part, float(np.mean(one != of))))
    return pd.DataFrame(rows, columns=["value", "part", "error"])
