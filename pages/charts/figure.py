"""A figure as plain data: made from traces, written as JSON."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson
import plotly.graph_objects as go

_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


def json_text(value: Any) -> str:
    """A value of dictionaries, lists, numbers, text and arrays as JSON."""
    return orjson.dumps(value, default=_plain, option=_OPTIONS).decode()


def _plain(value: Any) -> Any:
    """A value that orjson cannot write, as one that it can: text arrays and views as lists, mappings as dictionaries."""
    return value.tolist() if hasattr(value, "tolist") else dict(value)


_NO_TAG_OF_OURS = re.compile(r"<(?!(?:/?(?:b|sub|extra|span)|br|span style='color:#[0-9A-Fa-f]{6}')>)")


def figure_text(part: Any) -> str:
    """A figure or a part of one as JSON, in which `<` begins one of the tags that figures use, or is the character.

    Plotly reads tags in every text: a class of somebody's table that is called `<a href=...>` would be a link for everybody.
    """
    return _NO_TAG_OF_OURS.sub("&lt;", json_text(part))


def as_named(text: Any) -> Any:
    """What the browser tells of a mark, such as a name, as it was before `figure_text`."""
    return text.replace("&lt;", "<") if isinstance(text, str) else text


@dataclass(frozen=True)
class Figure:
    """Traces and a layout.

    Attributes
    ----------
    traces : dictionaries as of traces.py.
    arrangement : the layout, as of `style.layout`.
    """

    traces: Sequence[Mapping[str, Any]]
    arrangement: Mapping[str, Any]

    @cached_property
    def checked(self) -> go.Figure:
        """The figure as Plotly's object. Raises ValueError for an invalid figure."""
        return go.Figure(data=list(self.traces), layout=dict(self.arrangement))

    @property
    def data(self) -> Any:
        """The traces as Plotly's objects."""
        return self.checked.data

    @property
    def layout(self) -> Any:
        """The layout as Plotly's object."""
        return self.checked.layout

    def to_json(self) -> str:
        """The figure as JSON, which the browser reads."""
        return figure_text({"data": self.traces, "layout": self.arrangement})
