"""A classifier evaluated: points and tables against the scores themselves."""

import numpy as np
import pytest

from qcore import InvalidInput, Scores, ScoringSettings, load_dataset, score_dataset
from qcore.measures.catalog import MEASURES
from qcore.measures.classification import macro_accuracy
from qcore.measures.measure import ContingencyTable
from qcore.measures.roc import Skew, auc
from qcore.quantifiers.operating_points import policy_points
from qcore.studies.classifier_evaluation import PARTS, evaluate_classifier


@pytest.fixture(scope="module")
def scored():
    return score_dataset(load_dataset("digits"), ScoringSettings("8", "Gaussian naive Bayes"))


@pytest.mark.parametrize("part", PARTS)
def test_tables_are_those_of_the_scores(scored, part):
    result = evaluate_classifier(scored, part, 0.3)
    scores, labels = (
        (scored.training_scores, scored.training_labels) if part == "training" else (scored.pool_scores, scored.pool_labels)
    )
    measures = result.measures()
    for threshold in (0.0, 0.3, 0.5, 0.97, 1.0):
        row = result.rates.nearest(threshold)
        assert result.rates.thresholds[row] == threshold
        table = ContingencyTable.from_scores(scores, labels, threshold)
        for name in ("tp", "fp", "fn", "tn"):
            assert getattr(result.table, name)[row] == getattr(table, name)
        for key, measure in MEASURES.items():
            name = key.replace("_beta", "1")
            assert (name in measures) == (not measure.is_balance)
            if name in measures:
                expected = float(measure.of(table, 1.0)) if measure.is_defined(table) else np.nan
                assert measures[name][row] == pytest.approx(expected, nan_ok=True)


def test_a_measure_is_undefined_where_nothing_is_predicted():
    scores = Scores(*[np.array([0.2, 0.3, 0.8]), np.array([0, 0, 1])] * 2)
    measures = evaluate_classifier(scores).measures()
    assert measures.threshold.iloc[[0, -1]].tolist() == [0.0, 1.0]
    assert measures.precision.isna().tolist() == (measures.threshold > 0.8).tolist()
    assert measures.npv.isna().tolist() == (measures.threshold <= 0.2).tolist()
    assert not measures.drop(columns=["precision", "npv"]).isna().any(axis=None)


def test_the_auc_of_a_crisp_classifier_is_its_macro_accuracy(scored):
    crisp, labels = (scored.pool_scores >= 0.5).astype(float), scored.pool_labels
    assert auc(crisp, labels) == pytest.approx(float(macro_accuracy(ContingencyTable.from_scores(crisp, labels))))


@pytest.mark.parametrize("part", PARTS)
def test_policies_choose_in_training_and_are_evaluated_on_the_part(scored, part):
    chosen = policy_points(scored.training_scores, scored.training_labels)
    result = evaluate_classifier(scored, part, 0.5)
    for key, point in result.points.items():
        assert point.threshold == chosen[key].threshold
        scores, labels = result.scores, result.labels
        assert point.tpr == np.mean(scores[labels == 1] >= point.threshold)
        assert point.fpr == np.mean(scores[labels == 0] >= point.threshold)


def test_costs_hold_the_cheapest_threshold(scored):
    result = evaluate_classifier(scored, "pool", 0.5)
    skew = Skew(5, 1, 0.2)
    table = result.costs(skew).set_index("name")
    every = [skew.cost(np.mean(result.scores[result.labels == 1] >= t), np.mean(result.scores[result.labels == 0] >= t))
             for t in [*np.unique(result.scores), np.inf]]  # fmt: skip
    assert table.cost["cheapest threshold"] == pytest.approx(min(every))
    assert table.cheapest["cheapest threshold"]
    assert table.cost["all negative"] == pytest.approx(0.2)
    assert table.cost["all positive"] == pytest.approx(5 * 0.8)


def test_an_unknown_part_is_refused(scored):
    with pytest.raises(InvalidInput, match="Unknown part"):
        evaluate_classifier(scored, "test", 0.5)
