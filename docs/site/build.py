"""Builds the documentation as a site: python -m docs.site.build [--into FOLDER]. Warnings are errors.

Sphinx gets a folder of sources that is put together here: the pages of docs/, the scripts of docs/gallery/, and pages made from
the registries and from what qcore exports.
"""

import argparse
import re
import shutil
import tempfile
from pathlib import Path

import plotly
from sphinx.cmd.build import main as sphinx

from docs.site.api_pages import api_page
from docs.site.method_pages import file_name, glossary_page, index_page, quantifier_page
from qcore import QUANTIFIERS

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
_LOADS = re.compile(r"""<(?:script|link rel="stylesheet")[^>]*(?:src|href)="(?:https?:)?//""")


def sources(folder: Path) -> Path:
    """Put the sources of the site into a folder; returns it."""
    shutil.copytree(DOCS / "site" / "static", folder / "_static")
    for name in ("methods", "api"):
        (folder / name).mkdir()
    for path in [
        *DOCS.glob("*.md"),
        *DOCS.glob("*.svg"),
        DOCS / "home.png",
        *(DOCS / "site").glob("*.md"),
        DOCS / "site" / "conf.py",
    ]:
        shutil.copy(path, folder)
    shutil.copytree(DOCS / "site" / "templates", folder / "templates" / "autosummary")
    (folder / "changelog.md").write_text((ROOT / "CHANGELOG.md").read_text().replace("](docs/", "]("))
    shutil.copytree(DOCS / "gallery", folder / "gallery_scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(plotly.__file__).parent / "package_data" / "plotly.min.js", folder / "_static")
    (folder / "api" / "index.md").write_text(api_page())
    (folder / "methods" / "index.md").write_text(index_page())
    (folder / "glossary.md").write_text(glossary_page())
    for key, entry in QUANTIFIERS.items():
        (folder / "methods" / f"{file_name(key)}.md").write_text(quantifier_page(entry))
    return folder


def build(into: Path) -> int:
    """Build the site into a folder; the exit status is not 0 after a warning, or if a page loads from elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        status = int(sphinx(["-W", "--keep-going", "-q", "-b", "html", str(sources(Path(folder) / "site")), str(into)]))
    foreign = [path for path in into.rglob("*.html") if _LOADS.search(path.read_text(encoding="utf-8"))]
    for path in foreign:
        print(f"{path} loads a script or a style sheet of another server.")
    return status or int(bool(foreign))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, default=ROOT / "dist" / "site", help="where the pages are written")
    arguments = parser.parse_args()
    status = build(arguments.into)
    print(f"{sum(1 for _ in arguments.into.rglob('*.html'))} pages in {arguments.into}, {arguments.into / 'index.html'}")
    raise SystemExit(status)
