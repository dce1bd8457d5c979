"""The way "a sample labelled in part" of the page "Estimate": counts, a table, contradictions, what is taken away."""

import json
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.estimate import labelled_part
from pages.estimate.downloads import as_json_of
from pages.estimate.labelled_part import labelled_part_headline, labelled_part_notes, labelled_part_report, worth_sentence
from pages.estimate.settings import LABELLED_PART, OF_POPULATION
from pages.frame.presets import OWN_DATA
from pages.settings.number_text import percentages
from qcore.intervals import LabelledSample, estimate_labelled_sample
from qcore.intervals.labelled_sample_intervals import double_sampling
from tests.pages.app import components, figures, fine, run, tables

PAGE = "estimate"
JUDGED = LabelledSample(480, 1000, 53, 44, 47, 9)


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


def test_the_example_says_the_share_and_what_labels_are_worth():
    app = fine(run(PAGE, way=LABELLED_PART))
    estimate, low, high = (float(end) for end in double_sampling(JUDGED))
    assert f"{estimate:.1%} of these 1,000 are positive (95% interval: {low:.1%} to {high:.1%}), with 100 labels." in words(app)
    assert worth_sentence(estimate_labelled_sample(JUDGED)) in words(app)
    drawn = {trace["name"]: trace["x"] for trace in figures(app)[0]["data"]}
    assert drawn["double sampling"] == pytest.approx([low, high])
    assert tables(app)[0].method.tolist() == ["double sampling", "labels alone", "PPI++", "PPI"]


def test_its_interactive_file_holds_the_sentence_for_a_report_and_what_was_done():
    app = fine(run(PAGE, way=LABELLED_PART))
    app.button(key="interactive_file below the picture").click().run()
    (data,) = components(app, "interactive_file")
    assert escape(labelled_part_report(estimate_labelled_sample(JUDGED), "positive")) in data["file"]
    assert "labels were drawn at random" in data["file"]


def test_of_its_population_less_is_known():
    app = fine(run(PAGE, way=LABELLED_PART, share_of=OF_POPULATION))
    _, low, high = double_sampling(JUDGED, own=False)
    assert f"(95% interval: {float(low):.1%} to {float(high):.1%})" in words(app)
    assert "of all from which these 1,000 were drawn" in words(app)


def test_counts_that_cannot_be_keep_the_last_picture():
    app = fine(run(PAGE, way=LABELLED_PART))
    before = figures(app)
    app.number_input(key="taken_right").set_value(60).run()
    assert "Positive by label must be at most 53, the number of labelled predicted positives, got 60" in app.warning[0].value
    assert figures(app) == before
    app.number_input(key="taken_right").set_value(40).run()
    assert not fine(app).warning
    assert figures(app) != before


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"sample_taken": "1001"}, "Predicted positives must be at most 1,000, the number of instances of the sample"),
        ({"left_labels": "521"}, "Labelled predicted negatives must be at most 520, the number of predicted negatives"),
        ({"taken_labels": "0", "taken_right": "0", "left_labels": "0", "left_wrong": "0"}, "Labels must be at least 1"),
    ],
)
def test_a_link_with_counts_that_cannot_be_is_one_sentence(query, sentence):
    app = fine(run(PAGE, way=LABELLED_PART, **query))
    assert sentence in app.warning[0].value


def test_a_table_with_labels_in_some_rows_is_read():
    rng = np.random.default_rng(0)
    truth = rng.random(400) < 0.6
    judge = np.where(truth, rng.random(400) < 0.85, rng.random(400) < 0.15)
    human = np.where(np.arange(400) < 80, np.where(truth, "right", "wrong"), None)
    frame = pd.DataFrame({"judge": np.where(judge, "right", "wrong"), "human": human})
    app = fine(run(PAGE, way=LABELLED_PART))
    app.file_uploader(key="own labelled table").set_value(("judged.csv", frame.to_csv(index=False).encode(), "text/csv")).run()
    fine(app)
    assert "of these 400 are right" in words(app)
    assert "with 80 labels" in words(app)
    assert OWN_DATA in words(app), "the example's story is of other numbers"
    app.selectbox(key=next(box.key for box in app.selectbox if str(box.key).startswith("share of"))).set_value("wrong").run()
    assert "of these 400 are wrong" in words(fine(app))


@pytest.mark.parametrize("section", ["Which shift", "Which method", "All classes"])
def test_sections_on_labels_elsewhere_say_that_they_are(section):
    app = fine(run(PAGE, way=LABELLED_PART, estimate_section=section))
    assert "needs another data set, or another way of working" in words(app)
    assert len(components(app, "kept_chart")) == 1


def test_what_is_said_follows_the_numbers():
    sure = estimate_labelled_sample(LabelledSample(310, 1000, 310, 240, 690, 60))
    assert labelled_part_headline(sure, "right").startswith("30.0% of these 1,000 are right (95% interval: 30.0% to 30.0%)")
    few = " ".join(labelled_part_notes(estimate_labelled_sample(LabelledSample(310, 1000, 0, 0, 40, 5)), "right"))
    assert "No predicted positives are labelled" in few
    useless = " ".join(labelled_part_notes(estimate_labelled_sample(LabelledSample(500, 1000, 50, 26, 50, 25)), "right"))
    assert "hardly tell the classes apart" in useless
    below = " ".join(labelled_part_notes(estimate_labelled_sample(LabelledSample(199, 1000, 199, 112, 801, 12)), "right"))
    assert "the correction gives -0.04%. That is not a possible share" in below
    answer = json.loads(as_json_of(estimate_labelled_sample(JUDGED).to_dict("right"), {"data": "counts"}))
    assert answer["made_of"] == {"data": "counts"}
    assert sum(answer["next_hundred_labels"].values()) == 100


def test_labels_without_an_error_do_not_make_rates_elsewhere_certain():
    few, some = (estimate_labelled_sample(LabelledSample(480, 1000, n, n, n, 0)) for n in (1, 10))
    assert few.width_elsewhere == 1.0
    assert "elsewhere" not in worth_sentence(few)
    assert 0.25 < some.width_elsewhere < 0.35
    notes = " ".join(labelled_part_notes(some, "positive"))
    assert "No label contradicts its prediction" in notes
    assert "Only 1 predicted negative is labelled" in " ".join(labelled_part_notes(few, "positive"))


def test_one_label_and_one_instance_are_not_said_in_the_plural():
    one = estimate_labelled_sample(LabelledSample(1, 1, 1, 1, 0, 0))
    assert "among 1 instance is estimated" in labelled_part_report(one, "positive")
    half_known = replace(estimate_labelled_sample(JUDGED), labels_to_halve=1)
    assert "**1 label more** makes it half as wide." in worth_sentence(half_known)
    app = fine(run(PAGE, way=LABELLED_PART, sample_total="1"))
    assert "at most 1, the number of instances of the sample" in app.warning[0].value


def test_a_rare_class_is_reported_with_the_digits_of_the_headline():
    rare = estimate_labelled_sample(LabelledSample(1000, 1_000_000, 500, 400, 5000, 0))
    share, low, high = percentages(*rare.table.iloc[0][["estimate", "low", "high"]])
    assert f"is estimated at {share} (95% interval {low} to {high})" in labelled_part_report(rare, "positive")


def test_whose_share_an_interval_is_of_is_said():
    sample = LabelledSample(310, 1000, 31, 24, 69, 6)
    own, population = (" ".join(labelled_part_notes(estimate_labelled_sample(sample, own=own), "x")) for own in (True, False))
    assert "interval for the population's share" in own
    assert "interval for the population's share" not in population


def test_a_code_for_no_label_is_named_and_a_doubtful_label_is_asked_about():
    table = pd.DataFrame({"prediction": [1, 0] * 100, "label": [1, 0] * 30 + [9] * 140})
    app = fine(run(PAGE, way=LABELLED_PART))
    app.file_uploader(key="own labelled table").set_value(("codes.csv", table.to_csv(index=False).encode(), "text/csv")).run()
    for title, name in (("Column of predictions", "prediction"), ("Column of labels", "label")):
        (box,) = [box for box in app.selectbox if box.label == title]
        box.set_value(name).run()
    assert not app.exception
    assert "'9' in 140 rows. If it means that there is no label, leave those cells empty." in app.warning[0].value
    table = pd.DataFrame({"prediction": ["ham", "spam"] * 100, "label": ["ham", "spam"] * 30 + ["spma"] + [None] * 139})
    app.file_uploader(key="own labelled table").set_value(("typo.csv", table.to_csv(index=False).encode(), "text/csv")).run()
    assert "The label 'spma' of 1 row is never predicted: is it a class" in " ".join(one.value for one in fine(app).caption)


def test_predictions_the_wrong_way_round_are_not_said_to_hardly_tell_the_classes_apart():
    result = estimate_labelled_sample(LabelledSample(480, 1000, 53, 9, 47, 38))
    notes = " ".join(labelled_part_notes(result, "positive"))
    assert "predictions and labels may name the classes the other way" in notes
    assert "hardly tell" not in notes


def test_rows_of_a_prediction_that_no_label_has_are_left_out_on_demand():
    table = pd.DataFrame(
        {"judge": ["pass", "fail", "unsure", "pass"] * 50, "human": ["pass", "fail", "pass", "pass"] * 10 + [None] * 160}
    )
    app = run(PAGE, way=LABELLED_PART)
    content = table.to_json(orient="records", lines=True).encode()
    app = fine(app.file_uploader(key="own labelled table").set_value(("judged.jsonl", content, "")).run())
    said = "50 of 200 rows are predicted as 'unsure', and no label is: it is a class of its own, and counts as not 'fail'."
    assert words(app).count(said) == 3, "in the menu, beside the headline, and below the picture"
    assert "of these 200 are fail" in words(app)
    choice = next(one for one in app.multiselect if one.label == "Leave out rows predicted as")
    app = fine(choice.set_value(["unsure"]).run())
    assert "of these 150 are fail" in words(app)
    assert "50 rows predicted as 'unsure' are left out: the share is that of the other 150." in words(app)


def test_a_table_of_comments_without_predictions_is_learnt_from_on_a_click():
    said = [f"it came {'late' if n % 3 else 'well'}, said number {n}" for n in range(90)]
    label = [None if n >= 60 else "bad" if n % 3 else "good" for n in range(90)]
    app = run(PAGE, way=LABELLED_PART)
    content = pd.DataFrame({"comment": said, "label": label}).to_csv(index=False).encode()
    app.file_uploader(key="own labelled table").set_value(("comments.csv", content, "text/csv")).run()
    assert "No column of predictions? A classifier can learn from the labelled rows" in words(app)
    app = fine(next(one for one in app.button if one.label == "Learn from the labelled rows").click().run())
    assert "33.3% are good" in words(app)


def test_a_file_that_is_no_table_is_refused_where_it_is_seen():
    app = run(PAGE, way=LABELLED_PART)
    app.file_uploader(key="own labelled table").set_value(("judged.ods", b"PK\x03\x04 and more", "")).run()
    assert any("got a file .ods" in one.value for one in app.warning)


def parts_on_screen(before, messages):
    """What a browser shows by place, after what one run has sent so far: earlier elements stay until they are replaced."""
    screen = dict(before)
    for message in messages:
        if message.WhichOneof("type") != "delta":
            continue
        place, delta = tuple(message.metadata.delta_path), message.delta
        kind = delta.WhichOneof("type")
        if kind == "new_element" or not isinstance(screen.get(place, ""), str):
            screen = {one: what for one, what in screen.items() if one[: len(place)] != place}
        screen[place] = delta.new_element if kind == "new_element" else "block"
    return screen


def seen(screen):
    """The texts on the screen, and how many charts there are."""
    elements = [what for what in screen.values() if not isinstance(what, str)]
    texts = [what.markdown.body for what in elements if what.WhichOneof("type") == "markdown"]
    drawn = [what.bidi_component.component_name for what in elements if what.WhichOneof("type") == "bidi_component"]
    return " ".join(texts), sum("chart" in name for name in drawn)


@pytest.mark.parametrize("first", [None, "other.csv"])
def test_while_a_file_is_read_no_former_answer_stands_beside_its_name(monkeypatch, first):
    """Neither the example's, nor that of another file."""
    runs, screens = [[]], []
    enqueue = ForwardMsgQueue.enqueue

    def noted(self, message):
        if message.WhichOneof("type") == "new_session":
            runs.append([])
        copy = ForwardMsg()
        copy.CopyFrom(message)
        runs[-1].append(copy)
        enqueue(self, message)

    def table(columns):
        frame = pd.DataFrame({"judge": ["right", "wrong"] * 40, "human": (["right"] * 20 + ["wrong"] * 10 + [None] * 50)})
        return frame.iloc[columns:].to_csv(index=False).encode()

    def reading(file, *columns):
        screens.append((file.name, parts_on_screen(earlier(), runs[-1])))
        return read(file, *columns)

    def earlier():
        screen = {}
        for messages in runs[:-1]:
            now = parts_on_screen(screen, messages)
            drawn = {tuple(message.metadata.delta_path) for message in messages if message.WhichOneof("type") == "delta"}
            # At the end of a run, what it did not draw leaves.
            screen = {place: what for place, what in now.items() if place in drawn}
        return screen

    read = labelled_part.labelled_columns
    monkeypatch.setattr(labelled_part, "labelled_columns", reading)
    monkeypatch.setattr(ForwardMsgQueue, "enqueue", noted)
    app = fine(run(PAGE, way=LABELLED_PART))
    if first:
        app.file_uploader(key="own labelled table").set_value((first, table(0), "text/csv")).run()
    shown, n_charts = seen(earlier() | parts_on_screen(earlier(), runs[-1]))
    assert "95% interval" in shown
    assert n_charts
    screens.clear()
    app.file_uploader(key="own labelled table").set_value(("mine.csv", table(2), "text/csv")).run()
    name, screen = screens[0]
    shown, n_charts = seen(screen)
    assert name == "mine.csv"
    assert "95% interval" not in shown
    assert "Working on mine.csv" in shown
    assert not n_charts
    fine(app)
    assert "Working on" not in words(app)
    assert "of these 78" in words(app)


def test_groups_are_compared_by_their_own_labels(shown):
    rng = np.random.default_rng(3)
    model = np.where(np.arange(1200) % 2, "v1", "v2")
    right = rng.random(1200) < np.where(model == "v1", 0.4, 0.7)
    verdict = np.where(rng.random(1200) < np.where(right, 0.85, 0.2), "pass", "fail")
    human = np.where(np.arange(1200) % 5 < 2, np.where(right, "pass", "fail"), "")
    table = pd.DataFrame({"model": model, "verdict": verdict, "human": human})
    app = run(PAGE, way=LABELLED_PART, by="model")
    app.file_uploader(key="own labelled table").set_value(("judged.csv", table.to_csv(index=False).encode(), "text/csv")).run()
    app = fine(app.selectbox(key="against").set_value("v1").run())
    positive = "fail" if "The share of fail" in words(app) else "pass"
    moved = 100.0 * (np.mean(right[model == "v2"]) - np.mean(right[model == "v1"])) * (1 if positive == "pass" else -1)
    (rows,) = tables(app)
    (row,) = rows.dropna(subset="difference").to_dict("records")
    assert row["low"] < moved < row["high"]
    assert ("rose" if moved > 0 else "fell") in words(app)
    assert [data["name"] for data in components(app, "kept_chart")] == ["groups", "differences"]
    assert "Each group's own labels correct its count" in words(app)
