"""What is published: the files of both distributions, what they need, and what is installed from them."""

import re
import subprocess
import tarfile
import tomllib
import zipfile
from email import message_from_bytes

import pytest

import qcore
from pages import start_command
from pages.start_command import main
from qcore.__main__ import COMMANDS
from tests.distributions import ROOT, another_with_a_folder_qcore, build, clean, environment

REPOSITORY = {"GITHUB_REPOSITORY": "somebody/lab", "GITHUB_REF_NAME": "v1.0.0"}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dist"), **REPOSITORY)


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The Python and the packages of an environment with the wheel."""
    return environment(tmp_path_factory.mktemp("installed") / "environment", built.glob("*.whl"))


SITE = ("docs/gallery/", "docs/site/")
"""The documentation as a site is built from the repository."""


def tracked(*folders):
    """The files of these folders that git knows, or will when they are added."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    return {name for name in subprocess.check_output(command, cwd=ROOT, text=True).splitlines() if (ROOT / name).exists()}


@pytest.fixture(scope="module")
def wheel(built):
    """Name of a file in the wheel -> its content."""
    (file,) = built.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def in_wheel():
    """The files that belong into the wheel, but those about it."""
    docs = {name for name in tracked("docs") if name.endswith(".md") and not name.startswith(SITE)}
    app = {f"quantification_lab/app/{name}" for name in tracked("app.py", "CHANGELOG.md", "pages", ".streamlit") | docs}
    package = {f"quantification_lab/{name.removeprefix('qcore/')}" for name in tracked("qcore") - {"qcore/README.md"}}
    return app | package | {"qcore.py"}


def test_the_wheel_holds_the_package_the_app_and_the_second_name(wheel):
    assert {name for name in wheel if ".dist-info/" not in name} == in_wheel()


def test_nothing_in_the_wheel_imports_the_package_by_its_second_name(wheel):
    for name, text in wheel.items():
        assert not (name.endswith(".py") and re.search(rb"^\s*(from|import)\s.*\bqcore\b(?<!as qcore)", text, re.MULTILINE)), (
            name
        )
    assert b"import quantification_lab as qcore" in wheel["quantification_lab/evaluation/experiment/provenance.py"]


def test_an_index_shows_addresses_of_the_repository(wheel):
    (about,) = [message_from_bytes(text) for name, text in wheel.items() if name.endswith("/METADATA")]
    urls = dict(one.split(", ") for one in about.get_all("Project-URL"))
    assert urls["Issues"] == "https://github.com/somebody/lab/issues"
    readme = about.get_payload(decode=True).decode()
    assert "](https://github.com/somebody/lab/raw/v1.0.0/docs/badges.svg)" in readme
    assert "](https://github.com/somebody/lab/blob/v1.0.0/docs/command.md)" in readme
    assert re.findall(r"\]\((?!https:)[^)]*\)", readme) == []
    assert about["Author"] in (ROOT / "CITATION.cff").read_text()


def test_source_distributions_hold_what_wheels_are_built_from(built):
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as source:
        found = {one.partition("/")[2] for one in source.getnames()}
    docs = {name for name in tracked("docs") if name.endswith(".md") and not name.startswith(SITE)}
    own = {"CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "PKG-INFO", ".gitignore"}
    assert found == tracked("app.py", "pages", ".streamlit", "qcore", "distribution") | docs | own


def names(requirements):
    return {re.split(r"[\[<>=;, ]", one, maxsplit=1)[0].lower() for one in requirements}


def test_what_the_app_needs_is_what_requirements_txt_says():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    (others,) = [one for one in extras["app"] if one.startswith("quantification-lab")]
    declared = names(project["dependencies"]) | names(extras["app"])
    declared |= names([one for extra in others.partition("[")[2].partition("]")[0].split(",") for one in extras[extra]])
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    written = names([line for line in lines if line and not line.startswith(("#", "-"))])
    # pyarrow comes with Streamlit.
    assert declared - {"quantification-lab", "pyarrow"} == written


def test_one_version():
    version = qcore.__version__
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(rf"^## \[{re.escape(version)}\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


NAMES = """
import pickle, sys
import {first}.estimator.quantifier_cv
from {first} import InvalidInput, QuantifierCV
from {second} import InvalidInput as Other
import {second}.losses.catalog as catalog, {second}
assert Other is InvalidInput and catalog is sys.modules["{real}.losses.catalog"] and catalog.__spec__.name == catalog.__name__
assert pickle.loads(pickle.dumps(QuantifierCV())).__class__ is QuantifierCV
assert pickle.loads(pickle.dumps(QuantifierCV(), 0).replace(b"{real}", b"{other}")).__class__ is QuantifierCV
try:
    import {second}.no_such_room
except ModuleNotFoundError as error:
    print(error)
"""
LONG, SHORT = "quantification_lab", "qcore"


def answer(python, *words, cwd):
    """What a command has printed, errors included, and its exit status."""
    done = subprocess.run([python, *words], cwd=cwd, env=clean(), capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode


@pytest.mark.thorough
@pytest.mark.parametrize(("first", "second"), [(LONG, SHORT), (SHORT, LONG)])
def test_both_names_are_of_the_same_modules(installed, tmp_path, first, second):
    script = NAMES.format(first=first, second=second, real=LONG, other=SHORT)
    assert answer(installed[0], "-c", script, cwd=tmp_path) == (f"No module named '{second}.no_such_room'\n", 0)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [LONG, SHORT])
def test_commands_by_either_name(installed, tmp_path, name):
    assert answer(installed[0], "-m", name, "--version", cwd=tmp_path) == (f"qcore {qcore.__version__}\n", 0)
    assert answer(installed[0], "-m", name, "estimat", cwd=tmp_path)[0].startswith(f"usage: python -m {name}")


BOTH = """
import quantification_lab
from qcore.caching import cached
from quantification_lab.losses import LOSSES
from quantification_lab.evaluation.experiment.cell import named_class
assert cached == "theirs" and named_class("qcore.quantifiers:HDy").__module__.startswith("quantification_lab.")
ours = quantification_lab
report = ours.evaluation_report(ours.score_dataset(ours.load_dataset("iris")), ["AC"], ours.ArtificialPrevalence(3, 5, 2))
print(len(report))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_another_distribution_with_a_folder_of_the_name_and_this_one_keep_theirs(built, tmp_path, first):
    both = [*built.glob("*.whl"), another_with_a_folder_qcore(tmp_path)]
    python, _ = environment(tmp_path / "environment", both[:1] if first == "ours" else both[1:])
    environment(tmp_path / "environment", both[1:] if first == "ours" else both[:1])
    assert answer(python, "-c", BOTH, cwd=tmp_path) == ("6\n", 0)
    assert answer(python, "-m", LONG, "--version", cwd=tmp_path) == (f"qcore {qcore.__version__}\n", 0)


@pytest.mark.thorough
def test_in_a_copy_of_the_repository_one_command_installs_it_and_makes_nothing_else_importable(tmp_path):
    python, _ = environment(tmp_path / "environment", [ROOT], "--editable")
    script = NAMES.format(first=LONG, second=SHORT, real=SHORT, other=LONG)
    assert answer(python, "-c", script, cwd=tmp_path)[1] == 0
    for name in ("tests", "docs", "benchmarks", "pages", "app"):
        assert f"No module named '{name}'" in answer(python, "-c", f"import {name}", cwd=tmp_path)[0]
    for name in (SHORT, LONG):
        assert answer(python, "-m", name, "--version", cwd=tmp_path) == (f"qcore {qcore.__version__}\n", 0)
    assert answer(tmp_path / "environment" / "bin" / "quantification-lab", "--version", cwd=tmp_path)[1] == 0


@pytest.mark.thorough
def test_source_distributions_are_installed_as_wheels_are(built, tmp_path):
    _, site = environment(tmp_path / "environment", sorted(built.glob("*.tar.gz")))
    found = [path for path in [site / "qcore.py", *(site / LONG).rglob("*")] if path.is_file()]
    assert {str(path.relative_to(site)) for path in found if "__pycache__" not in path.parts} == in_wheel()


def test_without_its_requirements_the_app_says_how_to_get_them(monkeypatch, capsys):
    monkeypatch.setattr(start_command, "find_spec", lambda _: None)
    assert main([]) == 2
    assert 'pip install "quantification-lab[app]"' in capsys.readouterr().err


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
