"""What an `AppTest` does anew in each run, done once; the search for components alone takes as long as a short run."""

from functools import cache
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner


def _wait(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    """Wait for the end of a run. Streamlit looks a thousand times a second, and slows the run down."""
    thread: Any = runner._script_thread
    thread.join(timeout)
    if thread.is_alive():
        runner.request_stop()
        runner.join()
        raise RuntimeError(f"AppTest script run timed out after {timeout}(s)")


def make_runs_quick() -> None:
    """Wait without looking, compile a script once, and look for components once in all installed packages."""
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    local_script_runner.require_widgets_deltas = _wait
    app_test.ScriptCache = local_script_runner.ScriptCache = cache(ScriptCache)
