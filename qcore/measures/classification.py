"""Classification measures of a contingency table, binary or multiclass.

Sources: Barranquero 2013, 2.1 and 6.2; slides on model evaluation.

Those of a binary table broadcast over arrays of counts and return their shape. A measure that is 0/0 is 0, without a warning.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.metrics import roc_auc_score

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_class_labels, check_class_scores
from qcore.measures.measure import ContingencyTable


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Part / whole, 0 where whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, float), np.asarray(whole, float))
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def accuracy(table: ContingencyTable) -> FloatArray:
    """(TP + TN) / S."""
    return _share(table.tp + table.tn, table.tp + table.fp + table.fn + table.tn)


def error(table: ContingencyTable) -> FloatArray:
    """(FP + FN) / S."""
    return _share(table.fp + table.fn, table.tp + table.fp + table.fn + table.tn)


def recall(table: ContingencyTable) -> FloatArray:
    """Tpr = TP / P; 0 without positives. Source: Barranquero 2013, eq. 2.7."""
    return _share(table.tp, table.tp + table.fn)


def tnr(table: ContingencyTable) -> FloatArray:
    """TN / N; 0 without negatives. Source: Barranquero 2013, 5.2.4."""
    return _share(table.tn, table.tn + table.fp)


def fpr(table: ContingencyTable) -> FloatArray:
    """FP / N; 0 without negatives. Source: Barranquero 2013, eq. 2.8."""
    return _share(table.fp, table.tn + table.fp)


def precision(table: ContingencyTable) -> FloatArray:
    """TP / P', with P' = TP + FP; 0 when nothing is predicted positive. Source: Barranquero 2013, 6.1."""
    return _share(table.tp, table.tp + table.fp)


def npv(table: ContingencyTable) -> FloatArray:
    """Negative predictive value, TN / (TN + FN); 0 when nothing is predicted negative. Source: slides on model evaluation."""
    return _share(table.tn, table.tn + table.fn)


def f_measure(table: ContingencyTable, beta: float = 1.0) -> FloatArray:
    """F_beta = (1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP); 0 without true positives; recall for beta = inf.

    Raises InvalidInput for a beta below 0. Source: Barranquero 2013, eq. 6.1.
    """
    if not beta >= 0:
        raise InvalidInput("beta", "be at least 0", repr(beta), "Choose for example 1.")
    if np.isinf(beta):
        return recall(table)
    # Written with weights, since the square of a large beta would overflow.
    weight = 1.0 / (1.0 + beta * beta)
    return _share(table.tp, table.tp + (1.0 - weight) * table.fn + weight * table.fp)


def geometric_mean(table: ContingencyTable) -> FloatArray:
    """GM = sqrt(tpr tnr). Source: Barranquero 2013, eq. 6.3."""
    return np.sqrt(recall(table) * tnr(table))


def macro_accuracy(table: ContingencyTable) -> FloatArray:
    """Mean of the accuracies within each class, (tpr + tnr) / 2. Source: slides on model evaluation."""
    return (recall(table) + tnr(table)) / 2.0


SLIDES_CLASSES = ("low", "medium", "high")
SLIDES_COUNTS = ((20, 0, 13), (5, 15, 4), (4, 7, 60))
SLIDES_COSTS = ((0, 5, 2), (200, -2000, 10), (10, 1, -15))
"""The example of the slides on model evaluation, predicted class by row: its total cost is -29,787."""


def check_counts(counts: ArrayLike) -> FloatArray:
    """Counts, (n_classes, n_classes), predicted class by row. Raises InvalidInput for another shape or a negative count."""
    table = np.asarray(counts, dtype=float)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
        rule = "have a row and a column for each of at least 2 classes"
        raise InvalidInput("counts", rule, f"shape {table.shape}", "Give predicted classes by row, actual ones by column.")
    if not (table >= 0).all():
        raise InvalidInput("counts", "be at least 0", f"{table.min():g}", "Count instances.")
    return table


def class_counts(predicted: IntArray, labels: IntArray, n_classes: int) -> IntArray:
    """How often each class, by row, is predicted for each actual class, by column: (n_classes, n_classes)."""
    counts = np.zeros((n_classes, n_classes), dtype=np.intp)
    np.add.at(counts, (predicted, labels), 1)
    return counts


def one_vs_all(counts: ArrayLike) -> ContingencyTable:
    """The table of each class as positive against all others, arrays (n_classes,). Source: slides on model evaluation."""
    table = check_counts(counts)
    tp = np.diag(table)
    fp, fn = table.sum(axis=1) - tp, table.sum(axis=0) - tp
    return ContingencyTable(tp, fp, fn, table.sum() - tp - fp - fn)


def one_vs_one(counts: ArrayLike) -> ContingencyTable:
    """The table of each pair of classes, arrays (n_classes (n_classes - 1) / 2,), the first of a pair as positive.

    Counts only instances of the two classes that are predicted as one of the two. Source: slides on model evaluation.
    """
    table = check_counts(counts)
    first, second = np.array(list(combinations(range(len(table)), 2))).T
    return ContingencyTable(table[first, first], table[first, second], table[second, first], table[second, second])


def averaged_measures(counts: ArrayLike) -> pd.DataFrame:
    """Measures of a table of several classes, averaged over its tables of two.

    Returns measure, one_vs_all (mean over classes), weighted (by the classes' frequencies) and one_vs_one (mean over pairs, in
    both directions, since precision and recall depend on which class is the positive one). Raises InvalidInput.

    Examples
    --------
    >>> averaged_measures([[8, 2], [1, 9]]).round(3).one_vs_all.tolist()
    [0.85, 0.85, 0.854, 0.85]

    Source: slides on model evaluation.
    """
    table = check_counts(counts)
    of_classes, of_pairs = one_vs_all(table), one_vs_one(table)
    swapped = ContingencyTable(of_pairs.tn, of_pairs.fn, of_pairs.fp, of_pairs.tp)
    frequencies = table.sum(axis=0) / table.sum()
    measures = {"accuracy": accuracy, "precision": precision, "recall": recall, "F1": f_measure}
    rows = []
    for name, measure in measures.items():
        by_class = measure(of_classes)
        by_pair = np.concatenate([measure(of_pairs), measure(swapped)])
        rows.append((name, float(by_class.mean()), float(by_class @ frequencies), float(by_pair.mean())))
    return pd.DataFrame(rows, columns=["measure", "one_vs_all", "weighted", "one_vs_one"])


def pairwise_auc(scores: ArrayLike, labels: ArrayLike) -> FloatArray:
    """A(i, j) of each pair of classes, (n_classes, n_classes), symmetric, NaN on the diagonal.

    A(i, j) is the mean of the AUC of class i's scores and that of class j's, among the instances of both.
    `scores`: (n, n_classes), `labels`: (n,) numbers of classes, each present. Raises InvalidInput.
    Source: Hand and Till 2001; slides on model evaluation, whose factor 1 / (c (c - 1)) before the sum over the pairs of c
    classes is half of what it should be: with it, the AUC of a perfect classifier is one half.
    """
    checked, truth = check_class_scores("scores", scores), check_class_labels("labels", labels)
    n_classes = int(truth.max()) + 1
    if checked.shape != (len(truth), n_classes):
        rule, hint = f"have shape ({len(truth)}, {n_classes})", "Give a row for each label, a column for each class."
        raise InvalidInput("scores", rule, f"shape {checked.shape}", hint)
    pairs = np.full((n_classes, n_classes), np.nan)
    for i, j in combinations(range(n_classes), 2):
        both = (truth == i) | (truth == j)
        areas = [roc_auc_score(truth[both] == label, checked[both, label]) for label in (i, j)]
        pairs[i, j] = pairs[j, i] = sum(areas) / 2.0
    return pairs
