"""The AUC of more than two classes: of each pair of classes, and Hand and Till's mean of them."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import roc_auc_score

from qcore._base.validation import FloatArray, InvalidInput, check_class_labels, check_class_scores


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
