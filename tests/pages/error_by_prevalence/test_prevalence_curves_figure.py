"""Figures: the data that they hold, one style for each method, colours seen on light and dark."""

import pandas as pd
import plotly.graph_objects as go
import pytest

from pages.charts.figure import method_style
from pages.charts.panels import MAX_LINES
from pages.charts.traces import POINTED_AT
from pages.error_by_prevalence.curves import estimate_figure, loss_figure, losses_figure
from qcore import LOSSES, QUANTIFIERS

TABLE = pd.DataFrame(
    {
        "method": ["CC"] * 3 + ["AC"] * 3,
        "target": [0, 0.5, 1] * 2,
        "true": [0, 0.5, 1] * 2,
        "mean": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        "p10": [0.05] * 6,
        "p90": [0.7] * 6,
        "mean_low": [0.08] * 6,
        "mean_high": [0.65] * 6,
    }
)


def test_every_method_has_its_own_style():
    styles = [method_style(method) for method in QUANTIFIERS]
    assert len({style.symbol for style in styles}) == len(styles)
    assert len(set(styles)) == len(QUANTIFIERS)
    assert len({(style.dash, style.symbol) for style in styles}) == len(QUANTIFIERS), "not told apart without colour"


@pytest.mark.parametrize("loss", LOSSES.values(), ids=lambda loss: loss.key)
def test_loss_figure_holds_lines_bands_and_the_training_prevalence(loss):
    figure = loss_figure(TABLE, loss, 0.37)
    assert isinstance(figure.checked, go.Figure)
    traces = {trace.name: trace for trace in figure.data}
    assert list(traces) == ["CC band", "AC band", "CC", "AC"]
    assert list(traces["AC"].y) == [0.4, 0.5, 0.6]
    assert traces["AC"].line.color == method_style("AC").colour
    assert list(traces["AC band"].y) == [0.7] * 3 + [0.05] * 3
    assert figure.layout.shapes[0].x0 == 0.37
    assert "37%" in figure.layout.annotations[0].text
    assert [label.text for label in figure.layout.annotations[1:]] == ["<b>CC</b>", "<b>AC</b>"]
    assert not figure.layout.showlegend
    assert tuple(figure.layout.yaxis.range) == loss.axis
    assert loss.key in figure.layout.title.text
    assert loss.key in figure.layout.yaxis.title.text


def test_three_losses_have_a_panel_each_in_one_row_or_in_one_column():
    tables = {key: TABLE.assign(mean=TABLE["mean"] * factor) for key, factor in (("AE", 1), ("RAE", 2), ("KLD", 3))}
    panels = losses_figure(tables, 0.37, free_axes=True)
    traces = {trace.name: trace for trace in panels.figure.data}
    assert len(traces) == len(panels.figure.data) == 12, "a trace is known by its name"
    assert [traces[name].yaxis for name in ("AC", "AC, RAE", "AC, KLD")] == ["y", "y2", "y3"]
    assert list(traces["AC, KLD"].y) == pytest.approx([1.2, 1.5, 1.8])
    assert traces["AC, KLD"].legendgroup == traces["AC"].legendgroup == "AC", "pointing at one shows the bands of all"
    layout, narrow = panels.figure.layout, panels.narrow
    assert layout.xaxis.domain[1] < layout.xaxis2.domain[0] < layout.xaxis3.domain[0]
    assert layout.yaxis.domain == layout.yaxis3.domain
    assert layout.yaxis.range[1] < layout.yaxis2.range[1] < layout.yaxis3.range[1]
    assert narrow["xaxis"]["domain"] == narrow["xaxis2"]["domain"] == narrow["xaxis3"]["domain"]
    assert narrow["yaxis3"]["domain"][1] < narrow["yaxis2"]["domain"][0]
    assert [shape.x0 for shape in layout.shapes] == [0.37] * 3
    assert sum(label.text == "<b>CC</b>" for label in layout.annotations) == 3


def test_free_axes_follow_the_data_and_forget_an_old_zoom():
    fixed, free = (loss_figure(TABLE, LOSSES["AE"], free_axes=choice) for choice in (False, True))
    assert free.layout.yaxis.range[0] == 0.0
    assert TABLE["mean"].max() < free.layout.yaxis.range[1] < 1.1 * TABLE["mean"].max()
    assert fixed.layout.yaxis.uirevision != free.layout.yaxis.uirevision
    assert fixed.layout.xaxis.uirevision == free.layout.xaxis.uirevision
    assert fixed.layout.uirevision == free.layout.uirevision


def test_estimate_figure_has_the_diagonal():
    figure = estimate_figure(TABLE, 0.37)
    traces = {trace.name: trace for trace in figure.data}
    assert list(traces["truth"].x) == list(traces["truth"].y) == [0, 1]
    assert len(figure.data) == 5


def test_more_than_two_bands_are_seen_one_at_a_time():
    assert {trace.meta for trace in loss_figure(TABLE, LOSSES["AE"]).data} == {None}
    table = pd.concat([TABLE.assign(method=method) for method in ("CC", "PCC", "MS")])
    for figure in (loss_figure(table, LOSSES["AE"]), estimate_figure(table)):
        assert {trace.meta for trace in figure.data if trace.name.endswith(" band")} == {POINTED_AT}
        assert {trace.meta for trace in figure.data if not trace.name.endswith(" band")} == {None}


def test_bands_are_those_that_are_chosen_around_all_lines():
    table = pd.concat([TABLE.assign(method=method) for method in ("CC", "PCC", "MS")])
    for bands, ends in (("percentiles", (0.7, 0.05)), ("95% of the mean", (0.65, 0.08))):
        for figure in (loss_figure(table, LOSSES["AE"], bands=bands), estimate_figure(table, bands=bands)):
            shown = [trace for trace in figure.data if trace.name.endswith(" band")]
            assert [trace.name for trace in shown] == ["CC band", "PCC band", "MS band"]
            assert {trace.meta for trace in shown} == {None}, "seen without pointing, and so in saved pictures"
            assert (shown[0].y[0], shown[0].y[-1]) == ends
    figure = loss_figure(table, LOSSES["AE"], bands="off")
    assert [trace.name for trace in figure.data] == ["CC", "PCC", "MS"]


def test_a_legend_where_names_are_too_many():
    table = pd.concat([TABLE[TABLE.method == "CC"].assign(method=method) for method in list(QUANTIFIERS)[: MAX_LINES + 1]])
    figure = loss_figure(table, LOSSES["AE"])
    assert figure.layout.showlegend is None
    assert not figure.layout.annotations


def test_panels_share_the_lines_out_on_the_same_axes():
    panels = {"Counting": ["CC"], "Adjustment": ["AC"]}
    for figure in (loss_figure(TABLE, LOSSES["AE"], 0.37, panels=panels), estimate_figure(TABLE, 0.37, panels=panels)):
        axes = {trace.name: (trace.xaxis, trace.yaxis) for trace in figure.data}
        assert axes["CC"] == axes["CC band"] == ("x", "y")
        assert axes["AC"] == axes["AC band"] == ("x2", "y2")
        assert (figure.layout.xaxis2.matches, figure.layout.yaxis2.matches) == ("x", "y")
        assert figure.layout.xaxis.domain[1] < figure.layout.xaxis2.domain[0]
        title, *names = [note.text for note in figure.layout.annotations]
        assert names == ["<b>Counting</b>", "<b>Adjustment</b>", "<b>CC</b>", "<b>AC</b>"]
        assert "(mean)" in title
        assert not any(figure.layout[f"yaxis{number}"].title.text for number in ("", 2)), "said once"
        assert [(line.xref, line.x0) for line in figure.layout.shapes] == [("x", 0.37), ("x2", 0.37)]
        assert len({trace.name for trace in figure.data}) == len(figure.data), "a trace is known by its name"
    assert figure.layout.yaxis.domain == figure.layout.yaxis2.domain


def test_panels_fill_rows_from_the_top():
    table = pd.concat([TABLE.assign(method=method) for method in ("CC", "PCC", "MS")])
    figure = loss_figure(table, LOSSES["AE"], panels={"a": ["CC"], "b": ["PCC"], "c": ["MS"]})
    assert figure.layout.yaxis3.domain[1] < figure.layout.yaxis.domain[0]
    assert not figure.layout.shapes
    assert figure.layout.height > loss_figure(table, LOSSES["AE"]).layout.height


def test_the_legend_stands_clear_of_the_plot():
    legend = loss_figure(TABLE, LOSSES["AE"]).layout.legend
    assert (legend.yref, legend.yanchor, legend.orientation) == ("container", "bottom", "h")
