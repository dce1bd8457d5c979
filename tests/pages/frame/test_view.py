"""Views by their links, and what a page has computed."""

from types import SimpleNamespace

import pytest

from pages.frame import view as view_module
from pages.frame.view import View, open_requested_view, request_view, values_of, view_of_link
from pages.settings.page_declaration import settings_of
from qcore import InvalidInput


@pytest.mark.parametrize(
    ("link", "page", "settings"),
    [
        ("/", "home", {}),
        ("/?today=0.4", "home", {"today": 0.4}),
        ("https://host.example/base/corrections?v=2&threshold=0.3", "corrections", {"threshold": 0.3}),
        ("/corrections?corrections_section=Threshold", "corrections", {"corrections_section": "Threshold"}),
        ("/corrections?v=2&corrections_section=Threshold", "corrections", {}),
        ("/corrections?inside=X", "corrections", {"inspected_method": "X"}),
        ("/error-by-prevalence?q_counting=", "error_by_prevalence", {"q_counting": []}),
        ("/error-by-prevalence?q_counting=CC&q_counting=PCC", "error_by_prevalence", {"q_counting": ["CC", "PCC"]}),
    ],
)
def test_a_link_names_a_view(link, page, settings):
    view = view_of_link(link)
    assert (view.page, dict(view.settings)) == (page, settings)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("/nowhere", "the page of a link must be one of"),
        ("/corrections?treshold=0.3", "a setting of corrections must be one of"),
        ("/corrections?threshold=3", r"threshold \(threshold\) must be a number from 0 to 1, got '3'"),
        ("/losses?threshold=0.3", "a setting of losses must be one of"),
    ],
)
def test_a_link_that_leads_nowhere_is_refused(link, message):
    with pytest.raises(InvalidInput, match=message):
        view_of_link(link)


def test_a_view_has_all_settings_of_its_page():
    values = values_of(View("corrections", {"threshold": 0.3, "data": "wdbc"}))
    assert values["threshold"] == 0.3
    assert values["positive"] == "malignant", "the class of that data set"
    assert set(values) == set(settings_of("corrections"))


class Switched(Exception):
    """Stands for the end of a run that goes to another page."""


def test_a_view_comes_although_the_page_that_is_left_is_drawn_once_more(monkeypatch):
    def switch_page(page, query_params):
        raise Switched(page)

    state = {}
    monkeypatch.setattr(view_module, "st", SimpleNamespace(session_state=state, switch_page=switch_page))
    monkeypatch.setattr(view_module, "streamlit_page", str)
    monkeypatch.setattr(view_module, "mark_address_incomplete", lambda: None)
    monkeypatch.setattr(view_module, "apply_settings", state.update)
    open_requested_view("learn")
    request_view(View("corrections", {"threshold": 0.3}))
    for _ in range(2):
        with pytest.raises(Switched, match="corrections"):
            open_requested_view("learn")
    open_requested_view("corrections")
    assert state["threshold"] == 0.3
    open_requested_view("learn")
    # Who goes elsewhere meanwhile is not led back.
    request_view(View("corrections", {}))
    with pytest.raises(Switched):
        open_requested_view("learn")
    open_requested_view("losses")
