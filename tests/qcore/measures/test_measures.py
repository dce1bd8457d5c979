"""Measures of tables: the values are those of the formulas, and a block's bound holds in every block."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qcore._base.validation import InvalidInput
from qcore.classifiers.multivariate_svm import SVM_LOSSES, score_on_counts
from qcore.losses import LOSSES
from qcore.measures import classification as classification
from qcore.measures.catalog import MEASURES, SCORE_KEYS, ParametricMeasure
from qcore.measures.measure import ContingencyTable, q_value
from tests.qcore.own_definitions import own_definitions

BY_HAND = {
    "accuracy": classification.accuracy, "recall": classification.recall, "tnr": classification.tnr,
    "precision": classification.precision, "npv": classification.npv, "GM": classification.geometric_mean,
    "macro accuracy": classification.macro_accuracy, "error": classification.accuracy,
    "F_beta": lambda table: classification.f_measure(table, 2.0), **own_definitions(__file__, "BY_HAND"),
}  # fmt: skip


def q_of_table(table, beta):
    return q_value(classification.recall(table), MEASURES["NAS"].of(table, 1.0), beta)


def values_on_all_tables(positives, negatives):
    fp, fn = np.meshgrid(np.arange(negatives + 1), np.arange(positives + 1), indexing="ij")
    return fp.ravel(), fn.ravel()


@pytest.mark.parametrize("key", MEASURES)
@pytest.mark.parametrize(("positives", "negatives"), [(7, 11), (11, 7), (1, 1), (6, 6)])
def test_a_value_is_that_of_the_formula_on_every_table(key, positives, negatives):
    fp, fn = values_on_all_tables(positives, negatives)
    values = MEASURES[key].on_counts(positives, negatives, 2.0).at(fp, fn)
    if key in BY_HAND:
        wanted = BY_HAND[key](ContingencyTable.from_errors(fp, fn, positives, negatives))
    else:
        true = np.full(len(fp), positives / (positives + negatives))
        counted = (positives - fn + fp) / (positives + negatives)
        of_prevalences = MEASURES[key].of_prevalences
        if of_prevalences:
            wanted = of_prevalences.binary(true, counted)
        else:
            name = key.removeprefix("1 - ")
            assert name in LOSSES, f"{key} has no formula to compare with: add BY_HAND = {{{key!r}: ...}} to a test file."
            loss = LOSSES[name]
            wanted = np.maximum(1 - loss.binary(true, counted, sample_size=positives + negatives, smoothing="half_count"), 0)
    assert values == pytest.approx(wanted, abs=1e-12)
    assert values.min() >= 0
    assert values.max() <= 1


def test_nas_and_nss_are_the_thesis_s_by_counts():
    fp, fn = values_on_all_tables(5, 20)
    assert MEASURES["NAS"].on_counts(5, 20).at(fp, fn) == pytest.approx(1 - np.abs(fn - fp) / 20)
    assert MEASURES["NSS"].on_counts(5, 20).at(fp, fn) == pytest.approx(1 - ((fn - fp) / 20) ** 2)


SCORE_OF = {
    **{key: ParametricMeasure(key) for key in SCORE_KEYS},
    **{
        f"Q {cperf} {qperf}": ParametricMeasure("Q_beta", 1.5, cperf, qperf)
        for cperf, qperf in [("recall", "NAS"), ("GM", "1 - KLD"), ("precision", "tnr")]
    },
}


@pytest.mark.parametrize("name", [*SCORE_OF, *SVM_LOSSES])
@settings(max_examples=30)
@given(st.data())
def test_no_table_of_a_block_is_below_its_bound(name, data):
    positives, negatives = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    counts = positives, negatives
    score = SCORE_OF[name].on_counts(*counts) if name in SCORE_OF else score_on_counts(name, 1.5, *counts)
    fp = sorted(data.draw(st.lists(st.integers(0, negatives), min_size=2, max_size=2)))
    fn = sorted(data.draw(st.lists(st.integers(0, positives), min_size=2, max_size=2)))
    inside = np.meshgrid(np.arange(fp[0], fp[1] + 1), np.arange(fn[0], fn[1] + 1), indexing="ij")
    bound = score.lower_bound(*(tuple(np.array([end]) for end in ends) for ends in (fp, fn)))
    assert bound[0] <= score.at(*(axis.ravel() for axis in inside)).min() + 1e-12
    if fp[0] == fp[1] and fn[0] == fn[1]:
        assert bound[0] == pytest.approx(score.at(*(axis.ravel() for axis in inside))[0])


def test_q_combines_recall_and_nas_and_has_them_as_limits():
    fp, fn = values_on_all_tables(6, 9)
    table = ContingencyTable.from_errors(fp, fn, 6, 9)
    for beta in (0.0, 0.5, 2.0, np.inf):
        assert ParametricMeasure("Q_beta", beta).on_counts(6, 9).at(fp, fn) == pytest.approx(q_of_table(table, beta))
        assert ParametricMeasure("Q_beta", beta).of(table) == pytest.approx(q_of_table(table, beta))
    assert (
        ParametricMeasure("Q_beta", 0.0).on_counts(6, 9).at(fp, fn) == ParametricMeasure("recall").on_counts(6, 9).at(fp, fn)
    ).all()
    assert (
        ParametricMeasure("Q_beta", np.inf).on_counts(6, 9).at(fp, fn) == ParametricMeasure("NAS").on_counts(6, 9).at(fp, fn)
    ).all()
    # A finite beta, however large, leaves 0 where recall is 0.
    huge = ParametricMeasure("Q_beta", 1e200).of(table)
    assert huge[fn < 6] == pytest.approx(ParametricMeasure("NAS").of(table)[fn < 6])
    assert (huge[fn == 6] == 0).all()


@pytest.mark.parametrize("key", SVM_LOSSES)
def test_each_loss_is_the_one_of_its_name(key):
    fp, fn = values_on_all_tables(7, 12)
    table = ContingencyTable.from_errors(fp, fn, 7, 12)
    true, counted = np.full(len(fp), 7 / 19), (7 - fn + fp) / 19
    if key in LOSSES:
        wanted = LOSSES[key].binary(true, counted, sample_size=19, smoothing="half_count")
    elif key == "Q_beta":
        wanted = 1 - q_of_table(table, 3.0)
    elif key == "F_beta":
        wanted = 1 - classification.f_measure(table, 3.0)
    else:
        wanted = abs(MEASURES[key].best - MEASURES[key].of(table, 1.0))
    assert 1 - score_on_counts(key, 3.0, 7, 12).at(fp, fn) == pytest.approx(wanted, abs=1e-12)


def test_losses_of_the_count_are_not_cut_off():
    tables = np.array([60]), np.array([0])
    assert 1 - score_on_counts("KLD", 1.0, 3, 60).at(*tables) > 1
    assert MEASURES["1 - KLD"].on_counts(3, 60).at(*tables) == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ParametricMeasure("Q_beta", -1.0), "beta must be at least 0, got -1"),
        (lambda: ParametricMeasure("F_beta", float("nan")), "beta must be at least 0, got nan"),
        (lambda: ParametricMeasure("Q_beta", cperf="bias"), "Unknown cperf 'bias'"),
        (lambda: ParametricMeasure("Q_beta", qperf="KLD"), "Unknown qperf 'KLD'"),
        (lambda: ParametricMeasure("beauty"), "Unknown measure"),
        (lambda: ParametricMeasure().on_counts(0, 5), "positives must be a whole number of at least 1, got 0"),
        (lambda: ParametricMeasure("recall").on_counts(5, 0), "negatives must be a whole number of at least 1, got 0"),
    ],
)
def test_what_is_no_measure_is_refused(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()


def test_names_as_a_person_reads_them():
    assert [ParametricMeasure("Q_beta", beta).name for beta in (0.5, 2.0, np.inf)] == ["Q_0.5", "Q_2", "Q_∞"]
    assert ParametricMeasure("F_beta", 1.0).name == "F_1"
    assert ParametricMeasure("NAS", 3.0).name == "NAS"
