"""Data sets: sizes and class counts of the thesis's Table 5.2, the rules, every registered set."""

import numpy as np
import pandas as pd
import pytest

from qcore import score_sample
from qcore._base.validation import InvalidInput
from qcore.datasets import DATASETS, Dataset, load_dataset, read_dataset
from qcore.datasets.preparation import as_labels
from qcore.datasets.table_columns import likely_label

TABLE_5_2 = {
    "balance.1": (625, 4, 288, 337),
    "balance.2": (625, 4, 49, 576),
    "balance.3": (625, 4, 288, 337),
    "iris.1": (150, 4, 50, 100),
    "iris.2": (150, 4, 50, 100),
    "iris.3": (150, 4, 50, 100),
    "tictactoe": (958, 9, 332, 626),
    "wdbc": (569, 30, 212, 357),
    "wine.1": (178, 13, 59, 119),
    "wine.2": (178, 13, 71, 107),
    "wine.3": (178, 13, 48, 130),
}


POSITIVES = {
    "balance.1": "left", "balance.2": "balanced", "balance.3": "right", "iris.1": "setosa", "iris.2": "versicolor",
    "iris.3": "virginica", "tictactoe": "x does not win", "wdbc": "malignant",
}  # fmt: skip
"""The positive class of each binary problem that is not named by it."""


@pytest.mark.parametrize("role", TABLE_5_2)
def test_table_5_2(role):
    size, n_features, n_positives, n_negatives = TABLE_5_2[role]
    dataset = load_dataset(role.split(".")[0])
    labels = dataset.binary_labels(POSITIVES.get(role) or role.partition(".")[2])
    assert dataset.features.shape == (size, n_features)
    assert (labels.sum(), size - labels.sum()) == (n_positives, n_negatives)


@pytest.mark.parametrize(("key", "positives"), [("monks-1", 216), ("monks-2", 142), ("monks-3", 228)])
def test_monks(key, positives):
    dataset = load_dataset(key)
    assert dataset.class_counts["monk"] == positives
    assert len(dataset.features.drop_duplicates()) == 432


@pytest.mark.parametrize("key", DATASETS)
def test_every_data_set_is_complete(key):
    dataset = load_dataset(key)
    assert dataset.key == key
    assert not dataset.features.isna().any().any()
    assert dataset.default_positive in dataset.classes
    assert sum(dataset.class_counts.values()) == len(dataset.features) == len(dataset.labels)
    for text in (dataset.name, dataset.description, dataset.source, dataset.citation):
        assert text
    for column in dataset.features:
        assert (column in dataset.nominal) != pd.api.types.is_numeric_dtype(dataset.features[column])
    for positive in dataset.classes:
        assert 0 < dataset.binary_labels(positive).sum() < len(dataset.labels)


def test_balance_follows_its_rule():
    dataset = load_dataset("balance")
    row = dataset.features.iloc[37]
    left, right = row.left_weight * row.left_distance, row.right_weight * row.right_distance
    assert dataset.labels[37] == ("left" if left > right else "right" if right > left else "balanced")
    assert len(dataset.features.drop_duplicates()) == 625


def test_tictactoe_boards_are_final_and_legal():
    dataset = load_dataset("tictactoe")
    boards = dataset.features.to_numpy()
    counts = [(boards == mark).sum(axis=1) for mark in "xo"]
    assert set(counts[0] - counts[1]) <= {0, 1}
    assert len({"".join(board) for board in boards}) == 958


@pytest.mark.parametrize(
    ("given", "classes"), [([1, 2, 10, 2], ("1", "2", "10")), ([True, False, True, True], ("False", "True"))]
)
def test_any_labels_work(given, classes):
    dataset = toy(np.array(given))
    assert dataset.classes == classes
    assert dataset.binary_labels(classes[0]).sum() == 1


def test_errors_name_the_way_out():
    with pytest.raises(InvalidInput, match=r"'tulip'.*setosa"):
        load_dataset("iris").binary_labels("tulip")
    with pytest.raises(InvalidInput, match="wdbc"):
        load_dataset("nowhere")
    with pytest.raises(InvalidInput, match="at least 2 classes"):
        toy(np.array(["a", "a", "a", "a"]))
    with pytest.raises(InvalidInput, match="3 entries"):
        toy(np.array(["a", "b"]), pd.DataFrame({"a": [1, 2, 3]}))


def toy(labels, features=None) -> Dataset:
    features = pd.DataFrame({"a": range(len(labels))}) if features is None else features
    return Dataset("toy", "Toy", features, as_labels(labels))


def test_waveform_follows_its_rule():
    """Breiman et al. (1984): noise of variance 1 around a mixture of two waves, so that means and spreads are known."""
    dataset = load_dataset("waveform")
    assert dataset.features.shape == (5000, 21)
    assert min(dataset.class_counts.values()) > 1600
    places = np.arange(1, 22)
    waves = {peak: np.maximum(6 - np.abs(places - peak), 0) for peak in (7, 11, 15)}
    for label, (first, second) in {"0": (7, 15), "1": (7, 11), "2": (15, 11)}.items():
        values = dataset.features.to_numpy()[dataset.labels == label]
        middle, apart = (waves[first] + waves[second]) / 2, waves[first] - waves[second]
        assert values.mean(axis=0) == pytest.approx(middle, abs=0.2)
        assert values.var(axis=0) == pytest.approx(1 + apart**2 / 12, rel=0.15), "a uniform weight has a variance of 1/12"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame([[1, 2, "x", 3], [4, 5, "y", 6]], columns=["a", "b", "y", "a"]), "'a' twice"),
        (pd.DataFrame([[1, "x", "x"], [4, "y", "y"]], columns=["a", "y", "y"]), "'y' twice"),
        (np.zeros((3, 2)), "be a DataFrame"),
    ],
)
def test_a_table_without_distinct_names_is_refused(table, words):
    with pytest.raises(InvalidInput, match=words):
        Dataset.from_frame(table, "y")


def test_columns_with_numbers_for_names_are_columns():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3))).assign(y=["a", "b"] * 10)
    assert Dataset.from_frame(frame, label="y").features.columns.tolist() == ["0", "1", "2"]
    numbered = frame.set_axis([0, 1, 2, 3], axis=1)
    assert Dataset.from_frame(numbered, label=3).classes == ("a", "b")


def test_the_positive_class_of_a_table_is_one_of_its_classes():
    table = pd.DataFrame({"x": range(20), "y": ["no", "yes"] * 10})
    assert Dataset.from_frame(table, "y", default_positive="yes").default_positive == "yes"
    with pytest.raises(
        InvalidInput, match=r"default_positive must be a class of the table, as text, got 'Yes'. Did you mean yes"
    ):
        Dataset.from_frame(table, "y", default_positive="Yes")


def test_a_class_that_is_a_number_is_said_to_be_one():
    data = Dataset.from_frame(pd.DataFrame({"u": [1.0, 2.0, 3.0, 4.0], "y": [0, 1, 0, 1]}), "y")
    with pytest.raises(InvalidInput, match=r"got the int 1\. Choose one of: 0, 1"):
        data.binary_labels(1)


def test_a_folder_is_named_whatever_its_path_is():
    with pytest.raises(InvalidInput, match=r"^'\.' must be a file"):
        read_dataset(".", "y")


def test_a_column_of_numbers_but_for_a_few_is_named():
    crp = ["3.5", "<2", *(str(n / 10) for n in range(38))]
    table = pd.DataFrame({"crp": crp, "sex": ["f", "m"] * 20, "level": ["1", "2", "3", "high"] * 10, "y": ["a", "b"] * 20})
    notes = Dataset.from_frame(table, "y").notes
    assert notes == ("crp is taken as words: 1 of its 40 values are not numbers, such as '<2' in row 2.",)
    many = pd.concat([table.assign(crp=[f"{n}.5" if n else "n.a." for n in range(40)]), table], ignore_index=True)
    assert (
        "crp is taken as words: 2 of its 80 values are not numbers, such as 'n.a.' in row 1."
        in Dataset.from_frame(many, "y").notes
    )


def test_classes_that_differ_in_capitals_are_named():
    table = pd.DataFrame({"x": range(40), "y": ["ill", "Ill", "well", "well"] * 10})
    (note,) = Dataset.from_frame(table, "y").notes
    assert note == "Classes differ only in capitals: Ill and ill. If they are one, write them alike."


@pytest.mark.parametrize(
    ("labels", "code"),
    [
        ([0, 1, 9], "9"),
        (["yes", "no", "?"], "?"),
        ([0, 1, -1], ""),
        (range(10), ""),
        ([1, 9], ""),
        ([1, 2, 3], ""),
        (["²", "³", "--1"], ""),
        (["+", "-", "0"], ""),
    ],
)
def test_a_class_that_may_be_no_label_is_named(labels, code):
    table = pd.DataFrame({"x": range(30), "label": np.resize(np.array(labels, dtype=object), 30)})
    notes = Dataset.from_frame(table, "label").notes
    asked = f"The class {code!r} of 10 rows may say that there is no label: if so, empty those cells."
    assert notes == ((asked,) if code else ())


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        (["id", "y_true", "y_pred"], "y_true"), (["actual", "predicted"], "actual"), (["gold", "score", "region"], "gold"),
        (["sick", "pred"], "sick"), (["pred", "prob"], "prob"), (["sick", "prediction", "x"], "x"),
        (["sick", "hatched"], "hatched"), (["sick", "probation"], "probation"), (["gold", "silver", "class"], "class"),
    ],
)  # fmt: skip
def test_what_a_classifier_says_is_not_taken_for_the_classes(columns, label):
    assert likely_label(pd.DataFrame({name: [0, 1, 0, 1] for name in columns})) == label


def test_marks_called_score_may_be_the_classes_and_many_numbers_are_no_truth():
    table = pd.DataFrame({"colour": ["red", "blue"] * 20, "score": [1, 2, 3, 4] * 10})
    assert likely_label(table) == "score"
    medals = pd.DataFrame({"gold": range(40), "continent": ["a", "b"] * 20})
    assert likely_label(medals) == "continent"


def test_numbers_that_are_kept_as_objects_are_numbers_and_truth_values_with_gaps_are_not():
    table = pd.DataFrame(
        {
            "x": pd.Series([1, 2, pd.NA, 4] * 10, dtype=object),
            "flag": pd.Series([True, False, None, True] * 10, dtype=object),
            "huge": pd.Series([10**400, 1, 2, 3] * 10, dtype=object),
            "y": ["a", "b"] * 20,
        }
    )
    dataset = Dataset.from_frame(table, "y")
    assert dataset.features["x"].tolist()[:2] == [1.0, 2.0]
    assert np.isnan(dataset.features["x"][2])
    assert set(dataset.features["flag"]) == {"True", "False", "missing"}
    assert "huge" in dataset.nominal


def test_a_feature_may_be_called_as_a_value_of_another_one():
    table = pd.DataFrame({"sex": ["m", "f"] * 10, "sex_f": [7.0, 8.0, 9.0, 7.0] * 5, "y": ["a", "b"] * 10})
    data = Dataset.from_frame(table, "y")
    numbers = data.numeric_features()
    assert numbers.shape == (20, 3)
    sample = pd.DataFrame({"sex": ["m", "x"], "sex_f": [5.0, 6.0]})
    assert sorted(map(tuple, data.numeric_features(sample).tolist())) == [(5.0, 0.0, 1.0), (6.0, 0.0, 0.0)]


def test_a_column_that_should_hold_numbers_and_holds_words_of_numbers_is_refused():
    rng = np.random.default_rng(0)
    data = Dataset.from_frame(pd.DataFrame({"a": rng.normal(size=40), "y": ["n", "p"] * 20}), "y")
    with pytest.raises(InvalidInput, match="the column a must hold numbers, got text such as '1,5 cm'"):
        score_sample(data, pd.DataFrame({"a": ["1,5 cm", "2,5 cm"] * 5}), "p")
    assert len(score_sample(data, pd.DataFrame({"a": ["1,5", "2,5"] * 5}), "p").sample) == 10
    assert len(score_sample(data, pd.DataFrame({"a": ["1.5", "2.5", None] * 5}), "p").sample) == 15
