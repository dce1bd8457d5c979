"""The sections of "Corrections", as tabs below the charts."""

from collections.abc import Callable

from pages.corrections.dataset_shift import dataset_shift_section
from pages.corrections.estimated_rates import estimated_rates_section
from pages.corrections.method_inspection import method_inspection_section
from pages.corrections.settings import SECTIONS
from pages.corrections.threshold import threshold_section
from pages.corrections.trend import trend_section
from pages.frame.explanations import quantifiers_explained
from pages.frame.page_frame import if_there, tabs
from pages.frame.sidebar import SidebarChoice
from qcore import Scores, ScoringSettings
from qcore.quantifiers import POLICIES
from qcore.studies.threshold_adjustment import ThresholdAdjustment


def sections(
    sidebar_choice: SidebarChoice, settings: ScoringSettings, scores: Scores | None, adjustment: ThresholdAdjustment | None
) -> None:
    """Draw the tabs below the charts; without a drawn sample, the tabs on it say that there is nothing to show."""

    def method() -> None:
        if scores is not None and adjustment is not None:
            method_inspection_section(scores, adjustment)

    drawn: tuple[Callable[[], None], ...] = (
        if_there(adjustment, threshold_section),
        method,
        lambda: trend_section(sidebar_choice, settings),
        lambda: dataset_shift_section(sidebar_choice, settings),
        lambda: estimated_rates_section(sidebar_choice, settings),
        lambda: quantifiers_explained(POLICIES),
    )
    tabs("corrections", dict(zip(SECTIONS, drawn, strict=True)))
