"""Slips of the sources that are not repeated: each is said where the thing is shown, in its docstring and in the references."""

import numpy as np
import pytest
from scipy.stats import norm

from pages.classifier.findings import pairs_sentence
from pages.frame.texts import loss_text, texts_of
from qcore import LOSSES
from qcore.evaluation.significance import bonferroni_dunn_distance
from qcore.losses import loss as formulas
from qcore.measures.classification import pairwise_auc
from qcore.quantifiers import adjustment
from qcore.quantifiers.adjustment import adjust
from tests.browser.server import ROOT
from tests.pages.app import fine, run

LIST = (ROOT / "docs" / "references.md").read_text().partition("## Slips of the sources")[2]
PAIRS = np.array([[np.nan, 0.9], [0.9, np.nan]])

SAID = {
    "AE and RAE exchanged": ("Marufo 2023, 4.3", "exchanges AE and RAE", [
        loss_text(LOSSES["RAE"]), texts_of("losses")["choice, why"],
        formulas.absolute_error.__doc__, formulas.relative_absolute_error.__doc__,
    ]),
    "the range of NKLD": ("Marufo 2023, 4.2.8", "stays below 1", [
        loss_text(LOSSES["NKLD"]), formulas.normalised_kullback_leibler_divergence.__doc__,
    ]),
    "the factor of the AUC": ("lides on model evaluation", "half of", [
        pairs_sentence(PAIRS, ("a", "b")), pairwise_auc.__doc__,
    ]),
    "Figure 3.3": ("Barranquero 2013, Figure 3.3", "0.17", [texts_of("corrections")["scaling"], adjustment.__doc__]),
    "Table 4.2b": ("Table 4.2b", "2.734", [texts_of("compare")["control"], bonferroni_dunn_distance.__doc__]),
}  # fmt: skip
"""Slip -> the source's place, what is said instead, and the texts that must say both."""


@pytest.mark.parametrize("slip", SAID)
def test_each_slip_is_said(slip):
    place, instead, texts = SAID[slip]
    for text in texts:
        assert place in text, text
        assert instead in " ".join(text.split()), text


@pytest.mark.parametrize("words", ["AE and RAE exchanged", "range of NKLD", "Hand and Till 2001", "= 0.17", "2.734"])
def test_the_references_list_them(words):
    assert words in " ".join(LIST.split())


def test_what_is_said_instead_is_so():
    ae, rae = (LOSSES[key].binary([0.02, 0.5], [0.03, 0.51], sample_size=10**6) for key in ("AE", "RAE"))
    assert ae[0] == pytest.approx(ae[1])
    assert rae[0] > 5 * rae[1]
    assert LOSSES["NKLD"].binary(1.0, 0.0, sample_size=10**9) <= 1
    assert pairwise_auc(np.eye(3), np.arange(3))[0, 1] == 1
    assert adjust(np.array([0.4, 0.8]), 0.9, 0.3).round(2).tolist() == [0.17, 0.83]
    assert round(norm.ppf(1 - 0.05 / 16), 3) == 2.734


def test_pages_show_them_beside_the_picture_and_the_table():
    app = fine(run("corrections", corrections_section="Inside a method", inspected_method="PACC"))
    assert any("it is (0.4 - 0.3) / (0.9 - 0.3) = 0.17" in element.value for element in app.markdown)
    app = fine(run("compare", compare_section="Tests", control="AC"))
    assert any("it is 2.734" in element.value for element in app.markdown)
