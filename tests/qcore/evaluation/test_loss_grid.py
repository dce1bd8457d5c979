"""Losses by size and prevalence, winners, differences and ranks, against plain loops over the samples."""

import numpy as np
import pytest
from scipy.stats import rankdata

from qcore import InvalidInput, SizeGrid, estimate, load_dataset, make_quantifiers, score_dataset
from qcore.evaluation.loss_grid import (
    LossGrid,
    agreement,
    column_section,
    difference,
    leaders,
    loss_grid,
    ranks_by_size,
    row_section,
    winners,
)
from qcore.losses import LOSSES
from qcore.studies.sample_size import METHODS_OF_MALETZKE_2020, draw_counts, sample_overlap

METHODS = ("CC", "AC", "MS", "DyS-TS", "DyS-JD", "BL")
GRID = SizeGrid((10, 25, 60), 11, 4)


@pytest.fixture(scope="module")
def samples(scored):
    return GRID.draw(scored.pool_labels, np.random.default_rng(3))


@pytest.fixture(scope="module")
def estimates(scored, samples):
    fitted = make_quantifiers(METHODS, scored.training_scores, scored.training_labels)
    return [estimate(fitted, scored, drawn) for drawn in samples]


@pytest.fixture(scope="module")
def result(estimates):
    return loss_grid(estimates, "AE")


def made(losses: np.ndarray, loss: str = "AE") -> LossGrid:
    """LossGrid of given losses, (n_methods, n_sizes, n_prevalences, n_repeats)."""
    _, n_sizes, n_prevalences, _ = losses.shape
    targets = np.linspace(0, 1, n_prevalences)
    sizes = 10 * np.arange(1, n_sizes + 1)
    return LossGrid(loss, METHODS_OF_MALETZKE_2020[: len(losses)], sizes, targets, np.tile(targets, (n_sizes, 1)), losses)


@pytest.mark.parametrize("loss", LOSSES)
def test_each_cell_is_the_mean_over_its_samples(estimates, loss):
    table = loss_grid(estimates, loss).table().set_index(["method", "size", "target"])
    for part in estimates:
        selected = part.losses(loss).table()
        for (method, size, target), rows in selected.groupby(["method", "size", "target"]):
            cell = table.loc[(method, size, target)]
            assert cell["mean"] == pytest.approx(rows.value.mean())
            assert cell.sd == pytest.approx(rows.value.std(ddof=1))
            assert (cell.lower, cell.upper) == pytest.approx(tuple(np.quantile(rows.value, [0.1, 0.9])))
            assert cell.true == pytest.approx(rows.true.to_numpy())
            assert cell.n == len(rows) == 4
            assert cell.loss == loss
    assert len(table) == len(METHODS) * 3 * 11


def test_rounding_makes_the_true_prevalence():
    scored = score_dataset(load_dataset("wdbc"))
    fitted = make_quantifiers(["CC"], scored.training_scores, scored.training_labels)
    (drawn,) = SizeGrid((10,), 21, 2).draw(scored.pool_labels, np.random.default_rng(0))
    one = loss_grid([estimate(fitted, scored, drawn)], "AE")
    assert one.targets[5] == pytest.approx(0.25)
    assert one.true[0, 5] == 0.2, "2.5 of 10, halves to even"
    section = row_section(one, 0)
    assert section.x.tolist() == pytest.approx(np.arange(11) / 10), "prevalences that are one are one point"
    together = one.losses[0, 0, one.true[0] == 0.2].ravel()
    assert len(together) > 2
    assert section.mean[0, 2] == pytest.approx(together.mean())
    assert section.lower[0, 2] == pytest.approx(np.quantile(together, 0.1))


def test_sections_are_the_row_and_the_column(result):
    row, column = row_section(result, 2), column_section(result, 4)
    same = [position for position, count in enumerate(np.unique(result.true[2], return_counts=True)[1]) if count == 1]
    assert row.mean[:, same] == pytest.approx(result.means[:, 2][:, same])
    assert column.mean == pytest.approx(result.means[:, :, 4])
    assert column.x.tolist() == [10, 25, 60]
    assert column.upper == pytest.approx(result.bands[1][:, :, 4])


def test_ranks_by_plain_loops(result):
    ranks = ranks_by_size(result).set_index(["method", "size"])
    for position, size in enumerate(result.sizes):
        columns = [rankdata(result.means[:, position, j].round(12)) for j in range(11)]
        for number, method in enumerate(METHODS):
            selected = [column[number] for column in columns]
            assert ranks.loc[(method, size), "mean_rank"] == pytest.approx(np.mean(selected))
            assert ranks.loc[(method, size), "sd"] == pytest.approx(np.std(selected, ddof=1))
            assert ranks.loc[(method, size), "mean_loss"] == pytest.approx(result.means[number, position].mean())
    both = ranks.mean_rank.unstack("size")
    assert both.loc["DyS-TS"].tolist() == both.loc["DyS-JD"].tolist(), "equal methods share their rank"
    assert both.sum().to_numpy() == pytest.approx(np.full(3, 21.0)), "ranks of 6 methods sum to 21"


def test_winners_by_the_definition(result):
    best, tied, equal, order = winners(result)
    for row in range(3):
        for column in range(11):
            means = result.means[:, row, column].round(12)
            assert best[row, column] == order[0, row, column] == means.argmin()
            assert order[:, row, column].tolist() == np.argsort(means, kind="stable")[:5].tolist()
            assert equal[row, column] == ((means == means.min()).sum() > 1)
            leader = result.losses[best[row, column], row, column]
            for number in range(len(METHODS)):
                apart = result.losses[number, row, column] - leader
                error = apart.std(ddof=1) / 2
                assert tied[number, row, column] == (apart.mean() <= 2 * error + 1e-12)
    assert tied[METHODS.index("DyS-TS")].tolist() == tied[METHODS.index("DyS-JD")].tolist()


def test_a_clear_win_and_a_tie():
    losses = np.array([[0.10, 0.12], [0.30, 0.32], [0.09, 0.50]]).reshape(3, 1, 1, 2)
    best, tied, equal, _ = winners(made(losses))
    assert best.item() == 0
    assert not equal.any()
    assert tied[:, 0, 0].tolist() == [True, False, True], "the third's mean is far off, but so is its scatter"
    assert not winners(made(losses)).clear.any()
    assert winners(made(losses[:2])).clear.all()


def test_where_means_differ_in_the_last_digit_alone_the_list_begins_with_the_winner():
    losses = np.array([[0.3, 0.1, 0.2, 0.7], [0.1, 0.7, 0.3, 0.2], [0.7, 0.2, 0.1, 0.3]]).reshape(3, 1, 1, 4)
    grid = made(losses)
    assert len(set(grid.means.ravel())) > 1, "else rounding would not matter"
    best, _, _, order = winners(grid)
    assert best.item() == order[0].item() == 0


def test_a_signed_loss_is_won_by_its_magnitude():
    losses = np.array([[-0.30, -0.28], [0.10, 0.12]]).reshape(2, 1, 1, 2)
    bias = made(losses, "bias")
    assert winners(bias).best.item() == 1
    assert difference(bias, *bias.methods).mean.item() == pytest.approx(0.29 - 0.11)
    assert ranks_by_size(bias).mean_rank.tolist() == [2.0, 1.0]
    assert winners(made(losses)).best.item() == 0


def test_signs_that_cancel_leave_the_scatter():
    """The magnitude of a mean of 0 scatters as much as one of a millionth."""
    errors = []
    for first in (0.1, 0.1 + 2e-6):
        losses = np.array([[first, -0.1], [0.12, 0.10]]).reshape(2, 1, 1, 2)
        errors.append(difference(made(losses, "bias"), "CC", "AC").standard_error.item())
    assert errors[0] == pytest.approx(errors[1], abs=1e-5) == pytest.approx(0.09, abs=1e-4)


def test_leaders_and_who_is_surely_worse(result):
    best, beside = leaders(result)
    for size in range(3):
        means = result.means[:, size].mean(axis=1)
        assert best[size] == means.round(12).argmin()
        for position in range(len(METHODS)):
            apart = result.losses[position, size] - result.losses[best[size], size]
            assert beside.mean[position, size] == pytest.approx(apart.mean())
            error = np.sqrt((apart.var(axis=1, ddof=1) / 4).sum()) / 11
            assert beside.standard_error[position, size] == pytest.approx(error)
            assert beside.sign()[position, size] == (apart.mean() > 2 * error + 1e-12)
    assert (beside._replace(standard_error=beside.standard_error + 1e9).sign() == 0).all()


def test_the_difference_is_paired(result):
    first, second = (METHODS.index(method) for method in ("AC", "MS"))
    mean, error = difference(result, "AC", "MS")
    apart = result.losses[first] - result.losses[second]
    assert mean == pytest.approx(apart.mean(axis=2))
    assert error == pytest.approx(apart.std(axis=2, ddof=1) / 2)
    back = difference(result, "MS", "AC")
    assert back.mean == pytest.approx(-mean)
    assert back.standard_error == pytest.approx(error)
    itself = difference(result, "AC", "AC")
    assert (itself.mean == 0).all()
    assert (itself.standard_error == 0).all()


def test_one_repeat_has_no_spread():
    one = made(np.random.default_rng(0).random((3, 2, 5, 1)))
    assert (one.table().sd == 0).all()
    assert winners(one).clear.all()


def test_what_can_not_be_made_into_cells(estimates):
    with pytest.raises(InvalidInput, match="Unknown loss 'EA'"):
        loss_grid(estimates, "EA")
    with pytest.raises(InvalidInput, match="estimates must hold those of at least one size"):
        loss_grid([], "AE")
    with pytest.raises(InvalidInput, match="Unknown method 'EMQ'"):
        loss_grid(estimates, "AE").select(["EMQ"])


def test_agreement_counts_cells_whose_clear_winner_wins_elsewhere_too():
    def of(means, sizes):
        # Three repeats that hardly differ: each lowest mean is a clear winner; (method, size, prevalence).
        losses = np.array(means)[..., np.newaxis] + np.array([-1e-4, 0.0, 1e-4])
        targets = np.array([0.2, 0.8])
        return LossGrid("AE", ("CC", "AC"), np.array(sizes), targets, np.tile(targets, (len(sizes), 1)), losses)

    first = of([[[0.1, 0.2], [0.1, 0.3]], [[0.2, 0.1], [0.2, 0.3]]], [10, 50])
    second = of([[[0.1, 0.4], [0.3, 0.1]], [[0.2, 0.2], [0.1, 0.2]]], [50, 90])
    # Only size 50 is in both: CC wins at 0.2 in both; at 0.8 the first has no clear winner.
    assert agreement(first, second) == (1, 1, 2)
    assert agreement(first, first) == (3, 3, 4)
    assert agreement(second, first.select(["AC", "CC"])) == (2, 2, 2)
    assert agreement(first, of([[[0.1, 0.1]], [[0.2, 0.2]]], [70])) is None


def test_cells_want_the_same_grid_at_each_size(scored, estimates):
    fitted = make_quantifiers(METHODS, scored.training_scores, scored.training_labels)
    (other,) = SizeGrid((20,), 5, 4).draw(scored.pool_labels, np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="Draw the samples with a SizeGrid"):
        loss_grid([*estimates, estimate(fitted, scored, other)], "AE")


class TestSampleOverlap:
    def test_draws_are_counted(self, samples):
        index = [i for drawn in samples for _, block in drawn.blocks() for i in block.ravel().tolist()]
        counts = draw_counts(samples)
        assert counts.tolist() == np.bincount(index, minlength=len(counts)).tolist()
        table = sample_overlap(samples)
        labels = samples[0].pool_labels
        assert table.draws_positive.sum() == pytest.approx(counts[labels == 1].mean())
        assert table.draws_negative.sum() == pytest.approx(counts[labels == 0].mean())
        assert table["samples"].tolist() == [44, 44, 44]

    def test_what_two_samples_share_is_what_drawing_shows(self):
        labels = np.repeat([1, 0], [30, 50])
        (drawn,) = SizeGrid((25,), (0.2, 0.8), 400).draw(labels, np.random.default_rng(0))
        index = np.concatenate([block for _, block in drawn.blocks()])
        for target, share in ((0.2, (5**2 / 30 + 20**2 / 50) / 25), (0.8, (20**2 / 30 + 5**2 / 50) / 25)):
            selected = index[drawn.targets == target]
            common = [len(np.intersect1d(selected[i], selected[i + 1])) / 25 for i in range(0, 400, 2)]
            assert np.mean(common) == pytest.approx(share, abs=0.02)
        (row,) = sample_overlap([drawn]).to_dict("records")
        assert row["most_shared"] == pytest.approx((20**2 / 30 + 5**2 / 50) / 25)
        assert row["shared"] == pytest.approx(np.mean([(5**2 / 30 + 20**2 / 50) / 25, (20**2 / 30 + 5**2 / 50) / 25]))

    def test_samples_of_the_whole_class_share_it(self):
        (drawn,) = SizeGrid((20,), (0.0, 1.0), 2).draw(np.repeat([1, 0], 20), np.random.default_rng(0))
        assert sample_overlap([drawn]).shared.tolist() == [1.0]
        assert (draw_counts([drawn]) == 2).all()
