"""What a command prints: its answer as text or JSON on standard output, and sentences beside it on standard error."""

import json
import math
import sys
from typing import Any

import numpy as np

from qcore._base.validation import percentage_decimals


def say(*sentences: str) -> None:
    """Print sentences beside the answer, so that a program that reads it does not meet them."""
    for sentence in sentences:
        print(sentence, file=sys.stderr)


def print_answer(answer: dict[str, Any], text: str, *, as_json: bool) -> None:
    """Print an answer as JSON, with null for unknown numbers, or as text."""
    print(json.dumps(plain(answer), indent=2, allow_nan=False) if as_json else text)


def plain(value: Any) -> Any:
    """A value of JSON: numbers of NumPy as Python's, NaN and infinities as None.

    Examples
    --------
    >>> plain({"low": np.float64(0.5), "auc": float("nan"), "counts": (np.intp(3), True)})
    {'low': 0.5, 'auc': None, 'counts': [3, True]}
    """
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def percentages(estimate: float, low: float, high: float) -> list[str]:
    """An estimate and the ends of its interval as percentages, with as many decimals as the interval's width asks for."""
    return [f"{share:.{percentage_decimals(low, high)}%}" for share in (estimate, low, high)]


def counted(number: int, what: str) -> str:
    """A number of things, such as "1 instance", "2,000 instances" or "3 batches"."""
    several = "es" if what.endswith(("s", "x", "ch")) else "s"
    return f"{number:,} {what}{'' if number == 1 else several}"
