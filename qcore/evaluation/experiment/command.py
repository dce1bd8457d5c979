"""The command: python -m qcore experiment SETTINGS --into FOLDER."""

import argparse
import os
from pathlib import Path
from typing import Any

import pandas as pd

from qcore._base.command_output import ProgressBar
from qcore._base.interrupted import say_stopped
from qcore._base.validation import InvalidInput, check_choice, check_integer, check_positive
from qcore.evaluation.experiment.cell import cells, check_names
from qcore.evaluation.experiment.cluster import Cluster
from qcore.evaluation.experiment.folder import ExperimentFolder
from qcore.evaluation.experiment.presets import EXPERIMENTS
from qcore.evaluation.experiment.results import compared_losses
from qcore.evaluation.experiment.runner import Execution, Progress, RunSummary, run_experiment
from qcore.evaluation.experiment.settings import COMPARED, ExperimentSettings
from qcore.evaluation.significance import compare
from qcore.losses import SMOOTHINGS

ADDRESS = "DASK_SCHEDULER_ADDRESS"
"""The environment variable that Dask's own tools read, too."""

_OF_A_CLUSTER = {"scheduler_file": "", "wait_for_workers": 1, "timeout": None, "resource": None}
_OF_A_RUN = {
    "into": "",
    "jobs": None,
    "dask": "",
    **_OF_A_CLUSTER,
    "retries": 1,
    "stop_after": None,
    "allow_other_versions": False,
    "combine": False,
    "loss": None,
    "smoothing": "additive",
}
"""The options of a run, with their defaults."""


def add_experiment(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    parser = commands.add_parser("experiment", help="compare quantifiers over many data sets; can be stopped and resumed")
    parser.add_argument("settings", help=f"a TOML file, or one of {', '.join(EXPERIMENTS)}")
    parser.add_argument("--into", metavar="FOLDER", help="folder of the results (default: the experiment's name)")
    parser.add_argument("--jobs", type=int, help="processes on this machine (default: one for each processor)")
    cluster = parser.add_argument_group("on a Dask cluster (docs/clusters.md)")
    cluster.add_argument(
        "--dask",
        metavar="ADDRESS",
        help=f"its scheduler, such as tcp://scheduler:8786 (default: that of {ADDRESS}, if it is set)",
    )
    cluster.add_argument("--scheduler-file", metavar="FILE", help="file that `dask scheduler --scheduler-file` writes")
    cluster.add_argument(
        "--wait-for-workers", type=int, metavar="N", help="workers to await before the first cell (default: 1)"
    )
    cluster.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="give up without scheduler or worker (default: 10 s; workers: never)"
    )
    cluster.add_argument(
        "--resource",
        action="append",
        metavar="NAME=AMOUNT",
        help="what a cell needs of a worker's --resources; may be repeated",
    )
    parser.add_argument("--retries", type=int, metavar="N", help="tries of a cell whose worker ended (default: 1 more)")
    parser.add_argument("--stop-after", type=int, metavar="FAILURES", help="stop after this many failed cells (default: never)")
    parser.add_argument("--allow-other-versions", action="store_true", help="mix cells of other versions of qcore or libraries")
    parser.add_argument("--combine", action="store_true", help="put the finished cells into one file at the end")
    parser.add_argument("--show", action="store_true", help="write the settings as TOML and do nothing")
    parser.add_argument("--loss", metavar="LOSS", help="in the summary (default: those of the settings, AE without any)")
    parser.add_argument("--smoothing", choices=SMOOTHINGS, help="of losses that smooth")
    parser.set_defaults(run=run_command, **_OF_A_RUN)


def run_command(chosen: argparse.Namespace) -> int:
    """Run the command. Returns 0 if all cells are finished, 1 if some failed or results cannot be read. Raises InvalidInput."""
    settings = _settings(chosen.settings)
    if chosen.loss is not None:
        check_choice("loss", chosen.loss, COMPARED)
    if chosen.show:
        others = [name.replace("_", "-") for name, default in _OF_A_RUN.items() if getattr(chosen, name) != default]
        if others:
            raise InvalidInput("--show", "be given alone", f"--{', --'.join(others)}", "It writes settings and runs nothing.")
        print(settings.to_toml(), end="")
        return 0
    execution, folder = _execution(chosen), Path(chosen.into or settings.name)
    left = ExperimentFolder.create(folder, settings).missing() if folder.exists() else cells(settings)
    check_names(settings, left, elsewhere=execution.cluster is not None)
    line = _Line(on_cluster=execution.cluster is not None)
    try:
        summary = run_experiment(settings, folder, on_progress=line.say, execution=execution)
    except KeyboardInterrupt:
        line.end()
        return say_stopped(f"Stopped. The same command goes on from what is in {folder}.")
    finally:
        line.end()
    if chosen.combine and not summary.failures:
        ExperimentFolder.open(folder).combine()
    text, is_read = _text(folder, summary, chosen)
    print(text)
    return 0 if is_read and not summary.failures and not summary.was_stopped else 1


def _execution(chosen: argparse.Namespace) -> Execution:
    """How the options say that cells are executed. Raises InvalidInput for options that do not go together."""
    address = chosen.dask or ("" if chosen.scheduler_file or chosen.jobs is not None else os.environ.get(ADDRESS, ""))
    named = [f"--{name}" for name, value in (("dask", chosen.dask), ("scheduler-file", chosen.scheduler_file)) if value]
    named += ["--jobs"] if chosen.jobs is not None else []
    if len(named) > 1:
        hint = "Cells run on this machine or on one cluster."
        raise InvalidInput(named[0], "be given without the others", ", ".join(named[1:]), hint)
    cluster = None
    if address or chosen.scheduler_file:
        check_integer("--wait-for-workers", chosen.wait_for_workers, low=1)
        if chosen.timeout is not None:
            check_positive("--timeout", chosen.timeout)
        resources = dict(_resource(word) for word in chosen.resource or ())
        cluster = Cluster(address, chosen.scheduler_file, chosen.wait_for_workers, chosen.timeout, resources)
    elif alone := [name.replace("_", "-") for name, default in _OF_A_CLUSTER.items() if getattr(chosen, name) != default]:
        hint = f"Name one with --dask, --scheduler-file or {ADDRESS}."
        raise InvalidInput(f"--{alone[0]}", "be given with a cluster", "none", hint)
    jobs = -1 if chosen.jobs is None else chosen.jobs
    return Execution(jobs, True, cluster, chosen.retries, chosen.stop_after, chosen.allow_other_versions)


def _resource(word: str) -> tuple[str, float]:
    name, _, amount = word.partition("=")
    try:
        return name, float(amount)
    except ValueError as error:
        raise InvalidInput("--resource", "be NAME=AMOUNT", repr(word), "Write for example memory=8e9.") from error


def _settings(word: str) -> ExperimentSettings:
    path = Path(word)
    if path.suffix == ".toml":
        if not path.is_file():
            raise InvalidInput("settings", "be a TOML file", repr(word), f"Check it, or write one of {', '.join(EXPERIMENTS)}.")
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput("settings", "be a text file in UTF-8", str(error)[:60], "Save it as UTF-8.") from error
        return ExperimentSettings.from_toml(text)
    check_choice("experiment", word, EXPERIMENTS)
    return EXPERIMENTS[word]


class _Line:
    """The line that says how far the run is, on standard error: written over, and below it what is to stay."""

    def __init__(self, *, on_cluster: bool) -> None:
        self._on_cluster = on_cluster
        self._bar: ProgressBar | None = None

    def say(self, progress: Progress) -> None:
        """Write how far it is."""
        said = [f"{progress.failed} failed"] if progress.failed else []
        if self._on_cluster:
            said += [f"{progress.workers} worker{'s' * (progress.workers != 1)}" if progress.workers else "no worker yet"]
        said += [] if progress.seconds_left is None else [f"{progress.seconds_left:.0f} s left"]
        if self._bar is None:
            self._bar = ProgressBar(progress.total, "{n_fmt} of {total_fmt} cells{postfix}", stays=True)
        self._bar.set_postfix_str(", ".join(said), refresh=False)
        self._bar.n = progress.done
        self._bar.refresh()

    def end(self) -> None:
        """Let what follows begin below it."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None


def _text(folder: Path, summary: RunSummary, chosen: argparse.Namespace) -> tuple[str, bool]:
    """The outcome of the run, and the mean ranks with the critical difference; whether the results could be read."""
    lines = [f"{summary.finished} cells in {summary.seconds:.0f} s, {summary.found} were there already; results in {folder}"]
    if mixture := ExperimentFolder.open(folder).mixture():
        lines.append(f"computed with other versions than the folder's: {mixture}")
    lines += [f"damaged, and computed again: {name}" for name in summary.damaged]
    lines += [f"failed: {cell}: {reason}" for cell, reason in summary.failures.items()]
    if summary.was_stopped:
        lines.append(f"Stopped after {chosen.stop_after} failed cells; cells/*.failed.json say more. The same command goes on.")
    kept = ExperimentFolder.open(folder)
    for loss in [chosen.loss] if chosen.loss else kept.settings.losses:
        try:
            # Problem by problem: all estimates at once may be more than the memory holds.
            tables = [compared_losses(table, kept.settings, loss, chosen.smoothing) for table in kept.tables()]
        except InvalidInput as error:
            nothing = "No cell is finished: there is nothing to compare."
            return "\n".join([*lines, str(error) if summary.finished + summary.found else nothing]), False
        lines += _ranks(pd.concat(tables, ignore_index=True), loss)
    return "\n".join(lines), True


def _ranks(losses: pd.DataFrame, loss: str) -> list[str]:
    """The mean ranks of the methods and their mean losses; where ranks cannot be compared, why, and the means alone."""
    means = losses.groupby("method", sort=False)["loss"].mean().sort_values(kind="stable")
    try:
        result = compare(losses)
    except InvalidInput as error:
        return [str(error), *(f"  {name:24s} mean {loss} {mean:.4f}" for name, mean in means.items())]
    test = result.iman_davenport
    return [
        f"Mean ranks by {loss} over {result.n_sets} data sets; two differ at 5% by {result.nemenyi_distance():.2f} "
        f"(Nemenyi); all equal: p = {test.p_value:.2g} (Iman and Davenport)",
        *(f"  {name:24s} {rank:5.2f}   mean {loss} {means[str(name)]:.4f}" for name, rank in result.mean_ranks.items()),
    ]
