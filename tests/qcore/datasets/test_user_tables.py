"""Scores of somebody's own classifier: a data set on which nothing is trained."""

import numpy as np
import pandas as pd
import pytest

from qcore import (
    ArtificialPrevalence,
    InvalidInput,
    ScoringPlan,
    ScoringSettings,
    evaluation_report,
    read_scores,
    score_dataset,
    scores_dataset,
)
from qcore.classifiers import CLASSIFIERS
from qcore.datasets.user_tables import likely_score
from qcore.scoring import RATE_ESTIMATIONS


def table(n=400, seed=0):
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.4
    scores = np.clip(rng.normal(np.where(ill, 0.65, 0.35), 0.2), 0.0, 1.0)
    return pd.DataFrame({"id": np.arange(n), "p": scores, "truth": np.where(ill, "ill", "well")})


def test_scores_are_looked_up_and_split_as_any_data_set():
    frame = table()
    data = scores_dataset(frame, "truth", "p")
    assert (data.default_positive, data.classes, list(data.features)) == ("ill", ("ill", "well"), ["p"])
    plan = ScoringPlan(data, ScoringSettings("ill", seed=3))
    scores = plan.scores()
    assert scores.training_scores.tolist() == frame.p.to_numpy()[plan.training_rows].tolist()
    assert scores.pool_scores.tolist() == frame.p.to_numpy()[plan.pool_rows].tolist()
    assert scores.training_labels.tolist() == (frame.truth.to_numpy()[plan.training_rows] == "ill").astype(int).tolist()
    assert len(plan.training_rows) == len(plan.pool_rows) == 200
    assert scores.notes == ("The scores are as given: no classifier is trained.",)
    assert plan.n_parts == 2


def test_a_file_of_its_own_is_the_pool_whatever_the_share():
    training, pool = table(), table(150, seed=1)
    data = scores_dataset(training, "truth", "p", pool=pool)
    scores = score_dataset(data, ScoringSettings("ill", training_share=0.1))
    assert scores.training_scores.tolist() == training.p.tolist()
    assert scores.pool_scores.tolist() == pool.p.tolist()
    assert "whatever its share" in scores.notes[0]
    with pytest.raises(InvalidInput, match="training prevalence must be as found"):
        score_dataset(data, ScoringSettings("ill", training_prevalence=0.2))


def test_the_other_class_has_the_other_scores():
    data = scores_dataset(table(), "truth", "p")
    plan = ScoringPlan(data, ScoringSettings("well"))
    scores = plan.scores()
    assert scores.pool_scores.tolist() == (1.0 - data.features["p"].to_numpy()[plan.pool_rows]).tolist()
    assert scores.pool_labels.tolist() == (data.labels[plan.pool_rows] == "well").astype(int).tolist()


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_no_classifier_is_trained(classifier, monkeypatch):
    monkeypatch.setattr(ScoringPlan, "model", None)
    data = scores_dataset(table(), "truth", "p")
    result = score_dataset(data, ScoringSettings("ill", classifier))
    assert result.pool_scores.tolist() == score_dataset(data).pool_scores.tolist()


@pytest.mark.parametrize("estimation", [key for key in RATE_ESTIMATIONS if key != "out of fold"])
def test_rates_can_be_estimated_in_one_way_alone(estimation):
    plan = ScoringPlan(scores_dataset(table(), "truth", "p"), ScoringSettings("ill", "k nearest neighbours"))
    with pytest.raises(InvalidInput, match="no classifier to train in another way"):
        plan.with_rate_estimation(estimation)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"p": [1.2, *table().p[1:]]}, "such as 1.2"), ({"p": [-0.1, *table().p[1:]]}, "1 / \\(1"),
        ({"p": [np.nan, *table().p[1:]]}, "none in 1 of them, such as row 1. Leave"),
        ({"p": "high"}, "400 others, such as high"),
        ({"truth": "ill"}, "two classes, got 1"), ({"truth": [str(i % 3) for i in range(400)]}, "two classes, got 3"),
    ],
)  # fmt: skip
def test_what_are_no_scores_is_refused(change, words):
    with pytest.raises(InvalidInput, match=words):
        scores_dataset(table().assign(**change), "truth", "p")


@pytest.mark.parametrize(("label", "score"), [("class", "p"), ("truth", "score")])
def test_a_column_that_there_is_not_is_refused(label, score):
    with pytest.raises(InvalidInput, match="It has: id, p, truth"):
        scores_dataset(table(), label, score)


def test_rows_without_a_label_are_left_out():
    frame = table()
    frame.loc[:9, "truth"] = None
    data = scores_dataset(frame, "truth", "p")
    assert len(data.labels) == 390
    assert data.notes == ("10 rows have no label: nothing is learnt from them.",)
    assert scores_dataset(frame[10:], "truth", "p", pool=frame[:20]).notes == data.notes
    assert scores_dataset(table(), "truth", "p").notes == ()


def test_files_of_scores_answer_a_report(tmp_path):
    table().to_csv(tmp_path / "training.csv", index=False)
    table(300, seed=1).to_csv(tmp_path / "pool.csv", index=False, sep=";", decimal=",")
    data = read_scores(tmp_path / "training.csv", "truth", "p", pool=tmp_path / "pool.csv")
    report = evaluation_report(score_dataset(data), ["CC", "PACC"], ArtificialPrevalence(11, 50, 20), losses=["AE"], seed=0)
    means = report.groupby("method").AE.mean()
    assert means["PACC"] < means["CC"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"Score": [0.1, 0.9], "y": [0, 1]}, "Score"),
        ({"score": [1.0, 7.0]}, ""),
        ({"x": [0.1, 0.2]}, ""),
        ({"p": ["a", "b"]}, ""),
    ],
)
def test_a_column_of_scores_is_guessed_by_its_name_and_range(columns, expected):
    assert likely_score(pd.DataFrame(columns)) == expected
