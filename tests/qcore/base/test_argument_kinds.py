"""Arguments that are no object of the right kind are refused with what to write instead."""

import re

import numpy as np
import pytest

from qcore import (
    PROTOCOLS,
    ArtificialPrevalence,
    Dataset,
    DatasetReference,
    InvalidInput,
    PrevalencePath,
    RandomStream,
    ScoringPlan,
    ScoringSettings,
    SizeGrid,
    estimate,
    estimate_labelled_sample,
    evaluate_classifier,
    evaluation_report,
    load_dataset,
    random_stream,
    read_dataset,
    read_scores,
    recommend,
    score_dataset,
    score_sample,
    scores_dataset,
)

LABELS = np.repeat([0, 1], 30)
DATASET = load_dataset("iris")
SCORES = score_dataset(DATASET)
PROTOCOL = ArtificialPrevalence(3, 10, 1)
SAMPLES = PROTOCOL.draw(SCORES.pool_labels, np.random.default_rng(0))

WRONG = {
    "scores must be Scores, got a Dataset. For a data set pass score_dataset(dataset)": [
        lambda: estimate(["CC"], DATASET, SAMPLES),
        lambda: evaluate_classifier(DATASET),
        lambda: evaluation_report(DATASET, ["CC"], PROTOCOL),
    ],
    "samples must be Samples, got an ArtificialPrevalence. Draw them": [lambda: estimate(["CC"], SCORES, PROTOCOL)],
    "dataset must be a Dataset, got Scores": [lambda: recommend(SCORES)],
    "dataset must be a Dataset, got a NoneType": [lambda: ScoringPlan(None, ScoringSettings("setosa"))],
    "settings must be ScoringSettings, got an ndarray": [
        lambda: ScoringPlan(DATASET, LABELS),
        lambda: score_dataset(DATASET, LABELS),
        lambda: recommend(DATASET, LABELS),
    ],
    "scores must be Scores, got a dict": [lambda: recommend(DATASET, scores={"AC": 1})],
    "sample must be a DataFrame, got a NoneType": [lambda: score_sample(DATASET, None, "setosa")],
    "table must be a DataFrame, got a NoneType": [
        lambda: scores_dataset(None, "y", "score"),
        lambda: Dataset.from_frame(None, "y"),
    ],
    "features must be a DataFrame, got a NoneType": [lambda: Dataset("", "nothing", None, LABELS)],
    "labels must be an ndarray, got a list": [lambda: Dataset("", "a list", DATASET.features, ["a", "b"])],
    "data set must be a str, got bytes": [lambda: DatasetReference.parse(b"iris")],
    "path must be the name of a file, got None": [
        lambda: read_dataset(None),
        lambda: read_scores(None, "y", "score"),
    ],
    "stream must be a RandomStream, got a str": [lambda: random_stream(0, "TREND")],
    "stream must be a RandomStream, got an int": [lambda: random_stream(0, 411)],
    "seed must be a whole number of at least 0, got 'x'": [lambda: random_stream("x", RandomStream.TREND)],
    "each number after the purpose must be a whole number of at least 0, got 0.5": [
        lambda: random_stream(0, RandomStream.TREND, 0.5),
    ],
    "grid must be a SizeGrid, got an int. Write for example SizeGrid((10, 50, 100))": [lambda: recommend(DATASET, grid=21)],
    "sample must be a LabelledSample, got a tuple": [lambda: estimate_labelled_sample((310, 1000, 31, 24, 69, 6))],
    "prevalences must be a list of prevalences, got 0.3. Write for example (0.3,)": [lambda: PrevalencePath(0.3)],
    "grid must be a whole number of points or a list": [lambda: SizeGrid(grid="word")],
    "of grid must be a number": [lambda: SizeGrid(grid=["high", "low"])],
    "rng must be a Generator, got an int. Write np.random.default_rng(7)": [
        *(lambda kind=kind: kind.make(10).draw(LABELS, 7) for kind in PROTOCOLS.values()),
        lambda: PrevalencePath((0.3,), 10).draw(LABELS, 7),
        lambda: SizeGrid((10,), 3, 1).draw(LABELS, 7),
        lambda: SizeGrid((10,), 3, 1).draw_at(10, LABELS, 7),
    ],
    "rng must be a Generator, got the class Generator. Write np.random.default_rng(0)": [
        lambda: PROTOCOL.draw(LABELS, np.random.Generator),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("sentence", "call"), [(sentence, call) for sentence, calls in WRONG.items() for call in calls])
def test_what_is_of_another_kind_is_refused(sentence, call):
    with pytest.raises(InvalidInput, match=re.escape(sentence)):
        call()
