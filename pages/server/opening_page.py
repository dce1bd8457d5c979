"""The HTML that a browser gets first: title, description and a first view of the page, before Python has answered.

Streamlit's own is empty, so that a slow line shows nothing for seconds, and a preview of a link says "Streamlit".
"""

from functools import cache
from html import escape

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.charts.chart import plotly_url
from pages.frame.layout import STYLE
from pages.frame.navigation import window_title
from pages.server.addresses import answer_of, page_path
from pages.settings.component import SCRIPTS, base_path, script_url
from pages.settings.page_declaration import APP, PAGES, Page
from pages.streamlit_internals import HISTORY_SCRIPT

_STYLE = """<style>
.opening { font-family: sans-serif; position: fixed; inset: 0; z-index: 1; pointer-events: none; padding: 2.3rem 2rem;
  color: #070B10; }
.opening h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; } .opening p { margin: 0 0 1rem; }
.opening div { height: min(24rem, 50vh); border-radius: .5rem; background: color-mix(in srgb, currentColor 5%, transparent); }
@media (max-width: 640px) { .opening { padding-inline: 1rem; } }
@media (min-width: 769px) { .opening { padding-left: calc(300px + 2rem); } }
@media (prefers-color-scheme: dark) { body { background: #0F141A; } .opening { color: #E8ECF0; } }
/* Streamlit's own first view is hidden. */
[data-testid="stAppSkeleton"] { visibility: hidden; }
@media print { .opening { display: none; } }
</style>"""

_PLOTLY_NEXT = """<script>
new PerformanceObserver((list, observer) => {
  if (!list.getEntries().some(({ name }) => name.includes("/static/js/index."))) return;
  observer.disconnect();
  document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "script", href: "URL" }));
}).observe({ type: "resource", buffered: true });
</script>"""
"""Fetches plotly.js as soon as Streamlit's own scripts are loaded: on a slow line it would otherwise delay them."""

_UNTIL_THE_PAGE = """<script>
// Inside another site's page, and on the stage, there is no menu.
if (/[?&](embed=true|present=)/.test(location.search)) document.querySelector(".opening").style.paddingLeft = "2rem";
new MutationObserver((_, observer) => {
  const opening = document.querySelector(".opening"), app = document.querySelector(".stApp");
  // Its colours may be another theme's than the system's.
  if (app) opening.style.color = getComputedStyle(app).color;
  if (!document.querySelector(".stMain :is(h1, p, .kept-plot, [role=alert])")) return;
  observer.disconnect();
  opening.remove();
}).observe(document.getElementById("root"), { childList: true, subtree: true });
</script>"""
"""Takes the first view away when the page's own is there: Streamlit's frame stays empty for seconds on a slow line."""

_ON_NEARLY_ALL_PAGES = ("kept_chart", "dragged", "dragged_text")


class OpeningPage:
    """ASGI middleware: answers a request for a page with Streamlit's HTML, filled by `opening_html`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._html = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = page_path(scope, for_preview=True)
        page = None if path is None else PAGES.of_path(path)
        if page is None:
            await self.app(scope, receive, send)
            return
        if not self._html:
            self._html = (await answer_of(self.app, scope, f"{base_path()}/")).body.decode()
        answer = HTMLResponse(opening_html(self._html, page), headers={"cache-control": "no-cache"})
        await answer(scope, receive, send)


def _preloaded() -> str:
    """Links to the scripts that nearly all pages need."""
    files = [file for file in SCRIPTS if file.rpartition("-")[0] in _ON_NEARLY_ALL_PAGES]
    return "".join(f'<link rel="modulepreload" href="{script_url(file)}">' for file in files)


@cache
def opening_html(html: str, page: Page) -> str:
    """Streamlit's `html` with title, description and first view of a page; unchanged if it is not built as expected."""
    title, question = escape(window_title(page.title)), escape(page.question)
    description = f"{question} {APP}: quantification, the estimation of class shares, to see and to try."
    plotly = _PLOTLY_NEXT.replace("URL", plotly_url(in_space=page.in_space)) if page.has_picture else ""
    head = (
        f'<title>{title}</title><meta name="description" content="{description}">'
        f'<meta property="og:title" content="{title}"><meta property="og:description" content="{description}">'
        f'<meta property="og:type" content="website">'
        f"{_preloaded()}{plotly}{_STYLE}"
        f"{HISTORY_SCRIPT}"
    )
    body = (
        f'<div id="root"></div><div class="opening"><h1>{escape(page.title)}</h1>'
        f'<p>{question}</p><div role="status" aria-label="Loading"></div></div>{_UNTIL_THE_PAGE}'
        # After the head, where Streamlit's own rules come as it runs: of two equal rules the last one holds.
        f"{STYLE}"
    )
    return html.replace("<title>Streamlit</title>", head).replace('<div id="root"></div>', body)
