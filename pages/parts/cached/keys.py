"""How settings become the key of a cache: by what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qcore import ArtificialPrevalence, NaturalPrevalence, ParametricMeasure, PrevalencePath, ScoringSettings, SizeGrid
from qcore.studies.dataset_shift import DatasetShift

SETTINGS_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    ScoringSettings: repr,
    ArtificialPrevalence: repr,
    NaturalPrevalence: repr,
    PrevalencePath: repr,
    SizeGrid: repr,
    DatasetShift: repr,
    ParametricMeasure: repr,
}
