"""How large the product is: files, lines, imports and arrows of app.py, pages and qcore, and tabs: python -m docs.size.

`python -m docs.size --since REVISION` puts the same numbers of an older commit beside them, so that a change can be judged.
"""

import argparse
import ast
import io
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

from pages.listed import PAGES

ROOT = Path(__file__).parents[1]
PRODUCT = ("app.py", "pages", "qcore")
_SMALL = 40


def files_now() -> dict[str, str]:
    """Path -> text of each Python file of the product."""
    paths = [path for part in PRODUCT for path in ([ROOT / part] if part.endswith(".py") else (ROOT / part).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in paths}


def files_of(revision: str) -> dict[str, str]:
    """Path -> text of each Python file of the product at a commit."""
    command = ["git", "archive", revision, *PRODUCT]
    archive = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        members = [member for member in opened.getmembers() if member.name.endswith(".py")]
        return {member.name: file.read().decode() for member in members if (file := opened.extractfile(member))}


def arrows(files: Mapping[str, str]) -> set[tuple[str, str]]:
    """(module, module that it imports from), of modules of the product, wherever in it the import stands."""
    modules = {path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): text for path, text in files.items()}
    found = set()
    for module, text in modules.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                found |= {(module, name if name in modules else node.module) for name in names}
    return {(module, source) for module, source in found if source in modules and source != module}


def circles(pairs: set[tuple[str, str]]) -> set[str]:
    """The modules that are on a circle of imports."""
    sources: dict[str, set[str]] = {}
    for module, source in pairs:
        sources.setdefault(module, set()).add(source)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            new = sources.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        return seen

    return {module for module in sources if module in reached(module)}


def sizes(files: Mapping[str, str]) -> dict[str, int]:
    """What is counted -> how many."""
    lines = {path: len(text.splitlines()) for path, text in files.items()}
    imports = [
        node.end_lineno - node.lineno + 1
        for text in files.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom) and node.end_lineno
    ]
    pairs = arrows(files)
    between = {(".".join(a.split(".")[:2]), ".".join(b.split(".")[:2])) for a, b in pairs}
    return {
        "files": len(files),
        f"files under {_SMALL} lines": sum(count < _SMALL for count in lines.values()),
        "lines": sum(lines.values()),
        "lines of qcore": sum(count for path, count in lines.items() if path.startswith("qcore/")),
        "lines of imports": sum(imports),
        "imports from file to file": len(pairs),
        "imports from room to room": sum(a != b for a, b in between),
        "files on a circle of imports": len(circles(pairs)),
    }


def main() -> None:
    """Print the numbers, and beside them those of an older commit."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m docs.size")
    parser.add_argument("--since", metavar="REVISION", help="an older commit to compare with")
    since = parser.parse_args().since
    now, before = sizes(files_now()), sizes(files_of(since)) if since else {}
    print(f"{'tabs':30} {' ' * (12 if since else 0)}{sum(len(page.tabs) for page in PAGES.values()):>8,}")
    for name, count in now.items():
        print(f"{name:30} {f'{before[name]:>8,} -> ' if since else ''}{count:>8,}")


if __name__ == "__main__":
    main()
