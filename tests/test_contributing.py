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
from streamlit.util import calc_hash
app = AppTest.from_file("app.py", default_timeout=240)
app._page_hash = calc_hash("{path}")
app.run()
assert not app.exception and not app.error, app.exception
"""
CHECKS = {
    "A quantifier": "from qcore import *; s = score_dataset(load_dataset('iris'))\n"
    "report = evaluation_report(s, ['CC', 'median count'], ArtificialPrevalence(11, 10, 3))\n"
    "assert set(report.method) == {'CC', 'median count'}\n"
    "s = score_dataset(load_dataset('iris'), ScoringSettings(None))\n"
    "assert evaluation_report(s, ['median count'], UniformPrevalence(10, 10)).AE.notna().all()",
    "A loss": "from qcore import LOSSES; assert abs(LOSSES['LE'].binary(0.2, 0.5) - 0.3) < 1e-12\n"
    + RUN_PAGE.format(path="error-by-prevalence")
    + "assert 'LE' in next(b for b in app.button_group if b.key == 'loss').options"
    + RUN_PAGE.format(path="compare")
    + "assert 'LE' in app.selectbox(key='compared_loss').set_value('LE').run().selectbox(key='compared_loss').options\n"
    "assert not app.exception and not app.error, app.exception"
    + RUN_PAGE.format(path="more-than-two-classes")
    + "assert 'LE' in app.selectbox(key='class_loss').options",
    "A measure": "from qcore import ParametricMeasure\nfrom qcore.classifiers import MultivariateSVM\n"
    "import numpy as np; x = np.linspace(-2, 2, 20)[:, None]; y = x[:, 0] > 0\n"
    "assert MultivariateSVM('informedness').fit(x, y).score(x, y) == 1\n"
    + RUN_PAGE.format(path="search-space")
    + "assert 'informedness' in app.selectbox(key='measure').options",
    "A classifier": "from qcore import *; key = 'stochastic gradient descent'\n"
    "assert score_dataset(load_dataset('wdbc'), ScoringSettings('malignant', key)).rates[0] > 0.8",
    "A data set": RUN_PAGE.format(path="error-by-prevalence")
    + "app.selectbox(key='data').set_value('two normals').run()\nassert not app.exception and not app.error",
    "A tab": RUN_PAGE.format(path="losses") + "app.session_state['losses_section'] = 'Names'\napp.run()\n"
    "assert any('AE: Absolute error' in one.value for one in app.markdown)",
    "A page": RUN_PAGE.format(path="score-distribution")
    + "app.session_state['share_menu'] = True\napp.run()\n"
    + "link = next(e.proto.json for e in app.get('bidi_component') if e.proto.component_name == 'copy_link')\n"
    "assert 'bins=20' in link",
}
TESTS = {
    "A quantifier": ["quantifiers/test_quantifiers.py", "quantifiers/test_median_count.py", "quantifiers/test_all_classes.py"],
    "A loss": ["losses", "classifiers/test_multivariate_svm.py", "../pages/settings/test_offered_entries.py"],
    "A measure": ["measures"],
    "A classifier": ["scoring/test_plan.py", "scoring/test_duration.py"],
    "A data set": ["datasets/test_datasets.py"],
    "A tab": ["../pages/losses"],
    "A page": ["../pages/score_distribution", "../pages/frame/test_share.py", "../pages/settings"],
}
"""What a contributor's tests are of each kind of thing, below tests/qcore, beside those of the docs and of the rooms."""
NEW_NAMES = (
    "median", "slow_definitions", "[LE", "LE]", "informedness", "gradient", "normals", "score_distribution", "test_every_page",
    "test_offered_entries", "test_names",
)  # fmt: skip
"""Which of them: the others know nothing of what is new."""
EVERYWHERE = ("test_architecture", "test_docs", "test_readme")


def follow(recipe, copy):
    """Put each block where it says; returns the files that are new and those that are changed."""
    new, changed = set(), set()
    for action, place, code in recipe:
        name, _, inside = place.partition(", ")
        path = copy / name
        if action == "new file":
            assert not path.exists()
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(code)
            new.add(name)
            continue
        text, changed = path.read_text(), changed | {name}
        if action == "import in":
            position = re.search(r"^from (?!__future__)", text, re.MULTILINE).start()
        elif action == "entry in":
            start = re.search(rf"^{inside}\b.*= ", text, re.MULTILINE).start()
            position = min(i for i in (text.find("\n)\n", start), text.find("\n    }\n", start)) if i >= 0) + 1
        else:
            position = text.index("\n", text.index(inside.removeprefix("after "))) + 1
        path.write_text(text[:position] + code + text[position:])
        subprocess.run([sys.executable, "-m", "ruff", "check", "-q", "--fix", "--select", "I", name], cwd=copy, check=True)
    return new, changed


def test_there_is_a_check_for_each_recipe():
    assert list(RECIPES) == list(CHECKS)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The project without what is made or fetched, with all that the recipes add."""
    copy = tmp_path_factory.mktemp("project") / "copy"
    # What Python has compiled is copied, too: it belongs to files of the same time.
    made = shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis", "screenshots", "node_modules")
    shutil.copytree(ROOT, copy, ignore=made)
    for title, recipe in RECIPES.items():
        _, changed = follow(recipe, copy)
        assert len(changed) == 1, f"{title}: one entry, or one line"
    return copy


def run(copy, *command):
    subprocess.run([sys.executable, *command], cwd=copy, check=True, timeout=900)


def test_what_the_recipes_add_works(copy):
    run(copy, "-c", "\n".join(CHECKS.values()))


@pytest.mark.thorough
def test_ci_would_pass(copy):
    """Lint, the contract of each kind of thing, the docs, the rooms."""
    run(copy, "-m", "ruff", "check", ".")
    run(copy, "-m", "ruff", "format", "--check", ".")
    files = [f"tests/qcore/{name}" for names in TESTS.values() for name in names] + [f"tests/{name}.py" for name in EVERYWHERE]
    run(copy, "-m", "pytest", "-q", "-x", *files, "-k", " or ".join((*NEW_NAMES, *EVERYWHERE)))
