"""The experiments that can be shown: the app's own, and those in a folder that the app's operator sets."""

import os
from pathlib import Path
from typing import Final

import streamlit as st

OWN_RUN, OWN_NAME = "own experiment", "my own run"
STORED_RUNS: Final = Path(__file__).parent / "runs"
VARIABLE: Final = "QUANTIFICATION_LAB_RUNS"
_TRAINING, PROTOCOL_RUNS = "bundled-training", ("bundled-APP", "bundled-UPP", "bundled-NPP", "bundled-Beta")
TRAINING_RUN: Final = STORED_RUNS / _TRAINING


def folders() -> dict[str, Path]:
    """Name -> folder of each run that can be compared; the app's own run first, then the operator's and this session's."""
    result = {"bundled": STORED_RUNS / "bundled"}
    named = os.environ.get(VARIABLE)
    if named and Path(named).is_dir():
        result |= {path.name: path for path in sorted(Path(named).iterdir()) if (path / "experiment.toml").is_file()}
    own = st.session_state.get(OWN_RUN)
    if own is not None and own.is_whole:
        result[OWN_NAME] = own.folder
    return result
