"""What is written for deploying is so: the container's files, the compose file, the limits, the pinned packages."""

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from pages.work.limits import LIMITS, PREFIX

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
DEPLOYING = (ROOT / "docs" / "deploying.md").read_text()


def test_what_the_container_copies_is_there_and_reaches_it():
    let_in = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [word for line in re.findall(r"^COPY (.+)$", DOCKERFILE, re.MULTILINE) for word in line.split()[:-1]]
    assert copied
    for name in copied:
        assert list(ROOT.glob(name))
        assert name in let_in


def test_the_container_runs_what_is_there_as_nobody_special():
    (module,) = re.findall(r"python -m (pages\.[\w.]+)", DOCKERFILE)
    assert (ROOT / (module.replace(".", "/") + ".py")).exists()
    user = DOCKERFILE.index("\nUSER lab\n")
    assert user < DOCKERFILE.index("\nCMD ")


def test_the_compose_file_starts_it_with_its_settings():
    (app,) = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"].values()
    assert app["build"] == "."
    assert app["read_only"]
    assert app["cap_drop"] == ["ALL"]
    assert app["pids_limit"] == "${PIDS:-2000}"
    assert app["ports"] == ["${LISTEN:-127.0.0.1:8501}:8501"], "others are let in only on demand"
    for name in app["environment"]:
        assert name in DOCKERFILE + DEPLOYING


@pytest.mark.parametrize("key", LIMITS)
def test_every_limit_is_documented_with_its_default(key):
    (row,) = [line for line in DEPLOYING.splitlines() if line.startswith(f"| `{PREFIX}{key}` |")]
    _, _, default, meaning, _ = (cell.strip() for cell in row.split("|"))
    assert default.replace(",", "") == ("processors" if key == "PROCESSES" else str(LIMITS[key].default))
    assert meaning == LIMITS[key].meaning


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(names):
    """Packages that these need in turn, themselves included, as they are installed here."""
    result, waiting = set(), [normal(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name in result:
            continue
        result.add(name)
        requirements = [Requirement(text) for text in distribution(name).requires or []]
        waiting += [normal(one.name) for one in requirements if one.marker is None or one.marker.evaluate({"extra": ""})]
    return result


def required(of_the_app=False):
    """What requirements.txt names, and, unless of the app alone, what the groups of pyproject.toml name."""
    lines = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line[:1].isalpha()]
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"].values()
    named = [line for group in groups for line in group if isinstance(line, str)]
    return [Requirement(line) for line in lines + named * (not of_the_app)]


def test_every_package_that_is_installed_is_pinned():
    pinned = {normal(line.partition("==")[0]) for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    assert needed(requirement.name for requirement in required()) <= pinned


LOCKED = {name: (ROOT / ".ci" / name).read_text() for name in ("requirements.txt", "requirements-dev.txt")}
"""What `make` and the container install: a list of versions with the hashes of their files."""


def locked(text):
    """Package -> version, and number of hashes of each requirement of such a list."""
    entries = re.findall(r"^(\S+)==(\S+)[^\n]*?((?: *\\\n +--hash=sha256:[0-9a-f]{64})*)$", text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^\S", text, re.MULTILINE)), "a line that is no version with its hashes"
    return {normal(name): version for name, version, _ in entries}, [hashes.count("--hash") for _, _, hashes in entries]


@pytest.mark.parametrize("name", LOCKED)
def test_what_is_installed_has_the_hashes_of_its_files(name):
    versions, n_hashes = locked(LOCKED[name])
    assert min(n_hashes) >= 1
    pinned = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    pinned = {normal(package): version for package, version in pinned.items()}
    assert versions.items() <= pinned.items(), "make locked"
    requirements = required(of_the_app=name == "requirements.txt")
    assert needed(requirement.name for requirement in requirements) <= set(versions), "make locked"
    for requirement in requirements:
        assert versions[normal(requirement.name)] in requirement.specifier, "make locked"


def test_make_and_the_container_install_nothing_without_its_hash():
    makefile = (ROOT / "Makefile").read_text()
    assert re.findall(r"call install,(\S+)\)", makefile) == [f".ci/{name}" for name in LOCKED]
    assert "pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r $(1)" in makefile
    assert re.findall(r"RUN pip (.+)", DOCKERFILE) == ["install --no-cache-dir --require-hashes -r requirements.txt"]
    assert "COPY .ci/requirements.txt ./\n" in DOCKERFILE


def test_workflows_run_actions_of_one_commit():
    text = "".join(path.read_text() for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")))
    used = re.findall(r"uses: (\S+)@(.+)", text)
    floating = {action for action, version in used if not re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", version)}
    assert used
    # Its makers' branch of releases; an update bot asks for its commit.
    assert floating == {"pypa/gh-action-pypi-publish"}
    assert not re.findall(r"pip install (?!-r )(?!\S+==)", text), "of one version"
    bot = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())
    assert {entry["package-ecosystem"] for entry in bot["updates"]} == {"github-actions", "docker"}


def test_a_vulnerability_is_reported_in_private():
    for path in (ROOT / ".github" / "SECURITY.md", ROOT / "docs" / "security.md"):
        assert "*Report a vulnerability*" in path.read_text()


def test_a_space_is_told_the_port_and_the_user_of_the_container():
    text = (ROOT / "docs" / "hosting.md").read_text()
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    head = yaml.safe_load(block.replace("---", ""))
    assert head["sdk"] == "docker"
    assert f"EXPOSE {head['app_port']}\n" in DOCKERFILE
    assert "--uid 1000 " in DOCKERFILE
    names = re.findall(r"\| `(\w+)` \|", text)
    code = DOCKERFILE + "".join(path.read_text() for path in (ROOT / "pages").rglob("*.py"))
    assert names
    for name in names:
        assert name.removeprefix(PREFIX) in code
