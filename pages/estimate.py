"""What share of a sample is positive, how sure is that, and does the assumption hold?"""

from pages.parts import controls
from pages.parts.estimate.answer import show, view, waiting
from pages.parts.estimate.controls import EstimateRequest, estimate_controls
from pages.parts.estimate.estimate_view import EstimateView
from pages.parts.estimate.sections import estimate_sections
from pages.parts.estimate.settings import COUNTS
from pages.parts.frame import PageParts, first_viewport, page
from pages.parts.sidebar import SidebarChoice, no_method
from qcore import InvalidInput


def answer(sidebar_choice: SidebarChoice, parts: PageParts) -> EstimateView | None:
    """The estimate, or the one sentence that says why there is none."""
    with parts.bar:
        try:
            request: EstimateRequest = estimate_controls(sidebar_choice)
        except InvalidInput as error:
            controls.show_invalid_input(error)
            return None
    with parts.hero:
        if request.way != COUNTS and no_method(sidebar_choice):
            return None
        try:
            shown = view(sidebar_choice, request)
        except InvalidInput as error:
            controls.show_invalid_input(error)
            return None
    if shown is None:
        waiting(parts)
    else:
        show(shown, parts)
    return shown


with page() as chosen:
    with first_viewport("Estimate") as page_parts:
        found = answer(chosen, page_parts)
    estimate_sections(chosen, found)
