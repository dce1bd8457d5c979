"""The experiments of Barranquero (2013), chapters 5 and 6: which learners count best on its data sets?

python -m benchmarks.barranquero_2013 --data FOLDER [--into RESULTS] [--json]   (seven minutes on two cores)

FOLDER holds the data sets as CSV, class last (see PROBLEMS). What is run are the settings "barranquero-2013-chapter-5" and
"-6" of `python -m qcore experiment`: stratified 10-fold cross-validation, from each test fold the largest sample with each
prevalence 0, 0.1, ..., 1, losses averaged over the folds (4.1); ranks of those means at each prevalence, averaged for each
data set, ranked again (4.2). With RESULTS it can be stopped and goes on where it ended.

Two protocols: the thesis's own (features as they are, but transfusion's and wine's with mean 0 and standard deviation 0.5; for
chapter 5 the SVM's C chosen by GM; KLD with Forman's half count), and one with all features standardised, C = 1 and additive
smoothing. In both, text is encoded as one column for each value, and ctg has 21 attributes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.barranquero_2013_claims import CHAPTER_5, CHAPTER_6, CLAIMS, ThesisResults
from benchmarks.claims import claim_rows
from benchmarks.report import Row, show
from qcore import NAMED_QUANTIFIERS, load_dataset
from qcore.datasets.folder import VARIABLE
from qcore.evaluation.experiment import EXPERIMENTS, ExperimentSettings, mean_losses, read_experiment, run_experiment
from qcore.losses import Smoothing

CHAPTERS: Final = {5: CHAPTER_5, 6: CHAPTER_6}
_OF_CHAPTERS: Final = {chapter: EXPERIMENTS[f"barranquero-2013-chapter-{chapter}"] for chapter in CHAPTERS}


def _short_names() -> dict[str, str]:
    """The thesis's name of a problem -> the experiment's: balance.1 is the first class of balance.csv that is tested."""
    files: dict[str, list[str]] = {}
    for problem in _OF_CHAPTERS[5].problems:
        files.setdefault(problem.data.removeprefix("folder:").removesuffix(".csv"), []).append(problem.name)
    return {
        (file.replace("_", ".") if len(names) == 1 else f"{file}.{number}"): name
        for file, names in files.items()
        for number, name in enumerate(names, start=1)
    }


PROBLEMS: Final = _short_names()


@dataclass(frozen=True)
class Protocol:
    """What the experiments leave open.

    Attributes
    ----------
    name : in the heads of the tables.
    standardised : whether all features are standardised and C = 1; else as the thesis has it.
    smoothing : of KLD.
    """

    name: str
    standardised: bool
    smoothing: Smoothing

    def settings(self, chapter: int, problems: Sequence[str]) -> ExperimentSettings:
        """What is run for a chapter, on problems by the thesis's names."""
        settings = _OF_CHAPTERS[chapter]
        chosen = tuple(one for one in settings.problems if one.name in {PROBLEMS[name] for name in problems})
        if not self.standardised:
            return replace(settings, problems=chosen)
        pairs = [
            replace(pair, classifier="linear SVM") if pair.classifier == "tuned linear SVM" else pair for pair in settings.pairs
        ]
        scaled = tuple(replace(one, features="standardised") for one in chosen)
        return replace(settings, name=f"{settings.name}-standardised", problems=scaled, pairs=tuple(pairs))


PROTOCOLS: Final = (
    Protocol("the thesis's protocol", False, "half_count"),
    Protocol("standardised features, C = 1", True, "additive"),
)


def tested(protocol: Protocol, problems: Sequence[str], results: Path) -> dict[str, pd.DataFrame]:
    """Problem -> mean losses over the folds: rows are prevalences, columns (loss, method), Forman's with their chapter."""
    tables: dict[str, dict[tuple[str, str], pd.Series]] = {name: {} for name in problems}
    for chapter in CHAPTERS:
        settings = protocol.settings(chapter, problems)
        if not settings.problems:
            continue
        folder = results / settings.name
        summary = run_experiment(settings, folder)
        if summary.failures:
            raise SystemExit("\n".join(f"{cell}: {reason}" for cell, reason in summary.failures.items()))
        for loss in ("AE", "KLD"):
            losses = mean_losses(read_experiment(folder)[1], settings, loss, protocol.smoothing)
            for name in problems:
                rows = losses[losses["data"] == PROBLEMS[name]]
                for method, part in rows.groupby("method", sort=False):
                    column = str(method) if method in NAMED_QUANTIFIERS else f"{method} {chapter}"
                    tables[name][loss, column] = part.set_index("prevalence")["loss"].sort_index()
    return {name: pd.DataFrame(columns) for name, columns in tables.items()}


def ranked(results: ThesisResults, chapter: int) -> list[Row]:
    """A row for each method: mean and median AE, mean KLD, and its mean rank by AE and by KLD over the data sets."""
    ranks = {loss: results.ranks(chapter, loss) for loss in ("AE", "KLD")}
    losses = {loss: results.losses(chapter, loss) for loss in ("AE", "KLD")}
    return [
        {
            "method": method, "rank by AE": f"{rank:.2f}", "mean AE": f"{losses['AE'][method].mean():.4f}",
            "median AE": f"{np.median(losses['AE'][method]):.4f}", "AE above 0.5": f"{(losses['AE'][method] > 0.5).mean():.1%}",
            "rank by KLD": f"{ranks['KLD'][method]:.2f}", "mean KLD": f"{losses['KLD'][method].mean():.3f}",
        }
        for method, rank in zip(ranks["AE"].index.astype(str), ranks["AE"], strict=True)
    ]  # fmt: skip


def measure_all(folder: Path, problems: Sequence[str], results: Path | None = None) -> dict[str, ThesisResults]:
    """Protocol's name -> what it gave; the time that it took on the error output."""
    started = time.perf_counter()
    os.environ[VARIABLE] = str(folder)
    kept = results or Path(tempfile.mkdtemp(prefix="barranquero-2013-"))
    tables = {protocol.name: tested(protocol, problems, kept) for protocol in PROTOCOLS}
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    known = {one.name: one for one in _OF_CHAPTERS[5].problems}
    prevalences = {}
    for name in problems:
        problem = known[PROBLEMS[name]]
        prevalences[name] = float(load_dataset(problem.data).binary_labels(problem.positive).mean())
    return {name: ThesisResults(of_problems, prevalences) for name, of_problems in tables.items()}


def run() -> None:
    """Test all problems, then print both chapters' tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--into", type=Path, help="folder of the results, to be stopped and resumed")
    parser.add_argument("--sets", nargs="+", choices=PROBLEMS, default=list(PROBLEMS), help="which problems")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    results = measure_all(arguments.data, arguments.sets, arguments.into)
    heads: dict[str, Callable[[], Sequence[Row]]] = {}
    for name, result in results.items():
        for chapter in (5, 6):
            n_sets, distance = len(result.problems(chapter)), result.distance(chapter)
            head = f"Chapter {chapter}, {name}: {n_sets} data sets, critical difference {distance:.2f}"
            heads[head] = partial(ranked, result, chapter)
    heads["The thesis's claims"] = lambda: claim_rows(CLAIMS, results)
    show(heads, arguments)


if __name__ == "__main__":
    run()
