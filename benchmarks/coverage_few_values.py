"""Coverage of the intervals of samples whose features take few values: twelve problems, every interval that is shown.

python -m benchmarks.coverage_few_values [--json] [--samples 100]
"""

from functools import partial

import numpy as np
import pandas as pd

from benchmarks.report import Row, arguments, show
from qcore import Dataset, estimate_sample, score_sample
from qcore.intervals.analytic import why_no_interval

TITLE = "One feature of k values, 400 instances a sample: shown intervals at 95%, and the share of them that holds the truth"
METHODS = ("AC", "PACC", "EMQ", "X", "T50", "MS", "HDy", "DyS-TS", "SORD", "EDy", "KDEy-ML", "MM")
PRECISE = "precise quantifier"
_SIZE = 400
_USEFUL = {
    2: ((0.2, 0.8), (0.7, 0.3)),
    3: ((0.15, 0.3, 0.55), (0.5, 0.3, 0.2)),
    4: ((0.1, 0.2, 0.3, 0.4), (0.4, 0.3, 0.2, 0.1)),
    5: ((0.05, 0.15, 0.2, 0.25, 0.35), (0.35, 0.25, 0.2, 0.15, 0.05)),
}
"""Values of the feature -> its distribution among positives and negatives."""
_KINDS = {"useful": (True, 150, 150, 0.2), "useful, unbalanced": (True, 50, 250, 0.4), "useless": (False, 100, 100, 0.2)}
"""Kind -> whether the feature tells the classes apart, labelled positives and negatives, share in the sample."""


def drawn(n_values: int, counts: tuple[int, int], rng: np.random.Generator, *, useful: bool) -> pd.DataFrame:
    """The feature of so many positives and negatives."""
    of_classes = _USEFUL[n_values] if useful else (_USEFUL[n_values][1],) * 2
    values = [rng.choice(n_values, n, p=of_class) for n, of_class in zip(counts, of_classes, strict=True)]
    return pd.DataFrame({"feature": np.array(list("abcde"))[np.concatenate(values)]})


def intervals(n_values: int, kind: str, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """The ends of every interval that is shown for one sample, by method."""
    useful, n_positives, n_negatives, share = _KINDS[kind]
    labels = np.repeat(["yes", "no"], [n_positives, n_negatives])
    labelled = drawn(n_values, (n_positives, n_negatives), rng, useful=useful).assign(y=labels)
    n = int(rng.binomial(_SIZE, share))
    sample = drawn(n_values, (n, _SIZE - n), rng, useful=useful)
    scored = score_sample(Dataset.from_frame(labelled, label="y"), sample, "yes")
    training = scored.training_scores, scored.training_labels
    result = estimate_sample(scored.sample, *training, METHODS, as_training=scored.as_training)
    rows = result.table[["method", "interval", "low", "high"]].to_numpy().tolist()
    shown = {method: (low, high) for method, kind, low, high in rows if not why_no_interval(kind)}
    assert result.precise is not None
    low, high = result.precise.interval()
    return {**shown, PRECISE: (low, high)}


def measure(n_samples: int) -> list[Row]:
    """A row for each problem: how many intervals are shown, and the share of them that holds the truth, also of the worst."""
    rows: list[Row] = []
    for n_values in _USEFUL:
        for kind, (*_, share) in _KINDS.items():
            held: dict[str, list[bool]] = {}
            for number in range(n_samples):
                for method, (low, high) in intervals(n_values, kind, np.random.default_rng([n_values, number])).items():
                    held.setdefault(method, []).append(low <= share <= high)
            shares = {method: float(np.mean(one)) for method, one in held.items()}
            worst = min(shares, key=shares.__getitem__)
            rows.append(
                {
                    "values": str(n_values),
                    "feature": kind,
                    "methods shown": float(len(held)),
                    "coverage": float(np.mean(np.concatenate([*held.values()]))),
                    "worst method": worst,
                    "its coverage": shares[worst],
                    "its intervals": float(len(held[worst])),
                }
            )
    return rows


if __name__ == "__main__":
    chosen = arguments(__doc__ or "", samples=100)
    show({TITLE: partial(measure, chosen.samples)}, chosen)
