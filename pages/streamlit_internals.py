"""All uses of Streamlit's private parts, which the app needs because Streamlit has no public way; no other file has any.

There are five: the address of a session, the history of the browser, what a run sends, requests that wait, and the values of a
message. docs/streamlit-requests.md says what a person notices without each, and what is asked of Streamlit.
`tests/pages/test_streamlit_internals.py` has a test of each. If one fails after an update, the part that it names has changed.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import streamlit as st
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Markdown_pb2 import Markdown
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.query_params import _coerce_value_for_query_url
from streamlit.runtime.state.session_state import SessionState

HISTORY_SCRIPT = Path(__file__).with_suffix(".html").read_text()
"""Stands in a page's HTML before Streamlit's own scripts: Back and Forward move by one page, example or step of a lesson."""

MENU_SCRIPT = Path(__file__).with_suffix(".js").read_text()
"""A phone's menu closes after a choice; a theme holds on all pages; each begins at its top; keys scroll at once."""


def session_id() -> str | None:
    """The name of the session that this thread draws for; None outside of one."""
    return getattr(get_script_run_ctx(suppress_warning=True), "session_id", None)


class Sent(NamedTuple):
    """What a run has sent to the browser: a container or an element, and where it lies.

    `path` begins with 0 for the page's main part. `kind` is "row", "column", "popover", "tab" or "block" of a container; of an
    element its component's name, "markdown", "caption" or another. `text` is that of a text, or the title of a tab. `data` is
    what a component was given, as JSON.
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
        block, kinds = message.delta.add_block, {"column": "column", "popover": "popover", "horizontal": "row", "tab": "tab"}
        is_row = block.flex_container.direction == Block.FlexContainer.Direction.HORIZONTAL
        kind = "row" if is_row else kinds.get(block.WhichOneof("type") or "", "block")
        key = block.id.split("-", 2)[2] if block.id.startswith("$$ID-") and block.id.count("-") > 1 else ""
        return Sent(path, kind, key, block.column.weight or 1.0, block.tab.label)
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


_TRIGGERS = frozenset({"trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value"})


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
