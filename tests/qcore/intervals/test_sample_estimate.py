"""One sample: intervals of every quantifier, whether the mixture fits, and how many labels are needed."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from qcore import QUANTIFIERS, Dataset, InvalidInput, score_sample
from qcore.intervals import (
    Counts,
    all_intervals,
    best_split,
    coverage,
    estimate_sample,
    expected_width,
    goodness_of_fit,
    group_differences,
    mixture_fit,
    simulated_counts,
)
from qcore.intervals.bootstrap import bootstrap, double_bootstrap, percentiles
from qcore.intervals.posterior import posterior
from qcore.measures.probability import calibration_check, reliability
from tests.thorough import mostly_thorough


def scores(rng, n_pos, n_neg, gap=2.0):
    labels = np.repeat([1, 0], [n_pos, n_neg])
    # Where both classes are as many, these are the probabilities of the first.
    return 1.0 / (1.0 + np.exp(-gap * rng.normal(gap * labels - gap / 2, 1.0))), labels


def even_scores(n_pos, n_neg, gap=2.0):
    """Scores as in `scores`, at even quantiles in place of drawn ones."""
    labels = np.repeat([1, 0], [n_pos, n_neg])
    drawn = norm.ppf(np.concatenate([(np.arange(n) + 0.5) / n for n in (n_pos, n_neg)]))
    return 1.0 / (1.0 + np.exp(-gap * (drawn + gap * labels - gap / 2))), labels


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    return (*scores(rng, 125, 125), scores(rng, 60, 140)[0])


class TestEstimateSample:
    @pytest.mark.parametrize("method", QUANTIFIERS)
    def test_every_quantifier_has_an_interval_around_its_estimate(self, problem, method):
        training, labels, sample = problem
        (row,) = estimate_sample(sample, training, labels, [method], seed=1).table.itertuples()
        assert 0.0 <= row.low <= row.high <= 1.0
        if method == "BL":
            assert row.interval == "none: redrawn samples all have the same estimate", "the training prevalence"
        elif method not in ("CC", "PCC"):
            assert row.low - 0.02 <= row.estimate <= row.high + 0.02
            assert row.low <= 0.3 <= row.high

    def test_every_interval_is_wide_where_a_class_was_hardly_labelled(self):
        rng = np.random.default_rng(9)
        training, labels = scores(rng, 2, 60)
        sample = scores(rng, 34, 166)[0]
        few = estimate_sample(sample, training, labels, ["AC", "PACC", "EMQ", "MS"])
        assert few.cautions[0] == (
            "Only 2 labelled positives: tpr is hardly known. Default intervals are widened; others may be too short."
        )
        assert ((few.table.low <= 0.17) & (few.table.high >= 0.17)).all()
        assert few.table.interval.tolist()[1:] == ["double bootstrap, widened"] * 3
        enough = estimate_sample(sample, *scores(rng, 40, 60), ["PACC"])
        assert enough.cautions == []
        assert enough.table.interval.tolist() == ["double bootstrap"]

    @pytest.mark.parametrize("method", ["AC", "PACC", "EMQ", "SORD"])
    def test_no_label_more_makes_an_interval_jump(self, method):
        sample, widths = even_scores(40, 160)[0], []
        for n in (8, 9, 10, 11):
            ((low, high),) = estimate_sample(sample, *even_scores(n, n), [method]).table[["low", "high"]].to_numpy()
            widths.append(high - low)
        assert np.max(np.array(widths)[:-1] / widths[1:]) < 1.25

    def test_ten_labels_of_classes_that_are_well_apart_still_cover(self):
        rng, held = np.random.default_rng(2), []
        for _ in range(30):
            training, labels = scores(rng, 10, 10, gap=3.0)
            n_positive = rng.binomial(100, 0.98)
            sample, _ = scores(rng, n_positive, 100 - n_positive, gap=3.0)
            (row,) = estimate_sample(sample, training, labels, ["PACC"]).table.itertuples()
            held.append(row.low <= 0.98 <= row.high)
        assert np.mean(held) >= 0.9

    @pytest.mark.parametrize("method", mostly_thorough(["DyS-TS", "HDy"], 1))
    def test_bins_that_few_labels_fill_still_cover(self, method):
        # As redrawn, the interval of DyS-TS held the share in a quarter of such samples.
        rng, held = np.random.default_rng(4), []
        for _ in range(12):
            training, labels = scores(rng, 20, 20, gap=1.5)
            n_positive = rng.binomial(100, 0.05)
            sample, _ = scores(rng, n_positive, 100 - n_positive, gap=1.5)
            result = estimate_sample(sample, training, labels, [method])
            (row,) = result.table.itertuples()
            held.append(row.low <= 0.05 <= row.high)
        assert np.mean(held) >= 0.9
        assert any(f"{method} is biased where labels are few, here 20 of a class" in one for one in result.cautions)

    def test_same_seed_same_interval(self, problem):
        training, labels, sample = problem
        one, two, other = (estimate_sample(sample, training, labels, ["PACC"], seed=seed).table for seed in (1, 1, 2))
        assert one.equals(two)
        assert not one.equals(other)

    def test_the_double_bootstrap_of_ac_is_that_of_its_counts(self, problem):
        training, labels, sample = problem
        drawn = double_bootstrap(["AC"], sample, training, labels, rng=np.random.default_rng(0), replicates=2000)["AC"]
        low, high = bootstrap(Counts.from_scores(sample, training, labels))
        expected = [float(low), float(high)]
        assert percentiles(drawn, 0.95, len(sample)).tolist() == pytest.approx(expected, abs=0.02)

    def test_a_class_that_is_not_seen_may_be_there_all_the_same(self):
        none, every = percentiles(np.zeros(100), 0.95, 20), percentiles(np.ones(100), 0.95, 20)
        # Clopper and Pearson: 0 of 20 is 0 to 16.8%.
        assert none.tolist() == pytest.approx([0.0, 0.168], abs=1e-3)
        assert every.tolist() == pytest.approx([0.832, 1.0], abs=1e-3)

    def test_one_instance_and_a_sample_beyond_training_are_answered(self, problem):
        training, labels, _ = problem
        one = estimate_sample([1.0], training, labels)
        assert one.fit is None
        assert one.outside == 1.0
        assert estimate_sample([training.min(), training.max()], training, labels).outside == 0.0
        assert (one.table.high - one.table.low > 0.5).all()
        assert one.table.set_index("method").interval["PACC"] == "none: fewer than 20 instances"

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"sample": [1.2]}, "sample"),
            ({"methods": ["XX"]}, "quantifier"),
            ({"level": 1.0}, "level"),
            ({"sample": []}, "sample"),
        ],
    )
    def test_bad_input_is_one_sentence(self, problem, change, words):
        training, labels, sample = problem
        with pytest.raises(InvalidInput, match=words):
            estimate_sample(**({"sample": sample, "scores": training, "labels": labels} | change))

    def test_too_few_replicates_are_refused(self, problem):
        training, labels, sample = problem
        with pytest.raises(InvalidInput, match="replicates"):
            double_bootstrap(["AC"], sample, training, labels, rng=np.random.default_rng(0), replicates=10)


class TestMixtureFit:
    def p_values(self, shifted, repeats=150):
        rng, result = np.random.default_rng(11), []
        for _ in range(repeats):
            training, labels = scores(rng, 120, 180)
            sample = scores(rng, 20, 180, gap=1.0 if shifted else 2.0)[0]
            result.append(mixture_fit(sample, training, labels, rng=rng, simulations=200).p_value)
        return np.array(result)

    def test_its_p_value_is_uniform_under_prior_shift(self):
        p_values = self.p_values(shifted=False)
        for share in (0.1, 0.25, 0.5, 0.75):
            assert np.mean(p_values <= share) == pytest.approx(share, abs=0.11)

    def test_it_is_small_where_the_classes_have_changed(self):
        assert np.mean(self.p_values(shifted=True, repeats=40) <= 0.05) > 0.8

    @pytest.mark.parametrize("gap", [2.0, 1.2])
    def test_its_p_value_is_that_of_all_simulations(self, gap, monkeypatch):
        rng = np.random.default_rng(4)
        (training, labels), sample = scores(rng, 120, 180), scores(rng, 20, 180, gap=gap)[0]
        one = mixture_fit(sample, training, labels, rng=np.random.default_rng(0))
        monkeypatch.setattr(goodness_of_fit, "_ENOUGH", 10_000)
        many = mixture_fit(sample, training, labels, rng=np.random.default_rng(1), simulations=10_000)
        assert one.p_value == pytest.approx(many.p_value, rel=0.3, abs=0.01)

    def test_there_are_as_many_simulations_as_were_asked_for(self):
        training, labels = scores(np.random.default_rng(4), 120, 180)
        fit = mixture_fit(np.full(200, 0.5), training, labels, rng=np.random.default_rng(0), simulations=250)
        assert fit.p_value == 1 / 251, "no simulated sample is as far away"

    def test_simulations_end_where_the_p_value_is_plain(self, monkeypatch):
        drawn, nearest = [], goodness_of_fit.nearest_mixture

        def counted(sample, *classes):
            drawn.append(len(sample) if sample.ndim == 2 else 0)
            return nearest(sample, *classes)

        monkeypatch.setattr(goodness_of_fit, "nearest_mixture", counted)
        p_values = []
        for seed in range(8):
            rng = np.random.default_rng(seed)
            (training, labels), sample = scores(rng, 120, 180), scores(rng, 60, 140)[0]
            drawn.clear()
            p_value = mixture_fit(sample, training, labels, rng=rng).p_value
            p_values.append(p_value)
            n_farther = round(p_value * (1 + sum(drawn))) - 1
            assert sum(drawn) == 1000 or 100 <= n_farther < 200
        assert max(p_values) > 0.5

    def test_the_weight_is_the_share_of_positives(self):
        rng = np.random.default_rng(2)
        training, labels = scores(rng, 4000, 4000)
        fit = mixture_fit(scores(rng, 1200, 2800)[0], training, labels, rng=rng)
        assert fit.weight == pytest.approx(0.3, abs=0.03)
        assert fit.mixture.sum() == pytest.approx(1.0)
        assert len(fit.edges) + 1 == len(fit.sample) == len(fit.mixture)

    def test_scores_that_are_all_the_same_are_answered(self):
        fit = mixture_fit([0.5] * 30, [0.5] * 20, [1] * 10 + [0] * 10, rng=np.random.default_rng(0))
        assert 0.0 <= fit.weight <= 1.0
        assert fit.p_value == 1.0


class TestLabelsNeeded:
    def test_features_of_few_values_are_no_shift(self):
        """Folds give equal rows slightly different scores, and one model gives them one: no test must see that."""
        p_values = {False: [], True: []}
        for seed in range(12):
            rng = np.random.default_rng(seed)

            def drawn(n, share, rng=rng):
                ill = rng.random(n) < share
                answers = {f"q{k}": np.where(rng.random(n) < np.where(ill, 0.7, 0.3), "yes", "no") for k in range(2)}
                return pd.DataFrame(answers), ill

            (features, ill), (sample, _) = drawn(400, 0.3), drawn(300, 0.6)
            data = Dataset.from_frame(features.assign(label=np.where(ill, "ill", "well")), "label")
            scored = score_sample(data, sample, "ill", "Gaussian naive Bayes", seed=seed)
            assert np.corrcoef(scored.as_training, scored.sample)[0, 1] > 0.99
            for fairly in (False, True):
                as_training = scored.as_training if fairly else None
                p_values[fairly].append(estimate_sample(*scored, ["AC"], as_training=as_training).fit.p_value)
        for found in p_values.values():
            assert np.mean(np.array(found) < 0.05) <= 0.25
            assert np.median(found) > 0.2

    def test_the_width_is_that_of_simulated_intervals(self):
        expected = float(expected_width(0.2, (0.8, 0.1), 100, 150, sample_size=1000))
        counts = simulated_counts(0.2, (0.8, 0.1), (100, 150), 1000, repetitions=2000, rng=np.random.default_rng(0))
        assert expected == pytest.approx(coverage(0.2, counts, ["delta"]).width[0], rel=0.05)

    def test_more_of_anything_makes_it_shorter(self):
        base = (50, 60, 300)
        widths = [
            float(expected_width(0.3, (0.7, 0.2), pos, neg, sample_size=m))
            for pos, neg, m in (base, (500, 60, 300), (50, 600, 300), (50, 60, 3000))
        ]
        assert all(width < widths[0] for width in widths[1:])

    @pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
    def test_the_best_split_is_the_best_of_all(self, level):
        split = best_split(0.6, (0.7, 0.2), 50, 60, sample_size=300, more=30, level=level)
        widths = [float(expected_width(0.6, (0.7, 0.2), 50 + k, 90 - k, sample_size=300, level=level)) for k in range(31)]
        assert split.width == pytest.approx(min(widths))
        assert split.positives + split.negatives == 30

    @pytest.mark.parametrize("rates", [(1.0, 0.1), (0.9, 0.0), (0.9, 0.1)])
    def test_without_labels_of_a_class_nothing_is_known(self, rates):
        assert expected_width(0.1, rates, [0, 50, 0], [50, 0, 0], sample_size=1000).tolist() == [1.0, 1.0, 1.0]
        split = best_split(0.1, rates, 0, 50, sample_size=1000)
        assert split.positives > 0
        assert split.width < 1.0

    @pytest.mark.parametrize("rates", [(0.3, 0.3), (0.2, 0.5), (1.2, 0.1)])
    def test_a_classifier_that_says_nothing_is_refused(self, rates):
        with pytest.raises(InvalidInput):
            expected_width(0.5, rates, 10, 10, sample_size=100)


class TestCalibration:
    @pytest.fixture
    def calibrated(self):
        rng = np.random.default_rng(5)
        scores = rng.beta(0.8, 0.8, 2000)
        return scores, (rng.random(2000) < scores).astype(int)

    def test_methods_that_need_probabilities_are_named_where_the_scores_are_none(self, calibrated):
        training, labels = calibrated
        for power, unreliable in ((1, ()), (4, ("PCC", "EMQ"))):
            result = estimate_sample(training[:200] ** power, training**power, labels, ["PCC", "EMQ", "PACC", "AC"])
            assert result.unreliable == unreliable
            assert result.to_dict("yes")["unreliable"] == list(unreliable)
            assert any("PCC, EMQ need calibrated scores" in text for text in result.cautions) == bool(unreliable)
        # What is said of the methods is so.
        truth, table = labels[:200].mean(), result.table.set_index("method").estimate
        assert abs(table["AC"] - truth) < 0.1
        assert table["PCC"] < truth - 0.1
        assert table["EMQ"] < truth - 0.1

    def test_a_method_of_any_name_is_known_by_its_key(self, calibrated):
        training, labels = calibrated
        methods = {"by EM": "EMQ", "EMQ": QUANTIFIERS["AC"].make()}
        assert estimate_sample(training[:50], training**4, labels, methods).unreliable == ("by EM",)

    def test_with_rare_positives_small_errors_matter(self):
        rng = np.random.default_rng(1)
        scores = rng.beta(0.2, 14.0, 20_000)
        labels = (rng.random(len(scores)) < scores).astype(int)
        assert 0.01 < labels.mean() < 0.02
        assert not calibration_check(scores, labels, rng).rejects
        thrice = 3.0 * scores / (1.0 + 2.0 * scores)
        found = calibration_check(thrice, labels, rng)
        assert found.error < 0.03
        assert found.rejects

    @pytest.mark.parametrize(("shift", "refused"), [(0.02, False), (0.07, True)])
    def test_small_errors_hardly_matter(self, shift, refused):
        rng = np.random.default_rng(2)
        scores = rng.uniform(0.1, 0.9, 5000)
        labels = (rng.random(5000) < scores + shift).astype(int)
        assert calibration_check(scores, labels, rng).rejects == refused

    @pytest.mark.parametrize("labels", [[0.4, 1.0, 0.0], [0, 0, 0], [0, 1, 2]])
    def test_labels_that_are_not_0_and_1_are_refused(self, labels):
        with pytest.raises(InvalidInput, match="labels"):
            calibration_check([0.2, 0.5, 0.7], labels, np.random.default_rng(0))

    def test_of_calibrated_scores_at_most_a_few_in_a_hundred_are_refused(self):
        refused = 0
        for seed in range(100):
            rng = np.random.default_rng(seed)
            scores = rng.random(60)
            labels = (rng.random(60) < scores).astype(int)
            refused += calibration_check(scores, labels, rng).rejects
        assert refused <= 4

    def test_the_error_is_that_of_the_reliability_diagram(self, calibrated):
        scores, labels = calibrated
        table = reliability(scores**2, labels)
        expected = ((table.score - table.share).abs() * table.n).sum() / len(labels)
        assert calibration_check(scores**2, labels, np.random.default_rng(0)).error == pytest.approx(expected)

    def test_the_entries_say_who_needs_probabilities(self):
        assert [key for key, entry in QUANTIFIERS.items() if entry.needs_probabilities] == ["PCC", "EMQ", "EMQ-5"]


def test_it_is_the_quantifier_that_has_the_interval_not_its_name(problem):
    training, labels, sample = problem
    table = estimate_sample(sample, training, labels, {"AC": "EMQ", "mine": "AC"}).table.set_index("method")
    by_key = estimate_sample(sample, training, labels, ["EMQ", "AC"]).table.set_index("method")
    assert table.loc["mine"].equals(by_key.loc["AC"].rename("mine"))
    assert table.loc["AC", "interval"] == "double bootstrap"
    assert table.loc["AC", "estimate"] == by_key.loc["EMQ", "estimate"]


@pytest.mark.parametrize(("n", "named"), [(100, True), (1000, False)])
def test_a_method_that_needs_more_labels_is_named(n, named):
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], n)
    scores = np.clip(rng.normal(0.35 + 0.3 * labels, 0.15), 0.0, 1.0)
    result = estimate_sample(scores[: n + n // 10], scores, labels, ["AC", "HDy"])
    assert [text.startswith("HDy is biased") for text in result.cautions] == [True] * named
    tiny = estimate_sample(scores[n - 5 : n + 5], scores, labels, ["HDy"])
    assert not any("HDy" in text for text in tiny.cautions), "its interval is all of 0 to 1"
    both = estimate_sample(
        np.stack([1 - scores, scores], axis=1)[::5],
        np.stack([1 - scores, scores], axis=1),
        labels,
        ["HDy"],
        classes=("no", "yes"),
    )
    assert any("HDy is biased" in text for text in both.cautions) == named
    assert result.to_dict("yes")["cautions"] == result.cautions


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s, y, t: group_differences(t, ["a", "b"], s, y), "groups must have 200 entries"),
        (lambda s, y, _: Counts.from_scores(np.full(5, np.nan), s, y), "without gaps"),
        (lambda s, y, t: Counts.from_scores(t, s, y, threshold=50), r"threshold must be a number from 0 to 1, got 50"),
        (lambda s, y, t: Counts.from_scores(t, s, y, threshold="half"), "threshold must be a number"),
        (lambda s, y, _: estimate_sample(np.eye(2)[y], np.eye(2)[y], y, classes=2), "classes must name the 2 classes"),
        (lambda s, y, t: mixture_fit(t, s, y + 1, rng=np.random.default_rng(0)), "both 0"),
        (lambda s, y, t: estimate_sample(np.stack([t, t]), s, y), "one sample"),
        (lambda *_: coverage(0.1, Counts(21, 100, 85, 100, 12, 100), ["delta"], 95), "level"),
        (lambda *_: all_intervals(Counts(21, 100, 85, 100, 12, 100), 95), "level"),
        (lambda *_: posterior(Counts(1, 10, 1, 2, 1, 2)).interval(95), "level"),
        (lambda *_: expected_width(0.1, (0.8, 0.1), 50, 100, sample_size=100, level=95), "level"),
        (lambda *_: expected_width(0.1, (0.8, 0.1), -5, 100, sample_size=100), "positives must be 0 or more"),
        (lambda *_: best_split(0.1, (0.8, 0.1), -50, 50, sample_size=1000), "positives must"),
        (lambda *_: Counts([1, 2], [10, 10, 10], 1, 2, 1, 2), "have equal lengths"),
        (lambda *_: Counts([3, -1], [10, 10], 1, 2, 1, 2), "from 0 to sample_size, got -1 of 10"),
        (lambda *_: Counts([50, 11], [100, 10], 1, 2, 1, 2), "got 11 of 10"),
        (lambda *_: Counts(10**19, 10**20, 1, 2, 1, 2), r"2\^53"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(problem, call, words):
    with pytest.raises(InvalidInput, match=words):
        call(*problem)


class TestScoresThatTellNothing:
    def test_no_bootstrap_pretends_to_know_a_share(self):
        rng = np.random.default_rng(0)
        labels = np.repeat([1, 0], 50)
        of_folds = np.tile([0.502, 0.498, 0.5, 0.501, 0.499], 20)
        for training in (np.full(100, 0.5), of_folds):
            table = estimate_sample(rng.choice(training, 300), training, labels, list(QUANTIFIERS)).table.set_index("method")
            drawn = table.drop(index="AC")
            assert (drawn.low == 0.0).all()
            assert (drawn.high == 1.0).all()
            assert set(drawn.interval) == {"none: the scores hardly tell positives from negatives"}
            assert (table.low["AC"], table.high["AC"]) == (0.0, 1.0)

    def test_scores_that_tell_otherwise_than_by_their_order_keep_their_intervals(self):
        labels = np.repeat([1, 1, 0], [30, 30, 60])
        training = np.repeat([0.05, 0.95, 0.5], [30, 30, 60]) + np.random.default_rng(0).normal(0.0, 0.01, 120)
        training = np.clip(training, 0.0, 1.0)
        for one in (training, 1.0 - np.clip(labels * 0.6 + training * 0.2, 0.0, 1.0)):
            table = estimate_sample(one[:80], one, labels, ["HDy", "PACC"]).table
            assert all(kind.startswith("double bootstrap") for kind in table.interval)

    def test_of_all_classes_it_is_said(self):
        labels = np.repeat([0, 1, 2], 30)
        result = estimate_sample(np.full((50, 3), 1 / 3), np.full((90, 3), 1 / 3), labels, ["AC", "EMQ"], classes=tuple("abc"))
        assert (result.table.low == 0.0).all()
        assert (result.table.high == 1.0).all()
        assert "do not tell the classes apart" in result.cautions[0]


def test_columns_of_data_frames_are_matched_by_name():
    labels = np.repeat([0, 1, 2], 60)
    training = pd.DataFrame(
        np.random.default_rng(0).dirichlet(np.ones(3), 180) * 0.4 + 0.6 * np.eye(3)[labels], columns=list("abc")
    )
    sample = training[30:]
    shares = [
        estimate_sample(one, training, labels, ["AC"], classes=("a", "b", "c")).table.estimate.tolist()
        for one in (sample, sample[["c", "a", "b"]])
    ]
    assert shares[0] == shares[1]
    numbered = sample.set_axis([0, 1, 2], axis=1)
    assert estimate_sample(numbered, training, labels, ["AC"], classes=("a", "b", "c")).table.estimate.tolist() == shares[0]
    with pytest.raises(InvalidInput, match="have the columns a, b, c"):
        estimate_sample(sample.rename(columns={"a": "z"}), training, labels, ["AC"], classes=("a", "b", "c"))


class TestWeights:
    """Rows that stand for different numbers, as those of a survey."""

    rng = np.random.default_rng(40)
    labels = np.repeat([1, 0], 300)
    scores = 1.0 / (1.0 + np.exp(-2.0 * rng.normal(2.0 * labels - 1.0)))
    truth = rng.random(800) < 0.4
    sample = 1.0 / (1.0 + np.exp(-2.0 * rng.normal(2.0 * truth - 1.0)))
    weights = np.where(truth, 1.0, 3.0)
    methods = ("AC", "PACC", "EMQ")

    def test_equal_weights_change_nothing(self):
        plain = estimate_sample(self.sample, self.scores, self.labels, self.methods)
        equal = estimate_sample(self.sample, self.scores, self.labels, self.methods, weights=np.full(800, 7.0))
        assert equal.table.estimate.to_numpy() == pytest.approx(plain.table.estimate.to_numpy(), abs=1e-9)
        assert equal.table.low.to_numpy() == pytest.approx(plain.table.low.to_numpy(), abs=0.012)

    def test_every_quantifier_estimates_the_weighted_share(self):
        share = float(np.average(self.truth, weights=self.weights))
        result = estimate_sample(self.sample, self.scores, self.labels, self.methods, weights=self.weights)
        assert result.table.estimate.tolist() == pytest.approx([share] * 3, abs=0.05)
        repeated = np.repeat(self.sample, self.weights.astype(int))
        of_repeated = estimate_sample(repeated, self.scores, self.labels, self.methods)
        assert result.table.estimate.to_numpy() == pytest.approx(of_repeated.table.estimate.to_numpy(), abs=1e-3)
        widths, too_short = (one.table.high - one.table.low for one in (result, of_repeated))
        assert (widths > too_short).all(), "three rows that stand for one say no more than it"
        assert result.counts.count == pytest.approx(np.average(self.sample >= 0.5, weights=self.weights))
        assert float(result.counts.sample_size) == pytest.approx(self.weights.sum() ** 2 / (self.weights**2).sum())
        assert result.to_dict("a")["weighted"] is True

    def test_weights_of_other_rows_are_refused(self):
        with pytest.raises(InvalidInput, match="weights must have 800 entries"):
            estimate_sample(self.sample, self.scores, self.labels, ["AC"], weights=[1.0])
