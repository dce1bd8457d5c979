"""What hatchling does on the way to a distribution: names in wheels, and addresses in what an index shows.

In the repository the package is called `qcore`. An index has another distribution with a folder of that name, and pip lets the
one overwrite the other; so wheels hold it as `quantification_lab`, with `qcore` as a second name (`wheel/qcore.py`).
"""

import os
import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_ROOT = Path(__file__).parents[1]
_IMPORT = re.compile(r"^[ \t]*(?:from qcore(?=[. ])|import qcore(?![.\w]))", re.MULTILINE)


def renamed(source: str) -> str:
    """Python source that imports quantification_lab where it has imported qcore."""

    def one(found: re.Match[str]) -> str:
        statement = found[0].replace("qcore", "quantification_lab")
        return f"{statement} as qcore" if found[0].endswith("import qcore") else statement

    return _IMPORT.sub(one, source)


_SINGLE = {
    "app.py": "quantification_lab/app/app.py",
    "CHANGELOG.md": "quantification_lab/app/CHANGELOG.md",
    "distribution/wheel/qcore.py": "qcore.py",
}
"""Files beside the folders of pyproject.toml -> where they are in a wheel."""


class ImportNames(BuildHookInterface):
    """Puts the files of a wheel that import qcore into it with the package's name in wheels."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the changed files aside; hatchling takes these where it would take the originals."""
        if version != "standard":
            return
        build_data["force_include"] |= _SINGLE
        self._aside = tempfile.TemporaryDirectory()
        for number, file in enumerate(list(self.build_config.builder.recurse_selected_project_files())):
            source = Path(file.path).read_text(encoding="utf-8") if file.path.endswith(".py") else ""
            if _IMPORT.search(source):
                changed = Path(self._aside.name, f"{number}.py")
                changed.write_text(renamed(source), encoding="utf-8", newline="\n")
                build_data["force_include"][str(changed)] = file.distribution_path

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was written aside."""
        if version == "standard":
            self._aside.cleanup()


class Addresses(MetadataHookInterface):
    """Names the repository, where it is known: while it is published, in GitHub's variables. Links of the README lead there."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README, and the addresses of the project."""
        text, repository = (_ROOT / "README.md").read_text(encoding="utf-8"), os.environ.get("GITHUB_REPOSITORY")
        metadata["urls"] = {}
        if repository:
            home = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}"
            at = os.environ.get("GITHUB_REF_NAME", "main")
            text = with_addresses(text, home, at)
            metadata["urls"] = {
                "Homepage": home,
                "Source": home,
                "Issues": f"{home}/issues",
                "Changelog": f"{home}/blob/{at}/CHANGELOG.md",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_addresses(text: str, home: str, at: str) -> str:
    """Markdown whose links to files lead to the repository `home` at a tag or branch, as an index needs."""
    pictures = re.sub(r"(!\[[^\]]*\]\()(?!https?:)", rf"\g<1>{home}/raw/{at}/", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()(?!https?:|#)", rf"\g<1>{home}/blob/{at}/", pictures)
