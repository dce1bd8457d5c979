"""Figures of the search space: data in, figure out."""

import numpy as np
import pytest

from pages.search_space.iris_example import expected_count_figure, hypotheses_figure
from pages.search_space.learners import learners_figure
from pages.search_space.surface_figure import narrow_surface, slider_position, surface_figure, surface_row
from qcore import ArtificialPrevalence
from qcore.evaluation.summaries import curves
from qcore.losses import LOSSES
from qcore.measures.catalog import ParametricMeasure
from qcore.studies.search_space import (
    BETAS,
    classifier_points,
    iris_example,
    learner_estimates,
    points_on_spaces,
    search_space_grid,
)
from tests.qcore.studies.test_search_space import toy_scores


def test_surface_and_projection_show_one_space():
    spaces = [search_space_grid(ParametricMeasure("Q_beta", beta), 30, 60) for beta in (0.0, 1.0, np.inf)]
    result = classifier_points({"KNN": toy_scores(), "PWK": toy_scores(seed=1)}, "PWK")
    points = points_on_spaces(spaces, result, iris_example())
    dragged = surface_figure(spaces, 1, points)
    by_type = {}
    for trace in dragged.figure.data:
        by_type.setdefault(trace.type, []).append(trace)
    assert [len(by_type[kind]) for kind in ("surface", "heatmap", "scatter3d", "scatter")] == [1, 1, 8, 8]
    assert (np.array(by_type["surface"][0].z) == np.array(by_type["heatmap"][0].z)).all()
    assert np.array(by_type["surface"][0].z).shape == (len(spaces[1].fn), len(spaces[1].fp))
    assert dragged.values == [0, 0.5, 1]
    for space, frame in zip(spaces, dragged.frames, strict=True):
        kinds = [dragged.figure.data[number].type for number in frame["traces"]]
        assert kinds == ["surface", *["scatter3d"] * 8, "heatmap", "scatter"]
        heights = frame["data"][-3]["z"]
        wanted = points_on_spaces([space], result, iris_example())[1][0][-1]
        assert heights == pytest.approx([wanted + 0.03], abs=1e-3)
        assert np.array(frame["data"][1]["z"]) == pytest.approx(space.ridge()[1] + 0.012, abs=1e-3)
        assert (frame["data"][-1]["x"], frame["data"][-1]["y"]) == tuple(one.tolist() for one in space.best())

    names = [trace.name for trace in dragged.figure.data]
    assert len(set(names)) == len(names), "a trace is known by its name"
    assert [trace.name for trace in by_type["scatter"]] == [
        "edge of FP = FN",
        "FP = FN: the count is right",
        "best tables",
        "PWK, every threshold",
        "KNN",
        "PWK",
        "w1",
        "w2",
    ]
    assert by_type["scatter"][3].line.color == by_type["scatter"][5].marker.color
    assert narrow_surface(surface_figure(spaces, 1, None, "Greys")).narrow["coloraxis"]["colorscale"] == "Greys"
    narrow = narrow_surface(dragged).narrow
    assert narrow["scene"]["domain"]["y"][0] > narrow["yaxis"]["domain"][1], "the projection lies below"


def test_a_row_has_one_scale_and_one_camera():
    spaces = [search_space_grid(ParametricMeasure("Q_beta", beta), 10, 20) for beta in (np.inf, 2.0, 0.0)]
    panels = surface_row(spaces)
    layout = panels.figure.layout
    assert [layout[key].camera for key in ("scene2", "scene3")] == [layout.scene.camera] * 2
    assert (layout.coloraxis.cmin, layout.coloraxis.cmax) == (0, 1)
    assert {trace.scene for trace in panels.figure.data} == {"scene", "scene2", "scene3"}
    wide = [layout[key].domain.x[0] for key in ("scene", "scene2", "scene3")]
    assert wide == pytest.approx([0, 1 / 3, 2 / 3])
    assert panels.narrow["scene3"]["domain"]["x"][0] == 0
    assert panels.narrow["height"] > layout.height


def test_the_lines_of_the_iris_example_lie_where_they_cut():
    result = iris_example()
    figure = hypotheses_figure(result)
    traces = {trace.name: trace for trace in figure.data}
    for one, side in zip(result.hypotheses, ("below", "above"), strict=True):
        line = traces[f"{one.name}: counts what lies {side}"]
        assert np.stack([line.x, line.y], axis=1) @ one.normal == pytest.approx(np.full(2, one.offset))
        for ends, axis in ((line.x, figure.layout.xaxis), (line.y, figure.layout.yaxis)):
            assert axis.range[0] - 1e-9 <= min(ends) < max(ends) <= axis.range[1] + 1e-9
    assert sum(len(trace.x) for trace in figure.data if trace.mode == "markers") == 150
    counted = {trace.name: trace for trace in expected_count_figure(result).data}
    assert (counted["w1"].y[0], counted["w1"].y[-1]) == (0.5, 0)
    assert counted["w2"].y[-1] == pytest.approx(1 - result.hypotheses[1].fn / 50)


def test_learners_have_a_line_each():
    scores = {"PWK": toy_scores(), "SVM-Q2": toy_scores()}
    result = learner_estimates(scores, "CC", ArtificialPrevalence(11, 20, 5), 0)
    losses = result.losses("AE")
    table = curves(losses.by_method, result.samples)
    figure = learners_figure(table, LOSSES["AE"], {"PWK": "one", "SVM-Q2": "other"}, 0.3)
    assert [trace.name for trace in figure.data] == ["one", "other"]
    assert list(figure.data[0].y) == pytest.approx(table[table.method == "PWK"]["mean"].tolist())
    assert len({(trace.line.color, trace.line.dash, trace.marker.symbol) for trace in figure.data}) == 2


def test_betas_lie_in_order_on_the_slider():
    positions = [slider_position(beta) for beta in BETAS]
    assert positions == sorted(positions)
    assert (positions[0], slider_position(1.0), positions[-1]) == (0, 0.5, 1)
