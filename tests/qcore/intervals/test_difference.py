"""The difference of two shares: coverage and width as specified, the test without labels, groups, labels inside, planning."""

from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from qcore import Counts, InvalidInput, LabelledSample
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.coverage import simulated_labelled_samples
from qcore.intervals.difference import OTHERS, count_differences, difference, fieller, group_differences, predictions_differ
from qcore.intervals.labelled_sample_difference import labelled_difference, labelled_sample_differences
from qcore.intervals.labelled_sample_intervals import LABELLED_SAMPLE_INTERVALS
from qcore.intervals.labels_needed import labels_for_difference, sample_size_for_difference
from qcore.intervals.weights import effective_size

SETTINGS = {
    (0.8, 0.1, 0.35, 0.40, 1000, 1000, 100, 100): (0.950, 0.126),
    (0.8, 0.1, 0.35, 0.35, 1000, 1000, 100, 100): (0.949, 0.124),
    (0.8, 0.1, 0.1, 0.1, 5000, 4600, 50, 350): (0.952, 0.045),
    (0.8, 0.1, 0.355, 0.401, 5000, 4600, 160, 240): (0.949, 0.057),
    (0.6, 0.3, 0.2, 0.2, 500, 500, 30, 30): (0.969, 1.10),
    (0.9, 0.05, 0.02, 0.05, 2000, 2000, 20, 200): (0.952, 0.045),
    (0.7, 0.2, 0.1, 0.8, 300, 300, 15, 15): (0.986, 0.829),
    (0.95, 0.02, 0.5, 0.5, 50, 50, 500, 500): (0.943, 0.411),
}
"""tpr, fpr, both shares, both sizes, labelled positives and negatives -> coverage and mean width of section 20."""


def simulated(setting, n, rng):
    tpr, fpr, p1, p2, n1, n2, n_pos, n_neg = setting
    tp, fp = rng.binomial(n_pos, tpr, n), rng.binomial(n_neg, fpr, n)
    found = [rng.binomial(size, fpr + share * (tpr - fpr), n) for size, share in ((n1, p1), (n2, p2))]
    return [Counts(one, size, tp, n_pos, fp, n_neg) for one, size in zip(found, (n1, n2), strict=True)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_coverage_and_width_are_those_of_the_specification(setting):
    first, second = simulated(setting, 3000, np.random.default_rng(1))
    _, low, high = fieller(first, second)
    truth, (coverage, width) = setting[3] - setting[2], SETTINGS[setting]
    held = ((low <= truth) & (truth <= high)).mean()
    assert held == pytest.approx(coverage, abs=0.015)
    assert (high - low).mean() == pytest.approx(width, rel=0.04)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 30), st.integers(0, 30), st.floats(0.5, 0.999))
def test_exchanged_samples_exchange_the_sign_and_the_ends_solve_the_equation(x1, x2, tp, fp, level):
    first, second = Counts(x1, 60, tp, 30, fp, 30), Counts(x2, 60, tp, 30, fp, 30)
    one, other = fieller(first, second, level), fieller(second, first, level)
    assert one.low == pytest.approx(-other.high, abs=1e-12)
    assert one.difference == pytest.approx(-other.difference, abs=1e-12)
    assert -1.0 <= one.low <= one.difference <= one.high <= 1.0
    q1, q2, t, f = (x1 + 1) / 62, (x2 + 1) / 62, (tp + 1) / 32, (fp + 1) / 32
    for end in (float(one.low), float(one.high)):
        if -1.0 < end < 1.0:
            variance = q1 * (1 - q1) / 62 + q2 * (1 - q2) / 62 + end**2 * (t * (1 - t) + f * (1 - f)) / 32
            assert abs(q2 - q1 - end * (t - f)) == pytest.approx(norm.ppf(0.5 + level / 2) * variance**0.5, rel=1e-6)


def test_labels_that_do_not_tell_the_classes_apart_tell_nothing():
    first, second = Counts(30, 100, 5, 10, 5, 10), Counts(60, 100, 5, 10, 5, 10)
    assert [float(end) for end in fieller(first, second)[1:]] == [-1.0, 1.0]


def test_samples_of_two_classifiers_are_refused():
    with pytest.raises(InvalidInput, match="true_positives must be the same for both samples"):
        fieller(Counts(30, 100, 8, 10, 1, 10), Counts(30, 100, 7, 10, 1, 10))


def test_whether_anything_changed_needs_no_labels():
    assert predictions_differ(Counts(30, 100, 8, 10, 1, 10), Counts(30, 100, 8, 10, 1, 10)) == 1.0
    assert predictions_differ(Counts(0, 10, 8, 10, 1, 10), Counts(10, 10, 8, 10, 1, 10)) == pytest.approx(2 / 184756)
    assert predictions_differ(Counts(0, 10, 8, 10, 1, 10), Counts(0, 10, 8, 10, 1, 10)) == 1.0
    rng = np.random.default_rng(0)
    pairs = [(Counts(a, 400, 8, 10, 1, 10), Counts(b, 300, 8, 10, 1, 10)) for a, b in rng.binomial([400, 300], 0.3, (2000, 2))]
    rejected = np.mean([predictions_differ(*pair) <= 0.05 for pair in pairs])
    assert rejected == pytest.approx(0.05, abs=0.015)


def scored(n, share, rng):
    truth = rng.random(n) < share
    return np.clip(rng.normal(0.35 + 0.3 * truth, 0.15), 0.0, 1.0), truth.astype(int)


RNG = np.random.default_rng(3)
TRAINING = scored(400, 0.4, RNG)
MONTHS = {name: scored(1500, share, RNG)[0] for name, share in (("May", 0.35), ("June", 0.45), ("July", 0.36))}


class TestGroups:
    scores, labels = TRAINING
    samples = MONTHS

    def test_each_is_compared_with_the_first(self):
        result = difference(self.samples, self.scores, self.labels)
        assert result.table.group.tolist() == ["June", "July"]
        assert result.table.differs.tolist() == [True, False]
        assert result.base["group"] == "May"
        assert result.all_alike < 0.001
        assert result.sentences("The share of refunds")[0].startswith("The share of refunds rose by ")
        assert len(result.sentences()) == 1
        row, of_base = result.table.iloc[0], Counts.from_scores(self.samples["May"], self.scores, self.labels)
        june = Counts.from_scores(self.samples["June"], self.scores, self.labels)
        assert [row.difference, row.low, row.high] == pytest.approx([float(end) for end in fieller(of_base, june)])
        ends = INTERVALS[DEFAULT_INTERVAL].interval(june, 0.95)
        assert [row.share, row.share_low, row.share_high] == pytest.approx([float(june.estimate), *map(float, ends)])

    def test_the_other_way_round_it_fell(self):
        (sentence,) = difference({key: self.samples[key] for key in ("June", "May")}, self.scores, self.labels).sentences()
        assert sentence.startswith("The share fell by ")
        assert sentence.endswith(" from June to May.")

    def test_against_all_others(self):
        result = difference(self.samples, self.scores, self.labels, against=OTHERS)
        assert result.table.group.tolist() == ["May", "June", "July"]
        assert result.base is None
        assert "above that of all others." in " ".join(result.sentences())

    def test_one_group_of_many_that_differs_by_chance_does_not(self):
        """Of 40 groups alike, one or two have a p-value below 5%; adjusted, hardly ever one."""
        rng = np.random.default_rng(11)
        years = [{f"week {i}": scored(300, 0.35, rng)[0] for i in range(40)} for _ in range(100)]
        results = [difference(groups, self.scores, self.labels, against=OTHERS) for groups in years]
        assert sum((result.table.p_value <= 0.05).any() for result in results) > 70
        alike = [result for result in results if not result.table.differs.any()]
        assert 88 <= len(alike) < 100
        assert alike[0].sentences() == ["No group differs clearly from the others together."]
        assert sum(result.all_alike <= 0.05 for result in results) < 12

    @pytest.mark.parametrize("method", ["PACC", "EMQ", "MS"])
    def test_other_quantifiers_by_a_joint_bootstrap(self, method):
        result = difference(self.samples, self.scores, self.labels, method=method)
        row = result.table.iloc[0]
        separate = (row.share_high - row.share_low) + (result.base["share_high"] - result.base["share_low"])
        assert row.low <= row.difference <= row.high
        assert row.high - row.low < 0.85 * separate, "the errors of the labels cancel"
        assert row.difference == pytest.approx(0.10, abs=0.05)
        again = difference(self.samples, self.scores, self.labels, method=method)
        assert again.table.equals(result.table)

    def test_what_it_says_as_json(self):
        found = difference(self.samples, self.scores, self.labels).to_dict("refund")
        assert found["positive"] == "refund"
        assert found["against"] == "May"
        assert [row["group"] for row in found["differences"]] == ["June", "July"]
        assert {"difference", "low", "high", "p_value", "p_adjusted", "differs", "share", "size"} <= found["differences"][
            0
        ].keys()

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"samples": {"May": [0.1, 0.2]}}, "samples must be at least two"),
            ({"against": "Jun"}, "Did you mean June"),
            ({"level": 2}, "level"),
            ({"method": "ACCC"}, "ACCC"),
        ],
    )
    def test_bad_input_is_refused_in_words(self, change, message):
        how = {"samples": self.samples, "scores": self.scores, "labels": self.labels} | change
        with pytest.raises(InvalidInput, match=message):
            difference(**how)


def test_labels_inside_both_samples():
    first = LabelledSample(300, 1000, 50, 40, 45, 5)
    second = LabelledSample(450, 1000, 50, 42, 48, 3)
    moved, low, high = labelled_difference(first, second)
    interval = LABELLED_SAMPLE_INTERVALS["double sampling"].interval
    (p1, low1, high1), (p2, low2, high2) = interval(first, 0.95, True), interval(second, 0.95, True)
    assert moved == pytest.approx(float(p2 - p1))
    assert low == pytest.approx(float(p2 - p1 - np.hypot(p2 - low2, high1 - p1)))
    assert high == pytest.approx(float(p2 - p1 + np.hypot(high2 - p2, p1 - low1)))


@pytest.mark.parametrize(
    ("rates", "share", "by"), [((0.8, 0.1), 0.35, 0.03), ((0.8, 0.1), 0.1, 0.03), ((0.9, 0.2), 0.5, -0.05)]
)
def test_a_change_is_seen_with_the_planned_power(rates, share, by):
    n = sample_size_for_difference(share, by, rates)
    tpr, fpr = rates
    rng = np.random.default_rng(0)
    q1, q2 = (fpr + p * (tpr - fpr) for p in (share, share + by))
    x1, x2 = rng.binomial(n, q1, 20_000), rng.binomial(n, q2, 20_000)
    pooled = (x1 + x2) / (2 * n)
    z = np.abs(x1 - x2) / np.sqrt(2 * n * pooled * (1 - pooled))
    assert (z > norm.ppf(0.975)).mean() == pytest.approx(0.8, abs=0.02)


def test_a_plan_without_a_change_is_refused():
    with pytest.raises(InvalidInput, match="difference must be other than 0"):
        sample_size_for_difference(0.3, 0.0, (0.8, 0.1))
    with pytest.raises(InvalidInput, match="a tpr above an fpr"):
        sample_size_for_difference(0.3, 0.1, (0.1, 0.8))


@pytest.mark.parametrize("own", [True, False])
def test_a_change_is_seen_with_the_planned_labels_of_both_samples(own):
    rates, share, by, size = (0.8, 0.1), 0.35, 0.06, 5000
    n, rng = labels_for_difference(share, by, rates, size, own=own), np.random.default_rng(12)
    (first, own1), (second, own2) = (
        simulated_labelled_samples(p, rates, n, size, repetitions=4000, rng=rng) for p in (share, share + by)
    )
    _, low, high = labelled_difference(first, second, own=own)
    truth = own2 - own1 if own else by
    # Own shares scatter: those that differ by what is planned.
    as_planned = np.abs(truth - by) < 0.004
    seen = ((low > 0) | (high < 0))[as_planned] if own else (low > 0) | (high < 0)
    assert seen.mean() == pytest.approx(0.8, abs=0.025)
    assert ((low <= truth) & (truth <= high)).mean() == pytest.approx(0.95, abs=0.012)


def test_labels_of_samples_that_are_too_small_are_refused_with_the_way_out():
    assert labels_for_difference(0.35, 0.03, (0.8, 0.1), 20_000, own=False) < 20_000
    with pytest.raises(InvalidInput, match=r"with labels of these samples, got 900 instances each. Draw larger samples, or"):
        labels_for_difference(0.35, 0.03, (0.8, 0.1), 900, own=False)
    assert labels_for_difference(0.35, 0.03, (0.8, 0.1), 900) < 900, "own shares are known once all are labelled"


def test_counts_of_several_months_are_compared_as_their_scores_are():
    scores, labels = TRAINING
    labelled = Counts.from_scores(MONTHS["May"], scores, labels)
    found, sizes = (
        np.array(values) for values in zip(*((int((s >= 0.5).sum()), len(s)) for s in MONTHS.values()), strict=True)
    )
    counts = Counts(found, sizes, labelled.true_positives, labelled.positives, labelled.false_positives, labelled.negatives)
    for against in ("June", OTHERS):
        of_counts, of_scores = (
            count_differences(counts, list(MONTHS), against=against),
            difference(MONTHS, scores, labels, against=against),
        )
        assert of_counts.table.equals(of_scores.table)
        assert of_counts.groups.equals(of_scores.groups)
    with pytest.raises(InvalidInput, match="counts must be of 2 samples"):
        count_differences(counts, ["May", "June"])


WEIGHTS = {name: np.random.default_rng(i).gamma(1.5, 1.0, len(sample)) for i, (name, sample) in enumerate(MONTHS.items())}


class TestWeights:
    @pytest.mark.parametrize("method", ["AC", "PACC"])
    def test_equal_weights_change_nothing_and_others_widen_the_interval(self, method):
        plain = difference(MONTHS, *TRAINING, method=method).table
        equal = {name: np.full(len(sample), 2.0) for name, sample in MONTHS.items()}
        same = difference(MONTHS, *TRAINING, method=method, weights=equal).table
        assert same.difference.to_numpy() == pytest.approx(plain.difference.to_numpy(), abs=1e-9)
        assert same.high.to_numpy() == pytest.approx(plain.high.to_numpy(), abs=0.01)
        weighted = difference(MONTHS, *TRAINING, method=method, weights=WEIGHTS).table
        wider = ((weighted.high - weighted.low) / (plain.high - plain.low)).to_numpy()
        sizes = [effective_size(WEIGHTS[name]) for name in ("May", "June")]
        assert wider[0] == pytest.approx(np.sqrt(1500 * np.mean(1 / np.array(sizes))), rel=0.12)

    @pytest.mark.thorough
    def test_differences_of_weighted_samples_keep_their_coverage(self):
        """Weights that go with the class: the plain share is off, the weighted one is right in 95 of 100 samples."""
        scores, labels = TRAINING
        rng, truth, held, plain = np.random.default_rng(2), 0.1, 0, 0
        for _ in range(400):
            samples, weights = {}, {}
            for name, share in (("a", 0.3), ("b", 0.4)):
                is_positive = rng.random(1200) < share
                # Positives answer half as often in b: each stands for two.
                answers = rng.random(1200) < np.where(is_positive & (name == "b"), 0.5, 1.0)
                samples[name] = np.clip(rng.normal(0.35 + 0.3 * is_positive, 0.15), 0, 1)[answers]
                weights[name] = np.where(is_positive & (name == "b"), 2.0, 1.0)[answers]
            inside = []
            for known in (weights, None):
                (row,) = difference(samples, scores, labels, weights=known).table.itertuples()
                inside.append(row.low <= truth <= row.high)
            held, plain = held + inside[0], plain + inside[1]
        assert held > 0.9 * 400
        assert plain < 0.6 * 400

    def test_a_weight_that_is_none_is_refused(self):
        with pytest.raises(InvalidInput, match="weights must be 0 or more in every row"):
            difference(MONTHS, *TRAINING, weights=WEIGHTS | {"May": -WEIGHTS["May"]})
        with pytest.raises(InvalidInput, match="a sample with weights"):
            difference(MONTHS, *TRAINING, weights={"May": WEIGHTS["May"]})


def of_classes(n, shares, rng):
    truth = rng.choice(3, n, p=shares)
    scores = rng.dirichlet(np.ones(3), n) * 0.5 + 0.5 * np.eye(3)[truth]
    return scores, truth


OF_CLASSES = np.random.default_rng(30)


class TestSeveralClasses:
    training = of_classes(400, [0.3, 0.3, 0.4], OF_CLASSES)
    may, june = (of_classes(1200, shares, OF_CLASSES)[0] for shares in ([0.2, 0.3, 0.5], [0.4, 0.3, 0.3]))
    classes = ("cat", "dog", "fish")

    @pytest.mark.parametrize("method", ["AC", "PACC"])
    def test_each_class_is_compared_and_what_did_not_move_is_not_said(self, method):
        result = difference({"May": self.may, "June": self.june}, *self.training, method=method, classes=self.classes)
        assert result.table.positive.tolist() == list(self.classes)
        assert result.table.differs.tolist() == [True, False, True]
        assert result.table.difference.tolist() == pytest.approx([0.2, 0.0, -0.2], abs=0.05)
        assert result.table.difference.sum() == pytest.approx(0.0, abs=1e-9)
        assert (result.table.low <= result.table.difference).all()
        assert result.sentences()[0].startswith("The share of 'cat' rose by")
        assert result.sentences()[1].startswith("The share of 'fish' fell by")
        assert result.all_alike < 1e-6
        assert len(result.groups) == 6

    def test_groups_of_one_sample_are_the_same(self):
        both, groups = np.concatenate([self.may, self.june]), np.repeat(["1 May", "2 June"], 1200)
        result = group_differences(both, groups, *self.training, method="AC", classes=self.classes)
        other = difference({"May": self.may, "June": self.june}, *self.training, method="AC", classes=self.classes)
        assert result.table.difference.tolist() == other.table.difference.tolist()

    def test_names_of_other_classes_are_refused(self):
        with pytest.raises(InvalidInput, match="classes must name the 3 classes"):
            difference({"May": self.may, "June": self.june}, *self.training, method="AC", classes=("cat", "dog"))


def test_a_bootstrap_of_many_groups_can_see_one_that_differs():
    """Of 1,000 replicates none is beyond 0: adjusted for 60 groups, a p-value of 0.002 would say nothing."""
    rng = np.random.default_rng(31)
    weeks = {f"week {i}": scored(150, 0.9 if i == 7 else 0.3, rng)[0] for i in range(60)}
    result = difference(weeks, *TRAINING, method="PACC", against=OTHERS)
    assert result.table[result.table.differs].group.tolist() == ["week 7"]


class TestGroupsThatAreLabelledInPart:
    v1 = LabelledSample(300, 1000, 60, 50, 140, 9)
    v2 = LabelledSample(450, 1000, 80, 70, 120, 8)
    v3 = LabelledSample(320, 900, 60, 49, 140, 12)
    versions = MappingProxyType({"v1": v1, "v2": v2, "v3": v3})

    def test_each_is_compared_as_two_are(self):
        result = labelled_sample_differences(self.versions)
        assert result.table.group.tolist() == ["v2", "v3"]
        row = result.table.iloc[0]
        assert [row.difference, row.low, row.high] == pytest.approx([*map(float, labelled_difference(self.v1, self.v2))])
        assert result.table.differs.tolist() == [True, False]
        assert result.all_alike < 0.01
        others = labelled_sample_differences(self.versions, against=OTHERS)
        assert others.base is None
        assert len(others.table) == 3

    def test_a_p_value_goes_with_the_interval(self):
        (row,) = labelled_sample_differences({"v1": self.v1, "v3": self.v3}).table.itertuples()
        _, low, _ = labelled_difference(self.v1, self.v3, 1.0 - row.p_value)
        assert 0.001 < row.p_value < 0.5
        assert low == pytest.approx(0.0, abs=1e-6)

    @pytest.mark.thorough
    def test_alike_samples_differ_in_one_of_twenty_pairs(self):
        rng = np.random.default_rng(17)
        drawn, _ = simulated_labelled_samples(0.3, (0.8, 0.1), 150, 1500, repetitions=1600, rng=rng)
        counts = [np.broadcast_to(getattr(drawn, name), 1600) for name in LabelledSample.__dataclass_fields__]
        samples = [LabelledSample(*map(int, row)) for row in zip(*counts, strict=True)]
        pairs = zip(samples[::2], samples[1::2], strict=True)
        results = [labelled_sample_differences({"a": one, "b": other}, own=False) for one, other in pairs]
        assert np.mean([result.table.differs[0] for result in results]) == pytest.approx(0.045, abs=0.02)
        assert np.mean([result.all_alike <= 0.05 for result in results]) == pytest.approx(0.045, abs=0.02)
