"""Estimated rates beside the pool's, and overfitting: against plain loops, and as the textbooks say."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from qcore import ArtificialPrevalence, Dataset, InvalidInput, ScoringPlan, ScoringSettings, load_dataset
from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.stored_pieces import FinishedPieces
from qcore.classifiers import encoded
from qcore.studies.classifier_evaluation import COMPLEXITIES, OVERFITTING_PARTS, errors_by_complexity
from qcore.studies.threshold_adjustment import estimated_rates, usable_rate_estimations

SETTINGS = ScoringSettings("x does not win", "Gaussian naive Bayes")


@pytest.fixture(scope="module")
def plan():
    return ScoringPlan(load_dataset("tictactoe"), SETTINGS)


@pytest.fixture(scope="module")
def rates(plan):
    return estimated_rates(plan, SETTINGS.classifier, n_repeats=3)


def test_what_is_usable_depends_on_the_classifier():
    assert "leave-one-out" not in usable_rate_estimations("random forest")
    assert "parameters chosen anew" not in usable_rate_estimations("k nearest neighbours")
    assert {"leave-one-out", "parameters chosen anew"} < set(usable_rate_estimations("PWK"))
    with pytest.raises(InvalidInput, match="classifier"):
        usable_rate_estimations("oracle")


def test_chance_is_repeated_and_nothing_else(rates):
    repeats = rates.table.groupby("estimation").repeat.count().to_dict()
    assert repeats == {"out of fold": 3, "averaged over folds": 3, "hold-out half": 3, "bootstrap": 3, "resubstitution": 1}
    assert rates.table.groupby("estimation").tpr.nunique()["bootstrap"] > 1


def test_rates_error_and_ae_are_those_of_a_loop(plan, rates):
    scores = plan.scores()
    row = rates.table[(rates.table.estimation == "out of fold") & (rates.table.repeat == 0)].iloc[0]
    assert (row.tpr, row.fpr) == pytest.approx(scores.rates)
    wrong = (scores.training_scores >= 0.5) != scores.training_labels
    assert row.error == pytest.approx(wrong.mean())
    protocol = ArtificialPrevalence(21, rates.sample_size, 20)
    samples = protocol.draw(scores.pool_labels, random_stream(0, RandomStream.SAMPLES_FOR_RATES))
    errors, counting = [], []
    for _, indices in samples.blocks():
        for sample in indices:
            count = np.mean(scores.pool_scores[sample] >= 0.5)
            truth = scores.pool_labels[sample].mean()
            errors.append(abs(np.clip((count - row.fpr) / (row.tpr - row.fpr), 0, 1) - truth))
            counting.append(abs(count - truth))
    assert pytest.approx(np.mean(errors)) == row.AE
    assert rates.counting_ae == pytest.approx(np.mean(counting))
    assert len(errors) == rates.n_samples
    counted = scores.pool_scores >= 0.5
    assert rates.pool["tpr"] == pytest.approx(counted[scores.pool_labels == 1].mean())
    assert rates.n_pool == plan.pool_counts


def test_resubstitution_takes_a_classifier_for_better_than_it_is():
    settings = ScoringSettings("x does not win", "quantification tree")
    table = estimated_rates(ScoringPlan(load_dataset("tictactoe"), settings), settings.classifier, n_repeats=1)
    errors = table.table.set_index("estimation").error
    assert errors["resubstitution"] < 0.01 < table.pool["error"]


def test_work_that_was_stopped_goes_on_where_it_ended(plan, rates):
    pieces, shares = FinishedPieces(), []

    def stop(share):
        shares.append(share)
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        estimated_rates(plan, SETTINGS.classifier, n_repeats=3, finished=pieces, on_progress=stop)
    kept = len(pieces)
    assert kept > 3
    whole = estimated_rates(plan, SETTINGS.classifier, n_repeats=3, finished=pieces)
    assert len(pieces) > kept
    assert whole.table.equals(rates.table)


def test_repeats_are_checked(plan):
    with pytest.raises(InvalidInput, match="repeats"):
        estimated_rates(plan, SETTINGS.classifier, n_repeats=0)


@pytest.fixture(scope="module")
def errors(plan):
    """Each kind of complexity -> its table."""
    return {key: errors_by_complexity(load_dataset("tictactoe"), SETTINGS.positive, plan, key) for key in COMPLEXITIES}


@pytest.fixture(scope="module")
def tree_errors(errors):
    return errors["depth of a tree"]


class TestOverfitting:
    def test_a_deep_tree_knows_its_training_data_and_no_other(self, tree_errors):
        errors = tree_errors.pivot_table(index="value", columns="part", values="error")
        assert errors["training"].is_monotonic_decreasing
        assert errors["training"].iloc[-1] == 0.0
        assert errors["pool"].iloc[-1] > 0.05
        assert set(tree_errors.part) == set(OVERFITTING_PARTS)

    def test_errors_are_those_of_a_loop(self, plan, tree_errors):
        data = load_dataset("tictactoe")
        labels = data.binary_labels(SETTINGS.positive)
        training, pool = plan.training_rows, plan.pool_rows
        model = encoded(data.nominal, DecisionTreeClassifier(max_depth=4, random_state=0))
        model.fit(data.features.iloc[training], labels[training])
        row = tree_errors[tree_errors.value == 4].set_index("part").error
        assert row["pool"] == pytest.approx(np.mean(model.predict(data.features.iloc[pool]) != labels[pool]))
        assert row["training"] == pytest.approx(np.mean(model.predict(data.features.iloc[training]) != labels[training]))
        assert row["training"] < row["out of fold"]

    @pytest.mark.parametrize("complexity", COMPLEXITIES)
    def test_every_family_goes_from_simple_to_complex(self, complexity, errors):
        table = errors[complexity]
        training = table[table.part == "training"].error.to_numpy()
        assert training[-1] == training.min() == 0.0
        assert training[0] > 0.1

    def test_no_more_neighbours_than_instances(self):
        data = load_dataset("iris")
        plan = ScoringPlan(data, ScoringSettings("setosa", training_share=0.2))
        table = errors_by_complexity(data, "setosa", plan, "number of neighbours")
        assert table.value.max() == 25

    def test_unusable_requests_are_refused(self, plan):
        with pytest.raises(InvalidInput, match="complexity"):
            errors_by_complexity(load_dataset("tictactoe"), SETTINGS.positive, plan, "width")
        data = load_dataset("iris")
        small = Dataset("small", "", data.features[:6], data.labels[[0, 1, 50, 51, 52, 53]], default_positive="setosa")
        with pytest.raises(InvalidInput):
            errors_by_complexity(small, "setosa", ScoringPlan(small, ScoringSettings("setosa")), "number of neighbours")
