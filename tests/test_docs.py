"""The docs are true of this commit: their pictures are current, their commands and files exist."""

import json
import re

import pandas as pd
import pytest

import qcore
from docs.badges import badges, facts
from docs.structure import CORE, PAGES, PICTURES, README, lines_of_code, picture
from pages.estimate.findings import comparison_sentences
from pages.settings.number_text import enumerated
from qcore import QUANTIFIERS
from qcore.evaluation.experiment import EXPERIMENTS
from qcore.evaluation.experiment.cell import cells
from qcore.intervals.which_shift import NEXT
from qcore.recommender import SampleRecommendation
from qcore.recommender.metatable import CANDIDATES
from tests.browser.server import ROOT
from tests.test_architecture import ROOMS, SHARED_ROOMS

DOCS = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_of_the_rooms_are_those_of_the_imports(name):
    assert (ROOT / "docs" / name).read_text() == picture(*PICTURES[name]), "python -m docs.structure draws it anew"


def test_the_pictures_show_all_rooms():
    assert list(CORE) == ROOMS
    assert list(PAGES) == [*SHARED_ROOMS, "NAME"]


def test_the_readme_of_qcore_says_how_large_its_core_is():
    stated = [int(number.replace(",", "")) for number in re.findall(r"\| ([\d,]+) \|$", README.read_text(), re.MULTILINE)]
    assert stated == pytest.approx(lines_of_code(), rel=0.05), "python -m docs.structure writes it anew"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_commands_and_links_exist(path):
    text = path.read_text()
    for name in re.findall(r"python -m ((?:benchmarks|docs|tests)\.[\w.]+)", text):
        assert (ROOT / name.replace(".", "/")).with_suffix(".py").exists(), name
    for name in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (path.parent / name).exists(), name


@pytest.mark.parametrize("name", ["security.md", "deploying.md"])
def test_the_tests_that_hold_a_promise_exist(name):
    code = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    defined = {*re.findall(r"(?:def|class) ([Tt]est\w+)", code), *(path.stem for path in (ROOT / "tests").rglob("test_*.py"))}
    named = re.findall(r"\b(?:test_|Test[A-Z])\w+", (ROOT / "docs" / name).read_text())
    assert named
    assert {test for test in named if test not in defined} == set()


def test_every_row_of_dangers_names_the_test_that_holds_it():
    rows = re.findall(r"^\|.*\|$", (ROOT / "docs" / "security.md").read_text().split("## What it does not")[0], re.MULTILINE)
    assert [row.split("|")[1].strip() for row in rows[2:] if not re.search(r"\b[Tt]est", row)] == []


@pytest.mark.parametrize("path", [*DOCS, ROOT / "README.md"], ids=lambda path: path.name)
def test_the_rows_of_a_table_have_as_many_cells(path):
    for table in re.findall(r"(?:^\|.*\n)+", path.read_text(), re.MULTILINE):
        assert len({re.sub(r"`[^`]*`", "", row).count("|") for row in table.splitlines()}) == 1, table[:200]


def test_the_table_of_rooms_names_them_all():
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    assert rows == ROOMS


def test_every_benchmark_is_in_the_docs():
    text = (ROOT / "docs" / "benchmarks.md").read_text()
    commands = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text()}
    assert {name for name in commands if f"benchmarks.{name}" not in text} == set()


def numbers_in(measured):
    """All numbers of a file that a benchmark wrote, wherever they stand."""
    if isinstance(measured, dict | list):
        return [number for one in (measured.values() if isinstance(measured, dict) else measured) for number in numbers_in(one)]
    begins = re.match(r"\d+(\.\d+)?", measured) if isinstance(measured, str) else None
    return [float(begins[0])] if begins else [measured] if isinstance(measured, float | int) else []


def not_held(text, name):
    """The figures of a text that the file of a benchmark does not hold.

    A figure is a number of the file, in its unit, in a thousandth of it or in percent, rounded to the digits given.
    """
    measured = json.loads((ROOT / "benchmarks" / "measured" / f"{name}.json").read_text())
    assert {"commit", "machine"} <= set(measured)
    numbers, figures = numbers_in(measured["tables"]), re.findall(r"\d+(?:\.\d+)?", text)
    places = {figure: len(figure.partition(".")[2]) for figure in figures}
    held = {n: {round(abs(number) / unit, n) for number in numbers for unit in (1, 1000, 0.01)} for n in set(places.values())}
    return [figure for figure in figures if float(figure) not in held[places[figure]]]


def test_the_figures_of_benchmarks_are_those_of_their_files():
    text = (ROOT / "docs" / "benchmarks.md").read_text()
    found = rows("benchmarks.md", 4)
    assert len(found) == len(re.findall(r"^\| (?!---|what )", text, re.MULTILINE)), "a row has another number of cells"
    named = {command: re.search(r"benchmarks\.(\w+)", command)[1] for *_, command in found}
    assert set(named.values()) == {path.stem for path in (ROOT / "benchmarks" / "measured").glob("*.json")}
    for _, figure, load, command in found:
        measured = json.loads((ROOT / "benchmarks" / "measured" / f"{named[command]}.json").read_text())
        assert float(load) == round(measured["load before"], 1), command
        assert not_held(figure, named[command]) == [], command
    prose = re.sub(r"`[^`]*`", "", "".join(line for line in text.splitlines() if not line.startswith("|")))
    assert re.findall(r"\d+", prose) == []


def test_what_a_machine_carries_is_what_was_measured():
    carried = rows("deploying.md", 5)
    assert [figure for cells in carried for figure in not_held(" ".join(cells[2:]), "load")] == []
    assert len(carried) > 3


def test_the_experiments_are_as_large_as_the_docs_say():
    text = " ".join((ROOT / "docs" / "experiments.md").read_text().split())
    n_cells = {name: len(cells(settings)) for name, settings in EXPERIMENTS.items()}
    n_problems = {name: len(settings.problems) for name, settings in EXPERIMENTS.items()}
    assert f"{len(EXPERIMENTS['bundled'].pairs)} methods on {n_problems['bundled']} problems" in text
    thesis = [f"barranquero-2013-chapter-{chapter}" for chapter in (5, 6)]
    assert f"{n_problems[thesis[0]]} and {n_problems[thesis[1]]} problems" in text
    assert f"chapter 5 is {n_cells[thesis[0]]} cells" in text
    assert f"`bundled-training` {n_cells['bundled-training']} cells" in text
    said = re.search(r"`maletzke-2020` has (\d+), `(.*)` has (\d+)\.", (ROOT / "docs" / "clusters.md").read_text())
    assert [int(said[1]), int(said[3])] == [n_cells["maletzke-2020"], n_cells[said[2]]]


def test_the_charts_that_benchmarks_wait_for_are_on_a_page():
    code = "".join(path.read_text() for path in (ROOT / "pages").rglob("*.py"))
    waited = {
        name for path in (ROOT / "benchmarks").glob("*.py") for name in re.findall(r"data-name=([\w-]+)", path.read_text())
    }
    assert waited
    assert {name for name in waited if f'key="{name.replace("-", "_")}"' not in code} == set()


def rows(name, columns):
    """The cells of all tables of a page of docs/ that have so many columns, without their heads."""
    lines = re.findall(r"^\| (.*) \|$", (ROOT / "docs" / name).read_text(), re.MULTILINE)
    found = [line.split(" | ") for line in lines]
    return [cells for cells in found if len(cells) == columns and cells[1] != "---" and cells[0] not in ("what", "sessions")]


def test_the_chooser_says_what_the_shift_tests_say():
    assert dict(rows("choosing.md", 2)[1:]) == {found: text.replace("{n}", "some") for found, text in NEXT.items()}


def test_the_chooser_gives_each_quantifier_the_weakness_of_its_entry():
    named = {cells[1].strip("*"): cells[3] for cells in rows("choosing.md", 4) if cells[1].strip("*") in QUANTIFIERS}
    assert set(named) >= {"EMQ", "SORD", "MS", *CANDIDATES}
    assert named == {key: QUANTIFIERS[key].weakness for key in named}
    counts = next(cells for cells in rows("choosing.md", 4) if cells[0].startswith("counts"))
    assert counts[3] == QUANTIFIERS["AC"].weakness


def test_the_chooser_recommends_what_the_page_estimate_recommends():
    text = " ".join((ROOT / "docs" / "choosing.md").read_text().split())
    table = pd.DataFrame({"candidate": ["MS", "SORD"], "votes": 0.5, "error": [0.01, 0.03], "estimate": 0.3})
    said = comparison_sentences(SampleRecommendation(table, 60, 200, 0.3), "AC")[0]
    reason = re.search(r" because its interval (.*?)\. This section", said)[1]
    assert f"Its interval {reason}" in text
    assert f"among {enumerated(CANDIDATES)}" in text


@pytest.mark.parametrize("name", ["teaching.md", "choosing.md", "troubleshooting.md"])
def test_what_is_set_in_italics_is_a_page_a_lesson_or_a_label(name):
    lessons = "".join(path.read_text() for path in (ROOT / "pages" / "learn" / "lessons" / "en").glob("*.md"))
    code = lessons + "".join(path.read_text() for path in (ROOT / "pages").rglob("*.py"))
    text = " ".join((ROOT / "docs" / name).read_text().split())
    named = re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", text)
    assert [one for one in named if one not in code] == []


def test_the_plan_adds_up():
    """Rows follow each other to the end that the heading names; the minutes of homework are those of its lessons."""
    text = (ROOT / "docs" / "teaching.md").read_text()
    for total, part in re.findall(r"^## (\d+) minutes\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL):
        spans = [(int(start), int(end)) for start, end in re.findall(r"^\| (\d+) to (\d+) ", part, re.MULTILINE)]
        assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
        assert spans[-1][1] == int(total)
    minutes = {
        lesson.read_text().splitlines()[0][2:]: int(re.search(r"Minutes: (\d+)", lesson.read_text())[1])
        for lesson in (ROOT / "pages" / "learn" / "lessons" / "en").glob("*.md")
    }
    homework = re.search(r"Homework: the lessons (.*?), (\d+) minutes; or \*(.*?)\*, (\d+)", text)
    assert sum(minutes[name] for name in re.findall(r"\*(.*?)\*", homework[1])) == int(homework[2])
    assert minutes[homework[3]] == int(homework[4])


def test_badges_are_true():
    assert (ROOT / "docs" / "badges.svg").read_text() == badges(), "python -m docs.badges draws them anew"
    assert facts()["version"] == qcore.__version__
