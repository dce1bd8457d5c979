"""A choice that is not there: the error names what was probably meant."""

import numpy as np
import pandas as pd
import pytest

from qcore import (
    CLASSIFIERS,
    LOSSES,
    QUANTIFIERS,
    ParametricMeasure,
    ScoringSettings,
    evaluation_report,
    load_dataset,
    make_quantification_scorer,
    score_dataset,
    scores_dataset,
)
from qcore._base.validation import InvalidInput, check_choice
from qcore.evaluation.estimates import prevalence_losses


@pytest.mark.parametrize(
    ("written", "choices", "meant"),
    [
        ("ACC", QUANTIFIERS, "AC"),
        ("SLD", QUANTIFIERS, "EMQ"),
        ("ms", QUANTIFIERS, "MS"),
        ("median sweep", QUANTIFIERS, "MS"),
        ("KDEyML", QUANTIFIERS, "KDEy-ML"),
        ("MAE", LOSSES, "AE"),
        ("Absolute eror", LOSSES, "AE"),
        ("Logistic Regresion", CLASSIFIERS, "logistic regression"),
        ("temprature", ["temperature", "sigmoid"], "temperature"),
        ("logistic", CLASSIFIERS, "logistic regression"),
        ("iri", ["iris", "wine"], "iris"),
        ("irsi", ["iris", "wine"], "iris"),
    ],
)
def test_a_name_that_goes_elsewhere_or_is_misspelt_is_known(written, choices, meant):
    with pytest.raises(InvalidInput, match=f"Did you mean {meant}\\?"):
        check_choice("name", written, choices)


@pytest.mark.parametrize("written", ["dys", "CCC", "", "?", "DyS-TX", 3, None])
def test_what_may_be_several_or_none_is_not_guessed(written):
    with pytest.raises(InvalidInput) as caught:
        check_choice("quantifier", written, QUANTIFIERS)
    assert "Did you mean" not in str(caught.value)
    assert "Choose one of: BL, CC, AC" in str(caught.value)


@pytest.mark.parametrize("value", [np.array(["AC", "CC"]), np.array(["AC"]), np.array("AC"), pd.DataFrame({"AC": [1]}), ["AC"]])
def test_what_holds_a_word_is_no_word(value):
    with pytest.raises(InvalidInput, match="Unknown quantifier"):
        check_choice("quantifier", value, QUANTIFIERS)
    for asked in (
        lambda: ScoringSettings("setosa", value),
        lambda: ParametricMeasure(value),
        lambda: make_quantification_scorer(value),
        lambda: load_dataset("iris").binary_labels(value),
        lambda: scores_dataset(pd.DataFrame({"y": ["a", "b"], "score": [0.1, 0.9]}), value, "score"),
    ):
        with pytest.raises(InvalidInput):
            asked()


@pytest.mark.parametrize(
    ("written", "ours"),
    [("mae", "AE"), ("mkld", "KLD"), ("mnrae", "NRAE"), ("nmd", "NMD"), ("mean_relative_absolute_error", "RAE"), ("sae", None)],
)
def test_quapys_losses_are_answered_with_ours(written, ours):
    with pytest.raises(InvalidInput) as caught:
        check_choice("loss", written, prevalence_losses())
    assert (f"Did you mean {ours}?" in str(caught.value)) == (ours is not None)


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("APP", "Write ArtificialPrevalence(grid=21, sample_size=100, repeats=100)."),
        ("UPP", "Write UniformPrevalence(n_samples=1000, sample_size=100)."),
        ("ArtificialPrevalenceProtocol", "Did you mean APP?"),
        ("USimplexPP", "Did you mean UPP?"),
        ("NaturalPrevalenceProtocol", "Did you mean NPP?"),
    ],
)
def test_quapys_protocols_are_answered_with_ours(written, ours):
    with pytest.raises(InvalidInput) as caught:
        evaluation_report(score_dataset(load_dataset("iris")), ["CC"], written)
    assert ours in str(caught.value)


def test_no_quantifier_or_loss_goes_by_the_key_or_other_name_of_another():
    for registry in (QUANTIFIERS, LOSSES):
        names = [name for entry in registry.values() for name in {entry.key, *entry.also_called}]
        assert len(names) == len(set(names))
