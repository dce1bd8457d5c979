"""The controls of the page "Estimate": which of the three kinds of sample, and its own controls."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from pages.estimate.computations import OwnSample
from pages.estimate.settings import COUNTS, DRAWN, OWN, SETTINGS
from pages.frame.sidebar import SidebarChoice
from pages.frame.training_controls import training_popover
from pages.own_data import uploads
from pages.own_data.data_box import FILE_TYPES
from pages.own_data.uploaded_tables import UploadedFile, uploaded_frame
from pages.settings import control
from pages.work.refusals import show_invalid_input
from qcore import Counts, InvalidInput, ScoringSettings


@dataclass(frozen=True)
class EstimateRequest:
    """The choices of the controls: `share`, `size` and `draw` of a drawn sample, or the `own` table, or the `counts`.

    `contradiction` says whether other counts are typed, which contradict each other.
    """

    way: str
    level: float
    settings: ScoringSettings
    share: float = 0.4
    size: int = 100
    draw: int = 0
    own: OwnSample | None = None
    counts: Counts | None = None
    contradiction: bool = False


def controls(sidebar_choice: SidebarChoice) -> EstimateRequest:
    """Draw the controls and return their choices. Raises InvalidInput for a file without a table, and for invalid counts."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        way = control.segments(SETTINGS["way"])
        level = _level()
    if way == COUNTS:
        counts, contradiction = _counts()
        return EstimateRequest(way, level, _settings(sidebar_choice), counts=counts, contradiction=contradiction)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        more = {"own": _own()} if way == OWN else _drawn()
        settings = training_popover(sidebar_choice) if way == DRAWN else _settings(sidebar_choice)
    return EstimateRequest(way, level, settings, **more)


def _settings(sidebar_choice: SidebarChoice) -> ScoringSettings:
    return ScoringSettings(sidebar_choice.positive, sidebar_choice.classifier, sidebar_choice.seed)


def _level() -> float:
    with st.container(width=120):
        return float(control.choice(SETTINGS["level"]))


def _drawn() -> dict[str, float]:
    with st.container(width=250):
        share = control.slider(SETTINGS["sample_share"])
    with st.container(width=230):
        size = control.slider(SETTINGS["size"])
    with st.container(width=120):
        draw = control.number(SETTINGS["sample_draw"])
    return {"share": float(share), "size": int(size), "draw": int(draw)}


def _own() -> OwnSample | None:
    with st.container(width=420):
        file = st.file_uploader(
            "Instances without classes, with the columns of the data set", type=FILE_TYPES, key="own sample",
            help="Scored by a classifier that is trained on all of the data set in the sidebar, which may be your own. It "
            "stays in this session.",
        )  # fmt: skip
    if file is None:
        return None
    uploaded = UploadedFile(file.name, file.getvalue(), uploads.owner(), labelled=False)
    return OwnSample(file.name, uploaded.digest, uploaded.owner, uploaded_frame(uploaded))


_LAST_COUNTS: Final = "counts that fit"
"""Where a session keeps the last counts without a contradiction."""


def _counts() -> tuple[Counts, bool]:
    """The counts as typed; while they contradict each other, the last ones that did not, with a sentence; and whether so."""
    rows = (("count_x", "count_m"), ("count_tp", "count_pos"), ("count_fp", "count_neg"))
    numbers: list[int] = []
    st.caption("Counts need no data set: the sidebar changes nothing here.")
    with st.container(horizontal=True, gap="medium"):
        for row in rows:
            with st.container(width=460, horizontal=True, gap="small", vertical_alignment="bottom"):
                numbers += [control.number(SETTINGS[key]) for key in row]
    wrong = _contradiction(numbers)
    if wrong is None:
        st.session_state[_LAST_COUNTS] = Counts(*numbers)
    elif _LAST_COUNTS not in st.session_state:
        raise wrong
    else:
        show_invalid_input(wrong)
        st.caption("The picture is still that of the last counts that fit.")
    counts: Counts = st.session_state[_LAST_COUNTS]
    return counts, wrong is not None


def _contradiction(numbers: list[int]) -> InvalidInput | None:
    groups = (
        ("those taken for positive in the sample", "instances of the sample"),
        ("found positives", "labelled positives"),
        ("negatives taken for positive", "labelled negatives"),
    )
    for result, most, (name, group) in zip(numbers[::2], numbers[1::2], groups, strict=True):
        if result > most:
            return InvalidInput(name, f"be at most the {most:,} {group}", f"{result:,}", "Check the two numbers.")
    return None
