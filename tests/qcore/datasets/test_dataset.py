"""Ordered classes: what is guessed, what may be typed, and scores in another order."""

import numpy as np
import pandas as pd
import pytest

from qcore import DATASETS, InvalidInput, load_dataset
from qcore.datasets import Dataset
from qcore.datasets.dataset import guessed_order, typed_order
from qcore.quantifiers import make_quantifiers
from qcore.scoring import Scores


def stars(labels, **more):
    return Dataset.from_frame(pd.DataFrame({"x": range(len(labels)), "y": labels}), "y", **more)


def test_whole_numbers_are_taken_for_an_order():
    assert stars(["10", "9", "2"]).class_order == ("2", "9", "10")
    assert stars(["10", "9", "2"], order=()).class_order == ()
    assert stars(["low", "mid", "high"]).class_order == ()
    assert stars(["low", "mid", "high"], order=("low", "mid", "high")).class_order == ("low", "mid", "high")
    assert guessed_order(["0", "1"]) == (), "of two classes there is nothing to order"


def test_of_the_data_sets_here_one_is_ordered():
    assert [key for key in DATASETS if load_dataset(key).class_order] == ["balance"], "digits and cultivars are names"
    assert load_dataset("balance").class_order == ("left", "balanced", "right")


def test_a_part_without_a_class_keeps_the_order_of_the_others():
    balance = load_dataset("balance")
    rows = np.flatnonzero(balance.labels != "balanced")
    assert balance.subset(rows).class_order == ("left", "right")
    assert balance.subset(np.arange(len(balance.labels))).class_order == balance.class_order


@pytest.mark.parametrize("text", ["low < mid < high", "low,mid,high", " low<mid <high "])
def test_what_may_be_typed(text):
    assert typed_order(text, ["high", "low", "mid"]) == ("low", "mid", "high")


@pytest.mark.parametrize("text", ["low < high", "low < mid < high < low", "low < mid < hi", ",", "low mid high"])
def test_what_may_not(text):
    with pytest.raises(InvalidInput, match="the order of the classes must name each of high, low, mid once"):
        typed_order(text, ["high", "low", "mid"])


def test_an_order_of_other_classes_is_no_data_set():
    with pytest.raises(InvalidInput, match="the order of the classes"):
        stars(["low", "mid", "high"], order=("low", "high"))


def test_scores_in_another_order_give_the_same_shares():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(3), 40)
    class_scores = rng.dirichlet(np.ones(3), 120) * 0.6 + 0.4 * np.eye(3)[labels]
    scores = Scores(class_scores, labels, class_scores[:90], labels[:90], classes=("high", "low", "mid"))
    ordered = scores.in_order(("low", "mid", "high"))
    assert ordered.classes == ("low", "mid", "high")
    assert np.bincount(ordered.pool_labels, minlength=3).tolist() == [40, 10, 40]
    shares = [
        make_quantifiers(["PACC"], one.training_scores, one.training_labels)["PACC"].predict(one.pool_scores)
        for one in (scores, ordered)
    ]
    assert shares[1] == pytest.approx(shares[0][[1, 2, 0]], abs=1e-6)
    assert scores.in_order(()) is scores
    with pytest.raises(InvalidInput, match="name each of high, low, mid once"):
        scores.in_order(("low", "mid"))
