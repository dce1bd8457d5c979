"""Data flows down the list of layers and imports go up it; read from the imports themselves."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = [
    "qcore.validation",
    "qcore.rounding",
    "qcore.threads",
    "qcore.registry",
    "qcore.losses",
    "qcore.contingency",
    "qcore.qmeasure",
    "qcore.table_measures",
    "qcore.datasets",
    "qcore.classifiers",
    "qcore.scores",
    "qcore.sampling",
    "qcore.protocols",
    "qcore.quantifiers",
    "qcore.inside",
    "qcore.named_quantifiers",
    "qcore.estimates",
    "qcore.multiclass",
    "qcore.summaries",
    "qcore.size_effects",
    "qcore.reuse",
    "qcore.metafeatures",
    "qcore.metatable",
    "qcore.recommendation",
    "qcore.recommendation_effects",
    "qcore.operating",
    "qcore.costs",
    "qcore.uncertainty",
    "qcore.corrections",
    "qcore.trend",
    "qcore.assumption",
    "qcore.search_space",
    "qcore.landings",
    "qcore.conflict",
    "qcore.learners",
    "qcore.calibration",
    "qcore.calibration_effects",
    "qcore.judgement",
    "qcore.findings",
    "qcore.figures",
]
CORE_FILES = sorted(path for path in (ROOT / "qcore").rglob("*.py") if path != ROOT / "qcore" / "__init__.py")
PAGES = sorted((ROOT / "pages").glob("*.py"))
ALLOWED = {"numpy", "pandas", "scipy", "sklearn", "piqp", "threadpoolctl", "qcore"}


def imports(path: Path) -> set[str]:
    """Dotted names that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer(dotted: str) -> int | None:
    return next((i for i, name in enumerate(LAYERS) if dotted == name or dotted.startswith(f"{name}.")), None)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", CORE_FILES, ids=dotted)
def test_a_module_imports_only_from_layers_above(path):
    own = layer(dotted(path))
    assert own is not None, f"{dotted(path)} has no place in LAYERS"
    for name in imports(path):
        if name.startswith("qcore"):
            other = layer(name)
            assert other is not None, f"{dotted(path)} imports {name}: import the module that defines it"
            assert other <= own, f"{dotted(path)} imports {name}, which is further down"


@pytest.mark.parametrize("path", CORE_FILES, ids=dotted)
def test_the_core_knows_no_app(path):
    allowed = ALLOWED | ({"plotly"} if "figures" in path.parts else set())
    others = {name.split(".")[0] for name in imports(path)} - allowed
    assert not {name for name in others if name in {"streamlit", "plotly", "pages", "app"}}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_short_and_compute_nothing(path):
    assert len(path.read_text().splitlines()) <= 85
    assert not {name for name in imports(path) if name.split(".")[0] in {"pandas", "scipy", "sklearn", "plotly"}}


def test_caches_live_in_one_folder():
    holders = {path.parent.name for path in (ROOT / "pages").rglob("*.py") if "st.cache_" in path.read_text()}
    assert holders == {"cached"}


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
