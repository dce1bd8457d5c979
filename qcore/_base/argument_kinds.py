"""Checks of an argument's class: a wrong one is refused with a message that says what to write instead."""

import numpy as np

from qcore._base.validation import InvalidInput


def check_kind(name: str, value: object, kind: type, way_out: str) -> None:
    """Raise InvalidInput unless `value` is an object of `kind`."""
    if not isinstance(value, kind):
        given = f"the class {value.__name__}" if isinstance(value, type) else _one(type(value))
        raise InvalidInput(name, f"be {_one(kind)}", given, way_out)


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
