"""The folders keep their order and their size; read from the files themselves."""

import ast
from pathlib import Path

import pytest

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
    "studies",
    "recommender",
]
"""The folders of qcore: each imports from those before it and from itself."""

CORE_FILES = sorted(path for path in (ROOT / "qcore").rglob("*.py") if path.parent != ROOT / "qcore")
PAGES = sorted((ROOT / "pages").glob("*.py"))
PAGE_NAMES = [path.stem for path in PAGES]
PURE = sorted(path for folder in ("figures", "findings") for path in (ROOT / "pages" / folder).rglob("*.py"))
PARTS = sorted((ROOT / "pages" / "parts").rglob("*.py"))


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
    assert inside == {"__init__.py", "__main__.py", *ROOMS}


@pytest.mark.parametrize("path", CORE_FILES, ids=dotted)
def test_a_module_imports_only_from_rooms_before_its_own(path):
    room = path.relative_to(ROOT / "qcore").parts[0]
    for name in imports(path):
        if name.startswith("qcore."):
            other = name.split(".")[1]
            assert other in ROOMS, f"{dotted(path)} imports {name}: import the module that defines it"
            assert ROOMS.index(other) <= ROOMS.index(room), f"{dotted(path)} imports {name}, which is a later room"


@pytest.mark.parametrize("path", CORE_FILES, ids=dotted)
def test_the_core_knows_no_app(path):
    assert not packages(path) & {"streamlit", "plotly", "pages", "app"}


@pytest.mark.parametrize("path", PURE, ids=dotted)
def test_figures_and_findings_take_tables_and_know_no_app(path):
    assert "streamlit" not in packages(path)
    assert not {name for name in imports(path) if name.startswith("pages.parts")}
    if "findings" in path.parts:
        assert "plotly" not in packages(path)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_short_and_compute_nothing(path):
    assert len(path.read_text().splitlines()) <= 85
    assert not packages(path) & {"numpy", "pandas", "scipy", "sklearn", "plotly"}


@pytest.mark.parametrize("path", PARTS, ids=dotted)
def test_parts_of_pages_know_no_other_page(path):
    """Parts of one page import nothing of another page; what pages share lies beside their folders."""
    owner = path.relative_to(ROOT / "pages" / "parts").parts[0]
    for name in imports(path):
        parts = name.split(".")
        if parts[:2] == ["pages", "parts"] and len(parts) > 2 and parts[2] in PAGE_NAMES:
            assert parts[2] == owner, f"{dotted(path)} imports {name}, which belongs to another page"


def test_every_folder_of_parts_is_a_page_or_shared():
    folders = {path.name for path in (ROOT / "pages" / "parts").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {*PAGE_NAMES, "cached", "chart_js", "jobs", "server", "settings"}


def test_caches_live_in_one_folder():
    holders = {path.parent.name for path in (ROOT / "pages").rglob("*.py") if "@shared\n" in path.read_text()}
    assert holders == {"cached"}
    assert not [path for path in (ROOT / "pages").rglob("*.py") if "@st.cache_" in path.read_text()], (
        "bounded in bytes: @shared"
    )


@pytest.mark.parametrize("folder", ["figures", "findings"])
def test_tests_mirror_the_folders(folder):
    """A test file of a figure or a finding is named after a module of that folder."""
    modules = {path.stem for path in (ROOT / "pages" / folder).glob("*.py")}
    for path in (ROOT / "tests" / "pages" / folder).glob("test_*.py"):
        assert path.stem.removeprefix("test_") in modules


@pytest.mark.parametrize(
    "path", [p for d in ("qcore", "pages", "benchmarks") for p in sorted((ROOT / d).rglob("*.py"))], ids=dotted
)
def test_files_and_functions_stay_small(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 300, "a file that grows past 300 lines is two ideas"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = (node.end_lineno or 0) - node.body[0].lineno + 1
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(node.body) > 1:
                body = (node.end_lineno or 0) - node.body[1].lineno + 1
            assert body <= 45, f"{node.name} has {body} lines"
