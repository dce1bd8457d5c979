"""Which quantifier is better over many data sets, and may one claim it?"""

import streamlit as st

from pages.compare.controls import ComparisonRequest, controls
from pages.compare.hero import hero
from pages.compare.sections import sections
from pages.frame.page_frame import PageParts, first_viewport
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput
from qcore.evaluation.significance import Comparison


def answer(parts: PageParts) -> tuple[ComparisonRequest | None, Comparison | None]:
    """Draw the comparison; returns (request, result), each None if it is impossible, and a sentence then says why."""
    request = None
    with parts.bar:
        try:
            request = controls()
        except InvalidInput as error:
            show_invalid_input(error)
            return None, None
    try:
        return request, hero(request, parts)
    except InvalidInput as error:
        with parts.hero:
            show_invalid_input(error)
        return request, None


@fragment
def body() -> None:
    """Draw the comparison and its sections."""
    with first_viewport("compare") as page_parts:
        compared, result = answer(page_parts)
    sections(compared, result)


control.check_url()
notice_part = st.container()
body()
# Notices are drawn last, because controls add to them while they are drawn.
with notice_part:
    control.show_notices()
