"""Classification measures and the Q-measure: values by hand, limits, 0/0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import contingency as c
from qcore.qmeasure import combine, normalised_absolute_score, q_measure
from qcore.validation import InvalidInput

TABLE = c.ContingencyTable(tp=30.0, fp=10.0, fn=20.0, tn=40.0)
EMPTY = c.ContingencyTable(tp=0.0, fp=0.0, fn=10.0, tn=20.0)
VALUES = {
    "accuracy": 0.7, "error": 0.3, "recall": 0.6, "tnr": 0.8, "precision": 0.75, "F1": 2 * 0.75 * 0.6 / 1.35,
    "GM": np.sqrt(0.48), "macro accuracy": 0.7,
}  # fmt: skip


@pytest.mark.parametrize("name", c.MEASURES)
def test_values_by_hand(name):
    assert c.MEASURES[name](TABLE) == pytest.approx(VALUES[name])


def test_zero_over_zero_is_zero():
    assert c.precision(EMPTY) == 0
    assert c.f_measure(EMPTY) == 0
    assert c.recall(c.ContingencyTable(0.0, 3.0, 0.0, 4.0)) == 0
    assert c.tnr(c.ContingencyTable(3.0, 0.0, 0.0, 0.0)) == 0


def test_from_scores_counts_a_tie_as_positive():
    table = c.ContingencyTable.from_scores([0.5, 0.9, 0.1, 0.5], [1, 0, 1, 0])
    assert (table.tp, table.fp, table.fn, table.tn) == (1, 2, 1, 0)


def test_errors_beyond_their_class_are_refused():
    with pytest.raises(InvalidInput, match="fp must lie in"):
        c.ContingencyTable.from_errors(11, 0, positives=5, negatives=10)


def test_f_beta_is_precision_at_0_and_recall_far_out():
    assert c.f_measure(TABLE, 0) == pytest.approx(0.75)
    assert c.f_measure(TABLE, 1e6) == pytest.approx(0.6)
    assert c.f_measure(TABLE, np.inf) == pytest.approx(0.6)


def test_nas_of_a_table():
    assert normalised_absolute_score(TABLE) == pytest.approx(1 - 0.1 / 0.5)


@given(cperf=st.floats(0, 1), qperf=st.floats(0, 1), beta=st.floats(0, 50))
def test_q_lies_between_its_parts(cperf, qperf, beta):
    value = float(combine(cperf, qperf, beta))
    assert min(cperf, qperf) - 1e-12 <= value <= max(cperf, qperf) + 1e-12 or value == 0
    assert combine(cperf, qperf, 0) == cperf
    assert combine(cperf, qperf, np.inf) == qperf


def test_q_of_nothing_is_nothing():
    assert combine(0.0, 0.0, 1.0) == 0
    assert q_measure(TABLE) == pytest.approx(2 * 0.6 * 0.8 / 1.4)


def test_bad_beta_and_unbounded_measures_are_refused():
    with pytest.raises(InvalidInput, match="beta"):
        combine(0.5, 0.5, -1)
    with pytest.raises(InvalidInput, match="cperf"):
        combine(1.5, 0.5, 1)
