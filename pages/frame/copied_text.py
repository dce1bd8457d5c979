"""A text in a box with a button that copies it: Streamlit's own box of code loads 1.6 MB of scripts that colour code."""

from pages.settings.component import component

_HTML = '<div class="copied-text"><p></p><button type="button">Copy</button></div>'
_CSS = """
.copied-text { display: flex; align-items: flex-start; gap: 0.75rem; padding: 0.6rem 0.75rem; border-radius: 0.5rem;
  background: var(--st-secondary-background-color); }
.copied-text p { flex: 1; margin: 0; overflow-wrap: anywhere; }
.copied-text button { font: inherit; font-size: 0.875rem; flex: none; cursor: pointer;
  color: var(--st-link-color); background: none;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); padding: 0.2rem 0.6rem; }
@media (pointer: coarse) { .copied-text button { min-height: 44px; } }
@media print { .copied-text button { display: none; } }
"""
_JS = """
export default function ({ data, parentElement }) {
  const text = parentElement.querySelector("p"), button = parentElement.querySelector("button");
  text.textContent = data.text;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(data.text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Press Ctrl+C to copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2500);
  };
}
"""
_mount = component("copied_text", _HTML, _CSS, js=_JS)


def copied_text(text: str, *, key: str) -> None:
    """Draw a text with a button that copies it."""
    _mount(key=key, data={"text": text})
