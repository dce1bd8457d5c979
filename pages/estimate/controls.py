"""The controls of the page "Estimate": the choice of what is estimated, one of five ways, and the controls of each way."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.charts.dragged_slider import live_slider
from pages.estimate.computations import OwnSample, Weighted, group_columns, own_groups, weight_columns
from pages.estimate.groups import GroupsRequest, group_controls, weights_control
from pages.estimate.own_files import own_files, use_again
from pages.estimate.settings import COUNTS, DRAWN, LABELLED_PART, OWN, SETTINGS, WATCHED
from pages.estimate.typed_counts import stated_rates, typed_counts
from pages.frame.presets import rerun_whole_page, says_of_settings
from pages.frame.sampling_controls import seed_popover, training_popover
from pages.frame.sidebar import SidebarChoice
from pages.own_data import uploads
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import typed_percentage
from qcore import Counts, ScoringSettings


@dataclass(frozen=True)
class EstimateRequest:
    """The choices of the controls: `share`, `size` and `draw` of a drawn sample, or the `own` table, or the `counts`.

    `missing` says what the files still lack; `contradiction` says whether the typed counts contradict each other, so that
    `counts` are the last ones that did not. `groups`: those of the `own` table, None for one share of all; `weights`: a column
    of it, or empty. `stated_rates`: a test's rates in words, where they were not counted. `example` is what a headline begins
    with where numbers are an example's or drawn.
    """

    way: str
    level: float
    settings: ScoringSettings
    share: float = 0.4
    size: int = 100
    draw: int = 0
    own: OwnSample | None = None
    missing: tuple[str, ...] = ()
    counts: Counts | None = None
    contradiction: bool = False
    example: str = ""
    groups: GroupsRequest | None = None
    weights: str = ""
    stated_rates: str = ""

    @property
    def weighted(self) -> Weighted | None:
        """The `own` table with its weights; None without."""
        return Weighted(self.own, self.weights) if self.own is not None and self.weights else None


def controls(sidebar_choice: SidebarChoice) -> EstimateRequest:
    """Draw the controls and return their choices. Raises InvalidInput for a file without a table, and for invalid counts."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        way = control.segments(SETTINGS["way"], on_change=_way_chosen, args=(current(SETTINGS["way"]) == DRAWN,))
        level = _level()
    if way == COUNTS:
        counts, contradiction, part = typed_counts()
        settings, stated = _settings(sidebar_choice), stated_rates()
        return EstimateRequest(
            way, level, settings, counts=counts, contradiction=contradiction, example=part, stated_rates=stated
        )
    if way in (LABELLED_PART, WATCHED):
        return EstimateRequest(way, level, _settings(sidebar_choice))
    if way == OWN:
        own, missing = own_files(sidebar_choice)
        groups, weights = (None, "") if own is None else _rows_of(own, sidebar_choice)
        return EstimateRequest(way, level, _settings(sidebar_choice), own=own, missing=missing, groups=groups, weights=weights)
    with st.container(key="moved-sample", horizontal=True, vertical_alignment="bottom", gap="small"):
        share_part, size_part = (st.container(width=220) for _ in range(2))
        settings = training_popover(sidebar_choice, *(SETTINGS[key] for key in ("sample_share", "size", "sample_draw")))
    share, size = live_slider(share_part, SETTINGS["sample_share"]), int(live_slider(size_part, SETTINGS["size"]))
    draw, drawn_from = int(str(current(SETTINGS["sample_draw"]))), ""
    if uploads.is_own(sidebar_choice.data):
        drawn_from = f"A sample drawn from {sidebar_choice.data_name}: "
        says_of_settings(_DRAWN_FROM_OWN)
    return EstimateRequest(way, level, settings, share, size, draw, example=drawn_from)


_DRAWN_FROM_OWN = (
    "The sample is drawn from your data with the share and the size that are set above, so that the truth is known. To count "
    f"a file of your own, choose “{OWN}”."
)


def _rows_of(own: OwnSample, sidebar_choice: SidebarChoice) -> tuple[GroupsRequest | None, str]:
    """Draw the choice of groups, and that of weights, of a sample's rows; returns both."""
    data = sidebar_choice.data
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        groups = group_controls(own.frame, group_columns(own, data), partial(own_groups, own), methods=sidebar_choice.methods)
        weights = weights_control(weight_columns(own, data))
        if groups is None:
            seed_popover()
    return groups, weights


def _way_chosen(was_drawn: bool) -> None:
    if st.session_state["way"] == OWN:
        use_again()
    # Only the view of a drawn sample is drawn without the rest of the page.
    if was_drawn:
        rerun_whole_page()


def _settings(sidebar_choice: SidebarChoice) -> ScoringSettings:
    return ScoringSettings(sidebar_choice.positive, sidebar_choice.classifier, sidebar_choice.seed)


def _level() -> float:
    with st.container(width=120):
        return typed_percentage(control.choice(SETTINGS["level"]))
