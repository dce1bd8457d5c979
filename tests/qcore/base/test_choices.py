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
    load_dataset,
    make_quantification_scorer,
    scores_dataset,
)
from qcore._base.validation import InvalidInput, check_choice


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


def test_no_quantifier_or_loss_goes_by_the_key_or_other_name_of_another():
    for registry in (QUANTIFIERS, LOSSES):
        names = [name for entry in registry.values() for name in {entry.key, *entry.also_called}]
        assert len(names) == len(set(names))
