"""The page "Data sets" through app.py: the gallery, uploads, whose they are, links to them; never a traceback."""

import pytest

from pages.parts import uploads
from pages.parts.controls import escaped
from qcore import DATASETS, load_dataset
from qcore.datasets import folder
from tests.pages.app import ERROR_PAGE, components, figures, fine, lines, link, open_section, run, tables

PAGE = "pages/data_sets.py"
ROWS = "\n".join(f"{i},{i * 7 % 11},{i % 5},{'yes' if i * 13 % 17 + i % 5 > 9 else 'no'}" for i in range(300))
CSV = f"id,points,code,answer\n{ROWS}\n".encode()
DIGEST = uploads.digest_of(CSV)


def table(app, label):
    return next(data for data in components(app, "small_table") if data["label"] == label)


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


class TestGallery:
    def test_every_data_set_is_there_with_its_facts(self):
        app = fine(run(PAGE))
        shown = tables(app)[0].set_index("data")
        assert list(shown.index) == list(DATASETS)
        assert (
            shown.loc["letter" if "letter" in shown.index else "wine", ["rows", "features", "classes"]] == [178, 13, 3]
        ).all()
        assert shown.loc["wdbc", "rarest"] == pytest.approx(212 / 569)
        assert table(app, "Data sets")["chosen"] == "waveform"

    def test_the_headline_says_how_large_and_how_hard(self):
        app = fine(run(PAGE, data="iris", positive="setosa"))
        text = " ".join(element.value for element in app.markdown)
        assert "150 rows, 4 features, 3 classes. How hard? AUC 1.00" in text

    def test_files_of_the_folder_are_there_but_those_that_hold_no_data_set(self, tmp_path, monkeypatch):
        monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
        (tmp_path / "mine.csv").write_bytes(CSV)
        (tmp_path / "list.csv").write_text("name\na\nb\n")
        app = fine(run(PAGE))
        assert list(tables(app)[0]["data"])[-1] == "folder:mine.csv"
        chosen = fine(run(ERROR_PAGE, data="folder:mine.csv", size="20"))
        assert len(figures(chosen)) == 2
        assert link(chosen)["data"] == ["folder:mine.csv"]

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


class TestUpload:
    def test_a_table_becomes_the_data_set_of_every_page(self):
        app = used()
        word = f"upload:mine.csv/{DIGEST}/answer/-id"
        assert app.session_state["data"] == word
        assert list(tables(app)[0]["data"])[-1] == word
        app.switch_page(ERROR_PAGE).run().run()  # the first run of AppTest on another page has the defaults
        assert len(figures(fine(app))) == 2
        assert link(app)["data"] == [word]
        assert "read_dataset('YOUR FILE', 'answer', leave_out=['id'], as_text=[])" in app.code[0].value
        assert components(app, "kept_chart")[0]["made"] == "mine.csv, logistic regression"

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
        assert word not in list(tables(other)[0]["data"])
        asked = fine(run(ERROR_PAGE, data=word, size="20"))
        assert "only the session that uploaded it can see" in asked.info[0].value
        assert not figures(asked)

    def test_the_same_file_restores_the_view_of_a_link(self):
        first = used()
        first.switch_page(ERROR_PAGE).run().run()
        first.slider(key="size").set_value(20).run()
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
        assert list(tables(fine(app))[0]["data"]) == list(DATASETS)

    def test_no_cache_is_shared_between_sessions(self, monkeypatch):
        """Whoever knows the hash but has no file gets nothing that another session has computed."""
        used()
        references = [
            uploads.DatasetReference(uploads.SOURCE, f"mine.csv/{DIGEST}/answer/-id", owner) for owner in ("", "guess")
        ]
        from pages.parts import cached
        from qcore import InvalidInput

        for reference in references:
            with pytest.raises(InvalidInput, match="belong to this session"):
                cached.dataset(reference)


@pytest.mark.parametrize("label", ["answer", "the class/ü", "-x", "=x"])
def test_how_a_table_is_read_is_in_its_name(label):
    table = uploads.UploadedTable("a/b.csv", "12ab", label, ("a/b", "-c"), ("d",))
    assert uploads.parse(table.name) == table
