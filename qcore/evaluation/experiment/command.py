"""The command: python -m qcore experiment SETTINGS --into FOLDER."""

import argparse
import sys
from pathlib import Path
from typing import Any

from qcore._base.interrupted import say_stopped
from qcore._base.validation import InvalidInput, check_choice
from qcore.evaluation.experiment.cell import cells, check_names
from qcore.evaluation.experiment.presets import EXPERIMENTS
from qcore.evaluation.experiment.results import UNSIGNED, ExperimentFolder, compared_losses, read_experiment
from qcore.evaluation.experiment.runner import Progress, RunSummary, run_experiment
from qcore.evaluation.experiment.settings import ExperimentSettings
from qcore.evaluation.significance import compare
from qcore.losses import SMOOTHINGS

_OF_A_RUN = {"into": "", "jobs": -1, "dask": "", "combine": False, "loss": "AE", "smoothing": "additive"}
"""The options of a run, with their defaults."""


def add_experiment(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    parser = commands.add_parser("experiment", help="compare quantifiers over many data sets; can be stopped and resumed")
    parser.add_argument("settings", help=f"a TOML file, or one of {', '.join(EXPERIMENTS)}")
    parser.add_argument("--into", metavar="FOLDER", help="folder of the results (default: the experiment's name)")
    parser.add_argument("--jobs", type=int, help="processes on this machine (default: one for each processor)")
    parser.add_argument("--dask", metavar="ADDRESS", help="scheduler of a cluster, such as tcp://scheduler:8786")
    parser.add_argument("--combine", action="store_true", help="put the finished cells into one file at the end")
    parser.add_argument("--show", action="store_true", help="write the settings as TOML and do nothing")
    parser.add_argument("--loss", choices=UNSIGNED, metavar="LOSS", help="in the summary (default: AE)")
    parser.add_argument("--smoothing", choices=SMOOTHINGS, help="of losses that smooth")
    parser.set_defaults(run=run_command, **_OF_A_RUN)


def run_command(chosen: argparse.Namespace) -> int:
    """Run the command. Returns 0 if all cells are finished, 1 if some failed. Raises InvalidInput."""
    settings = _settings(chosen.settings)
    if chosen.show:
        others = [name for name, default in _OF_A_RUN.items() if getattr(chosen, name) != default]
        if others:
            raise InvalidInput("--show", "stand alone", f"--{', --'.join(others)}", "It writes the settings and runs nothing.")
        print(settings.to_toml(), end="")
        return 0
    folder = Path(chosen.into or settings.name)
    left = ExperimentFolder.create(folder, settings).missing() if folder.exists() else cells(settings)
    check_names(settings, left, elsewhere=bool(chosen.dask))
    try:
        summary = run_experiment(settings, folder, n_jobs=chosen.jobs, dask=chosen.dask, on_progress=_say)
    except KeyboardInterrupt:
        return say_stopped(f"Stopped. The same command goes on from what is in {folder}.")
    print(file=sys.stderr)
    if chosen.combine and not summary.failures:
        ExperimentFolder.open(folder).combine()
    print(_text(folder, summary, chosen))
    return 1 if summary.failures else 0


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


def _say(progress: Progress) -> None:
    failed = f", {progress.failed} failed" if progress.failed else ""
    left = "" if progress.seconds_left is None else f", {progress.seconds_left:.0f} s left"
    print(f"\r{progress.done} of {progress.total} cells{failed}{left}   ", end="", file=sys.stderr, flush=True)


def _text(folder: Path, summary: RunSummary, chosen: argparse.Namespace) -> str:
    """The outcome of the run, and the mean ranks with the critical difference."""
    lines = [f"{summary.finished} cells in {summary.seconds:.0f} s, {summary.found} were there already; results in {folder}"]
    lines += [f"failed: {cell}: {reason}" for cell, reason in summary.failures.items()]
    try:
        settings, estimates = read_experiment(folder)
        losses = compared_losses(estimates, settings, chosen.loss, chosen.smoothing)
        result = compare(losses)
    except InvalidInput as error:
        nothing = "No cell is finished: there is nothing to compare."
        return "\n".join([*lines, str(error) if summary.finished + summary.found else nothing])
    test = result.iman_davenport
    lines.append(
        f"Mean ranks by {chosen.loss} over {result.n_sets} data sets; two differ at 5% by {result.nemenyi_distance():.2f} "
        f"(Nemenyi); all equal: p = {test.p_value:.2g} (Iman and Davenport)"
    )
    means = losses.groupby("method")["loss"].mean()
    lines += [
        f"  {name:24s} {rank:5.2f}   mean {chosen.loss} {means[str(name)]:.4f}" for name, rank in result.mean_ranks.items()
    ]
    return "\n".join(lines)
