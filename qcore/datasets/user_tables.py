"""The user's own labelled table: which columns hold classes and scores, and the data set that it becomes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.validation import BoolArray, FloatArray, InvalidInput, check_choice, check_kind, is_one_of
from qcore.datasets.dataset import Dataset, natural_order
from qcore.datasets.folder import read_file
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.preparation import MAX_CLASSES, as_labels, is_labelled, n_values, without_label_sentence
from qcore.datasets.table_columns import chosen_columns, column_of_one_class, left_out_sentences, likely_label, likely_left_out

_MOST_LABELS = 10
_MOST_VERDICTS = 6
_ROUNDED, _MOSTLY = 0.02, 0.99
"""By how much scores of all classes may miss a sum of 1, and in which share of the rows they must not."""
_LARGE_VALUE = 20.0
"""Beyond this value, 1 / (1 + exp(-value)) is hardly distinguishable from 0 or 1."""
DECISION_NAMES = ("pred", "y_pred", "predicted", "prediction", "decision", "verdict")
"""Usual names of a column of a classifier's decisions."""
TEXT_CLASSIFIER = "TF-IDF of words and pairs of words, with logistic regression"
"""What learns from sentences, in words."""
SCORE_NAMES = ("score", "scores", "probability", "prob", "proba", "y_score", "y_prob", "prediction", "p")


def scores_dataset(
    training: pd.DataFrame,
    label: str,
    score: str | Mapping[str, str],
    *,
    pool: pd.DataFrame | None = None,
    positive: str = "",
    key: str = "",
    name: str = "scores",
) -> Dataset:
    """A data set of given scores in [0, 1] for the positive class, the class with the higher mean score, or for each class.

    Parameters
    ----------
    training : a row for each instance. Its score should come from a model that has not seen it, as in cross-validation; the
        share of positives should be the one that the models were trained on, since EMQ assumes this.
    label, score : the column of the two classes, and the column of the scores; or of decisions, which are names of the classes:
        then those for `positive`, by default the rarer class, are scores of 1, and all others of 0. Of three classes or more
        `score` maps each class to the column of its scores.
    pool : the same columns for instances to draw samples from; without it, `training` is split like any data set.
    positive : of decisions the class that is counted, of several classes the one that is `default_positive`.
    key, name : what the data set is called in tables, and in sentences.

    Raises
    ------
    InvalidInput
        A table is not a DataFrame, a column is missing, a score is not a number in [0, 1], or there are other classes than two,
        or than those with scores.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"p": [0.9, 0.8, 0.2, 0.4], "truth": ["ill", "ill", "well", "well"]})
    >>> data = scores_dataset(table, "truth", "p")
    >>> data.default_positive, data.features["p"].tolist()
    ('ill', [0.9, 0.8, 0.2, 0.4])
    """
    of_classes = {} if isinstance(score, str) else {one: score[one] for one in sorted(score, key=natural_order)}
    columns = [*of_classes.values()] or [str(score)]
    tables = [training] if pool is None else [training, pool]
    for table in tables:
        _check_columns(table, label, columns)
    decided, verdicts = "", list[str]()
    if not of_classes and are_decisions(training, label, columns[0]):
        given = pd.Series(as_labels(training[label][is_labelled(training[label])])).value_counts()
        decided = positive if positive in given.index else min(sorted(given.index), key=lambda one: int(given[one]))
        verdicts = verdicts_sentence(columns[0], other_verdicts(training[columns[0]], given.index), decided)
        tables = [table.assign(**{columns[0]: decisions_for(table[columns[0]], decided)}) for table in tables]
    parts = [_checked(table, label, columns) for table in tables]
    scores = np.concatenate([values for values, _ in parts])
    labels = np.concatenate([classes for _, classes in parts])
    _check_classes(labels, label, of_classes)
    left_out = sum(map(len, tables)) - len(labels)
    in_training: BoolArray | None = None if pool is None else np.arange(len(labels)) < len(parts[0][1])
    if of_classes and positive:
        check_choice("positive class", positive, of_classes)
    return Dataset(
        key=key,
        name=name,
        features=pd.DataFrame(scores, columns=columns),
        labels=labels,
        description="Scores as they are given: no classifier is trained on them.",
        source=f"column{'s' * bool(of_classes)} {', '.join(map(repr, columns))}, classes in column {label!r}",
        default_positive=positive if of_classes else decided or _higher(scores[:, 0], labels),
        are_scores=True,
        in_training=in_training,
        notes=(*sentences_on_reading(training), *without_label_sentence(left_out), *_on_decisions(columns, scores), *verdicts),
    )


PART, TRAINING, TEST = "part", "training", "test"
"""The column that says which rows of a table of scores are for training, and its values."""


def as_given_scores(dataset: Dataset) -> Dataset:
    """The data set of scores in a table that was read as one of features; one of scores stays as it is.

    Beside the classes the table has a column of scores in [0, 1], of the class with the higher mean score, or a column for each
    class, by its name; and, if it is split already, the column `part`, with training and test in its rows. Raises InvalidInput
    for another table.

    Examples
    --------
    >>> table = pd.DataFrame({"p": [0.9, 0.8, 0.2, 0.4], "class": list("yynn"), "part": ["training", "test"] * 2})
    >>> data = as_given_scores(Dataset.from_frame(table, "class"))
    >>> data.default_positive, data.in_training.tolist()
    ('y', [True, False, True, False])
    """
    if dataset.are_scores:
        return dataset
    table, inside = dataset.features.rename(columns=str), None
    if PART in table:
        inside = (table[PART] == TRAINING).to_numpy()
        if inside.all() or not (inside | (table[PART] == TEST)).all():
            values = ", ".join(sorted(set(table[PART].map(str))))[:60]
            raise InvalidInput(f"column {PART!r}", f"hold {TRAINING} and {TEST}", values, "Write one of them in each row.")
        table = table.drop(columns=PART)
    several = len(table.columns) > 1
    if set(table.columns) != set(dataset.classes) if several else (len(table.columns), len(dataset.classes)) != (1, 2):
        rule = "hold a column of scores of one of two classes, or a column for each class, by its name, beside the classes"
        raise InvalidInput(f"table {dataset.name!r}", rule, ", ".join(table.columns)[:80], "Leave out other columns.")
    score = {name: name for name in dataset.classes} if several else str(table.columns[0])
    table = table.assign(**{_CLASS: dataset.labels})
    made = scores_dataset(table, _CLASS, score, key=dataset.key, name=dataset.name)
    return replace(made, in_training=inside)


_CLASS = "\x1fclass"
"""A name that no column has."""


def _higher(scores: FloatArray, labels: np.ndarray) -> str:
    """The class with the higher mean score."""
    return max(sorted(set(labels)), key=lambda one: float(scores[labels == one].mean()))


def _check_classes(labels: np.ndarray, label: str, of_classes: Collection[str]) -> None:
    """Raise InvalidInput unless labels are of two classes, or of those with scores."""
    classes = sorted(set(labels))
    if of_classes and (strange := [name for name in classes if name not in of_classes]):
        raise InvalidInput(f"label column {label!r}", "hold classes with scores", strange[0], "Give each class a column.")
    if not of_classes and len(classes) != 2:
        result, hint = f"{len(classes)}: {', '.join(classes[:5])}", "Choose another column; or name all classes but one alike."
        raise InvalidInput(f"label column {label!r}", "hold two classes", result, hint)


def _on_decisions(columns: Sequence[str], values: FloatArray) -> list[str]:
    if not np.isin(values, (0.0, 1.0)).all():
        return []
    holds = f"{columns[0]} holds" if len(columns) == 1 else f"{', '.join(columns)} hold"
    return [f"{holds} decisions, and no scores: they are counted, and only methods that correct counts use all they say."]


def decisions_for(column: pd.Series, decided: str) -> pd.Series:
    """Decisions as numbers: 1 for that class, 0 for the other; missing values stay missing."""
    decisions = (as_labels(column) == decided).astype(float)
    return pd.Series(decisions, index=column.index, name=column.name).where(column.notna())


def read_scores(
    path: str | Path, label: str, score: str | Mapping[str, str], *, pool: str | Path | None = None, positive: str = ""
) -> Dataset:
    r"""The data set of given scores in a file, or in one file for training and one for the pool.

    `label`, `score` and `positive`, and the errors raised, are those of `scores_dataset`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("score,y\n0.9,1\n0.7,1\n0.2,0\n")
    >>> read_scores(path, "y", "score").class_counts
    {'0': 1, '1': 2}
    """
    training = read_file(path)
    named = {"name": Path(path).name, "key": Path(path).name, "positive": positive}
    return scores_dataset(training, label, score, pool=None if pool is None else read_file(pool), **named)


def read_texts(path: str | Path, label: str, text: str) -> Dataset:
    r"""The data set of a column of sentences in a file, `label` being the column of the classes.

    Raises InvalidInput for an unknown column, numbers in place of text, or fewer than two classes.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "comments.csv"
    >>> _ = path.write_text("comment,kind\nit came late,bad\nwell done,good\nlate again,bad\n")
    >>> read_texts(path, "kind", "comment").default_positive
    'good'
    """
    name = Path(path).name
    return dataset_of_table(read_file(path), TableReading(label, text=text), name=name, key=name)


def likely_score(table: pd.DataFrame, label: str = "") -> str:
    """Name of the column of numbers from 0 to 1 with a usual name for scores, or else of decisions; empty if there is none.

    Decisions have a usual name, too, and are classes of the column `label`.
    """
    for column in table.columns:
        named = str(column).lower().strip("_") in SCORE_NAMES and pd.api.types.is_numeric_dtype(table[column])
        if named and column != label and table[column].min() >= 0.0 and table[column].max() <= 1.0:
            return str(column)
    decisions = (str(column) for column in table.columns if str(column).lower() in DECISION_NAMES)
    return next((column for column in decisions if column != label and are_decisions(table, label, column)), "")


def are_decisions(table: pd.DataFrame, label: str, column: str) -> bool:
    """Whether a column holds decisions for one of two classes, by the names they have in the column `label`.

    Beside both classes there may be a few verdicts of other kinds, such as unsure: see `other_verdicts`.
    """
    if label not in table.columns or n_values(table[label]) > _MOST_LABELS or n_values(table[column]) > _MOST_VERDICTS:
        return False
    classes = set(as_labels(table[label][is_labelled(table[label])].unique()))
    decided = set(as_labels(table[column].dropna().unique()))
    return len(classes) == 2 and len(decided) > 0 and (decided <= classes or decided > classes) and classes != {"0", "1"}


def other_verdicts(column: pd.Series, classes: Collection[str]) -> dict[str, int]:
    """Decision -> number of rows, of those that are none of the classes, such as unsure.

    Examples
    --------
    >>> other_verdicts(pd.Series(["pass", "fail", "unsure", None]), ("fail", "pass"))
    {'unsure': 1}
    """
    counts = pd.Series(as_labels(column[column.notna()])).value_counts()
    return {str(name): int(n) for name, n in sorted(counts.items()) if name not in classes}


def verdicts_sentence(column: str, others: Mapping[str, int], positive: str) -> list[str]:
    """A sentence on verdicts that are not classes, if there are any."""
    if not others:
        return []
    named = ", ".join(f"{n:,} times {name!r}" for name, n in others.items())
    return [f"{column} holds {named}, which is not a class: it counts as not {positive!r}, unless these rows are left out."]


def class_score_columns(frame: pd.DataFrame, label: str) -> dict[str, str]:
    """Class -> the column of its scores, where there is one for each class of the column `label`; else empty.

    The columns hold numbers from 0 to 1 whose sum is 1 in each row, and are called as the classes or by their numbers, from 0
    or 1 on in the order of the classes, all behind the same letters.

    Examples
    --------
    >>> table = pd.DataFrame({"p0": [0.9, 0.2, 0.6], "p1": [0.1, 0.8, 0.4], "y": ["no", "yes", "no"]})
    >>> class_score_columns(table, "y")
    {'no': 'p0', 'yes': 'p1'}
    """
    if label not in frame.columns or not 2 <= n_values(frame[label]) <= MAX_CLASSES:
        return {}
    classes = sorted(set(as_labels(frame[label][is_labelled(frame[label])])), key=natural_order)
    shares = [str(name) for name in frame.columns if str(name) != label and _are_shares(frame[name])]
    numbers = [[str(i + first) for i in range(len(classes))] for first in (0, 1)]
    for endings in (classes, *numbers):
        if columns := _called_alike(shares, endings):
            sums = frame[columns].sum(axis=1)
            if bool(((sums - 1.0).abs() <= _ROUNDED).mean() >= _MOSTLY):
                return dict(zip(classes, columns, strict=True))
    return {}


def _are_shares(column: pd.Series) -> bool:
    numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    return numeric and bool(column.min() >= 0.0) and bool(column.max() <= 1.0)


def _called_alike(columns: Sequence[str], endings: Sequence[str]) -> list[str]:
    """The columns that end so, in this order, all behind the same letters; empty unless there is one for each."""
    known = {column.casefold(): column for column in columns}
    for column in known:
        if column.endswith(endings[0].casefold()):
            before = column.removesuffix(endings[0].casefold())
            found = [known.get(before + ending.casefold(), "") for ending in endings]
            if all(found):
                return found
    return []


def _check_columns(table: pd.DataFrame, label: str, scores: Sequence[str]) -> None:
    check_kind("table", table, pd.DataFrame, "Write pd.DataFrame(values, columns=names).")
    for column in (label, *scores):
        if not is_one_of(column, table.columns):
            known = ", ".join(str(name) for name in table.columns[:10])
            raise InvalidInput("column", "be a column of the table", repr(column), f"It has: {known}.")


def _checked(table: pd.DataFrame, label: str, scores: Sequence[str]) -> tuple[FloatArray, np.ndarray]:
    """Scores, (n, n_columns), and classes of the labelled rows."""
    labelled = is_labelled(table[label])
    values = np.column_stack([_checked_scores(table[score], labelled) for score in scores])
    return values, as_labels(table[label][labelled])


def _checked_scores(column: pd.Series, labelled: BoolArray) -> FloatArray:
    known = column[labelled]
    values = pd.to_numeric(known, errors="coerce").to_numpy(dtype=np.float64)
    if (missing := labelled & column.isna().to_numpy()).any():
        got = f"none in {int(missing.sum()):,} of them, such as row {int(missing.argmax()) + 1:,}"
        raise InvalidInput(
            f"score column {column.name!r}", "have a score in every row with a class", got, "Leave such rows out."
        )
    wrong = ~((values >= 0.0) & (values <= 1.0))
    if wrong.any():
        result = f"{wrong.sum():,} others, such as {known.iloc[int(wrong.argmax())]}"
        hint = "Of the values of a decision function, take 1 / (1 + exp(-value))."
        if values.min() >= 0.0 and 1.0 < values.max() <= 100.0:
            hint = "Divide percentages by 100."
        elif np.abs(values).max() > _LARGE_VALUE:
            hint = "Map them to probabilities on labelled instances, for example with scikit-learn's CalibratedClassifierCV."
        raise InvalidInput(f"score column {column.name!r}", "hold numbers from 0 to 1", result[:80], hint)
    return values


@dataclass(frozen=True)
class TableReading:
    """The column of the classes, that of scores if there are any, columns left out, and columns whose numbers are names.

    A word is empty if there is no such column. Where there are scores, nothing else is a feature. `class_scores`: each class
    and the column of its scores, where all have one; `score` is then that of the class whose share is wanted. `text` is a
    column of sentences, from whose words alone a classifier learns.
    """

    label: str
    score: str = ""
    left_out: tuple[str, ...] = ()
    as_text: tuple[str, ...] = ()
    class_scores: tuple[tuple[str, str], ...] = ()
    text: str = ""

    def for_class(self, positive: str) -> "TableReading":
        """The same with the scores of another class, where all classes have some."""
        return replace(self, score=dict(self.class_scores).get(positive, self.score))


def guessed_reading(frame: pd.DataFrame, *, label: str = "", score: str = "", keep: Collection[str] = ()) -> TableReading:
    """How a table is probably read. `label` and `score` are known columns; those to `keep` are features in any case.

    Examples
    --------
    >>> table = pd.DataFrame({"id": range(20), "size": [1.5, 2.5] * 10, "y": ["no", "yes"] * 10})
    >>> guessed_reading(table), guessed_reading(table, keep=["id"]).left_out
    (TableReading(label='y', score='', left_out=('id',), as_text=(), class_scores=(), text=''), ())
    """
    if not label:
        rest = frame.drop(columns=[score], errors="ignore")
        label = "" if rest.empty or column_of_one_class(rest) else likely_label(rest)
    of_classes = class_score_columns(frame, label) if label else {}
    if not score and of_classes and not set(of_classes.values()) & set(keep):
        counts = pd.Series(as_labels(frame[label][is_labelled(frame[label])])).value_counts()
        score = of_classes[min(of_classes, key=lambda one: int(counts[one]))]
    if not score and (likely := likely_score(frame, label)) not in keep:
        score = likely
    left_out = tuple(name for name in likely_left_out(frame) if name not in {label, score, *keep})
    return TableReading(label, score, left_out, class_scores=tuple(of_classes.items()) if score in of_classes.values() else ())


def dataset_of_table(
    frame: pd.DataFrame,
    reading: TableReading,
    *,
    pool: pd.DataFrame | None = None,
    positive: str = "",
    key: str = "",
    name: str = "table",
    **more: Any,
) -> Dataset:
    """The data set of a table that is read so; its notes say what was left out and why. `more` as in `Dataset.from_frame`.

    `positive` is the class whose decisions are counted, as in `scores_dataset`. Raises InvalidInput as `Dataset.from_frame`
    and `scores_dataset`.
    """
    if reading.text:
        return _of_texts(frame, reading, positive=positive, key=key, name=name, **more)
    if reading.score:
        of_classes = dict(reading.class_scores)
        named = {column: one for one, column in of_classes.items()}.get(reading.score, "")
        several = len(of_classes) > 2
        score, chosen = (of_classes, positive or named) if several else (reading.score, positive)
        return scores_dataset(frame, reading.label, score, pool=pool, positive=chosen, key=key, name=name)
    table = chosen_columns(frame, reading.left_out, reading.as_text)
    notes = left_out_sentences(frame, reading.left_out)
    return Dataset.from_frame(table, reading.label, key=key, name=name, notes=notes, **more)


def _of_texts(frame: pd.DataFrame, reading: TableReading, *, positive: str, **more: Any) -> Dataset:
    """A data set whose only feature is a column of sentences."""
    for column in (reading.label, reading.text):
        check_choice("column", column, [str(name) for name in frame.columns])
    labelled = is_labelled(frame[reading.label])
    rest = without_label_sentence(int((~labelled).sum()))
    learnt = f"Learnt from the words of {reading.text}: {TEXT_CLASSIFIER}. Other columns are not used."
    labels = as_labels(frame[reading.label][labelled])
    if positive:
        check_choice("positive class", positive, sorted(set(labels)))
    return Dataset(
        features=pd.DataFrame({reading.text: words_of(frame[reading.text][labelled])}),
        labels=labels,
        default_positive=positive,
        text=reading.text,
        notes=(learnt, *sentences_on_reading(frame), *rest),
        **more,
    )


def words_of(column: pd.Series) -> np.ndarray:
    """The sentences of a column, (n,); a missing one is empty. Raises InvalidInput for numbers."""
    if pd.api.types.is_numeric_dtype(column):
        raise InvalidInput(f"the column {column.name}", "hold text", "numbers", "Choose the column with the sentences.")
    return column.astype(object).where(column.notna(), "").astype(str).to_numpy(dtype=object)
