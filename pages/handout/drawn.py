"""What a page has drawn, as a tree, from what it has sent to the browser."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pages.streamlit_internals import Sent

ROW: Final = "row"
COLUMN: Final = "column"


@dataclass
class Drawn:
    """A container or an element.

    Attributes
    ----------
    kind : "row", "column", "popover" or "block" of a container; of an element its component's name, "markdown", "caption", ...
    key : of a container that has one.
    weight : of a column, its share of the row's width.
    text : of text, as Markdown.
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
