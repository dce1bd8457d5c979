"""What the README says is true of this commit: what its blocks print, its files and commands, what is registered."""

import re

import numpy as np
import pytest

from pages.frame.citation import BIBTEX
from pages.home import page as home
from pages.listed import PAGES
from qcore import CLASSIFIERS, DATASETS, LOSSES, PROTOCOLS, QUANTIFIERS, evaluation_report, load_dataset, score_dataset
from qcore.__main__ import main
from tests.browser.server import ROOT

TEXT = (ROOT / "README.md").read_text()
PRINTING = re.findall(r"```python\n(.*?)```\n.*?```\n(.*?)```", TEXT, flags=re.DOTALL)
COMMAND, ANSWER = re.search(r"```\n\$ python -m qcore (.*?)\n(.*?)```", TEXT, flags=re.DOTALL).groups()


@pytest.mark.parametrize(("block", "printed"), PRINTING, ids=["five lines", "own quantifier"])
def test_the_python_prints_what_stands_below_it(block, printed, capsys):
    exec(compile(block, "README", "exec"), {})
    said = [re.split(r"[\s\[\]]+", text.strip()) for text in (capsys.readouterr().out, printed)]
    for ours, theirs in zip(*said, strict=True):
        assert ours == theirs or float(ours) == pytest.approx(float(theirs), abs=0.011)


def test_all_python_is_followed_by_what_it_prints():
    assert len(PRINTING) == TEXT.count("```python") == 2


def test_the_command_answers_what_stands_below_it(capsys):
    assert main(COMMAND.split()) == 0
    assert capsys.readouterr().out.startswith(ANSWER)
    estimate = float(re.search(r"AC +([\d.]+)%", ANSWER)[1])
    assert f"**{estimate:.0f}% are urgent, not 40%**" in TEXT


def test_home_says_what_the_readme_says_of_it():
    said = r"In training (\d+)% were 8s\. Today (\d+)% are; counting says (\d+)%, the\s+corrected count (\d+)%"
    training, true, counted, corrected = (int(number) for number in re.search(said, TEXT).groups())
    scores = score_dataset(load_dataset(home.DATA.name), home.SETTINGS)
    report = evaluation_report(scores, home.METHODS, home.PROTOCOL, seed=home.SETTINGS.seed)
    means = 100 * report[np.isclose(report["true"], true / 100)].groupby("method")["estimate"].mean()
    assert training == round(100 * scores.training_labels.mean())
    assert (counted, corrected) == (round(means["CC"]), round(means["AC"]))


DOCS = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"python -m ((?:benchmarks|tests|pages|docs)\.[\w.]*\w)", TEXT + DOCS))))
def test_commands_exist(name):
    path = ROOT / name.replace(".", "/")
    assert path.with_suffix(".py").exists() or (path / "__main__.py").exists()


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#:]+)\)|`((?:qcore|pages|tests|docs)/[\w/.-]+)`", TEXT))
def test_files_exist(path):
    assert (ROOT / next(part for part in path if part)).exists()


def test_make_has_the_commands():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make (\w+)", TEXT):
        assert f"\n{target}:" in makefile or f"{target} " in re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1]


def test_it_is_short():
    assert len(TEXT.split()) <= 900


def test_pages_are_called_what_the_sidebar_calls_them():
    named = re.findall(r"^\| .*\? \| \*\*(.*?)\*\* ?[|:]?", TEXT, re.MULTILINE)
    assert len(named) == 10
    assert set(named) <= {page.title for page in PAGES.values()}


REGISTRIES = {"Quantifiers": QUANTIFIERS, "Losses": LOSSES, "Protocols": PROTOCOLS}


@pytest.mark.parametrize("name", REGISTRIES)
def test_what_is_listed_is_registered(name):
    listed = re.search(rf"^- \*\*{name}\*\*: (.*)$", TEXT, re.MULTILINE).group(1).split(", ")
    assert len(listed) > 2
    assert set(listed) <= set(REGISTRIES[name])


@pytest.mark.parametrize(
    ("said", "registry"), [("23 quantifiers", QUANTIFIERS), ("24 classifiers", CLASSIFIERS), ("ten data sets", DATASETS)]
)
def test_as_many_are_registered_as_it_says(said, registry):
    """Or one more: somebody who adds one need not change the README."""
    assert said in TEXT
    number = int(said.split()[0].replace("ten", "10"))
    assert number <= len(registry) <= number + 1


CITATION = (ROOT / "CITATION.cff").read_text()


@pytest.mark.parametrize("key", ["title", "version", "name"])
def test_the_citation_is_that_of_the_citation_file(key):
    value = re.search(rf'^[ -]*{key}: "?(.*?)"?$', CITATION, re.MULTILINE)[1]
    assert f"{{{value}}}" in BIBTEX


def test_the_citation_has_the_date_that_the_changelog_has():
    """An unreleased version has none."""
    said = re.search(r"^## \[.*?\] - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert re.findall(r'^date-released: "(.*)"$', CITATION, re.MULTILINE) == ([] if said == "unreleased" else [said])
    assert said == "unreleased" or f"{{{said[:4]}}}" in BIBTEX


def test_readme_and_home_cite_alike():
    assert f"```bibtex\n{BIBTEX}```" in TEXT
