"""How long the learners of the field take to fit, and how that grows; beside scikit-learn's in the same run.

python -m benchmarks.learners [--json]   (half a minute on two cores; needs nothing beside requirements.txt)

The data are normals of 10 features, 5 of which tell the classes apart (AUC about 0.99). "n log n": time over n log n, as a
multiple of the first row's, so that 1 is growth like n log n.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from benchmarks.report import Row, arguments, show
from qcore.base import FloatArray, IntArray
from qcore.classifiers import MultivariateSVM, QuantificationForest, WeightedNeighbours
from qcore.classifiers.weighted_neighbours import GRID_K
from qcore.measures.catalog import ParametricMeasure
from qcore.measures.measure import ContingencyTable
from qcore.studies.search_space import values_on_all_tables

SIZES = (500, 2_000, 10_000, 50_000)
SHARES = (0.5, 0.09)


def made(n: int, share: float, seed: int = 0) -> tuple[FloatArray, IntArray]:
    """Features (n, 10) and labels (n,) with that share of positives."""
    rng = np.random.default_rng(seed)
    labels = (np.arange(n) < share * n).astype(np.intp)
    features = rng.normal(size=(n, 10))
    features[:, :5] += 1.5 * labels[:, None]
    return features, labels


def seconds(act: Callable[[], object], repeats: int = 3) -> float:
    """Median seconds of calling `act`."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        act()
        taken.append(time.perf_counter() - start)
    return float(np.median(taken))


def multivariate() -> list[Row]:
    """A row for each share of positives, loss (Q_2, KLD) and size: the fit of the multivariate SVM."""
    rows: list[Row] = []
    for share in SHARES:
        for loss in ("Q_beta", "KLD"):
            first = 0.0
            for n in SIZES:
                features, labels = made(n, share)
                model = MultivariateSVM(loss)
                ours = seconds(partial(model.fit, features, labels))
                other = seconds(partial(LinearSVC(loss="hinge", max_iter=100_000).fit, features, labels))
                pace = ours / (n * np.log(n))
                first = first or pace
                rows.append(
                    {
                        "loss": "Q_2" if loss == "Q_beta" else loss,
                        "positives": f"{share:.0%}",
                        "n": f"{n:,}",
                        "fit s": ours,
                        "planes": model.n_iter_,
                        "gap": model.duality_gap_,
                        "n log n": pace / first,
                        "LinearSVC s": other,
                        "ratio": ours / other,
                    }
                )
    return rows


def others() -> list[Row]:
    """Neighbours with their grid and the forest, beside scikit-learn's with the same grid and the same number of trees."""
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    rows: list[Row] = []
    for n in SIZES[:3]:
        features, labels = made(n, 0.3)
        pairs: dict[str, tuple[ClassifierMixin, ClassifierMixin]] = {
            "KNN, 9 k x 10 folds": (
                WeightedNeighbours(random_state=0),
                GridSearchCV(KNeighborsClassifier(), {"n_neighbors": list(GRID_K)}, cv=folds),
            ),
            "forest, 200 trees": (
                QuantificationForest(random_state=0),
                RandomForestClassifier(200, n_jobs=-1, random_state=0),
            ),
        }
        for name, learners in pairs.items():
            ours, theirs = (seconds(partial(model.fit, features, labels), 1) for model in learners)
            rows.append({"learner": name, "n": f"{n:,}", "fit s": ours, "scikit-learn s": theirs, "ratio": ours / theirs})
    return rows


def spaces() -> list[Row]:
    """A surface of 1,000 x 1,000 tables, beside the same formula on full arrays of counts."""
    fp, fn = np.meshgrid(np.arange(1001), np.arange(1001), indexing="ij")
    table = ContingencyTable.from_errors(fp, fn, 1000, 1000)
    rows: list[Row] = []
    for beta in (0.5, 2.0):
        ours = seconds(partial(values_on_all_tables, ParametricMeasure("Q_beta", beta), 1000, 1000), 9)
        plain = seconds(partial(ParametricMeasure("Q_beta", beta).of, table), 5)
        rows.append({"measure": f"Q_{beta:g}", "ms": 1000 * ours, "plain ms": 1000 * plain, "ratio": ours / plain})
    return rows


if __name__ == "__main__":
    show(
        {
            "Multivariate SVM, tolerance 0.001, beside scikit-learn's LinearSVC (hinge loss)": multivariate,
            "Other learners beside scikit-learn's, forests on all cores": others,
            "A search space of 1,000 positives and 1,000 negatives": spaces,
        },
        arguments(__doc__ or ""),
    )
