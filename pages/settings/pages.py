"""The settings of all pages, found in the pages' folders: what links, presets, the check of a URL and tests run over.

A page's own settings are `SETTINGS` in `pages/NAME/settings.py`; a page without that file has none.
"""

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pages.settings.setting import Setting

_PAGES: Final = Path(__file__).parents[1]
_PACKAGE: Final = __package__.rpartition(".")[0]


def _settings_of_pages() -> dict[str, Mapping[str, Setting]]:
    folders = sorted(path.parent.name for path in _PAGES.glob("*/settings.py"))
    return {name: importlib.import_module(f"{_PACKAGE}.{name}.settings").SETTINGS for name in folders}


def union_of_settings(settings_of_pages: Mapping[str, Mapping[str, Setting]]) -> dict[str, Setting]:
    """All settings by key. Raises ValueError if two pages mean different settings by one key.

    Controls keep their values from page to page by their key: two settings of one key would overwrite each other.
    """
    union: dict[str, Setting] = {}
    owners: dict[str, str] = {}
    for page, settings in settings_of_pages.items():
        for key, setting in settings.items():
            if union.setdefault(key, setting) is not setting:
                raise ValueError(f"the pages {owners[key]} and {page} both define the setting {key!r}: call one {page}_{key}")
            owners.setdefault(key, page)
    return union


SETTINGS_OF_PAGES: Final[Mapping[str, Mapping[str, Setting]]] = MappingProxyType(_settings_of_pages())
"""Page -> its settings by key."""

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(union_of_settings(SETTINGS_OF_PAGES))
"""All settings by key."""


def settings_of(page: str) -> Mapping[str, Setting]:
    """The settings of a page, by key."""
    return SETTINGS_OF_PAGES.get(page, {})
