"""The recipes of docs/contributing.md, each followed to the letter on a copy: what is added is there, and works."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.browser.server import ROOT

TEXT = (ROOT / "docs" / "contributing.md").read_text()
RECIPES = {
    title: re.findall(r"```python\n# (new file|import in|entry in|line in): (.*?)\n(.*?)```", part, re.DOTALL)
    for title, part in re.findall(r"^### (.*?)\n(.*?)(?=^##)", TEXT, re.DOTALL | re.MULTILINE)
}
RUN_PAGE = """
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=60).run().switch_page("pages/{page}.py").run()
assert not app.exception and not app.error, app.exception
"""
CHECKS = {
    "A quantifier": "from qcore import *; s = score_dataset(load_dataset('iris'))\n"
    "report = evaluation_report(s, ['CC', 'half'], ArtificialPrevalence(11, 10, 3))\n"
    "means = report.groupby('method').estimate.mean()\nassert abs(means['half'] - means['CC'] / 2) < 1e-12\n"
    "assert 'half' in MULTICLASS",
    "A loss": "from qcore import LOSSES; assert abs(LOSSES['LE'].binary(0.2, 0.5) - 0.3) < 1e-12\n"
    + RUN_PAGE.format(page="error_by_prevalence")
    + "assert 'LE' in next(b for b in app.button_group if b.key == 'loss').options",
    "A measure": "from qcore import ParametricMeasure\nfrom qcore.classifiers import MultivariateSVM\n"
    "import numpy as np; x = np.linspace(-2, 2, 20)[:, None]; y = x[:, 0] > 0\n"
    "assert MultivariateSVM('informedness').fit(x, y).score(x, y) == 1\n"
    + RUN_PAGE.format(page="search_space")
    + "assert 'informedness' in app.selectbox(key='measure').options",
    "A classifier": "from qcore import *; key = 'stochastic gradient descent'\n"
    "assert score_dataset(load_dataset('wdbc'), ScoringSettings('malignant', key)).rates[0] > 0.8",
    "A data set": RUN_PAGE.format(page="error_by_prevalence")
    + "app.selectbox(key='data').set_value('two normals').run()\nassert not app.exception and not app.error",
    "A page": RUN_PAGE.format(page="training_prevalence")
    + "def drawn(): return next(e.proto.json for e in app.get('bidi_component') if e.proto.component_name == 'kept_chart')\n"
    "before = drawn()\napp.slider(key='bins').set_value(9).run()\nassert not app.exception and drawn() != before\n"
    "link = next(e.proto.json for e in app.get('bidi_component') if e.proto.component_name == 'copy_link')\n"
    "assert 'bins=9' in link",
}


def follow(recipe, copy):
    """Put each block where it says; returns the files that are new and those that are changed."""
    new, changed = set(), set()
    for action, place, code in recipe:
        name, _, inside = place.partition(", ")
        path = copy / name
        if action == "new file":
            assert not path.exists()
            path.parent.mkdir(exist_ok=True)
            path.write_text(code)
            new.add(name)
            continue
        text, changed = path.read_text(), changed | {name}
        if action == "import in":
            position = text.index("\nfrom ", text.index("from __future__") + 1) + 1
        elif action == "entry in":
            start = text.index(f"\n{inside}: Final")
            position = min(i for i in (text.find("\n)\n", start), text.find("\n    }\n", start)) if i >= 0) + 1
        else:
            position = text.index("\n", text.rindex(" ListedPage(")) + 1
        path.write_text(text[:position] + code + text[position:])
    return new, changed


def test_there_is_a_check_for_each_recipe():
    assert list(RECIPES) == list(CHECKS)


@pytest.mark.parametrize("title", CHECKS)
def test_a_recipe_works_and_touches_no_more_than_it_says(title, tmp_path):
    for name in ("qcore", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", tmp_path)
    _, changed = follow(RECIPES[title], tmp_path)
    assert len(changed) == 1, "one entry, or one line"
    subprocess.run([sys.executable, "-c", CHECKS[title]], cwd=tmp_path, check=True, timeout=120)
