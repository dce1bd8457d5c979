"""A quantifier on features: a classifier scored out of fold, and a quantifier on its scores, as one scikit-learn estimator."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.utils import Bunch, ClassifierTags, get_tags, metadata_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from qcore._base.command_output import Say, progress_line
from qcore._base.validation import LARGEST_SEED, FloatArray, InvalidInput, check_choice, check_level
from qcore.estimator.checked_input import (
    check_classifier,
    check_n_jobs,
    check_sorted_order,
    checked_random_state,
    is_on_features,
    labelled,
    numbers_of_known_classes,
)
from qcore.estimator.held_out_scores import (
    Splitter,
    held_out_rows,
    held_out_scores,
    n_groups,
    parameters_chosen_once,
    scores_by,
    trained_on_labels,
)
from qcore.intervals.sample_estimate import estimate_sample, intervals_by_method
from qcore.quantifiers import QUANTIFIERS, Quantifier
from qcore.quantifiers.adjustment import OrderedAdjustedCount
from qcore.quantifiers.expectation_maximisation import adjusted_class_posteriors
from qcore.quantifiers.fitting import Calibrated, OneVsAll, check_estimates, fitted, is_quantifier
from qcore.scoring.scores import Scores
from qcore.scoring.training_part import RowLevels, row_keys, take_few_values

_AUTOMATIC, _SIGMOID, _NONE = "auto", "sigmoid", "none"

PREFIT = "prefit"
"""The value of `cv` for a classifier that is fitted already."""


def _gives_probabilities(self: "QuantifierCV") -> bool:
    """Whether the classifier, before or after `fit`, has predict_proba. Raises AttributeError, which names the reason."""
    return bool((getattr(self, "classifier_", None) or self._classifier()).predict_proba)


class QuantifierCV(MetaEstimatorMixin, BaseEstimator):
    """Estimate the prevalence of each class in a sample, from features.

    `fit` scores each labelled instance by a clone of the classifier that has not seen it, fits the quantifier on these scores,
    and trains the classifier again on all instances; `predict` answers for the sample as a whole. So the tpr and fpr that
    correct a count are those of instances that a model has not seen (Forman 2008).

    Parameters
    ----------
    classifier : any classifier of scikit-learn's form with predict_proba or decision_function, such as a Pipeline; None for
        LogisticRegression. If it is a search (GridSearchCV ...), parameters are chosen once, on all instances.
    quantifier : a key of QUANTIFIERS, or a quantifier on scores, such as AdjustedCount(), or your own with fit(scores, labels)
        and predict(scores). A registered one for one class against the rest, or one of its kind, is used for each class in turn
        where there are more than two; your own gets the scores of all classes then, unless it is OneVsAll(make).
    cv : number of stratified folds (fewer where a class has fewer instances), a splitter, or pairs of rows; "prefit" if the
        classifier is fitted and `fit` gets labelled instances that it has not seen, as for a FrozenEstimator.
    calibration : "auto": a registered quantifier that takes scores for posteriors (PCC, PACC, EMQ) gets calibrated ones of a
        classifier without predict_proba, by Platt's sigmoid, which is learnt from the held-out scores; "sigmoid": so it
        does of any classifier, and a quantifier of your own, too; "none": scores are taken as they are.
    n_jobs : how many folds are trained at once, as in joblib, and in how many threads an interval is computed.
    random_state : seed of the folds and of intervals, or a Generator or RandomState. The classifier has a seed of its own.

    Attributes
    ----------
    classes_ : labels, sorted, (n_classes,); columns of all results are in this order. The second of two is the positive one.
    classifier_ : the classifier, trained on all instances. One that takes classes only as numbers, such as XGBoost's, is within
        an `OnNumbers`.
    quantifier_ : the quantifier, fitted on the held-out scores.
    training_scores_ : the held-out scores, of two classes only those of the second, (n,), else (n, n_classes).
    training_labels_ : the numbers of their classes, (n,).
    training_prevalences_ : share of each class among the instances, (n_classes,).
    n_features_in_, feature_names_in_ : as in the classifier, where it has them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = make_pipeline(StandardScaler(), LogisticRegression())
    >>> cancer = QuantifierCV(classifier, "AC").fit(X[::2], y[::2].map({0: "malignant", 1: "benign"}))
    >>> cancer.classes_.tolist(), cancer.predict(X[1::2]).round(1).tolist()
    (['benign', 'malignant'], [0.6, 0.4])
    >>> cancer.predict_interval(X[1::2]).round(1).tolist()
    [[0.6, 0.7], [0.3, 0.4]]

    Several samples at once, and intervals at the end of a Pipeline, whose `predict` passes on what it does not know:

    >>> month = np.where(np.arange(len(X[1::2])) < 100, "may", "june")
    >>> cancer.predict(X[1::2], groups=month).round(1).tolist()  # june, may
    [[0.7, 0.3], [0.5, 0.5]]
    >>> whole = make_pipeline(StandardScaler(), QuantifierCV(LogisticRegression(), "AC")).fit(X[::2], y[::2])
    >>> shares, intervals = whole.predict(X[1::2], return_interval=True)
    >>> intervals.shape
    (2, 2)
    """

    def __init__(
        self,
        classifier: Any = None,
        quantifier: str | Quantifier = "AC",
        *,
        cv: Splitter | str = 10,
        calibration: str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = 0,
    ) -> None:
        self.classifier = classifier
        self.quantifier = quantifier
        self.cv = cv
        self.calibration = calibration
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Learn from instances, (n, n_features), and their labels, (n,).

        `params` go to the classifier's `fit`, such as sample_weight; `groups` (n,) keeps instances of a group in one fold. With
        scikit-learn's metadata routing, they go where they were requested. Weights are only for training: the quantifier
        counts each instance once. With a fitted classifier nothing is trained, and `params` are not used.

        Raises
        ------
        InvalidInput
            Labels that are not classes, or not one for each instance; fewer than two classes, or fewer than two instances of
            one; an unknown quantifier; an invalid cv, n_jobs or random_state; a fitted classifier of other classes; for
            o-ACC, ordered categories whose order is not the sorted one. From `predict`: answers of your own quantifier that
            are not shares of the classes.
        """
        data = labelled(X, y)
        routed = self._routed(params)
        check_n_jobs(self.n_jobs)
        check_choice("calibration", self.calibration, (_AUTOMATIC, _SIGMOID, _NONE))
        random = checked_random_state(self.random_state)
        folds_seed, self._seed = (int(seed) for seed in random.randint(LARGEST_SEED, size=2))
        quantifier = _unfitted(self.quantifier, len(data.classes))
        if isinstance(quantifier, OrderedAdjustedCount):
            check_sorted_order(y, data.classes)
        if self._is_prefit():
            self.classifier_ = self._classifier()
            check_is_fitted(self.classifier_)
            _check_classes(self.classifier_, data.classes)
            scores, labels = scores_by(self.classifier_, data.features, data.classes), data.numbers
            self._levels = None
        else:
            self.classifier_ = trained_on_labels(self._classifier(), data, routed.classifier.fit)
            folds = held_out_rows(self.cv, data, folds_seed, routed.splitter.split)
            once = parameters_chosen_once(self.classifier_)
            scores, rows, _ = held_out_scores(once, data, folds, routed.classifier.fit, self.n_jobs)
            keys, labels = row_keys(data.features)[rows], data.numbers[rows]
            self._levels = RowLevels.of(keys, scores) if take_few_values(keys) else None
            scores = scores if self._levels is None else self._levels.of_rows(keys, scores)
        self.classes_, self.training_scores_, self.training_labels_ = data.classes, scores, labels
        self.training_prevalences_ = np.bincount(data.numbers) / len(data.numbers)
        self._takes_posteriors = self._is_given_posteriors()
        calibrates = not self._takes_posteriors and self._reads_posteriors()
        self.quantifier_ = fitted(Calibrated(quantifier) if calibrates else quantifier, scores, labels)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.classifier_, name):
                setattr(self, name, getattr(self.classifier_, name))
        return self

    def predict(
        self, X: Any, *, groups: ArrayLike | None = None, return_interval: bool = False, level: float = 0.95
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """The prevalence of each class in the sample X, (n_classes,), in the order of `classes_`.

        Parameters
        ----------
        X : the instances, (n, n_features).
        groups : where X holds several samples, to which one each instance belongs, (n,): the result is (n_groups, n_classes),
            in the order of np.unique(groups).
        return_interval : give (prevalences, intervals), the latter as `predict_interval` does. A Pipeline passes this on.
        level : level of the intervals.
        """
        samples = self._samples(X, groups)
        shares = np.stack([self._shares(scores) for scores in samples])
        shares = shares[0] if groups is None else shares
        return (shares, self._intervals(samples, level, groups is None)) if return_interval else shares

    def predict_interval(self, X: Any, level: float = 0.95, *, groups: ArrayLike | None = None) -> FloatArray:
        """An interval of each class's prevalence in the sample X, (n_classes, 2): low, high; of `groups`, of each of them.

        It covers the chance of the sample and of the labelled instances: for two classes and AC by Lang and Reiczigel's formula
        (2014), else by the double bootstrap, which tells a terminal how far it is. With fewer than 20 instances only AC has
        one; that of others is [0, 1]. The one of a quantifier without a correction, such as CC, misses where prevalences differ
        from training. That of EMQ, which takes scores for probabilities, includes the error of these only in part: at 95%
        it held the truth in 88 of 100 runs on two normals with 300 training instances and samples of 300, in 95 with 600
        and 500.
        """
        return self._intervals(self._samples(X, groups), level, groups is None)

    def _samples(self, X: Any, groups: ArrayLike | None) -> list[FloatArray]:
        """The scores of each sample. Raises InvalidInput unless there is a group for each instance."""
        scores = self.instance_scores(X)
        if groups is None:
            return [scores]
        n_groups(groups, len(scores))
        numbers = np.unique(np.asarray(groups), return_inverse=True)[1]
        return [scores[numbers == number] for number in range(int(numbers.max()) + 1)]

    def _shares(self, scores: FloatArray) -> FloatArray:
        """The prevalence of each class in a sample, (n_classes,)."""
        if scores.ndim == 1:
            share = float(check_estimates(self._name(), self.quantifier_.predict(scores[np.newaxis]), (1,))[0])
            return np.array([1.0 - share, share])
        return check_estimates(self._name(), self.quantifier_.predict(scores[np.newaxis]), (1, len(self.classes_)))[0]

    def _intervals(self, samples: Sequence[FloatArray], level: float, is_single: bool) -> FloatArray:
        """The intervals of samples, (n_samples, n_classes, 2); of a single one (n_classes, 2)."""
        check_level(level)
        with progress_line() as say:
            each = [self._interval(scores, level, say) for scores in samples]
        return each[0] if is_single else np.stack(each)

    def _interval(self, scores: FloatArray, level: float, say: Say) -> FloatArray:
        own = _unfitted(self.quantifier, len(self.classes_))
        own = Calibrated(own) if isinstance(self.quantifier_, Calibrated) else own
        made: Any = {self._name(): _registered(self.quantifier) or own}
        training = self.training_scores_, self.training_labels_
        how: Any = {
            "level": level,
            "seed": self._seed,
            "posteriors": self._takes_posteriors,
            "n_jobs": self.n_jobs,
            "on_progress": partial(say, "Redrawing sample and labels"),
        }
        if scores.ndim == 1:
            # Not `estimate_sample`, which also checks the estimate: for AC these checks take most of its time.
            table = intervals_by_method(made, scores, *training, **how)
            low, high = table[["low", "high"]].to_numpy(dtype=np.float64)[0]
            return np.array([[1.0 - high, 1.0 - low], [low, high]])
        names = tuple(str(name) for name in self.classes_)
        several = estimate_sample(scores, *training, made, classes=names, **how)
        return several.table[["low", "high"]].to_numpy(dtype=np.float64)

    @available_if(_gives_probabilities)
    def predict_proba(self, X: Any, adjusted: bool = True) -> FloatArray:
        """The probability of each class for each instance, (n, n_classes), adjusted to the prevalences estimated for X.

        That is one sample: row by row, each would be adjusted to a share of 0 or 1. With `adjusted=False` as the classifier
        gives them. Source: Saerens et al. 2002, eq. 2.4.
        """
        check_is_fitted(self, "quantifier_")
        scores = self.instance_scores(X) if adjusted else scores_by(self.classifier_, X, self.classes_)
        if adjusted and isinstance(self.quantifier_, Calibrated):
            scores = self.quantifier_.sigmoid_(scores)
        posteriors = np.stack([1.0 - scores, scores], axis=1) if scores.ndim == 1 else scores
        if not adjusted:
            return posteriors
        return adjusted_class_posteriors(posteriors, self.training_prevalences_, self._shares(self.instance_scores(X)))

    def instance_scores(self, X: Any) -> FloatArray:
        """The scores of instances, which the quantifier counts: (n,) for two classes, else (n, n_classes).

        They are the classifier's. Where features take few values, an instance has the mean of the held-out scores of the
        training instances that are equal to it: see `qcore.scoring.training_part`.
        """
        check_is_fitted(self, "quantifier_")
        scores = scores_by(self.classifier_, X, self.classes_)
        return scores if self._levels is None else self._levels.of_rows(row_keys(X), scores)

    def to_scores(self, X: Any, y: Any) -> Scores:
        """The held-out training scores, beside the scores and the labels, (n,), of instances that it has not seen.

        This is what `evaluation_report`, `estimate` and the studies take. Raises InvalidInput for a label of another class.
        """
        pool = self.instance_scores(X)
        numbers = numbers_of_known_classes(y, self.classes_, len(pool))
        names = tuple(str(name) for name in self.classes_) if pool.ndim > 1 else ()
        how: Any = {"classes": names, "posteriors": self._takes_posteriors}
        return Scores(self.training_scores_, self.training_labels_, pool, numbers, **how)

    def get_metadata_routing(self) -> metadata_routing.MetadataRouter:
        """Where metadata go: to the classifier's `fit`, and to the splitter."""
        to_fit = metadata_routing.MethodMapping().add(caller="fit", callee="fit")
        to_split = metadata_routing.MethodMapping().add(caller="fit", callee="split")
        splitter = self.cv if hasattr(self.cv, "split") else StratifiedGroupKFold()
        router = metadata_routing.MetadataRouter(owner=self).add_self_request(self)
        return router.add(classifier=self._classifier(), method_mapping=to_fit).add(splitter=splitter, method_mapping=to_split)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._classifier()).input_tags
        # Else scikit-learn's searches would not stratify their folds, and sorted labels leave folds without a class.
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = True
        return tags

    def _name(self) -> str:
        return name_of(self.quantifier)

    def _classifier(self) -> Any:
        if self.classifier is None:
            return LogisticRegression(max_iter=1000)
        check_classifier(self.classifier)
        return self.classifier

    def _is_given_posteriors(self) -> bool:
        """Whether scores are taken as posteriors as they are."""
        if self.calibration == _AUTOMATIC:
            return hasattr(self.classifier_, "predict_proba")
        return self.calibration == _NONE

    def _reads_posteriors(self) -> bool:
        """Whether the quantifier gets calibrated scores if they are not posteriors."""
        key = _registered(self.quantifier)
        return self.calibration == _SIGMOID if key is None else QUANTIFIERS[key].reads_posteriors

    def _is_prefit(self) -> bool:
        if isinstance(self.cv, str) and self.cv != PREFIT:
            raise InvalidInput("cv", f"be a number, a splitter, pairs of rows, or {PREFIT!r}", repr(self.cv), "Choose 10.")
        return isinstance(self.cv, str) or isinstance(self.classifier, FrozenEstimator)

    def _routed(self, params: dict[str, Any]) -> Any:
        """The parameters of `fit` that go to the classifier, and those that go to the splitter."""
        if get_config()["enable_metadata_routing"]:
            return metadata_routing.process_routing(self, "fit", **params)
        to_split = {name: params.pop(name) for name in ("groups",) if name in params}
        return Bunch(classifier=Bunch(fit=params), splitter=Bunch(split=to_split))


def _check_classes(fitted: Any, classes: np.ndarray) -> None:
    """Raise InvalidInput for a fitted classifier whose classes are not those of the labels, such as 1 beside "fraud"."""
    known = getattr(fitted, "classes_", classes)
    if not np.array_equal(known, classes):
        first, second = (", ".join(repr(name) for name in np.asarray(one)[:5].tolist()) for one in (classes, known))
        hint = "Pass labels by the names that the classifier was trained with, each of them at least once."
        raise InvalidInput("the classes of the fitted classifier", f"be those of y, {first}", second, hint)


def _registered(quantifier: object) -> str | None:
    """The key of a quantifier that is registered, given by its key or as an equal object; None for another one."""
    if isinstance(quantifier, str):
        check_choice("quantifier", quantifier, QUANTIFIERS)
        return quantifier
    kind = type(quantifier)
    return next((key for key, entry in QUANTIFIERS.items() if type(made := entry.make()) is kind and made == quantifier), None)


def name_of(quantifier: object) -> str:
    """The key of a registered quantifier, the name of another one's class."""
    return _registered(quantifier) or type(quantifier).__name__


def _unfitted(quantifier: str | Quantifier, n_classes: int) -> Any:
    """An unfitted copy of a quantifier, for all classes if there are more than two. Raises InvalidInput for another object."""
    key = _registered(quantifier)
    fresh: Any = QUANTIFIERS[key].make() if key else quantifier
    if is_on_features(fresh):
        value = f"a {type(fresh).__name__}, on features"
        raise InvalidInput("quantifier", "work on scores", value, "Pass for example 'AC', or the quantifier of that one.")
    if not is_quantifier(fresh):
        rule = "be a key of QUANTIFIERS or an object with fit(scores, labels) and predict(scores)"
        raise InvalidInput("quantifier", rule, repr(quantifier)[:60], "Pass for example 'AC'.")
    # One without get_params is copied deeply.
    copied = clone(fresh, safe=False)
    kinds = {type(entry.make()) for entry in QUANTIFIERS.values() if not entry.takes_all_classes}
    return OneVsAll(partial(clone, copied)) if n_classes > 2 and isinstance(fresh, tuple(kinds)) else copied
