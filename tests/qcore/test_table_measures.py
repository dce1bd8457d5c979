"""Measures of tables: the values are those of the formulas, and a block's bound holds in every block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import contingency as c
from qcore.classifiers.table_losses import TABLE_LOSSES
from qcore.losses import LOSSES, SCORES
from qcore.qmeasure import q_measure
from qcore.table_measures import TABLE_MEASURES, Measured
from qcore.validation import InvalidInput

BY_HAND = {
    "accuracy": c.accuracy, "recall": c.recall, "tnr": c.tnr, "precision": c.precision, "GM": c.geometric_mean,
    "F_beta": lambda table: c.f_measure(table, 2.0),
}  # fmt: skip


def every_table(positives, negatives):
    fp, fn = np.meshgrid(np.arange(negatives + 1), np.arange(positives + 1), indexing="ij")
    return fp.ravel(), fn.ravel()


@pytest.mark.parametrize("key", TABLE_MEASURES)
@pytest.mark.parametrize(("positives", "negatives"), [(7, 11), (11, 7), (1, 1), (6, 6)])
def test_a_value_is_that_of_the_formula_on_every_table(key, positives, negatives):
    fp, fn = every_table(positives, negatives)
    found = TABLE_MEASURES[key].on(positives, negatives, 2.0).at(fp, fn)
    if key in BY_HAND:
        wanted = BY_HAND[key](c.ContingencyTable.from_errors(fp, fn, positives, negatives))
    else:
        true = np.full(len(fp), positives / (positives + negatives))
        counted = (positives - fn + fp) / (positives + negatives)
        loss = key.removeprefix("1 - ")
        if key in SCORES:
            wanted = SCORES[key].binary(true, counted)
        else:
            values = LOSSES[loss].binary(true, counted, sample_size=positives + negatives, smoothing="half_count")
            wanted = np.maximum(1 - values, 0)
    assert found == pytest.approx(wanted, abs=1e-12)
    assert found.min() >= 0
    assert found.max() <= 1


def test_nas_and_nss_are_the_thesis_s_by_counts():
    fp, fn = every_table(5, 20)
    assert TABLE_MEASURES["NAS"].on(5, 20).at(fp, fn) == pytest.approx(1 - np.abs(fn - fp) / 20)
    assert TABLE_MEASURES["NSS"].on(5, 20).at(fp, fn) == pytest.approx(1 - ((fn - fp) / 20) ** 2)


SCORE_OF = {
    **{key: Measured(key) for key in TABLE_MEASURES},
    **{f"Q {c} {q}": Measured("Q_beta", 1.5, c, q) for c, q in [("recall", "NAS"), ("GM", "1 - KLD"), ("precision", "tnr")]},
}


@pytest.mark.parametrize("name", [*SCORE_OF, *TABLE_LOSSES])
@given(st.data())
def test_no_table_of_a_block_is_below_its_bound(name, data):
    positives, negatives = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    score = SCORE_OF[name].on(positives, negatives) if name in SCORE_OF else TABLE_LOSSES[name].on(positives, negatives, 1.5)
    fp = sorted(data.draw(st.lists(st.integers(0, negatives), min_size=2, max_size=2)))
    fn = sorted(data.draw(st.lists(st.integers(0, positives), min_size=2, max_size=2)))
    inside = np.meshgrid(np.arange(fp[0], fp[1] + 1), np.arange(fn[0], fn[1] + 1), indexing="ij")
    bound = score.least(*(tuple(np.array([end]) for end in ends) for ends in (fp, fn)))
    assert bound[0] <= score.at(*(axis.ravel() for axis in inside)).min() + 1e-12
    if fp[0] == fp[1] and fn[0] == fn[1]:
        assert bound[0] == pytest.approx(score.at(*(axis.ravel() for axis in inside))[0])


def test_q_combines_recall_and_nas_and_has_them_as_limits():
    fp, fn = every_table(6, 9)
    table = c.ContingencyTable.from_errors(fp, fn, 6, 9)
    for beta in (0.0, 0.5, 2.0, np.inf):
        assert Measured("Q_beta", beta).on(6, 9).at(fp, fn) == pytest.approx(q_measure(table, beta))
        assert Measured("Q_beta", beta).of(table) == pytest.approx(q_measure(table, beta))
    assert (Measured("Q_beta", 0.0).on(6, 9).at(fp, fn) == Measured("recall").on(6, 9).at(fp, fn)).all()
    assert (Measured("Q_beta", np.inf).on(6, 9).at(fp, fn) == Measured("NAS").on(6, 9).at(fp, fn)).all()
    # A finite beta, however large, leaves 0 where recall is 0.
    huge = Measured("Q_beta", 1e200).of(table)
    assert huge[fn < 6] == pytest.approx(Measured("NAS").of(table)[fn < 6])
    assert (huge[fn == 6] == 0).all()


@pytest.mark.parametrize("key", TABLE_LOSSES)
def test_each_loss_is_the_one_of_its_name(key):
    fp, fn = every_table(7, 12)
    table = c.ContingencyTable.from_errors(fp, fn, 7, 12)
    true, counted = np.full(len(fp), 7 / 19), (7 - fn + fp) / 19
    if key in LOSSES:
        wanted = LOSSES[key].binary(true, counted, sample_size=19, smoothing="half_count")
    elif key in SCORES:
        wanted = 1 - SCORES[key].binary(true, counted)
    else:
        by_name = {"Q": q_measure(table, 3.0), "F": c.f_measure(table, 3.0), "GM": c.geometric_mean(table),
                   "recall": c.recall(table), "error": c.accuracy(table)}  # fmt: skip
        wanted = 1 - by_name[key]
    assert 1 - TABLE_LOSSES[key].on(7, 12, 3.0).at(fp, fn) == pytest.approx(wanted, abs=1e-12)


def test_the_losses_are_not_cropped():
    tables = np.array([60]), np.array([0])
    assert 1 - TABLE_LOSSES["KLD"].on(3, 60, 1.0).at(*tables) > 1
    assert TABLE_MEASURES["1 - KLD"].on(3, 60).at(*tables) == 0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Measured("Q_beta", -1.0), "beta must be at least 0, got -1"),
        (lambda: Measured("F_beta", float("nan")), "beta must be at least 0, got nan"),
        (lambda: Measured("Q_beta", cperf="bias"), "cperf must be one that is registered, got 'bias'"),
        (lambda: Measured("Q_beta", qperf="KLD"), "qperf must be one that is registered, got 'KLD'"),
        (lambda: Measured("beauty"), "measure must be one that is registered"),
        (lambda: Measured().on(0, 5), "positives must be a whole number of at least 1, got 0"),
        (lambda: Measured("recall").on(5, 0), "negatives must be a whole number of at least 1, got 0"),
    ],
)
def test_what_is_no_measure_is_refused(make, says):
    with pytest.raises(InvalidInput, match=says):
        make()


def test_names_as_a_person_reads_them():
    assert [Measured("Q_beta", beta).name for beta in (0.5, 2.0, np.inf)] == ["Q_0.5", "Q_2", "Q_∞"]
    assert Measured("F_beta", 1.0).name == "F_1"
    assert Measured("NAS", 3.0).name == "NAS"
