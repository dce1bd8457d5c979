"""What a run has drawn, as parts of a file; Markdown as HTML."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from latex2mathml.converter import convert

from pages.streamlit_internals import Sent

_ESCAPED = re.compile(r"\\([\\`*_\[\]$<>!~|#:.()-])")
_INLINE = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])[*_](\S(?:.*?\S)?)[*_](?![\w*])"), r"<em>\1</em>"),
    (re.compile(r":(?:gray|small)\[((?:[^\[\]]|\[[^\]]*\])*)\]"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^\s)]+)\)"), r'<a href="\2">\1</a>'),
    (re.compile(r"\[([^\]]+)\]\([^\s)]*\)"), r"\1"),
)
_CODE = re.compile(r"`([^`]+)`")
_FORMULA = re.compile(r"(?<!\\)\$\$?((?:\\.|[^$\\])+?)\$\$?")
_NAME = re.compile(r"\\(?:text|operatorname|mathrm|mathbf)\{[^}]*\}|\\[a-zA-Z]+|[a-zA-Z]{2,}")
"""A command with its name, another command, or a name of several letters, which is one symbol."""
_ITEM = re.compile(r"\s*[-*] +(.*)")


def inline(text: str) -> str:
    r"""The HTML of a line; what is escaped in the Markdown stands as it is.

    Examples
    --------
    >>> inline("**AC** says 5\\*5 < *30*")
    '<strong>AC</strong> says 5*5 &lt; <em>30</em>'
    >>> "<msub><mi>p</mi><mn>0</mn></msub>" in inline("$p_0$")
    True
    """
    kept: list[str] = []

    def keep(html: str) -> str:
        kept.append(html)
        return f"\x00{len(kept) - 1}\x00"

    # The marks of what is kept are between zero characters, of which a text has none.
    plain = _CODE.sub(lambda match: keep(f"<code>{escape(match[1])}</code>"), text.replace("\x00", ""))
    plain = _FORMULA.sub(lambda match: keep(_mathml(match[1])), plain)
    plain = _ESCAPED.sub(lambda match: keep(escape(match[1])), plain)
    result = escape(plain, quote=False)
    for pattern, replacement in _INLINE:
        result = pattern.sub(replacement, result)
    return re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match[1])], result)


def _mathml(formula: str) -> str:
    """The formula as browsers draw it without a script, or as its text if the converter does not know it."""
    as_text = f"<code>{escape(formula)}</code>"
    # The converter leaves a < in a text as it is.
    formula = formula.replace("<", r"\lt ")
    try:
        result = str(convert(_NAME.sub(lambda match: match[0] if match[0][0] == "\\" else rf"\text{{{match[0]}}}", formula)))
    except Exception:  # The converter's errors have no class of their own.
        return as_text
    return as_text if "\\" in result else result


def as_html(text: str) -> str:
    r"""The HTML of a text.

    Examples
    --------
    >>> as_html("One.\n\n- a\n- b")
    '<p>One.</p><ul><li>a</li><li>b</li></ul>'
    >>> as_html("- a\n  goes on\n- b")
    '<ul><li>a goes on</li><li>b</li></ul>'
    """
    parts = []
    for block in re.split(r"\n\s*\n", text.strip()):
        # An indented line goes on with the item above it.
        lines = re.sub(r"\n[ \t]+(?![-*] )", " ", block).splitlines()
        items = [match[1] for line in lines if (match := _ITEM.fullmatch(line))]
        if items and len(items) == len(lines):
            parts.append(f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in items)}</ul>")
        elif lines:
            parts.append(f"<p>{inline(' '.join(lines).lstrip('# '))}</p>")
    return "".join(parts)


ROW = "row"
COLUMN = "column"
TAB = "tab"


@dataclass
class Drawn:
    """A container or an element.

    Attributes
    ----------
    kind : "row", "column", "popover", "tab" or "block" of a container; of an element its component's name, "markdown", ...
    key : of a container that has one.
    weight : of a column, its share of the row's width.
    text : of text, as Markdown; of a tab, its title.
    data : of a component, what it was given.
    children : of a container, by their place.
    """

    kind: str
    key: str = ""
    weight: float = 1.0
    text: str = ""
    data: Any = None
    children: dict[int, "Drawn"] = field(default_factory=dict)

    def all(self) -> Iterator["Drawn"]:
        """It and everything in it, in the order of the page."""
        yield self
        for place in sorted(self.children):
            yield from self.children[place].all()

    def find(self, key: str) -> "Drawn | None":
        """The container of that key."""
        return next((one for one in self.all() if one.key == key), None)


def drawn_page(sent: Iterable[Sent]) -> Drawn:
    """The tree of the page's main part; of several elements sent to one place, it holds the last."""
    root = Drawn("block")
    for one in sent:
        if len(one.path) < 2 or one.path[0] != 0:
            continue
        parent = root
        for place in one.path[1:-1]:
            parent = parent.children.setdefault(place, Drawn("block"))
        data = json.loads(one.data) if one.data else None
        parent.children[one.path[-1]] = Drawn(one.kind, one.key, one.weight, one.text, data)
    return root
