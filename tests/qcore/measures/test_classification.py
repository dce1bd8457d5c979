"""Tables of several classes: one against all, one against one, their averages, the example of the slides."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from qcore import InvalidInput
from qcore.measures.classification import SLIDES_COSTS, SLIDES_COUNTS, averaged_measures, class_counts, one_vs_all, one_vs_one
from qcore.measures.roc import total_cost

answers = st.integers(2, 5).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), min_size=1, max_size=40))
)


@given(answers)
def test_averages_are_those_of_scikit_learn(problem):
    n, pairs = problem
    predicted, labels = np.array(pairs).T
    counts = class_counts(predicted, labels, n)
    assert counts.sum() == len(pairs)
    table = averaged_measures(counts).set_index("measure")
    for name, score in {"precision": precision_score, "recall": recall_score, "F1": f1_score}.items():
        for column, average in {"one_vs_all": "macro", "weighted": "weighted"}.items():
            expected = score(labels, predicted, labels=range(n), average=average, zero_division=0)
            assert table[column][name] == pytest.approx(expected), (name, column)


@given(answers)
def test_one_against_one_is_a_loop_over_pairs(problem):
    n, pairs = problem
    predicted, labels = np.array(pairs).T
    table = one_vs_one(class_counts(predicted, labels, n))
    for index, (i, j) in enumerate(combinations(range(n), 2)):
        both = np.isin(labels, (i, j)) & np.isin(predicted, (i, j))
        counts = [np.sum(both & (predicted == p) & (labels == y)) for p, y in ((i, i), (i, j), (j, i), (j, j))]
        assert [table.tp[index], table.fp[index], table.fn[index], table.tn[index]] == counts
    if n == 2:
        result = averaged_measures(class_counts(predicted, labels, n)).set_index("measure")
        assert result.one_vs_one["accuracy"] == pytest.approx(accuracy_score(labels, predicted))


def test_the_slides_example():
    assert total_cost(SLIDES_COUNTS, SLIDES_COSTS) == -29_787
    of_classes = one_vs_all(SLIDES_COUNTS)
    assert of_classes.tp.tolist() == [20, 15, 60]
    assert of_classes.fp.tolist() == [13, 9, 11]
    assert of_classes.fn.tolist() == [9, 7, 17]
    assert (of_classes.size == 128).all()


@pytest.mark.parametrize("counts", [[[1, 2, 3], [4, 5, 6]], [[1]], [1, 2], [[1, -2], [3, 4]]])
def test_what_is_no_table_is_refused(counts):
    with pytest.raises(InvalidInput, match="counts must"):
        averaged_measures(counts)
