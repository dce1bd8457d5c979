"""The registry of classifiers: each is a pipeline that encodes, scales and scores.

Each class against all others, with an estimator of its own for each class.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from qcore._base.registry import Entry, registry
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice
from qcore.classifiers.feature_encoder import FeatureEncoder
from qcore.classifiers.multivariate_svm import MultivariateSVM
from qcore.classifiers.quantification_tree import QuantificationForest, QuantificationTree
from qcore.classifiers.tuned_linear_svm import HingeLossSVM, TunedLinearSVM
from qcore.classifiers.weighted_neighbours import WeightedNeighbours, Weighting


def _has_probabilities(model: "OneVsRestOwnParameters") -> bool:
    return all(hasattr(one, "predict_proba") for one in model.estimators)


class OneVsRestOwnParameters(ClassifierMixin, BaseEstimator):
    """Like scikit-learn's OneVsRestClassifier, but the estimator of each class may have its own parameters.

    Parameters
    ----------
    estimators : one binary classifier for each class, in the order of the classes.
    """

    def __init__(self, estimators: Sequence[BaseEstimator]) -> None:
        self.estimators = estimators

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,) of as many classes as there are estimators."""
        labels = np.asarray(y)
        self.classes_ = np.unique(labels)
        self.estimators_ = [
            clone(one).fit(X, (labels == label).astype(np.intp))
            for one, label in zip(self.estimators, self.classes_, strict=True)
        ]
        return self

    @available_if(_has_probabilities)
    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Each estimator's probability of its class, (n, n_classes); they need not sum to 1."""
        check_is_fitted(self)
        return np.stack([one.predict_proba(X)[:, 1] for one in self.estimators_], axis=1)

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Each estimator's decision value for its class, (n, n_classes)."""
        check_is_fitted(self)
        return np.stack([one.decision_function(X) for one in self.estimators_], axis=1)


_ANY_SIZE = 100


@dataclass(frozen=True)
class ClassifierEntry(Entry):
    """A registered classifier.

    Attributes
    ----------
    make : (random_state, n_training) -> a fresh estimator; `n_training` is the lowest number of instances that it is fitted on.
    binary : whether it is for two classes only.
    fixed : (fitted) -> an unfitted copy with the parameters that the fitted one has chosen; None if it chooses none.
    leave_one_out : (fitted) -> positive score of each training instance from all others, (n,); None if that needs retraining.
    seconds : (instances, encoded columns) -> rough seconds on one core to fit it and to score as many instances.

    Examples
    --------
    >>> CLASSIFIERS["Gaussian naive Bayes"].make(0, 100)
    GaussianNB()
    """

    make: Callable[[int, int], BaseEstimator]
    binary: bool = False
    fixed: Callable[[Any], BaseEstimator] | None = None
    leave_one_out: Callable[[Any], FloatArray] | None = None
    seconds: Callable[[float, float], float] = lambda n, d: 0.0035 + 6e-8 * n * d

    @cached_property
    def gives_posteriors(self) -> bool:
        """Whether its scores are probabilities of its own; else they are the logistic of decision values."""
        return hasattr(self.make(0, _ANY_SIZE), "predict_proba")


def _neighbours(key: str, weighting: Weighting, votes: str, equation: str) -> ClassifierEntry:
    return ClassifierEntry(
        key=key,
        make=lambda seed, n: WeightedNeighbours(weighting, random_state=seed, largest_k=n - 1),
        idea=f"The nearest training instances vote{votes}; cross-validation chooses how many.",
        source=f"Barranquero 2013, 5.1, {equation}; grid and 2 x 5 cross-validation on GM of 5.2.4",
        binary=True,
        fixed=WeightedNeighbours.fixed,
        leave_one_out=lambda fitted: fitted.leave_one_out_scores_,
        seconds=lambda n, d: 0.02 + 5e-8 * n**2,
    )


def _multivariate(name: str, loss: str, beta: float, idea: str, *, duration: float = 1.0) -> ClassifierEntry:
    return ClassifierEntry(
        key=f"SVM-{name}",
        make=lambda seed, n: MultivariateSVM(loss, beta=beta),
        idea=f"A hyperplane that minimises {idea} over all training instances together; used with classify and count.",
        source="Joachims 2005; Barranquero 2013, 6.3, C = 1 on the scale of the hinge-loss SVM",
        binary=True,
        seconds=lambda n, d: duration * (0.02 + 4e-7 * n * d**2),
    )


def _q_measure(beta: float, weight: str) -> ClassifierEntry:
    return _multivariate(f"Q{beta:g}", "Q_beta", beta, f"1 - Q_{beta:g} (recall and the balance of errors, NAS, {weight})")


CLASSIFIERS = registry(
    ClassifierEntry(
        key="logistic regression",
        make=lambda seed, n: LogisticRegression(max_iter=2000, random_state=seed),
        idea="A linear model of the log odds; its scores are probabilities, well calibrated where the model fits.",
        source="scikit-learn LogisticRegression, C = 1",
    ),
    ClassifierEntry(
        key="linear SVM",
        make=lambda seed, n: LinearSVC(dual="auto", max_iter=20000, random_state=seed),
        idea="The boundary with the widest margin; a score is the logistic of the decision value, not a probability.",
        source="scikit-learn LinearSVC, C = 1",
    ),
    ClassifierEntry(
        key="Gaussian naive Bayes",
        make=lambda seed, n: GaussianNB(),
        idea="Features taken as independent normals in each class; scores crowd near 0 and 1.",
        source="scikit-learn GaussianNB",
    ),
    ClassifierEntry(
        key="k nearest neighbours",
        make=lambda seed, n: KNeighborsClassifier(n_neighbors=min(15, n - 1)),
        idea="The share of positives among the 15 nearest training instances; many scores are equal.",
        source="scikit-learn KNeighborsClassifier, k = 15",
        # Called without features, it scores each training instance from all others.
        leave_one_out=lambda fitted: fitted.predict_proba(None)[:, 1],
        seconds=lambda n, d: 0.006 + 3.3e-9 * n**2,
    ),
    ClassifierEntry(
        key="random forest",
        make=lambda seed, n: RandomForestClassifier(n_estimators=200, n_jobs=-1, random_state=seed),
        idea="200 randomised trees; a score is the mean of their class shares.",
        source="scikit-learn RandomForestClassifier, 200 trees (Maletzke et al. 2020)",
        seconds=lambda n, d: 0.15 + 1.3e-4 * n * d**0.5,
    ),
    _neighbours("KNN", "equal", "", "eq. 5.1"),
    _neighbours("PWK", "proportion", ", each with the share of the other class in training as its weight", "eq. 5.5"),
    _neighbours(
        "PWK-alpha",
        "alpha",
        ", with less weight for the larger class; a second parameter, alpha, says how much less",
        "eq. 5.4",
    ),
    _q_measure(0.5, "with more weight on recall"),
    _q_measure(1, "with equal weight"),
    _q_measure(2, "with more weight on the balance"),
    _multivariate("NAS", "NAS", 1, "1 - NAS (the normalised difference of false positives and false negatives)"),
    _multivariate("NSS", "NSS", 1, "1 - NSS (the square of the normalised difference of the two errors)"),
    _multivariate("KLD", "KLD", 1, "KLD (the Kullback-Leibler divergence of the count)", duration=0.2),
    _multivariate("NKLD", "NKLD", 1, "NKLD (the Kullback-Leibler divergence, scaled to values from 0 to 1)", duration=0.2),
    _multivariate("AE", "AE", 1, "AE (the absolute error of the count)"),
    _multivariate("F1", "F_beta", 1, "1 - F_1 (F_1 is the harmonic mean of precision and recall)"),
    _multivariate("GM", "GM", 1, "1 - GM (GM is the geometric mean of tpr and tnr)"),
    _multivariate("error", "accuracy", 1, "the share of errors (as the hinge-loss SVM does)"),
    ClassifierEntry(
        key="quantification tree",
        make=lambda seed, n: QuantificationTree(),
        idea="A tree that splits where false positives and false negatives cancel out; a score is the share of "
        "positives in a leaf.",
        source="Milli et al. 2013; Maletzke et al. 2020, Table 1",
        binary=True,
        seconds=lambda n, d: 0.008 + 2e-10 * n**2 * d,
    ),
    ClassifierEntry(
        key="quantification forest",
        make=lambda seed, n: QuantificationForest(random_state=seed),
        idea="200 quantification trees on bootstrap samples; a score is the share of them that vote positive.",
        source="Milli et al. 2013; Maletzke et al. 2020, Table 1, 200 trees",
        binary=True,
        seconds=lambda n, d: 0.06 + 1.5e-4 * n * d**0.5,
    ),
    ClassifierEntry(
        key="tuned linear SVM",
        make=lambda seed, n: TunedLinearSVM(random_state=seed),
        idea="The linear SVM with C from 0.01 to 100, chosen by the geometric mean of tpr and tnr in cross-validation.",
        source="scikit-learn LinearSVC; Barranquero 2013, 5.2.4",
        binary=True,
        seconds=lambda n, d: 0.012 + 3e-7 * n * d,
        fixed=TunedLinearSVM.fixed,
    ),
    ClassifierEntry(
        key="hinge-loss SVM",
        make=lambda seed, n: HingeLossSVM(),
        idea="The linear SVM of LIBSVM: errors weigh by their distance, not its square, and the intercept is not penalised.",
        source="scikit-learn SVC with a linear kernel, C = 1 (LIBSVM: Chang and Lin 2011); Barranquero 2013, chapter 6",
        binary=True,
        seconds=lambda n, d: 0.004 + 4e-8 * n**2,
    ),
    ClassifierEntry(
        key="tuned hinge-loss SVM",
        make=lambda seed, n: TunedLinearSVM(random_state=seed, program="LIBSVM"),
        idea="LIBSVM's linear SVM with C from 0.01 to 100, chosen by the geometric mean of tpr and tnr in cross-validation.",
        source="scikit-learn SVC with a linear kernel (LIBSVM: Chang and Lin 2011); Barranquero 2013, 5.2.3 and 5.2.4",
        binary=True,
        seconds=lambda n, d: 0.05 + 6e-7 * n**2,
        fixed=TunedLinearSVM.fixed,
    ),
)


def make_classifier(key: str, nominal: tuple[str, ...], n_training: int, random_state: int, *, n_classes: int = 2) -> Pipeline:
    """A fresh, unfitted pipeline: nominal columns one-hot, the others standardised, then the classifier.

    `n_training` is the lowest number of instances that it is fitted on, which limits k of k nearest neighbours. If `n_classes`
    is above two, a classifier for two classes learns each class against all others. Raises InvalidInput for an unknown key.

    Examples
    --------
    >>> table, labels = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0]}), [0, 0, 1, 1]
    >>> make_classifier("logistic regression", (), 4, 0).fit(table, labels).predict(table).tolist()
    [0, 0, 1, 1]
    """
    check_choice("classifier", key, CLASSIFIERS)
    entry = CLASSIFIERS[key]
    model = entry.make(random_state, n_training)
    return encoded(nominal, OneVsRestClassifier(model) if entry.binary and n_classes > 2 else model)


def encoded(nominal: tuple[str, ...], model: BaseEstimator) -> Pipeline:
    """A pipeline that ends with `model`: nominal columns one-hot, the others standardised, missing numbers as the median.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> table = pd.DataFrame({"colour": ["red", "blue", "red", "blue"], "size": [1.0, np.nan, 3.0, 4.0]})
    >>> encoded(("colour",), GaussianNB()).fit(table, [0, 1, 0, 1]).predict(table).tolist()
    [0, 1, 0, 1]
    """
    return make_pipeline(FeatureEncoder(nominal), model)


def make_text_classifier(column: str, random_state: int) -> Pipeline:
    """A fresh, unfitted pipeline that learns from a column of sentences: TF-IDF of words and pairs of words, a regression.

    With thousands of words the regression is held back, so that its scores lie too close together to be posteriors.
    Source: Spärck Jones (1972), A statistical interpretation of term specificity and its application in retrieval.

    Examples
    --------
    >>> table = pd.DataFrame({"comment": ["refund please", "late again", "thank you", "great work"] * 5})
    >>> model = make_text_classifier("comment", 0).fit(table, [1, 1, 0, 0] * 5)
    >>> model.predict(pd.DataFrame({"comment": ["my refund is late"]})).tolist()
    [1]
    """
    words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
    return make_pipeline(
        ColumnTransformer([("words", words, column)]), LogisticRegression(max_iter=1000, random_state=random_state)
    )


def with_chosen_parameters(key: str, model: Pipeline, features: pd.DataFrame, labels: IntArray) -> Pipeline:
    """`model`, the unfitted pipeline of the classifier `key`, with the parameters that it chooses on these data, if any.

    With these, the rates of a model are estimated with the model's own parameters. Source: Barranquero 2013, 5.2.6.

    Examples
    --------
    >>> table, labels = pd.DataFrame({"x": np.arange(20.0)}), np.repeat([0, 1], 10)
    >>> model = make_classifier("KNN", (), 20, 0)
    >>> with_chosen_parameters("KNN", model, table, labels)[-1].k
    1
    """
    fixed = CLASSIFIERS[key].fixed
    if fixed is None:
        return model
    chosen = clone(model).fit(features, labels)[-1]
    if isinstance(chosen, OneVsRestClassifier):
        last: BaseEstimator = OneVsRestOwnParameters([fixed(one) for one in chosen.estimators_])
    else:
        last = fixed(chosen)
    return make_pipeline(clone(model[0]), last)


def positive_scores(model: Pipeline, features: pd.DataFrame) -> FloatArray:
    """Scores in [0, 1] of `features` for the positive class, shape (n,), by a pipeline fitted on labels 0 and 1.

    A score is the model's probability if it gives one, else the logistic of its decision value; 0.5 is its own threshold.

    Examples
    --------
    >>> table, labels = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0]}), np.array([0, 0, 1, 1])
    >>> model = make_classifier("Gaussian naive Bayes", (), 4, 0).fit(table, labels)
    >>> positive_scores(model, table).round(2).tolist()
    [0.0, 0.02, 0.98, 1.0]
    """
    if hasattr(model, "predict_proba"):
        return _probabilities(model, features, 2)[:, 1]
    return expit(model.decision_function(features))


def class_scores(model: Pipeline, features: pd.DataFrame) -> FloatArray:
    """Scores of every class, (n, n_classes), that sum to 1, by a pipeline fitted on labels 0 to n_classes - 1.

    Scores are the model's probabilities if it gives any, else the softmax of its decision values (logistic for two classes).

    Examples
    --------
    >>> table, labels = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0]}), np.array([0, 0, 1, 1])
    >>> model = make_classifier("Gaussian naive Bayes", (), 4, 0).fit(table, labels)
    >>> class_scores(model, table).round(2).tolist()[0]
    [1.0, 0.0]
    """
    if hasattr(model, "predict_proba"):
        probabilities = _probabilities(model, features)
        sums = probabilities.sum(axis=1, keepdims=True)
        # With one model per class, all may give an instance probability 0: then all classes count as equally likely.
        uniform = np.full(probabilities.shape, 1.0 / probabilities.shape[1])
        return np.divide(probabilities, sums, out=uniform, where=sums != 0.0)
    values = model.decision_function(features)
    return softmax(values if values.ndim == 2 else np.stack([np.zeros(len(values)), values], axis=1), axis=1)


def _probabilities(model: Any, features: pd.DataFrame, n_classes: int | None = None) -> FloatArray:
    """The result of `predict_proba`, (n, n_classes). Raises InvalidInput if it is not numeric or has another shape."""
    given = model.predict_proba(features)
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        hint = "Return an array, (n_instances, n_classes)."
        raise InvalidInput("predict_proba", "return numbers", f"a {type(given).__name__}", hint) from error
    if values.ndim != 2 or (n_classes is not None and values.shape[1] != n_classes):
        columns = "a column for each class" if n_classes is None else f"{n_classes} columns, one for each class"
        raise InvalidInput(
            "predict_proba", f"return {columns}", f"shape {values.shape}", "Is this the classifier of these labels?"
        )
    return values
