"""Arguments that are no object of the right kind are refused with what to write instead."""

import re

import numpy as np
import pytest

from qcore import (
    PROTOCOLS,
    ArtificialPrevalence,
    InvalidInput,
    PrevalencePath,
    SizeGrid,
    estimate,
    estimate_labelled_sample,
    evaluate_classifier,
    evaluation_report,
    load_dataset,
    recommend,
    score_dataset,
)

LABELS = np.repeat([0, 1], 30)
DATASET = load_dataset("iris")
SCORES = score_dataset(DATASET)
PROTOCOL = ArtificialPrevalence(3, 10, 1)
SAMPLES = PROTOCOL.draw(SCORES.pool_labels, np.random.default_rng(0))

WRONG = {
    "scores must be Scores, got a Dataset. Of a data set write score_dataset(dataset)": [
        lambda: estimate(["CC"], DATASET, SAMPLES),
        lambda: evaluate_classifier(DATASET),
        lambda: evaluation_report(DATASET, ["CC"], PROTOCOL),
    ],
    "samples must be Samples, got an ArtificialPrevalence. Draw them": [lambda: estimate(["CC"], SCORES, PROTOCOL)],
    "dataset must be a Dataset, got Scores": [lambda: recommend(SCORES)],
    "grid must be a SizeGrid, got an int. Write for example SizeGrid((10, 50, 100))": [lambda: recommend(DATASET, grid=21)],
    "sample must be a LabelledSample, got a tuple": [lambda: estimate_labelled_sample((310, 1000, 31, 24, 69, 6))],
    "prevalences must be a list of prevalences, got 0.3. Write for example (0.3,)": [lambda: PrevalencePath(0.3)],
    "of grid must be a number": [lambda: SizeGrid(grid="word"), lambda: SizeGrid(grid=["high", "low"])],
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
