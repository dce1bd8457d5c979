"""Checks of arguments from outside: one exception, one form of message.

Whether a value is one of several choices, and which choice a misspelt or alternative name stands for.

Checks of an argument's class: a wrong one is refused with a message that says what to write instead.

The tolerance within which two numbers count as equal, and with how many decimals an estimate is written.

Puts the columns of a sample's scores in the order of the training scores' columns, if both are data frames.

Packages that only some tasks need.
"""

import importlib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from numbers import Integral, Real
from types import ModuleType

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

_ALIKE = 0.85
"""How alike two names must be, from 0 to 1 as `difflib` counts it: one letter in seven may differ."""


def is_one_of(value: object, choices: Iterable[object]) -> bool:
    """Whether a value is one of several choices; an array or a table never is."""
    try:
        hash(value)
    # An array or a table has no hash. Without this, Python would compare it with a word element by element.
    except TypeError:
        return False
    return value in list(choices)


def in_a_line(value: object) -> str:
    """The `repr` of a value on one line; that of anything but a string, such as a table, is cut to 80 characters."""
    return repr(value) if isinstance(value, str) else " ".join(repr(value).split())[:80]


def meant_choice(written: str, choices: Iterable[object]) -> object | None:
    """The choice whose key, name or alternative name is spelt like `written`, or begins so; None if none is, or several are."""
    entries = choices if isinstance(choices, Mapping) else dict.fromkeys(choices)
    spelt: dict[str, set[object]] = {}
    for key, entry in entries.items():
        for one in (key, getattr(entry, "name", "") or key, *getattr(entry, "also_called", ())):
            spelt.setdefault(_letters(one), set()).add(key)
    letters = _letters(written)
    alike = get_close_matches(letters, spelt, n=1, cutoff=_ALIKE) if len(letters) > 2 else [letters]
    meant = spelt.get(alike[0], set()) if alike else set()
    if not meant and len(letters) > 2:
        begins_so = {key for one, keys in spelt.items() if one.startswith(letters) for key in keys}
        in_another_order = {key for one, keys in spelt.items() if sorted(one) == sorted(letters) for key in keys}
        meant = begins_so or in_another_order
    return next(iter(meant)) if len(meant) == 1 else None


def _letters(name: object) -> str:
    """A name in lower case, without any character but letters and digits."""
    return "".join(letter for letter in str(name).lower() if letter.isalnum())


FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]
"""Counts, labels and indices: the machine's native integer, which NumPy uses for indices and counts (32 bits in a browser)."""


class InvalidInput(ValueError):
    """An invalid argument; the message names the value, the rule and a way out.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> try:
    ...     load_dataset("iri")
    ... except InvalidInput as error:
    ...     print(str(error)[:51])
    Unknown data set 'iri'. Did you mean iris? Choose o
    """

    def __init__(self, name: str, rule: str, value: object, hint: str) -> None:
        super().__init__(f"{name} must {rule}, got {value}. {hint}")

    @classmethod
    def unknown(cls, name: str, value: object, hint: str) -> "InvalidInput":
        """The error for an unknown value."""
        return cls.sentence(f"Unknown {name} {in_a_line(value)}. {hint}")

    @classmethod
    def sentence(cls, text: str) -> "InvalidInput":
        """The error in words of its own, for what is wrong with a whole file: they name it, what is wrong, and a way out."""
        error = cls.__new__(cls)
        error.args = (text,)
        return error

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the exception with its finished message, so that it can be sent to another process."""
        return _made_again, (type(self), self.args, self.__dict__)


def _made_again(kind: type[InvalidInput], arguments: tuple[object, ...], attributes: dict[str, object]) -> InvalidInput:
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(attributes)
    return error


def check_integer(name: str, value: object, *, low: int, high: int | None = None, hint: str = "") -> int:
    """Return `value` as an int in [low, high], or raise InvalidInput."""
    rule = f"be a whole number of at least {low}" if high is None else f"be a whole number from {low} to {high}"
    whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if not whole or int(value) < low or (high is not None and int(value) > high):  # type: ignore[call-overload]
        raise InvalidInput(name, rule, repr(value), hint or f"Choose for example {low}.")
    return int(value)  # type: ignore[call-overload]


LARGEST_SEED = 2**31 - 1


_LARGEST_WHOLE = 2.0**53
"""Floats represent every whole number up to this one exactly."""


def whole_numbers(name: str, value: object) -> IntArray:
    """The value or values as an array of integers, (...), or raise InvalidInput."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(name, "be whole numbers", repr(value)[:40], "Pass counts, not shares.") from error
    if not np.isfinite(array).all() or (array != np.rint(array)).any():
        raise InvalidInput(name, "be whole numbers", repr(value)[:40], "Pass counts, not shares.")
    if (np.abs(array) > _LARGEST_WHOLE).any():
        raise InvalidInput(name, "be whole numbers up to 2^53", repr(value)[:40], "Pass smaller counts.")
    return array.astype(np.intp)


def check_part(name: str, part: IntArray, whole_name: str, whole: IntArray) -> None:
    """Raise InvalidInput unless each count is from 0 to its total; both have shape (...), and they broadcast."""
    part, whole = np.broadcast_arrays(part, whole)
    wrong = (part < 0) | (part > whole)
    if wrong.any():
        raise InvalidInput(name, f"be from 0 to {whole_name}", f"{part[wrong][0]} of {whole[wrong][0]}", "Check the counts.")


def check_one_shape(name: str, *arrays: NDArray[np.generic], rule: str = "have equal lengths, or be one value for all") -> None:
    """Raise InvalidInput unless arrays broadcast to one shape."""
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError as error:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InvalidInput(name, rule, f"shapes {shapes}", "Check the lengths.") from error


def check_seed(value: object) -> int:
    """Return `value` as a seed, a whole number from 0 to 2^31 - 1, or raise InvalidInput."""
    return check_integer("seed", value, low=0, high=LARGEST_SEED)


def check_fraction(name: str, value: object, *, low: float = 0.0, high: float = 1.0, hint: str = "") -> float:
    """Return `value` as a float in [low, high], or raise InvalidInput."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not number or not low <= float(value) <= high:  # type: ignore[arg-type]
        raise InvalidInput(name, f"be a number from {low:g} to {high:g}", repr(value), hint or f"Choose for example {high:g}.")
    return float(value)  # type: ignore[arg-type]


def check_level(level: object, *, high: float = 0.999) -> float:
    """Return the level of an interval as a float in [0.5, high], or raise InvalidInput."""
    return check_fraction("level", level, low=0.5, high=high, hint="Choose for example 0.95.")


def check_positive(name: str, value: object) -> float:
    """Return `value` as a finite float above 0, or raise InvalidInput."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not number or not 0.0 < float(value) < np.inf:  # type: ignore[arg-type]
        raise InvalidInput(name, "be a number above 0", repr(value), "Choose for example 1.")
    return float(value)  # type: ignore[arg-type]


def check_choice(name: str, value: object, choices: Iterable[object], rule: str = "") -> None:
    """Raise InvalidInput unless `value` is one of `choices`; the message suggests the one that was probably meant.

    `rule` says what a known choice has to be, where that is more than to be known.
    """
    known = list(choices)
    if not is_one_of(value, known):
        meant = meant_choice(str(value), choices)
        hint = f"{'' if meant is None else f'Did you mean {meant}? '}Choose one of: {', '.join(map(str, known))}."
        raise InvalidInput(name, rule, in_a_line(value), hint) if rule else InvalidInput.unknown(name, value, hint)


def check_several(name: str, values: Iterable[str]) -> list[str]:
    """Return `values` as a list, or raise InvalidInput for a single string, which would be read letter by letter."""
    if isinstance(values, str):
        raise InvalidInput(name, "be a list", repr(values), f"Write [{values!r}].")
    if not isinstance(values, Iterable):
        raise InvalidInput(name, "be a list", repr(values)[:60], "Pass a list of names.")
    return list(values)


def check_numbers(name: str, values: ArrayLike) -> FloatArray:
    """Return the values as floats, (...), NaN included, or raise InvalidInput."""
    if np.ma.is_masked(values):
        raise InvalidInput(
            name, "have no masked values", f"{np.ma.count_masked(values):,} of them", "Pass values.compressed()."
        )
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(name, "be numbers", f"a {type(values).__name__}", "Pass an array of floats.") from error


def check_scores(name: str, scores: ArrayLike) -> FloatArray:
    """Return `scores` as a float array of finite values in [0, 1] with a non-empty last axis, or raise InvalidInput."""
    array = check_numbers(name, scores)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise InvalidInput(name, "hold at least one score on the last axis", f"shape {array.shape}", "Add an instance.")
    # min and max are NaN if any score is NaN, so no extra pass over the data is needed.
    lowest, highest = (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)
    if np.isnan(lowest):
        n_missing = int(np.isnan(array).sum())
        hint = "Leave these instances out, or score them, too."
        raise InvalidInput(name, "be numbers without gaps", f"{n_missing:,} missing of {array.size:,}", hint)
    if not (lowest >= 0.0 and highest <= 1.0):
        is_percentage = lowest >= 0.0 and 2.0 < highest <= 100.0
        of_decisions = "Map decision values to [0, 1] first, for example with scipy.special.expit."
        hint = "Divide percentages by 100." if is_percentage else of_decisions
        raise InvalidInput(name, "lie in [0, 1]", f"values from {_exact(lowest)} to {_exact(highest)}", hint)
    return array


def _exact(value: float) -> str:
    """The number as text, shortened only if that keeps its exact value: 1.0000001 does not become 1."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def check_one_sample(name: str, scores: ArrayLike) -> FloatArray:
    """Return the scores of one sample as `check_scores` does, shape (sample_size,), or raise InvalidInput."""
    array = check_scores(name, scores)
    if array.ndim != 1:
        raise InvalidInput(name, "be those of one sample, on one axis", f"shape {array.shape}", "Pass one row of them.")
    return array


def check_binary_labels(name: str, labels: ArrayLike, n_expected: int) -> IntArray:
    """Return `labels` as an int array of 0 and 1, shape (n_expected,), both present, or raise InvalidInput."""
    array = np.asarray(labels)
    if array.shape != (n_expected,):
        raise InvalidInput(
            name, f"have one label for each score, shape ({n_expected},)", f"shape {array.shape}", "Check the lengths."
        )
    if array.dtype.kind in "biu" and array.size and (array.min(), array.max()) == (0, 1):
        return array.astype(np.intp)
    # Labels in an array of objects, such as a missing one beside True, have no order.
    values = list(dict.fromkeys(array.tolist())) if array.dtype == object else np.unique(array).tolist()
    if set(values) != {0, 1}:
        raise InvalidInput(
            name,
            "hold both 0 (negative) and 1 (positive)",
            f"the values {values[:5]}",
            "Encode the positive class as 1, and use training data with both classes.",
        )
    return array.astype(np.intp)


def check_class_labels(name: str, labels: ArrayLike) -> IntArray:
    """Return `labels`, (n,), as an int array of 0 to n_classes - 1, at least 2, each present, or raise InvalidInput."""
    array = np.asarray(labels)
    is_usual = (
        array.ndim == 1 and array.dtype.kind in "biu" and array.size and array.min() == 0 and 0 < array.max() < array.size
    )
    # This takes a tenth of the time of np.unique, which matters when many quantifiers are fitted to few scores each.
    if is_usual and np.bincount(array.astype(np.intp)).all():
        return array.astype(np.intp)
    values = np.unique(array)
    if array.ndim != 1 or len(values) < 2 or not np.array_equal(values, np.arange(len(values))):
        raise InvalidInput(
            name,
            "be whole numbers from 0 to the number of classes minus 1, on one axis, with every class present",
            f"shape {array.shape}, the values {values[:5].tolist()}",
            "Number the classes from 0; leave out classes without an instance.",
        )
    return array.astype(np.intp)


def check_class_scores(name: str, scores: ArrayLike) -> FloatArray:
    """Return `scores`, (..., sample_size, n_classes), as floats that sum to 1 over the classes, or raise InvalidInput."""
    array = check_scores(name, scores)
    if array.ndim < 2 or array.shape[-2] == 0 or array.shape[-1] < 2:
        raise InvalidInput(
            name,
            "hold at least one instance on the second-to-last axis and at least 2 classes on the last",
            f"shape {array.shape}",
            "To pass only scores of the positive class, also fit on such scores, shape (n_training,).",
        )
    sums = array.sum(axis=-1)
    if sums.size and not np.allclose(sums, 1.0, rtol=0, atol=1e-6):
        value = f"sums from {sums.min():g} to {sums.max():g}"
        raise InvalidInput(name, "sum to 1 over the classes", value, "Divide each instance's scores by their sum.")
    return array


def check_distributions(name: str, prevalences: ArrayLike) -> FloatArray:
    """Return `prevalences` as floats of shape (..., n_classes >= 2) that sum to 1, or raise InvalidInput."""
    array = check_numbers(name, prevalences)
    if array.ndim == 0 or array.shape[-1] < 2:
        raise InvalidInput(
            name,
            "have at least 2 classes on the last axis",
            f"shape {array.shape}",
            "For positive prevalences of a binary problem call the loss's .binary(true, estimated).",
        )
    if not (np.all(array >= -1e-12) and np.allclose(array.sum(axis=-1), 1.0, rtol=0, atol=1e-6)):
        raise InvalidInput(
            name,
            "be prevalences that are not negative and sum to 1",
            f"values from {array.min():g} to {array.max():g} and sums from {array.sum(axis=-1).min():g} to "
            f"{array.sum(axis=-1).max():g}",
            "For positive prevalences of a binary problem call the loss's .binary(true, estimated).",
        )
    return array


def check_prevalences(name: str, prevalences: ArrayLike) -> FloatArray:
    """Return `prevalences` as floats in [0, 1] of any shape, or raise InvalidInput."""
    array = check_numbers(name, prevalences)
    if array.size and not (array.min() >= 0.0 and array.max() <= 1.0):
        raise InvalidInput(
            name,
            "lie in [0, 1]",
            f"values from {_exact(float(array.min()))} to {_exact(float(array.max()))}",
            "Pass shares, not percentages.",
        )
    return array


def check_training_data(scores: ArrayLike, labels: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Return (scores, labels) of one class against the rest, shape (n,) each, both classes present, or raise InvalidInput."""
    checked = check_scores("scores", scores)
    if checked.ndim != 1:
        rule, hint = "be only those of the positive class, on one axis", "Pass one column, for example scores[:, 1]."
        raise InvalidInput("scores", rule, f"shape {checked.shape}", hint)
    return checked, check_binary_labels("labels", labels, len(checked))


def check_labelled_scores(scores: ArrayLike, labels: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Return (scores, labels) of one class against the rest, (n,) each, or of all classes, (n, n_classes) and (n,).

    Raises InvalidInput.
    """
    if np.ndim(scores) < 2:
        return check_training_data(scores, labels)
    checked, truth = check_class_scores("scores", scores), check_class_labels("labels", labels)
    if checked.shape != (len(truth), int(truth.max()) + 1):
        raise InvalidInput(
            "scores",
            f"have a row for each label and a column for each class, shape ({len(truth)}, {int(truth.max()) + 1})",
            f"shape {checked.shape}",
            "Check that labels and scores are of the same instances and classes.",
        )
    return checked, truth


def check_kind(name: str, value: object, kind: type, hint: str) -> None:
    """Raise InvalidInput unless `value` is an object of `kind`."""
    if not isinstance(value, kind):
        given = f"the class {value.__name__}" if isinstance(value, type) else _one(type(value))
        raise InvalidInput(name, f"be {_one(kind)}", given, hint)


def _one(kind: type) -> str:
    """The name of a class with its article, for messages: a Dataset, an int, Scores."""
    name = kind.__name__
    if name.endswith("s"):
        return name
    is_vowel = name[0].lower() in "aeiou" and not name.startswith("Uni")
    return f"{'an' if is_vowel or name == 'ndarray' else 'a'} {name}"


def check_generator(rng: object) -> None:
    """Raise InvalidInput for anything but a generator of random numbers, such as a seed."""
    seed = rng if isinstance(rng, int | np.integer) else 0
    check_kind("rng", rng, np.random.Generator, f"Write np.random.default_rng({seed}).")


TIE = 1e-12
"""Values this close count as equal: criteria of thresholds, rates, slopes, halves of a weight, borders of [0, 1]."""
_NONE = 1e-9
"""Intervals that are shorter than this have no width."""


def percentage_decimals(low: float, high: float) -> int:
    """With how many decimals an estimate and its interval are written as percentages: one, or more if the interval is short.

    The same wherever the estimate stands: in a sentence, a picture, a table or a terminal.

    Examples
    --------
    >>> percentage_decimals(0.31, 0.45), percentage_decimals(0.0020, 0.0039)
    (1, 2)
    """
    width = high - low
    return next((decimals for decimals, enough in ((1, 0.002), (2, 0.0002)) if width > enough), 3) if width > _NONE else 1


def in_order_of(scores: ArrayLike, sample: ArrayLike) -> ArrayLike:
    """The sample with its columns in the order of those of `scores`, if both are data frames with the same column names.

    Without a common name, or if one of them is not a data frame, the sample is returned as it is. Raises InvalidInput if only
    some of the names are the same.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.8], "b": [0.2]})
    >>> in_order_of(scores, pd.DataFrame({"b": [0.7], "a": [0.3]})).columns.tolist()
    ['a', 'b']
    """
    if not (isinstance(scores, pd.DataFrame) and isinstance(sample, pd.DataFrame)):
        return sample
    shared = set(scores.columns) & set(sample.columns)
    if not shared or not (scores.columns.is_unique and sample.columns.is_unique):
        # The columns are not named after the classes; they may be numbered.
        return sample
    if len(shared) < len(scores.columns) or len(shared) < len(sample.columns):
        has = ", ".join(map(str, sample.columns))
        raise InvalidInput("sample", f"have the columns {', '.join(map(str, scores.columns))}", has, "Rename them.")
    return sample[scores.columns]


def optional_package(module: str, task: str, install: str = "") -> ModuleType:
    """A module of a package. Raises InvalidInput, with the task that needs it, if the package is not installed.

    `install` is what pip installs, by default the package.
    """
    package = module.partition(".")[0].replace("_", "-")
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        hint = f"Install it: pip install {install or package}."
        raise InvalidInput(f"the package {package}", f"be installed to {task}", "none", hint) from missing
