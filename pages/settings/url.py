"""Writes settings as words of a URL, and removes default values from a URL."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from pages.settings.page_declaration import SETTINGS
from pages.settings.setting import Value
from qcore import DATASETS, load_dataset

STATE_VERSION: Final = 2
"""The version of links, which increases when an older link would show another picture."""


def url_word(value: object) -> str:
    """A single value as a URL and a sentence write it: true, 0.5, wdbc."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def url_words(settings: Mapping[str, Value]) -> dict[str, list[str]]:
    """Settings in the words of a URL, which each setting's `parse` reads back; an empty choice is an empty word."""
    return {key: list(value) or [""] if isinstance(value, list) else [url_word(value)] for key, value in settings.items()}


def without_defaults(words: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The parameters of a URL without default values and without the current state version."""
    kept = {}
    for key, value in words.items():
        if key == "v" and value == [str(STATE_VERSION)]:
            continue
        if key not in SETTINGS or not _is_default(key, value, words):
            kept[key] = value
    return kept


def _is_default(key: str, value: list[str], words: Mapping[str, list[str]]) -> bool:
    default = SETTINGS[key].default
    if key == "positive":
        data = words.get("data", [str(SETTINGS["data"].default)])[0]
        # Only of known data sets: what is kept must not grow with what addresses say.
        default = _default_positive(data) if data in DATASETS else None
    try:
        return SETTINGS[key].parse(value) == default
    except ValueError:
        return False


@cache
def _default_positive(data: str) -> str:
    """The class that is counted by default in a bundled data set."""
    return load_dataset(data).default_positive
