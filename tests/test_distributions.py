"""What is published: the files of both distributions, what they need, and what is installed from them."""

import re
import subprocess
import tarfile
import tomllib
import zipfile

import pytest

import qcore
from pages.start_command import main
from qcore.__main__ import COMMANDS
from tests.distributions import PROJECTS, ROOT, build, environment


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dist"))


SITE = ("docs/gallery/", "docs/site/")
"""The documentation as a site is built from the repository."""


def tracked(*folders):
    """The files of these folders that git knows, or will when they are added."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    return {name for name in subprocess.check_output(command, cwd=ROOT, text=True).splitlines() if (ROOT / name).exists()}


def in_wheel(built, name):
    (file,) = built.glob(f"{name}-*.whl")
    with zipfile.ZipFile(file) as wheel:
        return {one for one in wheel.namelist() if ".dist-info/" not in one}


def in_source(built, name):
    (file,) = built.glob(f"{name}-*.tar.gz")
    with tarfile.open(file) as source:
        return {one.partition("/")[2] for one in source.getnames()}


def test_the_wheel_of_the_app_holds_the_app(built):
    docs = {name for name in tracked("docs") if name.endswith(".md") and not name.startswith(SITE)}
    expected = {f"quantification_lab/{name}" for name in tracked("app.py", "pages", ".streamlit") | docs}
    assert in_wheel(built, "quantification_lab") == expected


def test_the_wheel_of_the_core_holds_qcore(built):
    aside = {"qcore/pyproject.toml", "qcore/README.md", "qcore/LICENSE"}
    assert in_wheel(built, "quantification_lab_core") == tracked("qcore") - aside


def test_source_distributions_hold_what_wheels_are_built_from(built):
    drawn = (".svg", "docs/structure.py", "docs/size.py", "docs/badges.py", "docs/pictures.py")
    app = {name for name in tracked("app.py", "pages", ".streamlit", "docs") if not name.endswith(drawn)}
    app = {name for name in app if not name.startswith(SITE)}
    own = {"LICENSE", "README.md", "pyproject.toml", "PKG-INFO", ".gitignore"}
    assert in_source(built, "quantification_lab") == app | own | {"qcore/__init__.py"}
    core = {name.removeprefix("qcore/") for name in tracked("qcore")}
    assert in_source(built, "quantification_lab_core") == core | {"PKG-INFO", ".gitignore"}


def names(requirements):
    return {re.split(r"[\[<>=;, ]", one, maxsplit=1)[0].lower() for one in requirements}


def test_what_the_app_needs_is_what_requirements_txt_says():
    app, core = (tomllib.loads((path / "pyproject.toml").read_text())["project"] for path in PROJECTS.values())
    (wanted,) = [one for one in app["dependencies"] if one.startswith("quantification-lab-core")]
    extras = wanted.partition("[")[2].partition("]")[0].split(",")
    declared = names(app["dependencies"]) | names(core["dependencies"])
    declared |= names([one for extra in extras for one in core["optional-dependencies"][extra]])
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    written = names([line for line in lines if line and not line.startswith(("#", "-"))])
    # pyarrow comes with Streamlit.
    assert declared - {"quantification-lab-core", "pyarrow"} == written


def test_one_version_and_one_licence():
    version = qcore.__version__
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(rf"^## \[{re.escape(version)}\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert (ROOT / "qcore" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_source_distributions_are_installed_as_wheels_are(built, tmp_path):
    _, site = environment(tmp_path / "environment", sorted(built.glob("*.tar.gz")))
    found = [path for folder in ("quantification_lab", "qcore") for path in (site / folder).rglob("*") if path.is_file()]
    installed = {str(path.relative_to(site)) for path in found if "__pycache__" not in path.parts}
    assert installed == in_wheel(built, "quantification_lab") | in_wheel(built, "quantification_lab_core")


def test_a_folder_that_is_not_there_is_named(capsys):
    assert main(["--data", "no-such-folder"]) == 2
    assert "--data must be a folder, got 'no-such-folder'" in capsys.readouterr().err


def test_the_commands_of_the_core(capsys, tmp_path):
    for name, rows in (("train", "1,a\n2,b\n3,a\n4,b\n"), ("sample", "1,a\n3,a\n")):
        (tmp_path / f"{name}.csv").write_text("x,y\n" + rows * 20)
    assert main(["estimate", str(tmp_path / "train.csv"), str(tmp_path / "sample.csv"), "--label", "y"]) == 0
    assert "Share of" in capsys.readouterr().out


def test_a_command_that_there_is_not_is_answered_with_those_that_there_are(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["estimat"])
    said = capsys.readouterr().err
    assert said.startswith("usage: quantification-lab")
    assert "invalid choice: 'estimat'" in said
    for name in COMMANDS:
        assert name in said
