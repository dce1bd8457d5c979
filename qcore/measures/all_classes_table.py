"""The contingency table of more than two classes: its averages one against all and one against one, and the slides' example."""

from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray, InvalidInput
from qcore.measures.classification import accuracy, f_measure, precision, recall
from qcore.measures.contingency_table import ContingencyTable

SLIDES_CLASSES: Final = ("low", "medium", "high")
SLIDES_COUNTS: Final = ((20, 0, 13), (5, 15, 4), (4, 7, 60))
SLIDES_COSTS: Final = ((0, 5, 2), (200, -2000, 10), (10, 1, -15))
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
