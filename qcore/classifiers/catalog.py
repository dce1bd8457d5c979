"""The registry of classifiers, each a pipeline that encodes, scales and scores. A new one takes its entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC

from qcore.registry import registry
from qcore.validation import FloatArray, check_choice


@dataclass(frozen=True)
class ClassifierEntry:
    """A classifier with what a page needs to explain it; `make(random_state, n_training)` returns a fresh estimator.

    `n_training` is the least number of instances that it will be fitted on.
    """

    key: str
    make: Callable[[int, int], BaseEstimator]
    idea: str
    source: str


CLASSIFIERS: Final = registry(
    ClassifierEntry(
        "logistic regression",
        lambda seed, n: LogisticRegression(max_iter=2000, random_state=seed),
        "A linear model of the log odds; its scores are probabilities, well calibrated where the model fits.",
        "scikit-learn LogisticRegression, C = 1",
    ),
    ClassifierEntry(
        "linear SVM",
        lambda seed, n: LinearSVC(dual="auto", max_iter=20000, random_state=seed),
        "The widest margin between the classes; a score is the logistic of the decision value, not a probability.",
        "scikit-learn LinearSVC, C = 1",
    ),
    ClassifierEntry(
        "Gaussian naive Bayes",
        lambda seed, n: GaussianNB(),
        "Features taken as independent normals in each class; scores crowd near 0 and 1.",
        "scikit-learn GaussianNB",
    ),
    ClassifierEntry(
        "k nearest neighbours",
        lambda seed, n: KNeighborsClassifier(n_neighbors=min(15, n)),
        "The share of positives among the 15 nearest training instances; scores are heavily tied.",
        "scikit-learn KNeighborsClassifier, k = 15",
    ),
    ClassifierEntry(
        "random forest",
        lambda seed, n: RandomForestClassifier(n_estimators=200, n_jobs=-1, random_state=seed),
        "200 randomised trees; a score is the mean of their class shares.",
        "scikit-learn RandomForestClassifier, 200 trees (Maletzke et al. 2020)",
    ),
)


def make_classifier(key: str, nominal: tuple[str, ...], n_training: int, random_state: int) -> Pipeline:
    """A fresh, unfitted pipeline: nominal columns one-hot, the others standardised, then the classifier.

    `n_training` is the least number of instances that it will be fitted on, which bounds k of k nearest neighbours.
    Raises InvalidInput for an unknown key.
    """
    check_choice("classifier", key, CLASSIFIERS)
    encode = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), list(nominal)), remainder=StandardScaler()
    )
    return make_pipeline(encode, CLASSIFIERS[key].make(random_state, n_training))


def positive_scores(model: Pipeline, features: pd.DataFrame) -> FloatArray:
    """Scores in [0, 1] of `features` for the positive class, shape (n,), by a pipeline fitted on labels 0 and 1.

    The probability where the model gives one, else the logistic of its decision value, so that 0.5 is its own threshold.
    """
    if hasattr(model, "predict_proba"):
        return model.predict_proba(features)[:, 1]
    return expit(model.decision_function(features))


def class_scores(model: Pipeline, features: pd.DataFrame) -> FloatArray:
    """Scores of every class, (n, n_classes), that sum to 1, by a pipeline fitted on labels 0 to n_classes - 1.

    The probabilities where the model gives them, else the softmax of its decision values (the logistic for two classes).
    """
    if hasattr(model, "predict_proba"):
        return model.predict_proba(features)
    values = model.decision_function(features)
    return softmax(values if values.ndim == 2 else np.stack([np.zeros(len(values)), values], axis=1), axis=1)
