"""Quantification tree and forest: splits after which the errors of both classes cancel out (Milli et al. 2013)."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore._base.validation import FloatArray, check_integer
from qcore.classifiers.binary_classifier import BinaryClassifier, two_classes
from qcore.classifiers.quantification_tree_growth import Trees, grow_trees, ranked_features

_MOST_THREADS: Final = 4
_TOGETHER: Final = 200_000
"""Limit of instances times candidate features for the trees that are grown together."""


class QuantificationTree(BinaryClassifier):
    """A binary tree whose splits minimise |FP - FN| (FP + FN) of the two children, grown until leaves are pure.

    The score of a leaf is its share of positives; 0.5 is predicted positive.

    Attributes
    ----------
    trees_ : the one tree.
    classes_ : the two labels, the positive one last.

    Source: Milli et al. 2013; Maletzke et al. 2020, Table 1.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,). Raises InvalidInput for other than two classes."""
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        once = np.ones((1, len(labels)), dtype=np.intp)
        self.trees_ = grow_trees(ranked_features(features), truth, once, features.shape[1], np.random.default_rng(0))
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Shares of negatives and positives in the leaf of each instance, (n, 2)."""
        check_is_fitted(self)
        share = self.trees_.shares(validate_data(self, X, reset=False, dtype=np.float64))[0]
        return np.stack([1.0 - share, share], axis=1)


class QuantificationForest(BinaryClassifier):
    """Quantification trees on bootstrap samples, each node choosing among a random sqrt(n_features) features.

    The score is the share of trees that vote positive; 0.5 is predicted positive.

    Parameters
    ----------
    n_trees : number of trees (Maletzke et al. 2020: 200).
    random_state : seed of the bootstrap samples and of the random features.

    Attributes
    ----------
    trees_ : the trees, in groups that grew together.
    classes_ : the two labels, the positive one last.

    Source: Milli et al. 2013; Maletzke et al. 2020, Table 1.
    """

    def __init__(self, n_trees: int = 200, random_state: int | None = None) -> None:
        self.n_trees = n_trees
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,). Raises InvalidInput for other than two classes or no tree."""
        check_integer("n_trees", self.n_trees, low=1)
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        n_candidates = max(1, round(features.shape[1] ** 0.5))
        data = ranked_features(features)
        together = max(1, _TOGETHER // (len(labels) * n_candidates))
        sizes = [min(together, self.n_trees - start) for start in range(0, self.n_trees, together)]

        def group(size: int, group_rng: np.random.Generator) -> Trees:
            counts = group_rng.multinomial(len(labels), np.full(len(labels), 1.0 / len(labels)), size=size)
            return grow_trees(data, truth, counts.astype(np.intp), n_candidates, group_rng)

        # Sorting releases the interpreter lock; each group has a generator of its own, so the order of the threads is
        # irrelevant.
        with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool:
            self.trees_ = list(pool.map(group, sizes, rng.spawn(len(sizes))))
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Shares of the trees that vote negative and positive, (n, 2)."""
        check_is_fitted(self)
        features = validate_data(self, X, reset=False, dtype=np.float64)
        share = np.concatenate([trees.shares(features) >= 0.5 for trees in self.trees_]).mean(axis=0)
        return np.stack([1.0 - share, share], axis=1)
