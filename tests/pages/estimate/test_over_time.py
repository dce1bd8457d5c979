"""The way "a share over time" of the page "Estimate": the example, a move, a table, what cannot be."""

import pandas as pd
import pytest

from pages.estimate.over_time_findings import over_time_headline
from pages.estimate.settings import WATCHED
from qcore.watching import simulated_batches, watch_share
from tests.pages.app import components, figures, fine, run

PAGE = "pages/estimate/page.py"


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


def watched(shares=(0.3, 0.3), **more):
    batches = simulated_batches(shares)
    return watch_share(batches.positives, batches.sizes, **more)


def test_fifty_looks_at_a_share_that_has_not_moved():
    app = fine(run(PAGE, way=WATCHED))
    result = watched()
    assert over_time_headline(result, "positive") in words(app)
    assert "In 50 batches nothing was seen" in words(app)
    drawn = {trace["name"]: trace for trace in figures(app)[0]["data"]}
    assert drawn["all so far"]["y"] == pytest.approx(result.table.so_far.tolist(), abs=1e-4)
    assert "leaves it out at" in words(app)


def test_a_later_share_that_has_moved_is_seen():
    app = fine(run(PAGE, way=WATCHED, later_share="0.45"))
    assert f"seen at batch {watched((0.3, 0.45)).moved_at}" in words(app)
    assert "leaves it out at" not in words(app), "there is no one share"
    assert any(note["text"] == "moved" for note in figures(app)[0]["layout"]["annotations"])


def test_a_baseline_that_leaves_no_batch_is_one_sentence():
    app = run(PAGE, way=WATCHED, baseline="60")
    assert not app.exception
    assert "Leave a batch to compare with it" in app.warning[0].value


def test_a_table_of_batches_is_read():
    app = fine(run(PAGE, way=WATCHED))
    frame = pd.DataFrame(
        {"week": [f"2026-{month:02}-01" for month in range(1, 13)], "positives": [20] * 6 + [60] * 6, "size": 100}
    )
    app.file_uploader(key="own batches").set_value(("weeks.csv", frame.to_csv(index=False).encode(), "text/csv")).run()
    assert "seen at batch 2026-07-01" in words(fine(app))
    wrong = frame.drop(columns="week").to_csv(index=False).encode()
    app.file_uploader(key="own batches").set_value(("none.csv", wrong, "text/csv")).run()
    assert not app.exception
    assert "have a column of batches" in app.warning[0].value


def test_sections_on_one_sample_say_so():
    app = fine(run(PAGE, way=WATCHED, estimate_section="By group"))
    assert "one sample whose labels come from elsewhere" in words(app)
    assert len(components(app, "kept_chart")) == 1
