"""Parameters are chosen once, on the whole training part: rates belong to the model that is used (Barranquero 2013, 5.2.6)."""

from importlib import import_module

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from qcore import CLASSIFIERS, ScoringPlan, ScoringSettings, load_dataset, score_dataset
from qcore.classifiers import WeightedNeighbours, make_classifier, positive_scores, with_chosen_parameters
from qcore.classifiers.catalog import OneVsRestOwnParameters
from qcore.scoring import training_part
from qcore.studies.threshold_adjustment import estimated_rates

CHOOSING = [key for key, entry in CLASSIFIERS.items() if entry.fixed]


def chosen(key, model):
    """The parameters that a fitted model uses."""
    fixed = CLASSIFIERS[key].fixed
    return (fixed(model[-1]) if fixed else model[-1]).get_params()


def test_those_that_choose():
    assert CHOOSING == ["KNN", "PWK", "PWK-alpha", "tuned linear SVM", "tuned hinge-loss SVM"]


@pytest.mark.parametrize(("classifier", "seed"), [*((key, 0) for key in CLASSIFIERS), *((key, 3) for key in CHOOSING)])
def test_every_fold_has_the_parameters_of_the_model_that_is_used(classifier, seed, monkeypatch):
    if classifier not in CHOOSING:
        monkeypatch.setattr(import_module("qcore.scoring.rate_estimation"), "N_FOLDS", 3)
    plan = ScoringPlan(load_dataset("iris"), ScoringSettings("virginica", classifier, seed, training_share=0.2))
    used = chosen(classifier, plan.model(plan.n_folds))
    assert all(chosen(classifier, plan.model(number)) == used for number in range(plan.n_folds))


@pytest.mark.parametrize("classifier", CHOOSING)
def test_they_are_chosen_on_the_whole_training_part(classifier):
    data, settings = load_dataset("tictactoe"), ScoringSettings("x wins", classifier, training_share=0.2)
    plan = ScoringPlan(data, settings)
    state = plan.model(0)[-1].random_state
    rows, labels = plan.training_rows, data.binary_labels("x wins")[plan.training_rows]
    alone = make_classifier(classifier, data.nominal, len(rows) - len(rows) // plan.n_folds - 1, state)
    alone.fit(data.features.iloc[rows], labels)
    assert chosen(classifier, plan.model(0)) == chosen(classifier, alone)
    pool = data.features.iloc[plan.pool_rows]
    assert positive_scores(plan.model(plan.n_folds), pool) == pytest.approx(positive_scores(alone, pool))


def test_out_of_fold_scores_by_hand():
    data, settings = load_dataset("iris"), ScoringSettings("virginica", "PWK")
    plan = ScoringPlan(data, settings)
    features = data.features.iloc[plan.training_rows].to_numpy()
    labels = data.binary_labels("virginica")[plan.training_rows]
    deployed = plan.model(plan.n_folds)[-1]
    states = np.random.default_rng(0).integers(2**31 - 1, size=3)
    expected = np.empty(len(labels))
    for inside, held in StratifiedKFold(10, shuffle=True, random_state=int(states[1])).split(labels, labels):
        mean, sd = features[inside].mean(axis=0), features[inside].std(axis=0)
        model = WeightedNeighbours("proportion", k=deployed.k_).fit((features[inside] - mean) / sd, labels[inside])
        expected[held] = model.predict_proba((features[held] - mean) / sd)[:, 1]
    scores = score_dataset(data, settings)
    assert scores.training_scores == pytest.approx(expected)
    assert scores.rates[0] > 0.95, "with k chosen anew in each fold it was 0.88"


def test_no_larger_k_is_chosen_than_the_folds_can_use():
    plan = ScoringPlan(load_dataset("iris"), ScoringSettings("setosa", "KNN", training_share=0.05))
    assert plan.n_folds == 2
    assert plan.model(plan.n_folds)[-1].k_ <= min(len(plan.part(number)) for number in range(2)) - 1


def test_each_class_has_parameters_of_its_own():
    data = load_dataset("wine")
    labels = np.array([data.classes.index(name) for name in data.labels])
    for key in CHOOSING:
        model = make_classifier(key, data.nominal, 100, 5, n_classes=3)
        fixed = with_chosen_parameters(key, model, data.features, labels)[-1]
        model.fit(data.features, labels)
        assert isinstance(fixed, OneVsRestOwnParameters)
        for one, estimator in zip(model[-1].estimators_, fixed.estimators, strict=True):
            assert CLASSIFIERS[key].fixed(one).get_params() == estimator.get_params()
        encoded = model[0].transform(data.features)
        decide = "predict_proba" if hasattr(fixed, "predict_proba") else "decision_function"
        again = getattr(clone(fixed).fit(encoded, labels), decide)(encoded)
        assert again == pytest.approx(np.stack([
            values[:, 1] if values.ndim == 2 else values
            for values in (getattr(one, decide)(encoded) for one in model[-1].estimators_)
        ], axis=1))  # fmt: skip
        assert score_dataset(data, ScoringSettings(None, key)).pool_scores.shape == (89, 3)


def test_other_rate_estimations_keep_the_parameters_that_were_chosen(monkeypatch):
    chosen = []
    choose = training_part.with_chosen_parameters
    monkeypatch.setattr(training_part, "with_chosen_parameters", lambda *args: chosen.append(args[0]) or choose(*args))
    estimated_rates(ScoringPlan(load_dataset("iris"), ScoringSettings("setosa", "PWK-alpha")), "PWK-alpha", n_repeats=2, seed=0)
    anew = sum(key == "PWK-alpha" for key in chosen)
    assert anew == 1, "the model of the whole training part chooses; all others take what it has chosen"
