"""The documentation as a site: nothing that is exported, registered or written is left out. `make docs` builds it."""

import importlib.util
import re
import subprocess
import sys

import pytest

from docs.site.api_pages import by_topic, exported
from docs.site.docstrings import described_in_full
from docs.site.gallery_order import ORDER
from docs.site.mathml import mathml
from docs.site.method_pages import file_name, glossary_page, index_page
from pages.learn.glossary import glossary
from qcore import CLASSIFIERS, LOSSES, MEASURES, NAMED_QUANTIFIERS, PROTOCOLS, QUANTIFIERS
from qcore.intervals import INTERVALS, POSTERIORS
from qcore.losses import ORDERED_LOSSES
from tests.browser.server import ROOT

GALLERY = {path.stem for path in (ROOT / "docs" / "gallery").glob("*.py")}
FORMULAS = {
    f"{entry.key} {n}": entry.formula
    for n, kind in enumerate((QUANTIFIERS, LOSSES, MEASURES))
    for entry in kind.values()
    if getattr(entry, "formula", "")
}


def test_the_reference_has_each_exported_name_once():
    names = [name for topic in by_topic().values() for name in topic]
    assert len(names) == len(set(names))
    assert set(exported("qcore")) <= set(names)
    for name in names:
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute)


@pytest.mark.parametrize("name", [name for topic in by_topic().values() for name in topic])
def test_what_is_in_the_reference_has_an_example(name):
    """Which runs as a doctest."""
    module, _, attribute = name.rpartition(".")
    assert ">>> " in (getattr(importlib.import_module(module), attribute).__doc__ or "")


def test_every_registry_is_in_the_index_of_methods():
    text = index_page()
    for key in (*LOSSES, *ORDERED_LOSSES, *PROTOCOLS, *CLASSIFIERS, *INTERVALS, *POSTERIORS, *NAMED_QUANTIFIERS):
        assert f"| `{key}` |" in text
    assert len({file_name(key) for key in QUANTIFIERS}) == len(QUANTIFIERS)
    for key in QUANTIFIERS:
        assert f"[{key}]({file_name(key)}.md)" in text


@pytest.mark.parametrize("key", QUANTIFIERS)
def test_every_quantifier_says_when_it_fails(key):
    weakness = QUANTIFIERS[key].weakness
    assert len(weakness.split()) >= 6
    assert weakness[0].islower() or weakness.startswith("tpr")
    assert not weakness.endswith(".")


@pytest.mark.parametrize("key", FORMULAS)
def test_every_formula_can_be_shown(key):
    assert mathml(FORMULAS[key], display="block").startswith("<math")


def test_a_command_that_cannot_be_shown_is_named():
    with pytest.raises(ValueError, match="nonsense"):
        mathml(r"\nonsense x", display="inline")


def test_what_follows_a_colon_is_a_description():
    lines = [
        "Parameters",
        "----------",
        "x, y : (n,) each, in [0, 1];",
        "    may be empty.",
        "",
        "Returns",
        "-------",
        "A table.",
    ]
    expected = [*lines[:2], "x, y", "    (n,) each, in [0, 1];", *lines[3:]]
    assert described_in_full(lines) == expected
    assert described_in_full(["Notes", "-----", "a : b"]) == ["Notes", "-----", "a : b"]


def test_every_example_has_its_place():
    assert set(ORDER) == GALLERY
    index = (ROOT / "docs" / "site" / "index.md").read_text()
    for name in GALLERY - {"choose_a_model_for_counting", "quapy_beside_ours"}:
        assert f"gallery/{name}" in index


def test_every_page_of_the_docs_is_listed():
    trees = re.findall(r"```{toctree}\n(.*?)```", (ROOT / "docs" / "site" / "index.md").read_text(), re.DOTALL)
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} | {"glossary"} <= set(" ".join(trees).split())


def test_the_glossary_of_the_site_has_every_term_of_the_app():
    page = glossary_page()
    assert [one.name for one in glossary() if f"- **{one.name}**: {one.sentence}" not in page] == []
    assert page.count("\n- **") == len(glossary())


@pytest.mark.skipif(importlib.util.find_spec("quapy") is None, reason="QuaPy has an environment of its own: make peers")
def test_the_example_with_quapy_runs():
    subprocess.run([sys.executable, "docs/gallery/quapy_beside_ours.py"], cwd=ROOT, check=True)
