"""What the README says is true of this commit: its Python runs, its files and commands exist, what it lists is registered."""

import re

import pytest

from qcore import CLASSIFIERS, DATASETS, LOSSES, MEASURES, NAMED_QUANTIFIERS, PROTOCOLS, QUANTIFIERS
from qcore.scoring.calibration import CALIBRATIONS
from tests.browser.server import ROOT

TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=["report", "own scores", "own quantifier"])
def test_the_python_runs(block, capsys):
    exec(compile(block, "README", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_there_are_such_blocks():
    assert len(BLOCKS) == 3


DOCS = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"python -m ((?:benchmarks|tests|pages|docs)\.[\w.]*\w)", TEXT + DOCS))))
def test_commands_exist(name):
    path = ROOT / name.replace(".", "/")
    assert path.with_suffix(".py").exists() or (path / "__main__.py").exists()


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#:]+)\)|`((?:qcore|pages|tests|docs)/[\w/.-]+)`", TEXT))
def test_files_exist(path):
    name = next(part for part in path if part)
    assert (ROOT / name).exists() or name == "tests/browser/screenshots/"


def test_make_has_the_commands():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make (\w+)", "\n".join(re.findall(r"```\n(.*?)```", TEXT, flags=re.DOTALL))):
        assert f"\n{target}:" in makefile


def test_it_is_short():
    assert len(TEXT.split()) <= 1200


REGISTRIES = {
    "Quantifiers": QUANTIFIERS, "Losses": LOSSES, "Classifiers": CLASSIFIERS, "Methods by name": NAMED_QUANTIFIERS,
    "Measures": MEASURES, "Protocols": PROTOCOLS, "Calibrations": CALIBRATIONS, "Data sets": DATASETS,
}  # fmt: skip


@pytest.mark.parametrize("name", REGISTRIES)
def test_what_is_listed_is_registered(name):
    listed = re.search(rf"\| {name} \| (.*?) \|", TEXT).group(1).split(", ")
    assert len(listed) > 2
    assert set(listed) <= set(REGISTRIES[name])
