"""Each private part of Streamlit that the app leans on is still there.

All were seen to work with the version below. When one of these tests fails after an update, what its message names has changed:
look at that part of pages/streamlit_internals.py, try it in a browser, and then raise SEEN_TO_WORK and the pin.
"""

import inspect
from functools import cache
from pathlib import Path

import pytest
import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_routes import BASE_ROUTE_UPLOAD_FILE

from pages import streamlit_internals
from pages.server.request_bodies import UPLOAD_PATH
from pages.streamlit_internals import HISTORY_SCRIPT, MENU_SCRIPT

SEEN_TO_WORK = "1.67"


def changed(part: str) -> str:
    return (
        f"Streamlit {st.__version__}: {part}, other than in {SEEN_TO_WORK}, with which streamlit_internals.py was seen to work"
    )


@cache
def scripts() -> str:
    """All of Streamlit's scripts, one after the other."""
    return "\n".join(path.read_text() for path in sorted((Path(st.__file__).parent / "static" / "static" / "js").glob("*.js")))


def test_this_version_was_seen_to_work():
    assert st.__version__.startswith(f"{SEEN_TO_WORK}."), changed("the version")


def test_history_is_made_with_push_state():
    """The script stands in for pushState, by which Streamlit makes a step of each setting."""
    assert "history.pushState" in scripts(), changed("addresses are not set by history.pushState")
    assert "pushState" in HISTORY_SCRIPT


def test_back_and_forward_hold_the_whole_address(monkeypatch):
    fields = ScriptRunContext.__dataclass_fields__
    assert {"is_history_navigation", "query_string", "session_state"} <= set(fields), changed("a run does not know its address")
    for name in ("populate_from_query_string", "set_initial_query_params_from_current", "_send_query_param_msg"):
        assert hasattr(QueryParams, name), changed(f"QueryParams has no {name}")
    assert hasattr(SessionState, "query_params"), changed("the session's state has no query_params")


def test_an_address_is_written_for_controls_that_appear():
    names = ("is_bound", "set_with_no_forward_msg", "discard_param_no_forward_msg")
    for name in names:
        assert hasattr(QueryParams, name), changed(f"QueryParams has no {name}")
    for name in ("_query_params", "_bindings_by_param"):
        assert name in QueryParams.__dataclass_fields__, changed(f"QueryParams has no {name}")


def test_the_menu_is_called_as_its_script_does():
    for name in ("stActiveTheme", "stSidebarCollapseButton", "stPageLink-NavLink"):
        assert name in MENU_SCRIPT
        assert name in scripts(), changed(f"{name} is called otherwise")


def test_a_page_that_has_a_part_which_runs_by_itself_runs_again_when_its_connection_is_back():
    """`pages/frame/navigation.py` is such a part. What it leads to is tried in tests/browser/test_workers.py."""
    assert "autoRerunIntervals.size>0" in scripts(), changed("what a browser asks for when its connection is back")
    assert "data-test-connection-state" in MENU_SCRIPT.replace("dataset.testConnectionState", "data-test-connection-state")
    assert "data-test-connection-state" in scripts(), changed("the page does not say whether it is connected")


def test_no_file_is_a_page_by_itself(monkeypatch):
    """Before a session has called st.navigation: `server.prepare` calls it."""
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    with pytest.raises(StreamlitAPIException):
        st.navigation([])
    assert PagesManager.uses_pages_directory is False, changed("each file in pages/ is a page")


def test_uploads_are_asked_for_by_the_name_of_their_session():
    manager = MemoryUploadedFileManager(f"/{BASE_ROUTE_UPLOAD_FILE}")
    (url,) = manager.get_upload_urls("mine", ["x.csv"])
    assert url.upload_url == f"{UPLOAD_PATH}mine/{url.file_id}", changed("where files are sent")
    assert isinstance(Runtime.uploaded_file_mgr, property), changed("where files are")
    manager.add_file("mine", UploadedFileRec(url.file_id, "x.csv", "text/csv", b"x"))
    assert len(manager.get_files("mine", [url.file_id])) == 1, changed("how files are found")
    manager.remove_file("mine", url.file_id)
    assert not manager.get_files("mine", [url.file_id]), changed("how files are dropped")
    assert "remove_session_files" in inspect.getsource(AppSession.shutdown), changed("a session's files outlive it")


def test_outside_of_a_session_there_is_none():
    assert streamlit_internals.session_id() is None


class Requests(ScriptRequests):
    """What a session is asked for, with a request waiting."""

    def __init__(self, **request):
        super().__init__()
        self._state = ScriptRequestType.RERUN
        self._rerun_data = RerunData(widget_states=ClientState().widget_states, **request)


@pytest.mark.parametrize(
    ("request_", "at_work", "queue", "ended"),
    [
        ({}, ["drawn"], [], True),
        ({"fragment_id_queue": ["asked"]}, ["drawn"], ["drawn", "asked"], True),
        ({"fragment_id_queue": ["asked"]}, [], [], True),
        ({"fragment_id_queue": ["asked"], "is_auto_rerun": True}, ["drawn"], ["asked"], False),
    ],
    ids=["whole page", "fragment beside a fragment", "fragment beside a whole page", "by itself"],
)
def test_a_newer_request_ends_the_run(monkeypatch, request_, at_work, queue, ended):
    """What was asked for is what is drawn next: of a fragment at work, that one too."""
    requests, drawn = Requests(**request_), []
    context = type("Context", (), {"script_requests": requests, "fragment_ids_this_run": at_work})
    monkeypatch.setattr(streamlit_internals, "get_script_run_ctx", lambda **_: context)
    monkeypatch.setattr(st, "empty", lambda: drawn.append("looked"))
    streamlit_internals.make_way()
    assert bool(drawn) is ended, changed("requests of a session are kept otherwise")
    assert list(requests._rerun_data.fragment_id_queue) == queue


def test_without_a_newer_request_a_run_goes_on(monkeypatch):
    context = type("Context", (), {"script_requests": ScriptRequests(), "fragment_ids_this_run": None})
    monkeypatch.setattr(streamlit_internals, "get_script_run_ctx", lambda **_: context)
    monkeypatch.setattr(st, "empty", lambda: pytest.fail("nothing was asked for"))
    streamlit_internals.make_way()


def test_what_a_run_sends_can_be_kept():
    app = AppTest.from_function(_drawn).run()
    assert not app.exception
    kept = {(one.kind, one.key, one.text) for one in app.session_state["sent"]}
    assert {("row", "here", ""), ("markdown", "", "said"), ("caption", "", "small"), ("column", "", "")} <= kept, changed(
        "what a run sends is written otherwise"
    )


def _drawn():
    import streamlit as st

    from pages.streamlit_internals import sent

    with sent() as kept:
        with st.container(key="here", horizontal=True):
            st.markdown("said")
        with st.columns(2)[0]:
            st.caption("small")
    st.session_state["sent"] = kept


def _draw_a_box_and_a_button():
    import streamlit

    streamlit.number_input("Box", 0, 10, 1, key="box")
    streamlit.number_input("No setting", 0, 10, 1, key="other")
    streamlit.button("Nine", key="nine", on_click=lambda: streamlit.session_state.update(box=9))


def test_a_value_that_is_late_is_not_taken_and_is_sent_anew(monkeypatch):
    # As Streamlit has it, when this test is over.
    monkeypatch.setattr(SessionState, "set_widgets_from_proto", SessionState.set_widgets_from_proto)
    seen = []

    def late(said, has, before, *, pressed):
        seen.append((said, has, pressed))
        return ["box"] if said == {"box": 3} else []

    streamlit_internals.take_what_is_news(["box", "nowhere"], late)
    app = AppTest.from_function(_draw_a_box_and_a_button).run()
    app.button(key="nine").click().run()
    app.number_input(key="box").set_value(3).run()
    assert seen[-2:] == [({"box": 1}, {"box": 1}, True), ({"box": 3}, {"box": 9}, False)], changed("how a message is taken")
    assert app.session_state["box"] == 9, changed("how a value is kept")
    assert app.number_input(key="box").proto.set_value, changed("how a browser is told of a value")
    app.number_input(key="box").set_value(4).run()
    assert app.session_state["box"] == 4


def _draw_a_bound_box():
    import streamlit

    streamlit.number_input("Box", 0, 10, 1, key="box", bind="query-params")
    streamlit.button("Nine", key="nine", on_click=lambda: streamlit.session_state.update(box=9))


def test_a_box_that_the_browser_does_not_know_yet_keeps_its_word_in_the_address(monkeypatch):
    monkeypatch.setattr(SessionState, "set_widgets_from_proto", SessionState.set_widgets_from_proto)
    streamlit_internals.take_what_is_news(["box"], lambda *_, **__: [])
    app = AppTest.from_function(_draw_a_bound_box).run()
    app.button(key="nine").click().run()
    state = app.session_state._state._state
    for heard in ("", "box=5"):
        # The browser's address is older than the session's, and its message does not have the box.
        state.query_params.populate_from_query_string(heard)
        state.set_widgets_from_proto(WidgetStates())
        assert state.query_params._query_params == {"box": "9"}, changed("the address of a session")
