"""Sentences of "Test size" and "Recommender": what they say is what the numbers are."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.charts.sample_overlap_findings import overlap_sentences, overlap_warning
from pages.frame.sampling_controls import left_out_sentence
from pages.settings.number_text import digits_apart
from pages.test_size.findings import (
    difference_sentence,
    ranks_sentence,
    size_headline,
    size_sentences,
    smoothing_note,
    thinned_sentence,
    winners_sentence,
)
from pages.test_size.recommender import (
    _bounds,
    benefit_sentences,
    choices_sentence,
    extrapolation_sentence,
    importance_sentence,
)
from qcore import SizeGrid, load_dataset, recommend
from qcore.evaluation.loss_grid import LossGrid, difference, leaders, ranks_by_size, winners
from qcore.protocols.artificial_prevalence import FittingSizes
from qcore.recommender.evaluation import comparison_with_candidates
from qcore.recommender.metatable import METAFEATURES, MetaTable
from qcore.recommender.mlq import Recommender, RecommenderResult


def made(
    means: list[list[float]], methods: tuple[str, ...] = ("CC", "AC", "MS"), spread: float = 0.0, loss: str = "AE"
) -> LossGrid:
    """LossGrid with the same mean at two prevalences: `means` is (n_methods, n_sizes)."""
    base = np.array(means, dtype=float)[:, :, np.newaxis, np.newaxis]
    losses = base + spread * np.array([-1.0, 1.0]) + np.zeros((1, 1, 2, 1))
    n_methods, n_sizes = base.shape[:2]
    targets = np.array([0.2, 0.8])
    return LossGrid(loss, methods[:n_methods], 10 * 10 ** np.arange(n_sizes), targets, np.tile(targets, (n_sizes, 1)), losses)


class TestSizes:
    def test_another_leads_at_each_end(self):
        first, second, third = size_sentences(made([[0.10, 0.09], [0.30, 0.01], [0.12, 0.05]]))
        assert first == "Which quantifier is best depends on the size."
        assert second == (
            "From samples of 10 to 100, **AC**'s mean AE falls to 1/30, **CC**'s falls by 10%. It corrects no bias, "
            "and more data reduces noise, not bias."
        )
        assert third == (
            "With samples of 10, none of 2 are clearly better than plain counting (**CC**) and 2 clearly worse. With samples "
            "of 100, 2 of 2 are clearly better and none clearly worse."
        )

    def test_a_lead_within_the_scatter_is_none(self):
        first, _, third = size_sentences(made([[0.10, 0.09], [0.11, 0.08], [0.50, 0.50]], spread=0.2))
        # The scatter is the same on the same samples: paired, even a small lead is sure.
        assert "depends on the size" in first
        rng = np.random.default_rng(0)
        losses = 0.5 + 0.2 * rng.normal(size=(3, 2, 11, 4))
        targets = np.linspace(0, 1, 11)
        noisy = LossGrid("AE", ("CC", "AC", "MS"), np.array([10, 20]), targets, np.tile(targets, (2, 1)), losses)
        first, _, third = size_sentences(noisy)
        assert first.count("level with") == 2
        assert "depends" not in first
        assert "none of 2 are clearly better" in third

    def test_who_may_lead_at_both_ends_leaves_it_open(self):
        """AC leads at 100 for sure, and at 10 it can't be told from CC: that the best changes is not said."""
        unsure, sure = [[0.0, 0.2, 0.0, 0.2], [0.2, 0.05, 0.2, 0.0]], [[0.3] * 4, [0.01] * 4]
        losses = np.array([[[unsure[i]] * 2, [sure[i]] * 2] for i in (0, 1)])
        targets = np.array([0.2, 0.8])
        for order in ([0, 1], [1, 0]):
            some = LossGrid("AE", ("CC", "AC"), np.array([10, 100]), targets, np.tile(targets, (2, 1)), losses[:, order])
            best, beside = leaders(some)
            assert sorted(best.tolist()) == [0, 1]
            assert (beside.sign() != 0).sum() == 1
            assert "level with" in size_sentences(some)[0]
            assert not any("depends" in sentence for sentence in size_sentences(some))

    def test_equal_methods_are_named_together(self):
        (first, *_) = size_sentences(made([[0.1, 0.1], [0.1, 0.1]], ("DyS-TS", "DyS-JD")))
        assert "**DyS-TS** has the lowest mean AE, 0.10, level with **DyS-JD**" in first

    def test_one_leads_at_both_ends(self):
        grid = made([[0.30, 0.20], [0.10, 0.06], [0.31, 0.2]])
        first = size_headline(grid)
        assert first == "With samples of 10, AC has the lowest mean AE (0.10); with 100, AC again (0.060)."
        second, _ = size_sentences(grid)
        assert second.startswith(
            "From samples of 10 to 100, the mean AE of all quantifiers changes about equally: that of **AC** falls"
        )

    @pytest.mark.parametrize(
        ("ratio", "text"),
        [(2.5, "grows to 2.5 times as much"), (1.3, "grows by 30%"), (1.0, "stays as it is"), (0.8, "falls by 20%"),
         (0.5, "falls to half"), (0.1, "falls to a tenth"), (0.01, "falls to 1/100")],
    )  # fmt: skip
    def test_what_becomes_of_a_mean(self, ratio, text):
        second = size_sentences(made([[0.5, 0.5], [0.2, 0.2 * ratio]], ("T50", "MS")))[-1]
        assert text in second
        assert "mend" not in second, "said of methods that correct nothing alone"

    def test_nothing_falls_from_zero(self):
        assert "too small to compare" in size_sentences(made([[0.0, 0.0], [0.0, 0.1]], ("AC", "MS")))[1]

    def test_a_loss_that_smooths_is_not_compared_from_size_to_size(self):
        assert not any("From samples" in text for text in size_sentences(made([[0.1, 0.2], [0.2, 0.3]], loss="RAE")))
        assert "within a row, not rows" in smoothing_note("RAE")
        assert smoothing_note("AE") == ""

    def test_a_signed_loss_is_compared_by_magnitude(self):
        first = size_headline(made([[-0.3, -0.2], [0.1, 0.1]], loss="bias"))
        assert "AC has the lowest mean |bias| (0.10)" in first

    def test_one_method_one_size(self):
        assert not size_sentences(made([[0.1]]))
        assert (
            size_headline(made([[0.1]]))
            == "**CC** has a mean AE of 0.10 with samples of 10. Choose a second quantifier to compare it with."
        )
        assert size_headline(made([[0.1], [0.05]])) == "With samples of 10, AC has the lowest mean AE (0.050)."
        (counting,) = size_sentences(made([[0.1], [0.05]]))
        assert counting == "With samples of 10, **AC** is clearly better than plain counting (**CC**)."
        counting = size_sentences(made([[0.1, 0.1], [0.05, 0.2]]))[-1]
        assert counting == (
            "With samples of 10, **AC** is clearly better than plain counting (**CC**). With samples of 100, it is clearly "
            "worse than it."
        )

    def test_without_counting_nothing_is_said_of_it(self):
        assert len(size_sentences(made([[0.1, 0.2], [0.2, 0.1]], ("AC", "MS")))) == 2

    def test_winners(self):
        clear = made([[0.10, 0.5], [0.30, 0.01], [0.4, 0.4]], spread=0.001)
        assert winners_sentence(clear, winners(clear)) == (
            "One quantifier is clearly best in each of the 4 cells: **CC** in 2, **AC** in 2."
        )
        some = made([[0.10, 0.5], [0.30, 0.5], [0.4, 0.6]])
        assert winners_sentence(some, winners(some)).startswith(
            "One quantifier is clearly best in 2 of 4 cells: **CC** in 2. In the others"
        )
        tied = made([[0.1, 0.1], [0.1, 0.1]])
        assert winners_sentence(tied, winners(tied)).startswith("No quantifier is clearly best in any of the 4 cells")
        fine = replace(some, targets=np.linspace(0, 1, 5), true=np.zeros((2, 5)), losses=np.zeros((3, 2, 5, 2)))
        assert thinned_sentence(fine, fine.thinned(3)).startswith("The map and these counts of cells use 3 of the 5")
        assert thinned_sentence(some, some.thinned(3)) == ""
        alone = made([[0.1]])
        assert "choose a second one" in winners_sentence(alone, winners(alone))

    def test_difference(self):
        some = made([[0.10, 0.5], [0.30, 0.01]])
        text = difference_sentence(some, difference(some, "CC", "AC"), "CC", "AC")
        assert "**CC** is better in 2 and **AC** in 2 of 4 cells" in text
        assert "**CC** leads by 0.20 with samples of 10, and **AC** by 0.49 with samples of 100" in text
        same = difference_sentence(some, difference(some, "CC", "CC"), "CC", "CC")
        assert same == "**CC** is chosen twice: choose two different quantifiers."

    def test_ranks(self):
        some = made([[0.10, 0.5], [0.30, 0.01], [0.2, 0.2]])
        text = ranks_sentence(ranks_by_size(some))
        assert text == (
            "From samples of 10 to 100, **AC** climbs from a mean rank of 3.0 to 1.0 and **CC** falls from 1.0 to 3.0."
        )
        steady = made([[0.1, 0.05], [0.2, 0.1]])
        assert ranks_sentence(ranks_by_size(steady)).endswith("the ranks stay as they are.")

    @given(st.lists(st.lists(st.floats(0.001, 1), min_size=3, max_size=3), min_size=2, max_size=3))
    def test_the_named_leader_has_the_least_mean(self, means):
        some = made(means)
        small = some.methods[int(some.means.mean(axis=2)[:, 0].round(12).argmin())]
        assert size_headline(some).startswith((f"With samples of 10, {small} has", f"With samples of 10, {small} and"))

    def test_sizes_left_out(self):
        assert left_out_sentence(FittingSizes((10,), (), 50), (50, 60)) == ""
        text = left_out_sentence(FittingSizes((10, 20), (60, 1000), 50), (50, 1234))
        assert text.startswith("Left out: **60** and **1000**. The pool has 50 positives and 1,234 negatives")
        assert "up to 50" in text

    def test_reuse(self):
        sharing = pd.DataFrame(
            {"size": [10, 50, 80], "samples": [42] * 3, "shared": [0.06, 0.4, 0.61], "most_shared": [0.1, 0.6, 0.8],
             "draws_positive": [1.0] * 3, "draws_negative": [1.0] * 3}
        )  # fmt: skip
        text = " ".join(overlap_sentences(np.array([0, 3, 3, 6]), sharing))
        assert "126 samples come from a pool of 4 instances, each drawn 3.00 times on average (0 to 6)" in text
        assert "1 of them is never drawn" in text
        assert "Two samples of 80 with the same prevalence share 61%" in text
        warning = overlap_warning(sharing)
        assert warning.startswith("With samples of **50** and **80**, two samples of the same prevalence share more than half")
        assert "at some prevalences at least, and with samples of **80** on average" in warning
        assert overlap_warning(sharing[:1]) == ""
        assert "on average over the prevalences. Spread" in overlap_warning(sharing[2:])


def recommended(mlq: float, single: float, other: float, scatter: float, n: int = 50) -> RecommenderResult:
    """MLQ's AE, the best single candidate's, the other's; MLQ chooses the first in half of the cases."""
    rng = np.random.default_rng(0)
    noise = scatter * rng.normal(size=n)
    first = np.full(n, single)
    chosen = np.zeros(n, dtype=np.int64)
    second = np.full(n, other)
    # Where it chooses the second, that one errs so much that MLQ's mean is as asked.
    chosen[::2] = 1
    second[::2] = 2 * mlq - single + noise[::2] - noise[::2].mean()
    second[1::2] = 2 * other - second[::2].mean()
    features = np.column_stack([np.repeat([10, 50], n // 2), rng.normal(size=(n, 5))])
    table = MetaTable(("CC", "AC"), features, 0.5 + np.column_stack([first, second]), np.full(n, 0.5))
    return RecommenderResult(Recommender().fit(table), table, chosen, 50)


class TestRecommender:
    @pytest.mark.parametrize(
        ("mlq", "scatter", "verdict"),
        [
            (0.10, 0.01, "**Choosing pays here.** Over all samples MLQ is better than the best single candidate, **CC**"),
            (0.20, 0.20, "**Choosing makes no clear difference here.**"),
            (0.30, 0.01, "**Choosing does not pay here.** Over all samples MLQ is worse than **CC** alone: mean AE 0.30"),
        ],
    )
    def test_the_verdict(self, mlq, scatter, verdict):
        result = recommended(mlq, 0.20, 0.40, scatter)
        assert result.errors["MLQ"].mean() == pytest.approx(mlq, abs=0.02)
        assert benefit_sentences(result, comparison_with_candidates(result))[0].startswith(verdict)

    def test_every_verdict_follows_from_the_numbers(self):
        for key in ("wdbc", "tictactoe", "wine"):
            result = recommend(load_dataset(key), grid=SizeGrid((10, 20), 5, 5))
            against = comparison_with_candidates(result)
            text = " ".join(benefit_sentences(result, against))
            means = {name: errors.mean() for name, errors in result.errors.items()}
            best = min(result.table.candidates, key=lambda name: means[name])
            row = against[(against["size"] == 0) & (against.candidate == best)].iloc[0]
            assert ("does not pay" in text) == (row.difference > 2 * row.standard_error + 1e-12)
            assert ("**Choosing pays" in text) == (row.difference < -2 * row.standard_error - 1e-12)
            won = (means["RND"] - means["MLQ"]) / (means["RND"] - means["TOP"])
            assert (f"closes {won:.0%} of that gap" in text) == (won > 0.005)

    def test_candidates_that_say_the_same(self):
        result = recommend(load_dataset("wine"), grid=SizeGrid((10,), 5, 4), candidates=("DyS-TS", "DyS-JD"))
        (text,) = benefit_sentences(result, comparison_with_candidates(result))
        mean = float(result.errors["DyS-TS"].mean())
        assert text.startswith(
            f"**There is nothing to choose here:** all candidates err alike on every sample (mean AE {mean:.3f}"
        )

    def test_what_it_has_not_seen(self):
        seen = recommend(load_dataset("wdbc"), grid=SizeGrid((10, 50), 5, 2))
        assert extrapolation_sentence(seen) == ""
        beyond = recommend(load_dataset("wdbc"), grid=SizeGrid((10, 40, 60, 100), 5, 2))
        assert extrapolation_sentence(beyond) == (
            "The recommender learns from a part of the training half, which can give samples of up to 53. "
            "It has seen no samples of **60** and **100**, "
            "and chooses for them as for samples of 40."
        )

    def test_choices(self):
        table = pd.DataFrame(
            [("CC", 10, 0.7, 0.4), ("AC", 10, 0.3, 0.6), ("CC", 50, 0.2, 0.3), ("AC", 50, 0.8, 0.7)],
            columns=["candidate", "size", "chosen", "best"],
        )
        assert choices_sentence(table) == (
            "With samples of 10 MLQ chooses **CC** most, for 70% (it is the best for 40%). With samples of 50 it is **AC**, "
            "for 80% (the best for 70%)."
        )
        assert choices_sentence(table[table["size"] == 10]).startswith("With samples of 10 MLQ chooses **CC** for 70%")

    def test_deciding(self):
        table = pd.DataFrame(
            {
                "metafeature": list(METAFEATURES)[::-1],
                "changed": [0.4, 0.3, 0.2, 0.1, 0.05, 0.0],
                "cost": [0.0, 0.01, 0, 0, 0, -1],
                "standard_error": 0.002,
            }
        )
        text = importance_sentence(table, 3)
        assert "Shuffling the **DyS distance** over the samples changes most, 40% of the recommendations; the size" in text
        assert "Shuffling the **correlation** costs most: MLQ's mean AE rises by 0.010 (standard error 0.0020)" in text
        assert "the size" not in importance_sentence(table, 1)
        assert "No shuffling raises" in importance_sentence(table.assign(standard_error=0.006), 3)
        assert "changes no recommendation" in importance_sentence(table.assign(changed=0.0), 3)
        assert "less than 1% of the recommendations" in importance_sentence(table.assign(changed=0.002), 3)


@pytest.mark.parametrize(
    ("pair", "text"),
    [((0.2, 0.3), ("0.20", "0.30")), ((0.0421, 0.0424), ("0.0421", "0.0424")), ((0.5, 0.5), ("0.50", "0.50")),
     ((0.1, 0.1 + 1e-9), ("0.10000", "0.10000"))],
)  # fmt: skip
def test_digits_apart(pair, text):
    assert digits_apart(*pair) == text


def test_the_gap_that_the_recommender_closes_is_counted_from_a_random_choice():
    said = _bounds({"RND": 0.10, "MLQ": 0.07, "TOP": 0.05})
    assert "closes 60" in said
    assert "closes none of that gap" in _bounds({"RND": 0.10, "MLQ": 0.11, "TOP": 0.05})
