"""A view or a lesson as a file: it holds what the page has drawn, and names nothing from elsewhere."""

import json
import re
import subprocess
import sys

import pandas as pd
import pytest

import pages.charts.chart  # noqa: F401 - a file holds components that are registered
from pages.frame.view import view_of_link
from pages.handout.__main__ import main
from pages.handout.command import recorded_view
from pages.handout.document import MARK, Section, document, in_space, with_plotly
from pages.handout.drawn import Drawn, drawn_page
from pages.learn.handout import file_of_lesson
from pages.learn.handout import main as handout_main
from pages.learn.lesson_file import read_lesson
from pages.learn.library import FOLDER_VARIABLE, lessons
from pages.listed import PAGES
from pages.settings.control import escaped
from pages.streamlit_internals import Sent
from qcore import InvalidInput
from tests.browser.server import ROOT
from tests.pages.app import components, open_share_menu, run

SMALL = {
    "test-size": "?sizes=5+10&points=11&runs=2&data=iris",
    "search-space": "?n_pos=30&n_neg=40&data=iris",
}
PATHS = [page.path for page in PAGES.values() if page.has_file]


def held(text, name):
    """What a file holds under that name."""
    return json.loads(re.search(f'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL)[1])


@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_a_file_with_its_charts(path):
    section, app = recorded_view(view_of_link(f"/{path}{SMALL.get(path, '')}"), {})
    text = document("A page", [section])
    charts = [part["data"] for part in held(text, "parts") if part["name"] == "kept_chart"]
    drawn = [one.proto for one in app.get("bidi_component") if one.proto.component_name == "kept_chart"]
    stamps = {json.loads(one.bytes)["stamp"] for one in drawn}
    assert charts
    assert {chart["stamp"] for chart in charts} <= stamps, "each chart is one of the page's, unchanged"
    assert text.count("data-part=") == len(held(text, "parts"))
    assert section.title in text
    assert text.count(MARK) == 1
    assert path in ("", "compare", "losses") or "Data: " in text, "where the data are from"
    assert in_space(text) == (path == "search-space")


def test_it_names_nothing_from_elsewhere():
    section, _ = recorded_view(view_of_link("/corrections?threshold=0.4"), {})
    text = document("A page", [section])
    assert not re.findall(r"""(?:src|href)=["']?(?!data:)""", text.partition("<script")[0].partition("</style>")[2])
    policy = re.search('Content-Security-Policy" content="([^"]+)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src" not in policy, "which default-src forbids"
    assert "unsafe-eval" not in policy


def test_what_cannot_be_dragged_without_a_server_is_left_out():
    section, _ = recorded_view(view_of_link("/error-by-prevalence"), {})
    assert not [part for part in held(document("", [section]), "parts") if part["name"] == "dragged"]
    section, _ = recorded_view(view_of_link("/corrections"), {})
    bars = [part["data"]["name"] for part in held(document("", [section]), "parts") if part["name"] == "dragged"]
    assert bars == ["threshold"], "prevalence and size are asked of the server"


def test_sections_are_dragged_by_themselves():
    section, _ = recorded_view(view_of_link("/losses"), {})
    parts = held(document("", [section, section]), "parts")
    bars = [part["data"]["name"] for part in parts if part["name"] == "dragged"]
    followed = {one["name"] for part in parts if part["name"] == "kept_chart" for one in json.loads(part["data"]["follows"])}
    assert len(set(bars)) == 2
    assert set(bars) <= followed


def test_texts_end_no_script():
    text = document("</title>", [_section("<script>alert(1)</script>", {"text": "</script><!--"})])
    assert text.count("</script>") == 5
    assert "<script>alert" not in text
    assert held(text, "parts")[0]["data"] == {"text": "</script><!--"}


def _section(words, data):

    hero = Drawn("block", "hero", children={0: Drawn("markdown", text=words), 1: Drawn("small_table", data=data)})
    return Section(words, words, Drawn("block", children={0: hero}))


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


def test_a_lesson_is_one_file():
    lesson = lessons()["counting"]
    text = file_of_lesson(lesson)
    questions = held(text, "questions")
    assert [one["kind"] for one in questions] == [step.question.kind for step in lesson.steps if step.question]
    assert all(one["shown"] or one["kind"] == "draw" for one in questions)
    (drawn,) = [one for one in questions if one["kind"] == "draw"]
    assert json.loads(drawn["curve"]["real"])["x"][0] == 0.0
    assert text.count("<section>") == len(lesson.steps)
    assert "data-hidden=" in text
    assert text == with_plotly(text), "plotly.js is in it, once"


QUESTION = """Question: choice
Which?
- [x] This.
  Because.
- [ ] That.
  No.
"""


def lesson_of(tmp_path, hidden):
    """A lesson of two steps: one at a section that is not the first, one on a page that keeps no results."""
    text = f"""# A lesson
Aim: See it.
Minutes: 1
Order: 1

## First
View: /corrections?data=iris&corrections_section=Over+time
Hide: {hidden}
Without: chart cost

The count is $p' = p \\cdot tpr$.

{QUESTION}
## Second
View: /compare

{QUESTION}"""
    path = tmp_path / "own.md"
    path.write_text(text)
    return read_lesson(path, "en", own=True)


def test_a_step_of_a_lesson_has_its_section_its_formulas_and_only_the_charts_that_it_shows(tmp_path):
    text = file_of_lesson(lesson_of(tmp_path, "chart correction, section"))
    charts = [part["data"]["name"] for part in held(text, "parts") if part["name"] == "kept_chart"]
    assert {"scores", "rates", "correction"} <= set(charts)
    assert "cost" not in charts, "a later step asks for it"
    assert "<h3>Over time</h3>" in text
    assert re.search(r'class="section" data-hidden=', text)
    hidden = re.findall(r'data-part="(\d+)" data-hidden=', text)
    assert [charts_of(text)[int(number)] for number in hidden] == ["correction"]
    assert "<mi>p</mi>" in text
    assert "cdot" not in text.split('<script type="application/octet-stream"')[0]
    assert len(held(text, "questions")) == 2


def charts_of(text):
    """The names of the parts that are charts, by their number."""
    return {number: part["data"]["name"] for number, part in enumerate(held(text, "parts")) if part["name"] == "kept_chart"}


def test_a_chart_that_a_view_does_not_have_is_named(tmp_path):
    with pytest.raises(InvalidInput, match=r"a chart of the step 'First' must be one of its view, got 'cost_in_full'"):
        file_of_lesson(lesson_of(tmp_path, "chart cost_in_full"))


def test_formulas_in_replies_stay_and_what_a_view_has_not_computed_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    found = """# Own
Aim: Try.

## First
View: /corrections

Question: find
Find it.
Check: errors-multiplied 3
Right: At {threshold}, $\\frac{1}{2}$.
Not there: {factor}.
"""
    path = tmp_path / "own.md"
    path.write_text(found)
    (question,) = held(file_of_lesson(read_lesson(path, "en", own=True)), "questions")
    assert re.fullmatch(r"At 0\.\d+, .*frac\{1\}\{2\}.*", question["shown"])
    found = found.replace("errors-multiplied 3", "correction-errs-more AC").replace("Not there: {factor}", "Not there: No")
    path.write_text(found.replace("{threshold}", "a"))
    with pytest.raises(InvalidInput, match=r"the view of the step 'First' must be one that computes what its question asks"):
        file_of_lesson(read_lesson(path, "en", own=True))


def test_the_command_knows_lessons_of_one_language(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / "clase.md").write_text("# Clase\nAim: Contar.\n\n## Uno\nView: /\n\nMira.\n")
    handout_main(["clase", "--language", "es", "--into", str(tmp_path / "clase.html")])
    assert (tmp_path / "clase.html").exists()
    with pytest.raises(SystemExit):
        handout_main(["clase"])
    assert "there is no lesson 'clase'; there are counting" in capsys.readouterr().err


def test_a_lesson_with_a_mistake_is_not_said_to_be_missing(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "mine.md").write_text("# Mine\nAim: Count.\n\n## One\nView: /nowhere\n\nLook.\n")
    with pytest.raises(SystemExit, match=r"^mine\.md, line 5: the page of a link must be one of"):
        handout_main(["mine"])


def test_the_commands_write_no_warnings():
    """Streamlit complains in its log of a missing server, which a teacher who tries a lesson has never heard of."""
    code = 'from pages.handout.command import file_of_link\nfile_of_link("/losses")'
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_sentence_to_copy_is_in_the_file():
    copied = Drawn("copied_text", data={"text": "The share is 40% <of> all."})
    page = Drawn("block", children={0: Drawn("block", "notes", children={0: copied})})
    assert "<p>The share is 40% &lt;of&gt; all.</p>" in document("title", [Section("t", "l", page)])


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
    text = document(name, [Section(name, name, page, {name: pd.DataFrame({name: [name]})})], link=name)
    assert text.count(MARK) == 1
    with_script = with_plotly(text)
    assert len(with_script) - len(text) > 10**5
    assert held(with_script, "parts") == held(text, "parts")
    assert len(re.findall(r"<script[ >]", text)) == 5


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.name)
def test_a_page_whose_file_would_be_of_no_use_does_not_offer_it(page):
    app = open_share_menu(run(page.name))
    assert [one.key for one in app.button if one.key == "interactive_file"] == ["interactive_file"] * page.has_file
