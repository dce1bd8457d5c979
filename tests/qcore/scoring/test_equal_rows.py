"""Rows that are equal in all features have one score, in training and in a sample."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from qcore import Dataset, QuantifierCV, ScoringSettings, score_dataset
from qcore.intervals import estimate_sample
from qcore.scoring import score_sample
from qcore.scoring.plan import ScoringPlan
from qcore.scoring.training_part import RowLevels, row_keys, take_few_values


def nominal_table(rng: np.random.Generator, counts: tuple[int, int], shares: tuple[float, float]) -> pd.DataFrame:
    """One two-valued feature, "a" with these shares among positives and negatives, and the labels."""
    positives, negatives = (np.where(rng.random(n) < share, "a", "b") for n, share in zip(counts, shares, strict=True))
    return pd.DataFrame({"f": np.concatenate([positives, negatives]), "y": np.repeat(["yes", "no"], counts)})


def exact_table(n: int, share: float) -> pd.DataFrame:
    """The same without chance: "a" has 20% of the positives and 70% of the negatives."""
    positives = round(n * share)
    of_classes = (round(0.2 * positives), positives), (round(0.7 * (n - positives)), n - positives)
    features = [np.repeat(["a", "b"], [found, size - found]) for found, size in of_classes]
    return pd.DataFrame({"f": np.concatenate(features), "y": np.repeat(["yes", "no"], [positives, n - positives])})


@pytest.fixture
def binary() -> tuple[Dataset, pd.DataFrame]:
    return Dataset.from_frame(exact_table(300, 0.5), label="y"), exact_table(400, 0.2)


@pytest.mark.parametrize(
    "features",
    [
        pd.DataFrame({"number": [1, 2, 1, 3], "text": ["x", "x", "x", "y"]}),
        pd.DataFrame({"number": [1.0, np.nan, 1.0, 0.0]}),
        np.array([[1, 2], [3, 4], [1, 2], [2, 1]]),
        csr_array(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]])),
        ["a text", "another", "a text", ""],
    ],
    ids=["table", "missing", "array", "sparse", "texts"],
)
def test_keys_are_equal_where_rows_are(features):
    keys = row_keys(features)
    assert keys[0] == keys[2]
    assert len(set(keys.tolist())) == 3


def test_keys_do_not_depend_on_how_a_value_is_stored():
    whole = pd.DataFrame({"a": [1, 0], "b": pd.array(["x", "y"], dtype="str")})
    other = pd.DataFrame({"a": [1.0, -0.0], "b": np.array(["x", "y"], dtype=object)})
    categories = other.assign(b=other["b"].astype("category"))
    assert row_keys(whole).tolist() == row_keys(other).tolist() == row_keys(categories).tolist()


def test_a_level_has_the_mean_of_its_held_out_scores():
    keys = np.array([3, 1, 3, 2], dtype=np.uint64)
    levels = RowLevels.of(keys, np.array([0.2, 0.9, 0.4, 0.5]))
    assert levels.of_rows(keys, np.zeros(4)) == pytest.approx([0.3, 0.9, 0.3, 0.5])
    assert levels.of_rows(np.array([7, 2], dtype=np.uint64), np.array([0.6, 0.7])) == pytest.approx([0.6, 0.5])
    of_classes = RowLevels.of(keys, np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6], [0.5, 0.5]]))
    assert of_classes.of_rows(keys[:1], np.zeros((1, 2))) == pytest.approx(np.array([[0.3, 0.7]]))


def test_features_take_few_values_if_rows_repeat():
    assert take_few_values(np.repeat(np.arange(4, dtype=np.uint64), 5))
    assert not take_few_values(np.repeat(np.arange(4, dtype=np.uint64), 4))


@pytest.mark.parametrize("classifier", ["logistic regression", "random forest", "k nearest neighbours"])
def test_training_and_sample_have_the_same_scores_for_the_same_values(binary, classifier):
    scored = score_sample(*binary, "yes", classifier)
    assert len(set(scored.training_scores)) <= 2
    for of_sample in (scored.sample, scored.as_training):
        assert set(of_sample) == set(scored.training_scores)
    assert scored.repeated == 0


def test_pool_and_training_part_have_the_same_scores_for_the_same_values(binary):
    settings = ScoringSettings("yes")
    scores, plan = score_dataset(binary[0], settings), ScoringPlan(binary[0], settings)
    assert set(scores.pool_scores) == set(scores.training_scores)
    assert plan.pool_as_training() == pytest.approx(scores.pool_scores)
    of_classes = score_dataset(binary[0], ScoringSettings(None))
    assert {tuple(row) for row in of_classes.pool_scores} == {tuple(row) for row in of_classes.training_scores}


def test_an_estimator_scores_equal_instances_alike(binary):
    table = binary[0].features["f"].map({"a": 0, "b": 1}).to_numpy()[:, np.newaxis]
    estimator = QuantifierCV(LogisticRegression(), "HDy").fit(table, np.asarray(binary[0].labels))
    assert set(estimator.instance_scores(table)) == set(estimator.training_scores_)


def test_an_interval_from_histograms_agrees_with_that_of_counts_on_a_feature_of_two_values(binary):
    scored = score_sample(*binary, "yes")
    result = estimate_sample(*scored, ["AC", "HDy", "DyS-TS", "SORD", "EDy", "KDEy-ML", "MM"], as_training=scored.as_training)
    assert ((result.table.low < 0.2) & (result.table.high > 0.2)).all()
    assert result.precise is not None
    low, high = result.precise.interval()
    assert low < 0.2 < high < 0.5


@pytest.mark.parametrize("seed", range(3))
def test_no_interval_is_shown_where_a_feature_tells_nothing(seed):
    rng = np.random.default_rng(seed)
    table = nominal_table(rng, (100, 100), (0.6, 0.6))
    scored = score_sample(Dataset.from_frame(table, label="y"), nominal_table(rng, (60, 240), (0.6, 0.6)), "yes")
    shown = estimate_sample(*scored, ["PACC", "HDy", "SORD", "EMQ"], as_training=scored.as_training).table
    assert set(shown.interval) == {"none: the scores hardly tell positives from negatives"}


def test_rows_of_a_sample_that_are_labelled_rows_have_held_out_scores():
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [300, 300])
    features = pd.DataFrame(rng.normal(size=(600, 3)) + 0.6 * y[:, np.newaxis], columns=list("abc"))
    data = Dataset.from_frame(features.assign(y=np.where(y == 1, "yes", "no")), label="y")
    rows = np.concatenate([np.arange(40), np.arange(300, 460)])
    scored = score_sample(data, features.iloc[rows], "yes", "random forest")
    assert scored.sample == pytest.approx(scored.training_scores[rows])
    assert scored.repeated == 200
    assert scored.on_repeated_rows.startswith("All rows of the sample are labelled rows, too.")
    model = RandomForestClassifier(200, random_state=0).fit(features, y)
    ac = estimate_sample(*scored, ["AC"]).table.iloc[0]
    assert ac.low < 0.2 < ac.high
    assert (model.predict(features.iloc[rows]) == y[rows]).all(), "the model of all has seen them"


def test_a_row_that_repeats_by_chance_is_not_told():
    keys = np.arange(100, dtype=np.uint64)
    levels = RowLevels.of(keys, np.zeros(100))
    fresh = np.arange(1000, 1200, dtype=np.uint64)
    assert levels.repeated(np.append(fresh, keys[:1])) == 0
    assert levels.repeated(np.append(fresh, keys[:20])) == 20
    few = RowLevels.of(np.repeat(keys[:10], 20), np.zeros(200))
    assert few.repeated(np.repeat(keys[:10], 5)) == 0
