"""Controls bound to the URL. An unusable value in the URL gives the default, and a sentence that says so."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.settings.address import (
    LINK_VERSION,
    PAGE_SHOWN,
    STATE_VERSION,
    mark_address_incomplete,
    said_of_version,
    undrawn_in_address,
    url_word,
)
from pages.settings.number_text import exact_percentage, typed_percentage
from pages.settings.page_declaration import PAGES, SETTINGS, settings_of
from pages.settings.setting import LONGEST_TEXT, Setting
from pages.streamlit_internals import restore_address
from qcore import InvalidInput

_NOTICES = "url notices"
_CHECKED = "url checked"
_UNDRAWN = "settings of the address that no control has shown"
_RESERVED = {"v", "embed", "embed_options", "present", "talk", "view", "classroom"}


def carry_settings(page: str) -> None:
    """Keep all settings when the user goes to another page; if Back led there, use those of its address, but for the language.

    Streamlit does so by itself for settings that the user has changed, but neither keeps those of a link if the user goes on
    at once, nor writes them into the address. Settings are carried only when the page changes: setting a value while its
    control is moved would send an older value to the browser.
    """
    if st.session_state.get(PAGE_SHOWN, page) != page:
        for key, value in st.session_state.get(_UNDRAWN, {}).items():
            st.session_state.setdefault(key, value)
        for key in SETTINGS:
            if key in st.session_state:
                st.session_state[key] = st.session_state[key]
        restore_address({key: str(st.session_state[key]) for key in {"language"} & {*settings_of(page)} & {*st.session_state}})
        mark_address_incomplete()
    st.session_state[PAGE_SHOWN] = page
    st.session_state[_UNDRAWN] = undrawn_in_address(page)


def check_url() -> None:
    """Explain unusable values in the URL and remove them; once in each session, before any control is drawn.

    Streamlit itself would replace most of them by the default without a word, and fails on an infinite whole number.
    """
    if st.session_state.get(_CHECKED):
        return
    st.session_state[_CHECKED] = True
    asked = {key: st.query_params.get_all(key) for key in st.query_params}
    shown = str(st.session_state.get(PAGE_SHOWN, ""))
    today = PAGES.words_of_today(PAGES[shown].path if shown in PAGES else "", asked)
    if is_older := today != asked:
        st.query_params.from_dict(today)
    notices: list[str] = []
    unusable: list[str] = []
    respelt: dict[str, str | list[str]] = {}
    for key in st.query_params:
        words = st.query_params.get_all(key)
        if key == "v":
            known = said_of_version(words[0])
            if not known and words[0].partition("-")[0] != str(STATE_VERSION):
                known = f"This link was made by another version ({quoted(words)}, this is {LINK_VERSION}): check the settings."
            notices += filter(None, [known])
        if key in _RESERVED:
            continue
        problem = _problem(key, words)
        notices += problem
        unusable += [key] * len(problem)
        if not problem and (word := _otherwise_spelt(SETTINGS[key], words)):
            respelt[key] = word
    st.session_state[_NOTICES] = list(dict.fromkeys([*st.session_state.get(_NOTICES, []), *notices]))
    if unusable or is_older or respelt:
        kept = {key: respelt.get(key, st.query_params.get_all(key)) for key in st.query_params if key not in unusable}
        st.query_params.from_dict(kept)
        st.rerun()


def _otherwise_spelt(setting: Setting, words: list[str]) -> str | None:
    """The value as its control writes it where valid words spell it in another way, as older links do; else None.

    Streamlit would take such words out of the URL, and a reload show the default.
    """
    if not (setting.options or words[0].endswith("%")) or isinstance(setting.default, list):
        return None
    word = url_word(setting.parse(words))
    return None if word in words else word


def _problem(key: str, words: list[str]) -> list[str]:
    if key not in SETTINGS:
        return [f"The link names a setting {quoted([key])}, which does not exist; it is left out."]
    setting = SETTINGS[key]
    try:
        setting.parse(words)
    except ValueError:
        return [refusal(key, words)]
    return []


def refusal(key: str, words: Iterable[str]) -> str:
    """The sentence for a value in the URL that does not fit the setting of that key."""
    return refusal_of(SETTINGS[key], words)


def refusal_of(setting: Setting, words: Iterable[str]) -> str:
    """The sentence for a value in the URL that does not fit a setting."""
    if isinstance(setting.default, list):
        instead = f" ({', '.join(setting.default) or 'none'})"
        return (
            f"The link's {setting.name}, {quoted(list(words))}, are not {setting.rule}; the default{instead} is used instead."
        )
    refused = f"The link's {setting.name}, {quoted(list(words))}, is not {setting.rule}"
    if setting.default == "":
        return f"{refused}; it is left out."
    instead = "" if setting.default is None else f" ({url_word(setting.default)})"
    return f"{refused}; the default{instead} is used instead."


def note(sentence: str) -> None:
    """Add a sentence to the notices about the URL."""
    notices = st.session_state.setdefault(_NOTICES, [])
    if sentence not in notices:
        notices.append(sentence)


def show_notices() -> None:
    """Show the sentences about the URL, until the person closes them."""
    notices = st.session_state.get(_NOTICES, [])
    if notices:
        st.warning("\n\n".join(notices))
        st.button("OK", key="dismiss_notices", on_click=_dismiss)


def _dismiss() -> None:
    st.session_state[_NOTICES] = []
    if "v" in st.query_params:
        del st.query_params["v"]


_BEFORE_A_LINK = re.compile(r"(?i)(https?:)(?=//)|(www)(?=\.)|(@)(?=\w)")
"""What Markdown makes a link of after it has taken backslashes away: a word joiner, which nobody sees, keeps it from that."""


def escaped(text: str) -> str:
    """A text that the user or a file supplies, so that Markdown shows it as it is, addresses without a link."""
    apart = _BEFORE_A_LINK.sub(lambda match: match[0] + "\N{WORD JOINER}", text)
    return re.sub(r"([\\`*_\[\]$<!~|#]|:(?=\S))", r"\\\1", apart)


def quoted(words: list[str]) -> str:
    """What the user typed, shortened and escaped for Markdown."""
    text = " ".join((" ".join(words) or "nothing").replace("`", "'").split())[:60]
    return f"`{text}`"


def choice(setting: Setting, options: Sequence[Any] | None = None, default: Any = None, **more: Any) -> Any:
    """Draw a select box for a setting; give `options` and `default` where they depend on the data."""
    among = list(setting.options if options is None else options)
    chosen_first = setting.default if default is None else default
    return st.selectbox(setting.label, among, index=among.index(chosen_first), **{**_bound(setting), **more})


def choice_among(setting: Setting, options: Sequence[str], default: str, **more: Any) -> str:
    """Draw a select box for a setting with changing options; an earlier choice that is not among them is dropped."""
    key = setting.key
    if key in st.session_state and st.session_state[key] not in options:
        st.session_state[key] = default
    asked = st.query_params.get(key)
    if key not in st.session_state and asked is not None and asked not in options:
        note(f"The link's {setting.name}, {quoted([asked])}, is not here; {escaped(default)} is used instead.")
    chosen: str = st.selectbox(setting.label, options, index=list(options).index(default), **{**_bound(setting), **more})
    return chosen


def segments(setting: Setting, **more: Any) -> Any:
    """Draw a row of options for a setting, of which one is chosen."""
    options = list(setting.options)
    default = setting.default if setting.default in options else None
    return st.segmented_control(setting.label, options, default=default, required=True, **{**_bound(setting), **more})


def part(setting: Setting, options: Sequence[str]) -> str:
    """Draw a row of those options that there are now; an earlier choice that is not among them is dropped."""
    if st.session_state.get(setting.key, options[0]) not in options:
        st.session_state[setting.key] = options[0]
    default = setting.default if setting.default in options else options[0]
    bound = _bound(setting)
    chosen = st.segmented_control(setting.label, options, default=default, required=True, label_visibility="collapsed", **bound)
    return str(chosen)


def number(setting: Setting, **more: Any) -> int:
    """Draw a box to type a whole number for a setting."""
    low, high = _limits(setting, int)
    default, step = int(str(setting.default)), int(setting.step or 1)
    return st.number_input(setting.label, low, high, default, step, **{**_bound(setting), **more})


def box(setting: Setting, **more: Any) -> float:
    """Draw a box to type a number for a setting whose name stands elsewhere, such as on a bar beside it."""
    return _typed(setting, label=f"{setting.label}, typed", label_visibility="collapsed", **more)


def fraction(setting: Setting) -> float:
    """Draw a box to type a number from 0 to 1, or a percentage, for a setting."""
    if not setting.is_percentage:
        return _typed(setting)
    value = hidden_number_box(setting)
    percentage_box(setting, value)
    return value


def percentage_box(setting: Setting, value: float, *, beside_slider: bool = False) -> None:
    """Draw a box that shows `value`, a share, as a percentage, and sets the setting to what is typed.

    It shows the value as its placeholder: a box that held it would, while a key is held on a slider, send back older values.
    What cannot be read leaves the setting as it is, and a message says what can.
    """
    box = f"{setting.key} typed"

    def on_typed() -> None:
        text = st.session_state[box]
        st.session_state[box] = ""
        try:
            if text:
                st.session_state[setting.key] = typed_percentage(text, *(setting.limits or (0.0, 1.0)))
        except InvalidInput as error:
            st.toast(f"{setting.label}: {error}", icon="⚠️")

    label = f"{setting.label}, typed" if beside_slider else setting.label
    st.text_input(
        label,
        "",
        20,
        key=box,
        on_change=on_typed,
        placeholder=exact_percentage(value),
        help=setting.help,
        label_visibility="collapsed" if beside_slider else "visible",
    )


def hidden_number_box(setting: Setting) -> float:
    """The number of a setting whose control is a component of ours; a hidden box holds it in the URL."""
    return float(_hidden(setting, _typed))


def hidden_text_box(setting: Setting) -> str:
    """The text of a setting whose control is a component of ours; a hidden box holds it in the URL."""
    return str(_hidden(setting, typed_text))


def _hidden(setting: Setting, box: Callable[..., Any]) -> Any:
    last = LastValues(setting.key)
    with st.container(key=f"unseen-{setting.key}"):
        return last.add(box(setting, on_change=last.keep))


def _typed(setting: Setting, *, label: str = "", **more: Any) -> float:
    low, high = _limits(setting, float)
    looks = {**_bound(setting), **more}
    return st.number_input(label or setting.label, low, high, float(str(setting.default)), setting.step, **looks)


def several(setting: Setting, **more: Any) -> list[str]:
    """Draw the options of a setting as pills, of which any number can be chosen."""
    chosen: list[str] = st.pills(
        setting.label,
        list(setting.options),
        selection_mode="multi",
        default=_default_list(setting),
        **{**_bound(setting), **more},
    )
    return chosen


def several_of(setting: Setting, options: Sequence[str] | None = None, **more: Any) -> list[str]:
    """Draw a box to choose any number of many options for a setting; give `options` where they depend on the data."""
    among = list(setting.options if options is None else options)
    looks = {"max_selections": setting.most, **_bound(setting), **more}
    chosen: list[str] = st.multiselect(setting.label, among, _default_list(setting), **looks)
    return chosen


def several_among(setting: Setting, options: Sequence[str], **more: Any) -> list[str]:
    """`several_of` with changing options: earlier choices that are not among them any more are dropped."""
    key = setting.key
    if key not in st.session_state:
        if gone := [word for word in st.query_params.get_all(key) if word and word not in options]:
            note(f"Of the link's {setting.name}, {quoted(gone)} is not here: it is left out.")
    # Only if it is necessary: a value that is set is sent to the browser, and would undo a choice that is made meanwhile.
    elif any(word not in options for word in st.session_state[key]):
        st.session_state[key] = [word for word in st.session_state[key] if word in options]
    return several_of(setting, options, **more)


def cost_input(setting: Setting) -> float:
    """Draw a box to type a cost for a setting: any number, so that an unusable one can be explained in words."""
    low, high = _limits(setting, float)
    return st.number_input(setting.label, low, high, float(str(setting.default)), 1.0, format="%g", **_bound(setting))


def toggle(setting: Setting) -> bool:
    """Draw a switch for a setting that is on or off; without a help text, whose sign would lie in the switch."""
    return st.toggle(setting.label, **_bound(setting))


def typed_text(setting: Setting, **more: Any) -> str:
    """Draw a line of text for a setting."""
    return st.text_input(setting.label, str(setting.default), **{"max_chars": LONGEST_TEXT, **_bound(setting), **more})


def slider(setting: Setting, **more: Any) -> Any:
    """Draw a slider for a setting, with a box beside it to type the value."""
    kind: Callable[[Any], Any] = int if isinstance(setting.default, int) else float
    (low, high), step = _limits(setting, kind), kind(setting.step)
    digits = max(2, len(f"{step}".partition(".")[2]))
    bar, typed = st.columns([2, 1], vertical_alignment="bottom")
    with bar:
        if setting.is_percentage:
            more["format"] = "percent"
        elif digits > 2:
            more["format"] = f"%.{digits}f"
        value = st.slider(setting.label, low, high, kind(setting.default), step, **{**_bound(setting), **more})
    if setting.is_percentage:
        with typed:
            percentage_box(setting, value, beside_slider=True)
        return value
    # The box shows the value only as its placeholder: a box that held it would, while a key is held on the slider, send back
    # older values.
    box = f"{setting.key} typed"

    def on_typed() -> None:
        if st.session_state[box] is not None:
            st.session_state[setting.key] = st.session_state[box]
            st.session_state[box] = None

    with typed:
        st.number_input(
            f"{setting.label}, typed",
            low,
            high,
            None,
            step,
            key=box,
            on_change=on_typed,
            label_visibility="collapsed",
            placeholder=f"{value:.{digits}f}" if isinstance(value, float) else str(value),
        )
    return value


def _bound(setting: Setting) -> dict[str, Any]:
    """What every control is given: the key of its setting, which the URL holds, and the help."""
    return {"key": setting.key, "bind": "query-params", "help": setting.help}


def _limits(setting: Setting, kind: Callable[[Any], Any]) -> tuple[Any, Any]:
    low, high = setting.limits or (0.0, 1.0)
    return kind(low), kind(high)


def _default_list(setting: Setting) -> list[str] | None:
    return setting.default if isinstance(setting.default, list) else None


_LAST = "last values of boxes that are not seen"
_MOST = 8


class LastValues:
    """The last values of a hidden box, which a component of ours sets.

    Nobody types into the box. A browser that sends its values before it has received a move sends the box's former value.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.values: list[Any] = st.session_state.setdefault(_LAST, {}).setdefault(key, [])

    def keep(self) -> None:
        """Callback of the box: if the browser has sent an earlier value, put the last one back."""
        if st.session_state[self.key] in self.values[:-1]:
            st.session_state[self.key] = self.values[-1]

    def add(self, value: Any) -> Any:
        """Note the value that is drawn, and return it."""
        self.values[:] = [*(one for one in self.values[-_MOST:] if one != value), value]
        return value


def late_values(said: Mapping[str, Any], has: Mapping[str, Any], before: dict[str, list[Any]], *, pressed: bool) -> list[str]:
    """Keys of controls whose value in the browser's message is older than the session's.

    With each move of a control, a browser sends the values of all others. On a slow line, or where a run was ended before it
    drew a control, these are older than what an example, a step of a lesson or a bar has set meanwhile. If the user sets a
    control back to such a value and moves another one in the same moment, the first move counts as an old value, too.

    Parameters
    ----------
    said, has : the values of controls in the browser's message, and in this session.
    before : what the browser may still say of each control: what it said last, and what was set since. Kept up to date here.
    pressed : whether the message is of a button, or of a control of our own.
    """
    # A control that has gone may come back with another value.
    for key in before.keys() - said.keys():
        del before[key]
    differ = [key for key, value in said.items() if value != has[key]]
    late = [key for key in differ if said[key] in before.get(key, ())]
    # The user who sets a control back by hand moves this one and no other.
    if len(late) == len(differ) == 1 and not pressed:
        late = []
    for key, value in said.items():
        set_since = [*before[key], has[key]] if key in late else [value]
        before[key] = [one for i, one in enumerate(set_since) if one not in set_since[i + 1 :]][-_MOST:]
    return late
