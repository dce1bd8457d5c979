"""The way "a share over time" of the page "Estimate": the example, a move, a table, what cannot be."""

import pandas as pd
import pytest

from pages.estimate.downloads import over_time_source
from pages.estimate.over_time import over_time_figure, over_time_headline, over_time_notes
from pages.estimate.settings import WATCHED
from pages.frame.presets import OWN_DATA
from qcore.watching import MeasuredRates, simulated_batches, watch_share
from tests.pages.app import captions, chart, components, figures, fine, link, run, script

PAGE = "estimate"
RATES = {"own_tp": "66", "own_pos": "80", "own_fp": "18", "own_neg": "120"}


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


def watched(shares=(0.3, 0.3), **more):
    batches = simulated_batches(shares)
    return watch_share(batches.positives, batches.sizes, **more)


def test_fifty_looks_at_a_share_that_has_not_moved():
    app = fine(run(PAGE, way=WATCHED))
    result = watched()
    assert f"Simulated batches. {over_time_headline(result, 'positive')}" in words(app)
    assert "In 50 batches no move was seen" in words(app)
    drawn = {trace["name"]: trace for trace in figures(app)[0]["data"]}
    assert drawn["all so far"]["y"] == pytest.approx(result.table.so_far.tolist(), abs=1e-4)
    assert "misses it at" in words(app)


def test_a_later_share_that_has_moved_is_seen():
    app = fine(run(PAGE, way=WATCHED, later_share="0.45"))
    assert f"seen at batch {watched((0.3, 0.45)).moved_at}" in words(app)
    assert "misses it at" not in words(app), "there is no one share"
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
    assert "seen at batch 2026-08-01" in words(fine(app))
    assert "imulated" not in words(app)
    assert "later ones are compared with the first 4" in captions(app)
    wrong = frame.drop(columns="week").to_csv(index=False).encode()
    app.file_uploader(key="own batches").set_value(("none.csv", wrong, "text/csv")).run()
    assert not app.exception
    assert "have a column of batches" in app.warning[0].value


def test_batches_may_be_typed_and_are_in_the_link():
    typed = " ".join(["20/100"] * 6 + ["60/100"] * 6)
    app = fine(run(PAGE, way=WATCHED, typed_batches=typed, baseline="6"))
    assert "seen at batch 7" in words(app)
    assert link(app)["typed_batches"] == [typed]
    app.text_input(key="typed_batches").set_value("20 22 19 of 100").run()
    assert "In 3 batches no move was seen" in words(fine(app))
    app.text_input(key="typed_batches").set_value("20/100 lots").run()
    assert not app.exception
    assert "Each batch must be its positives and its size, got 'lots'" in app.warning[0].value


def test_labels_correct_the_share():
    typed = "17 16 18 19 15 17 18 16 of 100"
    app = fine(run(PAGE, way=WATCHED, typed_batches=typed, baseline="4"))
    plain = chart(app, "over-time")["figure"]
    app.toggle(key="corrected_share").set_value(True).run()
    assert chart(fine(app), "over-time")["figure"] == plain, "no number of the example of counts"
    assert "Not corrected yet: type the numbers of your labelled positives and negatives." in words(app)
    assert "Shares are those of the predictions." in words(app)
    labels = {"own_tp": 80, "own_pos": 100, "own_fp": 10, "own_neg": 100}
    for key, number in labels.items():
        app.number_input(key=key).set_value(number)
    app.run()
    assert chart(fine(app), "over-time")["figure"] != plain
    assert "**Corrected** with tpr 0.80 and fpr 0.10" in words(app)
    corrected = watch_share([17, 16, 18, 19, 15, 17, 18, 16], [100] * 8, baseline=4, rates=MeasuredRates(*labels.values()))
    assert f"{corrected.share_of_labels:.0%} of the last" in words(app)
    app.number_input(key="own_tp").set_value(900).run()
    assert app.warning
    assert not app.exception


def test_the_script_of_a_corrected_share_runs():
    app = fine(run(PAGE, way=WATCHED, typed_batches="17 16 18 19 of 100", baseline="2", corrected_share="true", **RATES))
    source = script(app)
    assert "rates=MeasuredRates(" in source
    compile(source, "script", "exec")


def test_sections_on_one_sample_say_so():
    app = fine(run(PAGE, way=WATCHED, estimate_section="Which shift"))
    assert "needs another data set, or another way of working" in words(app)
    assert len(components(app, "kept_chart")) == 1


def test_counts_that_are_not_corrected_are_not_called_the_share():
    rates = MeasuredRates(66, 80, 18, 120)
    result, corrected = watched((0.3, 0.45)), watched((0.3, 0.45), rates=rates)
    assert "Class 1 in the first 20 batches:" in over_time_headline(result, "class 1")
    assert "Predicted class 1 in the first 20 batches:" in over_time_headline(corrected, "class 1")
    assert "batch, as predicted" in [trace.name for trace in over_time_figure(corrected, None, "class 1").data]


def test_the_script_has_the_names_of_the_batches():
    batches = simulated_batches((0.3, 0.45))
    named = watch_share(batches.positives, batches.sizes, batches=[f"week {number}" for number in range(len(batches.sizes))])
    assert "batches=['week 0', 'week 1'" in over_time_source(named)
    assert "batches=" not in over_time_source(watched())


def test_what_the_link_keeps_is_said():
    table = pd.DataFrame({"date": pd.date_range("2025-01-06", periods=30, freq="7D"), "positives": 30, "size": 100})
    app = run(PAGE, way=WATCHED)
    app.file_uploader(key="own batches").set_value(("weeks.csv", table.to_csv(index=False).encode(), "text/csv")).run()
    assert OWN_DATA in words(fine(app))
    assert OWN_DATA not in words(fine(run(PAGE, way=WATCHED)))


def test_the_class_that_is_watched_is_chosen():
    app = fine(run(PAGE, way=WATCHED))
    shares = {week: 30 if week < 9 else 70 for week in range(1, 13)}
    weeks = {week: ["complaint"] * n + ["question"] * 10 + ["other"] * (90 - n) for week, n in shares.items()}
    rows = [(week, word) for week, words_ in weeks.items() for word in words_]
    file = pd.DataFrame(rows, columns=["week", "prediction"]).to_csv(index=False).encode()
    app.file_uploader(key="own batches").set_value(("calls.csv", file, "text/csv")).run()
    assert "no move was seen" in words(fine(app)), "of questions, the rarest"
    (of,) = [box for box in app.selectbox if box.label == "Class whose share is estimated"]
    assert of.options == ["complaint", "other", "question"]
    of.set_value("complaint").run()
    assert "The share has moved: seen at batch 11. Complaint" in words(fine(app))
    (of,) = [box for box in app.selectbox if box.label == "Class whose share is estimated"]
    assert of.value == "complaint"


def test_the_name_of_a_batch_stays_as_it_is_written():
    rows = [f"ward *{number}*,{0 if number < 6 else 49},50" for number in range(12)]
    app = run(PAGE, way=WATCHED, baseline="3")
    file = ("batches.csv", "\n".join(["batch,positives,size", *rows]).encode(), "text/csv")
    app = fine(app.file_uploader(key="own batches").set_value(file).run())
    assert r"seen at batch ward \*6\*." in words(app)


def test_rates_the_wrong_way_round_correct_nothing_and_say_so():
    result = watched(rates=MeasuredRates(18, 80, 66, 120))
    assert "the share is unknown: tpr (0.23) is below fpr (0.55)" in over_time_headline(result, "positive")
    notes = " ".join(over_time_notes(result, None))
    assert "**Not corrected**: tpr (0.23) is below fpr (0.55), the wrong way round" in notes
    assert "**Corrected**" not in notes


def test_few_batches_are_said_to_show_little_and_the_difference_is_named():
    app = fine(run(PAGE, way=WATCHED, typed_batches="310/1000 330/1000", baseline="1"))
    assert "With only one batch since the first batch, a change of less than about" in words(app)
    assert "choose “Counts of a test” and compare two samples" in words(app)
    assert "With only" not in words(fine(run(PAGE, way=WATCHED)))
