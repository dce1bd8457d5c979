"""What Sphinx builds the site with; `python -m docs.site.build` puts its sources together and calls it."""

from typing import Any

import plotly.io
from plotly.io.base_renderers import MimetypeRenderer

import qcore
from docs.site.docstrings import described_in_full
from docs.site.figure_html import figure_html

project = "Quantification Lab"
author = "the authors of Quantification Lab"
version = release = qcore.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "docs.site.mathml",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["templates"]
exclude_patterns = ["gallery_scripts"]
html_theme = "furo"
html_title = f"Quantification Lab {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_theme_options = {"light_css_variables": {"font-stack": "system-ui, sans-serif"}}
default_role = "code"
"""One backtick is code in docstrings, as in Markdown."""

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"
autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
sphinx_gallery_conf: dict[str, Any] = {
    "examples_dirs": "gallery_scripts",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/(?!quapy)\w+\.py$",
    "image_scrapers": (),
    "reset_modules": (),
    "capture_repr": ("_repr_html_", "__repr__"),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "write_computation_times": False,  # its table asks other servers for jQuery and DataTables
    "min_reported_time": 60,
    "show_memory": False,
    "within_subsection_order": "docs.site.gallery_order.place",
}


class PageRenderer(MimetypeRenderer):
    """How sphinx-gallery gets a figure."""

    def to_mimebundle(self, fig_dict: Any) -> dict[str, str]:
        """The figure as HTML."""
        return {"text/html": figure_html(fig_dict)}


def _described(*arguments: Any) -> None:
    lines = arguments[-1]
    lines[:] = described_in_full(lines)


def setup(app: Any) -> None:
    """Read our docstrings before numpydoc does, and let Plotly's figures come as `PageRenderer` draws them."""
    plotly.io.renderers["page"] = PageRenderer()
    plotly.io.renderers.default = "page"
    app.connect("autodoc-process-docstring", _described, priority=100)
