"""Classification measures and the Q-measure: values by hand, limits, 0/0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore._base.validation import InvalidInput
from qcore.measures import MEASURES
from qcore.measures.catalog import ParametricMeasure
from qcore.measures.classification import f_measure, precision, recall, tnr
from qcore.measures.measure import ContingencyTable, q_value

TABLE = ContingencyTable(tp=30.0, fp=10.0, fn=20.0, tn=40.0)
EMPTY = ContingencyTable(tp=0.0, fp=0.0, fn=10.0, tn=20.0)
VALUES = {
    "accuracy": 0.7, "error": 0.3, "recall": 0.6, "tnr": 0.8, "precision": 0.75, "F_beta": 2 * 0.75 * 0.6 / 1.35,
    "GM": np.sqrt(0.48), "macro accuracy": 0.7, "NAS": 1 - 0.1 / 0.5, "NSS": 1 - (0.1 / 0.5) ** 2, "1 - AE": 0.9,
    "1 - SE": 0.99, "npv": 40 / 60, "1 - KLD": 1 - 0.5 * np.log(0.5 / 0.4) - 0.5 * np.log(0.5 / 0.6),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_values_by_hand(name):
    assert MEASURES[name].of(TABLE, 1.0) == pytest.approx(VALUES[name])


def test_zero_over_zero_is_zero():
    assert precision(EMPTY) == 0
    assert f_measure(EMPTY) == 0
    assert recall(ContingencyTable(0.0, 3.0, 0.0, 4.0)) == 0
    assert tnr(ContingencyTable(3.0, 0.0, 0.0, 0.0)) == 0


def test_from_scores_counts_a_tie_as_positive():
    table = ContingencyTable.from_scores([0.5, 0.9, 0.1, 0.5], [1, 0, 1, 0])
    assert (table.tp, table.fp, table.fn, table.tn) == (1, 2, 1, 0)


def test_errors_beyond_their_class_are_refused():
    with pytest.raises(InvalidInput, match="fp must lie in"):
        ContingencyTable.from_errors(11, 0, positives=5, negatives=10)


def test_f_beta_is_precision_at_0_and_recall_far_out():
    assert f_measure(TABLE, 0) == pytest.approx(0.75)
    assert f_measure(TABLE, 1e6) == pytest.approx(0.6)
    assert f_measure(TABLE, np.inf) == pytest.approx(0.6)


@given(cperf=st.floats(0, 1), qperf=st.floats(0, 1), beta=st.floats(0, 50))
def test_q_lies_between_its_parts(cperf, qperf, beta):
    value = float(q_value(cperf, qperf, beta))
    assert min(cperf, qperf) - 1e-12 <= value <= max(cperf, qperf) + 1e-12 or value == 0
    assert q_value(cperf, qperf, 0) == cperf
    assert q_value(cperf, qperf, np.inf) == qperf


def test_q_of_nothing_is_nothing():
    assert q_value(0.0, 0.0, 1.0) == 0
    assert ParametricMeasure("Q_beta", 1.0).of(TABLE) == pytest.approx(2 * 0.6 * 0.8 / 1.4)
