"""Metafeatures against SciPy, the recommender against what it must learn, its bounds, and that nothing leaks."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kurtosis, skew

from qcore import Dataset, InvalidInput, ScoringPlan, ScoringSettings, SizeGrid, load_dataset, recommend, score_dataset
from qcore._base.stored_pieces import FinishedPieces
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.histogram_matching import DISTANCES, DyS
from qcore.recommender.evaluation import (
    FROM_OTHERS,
    choices_by_size,
    comparison_with_candidates,
    errors_by_size,
    errors_over_data_sets,
    metafeature_importance,
)
from qcore.recommender.metatable import CANDIDATES, METAFEATURES, MetaTable, build_metatable, metafeatures, stack_metatables
from qcore.recommender.mlq import Recommender, apply_recommender, inner_plan, learning_grid

GRID = SizeGrid((10, 20, 40), 11, 5)


@pytest.fixture(scope="module")
def scored():
    return score_dataset(load_dataset("wine"), ScoringSettings("2"))


@pytest.fixture(scope="module")
def result():
    return recommend(load_dataset("wdbc"), grid=GRID)


def described(features, scored, grid=GRID):
    samples = SizeGrid((10, 25), 5, 3).draw(scored.pool_labels, np.random.default_rng(0))
    dys = DyS("PS").fit(scored.training_scores, scored.training_labels)
    return samples, dys, [metafeatures(features, scored.pool_scores, drawn, dys) for drawn in samples]


class TestMetafeatures:
    def features(self, scored) -> np.ndarray:
        rng = np.random.default_rng(1)
        n = len(scored.pool_labels)
        values = rng.gamma(2.0, size=(n, 4)) @ rng.normal(size=(4, 4)) + 3
        nominal = (rng.random(n) < 0.02).astype(float)
        return np.column_stack([values, nominal, np.full(n, 7.0), 1e9 + rng.random(n), 1e-9 * rng.random(n)])

    def test_they_are_scipys(self, scored):
        features = self.features(scored)
        samples, dys, tables = described(features, scored)
        for drawn, table in zip(samples, tables, strict=True):
            index = np.concatenate([block for _, block in drawn.blocks()])
            for row, selected in zip(table, index, strict=True):
                values = features[selected]
                inside = values[:, values.min(axis=0) < values.max(axis=0)]
                expected = {
                    "size": len(selected),
                    "coefficient of variation": (inside.std(axis=0) / np.abs(inside.mean(axis=0))).mean(),
                    "kurtosis": kurtosis(inside).mean(),
                    "skewness": skew(inside).mean(),
                    "correlation": np.abs(np.corrcoef(inside.T))[np.triu_indices(inside.shape[1], 1)].mean(),
                    "DyS distance": float(dys.least_distance(scored.pool_scores[selected])),
                }
                assert dict(zip(METAFEATURES, row, strict=True)) == pytest.approx(expected, rel=1e-5)

    def test_the_distance_is_the_least_one(self, scored):
        dys = DyS("PS").fit(scored.training_scores, scored.training_labels)
        sample = scored.pool_scores[:30]
        weights = np.linspace(0, 1, 2001)
        least = []
        for n_bins in dys.bins_:
            negatives, positives = dys.histograms_[n_bins]
            mixed = np.outer(positives, weights) + np.outer(negatives, 1 - weights)
            shares = Batch(sample[np.newaxis]).histogram(n_bins)[0] / 30
            least.append(DISTANCES["PS"].value(mixed, shares[:, np.newaxis]).min())
        assert dys.least_distance(sample) == pytest.approx(np.median(least), rel=1e-4)
        assert dys.least_distance(np.stack([sample, sample[::-1]])) == pytest.approx(np.repeat(np.median(least), 2), rel=1e-4)

    def test_one_huge_value_drowns_nothing(self, scored):
        values = np.random.default_rng(0).random((len(scored.pool_labels), 2))
        _, _, plain = described(values, scored)
        outlier = values.copy()
        outlier[3, 0] = 1e15
        samples, _, tables = described(outlier, scored)
        for drawn, one, other in zip(samples, plain, tables, strict=True):
            without = ~(np.concatenate([block for _, block in drawn.blocks()]) == 3).any(axis=1)
            assert without.any()
            assert other[without] == pytest.approx(one[without], rel=1e-6)

    def test_a_column_of_0_and_1_and_its_complement_are_described_alike(self, scored):
        column = (np.random.default_rng(0).random((len(scored.pool_labels), 1)) < 0.1).astype(float)
        _, _, rare = described(column, scored)
        _, _, common = described(1 - column, scored)
        for one, other in zip(rare, common, strict=True):
            assert ((one[:, 1] == 0) == (other[:, 1] == 0)).all(), "left out where it is constant, whatever the constant"
            assert other[:, 2] == pytest.approx(one[:, 2])

    def test_scale_and_shift_change_only_the_coefficient_of_variation(self, scored):
        features = self.features(scored)[:, :4]
        _, _, plain = described(features, scored)
        _, _, scaled = described(features * [1e6, 1e-6, -3, 2] + [0, 0, 50, 0], scored)
        kept = [position for position, name in enumerate(METAFEATURES) if name not in ("coefficient of variation", "skewness")]
        for one, other in zip(plain, scaled, strict=True):
            assert other[:, kept] == pytest.approx(one[:, kept])

    @pytest.mark.parametrize("features", [np.empty((89, 0)), np.ones((89, 3))], ids=["none", "constant"])
    def test_nothing_to_describe_is_zero(self, scored, features):
        for table in described(features[: len(scored.pool_labels)], scored)[2]:
            assert (table[:, 1:5] == 0).all()
            assert np.isfinite(table).all()

    def test_an_attribute_around_zero_has_no_coefficient_of_variation(self, scored):
        n = len(scored.pool_labels)
        zero = np.zeros((n, 1))
        zero[::2] = 1.0
        zero[1::2] = -1.0
        samples = SizeGrid((2,), (0.5, 0.6), 50).draw(np.arange(n) % 2, np.random.default_rng(0))
        dys = DyS("PS").fit(scored.training_scores, scored.training_labels)
        (table,) = [metafeatures(zero, scored.pool_scores, drawn, dys) for drawn in samples]
        assert (table[:, 1] == 0).all(), "each sample has a mean of 0"

    def test_nominal_attributes_are_columns_of_0_and_1(self):
        dataset = load_dataset("tictactoe")
        numbers = dataset.numeric_features()
        assert numbers.shape == (958, 27)
        assert (numbers.sum(axis=1) == 9).all()
        assert load_dataset("wdbc").numeric_features().shape == (569, 30)


def synthetic(n: int = 600, seed: int = 0) -> MetaTable:
    """A table in which the first candidate is best up to a size of 50, the second above it; the third never."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 100, size=n)
    features = np.column_stack([sizes, rng.normal(size=(n, 5))])
    true = rng.random(n)
    small = sizes <= 50
    errors = np.column_stack([np.where(small, 0.01, 0.2), np.where(small, 0.2, 0.01), np.full(n, 0.5)])
    return MetaTable(CANDIDATES, features, true[:, np.newaxis] - errors * np.sign(true - 0.5)[:, np.newaxis], true)


@pytest.fixture(scope="module")
def learnt():
    return Recommender().fit(synthetic())


class TestRecommender:
    def test_it_learns_what_there_is_to_learn(self, learnt):
        recommended = apply_recommender(learnt, synthetic(seed=1))
        right = recommended.chosen == recommended.table.best
        assert right.mean() > 0.98
        deciding = metafeature_importance(recommended)
        assert deciding.metafeature[0] == "size"
        assert deciding.changed[0] > 0.3
        assert deciding.cost[0] > 0.05
        assert deciding.changed[1:].max() < 0.05
        assert recommended.errors["MLQ"].mean() < min(recommended.errors[name].mean() for name in CANDIDATES)
        choices = choices_by_size(recommended)
        assert (choices[choices.candidate == "MS"].chosen[choices["size"] < 40] == 1).all()
        assert (choices.chosen[choices.candidate == "SORD"] == 0).all()

    def test_ties_go_to_the_candidate_that_errs_less(self):
        table = MetaTable(("CC", "AC"), np.ones((3, 6)), np.array([[0.5, 0.5], [0.9, 0.6], [0.5, 0.5]]), np.full(3, 0.5))
        assert table.best.tolist() == [1, 1, 1]
        assert table.best_single == "AC"
        assert apply_recommender(Recommender().fit(table), table).chosen.tolist() == [1, 1, 1]

    def test_same_seed_same_recommendations(self):
        one, again, other = (Recommender(seed).fit(synthetic()) for seed in (3, 3, 4))
        chosen = [apply_recommender(recommender, synthetic(seed=1)).chosen for recommender in (one, again)]
        assert (chosen[0] == chosen[1]).all()
        features = synthetic(seed=1).metafeatures
        assert (one.forest_.predict_proba(features) != other.forest_.predict_proba(features)).any(), "another forest"

    def test_trees_that_are_added_are_those_of_one_fit(self):
        from sklearn.ensemble import RandomForestClassifier

        table, shares = synthetic(), []
        grown = Recommender(5, n_trees=50).fit(table, shares.append)
        assert shares == pytest.approx([0.4, 0.8, 1.0])
        state = grown.forest_.random_state
        whole = RandomForestClassifier(50, random_state=state).fit(table.metafeatures, table.best)
        probe = synthetic(seed=2).metafeatures
        assert grown.forest_.predict_proba(probe) == pytest.approx(whole.predict_proba(probe))

    def test_it_learns_from_no_more_than_it_may(self, learnt):
        few = Recommender(max_samples=100).fit(synthetic())
        assert few.n_learnt_ == 100
        assert (few.recommend(synthetic().metafeatures) != learnt.recommend(synthetic().metafeatures)).any()
        assert len(few.sizes_) > 50, "the sizes are those of the table"

    def test_it_can_do_without_its_forest_afterwards(self, learnt):
        result = apply_recommender(learnt, synthetic(seed=1))
        light = result.without_forest()
        assert errors_by_size(light).equals(errors_by_size(result))
        assert not hasattr(light.recommender, "forest_")
        assert hasattr(result.recommender, "forest_")

    def test_it_knows_its_candidates(self, learnt):
        table = synthetic()
        with pytest.raises(InvalidInput, match="table must have the candidates MS, DyS-PS, SORD, got CC, AC, MS"):
            apply_recommender(learnt, replace(table, candidates=("CC", "AC", "MS")))


class TestRecommenderResult:
    def test_its_bounds(self, result):
        errors = result.errors
        for name in CANDIDATES:
            assert (errors["TOP"] <= errors[name] + 1e-15).all()
        assert (errors["TOP"] <= errors["MLQ"] + 1e-15).all()
        assert errors["RND"] == pytest.approx(np.mean([errors[name] for name in CANDIDATES], axis=0))
        assert np.abs(result.estimates - result.table.true) == pytest.approx(errors["MLQ"])

    def test_it_says_what_the_recommended_candidate_says(self, result):
        for position in range(3):
            selected = result.chosen == position
            assert (result.estimates[selected] == result.table.estimates[selected, position]).all()

    def test_tables_by_plain_loops(self, result):
        errors = errors_by_size(result).set_index(["name", "size"])
        choices = choices_by_size(result).set_index(["candidate", "size"])
        for size in (10, 20, 40):
            selected = result.table.sizes == size
            assert errors.loc[("MLQ", size), "mean"] == pytest.approx(result.errors["MLQ"][selected].mean())
            assert errors.loc[("TOP", size), "n"] == selected.sum() == 55
            assert choices.xs(size, level="size").sum().tolist() == pytest.approx([1, 1])
        against = comparison_with_candidates(result).set_index(["candidate", "size"])
        row = against.loc[("SORD", 0)]
        apart = result.errors["MLQ"] - result.errors["SORD"]
        assert row.difference == pytest.approx(apart.mean())
        assert row.standard_error == pytest.approx(apart.std(ddof=1) / np.sqrt(165))
        assert row.difference == pytest.approx(row.mlq - row.single)

    def test_the_candidates_are_those_of_the_test_size_page(self, result):
        from qcore import estimate, make_quantifiers

        scores = score_dataset(load_dataset("wdbc"))
        samples = GRID.draw(scores.pool_labels, np.random.default_rng(0))
        fitted = make_quantifiers(CANDIDATES, scores.training_scores, scores.training_labels)
        parts = [estimate(fitted, scores, drawn) for drawn in samples]
        for position, name in enumerate(CANDIDATES):
            together = np.concatenate([part.by_method[name] for part in parts])
            assert result.table.estimates[:, position] == pytest.approx(together)

    def test_the_frame_holds_every_sample(self, result):
        frame = result.frame()
        assert len(frame) == 165
        assert list(frame)[:6] == list(METAFEATURES)
        assert set(frame.recommended) <= set(CANDIDATES)
        named = np.array([frame[f"estimate_{name}"][i] for i, name in enumerate(frame.recommended)])
        assert named == pytest.approx(result.estimates)
        errors = np.abs(frame[[f"estimate_{name}" for name in CANDIDATES]].to_numpy() - frame.true.to_numpy()[:, None])
        best = [CANDIDATES.index(name) for name in frame.best]
        assert errors[np.arange(165), best] == pytest.approx(errors.min(axis=1))


def test_nothing_of_the_test_half_reaches_the_recommender():
    """Other features in the test half: the recommender learns the same."""
    dataset, settings = load_dataset("wdbc"), ScoringSettings("malignant")
    plan = ScoringPlan(dataset, settings)
    features = dataset.features.to_numpy().copy()
    rng = np.random.default_rng(0)
    features[plan.pool_rows] = rng.normal(size=(len(plan.pool_rows), features.shape[1]))
    other = replace(dataset, features=pd.DataFrame(features, columns=dataset.features.columns))
    one, two = (recommend(data, settings, GRID) for data in (dataset, other))
    probe = np.random.default_rng(1).random((200, 6)) * [40, 1, 3, 1, 1, 0.5]
    assert (one.recommender.recommend(probe) == two.recommender.recommend(probe)).all()
    half, inner = inner_plan(dataset, settings)
    assert len(half.labels) == len(plan.training_rows)
    assert not set(inner.training_rows.tolist()) & set(inner.pool_rows.tolist())
    assert set(plan.training_rows.tolist()).isdisjoint(plan.pool_rows.tolist())


@pytest.mark.parametrize("candidates", [("CC", "BL"), ("EMQ", "EMQ-5", "T50", "HDy")])
def test_any_candidates(candidates):
    result = recommend(load_dataset("iris"), grid=SizeGrid((5, 10), 5, 4), candidates=candidates)
    assert result.table.candidates == candidates
    assert set(np.unique(result.chosen)) <= set(range(len(candidates)))


def test_nominal_attributes_are_described_too():
    result = recommend(load_dataset("monks-1"), grid=SizeGrid((10,), 5, 4))
    assert np.isfinite(result.table.metafeatures).all()
    assert result.table.metafeatures[:, 1:5].std(axis=0).min() > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"candidates": ("MS",)}, "candidates must be at least two different quantifiers, got MS"),
        ({"candidates": ()}, "got none"),
        ({"candidates": ("MS", "MS")}, "got MS, MS"),
        ({"candidates": ("MS", "XY")}, "Unknown candidate 'XY'"),
        ({"candidates": "MS"}, "candidates must be a list"),
        (
            {"grid": SizeGrid((60, 70), 5, 2)},
            "one of the sample sizes must be at most 53: the recommender learns from a half of the training half",
        ),
    ],
)
def test_what_it_can_not_learn(change, message):
    with pytest.raises(InvalidInput, match=message):
        recommend(load_dataset("wdbc"), **change)


@pytest.mark.parametrize("settings", [ScoringSettings("malignant", seed=1), ScoringSettings("benign")])
def test_scores_are_those_of_the_data_set_with_these_settings(settings):
    data, other = load_dataset("wdbc"), score_dataset(load_dataset("wine"), ScoringSettings("2"))
    for scores in (other, score_dataset(data, settings)):
        with pytest.raises(InvalidInput, match=r"^scores must be of this data set with these settings"):
            recommend(data, ScoringSettings("malignant"), GRID, scores=scores)


def test_a_training_part_too_small_to_halve():
    with pytest.raises(InvalidInput, match="the training part must be large enough for the recommender to halve it once more"):
        recommend(load_dataset("iris"), ScoringSettings("setosa", training_share=0.05))


@pytest.mark.parametrize(
    "change", [{"training_share": 0.4}, {"training_prevalence": 0.3}], ids=lambda change: next(iter(change))
)
def test_pieces_of_one_training_half_are_not_taken_for_another(change):
    """The half of the training half is always a half: its own settings do not tell whose half it is."""
    iris, settings, grid = load_dataset("iris"), ScoringSettings("virginica"), SizeGrid((5,), 5, 4)
    finished = FinishedPieces()
    recommend(iris, settings, grid, finished=finished)
    again = recommend(iris, replace(settings, **change), grid, finished=finished)
    alone = recommend(iris, replace(settings, **change), grid)
    assert (
        again.recommender.recommend(synthetic().metafeatures) == alone.recommender.recommend(synthetic().metafeatures)
    ).all()


def test_the_learning_grid_names_what_fits():
    dataset = load_dataset("wdbc")
    _, inner = inner_plan(dataset, ScoringSettings("malignant"))
    assert inner.pool_counts[0] == 53
    assert learning_grid(SizeGrid((10, 53, 54)), inner).sizes == (10, 53)


def test_tables_are_put_together(result):
    table = result.table
    halves = [replace(table, metafeatures=table.metafeatures[part], estimates=table.estimates[part], true=table.true[part])
              for part in (slice(0, 50), slice(50, None))]  # fmt: skip
    whole = stack_metatables(halves)
    assert len(whole) == len(table)
    assert (whole.estimates == table.estimates).all()


def test_a_subset_is_those_rows():
    dataset = load_dataset("tictactoe")
    assert len({*dataset.labels[[5, 3]], dataset.labels[900]}) == 1
    with pytest.raises(InvalidInput, match="hold at least 2 classes"):
        dataset.subset(np.array([5, 3, 900]))
    some = dataset.subset(np.array([5, 3, 8]))
    assert isinstance(some, Dataset)
    assert some.labels.tolist() == dataset.labels[[5, 3, 8]].tolist()
    assert some.features.to_numpy().tolist() == dataset.features.to_numpy()[[5, 3, 8]].tolist()


def test_meta_tables_need_two_candidates(scored):
    (drawn,) = SizeGrid((10,), 5, 2).draw(scored.pool_labels, np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="at least two"):
        build_metatable(scored, np.ones((len(scored.pool_labels), 2)), drawn, ["MS"])


class TestManyDataSets:
    def always(self, best, n=200):
        """A result on a data set on which one candidate errs by 0.01 and the others by 0.2, whatever the sample."""
        table = synthetic(n)
        errors = np.full((n, 3), 0.2)
        errors[:, best] = 0.01
        table = replace(table, estimates=table.true[:, np.newaxis] + errors)
        return apply_recommender(Recommender(n_trees=5).fit(table), table)

    def test_the_data_set_is_left_out(self):
        table = errors_over_data_sets({"odd": self.always(1, 900), "one": self.always(0), "other": self.always(0)})
        means = table.groupby(["data", "name"])["mean"].mean()
        assert means["odd", "MLQ"] == pytest.approx(0.01)
        assert means["odd", FROM_OTHERS] == pytest.approx(0.2), "what the others teach is wrong there"
        assert means["odd", "TOP"] == pytest.approx(0.01)
        assert means["odd", "RND"] == pytest.approx((0.01 + 0.2 + 0.2) / 3)
        assert set(table.n.groupby(table.data).sum() / table.name.nunique()) == {200, 900}

    def test_one_data_set_and_other_candidates_are_named(self):
        one = self.always(0)
        other = replace(one, table=replace(one.table, candidates=("CC", "AC", "PCC")))
        for results in ({"one": one}, {"one": one, "other": other}):
            with pytest.raises(InvalidInput, match="be of two data sets or more, with the same candidates"):
                errors_over_data_sets(results)
