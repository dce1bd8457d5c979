"""Tests of which shift, accuracy from posteriors, ordered classes, the precise quantifier: measured beside expected numbers.

python -m benchmarks.shift_and_posteriors [--json]
"""

import time
from collections.abc import Callable

import numpy as np

from benchmarks.report import Row, arguments, show
from qcore.base import FloatArray, IntArray
from qcore.intervals import Counts, precise_posterior, which_shift
from qcore.intervals.analytic import lang_reiczigel
from qcore.intervals.sample_estimate import classifier_on_sample
from qcore.losses import ORDERED_LOSSES
from qcore.quantifiers.adjustment import AdjustedCount, OrderedAdjustedCount

SHIFTS = (
    "Normals 2 standard deviations apart, 500 training, a sample of 300, 60 of them labelled, 100 times: rejected at 5% by "
    "each test (expected), and named right"
)
TESTS = ("mixture", "features", "features, same share", "labels at a score", "scores of a class", "correction")
SHIFTS_EXPECTED = {
    ("none", 0.0): ((0.06, 0.07, 0.05, 0.06, 0.05, 0.05), 0.82, ("nothing seen",)),
    ("prior", 0.35): ((0.04, 0.67, 0.03, 0.25, 0.04, 0.05), 0.65, ("prior shift",)),
    ("prior", 0.2): ((0.05, 1.0, 0.03, 0.81, 0.04, 0.06), 0.90, ("prior shift",)),
    ("covariate", 0.25): ((0.18, 0.97, 0.10, 0.04, 0.32, 0.30), 0.46, ("covariate shift",)),
    ("covariate", 0.6): ((0.96, 1.0, 0.86, 0.06, 0.96, 0.91), 0.93, ("covariate shift",)),
    ("concept", 0.5): ((0.06, 0.09, 0.04, 0.57, 0.23, 0.44), 0.43, ("concept shift",)),
    ("concept", 1.0): ((0.05, 0.07, 0.03, 0.99, 0.67, 0.93), 0.96, ("concept shift",)),
}
JUDGED = "A classifier trained at a prevalence of .2 on a sample at .6 (normals 1.5 apart), 200 times: accuracy"
ORDERED = "Five ordered classes (normals 1 apart), 300 samples of 100: mean NMD of AC and of o-ACC with tau .01"
ORDERED_EXPECTED = {"smooth": (0.078, 0.044), "Dirichlet": (0.075, 0.061)}
PRECISE = "The precise quantifier with 5 bins and Lang and Reiczigel, samples of 500, 400 times: coverage and mean width"
PRECISE_EXPECTED = {
    (100, 2.0, 0.2): ((0.943, 0.171), (0.945, 0.210)),
    (100, 2.0, 0.05): ((0.985, 0.100), (0.938, 0.145)),
    (50, 3.0, 0.05): ((0.965, 0.074), (0.945, 0.112)),
}


def normals(
    rng: np.random.Generator, n_positive: int, n_negative: int, gap: float, prior: float = 0.5
) -> tuple[FloatArray, IntArray]:
    """(scores, labels) of two normal classes with means `gap` apart; scores are the probabilities at prevalence `prior`."""
    labels = np.repeat([1, 0], [n_positive, n_negative])
    return probability(rng.normal(gap * (labels - 0.5)), gap, prior), labels


def probability(x: FloatArray, gap: float, prior: float) -> FloatArray:
    """The probability of a positive at x, for normal classes whose means are `gap` apart."""
    return 1.0 / (1.0 + (1.0 - prior) / prior * np.exp(-gap * x))


def shifted(rng: np.random.Generator, kind: str, strength: float, n: int = 300) -> tuple[FloatArray, IntArray]:
    """Features, (n,), and labels of a sample under a shift from half positives."""
    labels = (rng.random(40 * n) < (strength if kind == "prior" else 0.5)).astype(np.intp)
    x = rng.normal(2.0 * labels - 1.0)
    rows = np.arange(n)
    if kind == "covariate":
        tilt = np.exp(strength * x)
        rows = rng.choice(len(x), n, replace=False, p=tilt / tilt.sum())
    if kind == "concept":
        labels = (rng.random(len(x)) < probability(x - strength, 2.0, 0.5)).astype(np.intp)
    return x[rows], labels[rows]


def measure_shifts() -> list[Row]:
    """A row for each shift."""
    rows = list[Row]()
    for number, ((kind, strength), (expected, named, verdicts)) in enumerate(SHIFTS_EXPECTED.items()):
        seen, right, started = np.zeros(len(TESTS)), 0, time.perf_counter()
        for seed in range(100):
            rng = np.random.default_rng([3, number, seed])
            truth = np.repeat([1, 0], 250)
            x, (z, labels) = rng.normal(2.0 * truth - 1.0), shifted(rng, kind, strength)
            known = np.where(rng.permutation(300) < 60, labels, np.nan)
            result = which_shift(
                (probability(x, 2.0, 0.5), truth),
                probability(z, 2.0, 0.5),
                features=(x[:, None], z[:, None]),
                labels=known,
                rng=rng,
            )
            seen += result.table.set_index("test").seen.reindex(TESTS).astype(float).to_numpy()
            right += result.verdict in verdicts
        columns: dict[str, str | float] = {"shift": kind if kind == "none" else f"{kind} {strength:g}"}
        for test, value, other in zip(TESTS, seen / 100, expected, strict=True):
            columns[test] = f"{value:.2f} ({other:.2f})"
        rows.append(
            columns | {"named right": f"{right / 100:.2f} ({named:.2f})", "s each": (time.perf_counter() - started) / 100}
        )
    return rows


def measure_judged() -> list[Row]:
    """One row: the true accuracy, and what is expected before and after adjusting."""
    found = []
    for seed in range(200):
        rng = np.random.default_rng([4, seed])
        training, labels = normals(rng, 400, 1600, 1.5, 0.2)
        sample, truth = normals(rng, 1200, 800, 1.5, 0.2)
        found.append(classifier_on_sample(sample, training, labels, truth=truth).set_index("measure").loc["accuracy"])
    means = {name: float(np.mean([one[name] for one in found])) for name in ("truth", "as_they_are", "adjusted")}
    return [
        {
            "true": means["truth"],
            "scores as they are": means["as_they_are"],
            "adjusted": means["adjusted"],
            "expected": "0.639, 0.792, 0.639",
        }
    ]


def measure_ordered() -> list[Row]:
    """A row for each kind of prevalence."""
    rng, k, rows = np.random.default_rng(5), 5, list[Row]()

    def drawn(n: int, shares: FloatArray) -> tuple[FloatArray, IntArray]:
        labels = rng.choice(k, n, p=shares)
        likelihood = np.exp(-0.5 * (rng.normal(labels)[:, np.newaxis] - np.arange(k)) ** 2)
        return likelihood / likelihood.sum(axis=1, keepdims=True), labels

    def smooth() -> FloatArray:
        weights = np.exp(-0.5 * ((np.arange(k) - rng.uniform(0.0, k - 1.0)) / rng.uniform(0.7, 2.0)) ** 2)
        return np.asarray(weights / weights.sum())

    kinds: dict[str, Callable[[], FloatArray]] = {"smooth": smooth, "Dirichlet": lambda: rng.dirichlet(np.ones(k))}
    training = drawn(500, np.full(k, 1.0 / k))
    for kind, shares in kinds.items():
        samples = [drawn(100, shares()) for _ in range(300)]
        true = np.array([np.bincount(labels, minlength=k) / 100 for _, labels in samples])
        block = np.array([scores for scores, _ in samples])
        losses = [
            float(ORDERED_LOSSES["NMD"](true, method.fit(*training).predict(block)).mean())
            for method in (AdjustedCount(), OrderedAdjustedCount())
        ]
        expected = ORDERED_EXPECTED[kind]
        rows.append({"prevalences": kind, "AC": losses[0], "o-ACC": losses[1], "expected": f"{expected[0]}, {expected[1]}"})
    return rows


def measure_precise() -> list[Row]:
    """A row for each setting."""
    rows = list[Row]()
    for (n_labels, gap, share), expected in PRECISE_EXPECTED.items():
        ends, seconds = list[list[tuple[float, float]]](), 0.0
        for seed in range(400):
            rng = np.random.default_rng([6, seed])
            scores, labels = normals(rng, n_labels, n_labels, gap)
            n_positive = int(rng.binomial(500, share))
            sample, _ = normals(rng, n_positive, 500 - n_positive, gap)
            started = time.perf_counter()
            precise = precise_posterior(sample, scores, labels, rng=rng).interval()
            seconds += time.perf_counter() - started
            other = lang_reiczigel(Counts.from_scores(sample, scores, labels), 0.95)
            ends.append([precise, (float(other.low), float(other.high))])
        low, high = np.array(ends).transpose(2, 1, 0)
        for name, found, width, one in zip(
            ("precise quantifier", "Lang-Reiczigel"),
            ((low <= share) & (share <= high)).mean(axis=1),
            (high - low).mean(axis=1),
            expected,
            strict=True,
        ):
            rows.append(
                {
                    "labels of each class": float(n_labels),
                    "gap": gap,
                    "prevalence": share,
                    "interval": name,
                    "coverage": float(found),
                    "width": float(width),
                    "expected": f"{one[0]}, {one[1]}",
                    "ms": 1e3 * seconds / 400 if name == "precise quantifier" else 0.0,
                }
            )
    return rows


if __name__ == "__main__":
    show(
        {SHIFTS: measure_shifts, JUDGED: measure_judged, ORDERED: measure_ordered, PRECISE: measure_precise},
        arguments(__doc__),
    )
