"""Whether a value is one of several choices, and which choice a misspelt or alternative name stands for."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

_ALIKE: Final = 0.85
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
    """The choice whose key, name or alternative name is spelt like `written`; None if there is no such choice or several."""
    entries = choices if isinstance(choices, Mapping) else dict.fromkeys(choices)
    spelt: dict[str, set[object]] = {}
    for key, entry in entries.items():
        for one in (key, getattr(entry, "name", key), *getattr(entry, "also_called", ())):
            spelt.setdefault(_letters(one), set()).add(key)
    alike = get_close_matches(_letters(written), spelt, n=1, cutoff=_ALIKE) if len(written) > 3 else [_letters(written)]
    meant = spelt.get(alike[0], set()) if alike else set()
    return next(iter(meant)) if len(meant) == 1 else None


def _letters(name: object) -> str:
    """A name in lower case, without any character but letters and digits."""
    return "".join(letter for letter in str(name).lower() if letter.isalnum())
