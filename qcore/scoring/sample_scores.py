"""An unlabelled sample scored by a classifier that is trained on all labelled instances."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_kind, check_scores, check_seed
from qcore.datasets import Dataset, check_dataset
from qcore.datasets.headers import is_numbered, sentences_on_reading
from qcore.datasets.preparation import MISSING_VALUE, as_labels, at_distinct, check_size, is_labelled
from qcore.datasets.user_tables import decisions_for, other_verdicts, verdicts_sentence, words_of
from qcore.datasets.written_numbers import is_of_words, numbers_in
from qcore.scoring.plan import given_scores, gives_posteriors, labels_of
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.scores import NO_POSTERIORS
from qcore.scoring.training_part import RowLevels, ScoredByFolds, TrainingPart, row_keys

_MOST_NAMED = 5
_LARGEST_WHOLE = 1e15
"""Whole numbers beyond this are not written with all their digits."""


@dataclass(frozen=True)
class SampleScores:
    """Scores of a sample, and of all labelled instances, out of fold, with their labels; it unpacks into these three.

    Shapes are (m,) and (n,) for one class against the rest, with labels 0 and 1; (m, n_classes) and (n, n_classes) for all.
    Rows that are equal in all features have one score, see `RowLevels`.

    `as_training`: the sample scored as the training instances are, each by the model of a fold drawn at random. Where features
    have few distinct values, many instances are nearly alike: the folds' models give them slightly different scores, a single
    model nearly the same one, and a test that compares scores must not detect this difference. None for given scores.
    `posteriors`: whether the classifier gives probabilities; given scores are taken as they are.
    `repeated`: how many rows of the sample are labelled rows, too, where chance does not explain it; else 0.

    Examples
    --------
    >>> sample, scores, labels = SampleScores(np.array([0.8, 0.1]), np.array([0.9, 0.2]), np.array([1, 0]))
    >>> labels.tolist()
    [1, 0]
    """

    sample: FloatArray
    training_scores: FloatArray
    training_labels: IntArray
    as_training: FloatArray | None = field(default=None, kw_only=True, repr=False)
    repeated: int = field(default=0, kw_only=True)
    posteriors: bool = field(default=True, kw_only=True)

    @property
    def to_compare(self) -> FloatArray:
        """The sample's scores for tests that compare them with the training scores."""
        return self.sample if self.as_training is None else self.as_training

    @property
    def on_repeated_rows(self) -> str:
        """A sentence on rows of the sample that are labelled rows, too; empty if there are none."""
        if not self.repeated:
            return ""
        which = "All" if self.repeated == len(self.sample) else f"{self.repeated:,} of the {len(self.sample):,}"
        return (
            f"{which} rows of the sample are labelled rows, too. They are scored by models that were not trained on them, but "
            "if they are the same instances, their classes are known: count these, or leave the rows out of one of the tables."
        )

    @property
    def on_calibration(self) -> str:
        """A sentence if scores are not probabilities; empty if they are."""
        if self.posteriors:
            return ""
        return NO_POSTERIORS

    def __iter__(self) -> Iterator[FloatArray | IntArray]:
        return iter((self.sample, self.training_scores, self.training_labels))


def score_sample(
    dataset: Dataset,
    sample: pd.DataFrame,
    positive: str | None,
    classifier: str = "logistic regression",
    *,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> SampleScores:
    """Train on all of a data set, score it out of fold, and score a table without labels.

    Parameters
    ----------
    dataset : a labelled data set; with given scores, no model is trained.
    sample : a row for each instance, with the data set's features among its columns; for given scores, a column with the name
        that the scores have in the data set.
    positive : the class whose share is wanted; None for all classes.
    classifier : key of CLASSIFIERS.
    seed : seed of folds and model.
    on_progress : called after each training with the share of the work that is done.

    Raises
    ------
    InvalidInput
        The sample has no rows or lacks a feature, a class has fewer than 2 instances, a score is outside [0, 1], the seed is
        invalid, no text holds a word, or all classes are requested from given scores of one.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> data = load_dataset("iris")
    >>> scored = score_sample(data, data.features[:60], "setosa")
    >>> scored.sample.shape, int((scored.sample > 0.5).sum())
    ((60,), 50)
    """
    check_dataset(dataset)
    check_seed(seed)
    labels = labels_of(dataset, positive)
    check_kind("sample", sample, pd.DataFrame, "Write pd.DataFrame(values, columns=names).")
    if not len(sample):
        raise InvalidInput("sample", "have a row", "none", "Choose a file with the instances to estimate.")
    if dataset.are_scores:
        given, asked = dataset.features.to_numpy(dtype=np.float64), _scores_of(sample, dataset, positive)
        return SampleScores(given_scores(dataset, asked, positive), given_scores(dataset, given, positive), labels)
    counts = np.bincount(labels, minlength=2)
    if counts.min() < 2:
        names = dataset.classes if positive is None else (f"classes other than {positive}", positive)
        got = f"{counts.min()} of {names[int(counts.argmin())]}"
        hint = "Add labelled instances, or choose the column or the rows that hold classes."
        raise InvalidInput(f"each class of {dataset.name}", "have at least 2 instances", got, hint)
    features, everything = aligned(sample, dataset), np.arange(len(labels))
    folds = RATE_ESTIMATIONS["out of fold"].held_out(labels, seed)
    part = TrainingPart.of(dataset, labels, everything, folds, classifier, state=seed, multiclass=positive is None)
    by_folds = ScoredByFolds(part, features, seed)
    out_of_fold = part.out_of_fold(on_progress, by_folds.add)
    of_training, of_sample = row_keys(dataset.features), row_keys(features)
    levels = RowLevels.of(of_training, out_of_fold)
    return SampleScores(
        levels.of_rows(of_sample, part.scores(part.model(len(folds)), features)),
        levels.of_rows(of_training, out_of_fold),
        labels,
        as_training=levels.of_rows(of_sample, by_folds.scores),
        repeated=levels.repeated(of_sample),
        posteriors=gives_posteriors(dataset, classifier),
    )


def has_features(sample: pd.DataFrame, dataset: Dataset) -> bool:
    """Whether a table has all features of a data set among its columns."""
    return {str(name) for name in dataset.features.columns} <= {str(name) for name in sample.columns}


def known_share(sample: pd.DataFrame, label: str, positive: str, classes: Collection[str]) -> float | None:
    """The share of a class in a sample whose labels are known; else None."""
    labels = known_labels(sample, label, positive, classes)
    return None if labels is None else float(labels.mean())


def known_labels(sample: pd.DataFrame, label: str, positive: str, classes: Collection[str]) -> IntArray | None:
    """Labels, (m,), 1 for `positive`, of a sample whose column `label` holds one of the `classes` in every row; else None.

    A column with a single value gives None, too: it may hold a placeholder for unknown classes.
    """
    if label not in sample.columns or not is_labelled(sample[label]).all():
        return None
    given = as_labels(sample[label])
    known = set(given)
    return (given == positive).astype(np.intp) if len(known) > 1 and known <= set(classes) else None


def unknown_labels(sample: pd.DataFrame, label: str, classes: Collection[str]) -> tuple[str, ...]:
    """What a sample's column of labels holds beside the classes, such as "Yes" for "yes", sorted; () without the column."""
    return tuple(sorted(set(labels_in(sample[label])) - set(classes))) if label in sample.columns else ()


def labels_in(column: pd.Series) -> tuple[str, ...]:
    """The labels that a column holds, as text, each once, sorted; not those that stand for a missing one."""
    return tuple(sorted(set(as_labels(column[is_labelled(column)]))))


def aligned(sample: pd.DataFrame, dataset: Dataset) -> pd.DataFrame:
    """The features of a data set, taken from a table: numbers as numbers, the others as text.

    Raises InvalidInput for a missing feature, or for a number that is too large for any classifier.
    """
    check_kind("sample", sample, pd.DataFrame, "Write pd.DataFrame(values, columns=names).")
    wanted = list(dataset.features.columns)
    named = sample.rename(columns=str)
    missing = [name for name in wanted if name not in named.columns]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        hint = (
            f"Is {dataset.name} your labelled table? Then name the sample's columns as there, in any order; leave out "
            "what is not a feature there, such as a second column of labels."
        )
        if all(is_numbered(name) for name in missing):
            hint = f"The header of {dataset.name} is missing: give it a first row with the names that the sample has."
        raise InvalidInput(
            "sample",
            f"have the {'feature' if len(wanted) == 1 else f'{len(wanted)} features'} of {dataset.name}",
            f"none called {', '.join(missing[:5])}{more}",
            hint,
        )
    if dataset.text:
        return pd.DataFrame({dataset.text: words_of(named[dataset.text])})
    return pd.DataFrame(
        {
            name: _as_text(named[name], set(dataset.features[name])) if name in dataset.nominal else _as_numbers(named[name])
            for name in wanted
        }
    )


def _as_text(column: pd.Series, known: Collection[str]) -> pd.Series:
    """The column as words, with numbers spelt as in the `known` ones: one empty cell makes 1 a 1.0 in a whole column."""

    def word(value: object) -> str:
        spelt = str(value)
        if spelt in known or isinstance(value, bool) or not isinstance(value, int | float):
            return spelt
        if str(float(value)) in known:
            return str(float(value))
        return str(int(value)) if float(value).is_integer() and abs(value) < _LARGEST_WHOLE else spelt

    words = at_distinct(column.astype(object).where(column.notna(), MISSING_VALUE), word)
    return pd.Series(words, index=column.index)


def _as_numbers(column: pd.Series) -> pd.Series:
    """The column as numbers; text and infinities become missing.

    Raises InvalidInput for a number no classifier can use, and for a column without numbers whose text holds digits.
    """
    numbers = (
        (numbers_in(column) if is_of_words(column) else pd.to_numeric(column, errors="coerce"))
        .astype(float)
        .replace([np.inf, -np.inf], np.nan)
    )
    if numbers.isna().all() and (words := column[column.notna()].astype(str)).str.contains(r"\d").any():
        hint = "Write them with a point and without units, such as 1.5, as in the labelled data."
        raise InvalidInput(f"the column {column.name}", "hold numbers", f"text such as {words.iloc[0][:20]!r}", hint)
    check_size(str(column.name), numbers)
    return numbers


def outside_training(sample: pd.DataFrame, dataset: Dataset) -> pd.DataFrame:
    """Which values of a sample are outside the range of the labelled data, or unknown there, (m, n_features).

    A missing value is unknown where the labelled data have none.
    """
    features = aligned(sample, dataset)

    def beyond(name: str) -> pd.Series:
        known = dataset.features[name]
        if name == dataset.text:
            return features[name].str.strip() == ""
        if name in dataset.nominal:
            return ~features[name].isin(known.unique())
        outside = (features[name] < known.min()) | (features[name] > known.max())
        return outside if known.isna().any() else outside | features[name].isna()

    return pd.DataFrame({name: beyond(name) for name in features.columns})


def unusable_values(sample: pd.DataFrame, dataset: Dataset) -> dict[str, int]:
    """Feature -> number of values that should be finite numbers but are not, if there are any: the median replaces them.

    A value that is missing counts, too, where the labelled data have none that is. Raises InvalidInput for a missing feature.
    """
    features, named = aligned(sample, dataset), sample.rename(columns=str)
    numbers = [str(name) for name in features.columns if name not in (*dataset.nominal, dataset.text)]
    expected = {name for name in numbers if dataset.features[name].isna().any()}
    counts = {name: int((features[name].isna() & (named[name].notna() | (name not in expected))).sum()) for name in numbers}
    return {name: count for name, count in counts.items() if count}


def unknown_values(sample: pd.DataFrame, dataset: Dataset) -> dict[str, int]:
    """Nominal feature -> number of values that the labelled data do not have, if there are any.

    Raises InvalidInput for a missing feature.
    """
    unknown = outside_training(sample, dataset)[list(dataset.nominal)].sum()
    return {str(name): int(count) for name, count in unknown.items() if count}


def notes_on_sample(sample: pd.DataFrame, dataset: Dataset) -> tuple[str, ...]:
    """Sentences on how a sample was read, and on its values that could not be used. Raises InvalidInput without a feature."""
    read = [f"Of the sample: {sentence}" for sentence in sentences_on_reading(sample)]
    if dataset.are_scores:
        name = str(dataset.features.columns[0])
        named = sample.rename(columns=str)
        if name in named.columns and dataset.features.shape[1] == 1 and _are_verdicts(named[name], dataset):
            others = other_verdicts(named[name], dataset.classes)
            read += verdicts_sentence(f"Of the sample: {name}", others, dataset.default_positive)
        return tuple(read)
    unused = unusable_sentence(unusable_values(sample, dataset)), unknown_sentence(unknown_values(sample, dataset))
    return (*read, *filter(None, (*unused, _missing_sentence(sample, dataset))))


def _missing_sentence(sample: pd.DataFrame, dataset: Dataset) -> str:
    """A sentence on numbers that a sample lacks in columns where the labelled data lack some, too; empty if it lacks none."""
    numbers = dataset.features.drop(columns=[*dataset.nominal, *([dataset.text] if dataset.text else [])])
    columns = numbers.columns[numbers.isna().any()].astype(str)
    n_missing = int(sample.rename(columns=str)[columns].isna().to_numpy().sum())
    lacks = "1 number is" if n_missing == 1 else f"{n_missing:,} numbers are"
    return f"Of the sample, {lacks} missing, and filled alike." if n_missing else ""


def unknown_sentence(counts: Mapping[str, int]) -> str:
    """A sentence on which nominal features of a sample have values that the labelled data do not have; empty if none has."""
    if not counts:
        return ""
    named = ", ".join(f"{count:,} of {name}" for name, count in list(counts.items())[:_MOST_NAMED])
    named += f" and {len(counts) - _MOST_NAMED} features more" if len(counts) > _MOST_NAMED else ""
    return f"Values that the labelled data do not have: {named}. The classifier has not learnt what they mean."


def unusable_sentence(counts: Mapping[str, int]) -> str:
    """A sentence on which columns of a sample lack numbers, or hold text or infinities; empty if none does."""
    if not counts:
        return ""
    named = ", ".join(f"{count:,} in {name}" for name, count in list(counts.items())[:_MOST_NAMED])
    rest = list(counts.values())[_MOST_NAMED:]
    named += f" and {sum(rest):,} in {len(rest)} more columns" if rest else ""
    return f"Not a finite number, so the median of the labelled data is taken: {named}."


def _are_verdicts(column: pd.Series, dataset: Dataset) -> bool:
    """Whether a sample's column holds decisions by the names of classes, perhaps with others such as unsure."""
    if not dataset.are_decisions or set(dataset.classes) == {"0", "1"}:
        return False
    decided = set(as_labels(column.dropna().unique()))
    return decided <= set(dataset.classes) or (is_of_words(column) and bool(decided & set(dataset.classes)))


def _scores_of(sample: pd.DataFrame, dataset: Dataset, positive: str | None) -> FloatArray:
    """A sample's given scores, (m, n_columns); of several classes, only the column of a named positive one is needed."""
    named, columns = sample.rename(columns=str), [str(name) for name in dataset.features.columns]
    if len(columns) == 1:
        column = _column_of_scores(named, columns[0])
        if _are_verdicts(column, dataset):
            column = decisions_for(column, dataset.default_positive)
        return _checked_column(column)[:, np.newaxis]
    scores = np.zeros((len(sample), len(columns)))
    for place, (name, of_class) in enumerate(zip(columns, dataset.classes, strict=True)):
        if positive in (None, of_class):
            scores[:, place] = _checked_column(_column_of_scores(named, name))
    return scores


def _column_of_scores(named: pd.DataFrame, wanted: str) -> pd.Series:
    if wanted not in named.columns:
        result = ", ".join(map(repr, named.columns[:5]))
        hint = "Give the column of scores that name, so that no other is mistaken for it."
        raise InvalidInput("sample", f"have the column {wanted!r}, as the labelled scores have it", result, hint)
    return named[wanted]


def _checked_column(column: pd.Series) -> FloatArray:
    numbers = pd.to_numeric(column, errors="coerce")
    wrong = numbers.isna()
    if wrong.any():
        result = f"{int(wrong.sum()):,} others, such as {str(column[wrong].iloc[0])[:40]}"
        raise InvalidInput(
            f"score column {column.name!r} of the sample", "hold numbers from 0 to 1", result, "Leave such rows out."
        )
    return check_scores("sample's scores", numbers.to_numpy(dtype=np.float64))
