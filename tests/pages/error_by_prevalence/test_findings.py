"""Sentences in words: true of the numbers, in each of the cases they can meet."""

import numpy as np
import pandas as pd
import pytest

from pages.error_by_prevalence.hero import findings, out_of_frame
from pages.settings.number_text import digits
from qcore import LOSSES


def overview(level=(), **means):
    return pd.DataFrame(
        {
            "method": list(means),
            "mean": list(means.values()),
            "worst_prevalence": 0.9,
            "worst_mean": [2 * m for m in means.values()],
            "level": [method in level for method in means],
        }
    )


def estimates(bias_below=0.0, bias_above=0.0, crossing=0.5):
    true = np.linspace(0, 1, 21)
    return pd.DataFrame({"method": "CC", "true": true, "mean": true + np.where(true < crossing, bias_below, bias_above)})


def say(table, curve=None, rates=(0.8, 0.1), loss="AE"):
    return findings(table, loss, estimates() if curve is None else curve, rates, 0.37)


def test_best_and_second():
    assert say(overview(AC=0.03, PACC=0.0123))[0] == "**PACC** has the lowest mean AE, 0.012, before **AC** with 0.030."
    assert "0.12, level with **AC**." in say(overview(CC=0.5, PACC=0.1201, AC=0.1202, level=["PACC", "AC"]))[0]
    assert "0.12, just before **AC**." in say(overview(CC=0.5, PACC=0.1201, AC=0.1202, level=["PACC"]))[0]
    assert "0.00014, before **AC** with 0.00018" in say(overview(PACC=0.000139, AC=0.000178), loss="SE")[0]
    assert say(overview(AC=0.03))[0] == "**AC** has a mean AE of 0.030; choose a second quantifier to compare it with."


def test_bias_is_judged_by_its_size():
    assert say(overview(AC=-0.2, PACC=-0.01), loss="bias")[0].startswith("**PACC** has the mean bias nearest to 0, -0.010")


class TestClassifyAndCount:
    """Crossing p* = fpr / (1 - tpr + fpr): 1/3 at tpr 0.8, fpr 0.1."""

    def sentence(self, **of):
        rates = of.pop("rates", (0.8, 0.1))
        return say(overview(CC=0.1, AC=0.05), estimates(crossing=1 / 3, **of), rates)[1]

    def test_as_the_theorem_says(self):
        assert self.sentence(bias_below=0.05, bias_above=-0.1) == (
            "**CC** overestimates up to a prevalence of 30% and underestimates from 35% on. "
            "Its tpr of 80% and fpr of 10% predict that."
        )
        assert self.sentence(bias_above=-0.1).startswith("**CC** underestimates from 35% on. Its tpr")

    def test_one_point_is_a_point(self):
        curve = estimates(0.05, -0.05, crossing=0.02)
        assert "overestimates at a prevalence of 0% and" in say(overview(CC=0.1, AC=0.05), curve, (0.6, 0.02))[1]

    def test_too_small_to_see(self):
        assert "hardly biased" in self.sentence()

    def test_against_the_theorem(self):
        assert "errs in both directions, by -0.050 to 0.10. By its tpr" in self.sentence(bias_below=-0.05, bias_above=0.1)
        early = say(overview(CC=0.1, AC=0.05), estimates(0.05, -0.05, crossing=0.8), (0.8, 0.1))[1]
        assert early.endswith("in training, it would be right at 33%; the rates in the pool differ.")

    def test_perfect_and_useless_classifiers(self):
        assert "hardly biased" in self.sentence(rates=(1.0, 0.0))
        assert "predict no bias: the rates in the pool differ" in self.sentence(bias_above=-0.1, rates=(1.0, 0.0))
        assert "do not tell the classes apart" in self.sentence(rates=(0.3, 0.3))
        reversed_ = self.sentence(rates=(0.2, 0.6))
        assert "the more positives there are, the fewer **CC** counts. Two classes may be swapped" in reversed_

    def test_rates_that_are_nearly_perfect_do_not_read_as_perfect(self):
        said = say(overview(CC=0.1, AC=0.05), estimates(0.01, -0.01), (0.996, 0.004))[1]
        assert "Its tpr of more than 99% and fpr of less than 1% predict that" in said

    def test_only_where_cc_is_shown(self):
        assert len(say(overview(AC=0.1, PACC=0.2))) == 2


def test_worst_point_leaves_the_baseline_aside_but_names_it():
    assert say(overview(BL=0.3, CC=0.1, AC=0.05))[-1] == (
        "**CC** has the worst point: mean AE of 0.20 at a prevalence of 90%. BL, apart, always answers 37% (mean AE up to "
        "0.60)."
    )
    assert say(overview(BL=-0.3), loss="bias")[-1] == ("**BL** always answers 37%: mean bias of -0.60 at a prevalence of 90%.")
    assert say(overview(CC=0.1, AC=0.05))[-1].startswith("**CC** has the worst point")


def test_out_of_frame():
    most = LOSSES["AE"].axis[1]
    table = pd.DataFrame({"method": ["A", "A", "B"], "mean": [0.1, most + 0.1, most]})
    assert out_of_frame({"AE": table, "bias": table.iloc[:1]}) == ["A"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.01234, "0.012"), (0.3149, "0.31"), (12.34, "12.3"), (-0.05, "-0.050"), (0.000139, "0.00014"), (1.234, "1.23"),
        (-0.00009996, "-0.00010"), (0.0, "0"), (-0.0, "0"),
    ],
)  # fmt: skip
def test_digits(value, text):
    assert digits(value) == text
