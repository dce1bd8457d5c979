"""A view as a file: it holds what the page has drawn, and names nothing from elsewhere."""

import json
import re
import subprocess
import sys

import pandas as pd
import pytest

import pages.charts.chart  # noqa: F401 - a file holds components that are registered
from pages.frame.talk import spelt
from pages.frame.view import view_of_link
from pages.handout.__main__ import main
from pages.handout.command import file_of_link, recorded_view
from pages.handout.document import MARK, VIEWS, RecordedView, document, in_space, with_plotly
from pages.handout.drawn import Drawn, drawn_page
from pages.listed import PAGES
from pages.settings.control import escaped
from pages.streamlit_internals import Sent
from qcore import InvalidInput
from tests.browser.server import ROOT
from tests.pages.app import components, open_share_menu, run

SMALL = {
    "estimate": "?way=An+example",
    "test-size": "?sizes=5+10&points=11&runs=2&data=iris",
    "search-space": "?n_pos=30&n_neg=40&data=iris",
}
PATHS = [page.path for page in PAGES.values() if page.has_file]


def held(text, name):
    """What a file holds under that name."""
    return json.loads(re.search(f'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL)[1])


@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_a_file_with_its_charts(path):
    view, app = recorded_view(view_of_link(f"/{path}{SMALL.get(path, '')}"), {})
    text = document("A page", view)
    charts = [part["data"] for part in held(text, "parts") if part["name"] == "kept_chart"]
    drawn = [one.proto for one in app.get("bidi_component") if one.proto.component_name == "kept_chart"]
    stamps = {json.loads(one.bytes)["stamp"] for one in drawn}
    assert charts
    assert {chart["stamp"] for chart in charts} <= stamps, "each chart is one of the page's, unchanged"
    assert text.count("data-part=") == len(held(text, "parts"))
    assert view.title in text
    assert text.count(MARK) == 1
    assert path in ("", "compare", "losses") or "Data: " in text, "where the data are from"
    assert in_space(text) == (path == "search-space")


def test_it_names_nothing_from_elsewhere():
    view, _ = recorded_view(view_of_link("/corrections?threshold=0.4"), {})
    text = document("A page", view)
    assert not re.findall(r"""(?:src|href)=["']?(?!data:)""", text.partition("<script")[0].partition("</style>")[2])
    policy = re.search('Content-Security-Policy" content="([^"]+)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src" not in policy, "which default-src forbids"
    assert "unsafe-eval" not in policy


def test_what_cannot_be_dragged_without_a_server_is_left_out():
    view, _ = recorded_view(view_of_link("/error-by-prevalence"), {})
    assert not [part for part in held(document("", view), "parts") if part["name"] == "dragged"]
    view, _ = recorded_view(view_of_link("/corrections"), {})
    bars = [part["data"]["name"] for part in held(document("", view), "parts") if part["name"] == "dragged"]
    assert bars == ["threshold"], "prevalence and size are asked of the server"


def test_texts_end_no_script():
    text = document("</title>", _view("<script>alert(1)</script>", {"text": "</script><!--"}))
    assert text.count("</script>") == 3
    assert "<script>alert" not in text
    assert held(text, "parts")[0]["data"] == {"text": "</script><!--"}


def _view(words, data):
    hero = Drawn("block", "hero", children={0: Drawn("markdown", text=words), 1: Drawn("small_table", data=data)})
    return RecordedView(words, words, Drawn("block", children={0: hero}))


def test_the_tree_is_what_was_sent_last():
    sent = [Sent((0, 1), "block", "hero"), Sent((0, 1, 0), "markdown", text="before")]
    sent += [Sent((0, 1, 0), "markdown", text="after"), Sent((1, 0), "markdown", text="sidebar")]
    tree = drawn_page(sent)
    assert [one.text for one in tree.find("hero").all() if one.text] == ["after"]
    assert "sidebar" not in [one.text for one in tree.all()]


def test_the_menu_saves_the_view_in_front_of_the_person():
    app = open_share_menu(run("losses", true_p="0.37"))
    app.button(key="interactive_file").click().run()
    (data,) = components(app, "interactive_file")
    assert data["name"] == "quantification-lab-losses.html"
    assert "If the truth is 37%" in data["file"]
    assert not [one for one in app.run().get("bidi_component") if one.proto.component_name == "interactive_file"], "once"


def test_the_open_section_is_collected_and_leads_a_file():
    app = open_share_menu(run("corrections", threshold="0.4"))
    assert app.button(key="add_section_to_talk").label == "Add “Threshold” to my talk"
    for key in ("add_section_to_talk", "add_to_talk"):
        app.button(key=key).click().run()
    links = ["/corrections?threshold=0.4&corrections_section=Threshold", "/corrections?threshold=0.4"]
    assert app.session_state["views of the talk"] == links
    at_section, at_picture = (held(file_of_link(f"/?talk={spelt([link])}")[1], "views")[0] for link in links)
    assert '<section id="section"><h2>Threshold</h2>' in at_section
    assert len(held(at_section, "parts")) > len(held(at_picture, "parts")), "with the charts of the section"
    assert "<section" not in at_picture


def test_a_talk_is_saved_view_by_view():
    app = open_share_menu(run("losses", true_p="0.37"))
    app.button(key="add_to_talk").click().run()
    app.button(key="save_talk").click().run()
    (data,) = components(app, "interactive_file")
    assert (data["name"], data["number"]) == ("quantification-lab-talk.html", 1)
    assert "If the truth is 37%" in data["file"]
    assert data["around"].count(VIEWS) == data["around"].count(MARK) == 1
    (stage,) = components(app, "stage")
    assert stage["saving"]["text"] == "The talk is being saved: view 1 of 1, Losses"


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("data=uci:53", "which is not on this machine yet"),
        ("q_counting=&q_adjustment=&q_likelihood=", "No quantifier is chosen"),
    ],
)
def test_a_talk_with_a_view_without_a_picture_is_not_saved_and_its_page_says_why(setting, why):
    app = open_share_menu(run("losses", true_p="0.37"))
    app.session_state["views of the talk"] = [f"/error-by-prevalence?{setting}"]
    app.run().button(key="save_talk").click().run()
    assert not components(app, "interactive_file")
    assert components(app, "stage")[0]["saving"] is None
    assert why in " ".join(one.value for one in [*app.info, *app.warning])
    assert "view 1 of 1 has no picture yet" in app.session_state["url notices"][0]


def test_the_command_writes_it(tmp_path, capsys):
    path = tmp_path / "losses.html"
    main(["http://lab.example.org/losses?true_p=0.37", "--into", str(path)])
    text = path.read_text()
    assert MARK not in text
    assert 'href="http://lab.example.org/losses?true_p=0.37"' in text
    assert "MB" in capsys.readouterr().out
    assert len(text) < 1_500_000


@pytest.mark.parametrize("link", ["/nowhere", "/losses?true_p=2", "/losses?colour=red"])
def test_a_wrong_link_is_said(link, capsys):
    with pytest.raises(SystemExit, match=r"must be|one of"):
        main([link])


def test_a_view_whose_data_are_not_here_is_said():
    with pytest.raises(InvalidInput, match="can be drawn"):
        recorded_view(view_of_link("/error-by-prevalence?data=uci:53"), {})


def test_a_talk_is_one_file_whose_views_share_plotly():
    talk = spelt(["/losses?true_p=0.37", "/corrections?threshold=0.4"])
    name, text = file_of_link(f"/losses?true_p=0.37&present=1&talk={talk}&view=1")
    assert name == "quantification-lab-talk.html"
    first, second = held(text, "views")
    assert "<title>Losses" in first
    assert "<title>Corrections" in second
    _, alone = file_of_link("/corrections?threshold=0.4")
    assert len(text) < 1.5 * len(alone), "plotly.js is there once"
    policy = re.search('Content-Security-Policy" content="([^"]+)"', text)[1]
    assert all(re.search("script-src ('sha256-[^']+')", view)[1] in policy for view in (first, second))


@pytest.mark.thorough
def test_the_commands_write_no_warnings():
    """Streamlit complains in its log of a missing server, which a teacher who tries a lesson has never heard of."""
    code = 'import pages.listed\nfrom pages.handout.command import file_of_link\nfile_of_link("/losses")'
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_sentence_to_copy_is_in_the_file():
    copied = Drawn("copied_text", data={"text": "The share is 40% <of> all."})
    page = Drawn("block", children={0: Drawn("block", "notes", children={0: copied})})
    assert "<p>The share is 40% &lt;of&gt; all.</p>" in document("title", RecordedView("t", "l", page))


HOSTILE = (
    MARK, "PLOTLY-GOES-HERE", "\x000\x00 and \x0099\x00", "</script><script>",
    f"$\\text{{{MARK}}}$ `{MARK}` **{MARK}** [{MARK}](x)",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_no_place_for_plotly(name):
    """Whatever somebody calls a file, a table or a class."""
    kinds = ("markdown", "caption", "copied_text")
    texts = [Drawn(kind, text=text, data={"text": name}) for kind in kinds for text in (name, escaped(name))]
    chart = Drawn("kept_chart", data={"name": "x", "url": "", "figure": name, "follows": "[]", "alt": name, "drags": ""})
    page = Drawn("block", children={0: Drawn("block", "notes", children=dict(enumerate([*texts, chart])))})
    text = document(name, RecordedView(name, name, page, {name: pd.DataFrame({name: [name]})}), link=name)
    assert text.count(MARK) == 1
    with_script = with_plotly(text)
    assert len(with_script) - len(text) > 10**5
    assert held(with_script, "parts") == held(text, "parts")
    assert len(re.findall(r"<script[ >]", text)) == 3


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.name)
def test_a_page_whose_file_would_be_of_no_use_does_not_offer_it(page):
    app = open_share_menu(run(page.name))
    assert [one.key for one in app.button if one.key == "interactive_file"] == ["interactive_file"] * page.has_file
