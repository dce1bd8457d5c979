"""Sliders whose value is followed while it is dragged, and sentences that follow it in the browser, as charts do."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts.chart import FRAMES_JS
from pages.charts.figure import json_text, method_style
from pages.settings.address import current
from pages.settings.component import component
from pages.settings.setting import Setting

_HTML = """
<div class="dragged"><label><span class="dragged-label"></span>
<input class="dragged-range" type="range" min="0" step="1" disabled></label><output class="dragged-value"></output>
<input class="dragged-value dragged-typed" type="text" inputmode="decimal" autocomplete="off" maxlength="12" hidden>
<div class="dragged-buttons" role="group"></div></div>
"""
_CSS = """
.dragged { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; font-size: 0.8125rem; }
.dragged label { display: flex; flex: 1 1 14rem; align-items: center; gap: 0.75rem; min-width: 12rem; }
@media (max-width: 640px) {
  .dragged label { flex: 1 1 8rem; flex-wrap: wrap; gap: 0; min-width: 8rem; }
  .dragged-label { flex-basis: 100%; }
  .dragged-buttons.dragged-buttons { gap: 0.25rem; }
  .dragged-buttons.dragged-buttons button { padding-inline: 0.3rem; }
  .dragged-buttons.dragged-buttons button::before { margin-right: 0.2rem; }
}
.dragged-live { position: relative; }
.dragged-live label { flex-wrap: wrap; gap: 0; min-width: 8rem; }
.dragged-live .dragged-label { flex-basis: 100%; box-sizing: border-box; padding-right: 4rem; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis; }
.dragged-live .dragged-value { position: absolute; top: 0; right: 0; min-width: 0; }
.dragged-range { flex: 1; min-width: 6rem; accent-color: var(--st-primary-color); height: 1.5rem; cursor: grab; }
.dragged-value { font-variant-numeric: tabular-nums; font-weight: 600; min-width: 3.5rem; }
.dragged-typed { box-sizing: border-box; width: 4.5rem; min-height: 1.9rem; padding: 0.1rem 0.5rem; font: inherit;
  font-weight: 600; text-align: right; color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); }
.dragged-typed[aria-invalid=true] { border-color: var(--st-red-color, #d33); }
.dragged-typed:focus { outline: none; border-color: var(--st-primary-color); }
.dragged-live .dragged-typed { min-height: 1.35rem; padding-block: 0; width: 3.75rem; }
@media (pointer: coarse) {
  .dragged-typed { font-size: 1rem; }
  .dragged-live .dragged-typed { top: -0.5rem; min-height: 1.9rem; width: 3.75rem; padding-inline: 0.25rem; }
}
.dragged-buttons { display: flex; flex-wrap: wrap; gap: 0.35rem; }
.dragged-buttons button { font: inherit; color: var(--st-text-color); background: transparent; cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); padding: 0.25rem 0.7rem; }
/* The symbol with which charts mark the value; screen readers do not read it out. */
.dragged-buttons button::before { content: attr(data-sign) / ""; color: var(--sign); margin-right: 0.35rem; }
.dragged-buttons button:hover, .dragged-buttons button:focus-visible { border-color: var(--st-primary-color); }
@media (forced-colors: active) { .dragged-buttons button[aria-pressed=true] { outline: 3px solid Highlight; } }
"""
_JS = (
    FRAMES_JS
    + """
const number = (value) => value > 0.99995 && value < 1 ? "> 0.9999" : value > 0 && value < 0.00005 ? "< 0.0001"
  : String(Number(value.toFixed(4)));

const percentage = (value) => Number((100 * value).toPrecision(6)) + "%";

export default function ({ data, parentElement, setTriggerValue }) {
  const plain = (value) => data.percent ? percentage(value) : number(value);
  const shown = (value) => data.texts?.[nearest(data.values, value)] ?? plain(value);
  const bar = parentElement.querySelector(".dragged"), range = bar.querySelector("input");
  const output = bar.querySelector("output"), typed = bar.querySelector(".dragged-typed");
  const buttons = bar.querySelector(".dragged-buttons");
  const kept = bar.kept ??= { sent: [] };
  Object.assign(kept, { data, setTriggerValue });
  bar.querySelector(".dragged-label").textContent = data.label;
  bar.classList.toggle("dragged-live", data.live);
  bar.querySelector("label").title = data.help ?? "";
  // Only components know the theme's colours; what is pinned must hide what scrolls below it.
  const pin = bar.closest("[class*=st-key-pinned]");
  if (pin) pin.style.background = getComputedStyle(parentElement).getPropertyValue("--st-background-color");
  range.max = data.values.length - 1;
  range.disabled = false;
  output.hidden = data.percent;
  typed.hidden = !data.percent;
  typed.setAttribute("aria-label", data.label + ", typed");
  buttons.hidden = !data.buttons.length;
  buttons.setAttribute("aria-label", data.label + " at");

  const write = (now) => {
    kept.written = now;
    typed.value = percentage(now);
    refuse("");
  };
  const refuse = (why) => {
    typed.setCustomValidity(why);
    typed.setAttribute("aria-invalid", String(Boolean(why)));
  };
  const show = (value) => {
    const index = nearest(kept.data.values, value), now = kept.data.values[index];
    (window.draggedValues ??= {})[kept.data.name] = now;
    range.value = index;
    range.setAttribute("aria-valuetext", shown(now));
    output.textContent = shown(now);
    // What the user is typing stays until the value moves.
    if (now !== kept.written || bar.getRootNode().activeElement !== typed) write(now);
    for (const button of buttons.children) button.setAttribute("aria-pressed", String(Number(button.value) === now));
    document.dispatchEvent(new CustomEvent("dragged-value", { detail: { name: kept.data.name, value: now } }));
  };
  // As the server reads what is typed: with a sign, or above 1, it is a percentage.
  const read = (text) => {
    const word = text.trim().replace(",", "."), numeral = word.replace(/\\s*%$/, "");
    if (!/^(\\d+\\.?\\d*|\\.\\d+)$/.test(numeral)) return NaN;
    const value = word !== numeral || Number(numeral) > 1 || word === "1" ? Number(numeral) / 100 : Number(numeral);
    return Number(value.toPrecision(12));
  };
  // Sent at once on release; after keys, when they rest.
  const send = (wait) => {
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => {
      kept.timer = undefined;
      const now = window.draggedValues[kept.data.name];
      if (now === (kept.sent.at(-1) ?? kept.told)) return;
      kept.sentAt = performance.now();
      kept.sent.push(now);
      kept.setTriggerValue("moved", now);
    }, wait);
  };

  // While the bar is dragged: sends its value as soon as the page has drawn the last one; values passed meanwhile are skipped.
  const busy = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";
  const sendLive = () => {
    clearTimeout(kept.timer);
    const rest = busy() ? 60 : Math.max(0, 120 - (performance.now() - (kept.sentAt ?? -120)));
    kept.timer = setTimeout(() => busy() ? sendLive() : send(0), rest);
  };

  // A button stays while it is in the list: one that has the focus keeps it.
  while (buttons.children.length > data.buttons.length) buttons.lastChild.remove();
  data.buttons.forEach(({ name, value, help, character, colour }, i) => {
    const button = buttons.children[i] ?? buttons.appendChild(document.createElement("button"));
    Object.assign(button, { type: "button", textContent: name, value: String(value), title: help });
    button.dataset.sign = character;
    button.style.setProperty("--sign", colour);
    button.onclick = () => { show(value); send(0); };
  });
  range.oninput = () => {
    show(kept.data.values[range.value]);
    if (!kept.data.live) { if (!kept.held) send(400); }
    else if (!kept.timer) sendLive();
  };
  range.onpointerdown = () => { kept.held = true; };
  range.onpointerup = range.onpointercancel = () => { kept.held = false; };
  range.onchange = () => { kept.held = false; send(0); };
  typed.onfocus = () => typed.select();
  typed.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") write(window.draggedValues[kept.data.name]);
    if (event.key === "Enter" && !take()) typed.reportValidity();
  };
  typed.oninput = () => refuse("");
  // On leaving the box, a text that cannot be read gives way to the current value.
  typed.onblur = () => {
    if (typed.value === percentage(kept.written) || !take()) write(window.draggedValues[kept.data.name]);
  };
  // Takes the typed value if it can be read; returns whether it can.
  const take = () => {
    const values = kept.data.values, [low, high] = [values[0], values.at(-1)];
    let value = read(typed.value);
    if (!(value >= low && value <= high)) {
      refuse(`From ${percentage(low)} to ${percentage(high)}, such as 20%.`);
      return false;
    }
    if (!kept.data.exact) value = values[nearest(values, value)];
    if (!values.includes(value)) {
      kept.data.values = [...values, value].sort((a, b) => a - b);
      range.max = values.length;
    }
    show(value);
    write(value);
    send(0);
    return true;
  };
  hear(bar, "drag-value", ({ name, value, done }) => {
    if (name !== kept.data.name) return;
    show(value);
    if (done) send(0);
  });
  // A move may have been lost with the connection.
  hear(range, "connected-again", () => {
    if (!kept.sent.length) return;
    kept.sentAt = performance.now();
    kept.setTriggerValue("moved", kept.sent.at(-1));
  });
  // The server's value counts if it is news: neither an echo of what was sent, which the user may have left behind since, nor
  // what it said before, as a run does that began before the move. Where no echo comes, the move was taken back meanwhile.
  const echo = kept.sent.indexOf(data.value), isNews = echo < 0 && data.value !== kept.told;
  const accept = () => { kept.sent = []; show(kept.told); };
  const acceptLater = () => {
    const moves = () => kept.held || kept.timer || performance.now() - kept.sentAt < 1000;
    kept.waits = setTimeout(() => busy() || moves() ? acceptLater() : accept(), 1000);
  };
  kept.told = data.value;
  clearTimeout(kept.waits);
  if (isNews) return accept();
  kept.sent.splice(0, echo + 1);
  show(window.draggedValues[data.name]);
  if (kept.sent.length) acceptLater();
}
"""
)

_mount = component("dragged", _HTML, _CSS, js=_JS)


class MethodValue(NamedTuple):
    """The value of a bar that a method chooses, and what the method does."""

    value: float
    idea: str


def drag_bar(
    name: str,
    label: str,
    values: Sequence[float],
    value: float,
    buttons: Mapping[str, MethodValue] | None = None,
    *,
    texts: Sequence[str] | None = None,
    percent: bool = False,
    exact: bool = True,
    help: str | None = None,
    live: bool = False,
) -> None:
    """Draw a bar for the setting `name`, which is at `value`, one of `values`.

    Parameters
    ----------
    buttons : method -> its value: a button for each of these, which sets it and shows how charts mark the method.
    texts : the text of each value, if it is not written as a number; the setting then holds the text.
    percent : whether values are written as percentages; the value can then be typed, too.
    exact : whether a typed value between two values is taken as it is, and not the nearest of them.
    help : what the value is, shown when the pointer rests on its name.
    live : whether the server gets values while it is dragged, and not on release only.
    """
    key = f"{name} bar"

    def on_moved() -> None:
        moved = st.session_state[key].moved
        if moved is not None:
            st.session_state[name] = type(values[0])(moved) if texts is None else _text(texts, values, float(moved))

    listed = []
    for method, (target, idea) in (buttons or {}).items():
        style = method_style(method)
        sign = {"character": style.character, "colour": style.colour}
        listed.append({"name": method, "value": target, "help": idea, **sign})
    data = {"name": name, "label": label, "values": list(values), "value": value, "buttons": listed}
    data |= {"texts": texts, "percent": percent, "exact": exact, "help": help, "live": live}
    _mount(key=key, data=data, on_moved_change=on_moved)


def _text(texts: Sequence[str], values: Sequence[float], moved: float) -> str:
    """The text of the value that is nearest to `moved`."""
    return texts[min(range(len(values)), key=lambda i: abs(values[i] - moved))]


def live_slider(part: DeltaGenerator, setting: Setting) -> float:
    """Draw into `part` a slider for a setting that is a number; returns its value, an int if the setting is a whole number.

    Call `training_controls.type_numbers` for the setting first: its box, hidden for a percentage, ties the number to the URL.
    """
    low, high = setting.limits or (0.0, 1.0)
    is_whole = isinstance(setting.default, int)
    value = float(str(current(setting)))
    n_steps = round((high - low) / float(setting.step or 1))
    digits = 0 if is_whole else len(f"{setting.step}".partition(".")[2])
    values = {round(low + (high - low) * i / n_steps, digits) for i in range(n_steps + 1)}
    listed = sorted(values | {value})
    with part:
        drag_bar(
            setting.key,
            setting.label,
            [int(one) for one in listed] if is_whole else listed,
            value,
            percent=setting.is_percentage,
            help=setting.help,
            live=True,
        )
    return int(value) if is_whole else value


_SENTENCE_JS = (
    FRAMES_JS
    + """
export default function ({ data, parentElement }) {
  const paragraph = parentElement.querySelector("p"), values = JSON.parse(data.values), sentences = JSON.parse(data.sentences);
  Object.assign(paragraph.dataset, { name: data.name });
  takeOwnHeight(paragraph);
  paragraph.classList.toggle("dragged-headline", data.headline);
  const show = (value) => paragraph.replaceChildren(...withBold(sentences[nearest(values, value)]));
  hear(paragraph, "dragged-value", ({ name, value }) => { if (name === data.follows) show(value); });
  show(window.draggedValues?.[data.follows] ?? values[data.index]);
}
"""
)
_SENTENCE_CSS = """
.dragged-text:not(.dragged-headline) { max-width: 75ch; }
.dragged-text { margin: 0; line-height: 1.45; min-height: 1.45em; }
.dragged-text.dragged-headline { font-size: 1.25rem; font-weight: 600; line-height: 1.35; min-height: 1.35em; }
@media (max-width: 640px) { .dragged-text.dragged-headline { font-size: 1rem; } }
"""
_LINE = 24
"""Pixels of a line."""

_mount_sentence = component("dragged_text", '<p class="dragged-text"></p>', _SENTENCE_CSS, js=_SENTENCE_JS)


def dragged_text(
    name: str, follows: str, values: Sequence[float], sentences: Sequence[str], value: float, *, headline: bool = False
) -> None:
    """Draw the sentence for the current `value` of the setting `follows`; one sentence for each of `values`.

    `name` is the name of this element in the page.
    """
    index = min(range(len(values)), key=lambda i: abs(values[i] - value))
    data = {
        "name": name.replace("_", "-"),
        "follows": follows,
        "values": json_text(list(values)),
        "sentences": json_text(list(sentences)),
        "index": index,
        "headline": headline,
    }
    _mount_sentence(key=f"text {name}", data=data, height=_LINE)
