"""The folder in which downloaded data sets are kept."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder that QUANTIFICATION_LAB_CACHE names, or quantification-lab in the user's cache folder."""
    named = os.environ.get("QUANTIFICATION_LAB_CACHE")
    base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return Path(named).expanduser() if named else base / "quantification-lab"
