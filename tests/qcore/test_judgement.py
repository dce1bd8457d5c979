"""A classifier judged: points and tables against the scores themselves."""

import numpy as np
import pytest

from qcore import InvalidInput, ScoringSettings, load_dataset, score_dataset
from qcore.contingency import MEASURES, ContingencyTable
from qcore.costs import Skew
from qcore.judgement import PARTS, judge
from qcore.operating import policy_points


@pytest.fixture(scope="module")
def scored():
    return score_dataset(load_dataset("digits"), ScoringSettings("8", "Gaussian naive Bayes"))


@pytest.mark.parametrize("part", PARTS)
def test_tables_are_those_of_the_scores(scored, part):
    found = judge(scored, part, 0.3)
    scores, labels = (
        (scored.training_scores, scored.training_labels) if part == "training" else (scored.pool_scores, scored.pool_labels)
    )
    measures = found.measures()
    for threshold in (0.0, 0.3, 0.5, 0.97, 1.0):
        place = found.place(threshold)
        assert found.rates.thresholds[place] == threshold
        table = ContingencyTable.from_scores(scores, labels, threshold)
        for name in ("tp", "fp", "fn", "tn"):
            assert getattr(found.table, name)[place] == getattr(table, name)
        for name, measure in MEASURES.items():
            assert measures[name][place] == pytest.approx(float(measure(table)))


@pytest.mark.parametrize("part", PARTS)
def test_policies_choose_in_training_and_are_judged_where_asked(scored, part):
    chosen = policy_points(scored.training_scores, scored.training_labels)
    found = judge(scored, part, 0.5)
    for key, point in found.points.items():
        assert point.threshold == chosen[key].threshold
        scores, labels = found.scores, found.labels
        assert point.tpr == np.mean(scores[labels == 1] >= point.threshold)
        assert point.fpr == np.mean(scores[labels == 0] >= point.threshold)


def test_costs_hold_the_cheapest_threshold(scored):
    found = judge(scored, "pool", 0.5)
    skew = Skew(5, 1, 0.2)
    table = found.costs(skew).set_index("name")
    every = [skew.cost(np.mean(found.scores[found.labels == 1] >= t), np.mean(found.scores[found.labels == 0] >= t))
             for t in [*np.unique(found.scores), np.inf]]  # fmt: skip
    assert table.cost["cheapest threshold"] == pytest.approx(min(every))
    assert table.cheapest["cheapest threshold"]
    assert table.cost["all negative"] == pytest.approx(0.2)
    assert table.cost["all positive"] == pytest.approx(5 * 0.8)


def test_an_unknown_part_is_refused(scored):
    with pytest.raises(InvalidInput, match="part must be one that is registered"):
        judge(scored, "test", 0.5)
