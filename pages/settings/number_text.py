"""Writes numbers, shares, thresholds and lists of names for sentences."""

import math
from collections.abc import Sequence

from qcore.base import percentage_decimals

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
    """The width of an interval as a percentage, with as many decimals as `percentages` gives it."""
    return percentages(width / 2.0, 0.0, width)[2]


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
    """The sentence with a capital letter in front."""
    return f"{sentence[0].upper()}{sentence[1:]}"
