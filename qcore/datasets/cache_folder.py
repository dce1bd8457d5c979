"""Where data sets that were downloaded are kept."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """QUANTIFICATION_LAB_CACHE, or quantification-lab in the user's cache folder."""
    named = os.environ.get("QUANTIFICATION_LAB_CACHE")
    base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return Path(named).expanduser() if named else base / "quantification-lab"
