"""The pictures of the rooms and their imports: python -m docs.structure writes structure.svg and structure-of-pages.svg,
and the lines of code of the core of qcore, and of what stands on it, into its README.

They show which room imports from which, and no numbers: they change when a room or an arrow is new, and only then.
"""

import argparse
import ast
import re
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "qcore" / "README.md"
CORE = {
    "_base": "validation and InvalidInput, registry, random streams, threads",
    "losses": "losses between a true and an estimated prevalence: LOSSES",
    "measures": "of contingency tables, rate curves, probabilities: MEASURES",
    "datasets": "Dataset, and where data sets come from: DATASETS",
    "classifiers": "scikit-learn classifiers and the field's learners: CLASSIFIERS",
    "scoring": "data set + classifier + seed -> out-of-fold scores and pool scores",
    "protocols": "labels -> samples with their true prevalences: PROTOCOLS",
    "quantifiers": "scores of a sample -> prevalence: QUANTIFIERS",
    "evaluation": "quantifiers x samples -> estimates -> losses -> summaries",
    "intervals": "how far an estimate scatters",
    "watching": "a share over time",
    "estimator": "fit(X, y) and predict(X)",
    "displays": "Plotly figures of estimators and results, for notebooks",
    "studies": "what a page investigates beyond that",
    "recommender": "MLQ: metafeatures, metatable, which quantifier to choose",
}
"""The rooms of qcore in their order: each imports from those above it."""

LAST_OF_CORE = "evaluation"
"""The last room of the core of qcore; those below it in CORE stand on top."""

PAGES = {
    "settings": "what a setting is, those that pages share, the URL, the controls that show them",
    "work": "answers that sessions share; heavy work: jobs, queue, turns, limits, progress",
    "own_data": "uploads, fetching, the box that asks for them",
    "pipeline": "data set -> scores -> samples -> estimates: the steps that several pages share",
    "charts": "how a chart looks and moves, its browser half, tables, figures of several pages",
    "frame": "what surrounds a page: header, tabs, sidebar, share, presets, navigation",
    "handout": "a view as one HTML file that works without a network",
    "server": "what a browser gets first; several processes",
    "NAME": "a page: everything of it, and of no other",
}
"""The rooms of pages in their order; NAME stands for each of the pages, none of which imports from another."""

PICTURES = {
    "structure.svg": ("qcore", CORE),
    "structure-of-pages.svg": ("pages", PAGES),
}
"""File in docs/ -> the package that it shows, and the rooms."""

_ROW = 46
_LEFT = 330
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")


def imports_between_rooms(package: str, rooms: Mapping[str, str]) -> set[tuple[str, str]]:
    """(room, room that it imports from)."""
    arrows = set()
    for path in (ROOT / package).rglob("*.py"):
        room = _name(path.relative_to(ROOT / package).with_suffix("").parts[0], rooms)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                sources = {_name(name.split(".")[1], rooms) for name in names if name.startswith(f"{package}.")}
                arrows |= {(room, source) for source in sources if source in rooms and source != room and room in rooms}
    return arrows


def _name(folder: str, rooms: Mapping[str, str]) -> str:
    return "NAME" if "NAME" in rooms and (ROOT / "pages" / folder / "page.py").exists() else folder


def picture(package: str, topics: Mapping[str, str]) -> str:
    """The picture as SVG: a row for each room, an arc to each room that it imports from."""
    rooms, arrows = list(topics), imports_between_rooms(package, topics)
    height = _ROW * len(rooms) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 980 {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="980" height="{height}" fill="#FFFFFF"/>',
    ]
    for room, source in sorted(arrows, key=lambda arrow: tuple(map(rooms.index, arrow))):
        low, high = (_ROW * rooms.index(name) + 30 for name in (source, room))
        reach = 28 + 21 * (rooms.index(room) - rooms.index(source))
        colour = _COLOURS[rooms.index(source) % len(_COLOURS)]
        path = f"M {_LEFT} {high} C {_LEFT - reach} {high}, {_LEFT - reach} {low}, {_LEFT} {low}"
        title = f"<title>{room} imports from {source}</title>"
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-opacity="0.7" stroke-width="2">{title}</path>')
    for i, (room, topic) in enumerate(topics.items()):
        y = _ROW * i + 30
        parts.append(f'<rect x="{_LEFT}" y="{y - 16}" width="630" height="32" rx="5" fill="#F2F5F8" stroke="#8A97A5"/>')
        parts.append(f'<text x="{_LEFT + 12}" y="{y + 5}" font-weight="700" fill="#16202B">{room}</text>')
        text = topic.replace("&", "&amp;").replace("->", "→").replace("<", "&lt;")
        parts.append(f'<text x="{_LEFT + 110}" y="{y + 5}" fill="#3A4653">{text}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def lines_of_code() -> tuple[int, int]:
    """Lines of Python in the rooms of the core of qcore, and in those on top of it."""
    rooms = list(CORE)
    lines = [sum(len(path.read_text().splitlines()) for path in (ROOT / "qcore" / room).rglob("*.py")) for room in rooms]
    border = rooms.index(LAST_OF_CORE) + 1
    return sum(lines[:border]), sum(lines[border:])


def with_line_counts(readme: str) -> str:
    """The README of qcore with the lines of code on each side of the line, to the hundred."""
    for row, n_lines in zip(("The core", "On top of it"), lines_of_code(), strict=True):
        readme = re.sub(rf"^(\| {row} \|.*\| )[\d,]+( \|)$", rf"\g<1>{round(n_lines, -2):,}\g<2>", readme, flags=re.MULTILINE)
    return readme


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, prog="python -m docs.structure").parse_args()
    for name, (package, rooms) in PICTURES.items():
        (ROOT / "docs" / name).write_text(picture(package, rooms))
        print(f"wrote docs/{name}")
    README.write_text(with_line_counts(README.read_text()))
    print("wrote the lines of code into qcore/README.md")
