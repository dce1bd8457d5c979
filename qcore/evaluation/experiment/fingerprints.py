"""Fingerprints of what an experiment takes from its user: tables and Python classes, which its settings only name."""

import hashlib
import inspect
from collections.abc import Iterator, Mapping
from pickle import PicklingError
from typing import Any

import joblib
import pandas as pd

from qcore._base.validation import InvalidInput
from qcore.datasets import Dataset, DatasetReference, folder
from qcore.evaluation.experiment.cell import Cell, named_class
from qcore.evaluation.experiment.settings import ExperimentSettings, is_own


def fingerprints(
    settings: ExperimentSettings, own: Mapping[str, Any], data_sets: Mapping[str, Dataset], *, elsewhere: bool = False
) -> dict[str, str]:
    """What is user-defined -> a text that changes with it; what runs `elsewhere` may find other files and classes there.

    Of a class that is its source, and of an object the values of its constructor's arguments, too. What neither shows, such as
    a function that the class calls, changes nothing here.
    """
    result = {}
    for problem in settings.problems:
        if problem.data in data_sets:
            result[_table(problem.data)] = _of_table(data_sets[problem.data])
        elif not elsewhere and (content := folder.content_digest(DatasetReference.parse(problem.data))):
            result[_table(problem.data)] = content
    for pair in settings.pairs:
        if pair.label in own:
            result[_quantifier(pair.label)] = _of_object(own[pair.label])
    for word in () if elsewhere else _classes(settings):
        try:
            result[_class(word)] = _source(named_class(word))
        except InvalidInput:
            # Its cells fail, each with this reason.
            continue
    return result


def names_for(settings: ExperimentSettings, cell: Cell) -> Iterator[str]:
    """The names that `fingerprints` gives to what a cell uses, if it is user-defined."""
    yield _table(settings.problems[cell.problem].data)
    yield from (_quantifier(pair.label) for pair in settings.pairs)
    yield from map(_class, _classes(settings))


def _classes(settings: ExperimentSettings) -> set[str]:
    words = {word for pair in settings.pairs for word in (pair.classifier, pair.quantifier) if is_own(word)}
    return {word for word in words if not word.startswith("qcore.")}


def _table(word: str) -> str:
    return f"data set {word!r}"


def _quantifier(label: str) -> str:
    return f"quantifier {label!r}"


def _class(word: str) -> str:
    return f"class {word!r}"


def _of_table(data: Dataset) -> str:
    columns = [pd.util.hash_pandas_object(data.features, index=False), pd.util.hash_pandas_object(pd.Series(data.labels))]
    names = repr([*data.features.columns, *data.nominal]).encode()
    return hashlib.sha256(b"".join([names, *(column.to_numpy().tobytes() for column in columns)])).hexdigest()


def _of_object(quantifier: Any) -> str:
    # Other attributes may be what `fit` has learnt.
    arguments = [name for name in inspect.signature(type(quantifier)).parameters if hasattr(quantifier, name)]
    values = [f"{name} {_of_value(getattr(quantifier, name))}" for name in arguments]
    return ", ".join([_source(type(quantifier)), *values])


def _of_value(value: Any) -> str:
    try:
        return str(joblib.hash(value))
    except (PicklingError, TypeError, AttributeError):
        # A function without a name of its own is known by how it is written.
        return _source(value)


def _source(kind: Any) -> str:
    try:
        text = inspect.getsource(kind)
    except (OSError, TypeError):
        # Typed into an interpreter that keeps no source.
        text = ""
    return hashlib.sha256(text.encode()).hexdigest()
