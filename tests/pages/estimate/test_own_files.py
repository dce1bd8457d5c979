"""Own files on the page "Estimate": in any order, both in one, exchanged, kept over a change of page; what is said of them."""

import json

import numpy as np
import pandas as pd
import pytest

from pages.estimate.settings import OWN
from pages.frame.presets import OWN_DATA
from pages.own_data import uploads
from qcore import estimate_sample, read_dataset, score_sample
from qcore.__main__ import main
from tests.pages.app import ERROR_PAGE, chart, components, fine, go_to, link, run, script
from tests.pages.app import tables as small_tables

PAGE = "estimate"


def customers(n, share, seed, **more):
    """A table of customers, `share` of whom leave."""
    rng = np.random.default_rng(seed)
    leaves = (np.arange(n) < share * n).astype(int)
    rng.shuffle(leaves)
    table = {
        "id": 1000 + rng.permutation(n),
        "months": rng.normal(30 - 12 * leaves, 8).round(2),
        "calls": rng.poisson(1 + 2 * leaves),
    }
    return pd.DataFrame(table | more), np.where(leaves == 1, "leaves", "stays")


@pytest.fixture(scope="module")
def tables():
    (labelled, classes), (counted, truth) = customers(400, 0.3, 1), customers(300, 0.6, 2)
    return labelled.assign(churn=classes), counted, truth


def drop(app, key, frame, name):
    content = frame if isinstance(frame, bytes) else frame.to_csv(index=False).encode()
    return app.file_uploader(key=key).set_value((name, content, "text/csv")).run()


def words(app):
    shown = [element.value for element in [*app.markdown, *app.caption, *app.info, *app.warning]]
    return " ".join(text for text in shown if not text.startswith("Data set: "))  # what is printed with the page


def labels(app):
    return [button.label for button in app.button]


def press(app, start):
    return next(button for button in app.button if button.label.startswith(start)).click().run()


def interval(app, method="AC"):
    return next(trace["x"] for trace in chart(app, "intervals")["figure"]["data"] if trace["name"] == method)


@pytest.fixture(scope="module")
def expected(tables, tmp_path_factory):
    labelled, counted, _ = tables
    path = tmp_path_factory.mktemp("labelled") / "train.csv"
    labelled.to_csv(path, index=False)
    data = read_dataset(path, "churn", leave_out=["id"])
    row = estimate_sample(*score_sample(data, counted, "leaves"), ["AC"]).table.iloc[0]
    return pytest.approx([row.low, row.high], abs=1e-6)


@pytest.mark.parametrize("first", ["own labelled", "own sample"])
def test_two_files_in_any_order_give_the_answer(tables, expected, first):
    labelled, counted, _ = tables
    files = {"own labelled": (labelled, "train.csv"), "own sample": (counted, "new.csv")}
    app = fine(run(PAGE, way=OWN))
    assert "Choose two files" in words(app)
    assert "aveform" not in words(app)
    drop(app, first, *files.pop(first))
    assert "Now choose the " in words(fine(app))
    assert "aveform" not in words(app)
    ((key, file),) = files.items()
    drop(app, key, *file)
    assert app.session_state["positive"] == "leaves", "the rarer class"
    assert interval(fine(app)) == expected
    assert "are leaves (95% interval" in words(app)
    assert words(app).count("Left out: id (it seems to number or name the rows).") >= 2, "beside the headline, and below"


def test_the_same_file_twice_is_said(tables):
    labelled, _, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    drop(app, "own sample", labelled, "again.csv")
    assert "train.csv and again.csv are the same file" in words(fine(app))


def test_what_was_dropped_survives_a_change_of_page(tables, expected):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own sample", counted, "new.csv")
    go_to(app, ERROR_PAGE).run().run()
    go_to(app, PAGE).run()
    app.session_state["way"] = OWN
    app.run()
    assert "new.csv is here." in words(fine(app))
    assert interval(fine(drop(app, "own labelled", labelled, "train.csv"))) == expected
    go_to(app, ERROR_PAGE).run().run()
    go_to(app, PAGE).run()
    app.session_state["way"] = OWN
    assert interval(fine(app.run())) == expected
    app.button(key="remove counted").click().run()
    assert "Now choose the file to be counted" in words(fine(app))


def test_exchanged_files_are_understood(tables, expected):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", counted, "new.csv")
    app = fine(drop(app, "own sample", labelled, "train.csv"))
    assert "train.csv has one more column, churn: so it is taken for the labelled file, and new.csv is counted" in words(app)
    assert interval(app) == expected


def test_files_of_scores_with_groups_are_exchanged_by_the_usual_name_of_the_classes():
    rng = np.random.default_rng(5)
    labelled = pd.DataFrame({"id": range(200), "score": rng.random(200).round(3), "label": np.tile(["refund", "other"], 100)})
    counted = pd.DataFrame(
        {"id": range(300), "team": np.tile(["North", "South", "West"], 100), "score": rng.random(300).round(3)}
    )
    app = drop(run(PAGE, way=OWN), "own labelled", counted, "may.csv")
    app = fine(drop(app, "own sample", labelled, "train.csv"))
    assert "train.csv has one more column, label: so it is taken for the labelled file, and may.csv is counted" in words(app)


def test_a_refused_labelled_file_is_the_one_that_the_menu_names():
    comments = pd.DataFrame(
        {"comment": [f"the parcel number {n} came late" for n in range(60)], "label": np.tile(["a", "b"], 30)}
    )
    app = drop(run(PAGE, way=OWN), "own labelled", comments, "train.csv")
    app = fine(drop(app, "own sample", comments[["comment"]], "new.csv"))
    assert any(element.proto.popover.label == "Files: train.csv and new.csv" for element in app.get("popover"))


def test_one_file_with_a_column_partly_empty_is_both(tables, expected):
    labelled, counted, _ = tables
    both = pd.concat([labelled, counted], ignore_index=True).assign(id=range(700))
    app = fine(drop(run(PAGE, way=OWN), "own labelled", both, "all.csv"))
    assert interval(app) == expected
    assert "300 rows have no label: nothing is learnt from them." in words(app), "of training"
    app = fine(drop(run(PAGE, way=OWN), "own sample", both, "all.csv"))
    assert "may hold classes in 400 of its 700 rows: churn" in words(app)
    assert interval(fine(press(app, "Take it as the labelled file"))) == expected


def test_the_script_of_one_file_counts_the_rows_without_a_class(tables, expected, tmp_path, monkeypatch):
    labelled, counted, _ = tables
    both = pd.concat([labelled, counted], ignore_index=True).assign(id=range(700))
    app = fine(drop(run(PAGE, way=OWN), "own labelled", both, "all.csv"))
    both.to_csv(tmp_path / "all.csv", index=False)
    monkeypatch.chdir(tmp_path)
    source = script(app).partition("print(found)")[0]
    made = {}
    exec(source, made)
    row = made["found"].set_index("method").loc["AC"]
    assert [row.low, row.high] == expected


def test_a_labelled_file_as_the_second_is_asked_about_and_says_the_truth(tables):
    labelled, counted, truth = tables
    app = fine(drop(run(PAGE, way=OWN), "own sample", labelled, "train.csv"))
    assert "train.csv has a column that may hold classes: churn" in words(app)
    press(app, "Take it as the labelled file")
    assert "Now choose the file to be counted" in words(fine(app))
    app = fine(drop(app, "own sample 1", counted.assign(churn=truth), "new.csv"))
    assert "In truth it is 60%." in words(app), "its classes are known, but not used"


def test_an_unlabelled_file_as_the_first_can_be_moved(tables, expected):
    labelled, counted, _ = tables
    app = fine(drop(run(PAGE, way=OWN), "own labelled", counted, "new.csv"))
    app = fine(press(app, "It has no classes"))
    assert "Now choose the labelled file" in words(app)
    assert interval(fine(drop(app, "own labelled 1", labelled, "train.csv"))) == expected


def test_the_class_to_be_counted_is_chosen_beside_the_files(tables):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = drop(app, "own sample", counted, "new.csv")
    app.selectbox(key="positive class of own files").set_value("stays").run()
    assert fine(app).session_state["positive"] == "stays"
    assert "are stays (95% interval" in words(app)


@pytest.mark.parametrize("broken", [False, True], ids=["another file", "a broken one between"])
def test_the_class_that_is_counted_stays_with_another_labelled_file(tables, broken):
    labelled, counted, _ = tables
    app = drop(drop(run(PAGE, way=OWN), "own labelled", labelled, "a.csv"), "own sample", counted, "sample.csv")
    app.selectbox(key="positive class of own files").set_value("stays").run()
    if broken:
        drop(app, "own labelled", b"\x00\x01", "b.csv")
    app = fine(drop(app, "own labelled", labelled.iloc[:300], "c.csv"))
    assert app.session_state["positive"] == "stays"
    other = labelled.assign(churn=np.where(labelled.churn == "stays", "calm", "angry"))
    assert fine(drop(app, "own labelled", other, "d.csv")).session_state["positive"] == "angry", "its rarest class"


def test_another_data_set_of_the_sidebar_is_said_and_can_be_undone(tables, expected):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = drop(app, "own sample", counted, "new.csv")
    app.selectbox(key="data").set_value("iris").run()
    assert "Now iris is labelled, since it is chosen in the sidebar." in words(app)
    assert "have the 4 features" in app.warning[0].value
    assert interval(fine(press(app, "Use train.csv again"))) == expected


def test_labelled_scores_and_scores_to_be_counted(tables):
    rng = np.random.default_rng(4)
    truth = rng.random(600) < 0.4
    score = np.clip(rng.normal(0.35 + 0.3 * truth, 0.15), 0.0, 1.0)
    labelled = pd.DataFrame({"score": score[:400], "y": np.where(truth[:400], "spam", "ham")})
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "scores.csv")
    app = fine(drop(app, "own sample", pd.DataFrame({"score": score[400:]}), "new.csv"))
    low, high = interval(app)
    assert low < truth[400:].mean() < high
    assert app.session_state["positive"] == "spam"
    app.session_state["estimate_section"] = "Which method"
    assert "** was lowest" in words(fine(app.run())), "the recommender needs no features but the score"


def test_a_file_of_one_class_asks_for_the_label(tables):
    labelled, _, _ = tables
    one = labelled.assign(churn="no")
    one.insert(0, "sex", np.where(one.calls > 1, "f", "m"))
    app = fine(drop(run(PAGE, way=OWN), "own labelled", one, "train.csv"))
    assert "The column churn of train.csv holds only one class, 'no'. Which column holds two classes or more?" in words(app)
    assert "Which column of the labelled file holds the classes" in words(app)
    assert app.session_state["data"] == "waveform"


def test_where_the_labelled_file_alone_lacks_a_header_it_is_to_get_one(tables):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled.to_csv(index=False, header=False).encode(), "train.csv")
    drop(app, "own sample", counted, "new.csv")
    assert "The header of train.csv is missing" in " ".join(error.value for error in fine(app).warning)


def test_a_sample_that_has_the_classes_too_says_what_is_taken_for_them(tables):
    labelled, counted, truth = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", counted.assign(churn=truth), "new.csv"))
    assert "new.csv has the column churn in every row, too: it is taken for the truth" in words(app)


def test_a_file_without_a_header_keeps_its_first_row(tables):
    labelled, _, _ = tables
    content = labelled.drop(columns="id").to_csv(index=False, header=False).encode()
    app = fine(drop(run(PAGE, way=OWN), "own labelled", content, "train.csv"))
    assert "No header: the first row holds values" in words(app)
    assert "of 400 instances" in words(app)


def test_a_file_that_is_no_table_is_one_sentence():
    app = drop(run(PAGE, way=OWN), "own labelled", b"\x00\x01", "picture.csv")
    assert "must hold text or a known table format" in app.warning[0].value
    assert not app.exception


def test_an_unlabelled_file_with_one_more_column_is_not_taken_for_the_labelled_one(tables, expected):
    labelled, counted, _ = tables
    region = np.where(counted.calls > 2, "north", "south")
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", counted.assign(churn=np.nan, region=region), "new.csv"))
    assert app.session_state["data"].startswith("upload:train.csv/")
    assert interval(app) == expected


@pytest.mark.parametrize("known", [300, 60])
def test_a_sample_with_labels_and_months_is_not_taken_for_the_labelled_one(tables, expected, known):
    labelled, counted, truth = tables
    months = [f"{row % 12 + 1}/2024" if row % 5 else None for row in range(300)]
    more = counted.assign(churn=np.where(np.arange(300) < known, truth, None), month=months)
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", more, "new.csv"))
    assert app.session_state["data"].startswith("upload:train.csv/")
    assert interval(app) == expected


@pytest.mark.parametrize("placeholder", ["unknown", "stays", 0])
def test_one_value_in_place_of_all_classes_is_no_truth(tables, placeholder):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", counted.assign(churn=placeholder), "new.csv"))
    assert "In truth" not in words(app)


@pytest.mark.parametrize(("written", "shown"), [(str.upper, "**LEAVES** and **STAYS**"), (lambda _name: "n*a", r"**n\*a**")])
def test_labels_that_are_no_classes_are_named_and_no_truth(tables, written, shown):
    labelled, counted, truth = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", counted.assign(churn=[written(name) for name in truth]), "new.csv"))
    assert f"holds {shown}, and the classes are called **leaves** and **stays**" in words(app)
    assert "it is taken for the truth" not in words(app)
    assert "In truth" not in words(app)


def test_names_stay_as_they_are_written_in_titles(tables):
    labelled, counted, _ = tables
    named = labelled.assign(churn=np.where(labelled.churn == "leaves", "goes_away <b>", "stays_here"))
    app = drop(run(PAGE, way=OWN, positive="goes_away <b>"), "own labelled", named, "train.csv")
    app = fine(drop(app, "own sample", counted, "new.csv"))
    title = chart(app, "intervals")["figure"]["layout"]["title"]
    assert title["text"] in ("What share is goes_away &lt;b>?", "What share is stays_here?")
    assert title["subtitle"]["text"].startswith("new.csv, 300 instances; ")


def test_choices_of_columns_survive_and_only_the_last_is_a_data_set(tables, expected):
    labelled, counted, _ = tables
    table = labelled.assign(region=np.where(labelled.calls > 2, "north", "south"))
    app = drop(run(PAGE, way=OWN), "own labelled", table, "train.csv")
    digest = uploads.digest_of(table.to_csv(index=False).encode())
    app.selectbox(key=f"label {digest}").set_value("churn").run()
    app.multiselect(key=f"left out {digest}").set_value(["id", "region"]).run()
    app = fine(drop(app, "own sample", counted, "new.csv"))
    assert interval(app) == expected
    app.button_group(key="way").set_value("counts").run()
    app.button_group(key="way").set_value(OWN).run()
    assert interval(fine(app)) == expected
    assert len([word for word in app.selectbox(key="data").options if word.startswith("upload:")]) == 1


def test_a_removed_file_of_an_exchanged_pair_leaves_the_other_in_its_place(tables):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", counted, "new.csv")
    app = fine(drop(app, "own sample", labelled, "train.csv"))
    app.button(key="remove counted").click().run()
    assert app.session_state["data"].startswith("upload:train.csv/")
    assert "Now choose the file to be counted" in words(fine(app))


def test_blank_cells_are_no_class(tables):
    rng = np.random.default_rng(4)
    truth = rng.random(600) < 0.4
    score = np.clip(rng.normal(0.35 + 0.3 * truth, 0.15), 0.0, 1.0)
    table = pd.DataFrame({"score": score, "y": np.where(np.arange(600) < 400, np.where(truth, "spam", "ham"), " ")})
    app = fine(drop(run(PAGE, way=OWN), "own labelled", table, "scores.csv"))
    low, high = interval(app)
    assert low < truth[400:].mean() < high


def test_the_link_to_one_file_shows_the_same_in_another_session(tables, expected):
    labelled, counted, _ = tables
    both = pd.concat([labelled, counted], ignore_index=True).assign(id=range(700))
    app = fine(drop(run(PAGE, way=OWN), "own labelled", both, "all.csv"))
    kept = {key: value for key, value in link(app).items() if key != "v"}
    other = run(PAGE, **kept)
    assert other.file_uploader[0].label == "The file of this link: all.csv"
    other.file_uploader[0].set_value([("all.csv", both.to_csv(index=False).encode(), "text/csv")]).run()
    assert interval(fine(other)) == expected


def test_exchanged_files_with_a_column_of_words_are_understood_and_can_be_exchanged_again(tables):
    labelled, counted, _ = tables
    plan = ["family", "plus", "single"]
    labelled, counted = (table.assign(plan=[plan[i % 3] for i in range(len(table))]) for table in (labelled, counted))
    labelled = labelled[[*counted.columns, "churn"]]
    app = drop(run(PAGE, way=OWN), "own labelled", counted, "new.csv")
    app = fine(drop(app, "own sample", labelled, "train.csv"))
    assert "train.csv has one more column, churn" in words(app)
    assert app.session_state["data"].startswith("upload:train.csv/")
    app = fine(press(app, "Exchange them again"))
    assert app.session_state["data"].startswith("upload:new.csv/"), "whoever insists is believed"


def test_of_a_labelled_file_of_one_class_the_question_stays_in_view(tables):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled.assign(churn="no"), "train.csv")
    app = fine(drop(app, "own sample", counted, "new.csv"))
    assert "The column churn of train.csv holds only one class" in words(app)
    assert "positive class of own files" not in [box.key for box in app.selectbox], "there is no class to choose yet"


def test_a_feature_is_no_column_of_groups_without_a_warning(tables):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", counted, "new.csv"))
    box = app.selectbox(key="by")
    assert box.value == "no groups"
    box.set_value("calls").run()
    assert "**calls is a feature of the classifier**" in words(fine(app))


def test_my_sample_is_the_own_files_again_after_an_example(tables, expected):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", counted, "new.csv"))
    app = fine(press(app, "A sample, scored"))
    assert app.session_state["data"] == "waveform"
    app = fine(app.button_group(key="way").set_value(OWN).run())
    assert "must have the" not in words(app)
    assert interval(app) == expected


def test_a_link_to_counts_needs_no_table_of_another_session():
    app = fine(run(PAGE, way="counts", data="upload:train.csv/0123456789abcdef.churn", positive="leaves"))
    assert "uploaded table" not in words(app)
    assert app.session_state["data"] == "waveform"
    assert chart(app, "intervals")


def test_a_guess_of_the_classes_says_so_until_another_column_is_chosen(tables):
    labelled, _, _ = tables
    app = fine(run(PAGE, way=OWN))
    drop(app, "own labelled", labelled.assign(unit=np.where(np.arange(len(labelled)) % 2, "A", "B")), "train.csv")
    assert "unit is a guess: *churn* may hold the classes as well" in words(fine(app))
    (box,) = [box for box in app.selectbox if box.label == "Column with the classes"]
    box.set_value("churn").run()
    assert "is a guess" not in words(fine(app))
    (box,) = [box for box in app.selectbox if box.label == "Column with the classes"]
    box.set_value("unit").run()
    assert "is a guess" not in words(fine(app)), "it was chosen"


def test_what_a_classifier_says_is_not_taken_for_the_classes(tables):
    labelled, counted, truth = tables
    app = fine(run(PAGE, way=OWN))
    said = {"y_pred": np.where(labelled.months < 25, "leaves", "stays")}
    drop(app, "own labelled", labelled.drop(columns="churn").assign(y_true=labelled.churn, **said), "train.csv")
    drop(app, "own sample", counted.assign(y_pred=np.where(counted.months < 25, "leaves", "stays")), "new.csv")
    assert "In truth" not in words(fine(app)), "the predictions are no truth"
    low, high = interval(app)
    assert low < (truth == "leaves").mean() < high


def test_a_column_of_dates_is_no_feature_and_tells_groups_apart(tables):
    labelled, counted, _ = tables
    days = [[f"{1 + i % 28:02d}.{month}.2025" for i in range(n)] for month, n in (("01", 400), ("02", 300))]
    app = fine(run(PAGE, way=OWN))
    drop(app, "own labelled", labelled.assign(received=days[0]), "train.csv")
    (label,) = [box for box in app.selectbox if box.label == "Column with the classes"]
    assert label.value == "churn", "the last column holds dates"
    (left_out,) = [box for box in app.multiselect if box.label == "Leave out"]
    assert left_out.value == ["id", "received"]
    drop(app, "own sample", counted.assign(received=days[1]), "new.csv")
    assert "range of the labelled data? **Yes" in words(fine(app)), "a date of another month is not outside"
    assert app.selectbox(key="by").options[1] == "received"


def test_what_the_link_keeps_is_said(tables):
    labelled, counted, _ = tables
    app = fine(run(PAGE, way=OWN))
    assert OWN_DATA not in words(app)
    drop(app, "own labelled", labelled, "train.csv")
    assert OWN_DATA in words(fine(app)), "a link keeps neither file"
    drop(app, "own sample", counted, "new.csv")
    assert OWN_DATA in words(fine(app))


def test_several_files_are_compared(tables):
    labelled, counted, _ = tables
    halves = [("may.csv", counted[:150]), ("june.csv", counted[150:]), ("july.csv", counted)]
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    box = app.file_uploader(key="own sample")
    fine(box.set_value([(name, one.to_csv(index=False).encode(), "text/csv") for name, one in halves]).run())
    assert app.selectbox(key="by").value == "file"
    assert app.selectbox(key="against").options[:3] == ["may.csv", "june.csv", "july.csv"]
    assert names_of_groups(app) == ["may.csv", "june.csv", "july.csv"]


def names_of_groups(app):
    (table, *_) = small_tables(app)
    return table.group.tolist()


def test_files_of_other_columns_are_refused_by_name(tables):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    other = counted.rename(columns={counted.columns[0]: "renamed"})
    files = [(name, one.to_csv(index=False).encode(), "text/csv") for name, one in (("may.csv", counted), ("june.csv", other))]
    app.file_uploader(key="own sample").set_value(files).run()
    assert "The columns of june.csv must be those of may.csv" in app.warning[0].value


def test_weights_of_rows_give_weighted_shares(tables):
    labelled, counted, _ = tables
    weighted = counted.assign(weight=np.where(np.arange(len(counted)) % 3, 1.0, 2.5))
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    plain = words(fine(drop(app, "own sample", weighted, "new.csv")))
    app = fine(app.selectbox(key="weights").set_value("weight").run())
    said = words(app)
    assert said != plain
    (figure, *_) = [one["figure"] for one in components(app, "kept_chart")]
    assert "weighted by weight" in json.dumps(figure)
    assert "weights=table['weight']" in script(app)


def test_a_score_for_each_class_is_found():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 300)
    shares = rng.dirichlet([0.7, 0.7, 0.7], 300)
    shares[np.arange(300), truth] += 1.0
    shares /= shares.sum(axis=1, keepdims=True)
    names = np.array(["cat", "dog", "hen"])
    labelled = pd.DataFrame({**{f"p_{name}": shares[:, i].round(4) for i, name in enumerate(names)}, "class": names[truth]})
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "scores.csv")
    assert r"A score for each class: p\_cat (cat), p\_dog (dog) and p\_hen (hen)" in words(app)
    app = fine(drop(app, "own sample", labelled.drop(columns="class"), "new.csv"))
    rarest = names[np.argmin(np.bincount(truth))]
    assert f"are {rarest} (95% interval" in words(app)


@pytest.mark.parametrize("against", ["old", "all others"])
def test_a_plan_starts_where_the_command_starts(against, tables, tmp_path, capsys, monkeypatch):
    labelled, counted, _ = tables
    counted = counted.assign(plan_of=np.where(np.arange(300) < 180, "old", "new"))
    app = run(PAGE, way=OWN, estimate_section="How many do I need", by="plan_of", against=against)
    for key, frame, name in (("own labelled", labelled, "train.csv"), ("own sample", counted, "new.csv")):
        frame.to_csv(tmp_path / name, index=False)
        drop(app, key, frame, name)
    monkeypatch.chdir(tmp_path)
    more = ["--leave-out", "id", "--by", "plan_of", "--against", against, "--plan", "3"]
    assert main(["estimate", "train.csv", "new.csv", "--positive", "leaves", *more]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("To see a change", "Labels of its own"))]
    assert len(said) == 2
    assert all(f"- {line}" in words(fine(app)) for line in said)


def scored_animals(n, seed, shares):
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, n, p=shares)
    scores = rng.dirichlet(np.ones(3), n) * 0.4 + 0.6 * np.eye(3)[truth]
    return pd.DataFrame(scores.round(3), columns=["p0", "p1", "p2"]), np.array(["cat", "dog", "hen"])[truth]


def test_all_classes_of_given_scores_are_those_of_the_command(tmp_path, capsys, monkeypatch):
    (labelled, classes), (counted, _) = scored_animals(300, 1, [0.3, 0.3, 0.4]), scored_animals(400, 2, [0.6, 0.3, 0.1])
    files = {"own labelled": (labelled.assign(kind=classes), "train.csv"), "own sample": (counted, "new.csv")}
    app = run(PAGE, way=OWN, estimate_section="All classes")
    for key, (frame, name) in files.items():
        frame.to_csv(tmp_path / name, index=False)
        drop(app, key, frame, name)
    shown = next(table for table in small_tables(fine(app)) if "joint_low" in table).set_index(["method", "class"])
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", "train.csv", "new.csv", "--label", "kind", "--all-classes", "--json", "--method", "EMQ"]) == 0
    printed = pd.DataFrame(json.loads(capsys.readouterr().out)["estimates"]).set_index(["method", "class"])
    columns = ["estimate", "low", "high", "joint_low", "joint_high"]
    both = printed.loc[["EMQ", "posterior"], columns]
    assert shown.loc[both.index, columns].to_numpy() == pytest.approx(both.to_numpy(), abs=1e-6)
    made: dict[str, object] = {"__name__": "shown"}
    exec(next(code.value for code in app.code if "classes=data.classes" in code.value), made)
    assert made["found"].set_index(["method", "class"]).loc[both.index, columns].to_numpy() == pytest.approx(both.to_numpy())


def test_the_positive_class_chooses_among_given_scores():
    (labelled, classes), (counted, _) = scored_animals(300, 1, [0.3, 0.3, 0.4]), scored_animals(400, 2, [0.6, 0.3, 0.1])
    app = drop(run(PAGE, way=OWN), "own labelled", labelled.assign(kind=classes), "train.csv")
    app = fine(drop(app, "own sample", counted, "new.csv"))
    for name, share in (("cat", 0.6), ("hen", 0.1)):
        app = fine(app.selectbox(key="positive").set_value(name).run())
        low, high = interval(app)
        assert low < share < high


def comments(n, share, seed):
    rng = np.random.default_rng(seed)
    complains = rng.random(n) < share
    said = (
        ["the parcel {} came too late", "it is broken, no answer to {}"],
        ["thank you for {} lovely days", "all well with {}"],
    )
    texts = [rng.choice(said[0 if one else 1]).format(rng.integers(2, 900)) for one in complains]
    return pd.DataFrame({"comment": texts}), np.where(complains, "complaint", "praise")


@pytest.mark.parametrize("in_one_file", [False, True])
def test_comments_are_learnt_from_as_the_command_does(in_one_file, tmp_path, capsys, monkeypatch):
    (labelled, classes), (counted, _) = comments(200, 0.5, 1), comments(300, 0.2, 2)
    labelled = labelled.assign(kind=classes)
    both = pd.concat([labelled, counted], ignore_index=True)
    files = [("own labelled", both, "both.csv")]
    if not in_one_file:
        files = [("own labelled", labelled, "train.csv"), ("own sample", counted, "new.csv")]
    app = run(PAGE, way=OWN)
    for key, frame, name in files:
        frame.to_csv(tmp_path / name, index=False)
        drop(app, key, frame, name)
    assert "A classifier learns from its words alone: TF-IDF" in words(fine(app))
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", *(name for *_, name in files), "--text", "comment", "--label", "kind", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert "are praise" in words(app) or "are complaint" in words(app)
    row = next(one for one in printed["estimates"] if one["method"] == "AC")
    assert interval(app) == pytest.approx([row["low"], row["high"]], abs=1e-6)
    made: dict[str, object] = {"__name__": "shown"}
    exec(script(app), made)
    assert made["found"].set_index("method").loc["AC", ["low", "high"]].tolist() == pytest.approx([row["low"], row["high"]])


def test_texts_on_other_pages_are_scores_of_a_classifier_of_their_own():
    labelled, classes = comments(200, 0.5, 1)
    app = drop(run(PAGE, way=OWN), "own labelled", labelled.assign(kind=classes), "train.csv")
    for page in (ERROR_PAGE, "classifier", "corrections", "test_size", "data_sets"):
        assert fine(go_to(app, page).run().run()), page


def test_the_counted_file_is_named_in_the_link_and_another_one_of_its_name_is_noticed(tables):
    labelled, counted, _ = tables
    app = drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")
    app = fine(drop(app, "own sample", counted, "new.csv"))
    named = link(app)["sample_file"][0]
    assert named.startswith("new.csv/")
    assert app.query_params["sample_file"] == named  # a link may be taken from the address, too
    app = fine(run(PAGE, way=OWN, sample_file=named))
    assert "This link was made with new.csv" in words(app)
    assert "another file" not in words(drop(app, "own sample", counted, "new.csv"))
    app = drop(run(PAGE, way=OWN, sample_file=named), "own sample", counted[:100], "new.csv")
    assert "new.csv is not the file that the link was made with" in words(app)


def test_a_column_of_sentences_is_said_not_to_be_learnt_from(tables):
    labelled, _counted, _ = tables
    said = [f"the parcel number {number} came late" for number in range(len(labelled))]
    app = drop(run(PAGE, way=OWN), "own labelled", labelled.assign(comment=said), "train.csv")
    assert "The column comment is free text, which is left out. Choose “Texts” above" in words(fine(app))
    assert "free text" not in words(fine(drop(run(PAGE, way=OWN), "own labelled", labelled, "train.csv")))


def test_a_file_without_classes_is_said_to_have_none():
    table = pd.DataFrame({"ticket_id": [f"L{number:05}" for number in range(600)], "length": np.linspace(1, 90, 600).round(2)})
    app = fine(drop(run(PAGE, way=OWN), "own labelled", table, "nolabel.csv"))
    assert r"No column of nolabel.csv looks like classes (found: ticket\_id, length)" in words(app)
