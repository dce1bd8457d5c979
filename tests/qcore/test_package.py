"""The package as a whole: what it needs, what it exports, whom it cites, what its integers are."""

import ast
import re
import subprocess
import sys

import numpy as np
import pytest

from qcore import CLASSIFIERS, LOSSES, MEASURES, NAMED_QUANTIFIERS, PROTOCOLS, QUANTIFIERS
from qcore._base.random_streams import RandomStream, random_stream
from qcore.losses import ORDERED_LOSSES
from qcore.scoring.calibration import CALIBRATIONS
from tests.browser.server import ROOT

FILES = sorted((ROOT / "qcore").rglob("*.py"))
CITATION = r"((?:dos )?[A-Z][\w-]+(?: et al\.| and [A-Z]\w+)? (?:19|20)\d\d)\b"
LETTER_CODE = r"\((?:[BZSMFQ]|Ma|Mar|Zh)(?: \d|,? (?:eq|Table|Algorithm|theorem|section|p)\b|\))"
WITHOUT = """
import sys
for name in ("plotly", "streamlit", "piqp", "openpyxl", "ucimlrepo"):
    sys.modules[name] = None
import pkgutil, importlib
import qcore
for module in pkgutil.walk_packages(qcore.__path__, "qcore."):
    importlib.import_module(module.name)
from qcore import InvalidInput
from qcore.classifiers import MultivariateSVM
try:
    MultivariateSVM().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
except InvalidInput as error:
    print(error)
"""


def test_it_needs_neither_plotly_nor_piqp():
    result = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "the package piqp must be installed to train a multivariate SVM" in result.stdout
    assert 'pip install "quantification-lab[svm]"' in result.stdout


def sources():
    for entries in (QUANTIFIERS, LOSSES, ORDERED_LOSSES, MEASURES, CLASSIFIERS, PROTOCOLS, CALIBRATIONS, NAMED_QUANTIFIERS):
        yield from (getattr(entry, "source", "") for entry in entries.values())


def test_every_source_is_in_the_references():
    references = (ROOT / "docs" / "references.md").read_text()
    texts = [*sources(), *(path.read_text() for path in FILES)]
    cited = {name for text in texts for name in re.findall(CITATION, text)}
    assert len(cited) > 15
    assert [name for name in sorted(cited) if f"**{name}**" not in references] == []
    for key in ("slides on model evaluation", "QuaPy, evaluation page"):
        assert f"**{key}**" in references


@pytest.mark.parametrize(
    "path",
    [path for folder in ("qcore", "pages", "benchmarks", "tests", "docs") for path in sorted((ROOT / folder).rglob("*.py"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_source_is_a_letter(path):
    """No letter codes such as an initial and a section, and no reference to a specification."""
    text = path.read_text()
    assert not re.search(LETTER_CODE, text.replace(r"\(", ""))
    assert "spec " + "section" not in text


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_indices_have_the_machines_width(path):
    """np.int64 breaks np.bincount where the machine's integer has 32 bits; what needs 64 bits says why on its line."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        assert "int64" not in line or "64 bits" in line or path.name == "samples.py", f"{path.name}:{number}"
    names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    assert "int64" not in names


def test_random_streams_differ():
    assert len({int(stream) for stream in RandomStream.__members__.values()}) == len(RandomStream.__members__)
    first = [random_stream(7, stream).random() for stream in RandomStream]
    assert len({*first, np.random.default_rng(7).random(), random_stream(7, RandomStream.TREND, 1).random()}) == len(first) + 2
    assert first == [random_stream(7, stream).random() for stream in RandomStream]
