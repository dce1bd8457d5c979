"""Samples that are given as files: 1,000 of 250 instances with 50 features, beside a loop over them, and beside QuaPy.

Then the same samples with their scores in place of features, so that both sides correct the same scores: estimates are equal.

python -m benchmarks.given_samples [--json]; QuaPy's row where it is installed (.venv-peers/bin/python).
"""

import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from benchmarks.report import Row, arguments, show
from qcore import SamplesFromFolder, evaluation_report, make_quantifiers
from qcore.base import FloatArray
from qcore.datasets.sample_folder import write_samples

TITLE = "1,000 files of 250 x 50, logistic regression trained on 5,000 instances: read, scored, four quantifiers, AE and RAE"
SCORED_TITLE = "1,000 files of 250 given scores: read, five quantifiers; the largest difference of an estimate from ours"
METHODS = ["CC", "AC", "PACC", "EMQ"]
_OF_SCORES = [*METHODS, "PCC"]
_N_FEATURES, _N_FILES, _SIZE = 50, 1000, 250


def _drawn(rng: np.random.Generator, n_positives: int, n: int) -> tuple[pd.DataFrame, np.ndarray]:
    labels = (np.arange(n) < n_positives).astype(int)
    features = rng.normal(size=(n, _N_FEATURES)) + 0.25 * labels[:, np.newaxis]
    return pd.DataFrame(features, columns=[str(number) for number in range(_N_FEATURES)]), labels


def write(folder: Path) -> None:
    """Write the training table, the samples and their prevalences."""
    rng = np.random.default_rng(0)
    features, labels = _drawn(rng, 2500, 5000)
    training = pd.concat([pd.Series(labels, name="label"), features], axis=1)
    positives = rng.integers(_SIZE + 1, size=_N_FILES)
    samples = [_drawn(rng, int(count), _SIZE)[0] for count in positives]
    write_samples(folder, training, samples, pd.DataFrame({"0": 1.0 - positives / _SIZE, "1": positives / _SIZE}))


def ours(folder: Path) -> dict[str, float]:
    """Mean AE of each method, all samples at once."""
    protocol = SamplesFromFolder(folder)
    report = evaluation_report(protocol.score(), METHODS, protocol, losses=["AE", "RAE"])
    return {str(name): float(value) for name, value in report.groupby("method").AE.mean().items()}


def in_a_loop(folder: Path) -> dict[str, float]:
    """The same, file by file, with the same model and quantifiers."""
    scores = SamplesFromFolder(folder).score()
    training = pd.read_csv(folder / "training_data.txt")
    x = training.drop(columns="label")
    model = LogisticRegression(max_iter=2000, random_state=0).fit((x - x.mean()) / x.std(ddof=0), training["label"])
    quantifiers = make_quantifiers(METHODS, scores.training_scores, scores.training_labels)
    errors: dict[str, list[float]] = {method: [] for method in METHODS}
    for name, truth in pd.read_csv(folder / "dev_prevalences.txt", index_col=0)["1"].items():
        sample = pd.read_csv(folder / "dev_samples" / f"{name}.txt")
        found = model.predict_proba((sample - x.mean()) / x.std(ddof=0))[:, 1]
        for method, quantifier in quantifiers.items():
            errors[method].append(abs(float(quantifier.predict(found)) - truth))
    return {method: float(np.mean(values)) for method, values in errors.items()}


def with_quapy(folder: Path) -> dict[str, float]:
    """QuaPy's evaluation of the same samples, each method trained by itself."""
    import quapy
    from quapy.method.aggregative import ACC, CC, EMQ, PACC

    training = pd.read_csv(folder / "training_data.txt")
    x, y = training.drop(columns="label").to_numpy(), training["label"].to_numpy()
    truth = pd.read_csv(folder / "dev_prevalences.txt", index_col=0)
    loaded = [pd.read_csv(folder / "dev_samples" / f"{name}.txt").to_numpy(dtype=float) for name in truth.index]
    errors = {}
    for method, kind in {"CC": CC, "AC": ACC, "PACC": PACC, "EMQ": EMQ}.items():
        quantifier = kind(LogisticRegression(max_iter=2000, random_state=0)).fit(x, y)
        estimates = np.array([quantifier.predict(sample) for sample in loaded])
        errors[method] = float(quapy.error.ae(truth.to_numpy(), estimates).mean())
    return errors


def measure() -> list[Row]:
    """A row for each way: seconds, on the clock and of a processor, and the mean AE of the methods."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as made:
        write(Path(made))
        ways = {"SamplesFromFolder": ours, "a loop over the files": in_a_loop}
        for name, way in {**ways, **({"QuaPy": with_quapy} if find_spec("quapy") else {})}.items():
            start, busy = time.perf_counter(), time.process_time()
            errors = way(Path(made))
            took = {"seconds": time.perf_counter() - start, "of a processor": time.process_time() - busy}
            rows.append({"what": name, **took, **errors})
    return rows


def write_scored(folder: Path, made: Path) -> None:
    """Write the same samples with scores in place of features, as a user's own classifier would give them."""
    scores = SamplesFromFolder(folder).score()
    training = pd.DataFrame({"label": scores.training_labels, "score": scores.training_scores})
    samples = [pd.DataFrame({"score": part}) for part in scores.pool_scores.reshape(_N_FILES, _SIZE)]
    write_samples(made, training, samples, pd.read_csv(folder / "dev_prevalences.txt", index_col=0))


def ours_of_scores(folder: Path) -> dict[str, FloatArray]:
    """Estimates of each method, (n_samples,), from files of scores."""
    protocol = SamplesFromFolder(folder, are_scores=True)
    report = evaluation_report(protocol.score(), _OF_SCORES, protocol)
    return {str(name): rows.estimate.to_numpy() for name, rows in report.groupby("method")}


def quapy_of_scores(folder: Path) -> dict[str, FloatArray]:
    """The same by QuaPy's aggregations, sample by sample."""
    from benchmarks.peer_quapy import QuaPy

    training = pd.read_csv(folder / "training_data.txt")
    makers = QuaPy(training["score"].to_numpy(), training["label"].to_numpy()).makers()
    names = pd.read_csv(folder / "dev_prevalences.txt", index_col=0).index
    samples = [pd.read_csv(folder / "dev_samples" / f"{name}.txt")["score"].to_numpy() for name in names]
    return {key: np.array([peer.estimate(sample) for sample in samples]) for key in _OF_SCORES for peer in [makers[key]()]}


def measure_scored() -> list[Row]:
    """A row for each way: seconds, and by how much the estimates of each method differ from ours at most."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as made:
        write(Path(made) / "features")
        folder = Path(made) / "scores"
        write_scored(Path(made) / "features", folder)
        known: dict[str, FloatArray] = {}
        for name, way in {"ours": ours_of_scores, **({"QuaPy": quapy_of_scores} if find_spec("quapy") else {})}.items():
            start = time.perf_counter()
            found = way(folder)
            seconds, known = time.perf_counter() - start, known or found
            rows.append(
                {"what": name, "seconds": seconds, **{key: float(np.abs(found[key] - known[key]).max()) for key in found}}
            )
    return rows


if __name__ == "__main__":
    show({TITLE: measure, SCORED_TITLE: measure_scored}, arguments(__doc__ or ""))
