"""Scores: the split, the folds, every classifier, and what is refused."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from qcore import CLASSIFIERS, Dataset, ScoringPlan, ScoringSettings, estimate_sample, load_dataset, score_dataset
from qcore._base.validation import InvalidInput
from qcore.classifiers import positive_scores
from qcore.datasets.preparation import as_labels
from qcore.scoring import calibrate
from qcore.scoring.plan import score_pool_as_training
from tests.thorough import mostly_thorough

rate_estimation_module = import_module("qcore.scoring.rate_estimation")


def toy(n_positives: int, n_negatives: int) -> Dataset:
    rng = np.random.default_rng(1)
    labels = np.array(["yes"] * n_positives + ["no"] * n_negatives)
    features = pd.DataFrame({"x": rng.normal(size=len(labels)) + (labels == "yes"), "constant": 1.0})
    return Dataset("toy", "Toy", features, as_labels(labels), default_positive="yes")


@pytest.fixture
def three_folds(monkeypatch):
    """Three folds instead of ten, where what is tried is that each classifier can be used at all."""
    monkeypatch.setattr(rate_estimation_module, "N_FOLDS", 3)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize(("data", "positive"), mostly_thorough([("monks-3", "monk"), ("iris", "versicolor")], 1))
def test_every_classifier_scores_every_kind_of_data(classifier, data, positive, three_folds):
    settings = ScoringSettings(positive, classifier, training_share=0.3)
    scores = score_dataset(load_dataset(data), settings)
    for values, labels in ((scores.training_scores, scores.training_labels), (scores.pool_scores, scores.pool_labels)):
        assert values.shape == labels.shape
        assert ((values >= 0) & (values <= 1)).all()
    tpr, fpr = scores.rates
    assert tpr > fpr, "no better than chance"


def test_half_and_half_stratified_by_default(wdbc_scores):
    assert len(wdbc_scores.training_labels) == 284
    assert len(wdbc_scores.pool_labels) == 285
    assert wdbc_scores.training_labels.sum() == wdbc_scores.pool_labels.sum() == 106
    assert wdbc_scores.notes == ()


def test_same_seed_same_scores_and_another_seed_another_split(wdbc_scores):
    again = score_dataset(load_dataset("wdbc"))
    assert (again.pool_scores == wdbc_scores.pool_scores).all()
    other = score_dataset(load_dataset("wdbc"), ScoringSettings("malignant", seed=1))
    assert not np.array_equal(other.pool_scores, wdbc_scores.pool_scores)


def test_training_scores_are_out_of_fold(three_folds):
    # 1 nearest neighbour would score its own training instances perfectly; out of fold it can't, on noise.
    noise = toy(40, 40)
    noise.features["x"] = np.random.default_rng(0).normal(size=80)
    scores = score_dataset(noise, ScoringSettings("yes", "random forest", training_share=0.9))
    tpr, fpr = scores.rates
    assert tpr - fpr < 0.5


def test_out_of_fold_scores_by_hand():
    settings = ScoringSettings("yes", "Gaussian naive Bayes", seed=3)
    plan = ScoringPlan(toy(30, 50), settings)
    parts = [plan.part(i) for i in range(plan.n_parts)]
    scores = plan.assemble(parts)
    assert plan.n_parts == 11
    assert sum(len(part) for part in parts[:-1]) == len(scores.training_scores) == 40
    assert plan.pool_counts == (15, 25)
    assert (parts[-1] == scores.pool_scores).all()
    assert sorted(np.concatenate(parts[:-1])) == pytest.approx(sorted(scores.training_scores))


@pytest.mark.parametrize("prevalence", [0.05, 0.2, 0.5, 0.9])
def test_training_prevalence_by_under_sampling(prevalence):
    dataset = load_dataset("digits")
    result = score_dataset(dataset, ScoringSettings("8", training_prevalence=prevalence))
    assert result.training_prevalence == pytest.approx(prevalence, abs=0.01)
    pool = score_dataset(dataset, ScoringSettings("8")).pool_labels
    assert np.array_equal(result.pool_labels, pool), "the pool is what it was"


def test_under_sampling_keeps_all_of_one_class():
    result = score_dataset(load_dataset("wdbc"), ScoringSettings("malignant", training_prevalence=0.5))
    assert result.training_labels.sum() == 106
    assert len(result.training_labels) == 212


def test_a_small_class_gets_fewer_folds_and_a_note():
    scores = score_dataset(toy(8, 60))
    assert "4 training instances" in scores.notes[0]
    assert "4 folds instead of 10" in scores.notes[0]


def test_too_small_a_class_is_refused():
    with pytest.raises(InvalidInput, match="positive class must have at least 2 training instances, got 1"):
        ScoringPlan(toy(3, 60), ScoringSettings("yes", training_share=0.3))
    with pytest.raises(InvalidInput, match="at least 3 instances"):
        ScoringPlan(toy(2, 60), ScoringSettings("yes"))
    with pytest.raises(InvalidInput, match="negative class must have at least 2 training instances, got 0"):
        ScoringPlan(load_dataset("iris"), ScoringSettings("setosa", training_share=0.05, training_prevalence=0.9))


def test_a_pool_without_positives_is_refused():
    with pytest.raises(InvalidInput, match=r"positive class must have at least 1 pool instances, got 0.*smaller share"):
        ScoringPlan(toy(3, 200), ScoringSettings("yes", training_share=0.9))


def test_numbers_at_the_border_of_a_split_are_refused_in_words():
    with pytest.raises(InvalidInput):
        ScoringPlan(load_dataset("iris"), ScoringSettings("setosa", training_share=0.01))


@pytest.mark.parametrize(
    "bad", [{"classifier": "magic"}, {"seed": -1}, {"training_share": 1.0}, {"training_prevalence": 0.0}, {"seed": 1.5}]
)
def test_settings_are_checked(bad):
    with pytest.raises(InvalidInput, match=next(iter(bad)).replace("_", " ")):
        ScoringSettings("yes", **bad)


def test_the_key_of_a_data_set_is_not_a_data_set():
    with pytest.raises(InvalidInput, match=r"be a Dataset, got a str.*load_dataset"):
        score_dataset("wdbc")


def test_a_remark_of_the_learner_is_a_note():
    # Positives in the middle of negatives: no hyperplane is better than all weights 0 under 1 - Q_2.
    result = score_dataset(load_dataset("balance"), ScoringSettings("balanced", "SVM-Q2"))
    assert "no hyperplane has a lower objective than all weights 0" in result.notes[0]
    assert score_dataset(load_dataset("balance"), ScoringSettings("balanced", "PWK")).notes == ()


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_every_classifier_scores_several_classes(classifier, three_folds):
    result = score_dataset(load_dataset("wine"), ScoringSettings(None, classifier))
    for values in (result.training_scores, result.pool_scores):
        assert values.sum(axis=1) == pytest.approx(np.ones(len(values)))
    assert (result.pool_scores.argmax(axis=1) == result.pool_labels).mean() > 0.75


class TestAllClasses:
    def test_what_is_made_for_one_class_says_so(self):
        plan = ScoringPlan(load_dataset("iris"), ScoringSettings(None, "Gaussian naive Bayes"))
        scores = plan.scores()
        assert scores.classes == load_dataset("iris").classes
        for wrong in (
            lambda: plan.pool_counts,
            lambda: scores.pool_counts,
            lambda: scores.training_prevalence,
            lambda: calibrate(scores, "sigmoid"),
        ):
            with pytest.raises(InvalidInput, match=r"one class against the rest.*Name a positive class"):
                wrong()
        with pytest.raises(InvalidInput, match="name the 3 classes of the scores"):
            estimate_sample(scores.pool_scores, scores.training_scores, scores.training_labels)

    @pytest.mark.parametrize(
        ("settings", "rule"),
        [
            ({"training_prevalence": 0.3}, "as found for all classes"),
            ({"rate_estimation": "leave-one-out", "classifier": "PWK"}, "for all classes"),
        ],
    )
    def test_settings_of_one_class_are_refused(self, settings, rule):
        with pytest.raises(InvalidInput, match=rule):
            ScoringPlan(load_dataset("iris"), ScoringSettings(None, **settings))

    @pytest.mark.parametrize("key", ["hold-out half", "bootstrap", "resubstitution"])
    def test_other_rate_estimations_hold_every_class(self, key):
        plan = ScoringPlan(load_dataset("iris"), ScoringSettings(None, "Gaussian naive Bayes", rate_estimation=key))
        scores = plan.scores()
        assert set(scores.training_labels) == {0, 1, 2}
        assert scores.training_scores.sum(axis=1) == pytest.approx(np.ones(len(scores.training_labels)))


def test_a_class_where_settings_belong_is_refused():
    with pytest.raises(InvalidInput, match=r"settings must be ScoringSettings.*ScoringSettings\('malignant'\)"):
        ScoringPlan(load_dataset("wdbc"), "malignant")


def test_a_pool_scored_as_the_training_part_is_scored_by_its_folds():
    data = load_dataset("balance")
    plan = ScoringPlan(data, ScoringSettings("left"))
    as_training, pool = plan.pool_as_training(), plan.scores().pool_scores
    by_fold = np.stack([positive_scores(plan.model(fold), data.features.iloc[plan.pool_rows]) for fold in range(plan.n_folds)])
    of = (np.abs(by_fold - as_training) < 1e-12).argmax(axis=0)
    assert (np.abs(by_fold - as_training).min(axis=0) < 1e-12).all()
    assert len(set(of)) == plan.n_folds
    assert np.corrcoef(as_training, pool)[0, 1] > 0.99
    assert score_pool_as_training(data, ScoringSettings("left")).tolist() == as_training.tolist()
    halves = ScoringPlan(data, ScoringSettings("left", rate_estimation="resubstitution"))
    assert halves.pool_as_training().tolist() == halves.scores().pool_scores.tolist()
