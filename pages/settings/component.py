"""Components with long scripts, which a browser loads once.

Streamlit sends a component's script again with each change of its data: 25 KB for each chart. Here the component that Streamlit
knows only fetches the script, under a name that changes with its content. What a component draws appears when the script is
there: one whose HTML has buttons of its own, which could be clicked before, keeps its script in Streamlit's message.
"""

import hashlib
from typing import Any, Final, NamedTuple

import orjson
import streamlit as st


class Parts(NamedTuple):
    """What a component is made of."""

    html: str
    css: str
    js: str


SCRIPTS: Final[dict[str, str]] = {}
"""File name -> script, of all components whose modules are imported."""
COMPONENTS: Final[dict[str, Parts]] = {}
"""Name -> parts, of the same components: a file without a server holds them itself."""


RETRYING_JS = """
// A server that is being restarted refuses requests: ask again for about a minute, with pauses of up to five seconds.
const untilItAnswers = async (ask) => {
  for (let attempt = 0, pause = 100; ; attempt++, pause = Math.min(2 * pause, 5000)) {
    try {
      return await ask(attempt);
    } catch (failure) {
      if (attempt === 16) throw failure;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
};
"""
"""The script that asks a server again, for those that fetch something from it."""

_FETCHED = (
    RETRYING_JS
    + """
const url = location.origin + "URL";
let made;
const read = (sent) => sent && JSON.parse(new TextDecoder().decode(sent));
// A browser remembers that an address could not be loaded: another attempt needs another address.
const fetched = () => untilItAnswers((attempt) => import(attempt ? url + "?again=" + Date.now() : url))
  .catch(() => { throw new Error("this part of the page could not be loaded. Please reload the page."); });
export default async (component) => {
  made ??= fetched();
  made.catch(() => { made = undefined; });
  return (await made).default({ ...component, data: read(component.data) });
};
"""
)
"""The script that Streamlit knows: it fetches the component's own, and calls it with the data that it reads."""


def base_path() -> str:
    """The path below which the app is served: empty, or one that starts with a slash."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def script_url(file: str) -> str:
    """Where a browser finds a script."""
    return f"{base_path()}/scripts/{file}"


def component(name: str, html: str, css: str = "", *, js: str) -> Any:
    """A component, as of `st.components.v2.component`, in the styles of the page.

    Its data are sent as the bytes of their JSON: Streamlit would write a dictionary twice, with a slower library.
    """
    file = f"{name}-{hashlib.sha256(js.encode()).hexdigest()[:12]}.js"
    SCRIPTS[file] = js
    COMPONENTS[name] = Parts(html, css, js)
    fetched = _FETCHED.replace("URL", script_url(file))
    known = st.components.v2.component(name, html=html, css=css, js=fetched, isolate_styles=False)

    def mount(*, data: dict[str, Any] | None = None, **how: Any) -> Any:
        return known(data=None if data is None else orjson.dumps(data), **how)

    return mount
