"""Figures of "Test size" and "Recommender": the data that they hold, one scale for all panels, what hover texts hold."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pages.charts.figure import DIVERGING, NEUTRAL, method_style, tinted
from pages.charts.panels import category_axis
from pages.charts.recommender_errors import errors_figure
from pages.test_size.comparison import MOST_PREVALENCES, ranks_figure, regret_figure, winners_figure
from pages.test_size.findings import regret_sentence
from pages.test_size.heatmaps import column_figure, difference_heatmap, enlarged_heatmap, loss_heatmaps, row_figure
from pages.test_size.recommender import choices_figure, importance_figure
from pages.test_size.sample_overlap import draw_counts_figure, overlap_figure
from qcore import QUANTIFIERS, ScoringSettings, SizeGrid, estimate, load_dataset, make_quantifiers, recommend, score_dataset
from qcore.evaluation.loss_grid import LossGrid, difference, loss_grid, ranks_by_size, regret, row_section, winners
from qcore.recommender.evaluation import choices_by_size, errors_by_size, metafeature_importance
from qcore.studies.sample_size import draw_counts, draw_histogram, sample_overlap

SIZES = (10, 20, 30, 50, 70, 90)


@pytest.fixture(scope="module")
def scored():
    return score_dataset(load_dataset("wdbc"), ScoringSettings("malignant", "Gaussian naive Bayes"))


@pytest.fixture(scope="module")
def samples(scored):
    return SizeGrid(SIZES, 11, 4).draw(scored.pool_labels, np.random.default_rng(0))


@pytest.fixture(scope="module")
def estimates(scored, samples):
    fitted = make_quantifiers(QUANTIFIERS, scored.training_scores, scored.training_labels)
    return [estimate(fitted, scored, drawn) for drawn in samples]


@pytest.fixture(scope="module")
def result(estimates):
    return loss_grid(estimates, "AE")


@pytest.fixture(scope="module")
def recommended():
    return recommend(load_dataset("wdbc"), grid=SizeGrid((10, 30), 5, 4))


def named(figure):
    return {trace.name: trace for trace in figure.data}


def test_each_panel_holds_a_methods_means(result):
    figure = loss_heatmaps(result).figure
    assert list(named(figure)) == list(QUANTIFIERS)
    assert len({trace.xaxis for trace in figure.data}) == len(QUANTIFIERS)
    for index, trace in enumerate(figure.data):
        assert np.asarray(trace.z) == pytest.approx(result.means[index], abs=1e-6)
        lower, upper, true = np.moveaxis(np.asarray(trace.customdata), -1, 0)
        assert lower == pytest.approx(result.bands[0, index], abs=1e-6)
        assert upper == pytest.approx(result.bands[1, index], abs=1e-6)
        assert true == pytest.approx(result.true, abs=1e-6)
        assert list(trace.y) == [str(size) for size in SIZES]
        assert trace.coloraxis == "coloraxis", "one scale for all"
        assert "4 samples of %{y}" in trace.hovertemplate
        assert "10th to 90th percentile" in trace.hovertemplate


def test_the_selected_cell_is_marked(result):
    figure = loss_heatmaps(result, cell=("AC", 1, 3)).figure
    marks = [trace for trace in figure.data if trace.name.startswith("selected")]
    panel = next(trace for trace in figure.data if trace.name == "AC")
    assert [(trace.xaxis, round(trace.x[0], 9), trace.y) for trace in marks] == [(panel.xaxis, 0.3, ("20",))] * 2
    assert len(loss_heatmaps(result.select(["CC"]), cell=("AC", 1, 3)).figure.data) == 1


def test_rows_are_named_by_name_and_none_is_cut_off(result):
    """A tick at the number 10 would stand at the size 10, not at the tenth row."""
    figure = loss_heatmaps(result).figure
    assert all(isinstance(tick, str) for tick in figure.layout.yaxis.tickvals)
    assert (figure.layout.yaxis.tickvals[0], figure.layout.yaxis.tickvals[-1]) == ("10", "90")
    many = category_axis([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500])["tickvals"]
    assert many == ["20", "40", "60", "80", "100", "300", "500"], "as many rows from each name to the next"
    assert figure.layout.yaxis.range == (-0.5, 5.5)


def test_narrow_panels_are_the_same_in_fewer_columns(result):
    panels = loss_heatmaps(result.select(["CC", "AC", "PCC", "PACC", "MS"]))
    wide, narrow = panels.figure.layout, panels.narrow
    assert {key for key in narrow if key.startswith(("xaxis", "yaxis"))} == {
        key for key in wide.to_plotly_json() if key.startswith(("xaxis", "yaxis"))
    }
    assert len({tuple(wide[f"xaxis{n}"].domain) for n in ("", 2, 3, 4, 5)}) == 4
    assert len({tuple(narrow[f"xaxis{n}"]["domain"]) for n in ("", 2, 3, 4, 5)}) == 2
    assert narrow["height"] > wide.height
    json.dumps(narrow)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 9])
def test_panels_do_not_overlap(result, number):
    panels = loss_heatmaps(result.select(list(QUANTIFIERS)[:number]))
    for layout in (panels.figure.layout.to_plotly_json(), panels.narrow):
        boxes = [(layout[f"xaxis{n}"]["domain"], layout[f"yaxis{n}"]["domain"]) for n in ["", *range(2, number + 1)]]
        for (x, y), (u, v) in [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]]:
            assert x[1] < u[0] or u[1] < x[0] or y[1] < v[0] or v[1] < y[0]
        assert all(0 <= low < high <= 1 + 1e-9 for box in boxes for low, high in box)


def test_the_scale_ends_where_few_cells_are_above(result):
    top = result.scale_end
    assert top <= result.means.max()
    assert (result.means <= top).mean() >= 0.89
    scale = loss_heatmaps(result, top).figure.layout.coloraxis
    assert (scale.cmin, scale.cmax) == (0, top)
    even = result.select(["DyS-PS"])
    assert even.scale_end <= even.means.max()


def test_a_signed_loss_has_a_scale_centred_on_zero(estimates):
    bias = loss_grid(estimates, "bias")
    scale = loss_heatmaps(bias).figure.layout.coloraxis
    assert scale.cmin == -scale.cmax
    assert scale.colorscale[2] == DIVERGING[2]


def test_a_mean_that_is_rounded_to_zero_has_no_minus_sign(estimates):
    bias = loss_grid(estimates, "bias")
    tiny = replace(bias, losses=np.full_like(bias.losses, -1e-6))
    assert "-0" not in winners_figure(tiny, winners(tiny)).data[0].text[0][0]


def test_the_enlarged_heatmap_frames_its_row_and_column(result):
    figure = enlarged_heatmap(result, "DyS-PS", (2, 3))
    assert np.asarray(figure.data[0].z) == pytest.approx(result.select(["DyS-PS"]).means[0], abs=1e-6)
    across, down = figure.layout.shapes[:2]
    assert (across.y0, across.y1) == (1.5, 2.5)
    assert (down.x0, down.x1) == pytest.approx((0.25, 0.35))


def test_the_curves_are_the_row_and_the_column(result):
    row = named(row_figure(result, "MS", 1))
    index = result.methods.index("MS")
    section = row_section(result, 1)
    assert list(row["MS"].y) == pytest.approx(section.mean[index].tolist())
    assert list(row["MS"].x) == section.x.tolist()
    assert set(row) == {*QUANTIFIERS, "MS band"}
    column = named(column_figure(result, "MS", 4))
    assert list(column["MS"].y) == pytest.approx(result.means[index, :, 4].tolist())
    assert list(column["MS"].x) == list(SIZES)
    assert column["CC"].line.width < column["MS"].line.width


def test_the_difference_is_neutral_at_zero(result):
    apart = difference(result, "DyS-PS", "MS")
    figure = difference_heatmap(result, apart, "DyS-PS", "MS")
    assert np.asarray(figure.data[0].z) == pytest.approx(apart.mean, abs=1e-6)
    assert np.asarray(figure.data[0].customdata)[..., 0] == pytest.approx(apart.standard_error, abs=1e-6)
    scale = figure.layout.coloraxis
    assert scale.cmin == -scale.cmax < 0
    same = difference_heatmap(result, difference(result, "MS", "MS"), "MS", "MS")
    assert same.layout.coloraxis.cmax > 0


def test_cells_that_differ_far_more_than_most_do_not_set_the_scale(result):
    apart = difference(result, "DyS-PS", "MS")
    far = apart.mean.copy()
    far[1, 0] = -50.0
    figure = difference_heatmap(result, apart._replace(mean=far), "DyS-PS", "MS")
    beyond = named(figure)["beyond the scale"]
    assert figure.layout.coloraxis.cmax <= np.abs(apart.mean).max()
    assert (result.targets[0], str(result.sizes[1])) in set(zip(beyond.x, beyond.y, strict=True))
    assert "up to 50" in figure.layout.title.subtitle.text


def test_each_cell_has_its_winners_colour_and_says_who_is_as_good(result):
    some = result.select(["CC", "AC", "DyS-TS", "DyS-JD", "EMQ"])
    won = winners(some)
    figure = winners_figure(some, won)
    heat = named(figure)["winners"]
    shown = sorted(set(won.best[~won.equal].tolist()))
    z = np.asarray(heat.z)
    assert won.equal.any()
    for row in range(len(SIZES)):
        for column in range(11):
            text = heat.text[row][column]
            assert text.count(", as good") == won.tied[:, row, column].sum() - 1
            first = some.methods[won.best[row, column]]
            if won.equal[row, column]:
                assert z[row, column] == 2 * len(shown)
                assert text.startswith("<b>Several are equal</b>")
            else:
                clear = won.clear[row, column]
                assert z[row, column] == 2 * shown.index(won.best[row, column]) + (not clear)
                assert text.startswith(f"<b>{first} wins</b>" if clear else f"<b>{first} is lowest, ")
    stops = [colour for _, colour in heat.colorscale][::2]
    assert stops[:-1:2] == [method_style(some.methods[index]).colour for index in shown]
    assert set(stops[1:-1:2]) == {"rgba(0,0,0,0)"}, "where nobody has won there is no colour"
    assert stops[-1] == tinted(NEUTRAL, 0.35)
    marks = named(figure)[f"{some.methods[shown[0]]} marks"]
    selected = (won.best == shown[0]) & ~won.equal
    assert len(marks.x) == selected.sum()
    assert sum(symbol.endswith("-open") for symbol in marks.marker.symbol) == (selected & ~won.clear).sum()


def test_all_eighteen_winners_have_colours_of_their_own():
    index = len(QUANTIFIERS)
    losses = 1.0 - np.eye(index)[:, np.newaxis, :, np.newaxis]
    targets = np.linspace(0, 1, index)
    each_once = LossGrid("AE", tuple(QUANTIFIERS), np.array([10]), targets, targets[np.newaxis], losses)
    entries = [trace for trace in winners_figure(each_once, winners(each_once)).data if trace.name in QUANTIFIERS]
    assert len({trace.marker.color for trace in entries}) == len(entries) == index


def test_of_a_fine_grid_every_fifth_prevalence_is_shown(scored):
    fitted = make_quantifiers(["CC", "AC"], scored.training_scores, scored.training_labels)
    fine = SizeGrid((10, 20), 101, 2).draw(scored.pool_labels, np.random.default_rng(0))
    many = loss_grid([estimate(fitted, scored, drawn) for drawn in fine], "AE")
    few = many.thinned(MOST_PREVALENCES)
    assert few.targets == pytest.approx(np.linspace(0, 1, 21))
    assert np.array_equal(few.means, many.means[:, :, ::5])
    assert np.array_equal(few.true, many.true[:, ::5])
    assert few.thinned(MOST_PREVALENCES) is few
    marks = [trace for trace in winners_figure(few, winners(few)).data if trace.name.endswith(" marks")]
    assert sum(len(trace.x) for trace in marks) == (~winners(few).equal).sum()


def test_what_a_choice_costs_is_its_mean_above_the_lowest(result):
    some = result.select(["CC", "AC", "EMQ"])
    cost = regret(some, "CC")
    assert cost == pytest.approx(some.means[0] - some.means.min(axis=0))
    heat = regret_figure(some, "CC").data[0]
    assert np.asarray(heat.z) == pytest.approx(cost, abs=1e-5)
    row, column = np.unravel_index(cost.argmax(), cost.shape)
    assert f"with samples of {some.sizes[row]} at {some.targets[column]:.0%}" in regret_sentence(some, "CC")
    assert not regret_sentence(some.select(["AC"]), "AC"), "there is no other"


def test_ranks_have_a_panel_each_with_a_band(result):
    table = ranks_by_size(result)
    figure = ranks_figure(table, "AE").figure
    for method in QUANTIFIERS:
        selected = table[table.method == method]
        line = named(figure)[method]
        assert list(line.y) == pytest.approx(selected.mean_rank.tolist())
        band = named(figure)[f"{method} band"]
        assert list(band.y) == pytest.approx([*selected.upper, *selected.lower[::-1]])
        assert band.xaxis == line.xaxis
    low, high = figure.layout.yaxis.range
    assert low > high, "the best on top"


def test_draws_are_all_counted(scored, samples):
    counts = draw_counts(samples)
    figure = draw_counts_figure(draw_histogram(counts, scored.pool_labels))
    assert sum(named(figure)["positives"].y) == (scored.pool_labels == 1).sum()
    assert sum(named(figure)["negatives"].y) == (scored.pool_labels == 0).sum()
    few = draw_counts_figure(draw_histogram(np.array([3, 3, 3]), np.array([0, 1, 1])))
    assert sum(sum(trace.y) for trace in few.data) == 3
    shared = overlap_figure(sample_overlap(samples))
    assert list(shared.data[0].y) == pytest.approx(sample_overlap(samples).shared.tolist())


def test_the_recommenders_figures(recommended):
    errors = errors_by_size(recommended)
    lines = named(errors_figure(errors))
    assert set(lines) == {"MLQ", "MS", "DyS-PS", "SORD", "TOP", "RND"}
    shared = errors_figure(errors, {"One": ["MS"], "Two": ["DyS-PS", "SORD"]})
    assert {trace.name for trace in shared.data if trace.xaxis == "x2"} == {"MLQ 1", "TOP 1", "RND 1", "DyS-PS", "SORD"}
    assert list(lines["TOP"].y) == pytest.approx(errors[errors.name == "TOP"]["mean"].tolist())
    choices = choices_by_size(recommended)
    bars = choices_figure(choices).data
    assert sum(np.array(bar.y) for bar in bars) == pytest.approx([1, 1])
    assert len({bar.marker.pattern.shape for bar in bars}) == 3
    deciding = metafeature_importance(recommended)
    (bar,) = importance_figure(deciding).data
    assert dict(zip(bar.y, bar.x, strict=True)) == pytest.approx(dict(zip(deciding.metafeature, deciding.changed, strict=True)))
