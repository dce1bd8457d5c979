"""Numbers as people read and type them: percentages, counts, lists."""

import math
import re
from collections.abc import Sequence

import numpy as np

from qcore import InvalidInput
from qcore.base import percentage_decimals
from qcore.protocols.artificial_prevalence import MAX_SIZES, SMALLEST_SIZE
from qcore.studies.trend import DAYS

LARGEST_BETA = 1000.0
"""The largest beta that can be typed, except inf: beyond it a measure equals that of inf up to rounding."""

LARGEST_COST = 1e9
_NUMERAL = re.compile(r"[0-9]*\.?[0-9]+([eE]-?[0-9]+)?|[0-9]+\.")


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", text.strip()) if word]


def typed_percentage(text: str, low: float = 0.0, high: float = 1.0) -> float:
    """The share in a text such as "20%", "20", "0.2" or "0,2": with a sign or above 1 it is a percentage.

    Raises InvalidInput for anything but a share from `low` to `high`.
    """
    word = text.strip().replace(",", ".")
    numeral = word.removesuffix("%").rstrip()
    value = float(numeral) if _NUMERAL.fullmatch(numeral) else np.nan
    # A whole 1 is one percent; 1.0 is all.
    if word != numeral or value > 1 or word == "1":
        value = round(value / 100, 12)
    if not low <= value <= high:
        example = 0.2 if low <= 0.2 <= high else (low + high) / 2
        rule = f"be from {low:.0%} to {high:.0%}"
        raise InvalidInput("the percentage", rule, repr(text[:20]), f"Type for example {example:.0%}.")
    return value


def typed_sizes(text: str, largest: int) -> tuple[int, ...]:
    """The sample sizes in a text such as "10 50, 100", increasing and each once.

    Raises InvalidInput for anything but whole numbers from 2 to `largest`, 1 to 30 of them.
    """
    hint = "Write for example: 10 20 50 100"
    words = _words(text)
    if not 1 <= len(words) <= MAX_SIZES:
        raise InvalidInput("the sample sizes", f"be 1 to {MAX_SIZES} numbers", f"{len(words)}", hint)
    for word in words:
        # Only 0 to 9, and at most six of them: `int` also accepts digits of other scripts, and any length.
        if not re.fullmatch(r"[0-9]{1,6}", word) or not SMALLEST_SIZE <= int(word) <= largest:
            rule = f"be a whole number from {SMALLEST_SIZE} to {largest}"
            raise InvalidInput("each sample size", rule, repr(word[:20]), hint)
    return tuple(sorted({int(word) for word in words}))


def typed_prevalences(text: str, n_days: int = DAYS) -> tuple[float, ...]:
    """The prevalences in a text such as "0.2 0.5, 0.1", with straight lines between them over the days.

    Raises InvalidInput for anything but 1 to `n_days` numbers from 0 to 1.
    """
    hint = "Write for example: 0.2 0.8 0.3"
    words = _words(text)
    if not 1 <= len(words) <= n_days:
        raise InvalidInput("the typed path", f"have 1 to {n_days} prevalences", f"{len(words)}", hint)
    values = []
    for word in words:
        value = float(word) if _NUMERAL.fullmatch(word) else np.nan
        if not 0.0 <= value <= 1.0:
            raise InvalidInput("each prevalence of the typed path", "be a number from 0 to 1", repr(word[:20]), hint)
        values.append(value)
    return tuple(np.interp(np.linspace(0.0, 1.0, n_days), np.linspace(0.0, 1.0, len(values)), values).tolist())


def typed_costs(text: str, n_classes: int) -> tuple[tuple[float, ...], ...]:
    """The cost matrix in a text such as "0 5 2 / 200 -2000 10 / 10 1 -15", predicted class by row.

    Raises InvalidInput for anything but `n_classes` rows of as many numbers, each at most a billion away from 0.
    """
    hint = f"Write {n_classes} rows of {n_classes} numbers, with / between rows."
    rows = [_words(row) for row in text.split("/")]
    if len(rows) != n_classes or any(len(row) != n_classes for row in rows):
        shape = f"{len(rows)} rows of {', '.join(str(len(row)) for row in rows[:12])}"
        raise InvalidInput("the cost matrix", f"have {n_classes} rows of {n_classes} numbers", shape, hint)
    for word in (word for row in rows for word in row):
        if not _NUMERAL.fullmatch(word.removeprefix("-")) or abs(float(word)) > LARGEST_COST:
            raise InvalidInput("each cost", "be a number of at most a billion", repr(word[:20]), hint)
    return tuple(tuple(float(word) for word in row) for row in rows)


def typed_beta(text: str) -> float:
    """A beta: a number from 0 to LARGEST_BETA, or inf (or ∞), with a point or a comma. Raises InvalidInput."""
    word = text.strip().replace("∞", "inf").replace(",", ".")
    try:
        value = float(word) if word.isascii() and "_" not in word else float("nan")
    except ValueError:
        value = float("nan")
    if not (0 <= value <= LARGEST_BETA or np.isposinf(value)):
        raise InvalidInput("beta", f"be a number from 0 to {LARGEST_BETA:g}, or inf", repr(text), "Type for example 2.")
    return value + 0.0


_ROUNDING = 1e-9
"""Smaller values count as rounding errors."""


def digits(value: float) -> str:
    """A number with two significant digits at least, and two decimals below 10: 0.0123 -> 0.012, 1.234 -> 1.23."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < _ROUNDING:
        return "0"
    if abs(value) >= 1e6 or abs(value) < 1e-5:
        return f"{value:.2g}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    # Rounded first, because 0.00009996 needs the decimals of 0.00010.
    rounded = float(f"{value:.1e}")
    return f"{value:.{max(2, 1 - math.floor(math.log10(abs(rounded))))}f}"


def digits_apart(first: float, second: float) -> tuple[str, str]:
    """Two numbers with enough digits to tell them apart, at most five decimals."""
    texts = digits(first), digits(second)
    decimals = 3
    while texts[0] == texts[1] and first != second and decimals <= 5:
        texts = f"{first:.{decimals}f}", f"{second:.{decimals}f}"
        decimals += 1
    return texts


def share(value: float, decimals: int = 2) -> str:
    """A rate or a prevalence with `decimals` decimals; more if it would otherwise read as 0 or 1 without being 0 or 1."""
    # Drops the minus sign of a rounded -0.001.
    text = f"{round(value, decimals) + 0.0:.{decimals}f}"
    if float(text) == 0.0 and abs(value) > _ROUNDING:
        return digits(value)
    return "nearly 1" if float(text) == 1.0 and value < 1.0 - _ROUNDING else text


def formatted(value: float, form: str) -> str:
    """A number in a format of Python, without the minus sign of one that is rounded to zero: -0.00001 -> 0.0000."""
    text = format(value, form)
    return text if text.strip("+-0.%") else format(0 * abs(value), form)


def threshold_text(value: float) -> str:
    """A threshold with up to four decimals; in words if four decimals would read as 0 or 1."""
    if 0.0 < value < 5e-5:
        return "just above 0"
    if 1.0 - 5e-5 < value < 1.0:
        return "just below 1"
    if math.isinf(value):
        return "above all scores"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def exact_percentage(value: float, most_digits: int = 6) -> str:
    """A share that the user chose as a percentage, with as many decimals as it needs: 0.2 -> 20%, 0.125 -> 12.5%."""
    return f"{100 * value:.{most_digits}g}%"


def percentage(value: float) -> str:
    """A share as a percentage, in words if it would otherwise read as 0 or 100 without being that."""
    text = formatted(value, ".0%")
    if text == "0%" and value > 0.0:
        return "less than 1%"
    return "more than 99%" if text == "100%" and value < 1.0 else text


def percentage_beyond(share: float) -> str:
    """A share below 0% or above 100%, with as many decimals as it takes to see that; in words if four do not show it."""
    texts = [f"{share:.{decimals}%}" for decimals in range(5)]
    in_words = "just below 0%" if share < 0.5 else "just above 100%"
    return next((text for text in texts if not 0.0 <= float(text.removesuffix("%")) <= 100.0), in_words)


def percentages(estimate: float, low: float, high: float) -> tuple[str, str, str]:
    """An estimate and the ends of its interval as percentages, with as many decimals as `percentage_decimals` says.

    In words where the estimate would read as 0% or 100% without being that.

    Examples
    --------
    >>> percentages(0.3, 0.26, 0.34), percentages(0.003, 0.002, 0.0039)
    (('30.0%', '26.0%', '34.0%'), ('0.30%', '0.20%', '0.39%'))
    """
    decimals = percentage_decimals(low, high)
    first, second, third = (f"{value:.{decimals}%}" for value in (estimate, low, high))
    smallest = 10.0 ** -(decimals + 2)
    if 0.0 < estimate < 1.0 and first in (f"{0:.{decimals}%}", f"{1:.{decimals}%}"):
        first = f"less than {smallest:.{decimals}%}" if estimate < 0.5 else f"more than {1.0 - smallest:.{decimals}%}"
    return first, second, third


def width_text(width: float) -> str:
    """The width of an interval in points of percent, with as many decimals as `percentages` gives it."""
    return f"{percentages(width / 2.0, 0.0, width)[2].rstrip('%')} points"


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A number of things: 1 step, 2 steps."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def listed(names: Sequence[str], *, most: int = 5, first: int = 4) -> str:
    """Names as the user lists them, in bold: **a**, **b** and **c**; of more than `most` the `first`, and how many more."""
    bold = [f"**{name}**" for name in names]
    if len(bold) > most:
        return f"{', '.join(bold[:first])} and {len(bold) - first} more"
    return enumerated(bold)


def enumerated(names: Sequence[str]) -> str:
    """All names as a list in words: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def named_class(name: str) -> str:
    """A class in a sentence: one whose name is as short as 0 or 1 is called "class 0"."""
    return f"class {name}" if len(name) < 3 else name


def capitalised(sentence: str) -> str:
    """The sentence with a capital letter in front, unless it begins with the name of a file."""
    begins_with_file = "." in sentence.split(maxsplit=1)[0].rstrip(".")
    return sentence if begins_with_file else f"{sentence[0].upper()}{sentence[1:]}"
