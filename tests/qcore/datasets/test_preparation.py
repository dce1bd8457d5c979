"""A column has few classes in many rows: its words are made once for each distinct value, and no search compares every pair."""

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, InvalidInput
from qcore.datasets.preparation import as_labels, at_distinct, over_distinct
from qcore.intervals.labelled_sample import likely_columns, read_labelled_columns
from qcore.intervals.which_shift import _labels_of_table
from qcore.scoring.sample_scores import _as_text
from qcore.watching.batches import read_batches

CLASSES = [f"class {number:02d}" for number in range(26)]


@pytest.fixture
def no_search_by_pairs(monkeypatch):
    """NumPy compares each pair of objects where it looks for some among others: 68 s for 100,000 rows."""
    plain = np.isin

    def isin(element, test_elements, **how):
        assert object not in (np.asarray(element).dtype, np.asarray(test_elements).dtype)
        return plain(element, test_elements, **how)

    monkeypatch.setattr(np, "isin", isin)


def labelled_in_part() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    truth = np.array(CLASSES, dtype=object)[rng.integers(26, size=400)]
    labels = np.where(rng.random(400) < 0.5, None, truth)
    return pd.DataFrame({"text": [f"text {row}" for row in range(400)], "prediction": np.roll(truth, 1), "label": labels})


def test_a_sample_labelled_in_part_is_read_without_comparing_each_pair_of_rows(no_search_by_pairs):
    table = labelled_in_part()
    assert likely_columns(table) == ("prediction", "label")
    read = read_labelled_columns(table, "prediction", "label", CLASSES[3])
    assert int(read.sample.predicted_positives) == int((table.prediction == CLASSES[3]).sum())
    assert int(read.sample.n_labels) == int(table.label.notna().sum())


def test_labels_of_a_table_are_compared_with_the_classes_by_hash(no_search_by_pairs):
    found = _labels_of_table(labelled_in_part(), "label", CLASSES[0], CLASSES)
    assert np.nansum(found) == (labelled_in_part().label == CLASSES[0]).sum()


class Word(str):
    """A word that counts how often it is read."""

    read = 0

    def strip(self, *chars):
        Word.read += 1
        return str(self)

    def __str__(self):
        return self


def test_words_are_made_once_for_each_distinct_value():
    Word.read = 0
    labels = as_labels(np.array([Word("yes"), Word("no")] * 100, dtype=object))
    assert labels.tolist() == ["yes", "no"] * 100
    assert Word.read == 2


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1.0, 2.5, 1.0], ["1", "2.5", "1"]),
        ([True, 1, 1.0, "1 "], ["True", "1", "1", "1"]),
        (["a ", "a", "b"], ["a", "a", "b"]),
        (pd.Series([True, False, True]), ["True", "False", "True"]),
        (pd.Series(["b", "a", "b"], dtype="category"), ["b", "a", "b"]),
        (pd.Series([3, 1, 3], index=[7, 8, 9]), ["3", "1", "3"]),
    ],
)
def test_values_that_are_equal_and_not_written_alike_keep_their_words(values, words):
    given = values if isinstance(values, pd.Series) else np.array(values, dtype=object)
    assert as_labels(given).tolist() == words


def test_a_function_over_distinct_values_keeps_index_and_gaps():
    column = pd.Series(["a ", None, "a ", "b"], index=[4, 4, 2, 1])
    result = over_distinct(column, lambda words: words.str.strip())
    assert result.index.tolist() == [4, 4, 2, 1]
    assert result.fillna("").tolist() == ["a", "", "a", "b"]


def test_batches_and_features_are_read_once_for_each_distinct_value():
    days = pd.Series(["2024-01-02", "2024-01-01"] * 50, index=range(3, 103))
    table = pd.DataFrame({"date": days, "prediction": ["yes ", "no"] * 50})
    assert read_batches(table).names.tolist() == ["2024-01-01", "2024-01-02"]
    assert read_batches(table).positives.tolist() == [0, 50]
    words = _as_text(pd.Series([1.0, np.nan, 2.0, 1.0]), {"1", "2"})
    assert words.tolist() == ["1", "missing", "2", "1"]


def test_at_distinct_calls_the_function_for_each_value_of_a_list():
    assert at_distinct(iter([1, True]), str).tolist() == ["1", "True"]


def test_a_table_of_sentences_alone_is_said_to_be_one():
    said = pd.DataFrame({"comment": [f"the parcel number {i} came late" for i in range(60)], "y": ["a", "b"] * 30})
    with pytest.raises(InvalidInput, match="The column comment is free text, and no other column is a feature"):
        Dataset.from_frame(said, "y")
    keys = said.assign(comment=[f"A-{i}" for i in range(60)])
    with pytest.raises(InvalidInput, match="table must have a feature"):
        Dataset.from_frame(keys, "y")
