"""The name of the package in wheels, for `pip install -e .`: the same modules as those of qcore, and the app beside them."""

import sys
from pathlib import Path
from types import ModuleType

import qcore

_ROOT = Path(__file__).resolve().parents[2]
if Path(qcore.__file__) != _ROOT / "qcore" / "__init__.py":
    raise ImportError(
        f"'import qcore' finds another package of that name, {qcore.__file__}. "
        "Uninstall it (pip uninstall qcore), or install this one without -e, which needs no folder of that name."
    )

from qcore._base.second_name import make_known_as  # noqa: E402

if __name__ == "__main__":
    from qcore.__main__ import main

    sys.exit(main(program="python -m quantification_lab"))

make_known_as(__name__)
sys.modules[f"{__name__}.app"] = ModuleType(f"{__name__}.app")
sys.modules[f"{__name__}.app"].__path__ = [str(_ROOT)]
