"""Sentences of "Corrections" and "Classifier": what they say is what the numbers are."""

import numpy as np
import pandas as pd
import pytest

from pages.classifier.findings import calibration_sentences, confusion_sentences, cost_sentences, pairs_sentence, roc_sentences
from pages.corrections.dataset_shift import degradation_sentences, rates_sentence
from pages.corrections.estimated_rates import many_folds_sentence
from pages.corrections.findings import (
    correction_cost_sentences,
    rates_sentences,
    scores_sentences,
    theorem_sentence,
    theorem_sentences,
)
from pages.corrections.method_inspection import objective_sentence, scaling_sentence, sweep_sentence, trajectory_sentence
from pages.corrections.trend import trend_sentences
from pages.settings.number_text import capitalised, counted, digits, listed, percentage, share, threshold_text
from qcore import ArtificialPrevalence, ScoringSettings, load_dataset, score_dataset
from qcore.measures.probability import probability_table
from qcore.measures.roc import SLIDES_CLASSIFIERS, Skew, cost_table, slides_points
from qcore.protocols import PrevalencePath
from qcore.quantifiers.adjustment import unbiased_prevalence
from qcore.quantifiers.inspection import MixtureFit, Objective, Scaling, SweepEstimates, Trajectory
from qcore.scoring.calibration import CALIBRATIONS, calibrate
from qcore.scoring.scores import Scores
from qcore.studies.classifier_evaluation import evaluate_classifier, mean_errors
from qcore.studies.dataset_shift import rates_before_and_after
from qcore.studies.threshold_adjustment import EstimatedRates, adjust_at_thresholds


@pytest.fixture(scope="module")
def adjustment(scored):
    return adjust_at_thresholds(scored, PrevalencePath((0.3,), 80), 0.5, seed=0, n_samples=200)


@pytest.mark.parametrize(
    ("say", "value", "text"),
    [
        (share, 0.0, "0.00"), (share, 1.0, "1.00"), (share, 0.314, "0.31"), (share, 0.0004, "0.00040"),
        (share, 0.9999, "nearly 1"),
        (share, -0.0000000001, "0.00"), (share, -0.3, "-0.30"), (share, 1.4, "1.40"),
        (threshold_text, 0.5, "0.5"), (threshold_text, 0.26597, "0.266"), (threshold_text, 7e-181, "just above 0"),
        (threshold_text, 0.99999, "just below 1"), (threshold_text, 0.0, "0"), (threshold_text, 1.0, "1"),
        (threshold_text, np.inf, "above all scores"), (threshold_text, 0.1234, "0.1234"),
        (percentage, 0.0, "0%"), (percentage, 0.001, "less than 1%"), (percentage, 0.999, "more than 99%"),
        (percentage, 1.0, "100%"),
        (digits, 1e-15, "0"), (digits, np.nan, "undefined"), (digits, 1e7, "1e+07"), (digits, -0.25, "-0.25"),
    ],
)  # fmt: skip
def test_numbers_as_they_deserve(say, value, text):
    assert say(value) == text


def test_words():
    assert listed(["a"]) == "**a**"
    assert listed(["a", "b", "c"]) == "**a**, **b** and **c**"
    assert listed(list("abcdefgh")) == "**a**, **b**, **c**, **d** and 4 more"
    assert counted(1, "step") == "1 step"
    assert counted(1200, "class", "classes") == "1,200 classes"
    assert capitalised("sample size must") == "Sample size must"
    assert capitalised("paper.csv is a PDF.") == "paper.csv is a PDF."


def theorem_of(tpr, fpr):
    return theorem_sentence(tpr, fpr, float(unbiased_prevalence(tpr, fpr)))


class TestCharts:
    def test_a_sentence_for_each_threshold(self, adjustment):
        n = len(adjustment.rates.thresholds)
        assert len(scores_sentences(adjustment.corrections, adjustment.n_positives, 80)) == n
        assert len(rates_sentences(adjustment.corrections, adjustment.points, adjustment.bands)) == n
        assert len(theorem_sentences(adjustment.corrections, 0.3)) == n
        assert len(correction_cost_sentences(adjustment.deviations, 0.3, 200, 0.1)) == n

    def test_scores(self, adjustment):
        index = adjustment.rates.nearest(0.5)
        row = adjustment.corrections.iloc[index]
        sentence = scores_sentences(adjustment.corrections, adjustment.n_positives, 80)[index]
        said = f"takes {int(row.n_positive)} of 80 for positives: counting says **{row['count']:.0%}**, the truth is 30%."
        assert said in sentence

    def test_a_class_that_is_absent_is_said(self, adjustment):
        assert "There is no positive in this sample." in scores_sentences(adjustment.corrections, 0, 80)[5]
        assert "There is no negative in this sample." in scores_sentences(adjustment.corrections, 80, 80)[5]

    def test_rates_name_the_policies_that_stand_here(self, adjustment):
        sentences = rates_sentences(adjustment.corrections, adjustment.points, adjustment.bands)
        for key, point in adjustment.points.items():
            assert f"**{key}**" in sentences[adjustment.rates.nearest(point.threshold)].partition("**.")[2]
        assert "**X**" not in sentences[adjustment.rates.nearest(0.9)]
        assert "Here tpr = fpr" in sentences[adjustment.rates.nearest(0.0)]
        for i, row in enumerate(adjustment.corrections.itertuples()):
            inside = any(low < row.threshold <= high for low, high in adjustment.bands)
            assert ("Median Sweep uses" in sentences[i]) == inside
            assert not inside or row.gap >= 0.25 - 1e-12

    def test_theorem(self):
        assert "right only at p* = **50%**" in theorem_of(0.8, 0.2)
        assert theorem_of(0.8, 0.0).endswith("p* = **0%**: everywhere else it says too little.")
        assert theorem_of(1.0, 0.2).endswith("p* = **100%**: everywhere else it says too much.")
        assert "right at every prevalence" in theorem_of(1.0, 0.0)
        assert "Here tpr = fpr: the count is 0.300 on average" in theorem_of(0.3, 0.3)
        assert "the count falls as the truth rises" in theorem_of(0.2, 0.6)

    def test_the_correction_in_numbers(self, adjustment):
        index = adjustment.rates.nearest(0.5)
        row = adjustment.corrections.iloc[index]
        assert f"= **{row.raw:.0%}**." in theorem_sentences(adjustment.corrections, 0.3)[index]
        clipped = adjustment.corrections[(adjustment.corrections.raw > 1) | (adjustment.corrections.raw < 0)]
        if len(clipped):
            i = clipped.index[0]
            assert f"clipped to **{clipped.estimate[i]:.0%}**." in theorem_sentences(adjustment.corrections, 0.3)[i]
        assert "this count is not corrected" in theorem_sentences(adjustment.corrections, 0.3)[adjustment.rates.nearest(0.0)]

    def test_clipping_is_said(self):
        table = pd.DataFrame({"threshold": [0.5], "tpr": [0.6], "fpr": [0.5], "gap": [0.1], "n_positive": [7], "count": [0.7],
                              "raw": [2.0], "estimate": [1.0], "p_star": [0.55]})  # fmt: skip
        assert theorem_sentences(table, 0.4)[0].endswith("(0.700 - 0.500) / 0.100 = 200%, clipped to **100%**.")

    def test_costs(self, adjustment):
        sentences = correction_cost_sentences(adjustment.deviations, 0.3, 200, 0.1)
        index = adjustment.rates.nearest(0.5)
        row = adjustment.deviations.iloc[index]
        assert f"= **{row.inflation:.2f}**" in sentences[index]
        assert "Over 200 samples" in sentences[index]
        assert f"is {0.3 + row.bias:.1%} where the truth is 30.0%" in sentences[index]
        assert "would divide by 0" in sentences[adjustment.rates.nearest(0.0)]
        assert "Each sample takes 50% of the pool" in correction_cost_sentences(adjustment.deviations, 0.3, 200, 0.5)[index]

    def test_a_table_says_just_what_it_holds(self):
        table = pd.DataFrame({"threshold": [0.5], "inflation": [2.0], "measured": [1e-17], "clipped_deviation": [0.0],
                              "bias": [0.001], "unclipped_bias": [0.001],
                              "clipped": [0.001], "sampling": [0.0], "total": [0.02]})  # fmt: skip
        (text,) = correction_cost_sentences(table, 0.3, 1000, 0.1)
        assert "scatters by 0 (delta method 0; with rates measured anew 0.020)" in text
        assert "Less than 1% of the estimates were clipped to 0% or 100%; after that, estimates scatter by " in text
        assert "mean" not in text.replace("measured", "")

    @pytest.mark.parametrize(
        ("unclipped", "measured", "said", "unsaid"),
        [
            (0.001, 0.05, "are clipped", "differ"), (0.05, 0.05, "differ from training's.", "are clipped"),
            (0.03, 0.05, "differ from training's. Estimates beyond 0% or 100% are clipped", "nothing"),
            (0.03, 0.9, "are clipped", "differ"), (0.049, 2.0, "That is no more than chance.", "are clipped"),
            (0.2, 0.05, "differ from training's.", "are clipped"), (-0.03, 0.05, "are clipped", "differ"),
        ],
    )  # fmt: skip
    def test_a_mean_that_is_off_has_its_cause(self, unclipped, measured, said, unsaid):
        row = {
            "threshold": 0.5, "inflation": 2.0, "measured": measured, "bias": 0.05, "clipped": 0.4, "clipped_deviation": 0.04,
            "unclipped_bias": unclipped, "sampling": 0.1, "total": 0.1,
        }  # fmt: skip
        table = pd.DataFrame([row])
        (text,) = correction_cost_sentences(table, 0.0, 1000, 0.1)
        assert "The mean after clipping is 5.0% where the truth is 0.0%" in text
        assert "40% of the estimates were clipped to 0% or 100%; after that, estimates scatter by 0.04" in text
        assert said in text
        assert unsaid not in text

    def test_at_a_prevalence_of_0_clipping_alone_moves_the_mean(self):
        scores = score_dataset(load_dataset("waveform"), ScoringSettings("0"))
        result = adjust_at_thresholds(scores, PrevalencePath((0.0,), 100), 0.5, seed=0)
        row = result.deviations.iloc[result.rates.nearest(0.5)]
        assert row.bias > 0.015 > 0.01 > abs(row.unclipped_bias)

    def test_policies_that_find_no_threshold_are_named(self):
        scores = Scores(
            np.array([0.2, 0.3, 0.8, 0.9]), np.array([1, 1, 0, 0]), np.array([0.1, 0.4, 0.7, 0.9]), np.array([0, 1, 0, 1])
        )
        result = adjust_at_thresholds(scores, PrevalencePath((0.5,), 2), 0.5, seed=0, n_samples=3)
        assert list(result.points) == ["AC", "FM"]
        text = rates_sentences(result.corrections, result.points, result.bands)
        assert "No threshold has tpr > fpr, so that **X**, **Max** and **T50** count at 0.5 without correcting." in text[0]
        assert "Two classes may be swapped, or the scores belong to the other class." in text[0]


class TestMethodInspection:
    def test_sweep(self):
        text = sweep_sentence(SweepEstimates(np.array([0.1, 0.2, 0.3]), np.array([0.2, 0.5, 0.4]), 0.4), 0.3, "MS")
        assert text.startswith("The estimates at the 3 thresholds range from 20% to 50%; their median, **40%**, is the answer.")
        assert "Only one threshold" in sweep_sentence(SweepEstimates(np.array([0.1]), np.array([0.2]), 0.2), 0.3, "MS")

    def test_objective(self):
        weights = np.linspace(0, 1, 3)
        several = Objective(
            weights, np.ones((2, 3)), (2, 4), np.array([0.2, 0.4]), 0.3, MixtureFit("histogram", pd.DataFrame())
        )
        assert "2 numbers of bins, from 2 to 4" in objective_sentence(several, 0.5, "DyS-TS")
        assert "weights from 20% to 40%; the median, **30%**, is what DyS-TS answers" in objective_sentence(
            several, 0.5, "DyS-TS"
        )
        one = Objective(weights, np.ones((1, 3)), (), np.array([0.2]), 0.2, MixtureFit("distribution function", pd.DataFrame()))
        assert "smallest at **20%**" in objective_sentence(one, 0.5, "SORD")
        of_one = Objective(weights, np.ones((1, 3)), (100,), np.array([0.2]), 0.2, MixtureFit("histogram", pd.DataFrame()))
        assert objective_sentence(of_one, 0.5, "MM") == "With 100 bins the distance is smallest at **20%**. The truth is 50%."

    def test_trajectory(self):
        steps = np.array([0.5, 0.3, 0.205, 0.2])
        text = trajectory_sentence(Trajectory(steps, 0.2), 0.1, "EMQ")
        assert "ends at its fixed point **20%**. After 2 steps it is within one percentage point" in text
        assert "3 steps do not reach it" in trajectory_sentence(Trajectory(steps, 0.1), 0.1, "EMQ")
        assert "stops after 3 steps at **20%**" in trajectory_sentence(Trajectory(steps, 0.2, stops=True), 0.1, "EMQ")

    @pytest.mark.parametrize(("value", "clipped"), [(0.803, ", clipped from 100.5%."), (0.8, "**100%**."), (0.199, "-0.2%")])
    def test_scaling_says_what_lies_just_beyond_all_or_none(self, value, clipped):
        inspection = Scaling("count", value, 0.2, 0.8, ("fpr", "tpr"), min(max((value - 0.2) / 0.6, 0.0), 1.0))
        assert clipped in scaling_sentence(inspection, 0.9, "AC")


class TestTrend:
    def test_nearest_furthest_and_counting(self):
        days, true = [1, 2, 3, 4] * 2, [0.1, 0.2, 0.8, 0.9] * 2
        table = pd.DataFrame({"method": ["CC"] * 4 + ["AC"] * 4, "day": days, "true": true,
                              "estimate": [0.2, 0.3, 0.7, 0.8, 0.1, 0.2, 0.8, 0.95]})  # fmt: skip
        text = " ".join(trend_sentences(table))
        assert "**AC** stays nearest to the truth: mean AE (|estimate - truth|) 0.012" in text
        assert "**CC** is furthest off: 0.10" in text
        assert "errs by +0.10 on the days with fewer positives and by -0.10" in text
        assert len(trend_sentences(table[table.method == "AC"])) == 1
        right = " ".join(trend_sentences(table.assign(estimate=table.true - 0.001)))
        assert "errs by +0.00 on the days with fewer positives and by +0.00" in right, "a zero without a minus sign"


class TestDatasetShift:
    @pytest.mark.parametrize(("times", "part"), [(1, "chance alone can make such a difference"), (50, "wrong numbers")])
    def test_rates(self, times, part):
        training, labels = np.tile([0.2, 0.4, 0.6, 0.8], times), np.tile([0, 1, 0, 1], times)
        pool, pool_labels = np.tile([0.2, 0.6, 0.7, 0.8], times), np.tile([0, 0, 1, 1], times)
        sentence = rates_sentence(rates_before_and_after(*[Scores(training, labels, pool, pool_labels)] * 2), 0.5)
        assert "the tpr was 0.50 and is 1.00; the fpr was 0.50 and is 0.50." in sentence
        assert part in sentence

    @pytest.mark.parametrize(
        ("after", "part"),
        [
            (
                [0.3, 0.02],
                "**AC** degrades: its mean AE grows from 0.020 to 0.30. **CC** errs about as much as before: mean AE "
                "0.020, before 0.020.",
            ),
            ([0.3, 0.2], "**AC** and **CC** degrade; most of all **AC**"),
            ([0.02, 0.02], "No method degrades much"),
        ],
    )
    def test_who_degrades(self, after, part):
        table = pd.DataFrame({"method": ["AC", "CC"] * 2, "strength": [0.0, 0.0, 0.6, 0.6], "AE": [0.02, 0.02, *after]})
        assert part in " ".join(degradation_sentences(table, 0.6))

    def test_the_worst_is_the_one_that_the_table_shows(self):
        # PCC loses most, though less than half of what its error was; AC loses less, and doubles.
        table = pd.DataFrame(
            {"method": ["AC", "PCC", "CC"] * 2, "strength": [0.0] * 3 + [0.6] * 3, "AE": [0.02, 0.12, 0.05, 0.05, 0.17, 0.06]}
        )
        text = " ".join(degradation_sentences(table, 0.6))
        assert "**AC** and **PCC** degrade; most of all **PCC**, whose mean AE grows from 0.12 to 0.17" in text
        assert "**CC** errs about as much as before: mean AE 0.060, before 0.050." in text

    def test_who_errs_less_and_who_errs_somewhat_more_is_said(self):
        errors = {"AC": (0.02, 0.2), "CC": (0.044, 0.031), "EMQ": (0.098, 0.13), "MS": (0.02, 0.021), "X": (0.03, 0.035)}
        table = pd.DataFrame(
            [(method, strength, two[i]) for i, strength in enumerate((0.0, 0.6)) for method, two in errors.items()],
            columns=["method", "strength", "AE"],
        )
        text = " ".join(degradation_sentences(table, 0.6))
        assert "**CC** errs less than before: mean AE 0.031, before 0.044." in text
        assert "**MS** and **X** err about as much as before: mean AE 0.021 to 0.035." in text
        assert "**EMQ** errs somewhat more than before: mean AE 0.13, before 0.098." in text
        alone = degradation_sentences(table[table.method == "AC"], 0.6)
        assert alone == ["**AC** degrades: its mean AE grows from 0.020 to 0.20."], "nobody to be nearer than"

    def test_no_shift(self):
        table = pd.DataFrame({"method": ["AC"], "strength": [0.0], "AE": [0.02]})
        assert degradation_sentences(table, 0.0) == [
            "At strength 0 there is no shift: compare the errors at other strengths with these."
        ]


class TestClassifier:
    def test_costs_of_the_slides(self):
        skew = Skew(100, 2000, 0.005)
        text = " ".join(cost_sentences(cost_table(list(SLIDES_CLASSIFIERS), slides_points(), skew), skew))
        assert "100 / 2000 · 199 = **9.95**" in text
        assert "**classifier 1** is cheapest: 4.50 per instance" in text
        assert "The lowest error, 0.5%, is that of **classifier 2**, which costs 10.0" in text

    @pytest.mark.parametrize(
        "skew", [Skew(1, 0, 0.5), Skew(1, 1, 0.0), Skew(0, 1, 0.5), Skew(1, 1, 1.0), Skew(1, 0, 1.0), Skew(0, 1, 0.0)]
    )
    def test_extreme_costs_have_a_sentence(self, skew):
        text = cost_sentences(cost_table(list(SLIDES_CLASSIFIERS), slides_points(), skew), skew)
        assert text
        assert ("infinite" in text[0]) == (skew.slope == np.inf and skew.cost(0.0, 1.0) > 0.0)
        assert "nan" not in " ".join(text)

    def test_roc_and_confusion(self, scored):
        result = evaluate_classifier(scored, "pool", 0.5)
        index = result.rates.nearest(0.5)
        assert f"AUC **{result.auc:.3f}**" in roc_sentences(result)[index]
        text = confusion_sentences(result, result.measures())
        assert f"{int(result.table.tp[index] + result.table.fp[index]):,} of {len(result.labels):,} instances" in text[index]
        assert "so precision is undefined" in text[-1]

    def test_calibration(self):
        scores = score_dataset(load_dataset("digits"), ScoringSettings("8", "Gaussian naive Bayes"))
        parts = {key: calibrate(scores, key) for key in CALIBRATIONS}
        errors = {key: mean_errors(part, ArtificialPrevalence(11, 50, 20), 0) for key, part in parts.items()}
        table = probability_table({key: (part.pool_scores, part.pool_labels) for key, part in parts.items()})
        text = calibration_sentences(table, errors, 898, by_chance=False)
        ae = {key: result.set_index("method").AE for key, result in errors.items()}
        assert f"**EMQ**'s mean AE is {ae['none']['EMQ']:.2f} uncalibrated; it falls to" in " ".join(text)
        assert "but rises to" in next(sentence for sentence in text if "EMQ" in sentence)
        alone = calibration_sentences(table[table.calibration_method == "none"], {"none": errors["none"]}, 898, by_chance=False)
        assert alone[0] == text[0]
        assert len(alone) == 1, "nothing tried, nothing said"

    def test_pairs(self):
        pairs = np.array([[np.nan, 0.9, 0.8], [0.9, np.nan, 0.7], [0.8, 0.7, np.nan]])
        assert "AUC is **0.800** on average (Hand and Till's measure)" in pairs_sentence(pairs, ("a", "b", "c"))
        assert "Hardest to tell apart: b and c, with 0.700." in pairs_sentence(pairs, ("a", "b", "c"))


def rates_of(**of):
    """Rates by the number of folds: name -> (tpr, fpr, AE); the pool has 0.8 and 0.2."""
    rows = [(name.strip("_").replace("_", " "), 0, 50, tpr, fpr, 0.2, ae) for name, (tpr, fpr, ae) in of.items()]
    table = pd.DataFrame(rows, columns=["estimation", "repeat", "n_scored", "tpr", "fpr", "error", "AE"])
    return EstimatedRates(table, {"tpr": 0.8, "fpr": 0.2, "error": 0.2, "AE": 0.02}, (40, 60), 0.2, 50, 420)


def test_the_thesis_on_many_folds_is_judged_by_the_pool():
    ten = (0.79, 0.2, 0.03)
    wrong = many_folds_sentence(rates_of(**{"_10_folds": ten, "_50_folds": (0.8, 0.2, 0.02)}))
    assert (
        "at most 0 from the pool's, those of 10 folds 0.010. So they are not more biased; AC errs by 0.020 and 0.030." in wrong
    )
    right = many_folds_sentence(rates_of(**{"_10_folds": ten, "_50_folds": ten, "leave-one-out": (0.8, 0.3, 0.2)}))
    assert "they are more biased; AC errs by 0.20 and 0.030." in right
    assert "too few instances" in many_folds_sentence(rates_of(**{"_2_folds": ten}))
