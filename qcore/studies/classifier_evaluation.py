"""A classifier judged: at every threshold, as it grows more complex, and calibrated.

The effect of calibrating scores on the quantifiers that use them as probabilities.

Overfitting: the error of ever more complex models on their training data, out of fold, and on a pool.

Source: slides on model evaluation, on validation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from qcore._base.registry import registry
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice, check_kind
from qcore.classifiers import encoded
from qcore.datasets import Dataset
from qcore.evaluation.estimates import estimate
from qcore.measures import MEASURES, ContingencyTable
from qcore.measures.roc import RateCurve, Skew, auc, convex_hull, cost_table, rate_curve, roc_curve
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.operating_points import OperatingPoint, policy_points, threshold_grid
from qcore.scoring import Scores, ScoringPlan
from qcore.scoring.rate_estimation import n_folds

PARTS = ("training", "pool")


@dataclass(frozen=True)
class ClassifierEvaluation:
    """How a classifier performs on one set of scores.

    Attributes
    ----------
    scores, labels : what it is evaluated on, (n,).
    curve, hull : ROC curve and its convex hull; `auc` is the curve's area.
    points : each policy's threshold, chosen in training, with tpr and fpr as they are on these scores.
    rates : tpr and fpr at every threshold to look at.
    table : contingency tables there, arrays (n_thresholds,).
    """

    scores: FloatArray
    labels: IntArray
    curve: RateCurve
    hull: RateCurve
    auc: float
    points: dict[str, OperatingPoint]
    rates: RateCurve
    table: ContingencyTable

    def measures(self) -> pd.DataFrame:
        """Every classification measure of MEASURES at each threshold: threshold and a column for each, F1 for F_beta.

        NaN where a measure is undefined, as precision is where nothing is predicted positive.
        """
        columns = {
            key.replace("_beta", "1"): np.where(measure.is_defined(self.table), measure.of(self.table, 1.0), np.nan)
            for key, measure in MEASURES.items()
            if not measure.is_balance
        }
        return pd.DataFrame({"threshold": self.rates.thresholds, **columns})

    def costs(self, skew: Skew) -> pd.DataFrame:
        """`cost_table` of the policies, of the cheapest threshold, and of predicting one class only."""
        best = skew.best(self.curve)
        points = [(point.threshold, point.tpr, point.fpr) for point in self.points.values()]
        points.append((self.curve.thresholds[best], self.curve.tpr[best], self.curve.fpr[best]))
        points += [(np.inf, 0.0, 0.0), (0.0, 1.0, 1.0)]
        names = [*self.points, "cheapest threshold", "all negative", "all positive"]
        return cost_table(names, RateCurve(*np.array(points).T), skew)


def evaluate_classifier(scores: Scores, part: str = "training", threshold: float = 0.5) -> ClassifierEvaluation:
    """Evaluate a classifier on its out-of-fold training scores or on the pool.

    Parameters
    ----------
    scores : of one class against the rest.
    part : "training" or "pool".
    threshold : an additional threshold, besides 0, 0.01, ..., 1 and those of the policies.

    Raises
    ------
    InvalidInput
        An unknown part, or a threshold outside [0, 1].

    Examples
    --------
    >>> from qcore import load_dataset, score_dataset
    >>> round(evaluate_classifier(score_dataset(load_dataset("wdbc")), part="pool").auc, 3)
    0.996
    """
    check_kind("scores", scores, Scores, "For a data set pass score_dataset(dataset).")
    check_choice("part", part, PARTS)
    training = scores.training_scores, scores.training_labels
    values, labels = training if part == "training" else (scores.pool_scores, scores.pool_labels)
    chosen = policy_points(*training)
    rates = rate_curve(values, labels, threshold_grid(chosen, threshold))
    curve = roc_curve(values, labels)
    points = {}
    for key, point in chosen.items():
        i = int(np.searchsorted(rates.thresholds, point.threshold))
        points[key] = OperatingPoint(point.threshold, float(rates.tpr[i]), float(rates.fpr[i]))
    n_positives, n_negatives = int(labels.sum()), int((1 - labels).sum())
    tp, fp = np.rint(rates.tpr * n_positives), np.rint(rates.fpr * n_negatives)
    table = ContingencyTable(tp, fp, n_positives - tp, n_negatives - fp)
    return ClassifierEvaluation(values, labels, curve, convex_hull(curve), auc(values, labels), points, rates, table)


PROBABILISTIC_QUANTIFIERS = tuple(key for key, entry in QUANTIFIERS.items() if entry.reads_posteriors)
"""Keys of the quantifiers that take scores for posteriors."""


def mean_errors(scores: Scores, protocol: ArtificialPrevalence, seed: int) -> pd.DataFrame:
    """Mean AE of these quantifiers over the protocol's samples: method, AE. Raises InvalidInput if the pool is too small."""
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(seed))
    losses = estimate(PROBABILISTIC_QUANTIFIERS, scores, samples).losses("AE").by_method
    return pd.DataFrame({"method": list(losses), "AE": [float(values.mean()) for values in losses.values()]})


OVERFITTING_PARTS = ("training", "out of fold", "pool")


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


COMPLEXITIES = registry(
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
