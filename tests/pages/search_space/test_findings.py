"""Search spaces, classifiers on them, the iris example and learners, in words."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.search_space.hero import (
    classifier_point_sentences,
    iris_example_sentences,
    learners_sentences,
    optima_sentence,
    reference_sentence,
)
from qcore.measures.catalog import ParametricMeasure
from qcore.studies.search_space import classifier_points, errors_at_rates, iris_example, optima, search_space_grid, value_at
from tests.qcore.studies.test_search_space import toy_scores

ALIKE = "the learners err about equally: a mean AE of about 0.10."
MOST = "**KNN + CC** most (0.050; at 90% 0.10)."


@pytest.mark.parametrize(
    ("means", "sentence"),
    [
        ({"PWK": 0.1}, None),
        ({"PWK": 0.1, "KNN": 0.1}, ALIKE),
        ({"PWK": 0.1, "KNN": 0.1015}, ALIKE),
        ({"PWK": 0.03, "KNN": 0.05}, f"**PWK + CC** errs least (mean AE 0.030), {MOST}"),
        ({"PWK": 0.03, "KNN": 0.05, "NAS": 0.0301}, f"**PWK + CC** and **NAS + CC** err least (mean AE 0.030), {MOST}"),
    ],
)
def test_learners_in_words(means, sentence):
    rows = [{"method": key, "mean": mean, "worst_prevalence": 0.9, "worst_mean": 2 * mean} for key, mean in means.items()]
    result = learners_sentences(pd.DataFrame(rows), {key: f"{key} + CC" for key in means})
    assert result == ([] if sentence is None else [f"Over all prevalences {sentence}"])


def test_the_references_are_the_values_there():
    text = reference_sentence(search_space_grid(ParametricMeasure("NAS"), 100, 1000))
    assert text.startswith("**NAS** where errors cancel out: **1.00** with 50 on each side (FP = FN), 1.00 with")
    assert "Predicting no instance positive is worth 0.90, every instance 0.00." in text
    assert "**0.83** with 50 on each side (FP = FN), 0.00 with 100" in reference_sentence(
        search_space_grid(ParametricMeasure("Q_beta", 2.0), 100, 1000)
    )


def test_optima_in_words():
    def text(measure):
        return optima_sentence(optima(measure, 100, 1000), measure, 100)

    assert "**101** tables share the largest value under **NAS** (1.00), among them one that finds no positive" in text(
        ParametricMeasure("NAS")
    )
    assert text(ParametricMeasure("GM")).startswith("Only one table is best under **GM**: the one without errors. ")
    assert "all of which find every positive" in text(ParametricMeasure("recall"))


def test_classifier_points_in_words():
    result = classifier_points({"KNN": toy_scores(), "PWK": toy_scores(seed=4)}, "KNN")
    first, second = classifier_point_sentences(result, ParametricMeasure("recall"), 50, 200)
    best = result.names[int(result.tpr.argmax())]
    assert first.startswith(f"At the threshold 0.5 **{best}** is worth most: ")
    assert "instead of" in second
    assert ": 1.000 instead of" in second, "recall wants everybody positive"
    (alone,) = classifier_point_sentences(classifier_points({"KNN": toy_scores()}), ParametricMeasure("recall"), 50, 200)
    assert alone.startswith("At the threshold 0.5 **KNN** is worth 0.")
    tied = classifier_points({"KNN": toy_scores(), "PWK": toy_scores()}, "PWK")
    assert (
        "**KNN** and **PWK** are worth most, equally" in classifier_point_sentences(tied, ParametricMeasure("NAS"), 50, 200)[0]
    )
    assert classifier_point_sentences(classifier_points({}), ParametricMeasure("NAS"), 50, 200) == []


def test_the_iris_example_in_words():
    sentences = iris_example_sentences(iris_example(), [ParametricMeasure("NAS"), ParametricMeasure("Q_beta", 2.0)])
    assert "Both take 50 of 150" in sentences[0]
    assert sentences[1].startswith("NAS gives 1.00 and 1.00; Q_2 gives 0.00 and 0.9")
    assert "**w1** goes the wrong way, from 45% to 5%" in sentences[2]


@given(st.integers(0, 200), st.sampled_from([0.5, 1.0, 2.0]))
def test_the_best_threshold_is_that_of_all(seed, beta):
    scores, measure = toy_scores(800, seed), ParametricMeasure("Q_beta", beta)
    result = classifier_points({"KNN": scores}, "KNN")
    values = [
        float(value_at(measure, *errors_at_rates(tpr, false, 60, 90), 60, 90))
        for tpr, false in zip(result.curve.tpr, result.curve.fpr, strict=True)
    ]
    every = np.append(np.unique(np.append(scores.training_scores, 0.5)), np.inf)
    assert sorted(result.curve.thresholds) == pytest.approx(every)
    sentence = classifier_point_sentences(result, measure, 60, 90)[1]
    selected = values[list(result.curve.thresholds).index(0.5)]
    assert ("No other threshold" in sentence) == (max(values) <= selected + 1e-9)
    assert "No other threshold" in sentence or f"{max(values):.3f}" in sentence or f"{max(values):.4f}"[:5] in sentence
