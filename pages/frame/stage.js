// The stage: keys lead from step to step, or from view to view; P enters it, Escape leaves it. In a frame of another page the
// height is told to that page.
const IN_CONTROLS = "input, textarea, select, [role=slider], [role=radio], [role=tab], [role=listbox], [contenteditable]";
const TYPED = "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const FORWARDS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

function tellHeight() {
  const page = document.querySelector("[data-testid=stMainBlockContainer]");
  if (!page || window.parent === window) return;
  const tell = () => window.parent.postMessage({ quantificationLab: { height: Math.ceil(page.scrollHeight) } }, "*");
  if (window.stageTells) return tell();
  window.stageTells = new ResizeObserver(tell);
  window.stageTells.observe(page);
}

// Scrolls to the section that the view opens, or to its picture; a person who looks at a section already stays there.
function begin(atSection) {
  const tabs = () => document.querySelector("[data-testid=stMain] [data-testid=stTabs]");
  const stays = atSection === null && tabs()?.getBoundingClientRect().top < innerHeight / 2;
  if (stays) return;
  leadBy(() => {
    if (atSection) tabs()?.scrollIntoView({ block: "start" });
    else document.querySelector("[data-testid=stMain]").scrollTop = 0;
  });
}

// The talk that was collected in this browser outlives a reload.
const TALK = "quantification-lab-talk";
function keepTalk(data, setTriggerValue) {
  try {
    if (data.keep) localStorage.setItem(TALK, data.keep);
    else if (data.keep === "") localStorage.removeItem(TALK);
    else if (data.awaits && localStorage.getItem(TALK)) setTriggerValue("kept", localStorage.getItem(TALK));
  } catch { /* A browser that keeps nothing. */ }
}

// While a talk is saved, its views go by below a dialog that says how far it is.
function showSaving(dialog, saving, stop) {
  if (!saving) return dialog.close();
  const [text, bar, button] = dialog.children;
  text.textContent = saving.text;
  [bar.value, bar.max, button.textContent] = [saving.done, saving.total, saving.stop];
  button.onclick = stop;
  dialog.oncancel = (event) => { event.preventDefault(); stop(); };
  if (!dialog.open) dialog.showModal();
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = document.documentElement, place = parentElement.querySelector(".stage-place");
  const changed = root.hasAttribute("data-stage") !== data.on || root.hasAttribute("data-embedded") !== data.embedded;
  root.toggleAttribute("data-stage", data.on);
  root.toggleAttribute("data-embedded", data.embedded);
  const shown = `${data.on} ${data.at} ${data.section}`;
  if (data.on && window.stageShown !== shown) begin(data.section);
  window.stageShown = shown;
  keepTalk(data, setTriggerValue);
  showSaving(parentElement.querySelector("dialog"), data.saving, () => setTriggerValue("stopped", true));
  // Charts adapt to the window on a resize event.
  if (changed) dispatchEvent(new Event("resize"));
  if (data.embedded) tellHeight();
  place.hidden = !data.on;
  place.querySelector("span").textContent = data.total ? `${data.at} / ${data.total}` : "";
  const [back, next, leave] = place.querySelectorAll("button");
  back.hidden = next.hidden = !data.total;
  [back.disabled, next.disabled] = [data.at <= 1, data.at >= data.total];
  const go = (by) => {
    const step = document.querySelector(`.st-key-lesson-step-${by > 0 ? "next" : "back"} button`);
    if (step && !data.total) step.click();
    else if (data.total && data.at + by >= 1 && data.at + by <= data.total) setTriggerValue("go", by);
    // Without steps or views to go through, the key scrolls as usual.
    return Boolean(step || data.total);
  };
  back.onclick = () => go(-1);
  next.onclick = () => go(1);
  leave.onclick = () => setTriggerValue("present", false);
  window.stageKey = (event) => {
    if (event.repeat || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || data.embedded) return;
    const inside = event.target instanceof Element ? event.target : document.body;
    if (event.key.toLowerCase() === "p" && !event.shiftKey && !inside.closest(TYPED)) setTriggerValue("present", !data.on);
    else if (!data.on) return;
    else if (event.key === "Escape" && !document.fullscreenElement
      && !document.querySelector("dialog[open], [data-testid=stPopoverBody], [role=dialog]")) setTriggerValue("present", false);
    else if (event.key in FORWARDS && (event.key.startsWith("Page") ? !inside.closest(TYPED) : !inside.closest(IN_CONTROLS))) {
      if (!go(FORWARDS[event.key])) return;
      event.preventDefault();
      event.stopPropagation();
    }
  };
  if (window.stageHears) return;
  window.stageHears = true;
  addEventListener("keydown", (event) => window.stageKey(event), true);
}
