"""The experiments of Barranquero (2013), chapters 5 and 6: which learners count best on its data sets?

python -m benchmarks.barranquero_2013 --data FOLDER [--json]   (five minutes on two cores)

FOLDER holds the data sets as CSV, class last (see PROBLEMS). Stratified 10-fold cross-validation; from each test fold the
largest sample with each prevalence 0, 0.1, ..., 1, by under-sampling; losses averaged over the folds for each data set and
prevalence (4.1). tpr and fpr by 10-fold cross-validation of the training part. Ranks: of those means at each prevalence,
averaged for each data set, ranked again (4.2). Otherwise than there: all features are standardised, C = 1, ctg has 21
attributes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import Pipeline

from benchmarks.papers_data import table_of
from benchmarks.report import Row, show
from qcore import LOSSES, NAMED_QUANTIFIERS, make_quantifiers
from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray
from qcore.classifiers import make_classifier, positive_scores

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

EASY: Final = ("acute.a", "acute.b")
"""Left out of chapter 6: too simple (6.4.1)."""

FORMAN: Final = ("CC", "AC", "X", "Max", "T50", "MS")
CHAPTER_5: Final = ("BL", *FORMAN, "KNN", "PWK", "PWK-alpha")
CHAPTER_6: Final = (*FORMAN, "NAS", "Q0.5", "Q1", "Q2")
PREVALENCES: Final = np.arange(11) / 10


def pairs() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Classifier -> the corrections that it takes, and what each is called: those of Forman on a linear SVM, named pairs."""
    named = [NAMED_QUANTIFIERS[key] for key in dict.fromkeys((*CHAPTER_5, *CHAPTER_6)) if key in NAMED_QUANTIFIERS]
    return {"linear SVM": ("", ("BL", *FORMAN)), **{one.classifier: (one.key, (one.quantifier,)) for one in named}}


def largest_samples(labels: IntArray, rng: np.random.Generator) -> Iterator[tuple[float, IntArray]]:
    """(true prevalence, rows) of the largest sample of a test fold at each prevalence (4.1.1)."""
    positives, negatives = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    for requested in PREVALENCES:
        sizes = np.arange(1, len(labels) + 1)
        wanted = np.rint(requested * sizes).astype(int)
        fits = (wanted <= len(positives)) & (sizes - wanted <= len(negatives))
        size, count = int(sizes[fits][-1]), int(wanted[fits][-1])
        rows = np.concatenate([rng.permutation(positives)[:count], rng.permutation(negatives)[: size - count]])
        yield count / size, rows


def tested(folder: Path, problem: str) -> pd.DataFrame:
    """Mean losses over the folds: rows are prevalences, columns (loss, method)."""
    file, positive = PROBLEMS[problem]
    table = table_of(folder, file)
    features, labels = table.drop(columns="class"), (table["class"] == positive).to_numpy().astype(np.int64)
    nominal = tuple(str(column) for column in features.columns if features[column].dtype.kind not in "if")
    result: list[dict[tuple[str, str], list[float]]] = []
    for number, (inside, held) in enumerate(_folds(labels, 0)):
        rng = np.random.default_rng([0, number])
        samples = list(largest_samples(labels[held], rng))
        answers: dict[tuple[str, str], list[float]] = {}
        for classifier, (name, methods) in pairs().items():
            model = partial(make_classifier, classifier, nominal, 0, 0)
            training, pool = _scores(model, features, labels, inside, held, needs_folds=methods != ("CC",))
            fitted = make_quantifiers(methods, training, labels[inside])
            for method, quantifier in fitted.items():
                for loss in ("AE", "KLD"):
                    answers[loss, name or method] = [
                        float(LOSSES[loss].binary(true, quantifier.predict(pool[rows]), sample_size=len(rows)))
                        for true, rows in samples
                    ]
        result.append(answers)
    return sum(pd.DataFrame(answers) for answers in result) / len(result)  # type: ignore[return-value]


def _folds(labels: IntArray, seed: int) -> list[tuple[IntArray, IntArray]]:
    n = min(10, int(np.bincount(labels).min()))
    return list(StratifiedKFold(n, shuffle=True, random_state=seed).split(labels, labels))


def _scores(
    make: Callable[[], Pipeline],
    features: pd.DataFrame,
    labels: IntArray,
    inside: IntArray,
    held: IntArray,
    *,
    needs_folds: bool,
) -> tuple[FloatArray, FloatArray]:
    """Out-of-fold scores of the training part (all 0.5 where counting needs none), and scores of the held-out fold."""

    def scored(train: IntArray, requested: IntArray) -> FloatArray:
        return positive_scores(make().fit(features.iloc[train], labels[train]), features.iloc[requested])

    training = np.full(len(inside), 0.5)
    if needs_folds:
        for inner, outer in _folds(labels[inside], 1):
            training[outer] = scored(inside[inner], inside[outer])
    return training, scored(inside, held)


def ranked(tables: dict[str, pd.DataFrame], methods: Sequence[str], problems: Sequence[str]) -> list[Row]:
    """A row for each method: mean and median AE, mean KLD, and its mean rank by AE and by KLD over the data sets."""
    rows: list[Row] = []
    ranks = {}
    for loss in ("AE", "KLD"):
        by_set = [rankdata(_rounded(tables[one][loss][list(methods)].to_numpy()), axis=1).mean(axis=0) for one in problems]
        ranks[loss] = np.mean([rankdata(_rounded(one)) for one in by_set], axis=0)
    values = {loss: np.concatenate([tables[one][loss][list(methods)].to_numpy() for one in problems]) for loss in ("AE", "KLD")}
    for index in np.argsort(ranks["AE"], kind="stable"):
        ae, kld = values["AE"][:, index], values["KLD"][:, index]
        rows.append(
            {
                "method": methods[index], "rank by AE": f"{ranks['AE'][index]:.2f}", "mean AE": f"{ae.mean():.4f}",
                "median AE": f"{np.median(ae):.4f}", "AE above 0.5": f"{(ae > 0.5).mean():.1%}",
                "rank by KLD": f"{ranks['KLD'][index]:.2f}", "mean KLD": f"{kld.mean():.3f}",
            }
        )  # fmt: skip
    return rows


def _rounded(values: FloatArray) -> FloatArray:
    """Without the digits in which equal means may differ."""
    return np.round(values, int(-np.log10(TIE)) - 2)


def run() -> None:
    """Test all problems, then print both chapters' tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--sets", nargs="+", choices=PROBLEMS, default=list(PROBLEMS), help="which problems")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    tables = {}
    for problem in arguments.sets:
        started = time.perf_counter()
        tables[problem] = tested(arguments.data, problem)
        print(f"{problem}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    hard = [problem for problem in arguments.sets if problem not in EASY]
    show(
        {
            f"Chapter 5, {len(arguments.sets)} data sets, 1 is best": lambda: ranked(tables, CHAPTER_5, arguments.sets),
            f"Chapter 6, {len(hard)} data sets, 1 is best": lambda: ranked(tables, CHAPTER_6, hard),
        },
        arguments,
    )


if __name__ == "__main__":
    run()
