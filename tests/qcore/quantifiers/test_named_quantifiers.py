"""The named pairs: what they pair is what the papers say, and each scores and estimates."""

import numpy as np
import pytest

from qcore import CLASSIFIERS, NAMED_QUANTIFIERS, ScoringSettings, load_dataset, make_quantifiers, score_dataset
from qcore.quantifiers.catalog import NamedQuantifier, named_correction

PAIRS = {
    "KNN": ("KNN", "AC"), "PWK": ("PWK", "AC"), "PWK-alpha": ("PWK-alpha", "AC"), "Q0.5": ("SVM-Q0.5", "CC"),
    "Q1": ("SVM-Q1", "CC"), "Q2": ("SVM-Q2", "CC"), "NAS": ("SVM-NAS", "CC"), "QT": ("quantification forest", "CC"),
}  # fmt: skip


def test_the_pairs_are_those_of_the_papers():
    assert {key: (pair.classifier, pair.quantifier) for key, pair in NAMED_QUANTIFIERS.items()} == PAIRS
    assert {key: named_correction(key) for key in CLASSIFIERS} == dict.fromkeys(CLASSIFIERS, "CC") | dict(PAIRS.values())


@pytest.mark.parametrize("key", NAMED_QUANTIFIERS)
def test_each_pair_counts_the_pool_nearly_right(key):
    pair = NAMED_QUANTIFIERS[key]
    requested = ScoringSettings("malignant", seed=3)
    scores = score_dataset(load_dataset("wdbc"), pair.settings(requested))
    assert pair.settings(requested) == ScoringSettings("malignant", pair.classifier, seed=3)
    fitted = make_quantifiers([pair.quantifier], scores.training_scores, scores.training_labels)[pair.quantifier]
    assert float(fitted.predict(scores.pool_scores)) == pytest.approx(np.mean(scores.pool_labels), abs=0.05)


def test_a_pair_of_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="unregistered keys"):
        NamedQuantifier("SVM-Q9", "CC", key="Q9", idea="", source="")
