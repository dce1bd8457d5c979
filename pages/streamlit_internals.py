"""All uses of Streamlit's private parts, which the app needs because Streamlit has no public way; no other file has any.

`tests/pages/test_streamlit_internals.py` has a test of each. If one fails after an update, the part that it names has changed.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import streamlit as st
from starlette.routing import Match
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Markdown_pb2 import Markdown
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.session_manager import SessionClient
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.query_params import _coerce_value_for_query_url
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadFileUrlInfo
from streamlit.util import calc_hash
from streamlit.watcher.polling_path_watcher import PollingPathWatcher

STATIC_FILES: Final = Path(st.__file__).parent / "static"
"""The folder of Streamlit's files for browsers: its HTML, and in a subfolder "static" its scripts and style sheets."""

_OPENING_SCRIPTS: Final = Path(__file__).with_suffix(".html").read_text()


def opening_scripts(path: str, base: str) -> str:
    """Scripts that stand in the HTML of the page at `path`, below `base`, before Streamlit's own: connection and history."""
    return _OPENING_SCRIPTS.replace("PATH OF THE PAGE", f"{base}/{path}").replace("PATH OF THE APP", base)


MENU_SCRIPT: Final = Path(__file__).with_suffix(".js").read_text()
"""A phone's menu closes after a choice; a theme holds on all pages; each begins at its top; keys scroll at once."""


def session_id() -> str | None:
    """The name of the session that this thread draws for; None outside of one."""
    return getattr(get_script_run_ctx(suppress_warning=True), "session_id", None)


def register_no_file_as_page() -> None:
    """Turn off Streamlit's old rule that each file in pages/ is a page by itself.

    The rule holds until a session has called st.navigation: a deep link to a fresh server would run its page without app.py.
    """
    PagesManager.uses_pages_directory = False


FIRST_SCRIPTS: Final = ("BidiComponent", "Selectbox", "ButtonGroup", "Html", "PageLink", "Button")
"""Beginnings of the names of Streamlit's scripts that every page needs, but that it fetches only when elements come."""


def script_paths() -> list[str]:
    """The paths of those scripts, and of all that they import."""
    folder = STATIC_FILES / "static" / "js"
    left = [path.name for name in FIRST_SCRIPTS for path in folder.glob(f"{name}.*.js")]
    found: list[str] = []
    while left:
        if (name := left.pop(0)) not in found:
            found.append(name)
            left += re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', (folder / name).read_text())
    return [f"./static/js/{name}" for name in found]


def opening_html(head: str, body: str) -> str:
    """Streamlit's HTML with `head` in place of its title and `body` in place of its empty root.

    Its font is not fetched before the scripts, on which a slow line spends its first seconds.
    """
    html = re.sub(r'<link\s+rel="preload"[^>]*as="font"[^>]*>', "", (STATIC_FILES / "index.html").read_text())
    missing = "".join(f'<link rel="modulepreload" crossorigin href="{path}">' for path in script_paths() if path not in html)
    html = html.replace("</head>", f"{missing}</head>").replace('<div id="root"></div>', body)
    return html.replace("<title>Streamlit</title>", head)


class _NobodyLooks(SessionClient):
    """Takes what a session would send to a browser, and knows when its page is drawn."""

    def __init__(self) -> None:
        self.drawn = asyncio.Event()

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Note the end of the run; all else is dropped."""
        if msg.WhichOneof("type") == "script_finished" and msg.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.drawn.set()


async def draw_unseen(path: str, query: str, seconds: float) -> None:
    """Draw a page of the running app with these settings, for nobody: what it computes is kept for all.

    Raises TimeoutError if it takes longer than `seconds`.
    """
    runtime, client = Runtime.instance(), _NobodyLooks()
    session = runtime.connect_session(client, {})
    try:
        message = BackMsg()
        message.rerun_script.query_string, message.rerun_script.page_script_hash = query, calc_hash(path)
        runtime.handle_backmsg(session, message)
        async with asyncio.timeout(seconds):
            await client.drawn.wait()
    finally:
        runtime.close_session(session)


class Sent(NamedTuple):
    """What a run has sent to the browser: a container or an element, and where it lies.

    `path` begins with 0 for the page's main part. `kind` is "row", "column", "popover" or "block" of a container; of an element
    its component's name, "markdown", "caption" or another. `data` is what a component was given, as JSON.
    """

    path: tuple[int, ...]
    kind: str
    key: str = ""
    weight: float = 1.0
    text: str = ""
    data: bytes = b""


def _sent(message: ForwardMsg) -> Sent | None:
    path = tuple(message.metadata.delta_path)
    if message.WhichOneof("type") != "delta":
        return None
    if message.delta.WhichOneof("type") == "add_block":
        block, kinds = message.delta.add_block, {"column": "column", "popover": "popover", "horizontal": "row"}
        is_row = block.flex_container.direction == Block.FlexContainer.Direction.HORIZONTAL
        kind = "row" if is_row else kinds.get(block.WhichOneof("type") or "", "block")
        key = block.id.split("-", 2)[2] if block.id.startswith("$$ID-") and block.id.count("-") > 1 else ""
        return Sent(path, kind, key, block.column.weight or 1.0)
    element = message.delta.new_element
    if (drawn := element.WhichOneof("type") or "") == "bidi_component":
        return Sent(path, (one := element.bidi_component).component_name, data=one.bytes or one.json.encode())
    if drawn == "markdown":
        is_caption = element.markdown.element_type == Markdown.Type.CAPTION
        return Sent(path, "caption" if is_caption else "markdown", text=element.markdown.body)
    return Sent(path, drawn)


@contextlib.contextmanager
def sent() -> Iterator[list[Sent]]:
    """What this run sends to the browser while the context is open, in order."""
    context, kept = get_script_run_ctx(), list[Sent]()
    if context is None:
        yield kept
        return
    send = context._enqueue

    def send_and_keep(message: ForwardMsg) -> None:
        if one := _sent(message):
            kept.append(one)
        send(message)

    context._enqueue = send_and_keep
    try:
        yield kept
    finally:
        context._enqueue = send


def is_history_navigation() -> bool:
    """Whether this run shows an address from the browser's history, after Back or Forward."""
    return getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False)


def restore_address(words: Mapping[str, str]) -> None:
    """After Back or Forward to another page, restore its whole address, also the settings that both pages share.

    Streamlit drops those as parameters of the former page's controls. `words` replace what the address says, or does not say.
    """
    if (context := get_script_run_ctx(suppress_warning=True)) is not None and context.is_history_navigation:
        with context.session_state.query_params() as parameters:
            parameters.populate_from_query_string(context.query_string)
            parameters._query_params |= words
            parameters.set_initial_query_params_from_current()
            # Streamlit has already sent the shorter address to the browser.
            parameters._send_query_param_msg()


def drawn_controls() -> frozenset[str]:
    """The keys of the controls that are drawn and that the address follows: those of this run, and of the parts it leaves."""
    if (context := get_script_run_ctx(suppress_warning=True)) is None:
        return frozenset()
    with context.session_state.query_params() as parameters:
        return frozenset(parameters._bindings_by_param)


def write_address(words: Mapping[str, Sequence[str]], keys: Collection[str]) -> None:
    """Write `words` into the address for those of `keys` whose controls this run has drawn; keys without words are removed.

    By itself, Streamlit leaves out the value with which a control appears, and what the browser alone has written before.
    """
    if (context := get_script_run_ctx(suppress_warning=True)) is None:
        return
    with context.session_state.query_params() as parameters:
        parameters.populate_from_query_string(before := context.query_string)
        for key in filter(parameters.is_bound, keys):
            if key in words:
                parameters.set_with_no_forward_msg(key, list(words[key]))
            else:
                parameters.discard_param_no_forward_msg(key)
        if urlencode(parameters._query_params, doseq=True) != before:
            parameters._send_query_param_msg()


class _StateByKey(Mapping[str, Any]):
    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state._state.filtered_state)

    def __len__(self) -> int:
        return len(self._state._state.filtered_state)


def present_values_singly() -> None:
    """Let a box that looks up its own value find that one: Streamlit presents all, some 250 for a move on Corrections."""
    SafeSessionState.filtered_state = property(_StateByKey)  # type: ignore[assignment, method-assign]


def is_routed(scope: Mapping[str, Any]) -> bool:
    """Whether something else is at the path of a request than the app: Streamlit answers with the app to all other paths."""
    routes = [route for route in scope["app"].routes if route.name != "static-assets"]
    return any(route.matches(scope)[0] is not Match.NONE for route in routes)


UPLOAD_PATH: Final = "/_stcore/upload_file/"
"""Where browsers send files: this, the session's name, a slash and the file's."""

STREAM_PATH: Final = "/_stcore/stream"
"""Where browsers open the websocket of a session."""


def tell_of_uploads(given: Callable[[str, str], object], dropped: Callable[[str, str], object]) -> None:
    """Tell of a session's uploads: `given` gets (session, file) for which it may send a file, `dropped` for one it drops.

    The file is "" where all of a session are dropped. By itself, Streamlit takes files of any name, as many as are sent.
    """
    manager: Any = MemoryUploadedFileManager
    give, drop, drop_all = manager.get_upload_urls, manager.remove_file, manager.remove_session_files

    def get_upload_urls(self: Any, session_id: str, file_names: Sequence[str]) -> list[UploadFileUrlInfo]:
        urls: list[UploadFileUrlInfo] = give(self, session_id, file_names)
        for url in urls:
            given(session_id, url.file_id)
        return urls

    def remove_file(self: Any, session_id: str, file_id: str) -> None:
        drop(self, session_id, file_id)
        dropped(session_id, file_id)

    def remove_session_files(self: Any, session_id: str) -> None:
        drop_all(self, session_id)
        dropped(session_id, "")

    manager.get_upload_urls, manager.remove_file, manager.remove_session_files = (
        get_upload_urls,
        remove_file,
        remove_session_files,
    )


def hide_path_of_app() -> None:
    """Do not tell browsers in which folder the app lies: Streamlit tells the whole path of its file."""
    sessions: Any = AppSession
    create = sessions._create_new_session_message

    def without_folder(self: Any, *args: Any, **kwargs: Any) -> ForwardMsg:
        message: ForwardMsg = create(self, *args, **kwargs)
        message.new_session.main_script_path = Path(message.new_session.main_script_path).name
        return message

    sessions._create_new_session_message = without_folder


def forget_upload(session: str, file: str) -> None:
    """Drop an uploaded file, whose session may have ended before."""
    if Runtime.exists():
        manager: Any = Runtime.instance().uploaded_file_mgr
        manager.remove_file(session, file)


def end_closed_sessions() -> None:
    """End the sessions whose browser has been away for two minutes: by itself, Streamlit does when another one closes."""
    if Runtime.exists():
        storage: Any = Runtime.instance()._session_mgr
        for _, info in storage._session_storage._cache.expire():
            info.session.shutdown()


def poll_no_files() -> None:
    """Stop Streamlit from looking for a changed configuration file five times a second, as it does at any setting."""
    PollingPathWatcher._schedule = lambda self: None  # type: ignore[method-assign]  # noqa: ARG005


_TRIGGERS: Final = frozenset({"trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value"})


def _keep_in_address(state: SessionState, unsaid: Mapping[str, Any]) -> None:
    # A browser sends the address that it has, which lacks what this session has set since, until it has heard of it.
    for key in filter((address := state.query_params).is_bound, unsaid):
        about, value = unsaid[key], state[key]
        if value == about.deserializer(None):
            address.discard_param_no_forward_msg(key)
        else:
            address.set_with_no_forward_msg(key, _coerce_value_for_query_url(about.serializer(value), about.value_type))


def take_what_is_news(keys: Collection[str], late: Callable[..., Sequence[str]]) -> None:
    """Do not take values of a browser's message that are older than the session's: `late` says of which of the `keys` they are.

    `late` gets the browser's and the session's values by control, a dictionary in which it keeps what the browser has said
    before, and whether a button was pressed. By itself, Streamlit takes every value of each message.
    """
    take_all = SessionState.set_widgets_from_proto

    def take(self: SessionState, widget_states: WidgetStates) -> None:
        kinds = {one.id: one.WhichOneof("value") or "" for one in widget_states.widgets}
        named = [(key, self._key_id_mapper.get_id_from_key(key) or "") for key in keys]
        widgets = {key: widget for key, widget in named if widget in kinds and widget in self}
        has = {key: self[widget] for key, widget in widgets.items()}
        take_all(self, widget_states)
        said = {key: self._new_widget_state[widget] for key, widget in widgets.items()}
        if not is_history_navigation():
            about = self._new_widget_state.widget_metadata
            _keep_in_address(self, {key: about[one] for key, one in named if one in about and one in self and key not in said})
        before = self._old_state.setdefault("what the browser has said of controls", {})
        pressed = any(kinds[one.id] in _TRIGGERS and getattr(one, kinds[one.id]) for one in widget_states.widgets)
        for key in late(said, has, before, pressed=pressed):
            del self._new_widget_state[widgets[key]]
            # The browser is told again: the run that should have told it may have ended before.
            self[key] = has[key]

    SessionState.set_widgets_from_proto = take  # type: ignore[method-assign]


def make_way() -> None:
    """End this run if the person has moved a control meanwhile, or has left the page.

    By itself, Streamlit starts the run of a moved control in a fragment only when the current run has ended. There is no public
    way to end the current run earlier.
    """
    if (context := get_script_run_ctx()) is None or (requests := context.script_requests) is None:
        return
    with requests._lock:
        pending = requests._rerun_data
        is_of_fragments = requests._state is ScriptRequestType.RERUN and bool(pending.fragment_id_queue)
        if requests._state is ScriptRequestType.CONTINUE or (is_of_fragments and pending.is_auto_rerun):
            return
        if is_of_fragments:
            # If a whole page was being drawn, it is drawn again; if a fragment, this fragment and the requested ones.
            at_work = context.fragment_ids_this_run or []
            queue = list(dict.fromkeys([*at_work, *pending.fragment_id_queue])) if at_work else []
            requests._rerun_data = replace(pending, fragment_id_queue=queue, is_fragment_scoped_rerun=bool(queue))
    # Where something is drawn, Streamlit ends a run for which another is to begin, or whose session is over.
    st.empty()
