"""Fingerprints of what an experiment takes from its user: tables and Python classes, which its settings only name."""

import contextlib
import hashlib
import platform
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import pandas as pd

from qcore.datasets import Dataset, DatasetReference, folder
from qcore.evaluation.experiment.cell import Cell, named_class
from qcore.evaluation.experiment.digest import digest
from qcore.evaluation.experiment.settings import ExperimentSettings, is_own

_PYTHON: Final = f"python{platform.python_version().rpartition('.')[0]}"


def fingerprints(
    settings: ExperimentSettings, own: Mapping[str, Any], data_sets: Mapping[str, Dataset], *, elsewhere: bool = False
) -> dict[str, str]:
    """Name of each user-defined part -> a text that changes with its content.

    With `elsewhere`, files and named classes are left out, since a cluster may have others. Parts that cannot be read, whose
    cells fail, and parts without a digest are left out, too. The text of an object or a class includes the version of Python,
    since each version compiles it to other byte code.
    """
    makers: dict[str, Callable[[], str]] = {}
    for word in dict.fromkeys(problem.data for problem in settings.problems):
        if word in data_sets:
            makers[_table(word)] = partial(_of_table, data_sets[word])
        elif not elsewhere:
            makers[_table(word)] = partial(folder.content_digest, DatasetReference.parse(word))
    for pair in settings.pairs:
        if pair.label in own:
            makers[_quantifier(pair.label)] = partial(_of_object, own[pair.label])
    for word in () if elsewhere else _classes(settings):
        makers[_class(word)] = partial(_of_class, word)
    result = {}
    for name, make in makers.items():
        # Objects of the user's may raise anything when they are looked at.
        with contextlib.suppress(Exception):
            result[name] = make()
    return {name: text for name, text in result.items() if text}


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The names whose texts differ; texts made by different versions of Python are not compared."""
    versions = {name: [text[name].rpartition(" ")[0] for text in (before, now)] for name in before if name in now}
    return [name for name, (old, new) in versions.items() if old == new and before[name] != now[name]]


def _of_object(quantifier: object) -> str:
    return f"{_PYTHON} {digest(quantifier)}"


def _of_class(word: str) -> str:
    return f"{_PYTHON} {digest(named_class(word))}"


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
    names = repr([*data.features.columns, *data.nominal, data.default_positive]).encode()
    return hashlib.sha256(b"".join([names, *(column.to_numpy().tobytes() for column in columns)])).hexdigest()
