"""How text that the user types is read: a percentage, sample sizes, a beta, the prevalences of a path."""

import re
from typing import Final

import numpy as np

from qcore import InvalidInput
from qcore.protocols.artificial_prevalence import MAX_SIZES, SMALLEST_SIZE
from qcore.studies.trend import DAYS

LARGEST_BETA: Final = 1000.0
"""The largest beta that can be typed, except inf: beyond it a measure equals that of inf up to rounding."""

LARGEST_COST: Final = 1e9
_NUMERAL: Final = re.compile(r"[0-9]*\.?[0-9]+([eE]-?[0-9]+)?|[0-9]+\.")


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
