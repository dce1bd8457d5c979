"""The page "Data sets" through app.py: the gallery, uploads, whose they are, links to them; never a traceback."""

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from pages.data_sets.chosen_set import projection_figure
from pages.frame import view
from pages.own_data import uploads
from pages.settings.control import escaped
from pages.settings.setting import section_key
from pages.settings.shared import OWN_SAMPLE
from qcore import DATASETS, load_dataset
from qcore.datasets import folder, repositories
from qcore.datasets.repositories import KNOWN_SETS
from tests import warm_client
from tests.pages.app import (
    ERROR_PAGE,
    captions,
    components,
    figures,
    fine,
    go_to,
    lines,
    link,
    open_section,
    open_share_menu,
    run,
    script,
    tables,
)
from tests.repository_server import repository_server

PAGE = "data_sets"
ROWS = "\n".join(f"{i},{i * 7 % 11},{i % 5},{'yes' if i * 13 % 17 + i % 5 > 9 else 'no'}" for i in range(300))
CSV = f"id,points,code,answer\n{ROWS}\n".encode()
DIGEST = uploads.digest_of(CSV)


def table(app, label):
    return next(data for data in components(app, "small_table") if data["label"] == label)


def words_of(app):
    """The words of the data sets in the gallery."""
    return [row[0]["word"] for row in table(app, "Data sets")["rows"]]


def uploaded(content=CSV, name="mine.csv", page=PAGE, **query):
    app = run(page, **query)
    app.file_uploader[0].set_value((name, content, "text/csv")).run()
    return app


def used(**query):
    app = uploaded(**query)
    app.selectbox(key=f"label {DIGEST}").set_value("answer").run()
    app.multiselect(key=f"left out {DIGEST}").set_value(["id"]).run()
    next(button for button in app.button if button.label == "Use this table").click().run()
    return fine(app)


@pytest.mark.parametrize(("before", "positive"), [({}, "1"), ({"positive": "1"}, "1"), ({"data": "iris"}, "1")])
def test_the_class_that_a_data_set_has_by_default_does_not_stay_for_a_table(before, positive):
    """Waveform's default, 0, is a class of many tables, but the rarest of few."""
    rows = "\n".join(f"{i % 7},{i * 3 % 11},{int(i % 8 == 0)}" for i in range(200))
    app = uploaded(f"a,b,fraud\n{rows}\n".encode(), "fraud.csv", **before)
    next(button for button in app.button if button.label == "Use this table").click().run()
    fine(app)
    assert app.session_state["positive"] == positive
    assert app.session_state["data"].startswith("upload:fraud.csv")


@pytest.mark.parametrize("page", ["corrections", "error_by_prevalence"])
def test_a_class_that_a_view_names_stays_though_it_is_the_default_of_the_data_set_before(page):
    app = fine(run(ERROR_PAGE))
    assert app.session_state["positive"] == "0"
    app.session_state[view.WANTED_VIEW] = view.View(page, {"data": "digits", "positive": "0"})
    fine(app.run())
    assert (app.session_state["data"], app.session_state["positive"]) == ("digits", "0")


def test_a_class_that_a_person_has_chosen_stays_on_the_way_through_a_data_set_of_which_it_is_the_default():
    app = fine(run(PAGE, data="digits", positive="0"))
    for data in ("waveform", "digits"):
        app.query_params.clear()
        app.session_state["data"] = data
        fine(app.run())
        assert app.session_state["positive"] == "0"


@pytest.mark.parametrize(("name", "is_guess"), [("gebiet", True), ("class", False)])
def test_a_column_of_classes_that_is_a_guess_is_said_to_be_one(name, is_guess):
    rows = "\n".join(f"{i},{('low', 'mid', 'high')[i % 3]},{'north' if i % 5 else 'south'}" for i in range(60))
    app = fine(uploaded(f"umsatz,stufe,{name}\n{rows}\n".encode(), "kunden.csv"))
    assert ("is a guess: *stufe* may hold the classes as well" in captions(app)) == is_guess


class TestGallery:
    def test_every_data_set_is_there_with_its_facts(self):
        app = fine(run(PAGE))
        shown = tables(app)[0].set_index("shown")
        assert list(shown.index) == [*DATASETS, *(one.name for one in KNOWN_SETS if one.word)]
        assert (shown.loc["wine", ["rows", "features", "classes"]] == [178, 13, 3]).all()
        assert (shown.loc["HTRU2", ["rows", "features", "classes"]] == [17_898, 8, 2]).all()
        assert shown.loc["wdbc", "rarest"] == pytest.approx(212 / 569)
        assert table(app, "Data sets")["chosen"] == "waveform"

    def test_the_headline_says_how_large_and_how_hard(self):
        app = fine(run(PAGE, data="iris", positive="setosa"))
        text = " ".join(element.value for element in app.markdown)
        assert "150 rows, 4 features, 3 classes. How hard? AUC 1.00" in text

    def test_a_file_that_is_replaced_is_read_anew(self, tmp_path, monkeypatch):
        monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
        (tmp_path / "mine.csv").write_bytes(CSV)
        app = fine(run(PAGE, data="folder:mine.csv"))
        assert "300 rows" in " ".join(element.value for element in app.markdown)
        (tmp_path / "mine.csv").write_bytes(CSV[: CSV.rindex(b"\n", 0, -1)])
        assert "299 rows" in " ".join(element.value for element in fine(app.run()).markdown)

    def test_files_of_the_folder_are_there_but_those_that_hold_no_data_set(self, tmp_path, monkeypatch):
        monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
        (tmp_path / "mine.csv").write_bytes(CSV)
        (tmp_path / "list.csv").write_text("name\na\nb\n")
        app = fine(run(PAGE))
        assert [word for word in words_of(app) if word.startswith("folder:")] == ["folder:mine.csv"]
        chosen = fine(run(ERROR_PAGE, data="folder:mine.csv", size="20"))
        assert len(figures(chosen)) == 2
        assert link(chosen)["data"] == ["folder:mine.csv"]

    def test_a_table_of_ones_own_is_offered_an_estimate_first(self, tmp_path, monkeypatch):
        monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
        (tmp_path / "mine.csv").write_bytes(CSV)
        apps = [run(PAGE, data=data) for data in ("folder:mine.csv", "iris")]
        labels = [[link.proto.label for link in app.get("page_link")] for app in apps]
        own, other = (words[: words.index("Quantification Lab")] for words in labels)
        assert set(other) - set(own) == {"Estimate"}
        ways = [[button for button in app.button if button.label == "**Estimate the share in a sample**"] for app in apps]
        assert [len(buttons) for buttons in ways] == [1, 0]
        ways[0][0].click().run()
        assert apps[0].session_state["way"] == OWN_SAMPLE

    @pytest.mark.parametrize("title", ["Picture", "Features", "Where it comes from"])
    @pytest.mark.parametrize("data", ["digits", "tictactoe", "waveform"])
    def test_every_section(self, title, data):
        app = run(PAGE, data=data)
        open_section(app, "data_sets", title)
        fine(app)

    @pytest.mark.parametrize("key", DATASETS)
    def test_every_data_set_says_what_it_is_and_whose(self, key):
        app = fine(run(PAGE, data=key, data_sets_section="Where it comes from"))
        data = load_dataset(key)
        shown = " ".join(element.value for element in app.markdown)
        for text in (data.description, escaped(data.source), escaped(data.citation)):
            assert text in shown

    def test_the_picture_shows_the_classes(self):
        picture = lines(figures(fine(run(PAGE, data="iris")))[0])
        assert set(picture) == {"setosa", "versicolor", "virginica"}
        assert sum(len(trace["x"]) for trace in picture.values()) == 150
        assert set(lines(figures(fine(run(PAGE, data="digits", positive="3")))[0])) == {"3", "the others"}


class TestRepositories:
    @pytest.fixture(autouse=True)
    def network(self, tmp_path, monkeypatch):
        monkeypatch.setenv("QUANTIFICATION_LAB_CACHE", str(tmp_path))
        monkeypatch.setattr(repositories, "subprocess", warm_client.SUBPROCESS)
        with repository_server() as server:
            monkeypatch.setenv("QUANTIFICATION_LAB_UCI", server.address)
            monkeypatch.setenv("QUANTIFICATION_LAB_OPENML", server.address)
            yield server

    @pytest.mark.parametrize("number", ["uci:17", " UCI:17 ", "openml:1046"])
    def test_any_data_set_comes_by_its_number(self, number):
        app = run(PAGE)
        app.text_input(key="fetched").set_value(number).run()
        word = number.strip().lower()
        assert app.session_state["data"] == word
        assert word in words_of(fine(app))
        assert "How hard? AUC" in " ".join(element.value for element in app.markdown)
        assert "rows, 2 features, 2 classes" in " ".join(element.value for element in app.markdown)

    @pytest.mark.parametrize(
        ("typed", "words"),
        [("17", "say the repository and the number"), ("uci:seventeen", "be a number"), ("keel:iris", "say the repository")],
    )
    def test_what_is_no_number_is_one_sentence(self, typed, words):
        app = run(PAGE)
        app.text_input(key="fetched").set_value(typed).run()
        assert words in app.warning[0].value
        assert app.session_state["data"] == "waveform"

    def test_a_link_fetches_nothing_by_itself(self, network):
        app = fine(run(ERROR_PAGE, data="uci:53", size="20"))
        assert "which is not on this machine yet" in app.info[0].value
        assert network.asked == []
        assert not figures(app)
        app.button(key="fetch").click().run()
        assert len(figures(fine(app))) == 2
        assert link(app)["data"] == ["uci:53"]
        assert len(figures(fine(run(ERROR_PAGE, data="uci:53", size="20")))) == 2, "the second time nothing is asked"

    def test_without_a_network_one_sentence_says_what_there_is(self, monkeypatch):
        monkeypatch.setenv("QUANTIFICATION_LAB_UCI", "http://127.0.0.1:9")
        app = fine(run(ERROR_PAGE, data="uci:53"))
        app.button(key="fetch").click().run()
        assert "Use a data set that is already on this machine" in app.warning[0].value
        assert not app.exception

    @pytest.mark.parametrize("word", ["uci:../../x", "upload:", "uci:", "folder:", f"uci:53/{'x' * 200}"])
    def test_a_nonsense_word_in_a_link_is_said(self, word):
        app = fine(run(ERROR_PAGE, data=word))
        assert "The link's data set" in app.warning[0].value
        assert len(figures(app)) == 2

    def test_a_column_that_there_is_not_is_one_sentence(self):
        app = run(PAGE)
        app.text_input(key="fetched").set_value("uci:53/Nope").run()
        assert "column of the table" in app.warning[0].value
        assert fine(app).session_state["data"] == "waveform"
        linked = run(ERROR_PAGE, data="uci:53/Nope")
        assert "column of the table" in linked.warning[0].value
        assert not linked.exception

    def test_a_table_that_is_no_data_set_does_not_stay(self, network):
        network.rows = "ID,length,colour,Grade,Class\n" + "".join(f"{i},1.5,red,{i},{i}.5\n" for i in range(300))
        app = run(PAGE)
        app.text_input(key="fetched").set_value("uci:999").run()
        assert app.warning[0].value
        assert fine(app).session_state["data"] == "waveform"
        assert "uci:999" not in words_of(fine(run(PAGE)))

    def test_a_link_cannot_put_words_into_the_page(self):
        app = fine(run(ERROR_PAGE, data="uci:53/x. [Log in](https://nowhere.example)"))
        assert "[Log in](" not in app.info[0].value


class TestUpload:
    def test_a_table_becomes_the_data_set_of_every_page(self):
        app = used()
        word = f"upload:mine.csv/{DIGEST}/answer/-id"
        assert app.session_state["data"] == word
        assert word in words_of(app)
        go_to(app, ERROR_PAGE).run().run()  # the first run of AppTest on another page has the defaults
        assert len(figures(fine(app))) == 2
        assert link(app)["data"] == [word]
        assert "read_dataset('mine.csv', 'answer', leave_out=['id'])" in script(app)
        assert "load_dataset" not in script(app), "what is not used is not imported"
        assert components(app, "kept_chart")[0]["made"] == "mine.csv, logistic regression, samples of 100"

    @pytest.mark.parametrize(
        ("page", "section"),
        [
            *[(name, "") for name in ("error_by_prevalence", "test_size", "corrections", "estimate")],
            *[("classifier", section) for section in ("Costs", "Posteriors", "More than two classes")],
        ],
    )
    def test_it_is_called_by_its_files_name(self, page, section, monkeypatch):
        files, button = [], st.download_button

        def recorded(label, data, file_name, *rest, **more):
            files.append(file_name)
            return button(label, data, file_name, *rest, **more)

        monkeypatch.setattr(st, "download_button", recorded)
        app = used()
        go_to(app, page)
        if page == "estimate":
            app.session_state["way"] = "An example"
        app.run()
        if section:
            app.session_state[section_key(page)] = section
        open_share_menu(app)
        shown = [element.value for element in [*fine(app).markdown, *app.caption, *app.info, *app.warning]]
        assert files
        assert not [text for text in [*shown, *files] if "upload:" in text or "upload-" in text]

    def test_a_file_that_is_no_table_is_refused_and_the_page_stays(self):
        app = fine(uploaded(b"\x00\x01\x02 nothing", "picture.csv"))
        assert "must hold text or a known table format" in app.warning[0].value
        assert len(figures(app)) == 1

    def test_a_column_that_holds_no_classes_is_refused(self):
        app = uploaded()
        app.selectbox(key=f"label {DIGEST}").set_value("id").run()
        next(button for button in app.button if button.label == "Use this table").click().run()
        assert "must hold 2 to 100 classes, got 300" in fine(app).warning[0].value
        assert app.session_state["data"] == "waveform"

    def test_another_session_has_none_of_it(self):
        word = link(used())["data"][0]
        other = fine(run(PAGE))
        assert word not in words_of(other)
        asked = fine(run(ERROR_PAGE, data=word, size="20"))
        assert "only the session that uploaded it can see" in asked.info[0].value
        assert not figures(asked)

    def test_the_same_file_restores_the_view_of_a_link(self):
        first = used()
        go_to(first, ERROR_PAGE).run().run()
        first.number_input(key="size").set_value(20).run()
        restored = uploaded(page=ERROR_PAGE, **{key: words for key, words in link(first).items() if key != "v"})
        assert figures(fine(restored)) == figures(first)
        assert "upload:" in link(restored)["data"][0]
        assert not restored.info

    def test_another_file_is_refused_by_a_link(self):
        app = uploaded(b"x,class\n1,a\n2,b\n", page=ERROR_PAGE, data=f"upload:mine.csv/{DIGEST}/answer")
        assert "must be the one of the link" in app.warning[0].value

    def test_tables_can_be_forgotten(self):
        app = used()
        next(button for button in app.button if button.label == "Forget my tables").click().run()
        assert app.session_state["data"] == "waveform"
        assert words_of(fine(app))[: len(DATASETS) + 1] == [*DATASETS, KNOWN_SETS[0].word]

    def test_no_cache_is_shared_between_sessions(self, monkeypatch):
        """Whoever knows the hash but has no file gets nothing that another session has computed."""
        used()
        references = [
            uploads.DatasetReference(uploads.SOURCE, f"mine.csv/{DIGEST}/answer/-id", owner) for owner in ("", "guess")
        ]
        from pages import pipeline
        from qcore import InvalidInput

        for reference in references:
            with pytest.raises(InvalidInput, match="belong to this session"):
                pipeline.dataset(reference)


SCORES = "\n".join(f"{(i * 37 % 100 + 35 * (i % 3 == 0)) / 140:.3f},{'ill' if i % 3 == 0 else 'well'}" for i in range(400))
SCORES_CSV, POOL_CSV = (f"score,truth\n{text}\n".encode() for text in (SCORES, SCORES[: len(SCORES) // 2].rsplit("\n", 1)[0]))
SCORES_DIGEST = uploads.digest_of(SCORES_CSV)


def test_columns_that_number_the_rows_are_left_out_unless_one_says_otherwise():
    app = uploaded()
    assert app.multiselect(key=f"left out {DIGEST}").value == ["id"]
    app = used()
    assert "Left out: id (it seems to number or name the rows)." in " ".join(one.value for one in app.markdown)


class TestScores:
    """Scores of somebody's own classifier: every page that needs only scores works on them."""

    def used(self, pool=None):
        app = uploaded(SCORES_CSV, "scores.csv")
        assert app.segmented_control(key=f"kind {SCORES_DIGEST}").value == "Scores of a classifier"
        assert app.selectbox(key=f"score {SCORES_DIGEST}").value == "score"
        app.selectbox(key=f"label {SCORES_DIGEST}").set_value("truth").run()
        if pool:
            app.file_uploader(key=f"pool {SCORES_DIGEST}").set_value(("pool.csv", pool, "text/csv")).run()
        next(button for button in app.button if button.label == "Use these scores").click().run()
        return fine(app)

    def test_scores_become_the_data_set_of_every_page(self):
        app = self.used()
        assert "Classifier: your own; these are its scores." in captions(app)
        assert "classifier" not in [box.key for box in app.selectbox]
        for page in ("error_by_prevalence", "corrections", "classifier", "test_size", "search_space"):
            go_to(app, page).run().run()
            assert figures(fine(app)), page
            made = {data["made"].removesuffix(", samples of 100") for data in components(app, "kept_chart")}
            assert made == {"scores.csv"}, "made by no classifier of the app"
        data = link(app)["data"][0]
        assert data == f"upload:scores.csv/{SCORES_DIGEST}/truth/~score"

    @pytest.mark.parametrize(
        ("page", "title"),
        [("corrections", "How rates are estimated"), ("classifier", "Validation"), ("search_space", "Learners as quantifiers")],
    )
    def test_sections_that_train_say_that_there_is_nothing_to_train(self, page, title):
        app = self.used()
        go_to(app, page).run().run()
        open_section(app, page, title)
        assert "these are the scores of a classifier of your own" in fine(app).info[0].value.lower()

    def test_the_link_of_two_files_asks_for_both_in_any_order(self):
        first = self.used(POOL_CSV)
        go_to(first, ERROR_PAGE).run().run()
        word = link(first)["data"][0]
        assert word == f"upload:scores.csv/{uploads.digest_of(SCORES_CSV, POOL_CSV)}/truth/~score/+pool.csv"
        other = run(ERROR_PAGE, data=word)
        assert other.file_uploader[0].label == "The two files of this link: scores.csv and pool.csv"
        files = [("b.csv", POOL_CSV, "text/csv"), ("wrong.csv", CSV, "text/csv"), ("a.csv", SCORES_CSV, "text/csv")]
        other.file_uploader[0].set_value(files).run()
        assert figures(fine(other)) == figures(first)

    def test_scores_out_of_range_are_one_sentence(self):
        content = b"score,truth\n1.5,a\n0.2,b\n"
        app = uploaded(content, "scores.csv")
        digest = uploads.digest_of(content)
        app.segmented_control(key=f"kind {digest}").set_value("Scores of a classifier").run()
        app.selectbox(key=f"score {digest}").set_value("score").run()
        next(button for button in app.button if button.label == "Use these scores").click().run()
        assert "hold numbers from 0 to 1" in app.warning[0].value


@pytest.mark.parametrize("label", ["answer", "the class/ü", "-x", "=x"])
def test_how_a_table_is_read_is_in_its_name(label):
    table = uploads.UploadedTable("a/b.csv", "12ab", label, ("a/b", "-c"), ("d",))
    assert uploads.parse(table.name) == table


def test_the_same_classes_have_the_same_colours_in_every_process():
    """The order of a set of names differs from one process to the next."""
    labels = [name for number, name in enumerate(["f", "b", "e", "a", "d", "c"]) for _ in range(6 - number)]
    table = pd.DataFrame({"first": np.arange(21.0), "second": 0.0, "label": labels})
    drawn = projection_figure(table, "e", 0.5)
    assert [trace["name"] for trace in drawn.traces] == ["f", "b", "a", "d", "c", "e"]
    assert len({trace["marker"]["symbol"] for trace in drawn.traces}) == 6, "nor are they told apart by colour alone"
