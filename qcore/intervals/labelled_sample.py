"""A sample that is predicted as a whole and labelled in part: its counts, and the table that they come from.

A table with a prediction in every row and a label in some: its counts.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice, check_one_shape, check_part, whole_numbers
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.preparation import as_labels
from qcore.datasets.table_columns import LABEL_NAMES
from qcore.datasets.user_tables import SCORE_NAMES
from qcore.datasets.written_numbers import NO_LABEL, NONE, is_code_for_no_label
from qcore.intervals.weights import in_groups

_PAIRS = (
    ("predicted_positives", "sample_size"),
    ("checked_positives", "predicted_positives"),
    ("true_positives", "checked_positives"),
    ("false_negatives", "checked_negatives"),
)


@dataclass(frozen=True)
class LabelledSample:
    """Counts of one sample, or of many: each is a whole number or an array, and all broadcast to one shape (...).

    Labels are drawn at random from the sample, or at random from each of its two predicted classes. Nothing is assumed of how
    prevalence or classes have changed since the classifier was trained.

    Attributes
    ----------
    predicted_positives, sample_size : x of m instances of the sample are predicted positive.
    checked_positives, true_positives : how many of the predicted positives are labelled, and how many of these are positive.
    checked_negatives, false_negatives : how many of the predicted negatives are labelled, and how many of these are positive.

    Raises
    ------
    InvalidInput
        A count is not a whole number, is negative or larger than its total, or nothing is labelled.

    Examples
    --------
    >>> sample = LabelledSample(310, 1000, 31, 24, 69, 6)
    >>> sample.estimate.round(3).item(), sample.n_labels.item()
    (0.3, 100)
    """

    predicted_positives: int | IntArray
    sample_size: int | IntArray
    checked_positives: int | IntArray
    true_positives: int | IntArray
    checked_negatives: int | IntArray
    false_negatives: int | IntArray

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        check_one_shape("counts", *vars(self).values())
        rest = np.asarray(self.sample_size) - np.asarray(self.predicted_positives)
        totals = [(part, getattr(self, whole), whole) for part, whole in _PAIRS]
        totals.append(("checked_negatives", rest, "the predicted negatives"))
        for part, most, whole in totals:
            check_part(part, getattr(self, part), whole, most)
        if (self.n_labels < 1).any():
            raise InvalidInput("labels", "be at least 1", "0", "Label some instances of the sample, drawn at random.")

    @classmethod
    def from_labels(cls, predictions: ArrayLike, labels: ArrayLike) -> "LabelledSample":
        """The counts of predictions, (m,) of 0 and 1, and labels, (m,) of 0, 1 and NaN for unlabelled instances.

        Raises InvalidInput for other values, for lengths that differ, or without any label.
        """
        try:
            taken, truth = np.asarray(predictions, dtype=np.float64), np.asarray(labels, dtype=np.float64)
        except (TypeError, ValueError) as error:
            hint = "1 is the positive class; read_labelled_columns reads a table with names of classes."
            raise InvalidInput("predictions and labels", "be 0 or 1", "other values", hint) from error
        if taken.shape != truth.shape or taken.ndim != 1:
            shapes = f"{truth.shape} beside {taken.shape}"
            raise InvalidInput("labels", "have as many entries as predictions", shapes, "Pass NaN for unlabelled instances.")
        known = ~np.isnan(truth)
        for name, values in (("predictions", taken), ("labels", truth[known])):
            if not np.isin(values, (0.0, 1.0)).all():
                raise InvalidInput(name, "be 0 or 1", str(values[~np.isin(values, (0.0, 1.0))][0]), "1 is the positive class.")
        positive = taken == 1
        checked, missed = truth[known & positive], truth[known & ~positive]
        return cls(int(positive.sum()), len(taken), len(checked), int(checked.sum()), len(missed), int(missed.sum()))

    @cached_property
    def n_labels(self) -> IntArray:
        """Number of labels."""
        return np.asarray(self.checked_positives) + np.asarray(self.checked_negatives)

    @cached_property
    def weights(self) -> FloatArray:
        """Share of each predicted class in the sample, negatives first, (2, ...)."""
        taken = np.asarray(self.predicted_positives) / np.asarray(self.sample_size)
        return np.stack(np.broadcast_arrays(1.0 - taken, taken))

    @cached_property
    def predicted(self) -> IntArray:
        """Number of instances of each predicted class, negatives first, (2, ...)."""
        taken = np.asarray(self.predicted_positives)
        return np.stack(np.broadcast_arrays(np.asarray(self.sample_size) - taken, taken))

    @cached_property
    def checked(self) -> IntArray:
        """Number of labels in each predicted class, negatives first, (2, ...)."""
        return np.stack(np.broadcast_arrays(np.asarray(self.checked_negatives), np.asarray(self.checked_positives)))

    @cached_property
    def positives(self) -> IntArray:
        """Number of labelled positives in each predicted class, negatives first, (2, ...)."""
        return np.stack(np.broadcast_arrays(np.asarray(self.false_negatives), np.asarray(self.true_positives)))

    @cached_property
    def shares(self) -> FloatArray:
        """Share of positives among the labels of each predicted class, negatives first, (2, ...); 1/2 without a label."""
        return np.where(self.checked > 0, self.positives / np.maximum(self.checked, 1), 0.5)

    @cached_property
    def estimate(self) -> FloatArray:
        """Share of positives, (...): those of the labels in each predicted class, weighted by its size (Tenenbein 1970)."""
        return (self.weights * self.shares).sum(axis=0)

    @cached_property
    def rates(self) -> tuple[FloatArray, FloatArray]:
        """(tpr, fpr) of the classifier on this very sample, (...) each; NaN where the sample seems to have no such class."""
        taken, p = self.weights[1], self.estimate
        with np.errstate(invalid="ignore", divide="ignore"):
            return taken * self.shares[1] / p, taken * (1.0 - self.shares[1]) / (1.0 - p)

    @cached_property
    def agreement(self) -> FloatArray:
        """Share of the sample's instances that are predicted correctly, as the labels show, (...)."""
        return self.weights[1] * self.shares[1] + self.weights[0] * (1.0 - self.shares[0])


_MOST_NAMED = 3
_MOST_CLASSES = 30
_LOOKED_AT = 1000
"""This many distinct values show that a column holds too many for classes, or no numbers."""
_LABEL_NAMES = (*LABEL_NAMES, "truth")
PREDICTION_NAMES = ("prediction", "predicted", "predictions", "verdict", "judge", "pred", "y_pred")
"""Usual names of columns of labels and of predictions."""
_MAYBE_NO_LABEL = frozenset(("unknown", "missing", "unsure", "other"))
"""Words that may mark a missing label, and may be a class."""
_POSITIVE_WORDS = ("1", "1.0", "true", "yes", "positive", "right", "correct")
"""Usual names of the positive class; the first of them that is a class is taken."""


def likely_columns(table: pd.DataFrame) -> tuple[str, str]:
    """(prediction, label): a column that is empty in some rows, and a full one of the same classes, or else of scores.

    The label is the last column that is partly empty; the prediction is, of the columns that fit it, the first with a usual
    name, or else the first. Where no column fits, those with usual names are given, so that an error can say what does not
    fit; a word is empty if there is none.
    """

    @cache
    def words_of(name: Hashable) -> frozenset[str]:
        return frozenset(as_labels(table[name].dropna().drop_duplicates().head(_LOOKED_AT)))

    @cache
    def holds_scores(name: Hashable) -> bool:
        return _scores(table[name]) is not None

    partly = [name for name in table.columns if 0 < table[name].isna().sum() < len(table)]
    partly = partly or [name for name in table.columns if (named := table[name].eq(NONE)).any() and not named.all()]
    for label in reversed(partly):
        classes = words_of(label) - {"", NONE}
        full = [name for name in table.columns if name != label and not table[name].isna().any()]
        same = [name for name in full if words_of(name) & classes and len(words_of(name)) <= _MOST_CLASSES]
        scores = [name for name in full if holds_scores(name)]
        if len(classes) <= _MOST_CLASSES and (same or scores):
            # A column of wards 1 to 4 beside labels 0 and 1 has a name in common with them, but holds no predictions.
            alike = [name for name in same if 2 * len(words_of(name) & classes) >= len(words_of(name))]
            for fitting in (alike, [*filter(_is_called, scores)], same, scores):
                if fitting:
                    return str(next(filter(_is_called, fitting), fitting[0])), str(label)
    names = {str(name).strip().lower(): str(name) for name in table.columns}
    label = str(partly[-1]) if partly else next((names[word] for word in _LABEL_NAMES if word in names), "")
    called = (names[word] for word in PREDICTION_NAMES if word in names)
    return next((name for name in called if name != label), ""), label


def _is_called(name: object) -> bool:
    """Whether a column has a usual name of predictions or scores."""
    return str(name).strip().lower() in (*PREDICTION_NAMES, *SCORE_NAMES)


@dataclass(frozen=True)
class LabelledColumns:
    """What the columns of a table say: its counts, the positive class, and scores with labels if the prediction is a score.

    `notes`: sentences on how the table was read, on labels that may mark a missing label, and on predictions that no label has.
    `never_labels`: these predictions, such as unsure. `table` has the rows that are counted, `predictions` is (n,) of True and
    False, and `labels` (n,) of 0, 1 and NaN; `read_from`: the columns of predictions, of labels.
    """

    sample: LabelledSample
    positive: str
    classes: tuple[str, ...]
    scores: FloatArray | None
    labels: FloatArray
    notes: tuple[str, ...] = ()
    never_labels: tuple[str, ...] = ()
    read_from: tuple[str, str] = ("prediction", "label")
    left_out: tuple[str, ...] = ()
    table: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)
    predictions: NDArray[np.bool_] = field(default_factory=lambda: np.array([], dtype=bool), repr=False)

    def of_groups(self, groups: ArrayLike) -> dict[str, LabelledSample]:
        """Group -> the counts of its rows, (n,) groups of the rows of `table`; those without any label are left out.

        Raises InvalidInput for another number of groups than of rows.
        """
        names = in_groups(groups, len(self.predictions))
        rows = names.groupby(names, observed=True).indices
        return {
            str(name): LabelledSample.from_labels(self.predictions[of], self.labels[of])
            for name, of in rows.items()
            if not np.isnan(self.labels[of]).all()
        }

    @property
    def scores_and_labels(self) -> dict[str, FloatArray]:
        """Arguments of `estimate_labelled_sample`: `scores` and `labels` if the prediction is a score, else none."""
        return {} if self.scores is None else {"scores": self.scores, "labels": self.labels}


def read_labelled_columns(
    table: pd.DataFrame, prediction: str, label: str, positive: str = "", *, leave_out: Collection[str] = ()
) -> LabelledColumns:
    """The counts of a table's column of predictions and its column of labels, which may be empty in most rows.

    Parameters
    ----------
    prediction : a column with a class in every row, or with a score from 0 to 1, which counts from 0.5 on.
    label : a column with the true class where it is known, with the same names as the predicted classes.
    positive : the class whose share is wanted; by default that of the higher scores; with predicted classes one called 1, true,
        yes, positive, right or correct, else the rarest.
    leave_out : predictions whose rows are left out, such as unsure: the share is that of the other rows. Otherwise each is a
        class of its own.

    Raises
    ------
    InvalidInput
        A column is missing or the same as the other; a row has no prediction, or no row a label; predictions and labels have no
        class in common, or the positive one is written in several ways; a label that is never predicted and seems to be a code
        for no label; an unknown positive class.

    Examples
    --------
    >>> table = pd.DataFrame({"judge": ["yes", "no", "yes", "no"], "truth": ["yes", "no", "", ""]})
    >>> read = read_labelled_columns(table, "judge", "truth")
    >>> read.positive
    'yes'
    """
    for name, column in (("prediction", prediction), ("label", label)):
        check_choice(f"the column of the {name}", column, list(map(str, table.columns)), "be a column of the table")
    if prediction == label:
        raise InvalidInput("the column of the label", "differ from that of the prediction", label, "Choose another.")
    table, notes = _without_predictions(table, prediction, leave_out)
    truth, scores = _words(table[label]), _scores(table[prediction])
    # Scores are no names of classes, and nearly all of them differ.
    taken = _words(table[prediction]) if scores is None else np.array([], dtype=object)
    if _is_no_label(NONE, taken if scores is None else None, truth):
        truth = np.where(truth == NONE, "", truth)
    if (taken == "").any():
        row = int(np.flatnonzero(taken == "")[0]) + 1
        raise InvalidInput(f"the column {prediction}", "have a prediction in every row", f"none in row {row}", "Leave it out.")
    known = truth != ""
    if not known.any():
        hint = "Label some rows that are drawn at random."
        raise InvalidInput(f"the column {label}", "have a label in some rows", "none", hint)
    classes = tuple(sorted(set(truth[known]) | (set() if scores is not None else set(taken))))
    notes += _doubtful_labels(label, truth[known], set(taken) if scores is None else None, positive)
    predicted = known & pd.Series(truth).isin(set(taken)).to_numpy()
    # A label that is never predicted may be misspelt: it is not taken for the rarest class, unless only one class is predicted.
    likely = truth[predicted if len(set(truth[predicted])) > 1 else known]
    chosen = positive or (usual_positive(classes, likely) if scores is None else _of_higher_scores(scores, truth, known))
    named = named_positive(classes, chosen)
    if positive != named or (scores is None and spellings(set(truth[known]), named) != spellings(set(taken), named)):
        check_spelling(classes, named)
    if scores is None and not set(truth[known]) & set(taken):
        names = f"{', '.join(sorted(set(truth[known]))[:3])} beside {', '.join(sorted(set(taken))[:3])}"
        raise InvalidInput("labels", "have the names that predictions have", names, _way_to_agree(table[prediction]))
    predictions = (scores >= 0.5) if scores is not None else taken == named
    labels = np.where(known, (truth == named).astype(np.float64), np.nan)
    never = tuple(sorted(set(taken) - set(truth[known]))) if scores is None else ()
    notes += tuple(_on_never_labels(taken, never, named))
    sample = LabelledSample.from_labels(predictions, labels)
    return LabelledColumns(
        sample,
        named,
        classes,
        scores,
        labels,
        notes,
        never,
        read_from=(prediction, label),
        left_out=tuple(leave_out),
        table=table,
        predictions=predictions,
    )


def _without_predictions(
    table: pd.DataFrame, prediction: str, leave_out: Collection[str]
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """(the rows with other predictions, sentences on how the table was read and on the rows left out). Raises InvalidInput."""
    read = tuple(sentences_on_reading(table))
    if not leave_out:
        return table, read
    words = _words(table[prediction])
    for name in leave_out:
        check_choice("a prediction to leave out", name, sorted(set(words)), "be one of the predictions")
    kept = table[~pd.Series(words).isin(list(leave_out)).to_numpy()].reset_index(drop=True)
    named, n = ", ".join(map(repr, leave_out)), len(table) - len(kept)
    return kept, (*read, f"{n:,} rows predicted as {named} are left out: the share is that of the other {len(kept):,}.")


def _on_never_labels(taken: np.ndarray, never: Sequence[str], positive: str) -> list[str]:
    """Sentences on predictions that no label has."""
    counts = Counter(taken)
    return [
        f"{counts[name]:,} of {len(taken):,} rows are predicted as {name!r}, and no label is: it is a class of its own, and "
        f"counts as not {positive!r}."
        for name in never[:_MOST_NAMED]
        if name != positive
    ]


def _way_to_agree(predictions: pd.Series) -> str:
    """The way out for predictions that are neither labels nor scores."""
    numbers = pd.to_numeric(predictions, errors="coerce")
    if numbers.isna().any() or numbers.nunique() <= _MOST_CLASSES:
        return "Rename one of them."
    if numbers.min() >= 0.0 and numbers.max() <= 100.0:
        return "Scores must lie in [0, 1]: divide percentages by 100."
    return "Scores must lie in [0, 1]: take 1 / (1 + exp(-value)) of the values of a decision function."


def _doubtful_labels(column: str, labels: np.ndarray, taken: set[str] | None, positive: str) -> tuple[str, ...]:
    """Sentences on labels that are never predicted; `taken` are the predicted classes, None if the predictions are scores.

    Raises InvalidInput for one that most probably marks a missing label, unless it is the requested positive class.
    """
    counts = Counter(labels)
    doubtful = {name: n for name, n in counts.items() if taken is not None and name not in taken}
    if taken is None and len(counts) > 2:
        doubtful = {name: n for name, n in counts.items() if name.casefold() in NO_LABEL | _MAYBE_NO_LABEL}
    classes = ({*counts} | (taken or set())) - {*doubtful}
    if len(classes) < 2:
        return ()
    for name, n in doubtful.items():
        if name != positive and _is_code(name, classes, mostly=2 * n > len(labels)):
            got, hint = f"{name!r} in {n:,} rows", "If it means that there is no label, leave those cells empty."
            raise InvalidInput(f"the column {column}", "hold predicted classes, or be empty", got, hint)
    return tuple(
        f"The label {name!r} of {n:,} row{'s' if n > 1 else ''} is {'never predicted' if taken else 'a third one'}: is it a "
        "class, or misspelt, or no label?"
        for name, n in doubtful.items()
    )


def _is_code(name: str, classes: set[str], *, mostly: bool) -> bool:
    """Whether a label probably marks a missing label; `mostly`: whether more than half of the labels are this one."""
    return is_code_for_no_label(name, classes) or (mostly and name.casefold() in NO_LABEL | _MAYBE_NO_LABEL)


def _is_no_label(word: str, taken: np.ndarray | None, truth: np.ndarray) -> bool:
    """Whether a word among labels, such as Python's None, marks a missing label, and is not a class of that name.

    It is a class if it is predicted; if predictions are scores, where some labels are empty or there are not two other classes.
    """
    if taken is not None:
        return word not in taken
    return "" not in truth and len(set(truth) - {word}) > 1


def _of_higher_scores(scores: FloatArray, truth: np.ndarray, known: np.ndarray) -> str:
    """The class whose labelled instances have the higher mean score; the last one in a tie."""
    return max(sorted(set(truth[known])), key=lambda name: (float(scores[known & (truth == name)].mean()), name))


def _words(column: pd.Series) -> np.ndarray:
    """The values as words, empty where there is none; whole numbers without a decimal point."""
    known = column.notna().to_numpy()
    words = np.full(len(column), "", dtype=object)
    words[known] = as_labels(column[known])
    return words


def _scores(column: pd.Series) -> FloatArray | None:
    """The values as scores, if they are more than two numbers from 0 to 1."""
    # Most columns of text are told by their first rows: reading all of them as numbers takes a second for 200,000 rows.
    if pd.to_numeric(column.head(_LOOKED_AT), errors="coerce").isna().any():
        return None
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
    fits = not np.isnan(numbers).any() and bool(((numbers >= 0.0) & (numbers <= 1.0)).all())
    return numbers if fits and not np.isin(numbers, (0.0, 1.0)).all() else None


def spellings(classes: Iterable[str], name: str) -> set[str]:
    """The classes with this name, whatever their capitals."""
    return {one for one in classes if one.casefold() == name.casefold()}


def check_spelling(classes: Iterable[str], name: str) -> None:
    """Raise InvalidInput where a class is spelt in several ways that differ only in capitals: one would count as another."""
    several = sorted(spellings(classes, name))
    if len(several) > 1:
        got = f"{several[0]!r} and {several[1]!r}"
        raise InvalidInput("classes", "be spelt alike", got, "Write them with the same capitals.")


def named_positive(classes: Sequence[str], name: str) -> str:
    """The class with this name, exactly or except for capitals. Raises InvalidInput if there is none."""
    named = name if name in classes else next((one for one in classes if one.lower() == name.lower()), name)
    check_choice("the positive class", named, classes, "be one of the classes")
    return named


def usual_positive(classes: Iterable[str], labels: np.ndarray) -> str:
    """The positive class where none is named: one of `classes` that is usually called so, else the rarest of `labels`, (n,)."""
    usual = {name.lower(): name for name in classes}
    counts = Counter(labels)
    return next((usual[word] for word in _POSITIVE_WORDS if word in usual), min(sorted(counts), key=counts.__getitem__))
