"""Estimates, losses and the report: shapes, tidy tables, the same numbers block by block."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from qcore import (
    QUANTIFIERS,
    ArtificialPrevalence,
    ScoringSettings,
    SizeGrid,
    UniformPrevalence,
    estimate,
    estimate_sample,
    evaluation_report,
    load_dataset,
    make_quantifiers,
    score_dataset,
)
from qcore._base.stored_pieces import FinishedPieces
from qcore._base.validation import InvalidInput
from qcore.evaluation.estimates import estimates_in_turn, prevalence_losses
from qcore.evaluation.summaries import curves, means_at, overview
from qcore.quantifiers.adjustment import AdjustedCount

PROTOCOL = ArtificialPrevalence(11, 50, 7)


@pytest.fixture(scope="module")
def result(wdbc_scores):
    quantifiers = make_quantifiers(QUANTIFIERS, wdbc_scores.training_scores, wdbc_scores.training_labels)
    return estimate(quantifiers, wdbc_scores, PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0)))


@pytest.mark.parametrize("methods", [[], {}, (key for key in ())])
def test_at_least_one_method_is_named(methods, wdbc_scores):
    training = wdbc_scores.training_scores, wdbc_scores.training_labels
    samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
    for call in (
        lambda: estimate(methods, wdbc_scores, samples),
        lambda: make_quantifiers(methods, *training),
        lambda: estimate_sample(wdbc_scores.pool_scores, *training, methods),
    ):
        with pytest.raises(InvalidInput, match="methods must name at least one quantifier, got none"):
            call()


def test_the_table_is_tidy(result):
    table = result.table()
    assert list(table.columns) == ["method", "size", "repeat", "target", "true", "estimate"]
    assert len(table) == len(QUANTIFIERS) * 77
    row = table[(table.method == "AC") & (table["repeat"] == 3)].iloc[5]
    assert row.target == 0.5
    assert row.estimate == result.by_method["AC"][5 * 7 + 3]


def test_blocks_change_nothing(result, wdbc_scores, monkeypatch):
    monkeypatch.setattr("qcore.protocols.samples._INDICES_TO_KEEP", 0)
    samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
    quantifiers = make_quantifiers(QUANTIFIERS, wdbc_scores.training_scores, wdbc_scores.training_labels)
    again = estimate(quantifiers, wdbc_scores, samples)
    for method, values in result.by_method.items():
        assert (again.by_method[method] == values).all()


def test_progress_is_reported_block_by_block(wdbc_scores, monkeypatch):
    monkeypatch.setattr("qcore.protocols.samples.SAMPLES_PER_BLOCK", 20)
    samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
    shares: list[float] = []
    estimate(["CC"], wdbc_scores, samples, shares.append)
    assert shares == pytest.approx([20 / 77, 40 / 77, 60 / 77, 1.0])


def test_the_report_has_a_column_for_each_loss(wdbc_scores, result):
    report = evaluation_report(wdbc_scores, list(QUANTIFIERS), PROTOCOL, losses=list(prevalence_losses()), seed=0)
    assert len(report) == len(QUANTIFIERS) * 77
    for key, loss in prevalence_losses().items():
        expected = loss.binary(report.true, report.estimate, sample_size=50)
        assert report[key].to_numpy() == pytest.approx(expected)
    assert (report.estimate.to_numpy() == result.table().estimate.to_numpy()).all()


def test_corrections_beat_counting_and_counting_beats_the_baseline(wdbc_scores):
    report = evaluation_report(wdbc_scores, ["BL", "CC", "AC", "PACC"], ArtificialPrevalence(21, 100, 50))
    mean = report.groupby("method").AE.mean()
    assert mean["AC"] < mean["CC"] < mean["BL"]
    assert mean["PACC"] < mean["CC"]


def test_report_errors(wdbc_scores):
    with pytest.raises(InvalidInput, match="'MAE'"):
        evaluation_report(wdbc_scores, ["CC"], PROTOCOL, losses=["MAE"])
    with pytest.raises(InvalidInput, match="at least one quantifier"):
        evaluation_report(wdbc_scores, [], PROTOCOL)
    with pytest.raises(InvalidInput, match="protocol must draw samples of one size"):
        evaluation_report(wdbc_scores, ["CC"], SizeGrid((10, 20), 5, 3))
    samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="285 scores"):
        estimate(["CC"], replace(wdbc_scores, pool_scores=wdbc_scores.pool_scores[:-1]), samples)


class HalfWay:
    """A quantifier of one's own: half of the count, half of the training prevalence."""

    def fit(self, scores, labels):
        self.prevalence_ = labels.mean()
        return self

    def predict(self, scores):
        return ((scores >= 0.5).mean(axis=-1) + self.prevalence_) / 2


class TestOneOfYourOwn:
    """A quantifier that is not registered: any object with fit and predict."""

    def test_beside_registered_ones(self, wdbc_scores):
        mine = HalfWay()
        report = evaluation_report(wdbc_scores, {"counting": "CC", "half way": mine}, PROTOCOL)
        assert not vars(mine), "what is passed unfitted stays unfitted"
        estimates = report.pivot_table("estimate", ["target", "repeat"], "method")
        expected = (estimates["counting"] + wdbc_scores.training_labels.mean()) / 2
        assert estimates["half way"].to_numpy() == pytest.approx(expected.to_numpy())

    def test_fitted_already(self, wdbc_scores):
        mine = HalfWay()
        mine.prevalence_ = 0.9
        samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
        result = estimate({"CC": "CC", "own": mine}, wdbc_scores, samples).by_method
        assert result["own"] == pytest.approx((result["CC"] + 0.9) / 2), "it is not fitted again"

    def test_a_registered_one_fitted_already(self, wdbc_scores):
        samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
        fitted = QUANTIFIERS["AC"].make().fit([0.9, 0.6, 0.4, 0.1], [1, 0, 1, 0])
        both = estimate({"here": fitted, "wdbc": "AC"}, wdbc_scores, samples).by_method
        assert (both["here"] != both["wdbc"]).any()

    def test_more_than_two_classes(self):
        class Uniform:
            def fit(self, scores, labels):
                self.n_classes_ = scores.shape[1]
                return self

            def predict(self, scores):
                return np.full((*scores.shape[:-2], self.n_classes_), 1 / self.n_classes_)

        scores = score_dataset(load_dataset("iris"), ScoringSettings(None))
        report = evaluation_report(scores, {"CC": "CC", "uniform": Uniform()}, UniformPrevalence(10, 20))
        assert report[report.method == "uniform"].estimate_2.to_numpy() == pytest.approx(np.full(10, 1 / 3))

    def test_what_is_none_is_refused(self, wdbc_scores):
        for bad in (3, HalfWay):
            with pytest.raises(InvalidInput, match="the quantifier 'mine' must be an object with the methods fit and predict"):
                evaluation_report(wdbc_scores, {"mine": bad}, PROTOCOL)

    def test_estimates_of_another_shape_are_refused(self, wdbc_scores):
        class Mean(HalfWay):
            def predict(self, scores):
                return scores.mean()

        class Masked(HalfWay):
            def predict(self, scores):
                return np.ma.masked_less(np.full(len(scores), 0.5) * (np.arange(len(scores)) > 2), 0.25)

        with pytest.raises(
            InvalidInput, match="predict of 'masked' must return estimates without masked values, got 3 of them"
        ):
            evaluation_report(wdbc_scores, {"masked": Masked()}, PROTOCOL)
        with pytest.raises(InvalidInput, match=r"predict of 'mean' must return estimates of shape \(77,\) for 77 samples"):
            evaluation_report(wdbc_scores, {"mean": Mean()}, PROTOCOL)

    def test_it_is_fitted_once(self, wdbc_scores):
        fits = []

        class Counting(HalfWay):
            __slots__ = ()

            def fit(self, scores, labels):
                fits.append(len(scores))
                super().fit(scores, labels)

        evaluation_report(wdbc_scores, {"counting": Counting()}, PROTOCOL)
        assert fits == [284]

    def test_an_entry_of_the_registry_is_what_it_is_whatever_its_name(self, wdbc_scores):
        samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
        by_method = estimate({"AC": QUANTIFIERS["CC"], "CC": "CC"}, wdbc_scores, samples).by_method
        assert (by_method["AC"] == by_method["CC"]).all()


class TestSummaries:
    def test_means_between_two_prevalences(self, result):
        table = curves(result.by_method, result.samples)
        low, middle, high = (means_at(table, p)["CC"] for p in (0.4, 0.44, 0.5))
        assert middle == pytest.approx(0.6 * low + 0.4 * high)

    def test_curves(self, result):
        table = curves(result.by_method, result.samples)
        assert len(table) == len(QUANTIFIERS) * 11
        row = table[(table.method == "CC") & (table.true == 0.5)].iloc[0]
        values = result.by_method["CC"][35:42]
        assert row["mean"] == pytest.approx(values.mean())
        assert (row.p10, row.p90) == pytest.approx(tuple(np.quantile(values, [0.1, 0.9])))
        expected = ttest_1samp(values, 0.0).confidence_interval(0.95)
        assert (row.mean_low, row.mean_high, row.n) == pytest.approx((expected.low, expected.high, 7))

    def test_targets_that_round_to_one_prevalence_are_one_point(self, wdbc_scores):
        samples = ArtificialPrevalence(21, 10, 4).draw(wdbc_scores.pool_labels, np.random.default_rng(0))
        quantifiers = make_quantifiers(["CC"], wdbc_scores.training_scores, wdbc_scores.training_labels)
        values = estimate(quantifiers, wdbc_scores, samples).by_method
        table = curves(values, samples)
        assert table.true.tolist() == [k / 10 for k in range(11)]
        for row in table.itertuples():
            members = values["CC"][samples.prevalences == row.true]
            assert row.mean == pytest.approx(members.mean())
            assert (row.p10, row.p90) == pytest.approx(tuple(np.quantile(members, [0.1, 0.9])))
            assert row.n == len(members)

    def test_overview(self, result):
        losses = result.losses("AE")
        table = overview(losses).set_index("method")
        values = losses.by_method["T50"]
        assert table.loc["T50", "mean"] == pytest.approx(values.mean())
        assert table.loc["T50", "median"] == pytest.approx(np.median(values))
        assert table.loc["T50", "p90"] == pytest.approx(np.quantile(values, 0.9))
        by_prevalence = values.reshape(11, 7).mean(axis=1)
        assert table.loc["T50", "worst_prevalence"] == pytest.approx(by_prevalence.argmax() / 10)
        assert table.loc["T50", "worst_mean"] == pytest.approx(by_prevalence.max())
        assert table.mean_rank.mean() == pytest.approx((len(QUANTIFIERS) + 1) / 2)

    def test_the_worst_prevalence_is_the_samples_own(self, wdbc_scores):
        samples = ArtificialPrevalence(21, 10, 5).draw(wdbc_scores.pool_labels, np.random.default_rng(0))
        quantifiers = make_quantifiers(["BL"], wdbc_scores.training_scores, wdbc_scores.training_labels)
        table = overview(estimate(quantifiers, wdbc_scores, samples).losses("AE"))
        assert table.worst_prevalence[0] in {k / 10 for k in range(11)}

    def test_level_with_the_best_is_within_two_standard_errors_of_the_differences(self, result):
        losses = result.losses("AE")
        best = losses.by_method["MS"]
        # Noise among the repeats at each of eleven prevalences; what differs between prevalences is no chance.
        noise = np.random.default_rng(0).normal(size=(11, 7))
        noise = ((noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)).ravel()
        between = np.repeat(np.linspace(-1.0, 1.0, 11), 7)
        standard_error = 1.0 / np.sqrt(len(best))
        values = {
            "best": best,
            "near": best + between + noise + 1.9 * standard_error,
            "far": best + between + noise + 2.1 * standard_error,
        }
        table = overview(type(losses)("AE", losses.estimates, values)).set_index("method")
        assert table.level.to_dict() == {"best": True, "near": True, "far": False}

    def test_equal_methods_share_a_rank_and_a_signed_loss_ranks_by_magnitude(self, result):
        twins = result.losses("bias")
        values = {"CC": twins.by_method["CC"], "AC": -twins.by_method["CC"]}
        table = overview(type(twins)("bias", twins.estimates, values), signed=True)
        assert table.mean_rank.tolist() == [1.5, 1.5]
        assert table.worst_mean[0] == pytest.approx(-table.worst_mean[1])


class TestEstimatesInTurn:
    def wanted(self, scores):
        return [
            (samples, ["CC", "AC"])
            for samples in SizeGrid((10, 20, 30), 5, 3).draw(scores.pool_labels, np.random.default_rng(17))
        ]

    def test_they_are_those_of_each_by_itself(self, wdbc_scores):
        answers = estimates_in_turn(wdbc_scores, self.wanted(wdbc_scores))
        for (samples, methods), by_method in zip(self.wanted(wdbc_scores), answers, strict=True):
            alone = estimate(methods, wdbc_scores, samples).by_method
            for method in methods:
                np.testing.assert_array_equal(by_method[method], alone[method])
                assert not by_method[method].flags.writeable

    def test_work_that_is_stopped_goes_on_where_it_ended(self, wdbc_scores, monkeypatch):
        done, finished = [], FinishedPieces()
        estimates = import_module("qcore.evaluation.estimates")
        original = estimates.estimate

        class Stop(BaseException):
            pass

        def stopping(methods, scores, samples, tell):
            if len(done) == 2:
                raise Stop
            done.append(samples.sample_size)
            return original(methods, scores, samples, tell)

        monkeypatch.setattr(estimates, "estimate", stopping)
        with pytest.raises(Stop):
            estimates_in_turn(wdbc_scores, self.wanted(wdbc_scores), finished=finished)
        assert done == [10, 20]
        monkeypatch.setattr(estimates, "estimate", lambda *rest: done.append(rest[2].sample_size) or original(*rest))
        answers = estimates_in_turn(wdbc_scores, self.wanted(wdbc_scores), finished=finished)
        assert done == [10, 20, 30]
        assert len(answers) == 3

    def test_progress_counts_all_samples(self, wdbc_scores):
        told = []
        estimates_in_turn(wdbc_scores, self.wanted(wdbc_scores), on_progress=lambda share, now: told.append((share, now)))
        assert [share for share, _ in told] == pytest.approx([1 / 3, 2 / 3, 1.0])
        assert told[0][1] == "Estimating: 33% of 45 samples done, now those of 10"


class Shifting:
    """A quantifier that changes what it is given."""

    def fit(self, _scores, _labels):
        return self

    def predict(self, scores):
        scores -= scores.min(axis=-1, keepdims=True)
        return scores.mean(axis=-1)


class Missing(Shifting):
    """A quantifier that answers with NaN."""

    def predict(self, scores):
        return np.full(np.shape(scores)[:-1], np.nan)


@pytest.mark.parametrize(
    ("methods", "error", "words"),
    [
        ({"mine": Shifting()}, ValueError, "read-only"),
        ({"mine": Missing()}, InvalidInput, "predict of 'mine' must return shares"),
        ([Shifting()], InvalidInput, "Give a quantifier of your own a name"),
        (None, InvalidInput, "methods must be a list"),
        ({"mine": AdjustedCount(rates=(0.9,))}, InvalidInput, "a pair"),
    ],
)
def test_a_quantifier_changes_nothing_for_others_and_answers_with_shares(wdbc_scores, methods, error, words):
    with pytest.raises(error, match=words):
        evaluation_report(wdbc_scores, methods, ArtificialPrevalence(3, 10, 2))


@pytest.mark.parametrize("more", [{"seed": None}, {"seed": 1.5}, {"protocol": ArtificialPrevalence}])
def test_a_seed_and_a_protocol_are_asked_for(wdbc_scores, more):
    with pytest.raises(InvalidInput):
        evaluation_report(wdbc_scores, ["CC"], **{"protocol": ArtificialPrevalence(3, 10, 2), **more})
