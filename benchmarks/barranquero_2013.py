"""The experiments of Barranquero (2013), chapters 5 and 6: which learners count best on its data sets?

python -m benchmarks.barranquero_2013 --data FOLDER [--into RESULTS] [--seeds N] [--json]   (an hour on two cores)

FOLDER holds the data sets as CSV, class last (see PROBLEMS). The command runs the settings "barranquero-2013-chapter-5" and
"-6" of `python -m qcore experiment`: stratified 10-fold cross-validation; the largest sample that each test fold can give at
each prevalence 0, 0.1, ..., 1; losses averaged over the folds (4.1). These means are ranked at each prevalence, the ranks
averaged for each data set and ranked again (4.2). All of this is repeated for ten seeds of the folds and of the parameter
searches (three for the third protocol, one for each variant): the spread over the seeds shows how certain a rank is. With
RESULTS, a run that was stopped continues where it ended.

Three protocols: the thesis's own (LIBSVM's SVM; features as they are, but transfusion's and wine's with mean 0 and standard
deviation 0.5; for chapter 5 C chosen by GM; KLD with Forman's half count); the same with LIBLINEAR's SVM; and one with all
features standardised, LIBLINEAR's SVM with C = 1 and additive smoothing. Two more for chapter 5 alone: parameters chosen by
5 x 2 instead of 2 x 5 cross-validation, and LIBSVM with 200,000 iterations instead of 20,000 (one seed).
In all, text is encoded as one column for each value, and ctg has 21 attributes.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.barranquero_2013_claims import CLAIMS, ThesisResults
from benchmarks.claims import claim_rows
from benchmarks.report import Row, show
from qcore import CLASSIFIERS, NAMED_QUANTIFIERS, InvalidInput, load_dataset
from qcore.datasets.folder import VARIABLE
from qcore.evaluation.experiment import EXPERIMENTS, ExperimentSettings, Pair, mean_losses, read_experiment, run_experiment
from qcore.losses import Smoothing

_OF_CHAPTERS = {chapter: EXPERIMENTS[f"barranquero-2013-chapter-{chapter}"] for chapter in (5, 6)}


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


PROBLEMS = _short_names()


@dataclass(frozen=True)
class Protocol:
    """The choices in which runs of the thesis's experiments differ.

    Attributes
    ----------
    name : the protocol's name in the column titles of the tables.
    classifiers : classifier of the thesis -> the classifier that replaces it.
    features : how all features are scaled; empty for the thesis's own scaling.
    smoothing : how prevalences are smoothed for KLD.
    parameters : parameters that are set for each classifier that has them.
    chapters : the chapters of the thesis that are run.
    most_seeds : the largest number of seeds that are run.
    """

    name: str
    classifiers: Mapping[str, str] = field(default_factory=dict)
    features: str = ""
    smoothing: Smoothing = "half_count"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    chapters: tuple[int, ...] = (5, 6)
    most_seeds: int = 100

    def settings(self, chapter: int, problems: Sequence[str], seed: int = 0) -> ExperimentSettings:
        """The settings of a chapter's experiment, limited to these problems (by the thesis's names)."""
        settings = _OF_CHAPTERS[chapter]
        chosen = [one for one in settings.problems if one.name in {PROBLEMS[name] for name in problems}]
        scaled = tuple(replace(one, features=self.features or one.features) for one in chosen)
        pairs = tuple(self._pair(pair) for pair in settings.pairs)
        name = f"{settings.name}-{re.sub('[^a-z0-9]+', '-', self.name.lower())}-seed-{seed}"
        return replace(settings, name=name, problems=scaled, pairs=pairs, seed=seed)

    def _pair(self, pair: Pair) -> Pair:
        classifier = self.classifiers.get(pair.classifier, pair.classifier)
        known = CLASSIFIERS[classifier].make(0, 100).get_params()
        given = {name: value for name, value in self.parameters.items() if name in known}
        return replace(pair, classifier=classifier, classifier_parameters=given)


PROTOCOLS = (
    Protocol("the thesis's protocol"),
    Protocol("with LIBLINEAR's SVM", {"tuned hinge-loss SVM": "tuned linear SVM", "hinge-loss SVM": "linear SVM"}),
    Protocol(
        "standardised features, C = 1",
        {"tuned hinge-loss SVM": "linear SVM", "hinge-loss SVM": "linear SVM"},
        "standardised",
        "additive",
        most_seeds=3,
    ),
)
"""The protocols whose results the claims are judged on."""

VARIANTS = (
    Protocol("200,000 iterations", parameters={"max_iter": 200_000}, chapters=(5,), most_seeds=1),
    Protocol("5 x 2 cross-validation", parameters={"search": "5 x 2"}, chapters=(5,), most_seeds=1),
)
"""The thesis's protocol with one thing changed."""


def tested(protocol: Protocol, problems: Sequence[str], results: Path, *, seed: int) -> dict[str, pd.DataFrame]:
    """Problem -> mean losses over the folds: rows are prevalences, columns (loss, method), Forman's with their chapter."""
    tables: dict[str, dict[tuple[str, str], pd.Series]] = {name: {} for name in problems}
    for chapter in protocol.chapters:
        settings = protocol.settings(chapter, problems, seed)
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


def ranked(runs: Sequence[ThesisResults], chapter: int) -> list[Row]:
    """A row for each method: mean and median AE, mean KLD, and its mean rank by AE and by KLD, over data sets and seeds."""
    ranks = {loss: rank_spread(runs, chapter, loss) for loss in ("AE", "KLD")}
    losses = {
        loss: {name: np.concatenate([one.losses(chapter, loss)[name] for one in runs]) for name in ranks["AE"].index}
        for loss in ("AE", "KLD")
    }
    return [
        {
            "method": str(method),
            "rank by AE": rank_text(ranks["AE"].loc[method]),
            "mean AE": f"{losses['AE'][method].mean():.4f}",
            "median AE": f"{np.median(losses['AE'][method]):.4f}",
            "AE above 0.5": f"{(losses['AE'][method] > 0.5).mean():.1%}",
            "rank by KLD": rank_text(ranks["KLD"].loc[method]),
            "mean KLD": f"{losses['KLD'][method].mean():.3f}",
        }
        for method in ranks["AE"].index
    ]


def rank_spread(runs: Sequence[ThesisResults], chapter: int, loss: str = "AE") -> pd.DataFrame:
    """Mean, lowest and highest mean rank of each method over the seeds, best first."""
    ranks = pd.DataFrame([one.ranks(chapter, loss) for one in runs])
    return ranks.agg(["mean", "min", "max"]).T.sort_values("mean", kind="stable")


def rank_text(row: pd.Series) -> str:
    """A rank with its spread: 3.56 (3.35 to 3.71)."""
    spread = f" ({row['min']:.2f} to {row['max']:.2f})" if row["max"] > row["min"] else ""
    return f"{row['mean']:.2f}{spread}"


def rank_rows(results: Mapping[str, Sequence[ThesisResults]], chapter: int) -> list[Mapping[str, str]]:
    """A row for each method, with its rank by AE, the mean over the seeds, by each protocol."""
    spreads = {name: rank_spread(runs, chapter) for name, runs in results.items()}
    methods = next(iter(spreads.values())).index
    means = {name: table["mean"] for name, table in spreads.items()}
    return [{"method": str(one), **{name: f"{mean[one]:.2f}" for name, mean in means.items()}} for one in methods]


def measure_all(
    folder: Path,
    problems: Sequence[str],
    results: Path | None = None,
    seeds: int = 10,
    protocols: Sequence[Protocol] = PROTOCOLS,
) -> dict[str, list[ThesisResults]]:
    """Protocol's name -> its results, one for each seed. Prints the time of each run to the error output.

    Ends the program when a file is not in the folder.
    """
    started = time.perf_counter()
    os.environ[VARIABLE] = str(folder)
    kept = results or Path(tempfile.mkdtemp(prefix="barranquero-2013-"))
    known = {one.name: one for one in _OF_CHAPTERS[5].problems}
    prevalences = {}
    for name in problems:
        problem = known[PROBLEMS[name]]
        try:
            data = load_dataset(problem.data)
        except InvalidInput as error:
            raise SystemExit(f"{error} The folder is the one that --data names.") from error
        prevalences[name] = float(data.binary_labels(problem.positive).mean())
    result: dict[str, list[ThesisResults]] = {}
    for protocol in protocols:
        for seed in range(min(seeds, protocol.most_seeds)):
            tables = tested(protocol, problems, kept, seed=seed)
            result.setdefault(protocol.name, []).append(ThesisResults(tables, prevalences))
            print(f"{protocol.name}, seed {seed}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    return result


def run() -> None:
    """Test all problems, then print both chapters' tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--into", type=Path, help="folder of the results, to be stopped and resumed")
    parser.add_argument("--sets", nargs="+", choices=PROBLEMS, default=list(PROBLEMS), help="which problems")
    parser.add_argument("--seeds", type=int, default=10, help="how many (default 10)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    results = measure_all(arguments.data, arguments.sets, arguments.into, arguments.seeds)
    variants = measure_all(arguments.data, arguments.sets, arguments.into, arguments.seeds, VARIANTS)
    heads: dict[str, Callable[[], Sequence[Row]]] = {}
    for name, runs in results.items():
        for chapter in (5, 6):
            n_sets, distance = len(runs[0].problems(chapter)), runs[0].distance(chapter)
            head = f"Chapter {chapter}, {name}: {n_sets} data sets, critical difference {distance:.2f}"
            heads[head] = partial(ranked, runs, chapter)
    heads["Chapter 5, mean ranks by AE"] = lambda: rank_rows({**results, **variants}, 5)
    heads["The thesis's claims"] = lambda: claim_rows(CLAIMS, results)
    show(heads, arguments)


if __name__ == "__main__":
    run()
