"""What every page offers in its menu "Share": a script that runs and draws, tables that say their settings, a QR code."""

import ast
import contextlib
import io
import re
import shutil

import pytest

from pages.compare.settings import STORED_RUNS
from pages.frame.share import SHARE_MENU, Downloads, qr_code
from pages.listed import PAGES
from qcore import __version__
from tests.pages.app import components, fine, link, run, script

SMALL = {
    "estimate": {"way": "An example"},
    "test_size": {"sizes": "5 10", "points": "5", "runs": "2", "data": "iris"},
    "search_space": {"n_pos": "30", "n_neg": "40", "data": "iris"},
}
WITH_PICTURE = [page.name for page in PAGES.values() if page.has_picture]


@pytest.mark.parametrize("page", WITH_PICTURE)
def test_the_script_of_every_page_runs_from_any_folder_and_draws(page, shown, tmp_path, monkeypatch):
    if page == "compare":
        # Its script runs an experiment, which takes minutes, unless the folder is there.
        shutil.copytree(STORED_RUNS / "bundled", tmp_path / "bundled")
    monkeypatch.chdir(tmp_path)
    app = fine(run(page, **SMALL.get(page, {})))
    source = script(app)
    assert source.startswith(f"# Quantification Lab {__version__}. Once, in a copy of its repository: pip install")
    imported = {
        name.asname or name.name
        for node in ast.parse(source).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert all(len(re.findall(rf"\b{name}\b", source)) > 1 for name in imported), "imports nothing in vain"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, page, "exec"), {})
    assert printed.getvalue().strip()
    assert shown
    assert all(len(figure.data) for figure in shown)


def test_the_script_draws_the_lines_of_the_picture(shown):
    from tests.pages.app import ERROR_PAGE, figures, lines

    app = fine(run(ERROR_PAGE, data="iris", size="15"))
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(script(app), "script", "exec"), {})
    picture = lines(figures(app)[0])
    assert [trace.name for trace in shown[0].data] == list(picture)
    for trace in shown[0].data:
        assert list(trace.y) == pytest.approx(picture[trace.name]["y"])


def test_a_closed_menu_is_not_drawn():
    app = run("losses")
    assert not components(app, "copy_link")
    assert not components(app, "save_picture")
    assert link(app)["true_p"]
    assert components(app, "save_picture"), "an open one is"
    app.session_state[SHARE_MENU] = False
    assert not components(app.run(), "copy_link")


def test_theqr_code_is_a_picture_with_a_name():
    assert qr_code("http://localhost:8501/classifier?data=iris").startswith(b"\x89PNG")


def test_a_view_with_too_many_settings_for_aqr_code_says_so():
    assert qr_code("http://localhost/?" + "x" * 4000) == b""


def test_what_is_offered_is_made_when_it_is_asked_for():
    offered = Downloads()
    offered.csv("Table", lambda: 1 / 0, "table")
    assert offered.tables[0][0] == "Table"
