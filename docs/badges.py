"""Draws docs/badges.svg, what the README says in a line: version, Python, licence. `python -m docs.badges` writes it."""

import argparse
import tomllib
from pathlib import Path

import qcore

ROOT = Path(__file__).parents[1]
FILE = "badges.svg"
_LETTER = 7.2
_ROOM = 14


def facts() -> dict[str, str]:
    """What each badge says, from the files that make it true."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {
        "version": qcore.__version__,
        "python": project["requires-python"].replace(">=", "") + " or newer",
        "licence": project["license"],
    }


def badges() -> str:
    """The badges as SVG, side by side."""
    left, parts = 0.0, []
    for name, value in facts().items():
        for text, colour in ((name, "#4A5663"), (value, "#0B6299")):
            width = round(_LETTER * len(text) + _ROOM, 1)
            parts.append(f'<rect x="{left:.1f}" width="{width}" height="22" fill="{colour}"/>')
            parts.append(
                f'<text x="{left + width / 2:.1f}" y="15.5" fill="#FFFFFF" text-anchor="middle">{_escaped(text)}</text>'
            )
            left += width
        left += 8
    label = ", ".join(f"{name} {value}" for name, value in facts().items())
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left - 8:.0f}" height="22" role="img" aria-label="{_escaped(label)}"'
    )
    return "\n".join([f'{head} font-family="Verdana, DejaVu Sans, sans-serif" font-size="12">', *parts, "</svg>"]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, prog="python -m docs.badges").parse_args()
    (ROOT / "docs" / FILE).write_text(badges())
    print(f"wrote docs/{FILE}")
