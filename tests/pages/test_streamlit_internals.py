"""Each private part of Streamlit that the app leans on is still there.

All were seen to work with the version below. When one of these tests fails after an update, what its message names has changed:
look at that part of pages/streamlit_internals.py, try it in a browser, and then raise SEEN_TO_WORK and the pin.
"""

import inspect
from functools import cache
from types import SimpleNamespace

import pytest
import streamlit as st
from starlette.routing import Route
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state import SafeSessionState, session_state
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest
from streamlit.watcher.polling_path_watcher import PollingPathWatcher
from streamlit.web.server.starlette.starlette_routes import BASE_ROUTE_UPLOAD_FILE
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_assets_routes

from pages import streamlit_internals
from pages.streamlit_internals import FIRST_SCRIPTS, MENU_SCRIPT, STATIC_FILES, opening_scripts
from tests.pages.server import run_asynchronously

SEEN_TO_WORK = "1.67"


def changed(part: str) -> str:
    return (
        f"Streamlit {st.__version__}: {part}, other than in {SEEN_TO_WORK}, with which streamlit_internals.py was seen to work"
    )


@cache
def scripts() -> str:
    """All of Streamlit's scripts, one after the other."""
    return "\n".join(path.read_text() for path in sorted((STATIC_FILES / "static" / "js").glob("*.js")))


def test_this_version_was_seen_to_work():
    assert st.__version__.startswith(f"{SEEN_TO_WORK}."), changed("the version")


def test_no_file_is_looked_at_again(monkeypatch, tmp_path):
    submitted = []
    monkeypatch.setattr(PollingPathWatcher, "_executor", SimpleNamespace(submit=submitted.append))
    monkeypatch.setattr(PollingPathWatcher, "_schedule", PollingPathWatcher._schedule)
    PollingPathWatcher(str(tmp_path), print)
    assert len(submitted) == 1, changed("a path is watched in another way")
    streamlit_internals.poll_no_files()
    PollingPathWatcher(str(tmp_path), print)
    submitted[0]()
    assert len(submitted) == 1, changed("a path is looked at again in another way")


def test_the_html_has_what_is_replaced():
    html = streamlit_internals.opening_html("<title>ours</title>", "<main>ours</main>")
    assert html.count("ours") == 2, changed("index.html has no title or no empty root")
    assert '<script type="module"' in html, changed("index.html loads no module")
    assert 'as="font"' in (STATIC_FILES / "index.html").read_text(), changed("index.html preloads no font")
    assert 'as="font"' not in html, changed("the link to the font is written otherwise")
    assert "/static/js/index." in html, changed("the main script is not called index: plotly.js waits for it")


def test_scripts_of_first_elements_are_there_with_all_that_they_import():
    paths, html = streamlit_internals.script_paths(), streamlit_internals.opening_html("", "")
    for name in FIRST_SCRIPTS:
        assert any(path.startswith(f"./static/js/{name}.") for path in paths), changed(f"no script is called {name}")
    assert len(paths) > 3 * len(FIRST_SCRIPTS), changed("scripts import others in another way")
    assert all((STATIC_FILES / path).is_file() for path in paths)
    assert all(html.count(path) == 1 for path in paths)


def test_history_is_made_with_push_state():
    """The script stands in for pushState, by which Streamlit makes a step of each setting."""
    assert "history.pushState" in scripts(), changed("addresses are not set by history.pushState")
    assert "pushState" in opening_scripts("", "")


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


def test_a_page_runs_again_at_the_key_that_is_pressed_when_a_connection_is_back():
    assert "/_stcore/stream" in opening_scripts("", "")
    assert "_stcore/stream" in scripts(), changed("the connection has another address")
    assert "rerunScript" in scripts(), changed("no key runs a page again")


def test_the_server_is_looked_for_where_the_page_says_that_it_is():
    assert "window.__streamlit" in scripts(), changed("nothing can be said of where the server is")
    assert "BACKEND_BASE_URL" in scripts(), changed("the server is looked for elsewhere")
    told = opening_scripts("corrections", "/lab")
    assert 'location.pathname === "/lab/corrections"' in told
    assert 'BACKEND_BASE_URL: location.origin + "/lab"' in told


def test_the_menu_is_called_as_its_script_does():
    for name in ("stActiveTheme", "stSidebarCollapseButton", "stPageLink-NavLink"):
        assert name in MENU_SCRIPT
        assert name in scripts(), changed(f"{name} is called otherwise")


def test_no_file_is_a_page_by_itself(monkeypatch):
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    streamlit_internals.register_no_file_as_page()
    assert PagesManager(str(STATIC_FILES / "app.py")).uses_pages_directory is False, changed("each file in pages/ is a page")


def test_outside_of_a_session_there_is_none():
    assert streamlit_internals.session_id() is None


class Requests(ScriptRequests):
    """What a session is asked for, with a request waiting."""

    def __init__(self, **request):
        super().__init__()
        from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

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


def test_a_page_can_be_drawn_for_nobody(tmp_path):
    """In a runtime of its own, with a script that leaves a file behind."""
    script, trace = tmp_path / "app.py", tmp_path / "trace"
    script.write_text(
        "import pathlib, streamlit as st\n"
        'page = st.navigation([st.Page(lambda: None, title="home", default=True),'
        ' st.Page(lambda: None, title="other", url_path="other")])\n'
        f"pathlib.Path({str(trace)!r}).write_text(page.url_path + ' ' + str(dict(st.query_params)))\n"
    )

    async def draw():
        files = MemoryMediaFileStorage("/media"), MemoryUploadedFileManager("/upload")
        runtime = Runtime(RuntimeConfig(str(script), *files))
        await runtime.start()
        try:
            await streamlit_internals.draw_unseen("other", "today=0.3", 30.0)
        finally:
            runtime.stop()
            await runtime.stopped

    before = Runtime._instance
    Runtime._instance = None
    try:
        run_asynchronously(draw())
    finally:
        Runtime._instance = before
    assert trace.read_text() == "other {'today': '0.3'}", changed("a session is connected, asked and closed in another way")


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


def _draw_boxes():
    import streamlit

    streamlit.number_input("First", 0, 10, 1, key="first")
    streamlit.selectbox("Second", ["a", "b"], key="second")
    for number in range(8):
        streamlit.number_input(f"Typed {number}", 0, 10, None, key=f"typed {number}")


def test_a_box_that_looks_up_its_own_value_presents_no_other(monkeypatch):
    presented = []
    real = session_state.apply_presenter
    monkeypatch.setattr(session_state, "apply_presenter", lambda *of: presented.append(of[1]) or real(*of))
    counts, typed = [], {f"typed {number}": None for number in range(8)}
    for singly in (False, True):
        with monkeypatch.context() as patch:
            # As Streamlit has it; it may be replaced already, since other tests of this process do so, too.
            patch.setattr(SafeSessionState, "filtered_state", property(lambda safe: safe._state.filtered_state))
            if singly:
                streamlit_internals.present_values_singly()
            app = AppTest.from_function(_draw_boxes).run()
            app.number_input(key="first").set_value(3)
            presented.clear()
            app.run()
            counts.append(len(presented))
            assert dict(app.session_state.items()) == {"first": 3, "second": "a", **typed}, changed("the state of a session")
    assert counts[1] < counts[0] / 2, changed(f"boxes look values up in another way: {counts} are presented")


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


def test_the_names_of_uploads_and_what_is_dropped_are_told(monkeypatch):
    for name in ("get_upload_urls", "remove_file", "remove_session_files"):
        monkeypatch.setattr(MemoryUploadedFileManager, name, getattr(MemoryUploadedFileManager, name))
    given, dropped = [], []
    streamlit_internals.tell_of_uploads(lambda *of: given.append(of), lambda *of: dropped.append(of))
    manager = MemoryUploadedFileManager(f"/{BASE_ROUTE_UPLOAD_FILE}")
    (url,) = manager.get_upload_urls("mine", ["x.csv"])
    assert given == [("mine", url.file_id)], changed("the names of uploads")
    assert url.upload_url == f"{streamlit_internals.UPLOAD_PATH}mine/{url.file_id}", changed("where files are sent")
    manager.remove_file("mine", url.file_id)
    manager.remove_session_files("mine")
    assert dropped == [("mine", url.file_id), ("mine", "")], changed("how files are dropped")


def test_closed_sessions_end_by_the_clock(monkeypatch):
    ended = []
    storage = MemorySessionStorage(ttl_seconds=0)
    runtime = SimpleNamespace(_session_mgr=SimpleNamespace(_session_storage=storage))
    known = SimpleNamespace(exists=lambda: True, instance=lambda: runtime)
    monkeypatch.setattr(streamlit_internals, "Runtime", known)
    storage.save(SessionInfo(None, SimpleNamespace(id="mine", shutdown=lambda: ended.append("mine"))))
    streamlit_internals.end_closed_sessions()
    assert ended == ["mine"], changed("sessions are kept in another way")
    source = inspect.getsource(WebsocketSessionManager) + inspect.getsource(Runtime)
    assert "self._session_storage = " in source, changed("the storage of sessions")
    assert "self._session_mgr = " in source, changed("the manager of sessions")
    assert "remove_session_files" in inspect.getsource(AppSession.shutdown), changed("a session's files outlive it")


def test_what_streamlit_serves_besides_the_app_is_a_route_of_its_own():
    """All others lead to the last one, which answers with the app."""
    source = inspect.getsource(create_streamlit_static_assets_routes)
    assert 'name="static-assets"' in source, changed("the route to the app has another name")
    scope = {"type": "http", "method": "GET", "headers": [], "root_path": ""}
    scope["app"] = SimpleNamespace(routes=[Route("/known", print), *create_streamlit_static_assets_routes("")])
    assert streamlit_internals.is_routed({**scope, "path": "/known"})
    assert not streamlit_internals.is_routed({**scope, "path": "/nowhere"}), changed("the route to the app is another")


def test_browsers_are_not_told_where_the_app_lies(monkeypatch):
    def create(_):
        message = ForwardMsg()
        message.new_session.main_script_path = "/somewhere/app.py"
        return message

    assert "main_script_path" in inspect.getsource(AppSession._create_new_session_message), changed("what browsers are told")
    monkeypatch.setattr(AppSession, "_create_new_session_message", create)
    streamlit_internals.hide_path_of_app()
    assert AppSession._create_new_session_message(None).new_session.main_script_path == "app.py"
