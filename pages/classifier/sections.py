"""The sections of "Classifier", as tabs below the charts."""

from collections.abc import Callable

from pages.classifier.all_classes import all_classes_section
from pages.classifier.calibration import calibration_section
from pages.classifier.costs import costs_section
from pages.classifier.posteriors import posteriors_section
from pages.classifier.regression import regression_section
from pages.classifier.settings import SECTIONS
from pages.classifier.threshold import threshold_section
from pages.classifier.validation import validation_section
from pages.frame.page_frame import if_there, tabs
from pages.frame.sidebar import SidebarChoice
from qcore import ScoringSettings
from qcore.studies.classifier_evaluation import ClassifierEvaluation


def sections(sidebar_choice: SidebarChoice, settings: ScoringSettings, evaluation: ClassifierEvaluation | None) -> None:
    """Draw the tabs below the charts; tabs that need scores say without them that there is nothing to show."""
    drawn: tuple[Callable[[], None], ...] = (
        if_there(evaluation, threshold_section),
        if_there(evaluation, lambda shown: costs_section(sidebar_choice.data_name, shown)),
        lambda: calibration_section(sidebar_choice, settings),
        lambda: posteriors_section(sidebar_choice, settings),
        lambda: validation_section(sidebar_choice, settings),
        lambda: all_classes_section(sidebar_choice, settings),
        regression_section,
    )
    tabs("classifier", dict(zip(SECTIONS, drawn, strict=True)))
