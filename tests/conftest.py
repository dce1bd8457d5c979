"""Fixtures shared by all tests, and one thread for each process that runs tests beside others."""

import os
import shutil
import tempfile

# Before NumPy and scikit-learn start their threads: processes that all use every core wait for each other.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LOKY_MAX_CPU_COUNT"), "1"))

# Data sets that this machine happens to have are none of the tests' business.
os.environ["QUANTIFICATION_LAB_CACHE"] = tempfile.mkdtemp(prefix="quantification-lab-")
# What one process has trained the others need not: all have the folder of the process that started them.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["QUANTIFICATION_LAB_PIECES"] = tempfile.mkdtemp(prefix="quantification-lab-")
os.environ.pop("QUANTIFICATION_LAB_DATA", None)

import pytest
from hypothesis import settings

from qcore import Scores, ScoringSettings, keep_freed_memory, load_dataset, score_dataset

keep_freed_memory()

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=100)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def wdbc_scores() -> Scores:
    return score_dataset(load_dataset("wdbc"))


@pytest.fixture(scope="session")
def scored() -> Scores:
    """Scores that overlap much; a module that needs others has a fixture of that name itself."""
    return score_dataset(load_dataset("tictactoe"), ScoringSettings("x does not win", "Gaussian naive Bayes"))


def pytest_unconfigure() -> None:
    """Remove the temporary folders of this process."""
    shutil.rmtree(os.environ["QUANTIFICATION_LAB_CACHE"], ignore_errors=True)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(os.environ["QUANTIFICATION_LAB_PIECES"], ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start each process with its part of the browser tests, which take longest.

    A process begins with its share of the list, and takes over from the end of others' shares when it is done.
    """
    n_processes = getattr(config, "workerinput", {}).get("workercount", 1)
    if n_processes == 1:
        return
    in_browser = [item for item in items if item.get_closest_marker("browser")]
    others = [item for item in items if not item.get_closest_marker("browser")]
    share, part = len(items) // n_processes, len(in_browser) // n_processes
    items[:] = []
    for number in range(n_processes):
        is_last = number == n_processes - 1
        first, rest = (in_browser, others) if is_last else (in_browser[:part], others[: share - part])
        items += [*first, *rest]
        in_browser, others = in_browser[len(first) :], others[len(rest) :]
