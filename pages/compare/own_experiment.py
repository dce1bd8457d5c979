"""An experiment of the user's own: it runs in another process, beside the session that started it, and ends with it."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from pages.streamlit_internals import session_id
from pages.work.engines import Work
from pages.work.heavy import jobs
from pages.work.jobs import Job, JobFailed, QueueIsFull
from pages.work.temporary_folders import make_temporary_folder, remove_temporary_folder
from pages.work.turns import visitor
from qcore import Dataset, InvalidInput
from qcore.evaluation.experiment import ExperimentFolder, ExperimentSettings
from qcore.evaluation.experiment.cell import cells
from qcore.evaluation.experiment.runner import continue_experiment

_ENDS_WITHIN: Final = 10.0
_AWAY: Final = 8.0
"""Seconds that a page may be away, as when a connection breaks, before its experiment ends."""

_KEPT: Final = 120.0
"""Seconds that the results of a finished experiment wait for the page to reconnect, as long as Streamlit keeps its state."""

_LOOK_EVERY: Final = 1.0


class OwnRun:
    """An experiment that runs in another process, and ends with the session that started it."""

    def __init__(
        self, settings: ExperimentSettings, data_sets: Mapping[str, Dataset], folder: Path | None = None
    ) -> None:  # fmt: skip
        self.settings, self.data_sets = settings, data_sets
        self.folder = folder or make_temporary_folder() / "run"
        self.kept = ExperimentFolder.create(self.folder, settings)
        self.found, self.was_stopped = self.n_finished, False
        work = Work(continue_experiment, (settings, self.folder, data_sets), is_local=True)
        try:
            self.job = jobs().want(("experiment", str(self.folder)), work, visitor(), None)
        except QueueIsFull:
            # If an earlier run was to be continued, its folder and its finished cells stay with that run.
            if folder is None:
                remove_temporary_folder(self.folder.parent)
            raise
        # When this object is dropped, as when the session has ended, the job is stopped and the folder removed.
        self._wanted = [self.job]
        self.end = weakref.finalize(self, _end, self._wanted, self.folder.parent)
        self.was_left = self.was_chosen = False
        session = session_id()
        if session is not None and st.runtime.exists():
            watch = threading.Thread(target=_end_when_left, args=(weakref.ref(self), session), daemon=True)
            watch.start()

    @property
    def n_cells(self) -> int:
        """Number of all cells."""
        return len(cells(self.settings))

    @property
    def n_finished(self) -> int:
        """Number of cells that are finished or have failed."""
        return self.n_cells - len(self.kept.missing()) + len(self.kept.failures())

    @property
    def is_running(self) -> bool:
        """Whether a process works on the run, or will when its turn comes."""
        return not self.was_stopped and not self.job.wait(0.0)

    @property
    def is_whole(self) -> bool:
        """Whether the run has ended with all of its cells finished."""
        return not self.is_running and not self.kept.missing()

    @property
    def why_it_ended(self) -> str:
        """A sentence on why the run ended before all cells were finished."""
        try:
            self.job.answer()
        except (JobFailed, InvalidInput) as error:
            return str(error).rstrip(".")
        except Exception as error:
            return f"It failed ({type(error).__name__})"
        return "It ended before it was done"

    def leave(self) -> None:
        """End the work because its page is closed, and remove its results."""
        self.was_left = self.was_stopped = True
        self.end()

    def stop(self) -> None:
        """End the work, and keep the finished cells."""
        self.was_stopped = True
        _let_go(self._wanted)

    def go_on(self) -> OwnRun:
        """Start a new run that continues where this one ended."""
        again = OwnRun(self.settings, self.data_sets, self.folder)
        # The folder now belongs to the new run.
        self.end.detach()
        _let_go(self._wanted)
        return again


def _let_go(wanted: list[Job]) -> None:
    """Note that the job in `wanted` is no longer wanted; a second call does nothing."""
    while wanted:
        jobs().let_go(wanted.pop())


def _end_when_left(run: weakref.ref[OwnRun], session_id: str) -> None:
    """Check every second that the page is still open, and end the run if not: Streamlit keeps closed sessions for minutes."""
    seen = time.monotonic()
    while (there := run()) is not None and st.runtime.exists():
        if st.runtime.get_instance().is_active_session(session_id):
            seen = time.monotonic()
        elif time.monotonic() - seen > (_AWAY if there.is_running else _KEPT):
            there.leave()
            return
        del there
        time.sleep(_LOOK_EVERY)


def _end(wanted: list[Job], folder: Path) -> None:
    """Stop the job, and remove its folder when it has ended; in a thread, so that the caller does not wait."""
    to_end = list(wanted)

    def end() -> None:
        _let_go(wanted)
        for job in to_end:
            job.wait(_ENDS_WITHIN)
        remove_temporary_folder(folder)

    threading.Thread(target=end, daemon=True).start()
