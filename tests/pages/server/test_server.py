"""What the server gives a browser first: HTML with a title and a first view, compressed files, headers."""

import gzip
import hashlib
import importlib
import re
import signal
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow
import pytest
import streamlit
from plotly.offline import get_plotlyjs_version
from starlette.routing import Router

import pages
from pages.charts.chart import CARTESIAN, SURFACES, plotly_url
from pages.charts.chart import unpacked as unpacked_bundle
from pages.frame.navigation import window_title
from pages.listed import PAGES
from pages.server import compressed_files, start, visitors
from pages.server.addresses import TidyAddresses
from pages.server.compressed_files import FONTS, CompressedFiles
from pages.server.opening_page import OpeningPage, opening_html
from pages.server.security_headers import VARIABLE, SecurityHeaders
from pages.server.visitors import KnownHosts, SessionLimit
from pages.settings import component
from pages.streamlit_internals import HISTORY_SCRIPT
from pages.work import heavy

ROOT = Path(__file__).parents[3]
STATIC = Path(streamlit.__file__).parent / "static" / "static"
HTML = (STATIC.parent / "index.html").read_text()


async def on(scope, receive, send):
    """An application to which a request was handed on."""
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def streamlits_files(scope, receive, send):
    """As Streamlit: its files, and the app's HTML for all other paths."""
    path = STATIC.parent / scope["path"].lstrip("/")
    kind, content = ("text/javascript", path.read_bytes()) if path.is_file() else ("text/html", HTML.encode())
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind.encode())]})
    await send({"type": "http.response.body", "body": content})


def ask(application, path, query="", within=on, **headers):
    """(status, headers, body) of the answer to a request; 299 where the request was handed on."""
    messages = []

    async def send(message):
        messages.append(message)

    scope = {
        "type": "http", "method": "GET", "path": path, "query_string": query.encode(), "root_path": "", "scheme": "http",
        "server": ("localhost", 80),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    # Nothing in it waits, so that it needs no loop of events; the browser tests of this process have one running.
    with pytest.raises(StopIteration):
        application(within)(scope, None, send).send(None)
    start, *bodies = messages
    result = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], result, b"".join(body.get("body", b"") for body in bodies)


class TestTidyAddresses:
    def test_a_slash_at_the_end_is_left_out(self):
        status, headers, _ = ask(TidyAddresses, "/corrections/", accept="text/html", query="threshold=0.4&size=7")
        assert (status, headers["location"]) == (307, "/corrections?threshold=0.4&size=7")

    @pytest.mark.parametrize("path", ["/", "/corrections"])
    def test_short_addresses_are_served(self, path):
        assert ask(TidyAddresses, path, accept="text/html", query="threshold=0.4")[0] == 299
        assert ask(TidyAddresses, path, accept="text/html", query="language=en")[0] == 299, "no default: the browser has one"


@pytest.fixture(scope="module", autouse=True)
def warm():
    """All modules are imported, as in a server that answers."""
    for module in start.modules_of(pages):
        importlib.import_module(module)
    opening_html.cache_clear()


class TestOpeningPage:
    @pytest.mark.parametrize("path", [page.path for page in PAGES.values()])
    def test_every_page_has_a_title_a_description_and_something_to_see(self, path):
        page = PAGES.of_path(path)
        status, headers, body = ask(OpeningPage, f"/{path}", within=streamlits_files, accept="text/html")
        text = body.decode()
        assert status == 200
        assert headers["cache-control"] == "no-cache"
        assert f"<title>{window_title(page.title)}</title>" in text
        assert f'content="{page.question} ' in text
        assert f'<div id="root"></div><div class="opening"><h1>{page.title}</h1>' in text
        assert text.count('rel="modulepreload" href="/scripts/') == 3
        preloaded = f'rel: "preload", as: "script", href: "{plotly_url(in_space=page.in_space)}"' in text
        assert preloaded == page.has_picture

    def test_previews_of_links_have_it_whatever_they_accept(self):
        assert ask(OpeningPage, "/corrections", within=streamlits_files, accept="*/*")[0] == 200
        assert ask(OpeningPage, "/corrections", within=streamlits_files)[0] == 200
        assert ask(OpeningPage, "/corrections/_stcore/host-config", accept="*/*")[0] == 299

    def test_what_streamlit_needs_is_still_there(self):
        own, filled = HTML, opening_html(HTML, PAGES["home"])
        assert re.findall(r'src="\./static[^"]+', filled) == re.findall(r'src="\./static[^"]+', own)
        assert "/static/js/index." in filled, "the main script has another name: plotly.js waits for it"
        assert 'id="root"' in filled
        assert "<title>Streamlit</title>" in own, "what is replaced is there to be replaced"

    @pytest.mark.parametrize(
        ("path", "accept"), [("/corrections", "image/png"), ("/_stcore/health", "text/html"), ("/nowhere", "text/html")]
    )
    def test_everything_else_is_handed_on(self, path, accept):
        assert ask(OpeningPage, path, accept=accept)[0] == 299


def unpacked(body, encoding, size):
    return gzip.decompress(body) if encoding == "gzip" else bytes(pyarrow.Codec("brotli").decompress(body, size))


class TestCompressedFiles:
    @pytest.mark.parametrize("folder", ["js", "css"])
    @pytest.mark.parametrize(("accepted", "encoding"), [("gzip, deflate", "gzip"), ("gzip, deflate, br, zstd", "br")])
    def test_streamlits_files_are_what_they_are_and_smaller(self, folder, accepted, encoding):
        for path in sorted((STATIC / folder).iterdir(), key=lambda one: -one.stat().st_size)[:3]:
            size = path.stat().st_size
            status, headers, body = ask(
                CompressedFiles, f"/static/{folder}/{path.name}", within=streamlits_files, accept_encoding=accepted
            )
            assert status == 200
            assert headers["content-encoding"] == encoding
            assert headers["vary"] == "accept-encoding"
            assert unpacked(body, encoding, size) == path.read_bytes()
            assert len(body) < 0.7 * size
            plain = ask(CompressedFiles, f"/static/{folder}/{path.name}", within=streamlits_files)
            assert plain[2] == path.read_bytes()
            assert "content-encoding" not in plain[1]

    @pytest.mark.parametrize("in_space", [False, True])
    def test_plotly_is_a_tenth_smaller_where_brotli_is_taken(self, in_space):
        def sent(accepted):
            path = plotly_url(in_space=in_space)
            return ask(lambda _: Router(compressed_files.routes()), path, accept_encoding=accepted)[2]

        whole, gzipped, by_brotli = sent("identity"), sent("gzip"), sent("gzip, br")
        assert gzip.decompress(gzipped) == whole == unpacked(by_brotli, "br", len(whole))
        assert len(by_brotli) < 0.92 * len(gzipped)

    @pytest.mark.parametrize(
        "path", ["/static/js/../../index.html", "/static/js/none.js", "/static/media/x.png", "/static/js/", "/corrections"]
    )
    def test_everything_else_is_handed_on(self, path):
        assert ask(CompressedFiles, path, accept_encoding="gzip")[0] == 299
        assert ask(CompressedFiles, "/static/js/none.js", within=streamlits_files)[1]["content-type"] == "text/html"

    @pytest.mark.parametrize(
        ("bundle", "kind", "traces"),
        [
            (CARTESIAN, "cartesian", ("bar", "box", "heatmap", "scatter")),
            (SURFACES, "surfaces", ("heatmap", "scatter", "scatter3d", "surface")),
        ],
    )
    def test_plotly_has_the_version_of_the_python_package_and_what_charts_draw(self, bundle, kind, traces):
        assert bundle.name == f"plotly-{kind}-{get_plotlyjs_version()}.min.js.br"
        content = unpacked_bundle(bundle)
        assert content.startswith(f"/**\n* plotly.js ({kind} - minified) v{get_plotlyjs_version()}".encode())
        assert hashlib.sha256(content).hexdigest() in (bundle.parent / "README.md").read_text()
        for trace in traces:
            assert f'name:"{trace}"'.encode() in content

    def test_charts_have_no_parts_that_the_bundles_lack(self):
        parts = re.compile(r"""["']?(images|rangeselector|rangeslider|sliders|updatemenus)["']?\s*[=:]\s*[\[{d]""")
        assert parts.search("updatemenus=[dict()]")
        assert not [path for path in (ROOT / "pages").rglob("*.py") if parts.search(path.read_text())]

    @pytest.mark.parametrize("name", FONTS)
    def test_a_font_takes_the_place_of_streamlits(self, name):
        theirs = STATIC / "media" / name
        assert theirs.exists(), "Streamlit has another font: make ours anew, as fonts/README.md says"
        status, headers, body = ask(CompressedFiles, f"/static/media/{name}")
        assert (status, headers["content-type"], body) == (200, "font/woff2", FONTS[name].read_bytes())
        assert len(body) < 0.45 * theirs.stat().st_size

    def test_pages_name_no_icon_that_the_font_may_not_have(self):
        assert not [path for path in (ROOT / "pages").rglob("*.py") if ":material/" in path.read_text()]

    def test_plotlys_routes(self):
        scripts = component.script_url("{file}")
        assert [route.path for route in compressed_files.routes()] == [plotly_url(), plotly_url(in_space=True), scripts]
        assert plotly_url() != plotly_url(in_space=True)

    def test_the_scripts_of_components_are_served(self):
        assert {"kept_chart", "dragged", "small_table"} <= {name.rpartition("-")[0] for name in component.SCRIPTS}
        for file, script in component.SCRIPTS.items():
            status, headers, body = ask(lambda _: Router(compressed_files.routes()), component.script_url(file))
            assert (status, headers["content-type"], body.decode()) == (200, "text/javascript; charset=utf-8", script)
            assert "immutable" in headers["cache-control"]
            assert "export default" in script
        assert ask(lambda _: Router(compressed_files.routes()), component.script_url("none.js"))[0] == 404

    def test_the_name_of_a_script_changes_with_its_content(self):
        before = dict(component.SCRIPTS)
        try:
            for script in ("export default () => 1;", "export default () => 2;"):
                component.component("named", "", js=script)
            assert len([file for file in component.SCRIPTS if file.startswith("named-")]) == 2
        finally:
            component.SCRIPTS.clear()
            component.SCRIPTS.update(before)


class TestKnownHosts:
    @pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:8501", "192.168.0.7:80", "LOCALHOST"])
    def test_its_own_names_and_addresses_are_let_in(self, host):
        assert ask(KnownHosts, "/", host=host)[0] == 299

    @pytest.mark.parametrize(
        "host", ["", "elsewhere.example", "localhost.elsewhere.example", "[::1", "127.0.0.1.elsewhere.example"]
    )
    def test_others_are_told_what_to_set(self, host):
        status, _, body = ask(KnownHosts, "/_stcore/health", host=host)
        assert status == 421
        assert b"QUANTIFICATION_LAB_HOSTS" in body

    def test_a_listed_name_is_let_in(self, monkeypatch):
        monkeypatch.setattr(visitors, "_names", lambda: frozenset({"lab.example"}))
        assert ask(KnownHosts, "/", host="lab.example:443")[0] == 299
        assert ask(KnownHosts, "/", host="localhost")[0] == 421

    @pytest.mark.parametrize(
        ("origin", "own"),
        [
            (None, True),
            ("http://lab.example:80", True),
            ("http://lab.example", False),
            ("null", False),
            ("http://x.example", False),
        ],
    )
    def test_websockets_come_from_its_own_pages(self, origin, own):
        assert visitors.is_from_this_host(origin, "lab.example:80") is own


class TestSessionLimit:
    def test_who_comes_when_it_is_full_is_asked_to_wait(self, monkeypatch):
        monkeypatch.setattr(visitors, "limit", lambda key: {"SESSIONS": 0}[key])
        status, headers, body = ask(SessionLimit, "/corrections", accept="text/html")
        assert status == 503
        assert headers["retry-after"] == "10"
        assert b"0 pages are open on this server" in body

    def test_files_of_open_pages_are_served_all_the_same(self, monkeypatch):
        monkeypatch.setattr(visitors, "limit", lambda key: {"SESSIONS": 0}[key])
        assert ask(SessionLimit, "/static/js/index.js", accept="*/*")[0] == 299


def test_nothing_a_person_supplies_is_drawn_as_html():
    """The one place that draws HTML draws the app's own style."""
    drawing = {path for path in (ROOT / "pages").rglob("*.py") if re.search(r"unsafe_allow_html|st\.html\(", path.read_text())}
    assert {path.name for path in drawing} == {"layout.py"}


def test_the_configuration_is_safe_for_the_public():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"
    assert settings["server"]["enableXsrfProtection"] is True
    assert settings["server"]["enableCORS"] is True
    assert settings["server"]["address"] == "localhost"


def test_the_script_of_the_history_stands_before_streamlits_own():
    html = opening_html(HTML, PAGES["corrections"])
    assert html.index(HISTORY_SCRIPT) < html.index('<script type="module"')


def test_no_other_site_may_show_the_app_in_a_frame(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    _, headers, _ = ask(SecurityHeaders, "/")
    assert headers["content-security-policy"].endswith("frame-ancestors 'self'")
    assert headers["x-frame-options"] == "SAMEORIGIN"


def test_sites_that_are_named_may(monkeypatch):
    monkeypatch.setenv(VARIABLE, "https://moodle.example.org, *.example.net:8443")
    _, headers, _ = ask(SecurityHeaders, "/")
    assert headers["content-security-policy"].endswith("frame-ancestors 'self' https://moodle.example.org *.example.net:8443")
    assert "x-frame-options" not in headers


@pytest.mark.parametrize("sites", ["moodle; script-src *", "a b", "*", "javascript:x", "https://a.org/path"])
def test_a_site_that_is_none_ends_the_server_with_a_sentence(sites, monkeypatch):
    monkeypatch.setenv(VARIABLE, sites)
    with pytest.raises(SystemExit, match="sites whose pages may show the app"):
        start.prepare()


def test_a_cluster_that_is_none_ends_the_server_with_a_sentence(monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_DASK", "nowhere")
    heavy.jobs.cache_clear()
    with pytest.raises(SystemExit, match="scheduler must be an address with a host and a port, got 'nowhere'"):
        start.prepare()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are not blocked by thread here")
def test_a_server_that_has_ended_in_order_is_not_ended_by_the_signal_that_comes_again():
    with ThreadPoolExecutor(1) as thread:
        thread.submit(start._end_in_order).result()
        assert signal.SIGTERM in thread.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
