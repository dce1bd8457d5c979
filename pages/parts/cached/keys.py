"""How settings are made the key of a cache: by what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qcore import ArtificialPrevalence, NaturalPrevalence, ScoringSettings
from qcore.assumption import Break
from qcore.protocols import PrevalencePath, SizeGrid
from qcore.table_measures import Measured

SETTINGS_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    ScoringSettings: repr,
    ArtificialPrevalence: repr,
    NaturalPrevalence: repr,
    PrevalencePath: repr,
    SizeGrid: repr,
    Break: repr,
    Measured: repr,
}
