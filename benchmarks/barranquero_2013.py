"""The experiments of Barranquero (2013), chapters 5 and 6: which learners count best on its data sets?

python -m benchmarks.barranquero_2013 --data FOLDER [--json]   (ten minutes on two cores)

FOLDER holds the data sets as CSV, class last (see PROBLEMS). Stratified 10-fold cross-validation; from each test fold the
largest sample with each prevalence 0, 0.1, ..., 1, by under-sampling; losses averaged over the folds for each data set and
prevalence (4.1). tpr and fpr by 10-fold cross-validation of the training part, with the parameters that were chosen on all of
it. Ranks: of those means at each prevalence, averaged for each data set, ranked again (4.2).

Two protocols: the thesis's own (features as they are, but transfusion's and wine's with mean 0 and standard deviation 0.5; for
chapter 5 the SVM's C chosen by GM; KLD with Forman's half count), and one with all features standardised, C = 1 and additive
smoothing. In both, text is encoded as one column for each value, and ctg has 21 attributes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from benchmarks.barranquero_2013_claims import CHAPTER_5, CHAPTER_6, CLAIMS, FORMAN, ThesisResults
from benchmarks.claims import claim_rows
from benchmarks.papers_data import table_of
from benchmarks.report import Row, show
from qcore import LOSSES, NAMED_QUANTIFIERS, make_quantifiers
from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray
from qcore.classifiers import make_classifier, positive_scores, with_chosen_parameters
from qcore.losses import Smoothing

PROBLEMS: Final = {
    "acute.a": ("acute_a", "yes"), "acute.b": ("acute_b", "yes"),
    "balance.1": ("balance", "L"), "balance.2": ("balance", "B"), "balance.3": ("balance", "R"),
    "cmc.1": ("cmc", "1"), "cmc.2": ("cmc", "2"), "cmc.3": ("cmc", "3"),
    "ctg.1": ("ctg", "1"), "ctg.2": ("ctg", "2"), "ctg.3": ("ctg", "3"),
    "haberman": ("haberman", "2"), "ionosphere": ("ionosphere", "b"),
    "iris.1": ("iris", "Iris-setosa"), "iris.2": ("iris", "Iris-versicolor"), "iris.3": ("iris", "Iris-virginica"),
    "sonar": ("sonar", "R"), "spectf": ("spectf", "0"), "tictactoe": ("tictactoe", "negative"),
    "transfusion": ("transfusion", "1"), "wdbc": ("wdbc", "M"),
    "wine.1": ("wine", "1"), "wine.2": ("wine", "2"), "wine.3": ("wine", "3"),
}  # fmt: skip
"""Problem -> file and positive class (Table 5.2)."""

NORMALISED: Final = ("transfusion", "wine")
"""Files whose features the thesis scales, to mean 0 and standard deviation 0.5 (5.2.1)."""

PREVALENCES: Final = np.arange(11) / 10


@dataclass(frozen=True)
class Protocol:
    """What the experiments leave open.

    Attributes
    ----------
    name : in the heads of the tables.
    svms : the classifier under Forman's corrections, in chapter 5 and in chapter 6.
    standardised : whether all features are standardised; else only those of NORMALISED are scaled.
    smoothing : of KLD.
    """

    name: str
    svms: tuple[str, str]
    standardised: bool
    smoothing: Smoothing


PROTOCOLS: Final = (
    Protocol("the thesis's protocol", ("tuned linear SVM", "linear SVM"), False, "half_count"),
    Protocol("standardised features, C = 1", ("linear SVM", "linear SVM"), True, "additive"),
)


def pairs(protocol: Protocol) -> dict[str, dict[str, str]]:
    """Classifier -> {column of the table: correction}: Forman's on the SVM of each chapter, and the thesis's named pairs."""
    named = [NAMED_QUANTIFIERS[key] for key in dict.fromkeys((*CHAPTER_5, *CHAPTER_6)) if key in NAMED_QUANTIFIERS]
    result: dict[str, dict[str, str]] = {}
    for chapter, svm, methods in zip((5, 6), protocol.svms, (("BL", *FORMAN), FORMAN), strict=True):
        result.setdefault(svm, {}).update({f"{method} {chapter}": method for method in methods})
    return result | {one.classifier: {one.key: one.quantifier} for one in named}


def largest_samples(labels: IntArray, rng: np.random.Generator) -> Iterator[tuple[float, IntArray]]:
    """(true prevalence, rows) of the largest sample of a test fold at each prevalence (4.1.1).

    The largest with a prevalence within 0.005; without one, the nearest, and the largest of equally near ones.
    """
    positives, negatives = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    counts = np.stack(np.meshgrid(np.arange(len(positives) + 1), np.arange(len(negatives) + 1), indexing="ij"), -1)
    counts = counts.reshape(-1, 2)[1:]
    sizes = counts.sum(axis=1)
    for requested in PREVALENCES:
        distances = np.abs(counts[:, 0] / sizes - requested)
        near = np.flatnonzero(distances <= max(0.005, distances.min()) + TIE)
        # Of the largest ones, the nearest.
        n_positives, n_negatives = counts[near[np.lexsort((distances[near], -sizes[near]))[0]]]
        rows = np.concatenate([rng.permutation(positives)[:n_positives], rng.permutation(negatives)[:n_negatives]])
        yield n_positives / len(rows), rows


def tested(folder: Path, problem: str, protocol: Protocol) -> pd.DataFrame:
    """Mean losses over the folds: rows are prevalences, columns (loss, column of `pairs`)."""
    file, positive = PROBLEMS[problem]
    table = table_of(folder, file)
    features, labels = table.drop(columns="class"), (table["class"] == positive).to_numpy().astype(np.int64)
    if file in NORMALISED and not protocol.standardised:
        features = 0.5 * (features - features.mean()) / features.std(ddof=0)
    result: list[dict[tuple[str, str], list[float]]] = []
    for number, (inside, held) in enumerate(_folds(labels, 0)):
        samples = list(largest_samples(labels[held], np.random.default_rng([0, number])))
        answers: dict[tuple[str, str], list[float]] = {}
        for classifier, columns in pairs(protocol).items():
            training, pool = _scores(
                classifier, protocol, features, labels, inside, held, needs_folds={*columns.values()} != {"CC"}
            )
            for column, quantifier in make_quantifiers(columns, training, labels[inside]).items():
                estimates = [quantifier.predict(pool[rows]) for _, rows in samples]
                for loss in ("AE", "KLD"):
                    answers[loss, column] = [
                        float(LOSSES[loss].binary(true, estimate, sample_size=len(rows), smoothing=protocol.smoothing))
                        for (true, rows), estimate in zip(samples, estimates, strict=True)
                    ]
        result.append(answers)
    return sum(pd.DataFrame(answers) for answers in result) / len(result)  # type: ignore[return-value]


def _folds(labels: IntArray, seed: int) -> list[tuple[IntArray, IntArray]]:
    n = min(10, int(np.bincount(labels).min()))
    return list(StratifiedKFold(n, shuffle=True, random_state=seed).split(labels, labels))


def _scores(
    classifier: str,
    protocol: Protocol,
    features: pd.DataFrame,
    labels: IntArray,
    inside: IntArray,
    held: IntArray,
    *,
    needs_folds: bool,
) -> tuple[FloatArray, FloatArray]:
    """Out-of-fold scores of the training part (all 0.5 where counting needs none), and scores of the held-out fold."""
    folds = [(inside[inner], inside[outer]) for inner, outer in _folds(labels[inside], 1)]
    nominal = tuple(str(column) for column in features.columns if features[column].dtype.kind not in "if")
    model = make_classifier(classifier, nominal, min(len(inner) for inner, _ in folds), 0)
    if not protocol.standardised:
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        model = make_pipeline(make_column_transformer((one_hot, list(nominal)), remainder="passthrough"), model[-1])

    model = with_chosen_parameters(classifier, model, features.iloc[inside], labels[inside])

    def scored(rows: IntArray, requested: IntArray) -> FloatArray:
        return positive_scores(clone(model).fit(features.iloc[rows], labels[rows]), features.iloc[requested])

    scores = np.full(len(labels), 0.5)
    if needs_folds:
        for inner, outer in folds:
            scores[outer] = scored(inner, outer)
    return scores[inside], scored(inside, held)


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


def measure_all(folder: Path, problems: Sequence[str]) -> dict[str, ThesisResults]:
    """Protocol's name -> what it gave; the time that it took on the error output."""
    started = time.perf_counter()
    jobs = [(protocol, problem) for protocol in PROTOCOLS for problem in problems]
    results = Parallel(n_jobs=-1)(delayed(tested)(folder, problem, protocol) for protocol, problem in jobs)
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    tables = dict(zip(jobs, results, strict=True))
    classes = {problem: table_of(folder, PROBLEMS[problem][0])["class"] for problem in problems}
    prevalences = {problem: float((classes[problem] == PROBLEMS[problem][1]).mean()) for problem in problems}
    return {
        protocol.name: ThesisResults({problem: tables[protocol, problem] for problem in problems}, prevalences)
        for protocol in PROTOCOLS
    }


def run() -> None:
    """Test all problems, then print both chapters' tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--sets", nargs="+", choices=PROBLEMS, default=list(PROBLEMS), help="which problems")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    results = measure_all(arguments.data, arguments.sets)
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
