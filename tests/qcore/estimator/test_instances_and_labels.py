"""Instances and labels as tables hold them: labels of pandas' own kinds, and instances that are not there, or too few."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, dok_matrix
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from qcore import InvalidInput, QuantifierCV, make_quantification_scorer

Y = np.arange(60) % 2
X = np.random.default_rng(3).normal(size=(60, 2)) + Y[:, np.newaxis]
LARGE = 2**53
NO_TABLE = "^X must be a table, an array or a list of instances, got "


@pytest.mark.parametrize("kind", ["Int64", "UInt8", "boolean", "int64[pyarrow]", "bool[pyarrow]"])
@pytest.mark.parametrize("made", [lambda y: y, lambda y: y.array, pd.Index, lambda y: y.astype("category")])
def test_labels_that_pandas_may_leave_out_stay_what_they_are(kind, made):
    y = made(pd.Series(Y).astype(kind))
    fitted = QuantifierCV(GaussianNB(), cv=3).fit(X, y)
    usual = QuantifierCV(GaussianNB(), cv=3).fit(X, Y)
    assert fitted.classes_.dtype.kind == ("b" if "bool" in kind else "u" if kind == "UInt8" else "i")
    assert fitted.classes_.tolist() == [0, 1]
    assert fitted.classifier_.classes_.dtype == fitted.classes_.dtype
    np.testing.assert_array_equal(fitted.predict(X), usual.predict(X))
    np.testing.assert_array_equal(fitted.to_scores(X, y).pool_labels, Y)
    assert make_quantification_scorer()(fitted, X, y) == make_quantification_scorer()(usual, X, Y)


def test_labels_of_numpys_strings_are_text():
    texts = np.where(Y == 1, "yes", "no")
    kind = np.dtypes.StringDType(na_object=np.nan)
    fitted, usual = (QuantifierCV(GaussianNB(), cv=3).fit(X, y) for y in (texts.astype(kind), texts))
    assert fitted.classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(fitted.predict(X), usual.predict(X))
    np.testing.assert_array_equal(fitted.to_scores(X, texts.astype(kind)).pool_labels, Y)
    with pytest.raises(InvalidInput, match="got nan in row 2"):
        QuantifierCV(GaussianNB(), cv=3).fit(X, np.array(["no", np.nan] * 30, dtype=kind))


def test_a_column_of_a_table_and_large_numbers_keep_their_kind():
    with pytest.warns(UserWarning, match="column-vector"):
        fitted = QuantifierCV(GaussianNB(), cv=3).fit(X, pd.DataFrame({"y": pd.array(Y > 0, dtype="boolean")}))
    assert fitted.classes_.dtype == bool
    # As floats they would be one class.
    large = pd.Series(LARGE + Y, dtype="Int64")
    assert QuantifierCV(GaussianNB(), cv=3).fit(X, large).classes_.tolist() == [LARGE, LARGE + 1]


@pytest.mark.parametrize("rows", [X[:-1], X[:-1].tolist(), pd.DataFrame(X[:-1]), csr_array(X[:-1]), X[:-1, 0]])
def test_instances_of_another_number_are_not_a_fault_of_the_labels(rows):
    with pytest.raises(InvalidInput, match=r"^X must have an instance for each label of y, got 59 beside 60 labels"):
        QuantifierCV(GaussianNB(), cv=3).fit(rows, Y)


@pytest.mark.parametrize(
    "other", ["table.csv", b"table", "x" * 60, None, 3, np.array(3.0), {"a": X[:, 0]}, {1, 2}, iter(X), X.mean]
)
def test_what_holds_no_instances_is_named(other):
    with pytest.raises(InvalidInput, match=NO_TABLE):
        QuantifierCV(GaussianNB(), cv=3).fit(other, Y)
    with pytest.raises(InvalidInput, match=NO_TABLE):
        make_quantification_scorer()(QuantifierCV(GaussianNB(), cv=3).fit(X, Y), other, Y)


@pytest.mark.parametrize("form", [list, csr_array, dok_matrix, pd.DataFrame])
def test_instances_of_any_form_are_taken(form):
    tree = QuantifierCV(DecisionTreeClassifier(random_state=0), cv=3)
    np.testing.assert_array_equal(tree.fit(form(X), Y).training_scores_, tree.fit(X, Y).training_scores_)
