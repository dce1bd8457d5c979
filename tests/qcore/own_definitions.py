"""What the test files of single methods define, for the tests that run over a whole registry."""

import importlib
from pathlib import Path
from typing import Any


def own_definitions(file: str, name: str) -> dict[str, Any]:
    """The dictionaries called `name` of the test files beside `file`, that one aside, as one."""
    folder, every = Path(file).parent, {}
    for path in sorted(folder.glob("test_*.py")):
        if path != Path(file) and f"\n{name} = {{" in path.read_text():
            module = importlib.import_module(f"tests.qcore.{folder.name}.{path.stem}")
            every |= getattr(module, name)
    return every
