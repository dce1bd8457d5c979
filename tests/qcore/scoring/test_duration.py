"""What a page says of the time that work takes: for every classifier, more for more data; nothing for given scores."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from qcore import CLASSIFIERS, Dataset, load_dataset, scores_dataset
from qcore.evaluation.estimates import estimation_seconds
from qcore.scoring.plan import scoring_seconds


@cache
def table(rows, columns):
    features = pd.DataFrame(
        np.random.default_rng(0).normal(size=(rows, columns)), columns=[f"x{number}" for number in range(columns)]
    )
    return Dataset.from_frame(features.assign(y=["a", "b"] * (rows // 2)), "y")


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_every_classifier_takes_longer_on_more(key):
    few, many = table(200, 5), table(20_000, 5)
    assert 0.0 < scoring_seconds(few, key) < scoring_seconds(many, key)
    assert scoring_seconds(many, key, 0.2) < scoring_seconds(many, key, 0.8)
    assert scoring_seconds(many, key) <= scoring_seconds(table(20_000, 50), key)
    assert scoring_seconds(many, key, n_models=5) < scoring_seconds(many, key, n_models=50)
    assert scoring_seconds(many, key) <= scoring_seconds(many, key, n_classes=4)


def test_columns_count_as_classifiers_see_them():
    wine, tictactoe = load_dataset("wine"), load_dataset("tictactoe")
    assert wine.n_columns == wine.features.shape[1]
    assert tictactoe.n_columns == 3 * tictactoe.features.shape[1]


def test_given_scores_take_no_time():
    frame = pd.DataFrame({"y": ["a", "b"] * 50, "score": np.linspace(0, 1, 100)})
    assert scoring_seconds(scores_dataset(frame, "y", "score"), "random forest") == 0.0


def test_more_and_larger_samples_take_longer():
    assert estimation_seconds(4, 2100, 100) < estimation_seconds(5, 2100, 100) < estimation_seconds(5, 2100, 500)
