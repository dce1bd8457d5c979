"""What the README says is true of this commit: its Python runs, its files and commands exist, its lists are complete."""

import re

import pytest

from qcore import CLASSIFIERS, DATASETS, LOSSES, NAMED_QUANTIFIERS, QUANTIFIERS
from qcore.assumption import SHIFT_KINDS
from qcore.calibration import CALIBRATIONS
from qcore.table_measures import TABLE_MEASURES
from tests.browser.server import ROOT

TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize(
    "block", BLOCKS, ids=["report", "own scores", "several classes", "judgement", "learners", "recommender"]
)
def test_the_python_runs(block, capsys):
    exec(compile(block, "README", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_there_are_such_blocks():
    assert len(BLOCKS) == 6


@pytest.mark.parametrize("name", re.findall(r"python -m (benchmarks\.\w+|tests\.[\w.]+)", TEXT))
def test_commands_exist(name):
    assert (ROOT / name.replace(".", "/")).with_suffix(".py").exists()


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#:]+)\)|`((?:qcore|pages|tests|docs)/[\w/.-]+)`", TEXT))
def test_files_exist(path):
    name = next(part for part in path if part)
    assert (ROOT / name).exists() or name == "tests/browser/screenshots/"


def test_make_has_the_commands():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make (\w+)", "\n".join(re.findall(r"```\n(.*?)```", TEXT, flags=re.DOTALL))):
        assert f"\n{target}:" in makefile


def test_every_registered_thing_is_listed():
    row = {
        name: re.search(rf"\| {name} \| (.*?) \|", TEXT).group(1)
        for name in ("Quantifiers", "Losses", "Classifiers", "Shifts", "Calibrations", "Methods by name", "Measures of tables")
    }
    assert row["Quantifiers"].split(", ") == list(QUANTIFIERS)
    assert row["Losses"].split(";")[0].split(", ") == list(LOSSES)
    assert row["Classifiers"].split(", ") == list(CLASSIFIERS)
    assert row["Shifts"].split(";")[-1].strip().split(", ") == list(SHIFT_KINDS)
    assert row["Calibrations"].split(", ") == [key for key in CALIBRATIONS if key != "none"]
    assert row["Methods by name"].split(", ") == list(NAMED_QUANTIFIERS)
    assert row["Measures of tables"].split(";")[0].split(", ") == list(TABLE_MEASURES)
    words = {"balance": "balance scale", "tictactoe": "tic-tac-toe endgame"}
    for key in DATASETS:
        assert words.get(key, "MONK" if key.startswith("monks") else key) in TEXT
