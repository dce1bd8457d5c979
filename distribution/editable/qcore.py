"""The package in the folder of the repository, for `pip install -e .`: of that folder nothing else is importable.

With the whole folder on the path, `import tests` or `import docs` would find those of the repository, in any project.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_FOLDER = Path(__file__).resolve().parents[2] / "qcore"
_SPEC = spec_from_file_location("qcore", _FOLDER / "__init__.py", submodule_search_locations=[str(_FOLDER)])
assert _SPEC is not None
assert _SPEC.loader is not None

if __name__ == "__main__":
    sys.path.insert(0, str(_FOLDER.parent))
    # This file is `__main__`, so that the name is free.
    from qcore.__main__ import main

    sys.exit(main(program="python -m qcore"))
elif __name__ == "qcore":
    sys.modules[__name__] = module_from_spec(_SPEC)
    _SPEC.loader.exec_module(sys.modules[__name__])
