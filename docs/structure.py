"""The picture of the rooms of qcore and their imports: python -m docs.structure writes docs/structure.svg."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "structure.svg"
TOPICS: Final = {
    "_base": "validation and InvalidInput, registry, random streams, threads",
    "losses": "losses between a true and an estimated prevalence: LOSSES",
    "measures": "of contingency tables, rate curves, probabilities: MEASURES",
    "datasets": "Dataset, and where data sets come from: DATASETS",
    "classifiers": "scikit-learn classifiers and the field's learners: CLASSIFIERS",
    "scoring": "data set + classifier + seed -> out-of-fold scores and pool scores",
    "protocols": "labels -> samples with their true prevalences: PROTOCOLS",
    "quantifiers": "scores of a sample -> prevalence: QUANTIFIERS, MULTICLASS",
    "evaluation": "quantifiers x samples -> estimates -> losses -> summaries",
    "intervals": "how far an estimate scatters",
    "studies": "what a page investigates beyond that",
    "recommender": "MLQ: metafeatures, metatable, which quantifier to choose",
}
"""The rooms in their order: each imports from those above it."""

_ROW: Final = 46
_LEFT: Final = 330
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")


def imports_between_rooms() -> dict[tuple[str, str], int]:
    """(room, room that it imports from) -> number of modules that do."""
    counts: dict[tuple[str, str], int] = {}
    for path in sorted((ROOT / "qcore").rglob("*.py")):
        room = path.relative_to(ROOT / "qcore").parts[0]
        nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom) and node.module]
        sources = {str(node.module).split(".")[1] for node in nodes if str(node.module).startswith("qcore.")}
        for source in sources - {room}:
            if room in TOPICS and source in TOPICS:
                counts[room, source] = counts.get((room, source), 0) + 1
    return counts


def picture() -> str:
    """The picture as SVG: a row for each room, an arc to each room that it imports from, wider where more modules do."""
    rooms, counts = list(TOPICS), imports_between_rooms()
    modules = {room: sum(1 for path in (ROOT / "qcore" / room).rglob("*.py") if path.stem != "__init__") for room in rooms}
    height = _ROW * len(rooms) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 980 {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="980" height="{height}" fill="#FFFFFF"/>',
    ]
    for (room, source), number in sorted(counts.items()):
        low, high = (_ROW * rooms.index(name) + 30 for name in (source, room))
        reach = 28 + 21 * (rooms.index(room) - rooms.index(source))
        colour = _COLOURS[rooms.index(source) % len(_COLOURS)]
        path = f"M {_LEFT} {high} C {_LEFT - reach} {high}, {_LEFT - reach} {low}, {_LEFT} {low}"
        title = f"<title>{number} modules of {room} import from {source}</title>"
        width = min(1 + number / 4, 4)
        parts.append(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-opacity="0.7" stroke-width="{width:g}">{title}</path>'
        )
    for i, room in enumerate(rooms):
        y = _ROW * i + 30
        parts.append(f'<rect x="{_LEFT}" y="{y - 16}" width="630" height="32" rx="5" fill="#F2F5F8" stroke="#8A97A5"/>')
        parts.append(f'<text x="{_LEFT + 12}" y="{y + 5}" font-weight="700" fill="#16202B">{room}</text>')
        text = TOPICS[room].replace("&", "&amp;").replace("->", "→").replace("<", "&lt;")
        parts.append(f'<text x="{_LEFT + 128}" y="{y + 5}" fill="#3A4653">{text}</text>')
        parts.append(f'<text x="{_LEFT + 618}" y="{y + 5}" fill="#5A6673" text-anchor="end">{modules[room]}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture())
    print(f"wrote {PICTURE.relative_to(ROOT)}")
