"""Rate curves, ROC curves and what errors cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import InvalidInput
from qcore.measures.classification import accuracy, error, f_measure, macro_accuracy, precision, recall, tnr
from qcore.measures.roc import SLIDES_CLASSIFIERS, RateCurve, Skew, cost_table, rate_curve, slides_points, total_cost


def test_a_coarsened_curve_leaves_out_only_what_lies_beside_what_stays():
    rng = np.random.default_rng(0)
    labels = (rng.random(5000) < 0.4).astype(np.intp)
    curve = rate_curve(rng.random(5000) ** 2 * 0.7 + 0.3 * labels, labels)
    coarse = curve.coarsened(100)
    assert 100 < len(coarse.fpr) < len(curve.fpr) / 5
    assert (coarse.thresholds[0], coarse.thresholds[-1]) == (curve.thresholds[0], curve.thresholds[-1])
    points, kept = (np.column_stack([c.thresholds, c.tpr, c.fpr]) for c in (curve, coarse))
    assert {tuple(row) for row in kept.tolist()} <= {tuple(row) for row in points.tolist()}
    before = kept[np.searchsorted(coarse.thresholds, curve.thresholds, side="right") - 1]
    assert np.abs(points - before).max() <= 0.01


def test_a_short_curve_stays_as_it_is():
    curve = rate_curve(np.array([0.1, 0.5, 0.9]), np.array([0, 1, 1]))
    assert curve.coarsened() is curve


SLIDES = Skew(false_positive=100, false_negative=2000, prevalence=0.005)


class TestSlides:
    def test_slope(self):
        assert SLIDES.slope == pytest.approx(9.95)
        assert Skew(1, 2, 0.2).slope == pytest.approx(2.0)
        assert Skew(1, 8, 0.2).slope == pytest.approx(0.5)

    def test_the_three_classifiers(self):
        table = cost_table(list(SLIDES_CLASSIFIERS), slides_points(), SLIDES)
        assert table.cost.tolist() == pytest.approx([4.5, 10.0, 7.4])
        assert table.m.tolist() == pytest.approx([0.45, 1.0, 0.74])
        assert table.error.tolist() == pytest.approx([0.007, 0.005, 0.055])
        assert table.cheapest.tolist() == [True, False, False]
        assert table.auc.tolist() == pytest.approx([float(macro_accuracy(one)) for one in SLIDES_CLASSIFIERS.values()])

    def test_their_measures(self):
        one, two, three = SLIDES_CLASSIFIERS.values()
        assert [float(recall(t)) for t in (one, two, three)] == [0.6, 0.0, 0.8]
        assert [float(tnr(t)) for t in (one, two, three)] == pytest.approx([0.995, 1.0, 0.946], abs=5e-4)
        assert [float(precision(t)) for t in (one, two, three)] == pytest.approx([0.375, 0.0, 0.069], abs=5e-4)
        assert [float(macro_accuracy(t)) for t in (one, two, three)] == pytest.approx([0.7975, 0.5, 0.873], abs=5e-4)
        assert [float(error(t)) for t in (one, two, three)] == pytest.approx([0.007, 0.005, 0.055])
        assert float(accuracy(one)) == pytest.approx(0.993)
        assert float(f_measure(one)) == pytest.approx(2 * 300 / (2 * 300 + 500 + 200))

    def test_the_example_of_several_classes(self):
        counts = [[20, 0, 13], [5, 15, 4], [4, 7, 60]]
        costs = [[0, 5, 2], [200, -2000, 10], [10, 1, -15]]
        assert total_cost(counts, costs) == -29_787

    def test_cost_per_unit_is_the_total_cost_per_instance(self):
        for table in SLIDES_CLASSIFIERS.values():
            counts = [[float(table.tp), float(table.fp)], [float(table.fn), float(table.tn)]]
            assert SLIDES.cost(recall(table), table.fp / 99_500) == pytest.approx(
                total_cost(counts, [[0, 100], [2000, 0]]) / 100_000
            )


@given(
    st.floats(0, 1e3), st.floats(0.001, 1e3), st.floats(0.001, 0.999),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=10),
)  # fmt: skip
def test_the_best_point_is_the_cheapest(false_positive, false_negative, prevalence, points):
    skew = Skew(false_positive, false_negative, prevalence)
    tpr, fpr = (np.array(rates) for rates in zip(*points, strict=True))
    curve = RateCurve(np.arange(len(points), dtype=float), tpr, fpr)
    costs = [false_negative * prevalence * (1 - t) + false_positive * (1 - prevalence) * f for t, f in points]
    assert skew.cost(tpr, fpr)[skew.best(curve)] == pytest.approx(min(costs))
    assert skew.normalised(tpr, fpr) * false_negative * prevalence == pytest.approx(np.array(costs))


def test_of_equally_cheap_points_the_one_that_finds_most():
    curve = RateCurve(np.arange(3.0), np.array([0.2, 0.6, 0.4]), np.array([0.0, 0.4, 0.2]))
    assert Skew(1, 1, 0.5).best(curve) == 1


def test_costs_that_make_no_difference_are_defined():
    never = Skew(1, 0, 0.5)
    assert never.slope == np.inf
    assert never.cost(0.5, 0.2) == pytest.approx(0.1)
    assert np.isnan(never.normalised(0.5, 0.2))
    assert Skew(1, 1, 0.0).slope == np.inf
    assert Skew(1, 1, 1.0).slope == 0.0
    assert Skew(0, 1, 0.5).slope == 0.0


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((-1, 1, 0.5), "cost of a false positive must be a number of at least 0, got -1"),
        ((1, -0.5, 0.5), "cost of a false negative must be a number of at least 0, got -0.5"),
        ((0, 0, 0.5), "must not both be 0"),
        ((1, np.inf, 0.5), "got inf"),
        ((np.nan, 1, 0.5), "got nan"),
        (("1", 1, 0.5), "got 1"),
        ((1, 1, 1.5), "prevalence must be a number from 0 to 1, got 1.5"),
    ],
)
def test_bad_costs_are_refused_in_one_sentence(arguments, text):
    with pytest.raises(InvalidInput, match=text):
        Skew(*arguments)


@pytest.mark.parametrize("costs", [[[1, 2, 3], [4, 5, 6]], [[1]], [1, 2]])
def test_a_cost_matrix_of_another_shape_is_refused(costs):
    with pytest.raises(InvalidInput, match="rows and columns"):
        total_cost([[1, 2], [3, 4]], costs)
