"""Our own bundles of plotly.js: each holds only the parts that pages draw."""

import gzip
from functools import cache
from pathlib import Path
from typing import Final

import pyarrow

from pages.settings.component import base_path

_PLOTLY: Final = Path(__file__).parent / "plotly_js"
CARTESIAN: Final = next(_PLOTLY.glob("plotly-cartesian-*.min.js.br"))
"""Plotly's lines, bars, boxes and heatmaps, packed by Brotli."""

SURFACES: Final = next(_PLOTLY.glob("plotly-surfaces-*.min.js.br"))
"""Plotly's surfaces, points in space, lines and heatmaps, packed by Brotli."""


def plotly_url(*, in_space: bool = False) -> str:
    """Where the browser finds plotly.js: on this server, under a name that changes with its version."""
    return f"{base_path()}/vendor/{(SURFACES if in_space else CARTESIAN).stem}"


def unpacked(bundle: Path) -> bytes:
    """The script in one of the two files."""
    with pyarrow.CompressedInputStream(pyarrow.OSFile(str(bundle)), "brotli") as stream:
        return bytes(stream.read())


@cache
def gzipped(bundle: Path) -> bytes:
    """The script in one of the two files as gzip, which browsers can unpack in a file without a server, too."""
    return gzip.compress(unpacked(bundle), mtime=0)
