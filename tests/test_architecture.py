"""The folders keep their order and their size; read from the files themselves."""

import ast
import re
import subprocess
import sys
from inspect import signature
from itertools import chain
from pathlib import Path

import pytest

from docs.structure import LAST_OF_CORE
from pages.listed import PAGES as LISTED

ROOT = Path(__file__).parents[1]
ROOMS = [
    "_base",
    "losses",
    "measures",
    "datasets",
    "classifiers",
    "scoring",
    "protocols",
    "quantifiers",
    "evaluation",
    "intervals",
    "watching",
    "estimator",
    "displays",
    "studies",
    "recommender",
]
"""The folders of qcore: each imports from those before it and from itself."""

SHARED_ROOMS = ["settings", "work", "own_data", "pipeline", "charts", "frame", "handout", "server"]
"""The rooms of pages that are no page, `pipeline` in one file: each imports from those before it and from itself."""

CORE_FILES = sorted(path for path in (ROOT / "qcore").rglob("*.py") if path.parent != ROOT / "qcore")
PAGES = sorted((ROOT / "pages").glob("*/page.py"))
PAGE_NAMES = [path.parent.name for path in PAGES]
ROOM_FILES = [*sorted((ROOT / "pages").glob("*/**/*.py")), ROOT / "pages" / "pipeline.py"]
INTERNALS = ROOT / "pages" / "streamlit_internals.py"


def imports(path: Path) -> set[str]:
    """Dotted names that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def packages(path: Path) -> set[str]:
    """The top-level packages that a file imports."""
    return {name.split(".")[0] for name in imports(path)}


def test_only_rooms_are_in_qcore():
    inside = {path.name for path in (ROOT / "qcore").iterdir() if path.name != "__pycache__"}
    assert inside == {"__init__.py", "__main__.py", "base.py", "README.md", "py.typed", *ROOMS}


@pytest.mark.parametrize("path", [ROOT / "app.py", *ROOM_FILES, *sorted((ROOT / "benchmarks").rglob("*.py"))], ids=dotted)
def test_programs_on_top_of_qcore_use_what_is_public(path):
    """What they need of the foundation is in `qcore.base`."""
    private = {name for name in imports(path) if name.startswith("qcore.") and re.search(r"\._(?!_)", name)}
    assert not private, f"{dotted(path)} imports {', '.join(sorted(private))}"


@pytest.mark.parametrize("path", CORE_FILES, ids=dotted)
def test_a_module_imports_only_from_rooms_before_its_own(path):
    room = path.relative_to(ROOT / "qcore").parts[0]
    for name in imports(path):
        if name.startswith("qcore."):
            other = name.split(".")[1]
            assert other in ROOMS, f"{dotted(path)} imports {name}: import the module that defines it"
            assert ROOMS.index(other) <= ROOMS.index(room), f"{dotted(path)} imports {name}, which is a later room"


def test_the_core_is_loaded_without_what_stands_on_it():
    """The rooms up to `evaluation`: without the package's own file, which imports all rooms."""
    code = f"""
import sys, types
package = types.ModuleType("qcore")
package.__path__ = [{str(ROOT / "qcore")!r}]
sys.modules["qcore"] = package
import qcore.classifiers, qcore.evaluation, qcore.losses, qcore.protocols, qcore.quantifiers, qcore.scoring
print(*sorted({{name.split(".")[1] for name in sys.modules if name.startswith("qcore.")}}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert set(done.stdout.split()) <= set(ROOMS[: ROOMS.index(LAST_OF_CORE) + 1])


@pytest.mark.parametrize("path", CORE_FILES, ids=dotted)
def test_the_core_knows_no_app(path):
    assert not packages(path) & {"streamlit", "plotly", "pages", "app"}


def room_of(path: Path) -> str:
    return path.relative_to(ROOT / "pages").with_suffix("").parts[0]


def rooms_imported(path: Path) -> set[str]:
    """The rooms of pages that a file imports from, with its own."""
    # A command needs all pages: it stands where `app.py` does.
    known = {INTERNALS.stem, *(["listed"] if "__main__" in path.read_text() + path.name else [])}
    return {name.split(".")[1] for name in imports(path) if name.startswith("pages.")} - known


def test_only_pages_and_shared_rooms_are_in_pages():
    there = {path.name for path in (ROOT / "pages").iterdir() if path.name != "__pycache__"}
    assert there == {
        *PAGE_NAMES,
        *(room for room in SHARED_ROOMS if room != "pipeline"),
        "pipeline.py",
        *(INTERNALS.with_suffix(end).name for end in (".py", ".js", ".html")),
        "start_command.py",
        "listed.py",
    }


@pytest.mark.parametrize("path", [path for path in ROOM_FILES if room_of(path) in SHARED_ROOMS], ids=dotted)
def test_a_shared_room_imports_from_those_before_it_and_from_no_page(path):
    earlier = SHARED_ROOMS[: SHARED_ROOMS.index(room_of(path)) + 1]
    assert rooms_imported(path) <= set(earlier), f"{dotted(path)} may import from {earlier}"


@pytest.mark.parametrize("path", [path for path in ROOM_FILES if room_of(path) in PAGE_NAMES], ids=dotted)
def test_no_page_imports_from_another(path):
    assert rooms_imported(path) <= {*SHARED_ROOMS, room_of(path)} - {"server"}


def is_pure(function: ast.FunctionDef) -> bool:
    """Whether a function makes a figure or sentences: its result is a Figure, or text and its name says so."""
    result = ast.unparse(function.returns) if function.returns else ""
    says = function.name.endswith(("sentence", "sentences", "finding", "findings", "verdict"))
    return "Figure" in result or (says and "str" in result)


PURE = [
    pytest.param(function, id=f"{dotted(path)}.{function.name}")
    for path in ROOM_FILES
    for function in ast.walk(ast.parse(path.read_text()))
    if isinstance(function, ast.FunctionDef) and is_pure(function)
]


@pytest.mark.parametrize("function", PURE)
def test_what_makes_figures_and_sentences_names_neither_streamlit_nor_a_control(function):
    attributes = [node.value for node in ast.walk(function) if isinstance(node, ast.Attribute)]
    assert not {one.id for one in attributes if isinstance(one, ast.Name)} & {"st", "control"}


def test_figures_and_sentences_are_found():
    assert len(PURE) > 150


@pytest.mark.parametrize("path", PAGES, ids=dotted)
def test_pages_are_short_and_compute_nothing(path):
    assert len(path.read_text().splitlines()) <= 200
    assert not packages(path) & {"numpy", "pandas", "scipy", "sklearn", "plotly"}


@pytest.mark.parametrize("page", LISTED.values(), ids=lambda page: page.name)
def test_a_tab_is_given_what_it_takes(page):
    for tab in chain.from_iterable(tab.parts or (tab,) for tab in page.tabs):
        taken = [one for one in signature(tab.draw).parameters.values() if one.default is one.empty]
        assert len(taken) == len(tab.needs) + len(tab.may_use), tab.title


def test_answers_are_shared_where_pages_compute():
    holders = {path for path in ROOM_FILES if "\n@shared\n" in path.read_text() or "\n@work(" in path.read_text()}
    for path in holders:
        assert path.stem.endswith("computations") or room_of(path) in ("pipeline", "own_data"), dotted(path)
    assert not [path for path in ROOM_FILES if "@st.cache_" in path.read_text()], "bounded in bytes: @shared"


def test_private_parts_of_streamlit_are_in_one_file():
    public = {
        "streamlit",
        "streamlit.config",
        "streamlit.delta_generator.DeltaGenerator",
        "streamlit.errors.StreamlitAPIException",
        "streamlit.navigation.page.StreamlitPage",
        "streamlit.runtime.uploaded_file_manager.UploadedFile",
        "streamlit.testing.v1.AppTest",
    }
    for path in ROOM_FILES:
        assert {name for name in imports(path) if name.split(".")[0] == "streamlit"} <= public, dotted(path)


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "pages").glob("*/test_*.py")), ids=dotted)
def test_tests_of_pages_mirror_the_rooms(path):
    """A test file is in the folder of its room."""
    assert (ROOT / "pages" / path.parent.name).is_dir()


def texts_taken(path: Path) -> set[str]:
    """The headings by which a file takes texts: as an index, by `_text`, or as keys of what stands beside the texts."""
    places: list[ast.AST | None] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).startswith(("TEXTS", "texts_of(")):
            places.append(node.slice)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "_text":
            places += node.args
        elif isinstance(node, ast.Dict):
            places += node.keys
    within = [part for place in places if place for part in ast.walk(place)]
    return {str(part.value) for part in within if isinstance(part, ast.Constant)}


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("*/texts.md")), ids=lambda path: path.parent.name)
def test_every_text_is_shown(path):
    """Each heading of a page's prose is taken by its code; the key of a control or a chart may be the same word."""
    taken = set().union(*map(texts_taken, path.parent.glob("*.py")))
    assert set(re.findall(r"^## (.+)$", path.read_text(), re.MULTILINE)) <= taken


def test_every_page_has_its_tests():
    assert {path.parent.name for path in (ROOT / "tests" / "pages").glob("*/test_page.py")} == set(PAGE_NAMES)


@pytest.mark.parametrize("path", sorted((ROOT / "pages").rglob("*.js")), ids=dotted)
def test_scripts_of_the_browser_stay_small(path):
    assert len(path.read_text().splitlines()) <= 500, "a file that grows past 500 lines is two ideas"


@pytest.mark.parametrize(
    "path", [p for d in ("qcore", "pages", "benchmarks") for p in sorted((ROOT / d).rglob("*.py"))], ids=dotted
)
def test_files_and_functions_stay_small(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 500, "a file that grows past 500 lines is two ideas"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = (node.end_lineno or 0) - node.body[0].lineno + 1
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(node.body) > 1:
                body = (node.end_lineno or 0) - node.body[1].lineno + 1
            assert body <= 60, f"{node.name} has {body} lines"
