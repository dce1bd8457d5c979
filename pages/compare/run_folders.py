"""The experiments that can be shown: the app's own, and those in a folder that the app's operator sets."""

import os
from pathlib import Path
from types import MappingProxyType
from typing import Final

import streamlit as st

OWN_RUN, OWN_NAME = "own experiment", "my own run"
STORED_RUNS: Final = Path(__file__).parent / "runs"
VARIABLE: Final = "QUANTIFICATION_LAB_RUNS"
_PAPERS: Final = MappingProxyType(
    {
        "thesis, chapter 5": "barranquero-2013-chapter-5",
        "thesis, chapter 6": "barranquero-2013-chapter-6",
        "size paper": "maletzke-2020",
    }
)
"""The experiments of the papers -> the names with which `python -m qcore experiment` runs them.

The size paper's has 21 prevalences and 3 repeats here, where the command runs 101 and 10.
"""

_TRAINING, PROTOCOL_RUNS = "bundled-training", ("bundled-APP", "bundled-UPP", "bundled-NPP", "bundled-Beta")
TRAINING_RUN: Final = STORED_RUNS / _TRAINING


def folders() -> dict[str, Path]:
    """Name -> folder of each run that can be compared: the app's own ones, then the operator's, then this session's."""
    result = {"bundled": STORED_RUNS / "bundled", **{name: STORED_RUNS / run for name, run in _PAPERS.items()}}
    named = os.environ.get(VARIABLE)
    if named and Path(named).is_dir():
        result |= {path.name: path for path in sorted(Path(named).iterdir()) if (path / "experiment.toml").is_file()}
    own = st.session_state.get(OWN_RUN)
    if own is not None and own.is_whole:
        result[OWN_NAME] = own.folder
    return result


def choose_ended_run() -> None:
    """Choose this session's own run when it has ended, once, if it can be compared; before the box of experiments is drawn."""
    own = st.session_state.get(OWN_RUN)
    if own is None or own.was_chosen or not own.is_whole:
        return
    own.was_chosen = True
    if len(own.settings.problems) > 1 and len(own.settings.pairs) > 1:
        st.session_state["run"] = OWN_NAME
