"""The page "Learn", and how a lesson accompanies a person over all pages, through app.py."""

import os
from types import SimpleNamespace

import pytest
import streamlit as st

from pages.learn import judging
from pages.learn.check import NotComputed
from pages.learn.drawing import CURVES
from pages.learn.labels import AXES, LABELS
from pages.learn.library import FOLDER_VARIABLE, LESSONS, lessons, mistakes
from pages.learn.settings import LANGUAGE_COOKIE, LANGUAGES
from qcore.datasets import repositories
from tests.pages.app import components, fine, go_to, run

LEARN, HOME, CORRECTIONS = "learn", "home", "corrections"


def cards(app):
    (data,) = components(app, "lesson_cards")
    return data


def head(app):
    """The line of the strip that says where the person is; None without a strip."""
    lines = [one.value for one in app.markdown if " · Step " in one.value or " · Paso " in one.value]
    return lines[0] if lines else None


def button(app, label):
    (found,) = [one for one in app.button if one.label == label]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_lessons_are_cards_in_both_languages(language):
    app = fine(run(LEARN, language=language))
    code = LANGUAGES[language]
    assert [card["title"] for card in cards(app)["lessons"]] == [one.title for one in lessons(code).values()]
    assert cards(app)["labels"]["start"] == LABELS[code]["start"]
    assert LABELS[code]["glossary"] in [one.value for one in app.header]


def test_a_code_names_a_language_too():
    app = fine(run(LEARN, language="es"))
    assert cards(app)["labels"]["start"] == "Empezar"
    assert app.query_params["language"] == "Español", "as its control writes it, so that a reload finds it"


@pytest.mark.parametrize(("key", "word"), [("language", "xx"), ("student", "abc"), ("step", "abc"), ("lesson", "No Such")])
def test_an_unusable_word_of_the_address_is_explained(key, word):
    for page in (LEARN, HOME):
        app = run(page, **{"lesson": "counting", "step": "2"} | {key: word})
        assert f"`{word}`" in app.warning[0].value, page
        assert app.warning[0].value.count(f"`{word}`") == 1
        assert not app.exception


def test_the_words_are_the_same_in_all_languages():
    names = {language: set(words) for language, words in LABELS.items()}
    assert set(names) == set(LANGUAGES.values())
    assert len({frozenset(one) for one in names.values()}) == 1
    for name, text in LABELS["en"].items():
        for words in LABELS.values():
            assert words[name].count("{") == text.count("{"), name
            assert '"' not in words["hidden"]
            assert "'" not in words["hidden"]


def test_an_address_opens_a_step_on_its_page_with_its_settings():
    app = fine(run(LEARN, lesson="threshold", step="3"))
    assert head(app).startswith("**Which threshold?** · Step 3 of 8")
    assert app.session_state["p"] == 0.7
    assert app.query_params["lesson"] == "threshold"
    assert app.query_params["step"] == "3"


def test_an_address_with_settings_shows_those():
    app = fine(run(CORRECTIONS, lesson="threshold", step="3", threshold="0.31"))
    assert app.session_state["threshold"] == 0.31
    button(app, "Back to this step's view").click().run()
    assert fine(app).session_state["threshold"] == 0.5


def test_an_address_of_a_step_keeps_what_the_step_sets_and_the_address_does_not_name():
    """As after a reload: a control that was moved is in the address, an empty choice of the step's is not."""
    app = fine(run("error_by_prevalence", lesson="correction", step="2", size="50"))
    assert app.session_state["size"] == 50
    assert app.session_state["q_likelihood"] == []
    assert app.session_state["q_adjustment"] == ["AC"]


def test_next_and_back_lead_from_step_to_step_over_pages():
    app = fine(run(HOME, lesson="counting", step="4"))
    button(app, "Next →").click().run()
    assert "Step 5 of 7 · By hand" in head(fine(app))
    assert app.query_params["step"] == "5"
    assert app.session_state["p"] == 0.5
    button(app, "← Back").click().run()
    assert "Step 4 of 7" in head(fine(app))
    assert app.session_state["today"] == 0.1


def test_the_first_step_has_no_back_and_the_last_one_ends():
    app = fine(run(HOME, lesson="counting", step="1"))
    assert button(app, "← Back").disabled
    app = fine(run(HOME, lesson="counting", step="7"))
    button(app, "End of the lesson").click().run()
    assert head(fine(app)) is None
    assert len(cards(app)["lessons"]) == 9
    assert "lesson" not in app.query_params


def test_a_person_can_wander_off_and_come_back():
    app = fine(run(HOME, lesson="counting", step="4"))
    (strip,) = components(app, "lesson_strip")
    assert strip["view"] == {"today": [["0.1"], True]}, "the browser shows the way back while the address differs"
    app.session_state["today"] = 0.6
    fine(app.run())
    button(app, "Back to this step's view").click().run()
    assert fine(app).session_state["today"] == 0.1
    go_to(app, CORRECTIONS).run()
    assert "Step 4 of 7" in head(fine(app)), "the strip goes along"
    assert "This question is about another page." in [one.value for one in app.caption]
    (strip,) = components(app, "lesson_strip")
    assert strip["view"] is None
    button(app, "Back to this step's view").click().run()
    assert "How many, not which." in " ".join(one.value for one in fine(app).markdown)


def test_a_lesson_can_be_left():
    app = fine(run(HOME, lesson="counting", step="4"))
    button(app, "Leave the lesson").click().run()
    assert head(fine(app)) is None
    assert "lesson" not in app.query_params
    assert app.session_state["today"] == 0.1


def test_an_unknown_lesson_and_a_step_too_far_are_explained():
    app = run(HOME, lesson="nosuch", step="2")
    assert "lesson" in app.warning[0].value
    assert head(app) is None
    app = run(HOME, lesson="counting", step="50")
    assert "7 steps" in app.warning[0].value
    assert "Step 7 of 7" in head(app)
    button(app, "OK").click().run()
    assert not fine(app).warning


def test_a_lesson_that_is_only_in_another_language_is_opened_in_that(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / "clase.md").write_text(MINE)
    app = fine(run(HOME, lesson="clase", step="1"))
    assert " · Paso 1 de " in head(app)
    (tmp_path / "es" / "clase.md").write_text(MINE.replace("Aim", "Objetivo"))
    assert "has a mistake: the page Learn says which" in run(HOME, lesson="clase", step="1").warning[0].value
    (tmp_path / "clase.md.txt").write_text(MINE)
    assert mistakes()[0] == "The file clase.md.txt is not read: the name of a lesson's file ends in .md."
    assert mistakes()[1].startswith("es/clase.md, line ")


def test_lessons_begin_in_the_language_of_the_browser(monkeypatch):
    monkeypatch.setattr(type(st.context), "locale", "es-ES")
    assert " · Paso 1 de 7 · " in head(fine(run(HOME, lesson="counting", step="1")))
    assert " · Step 1 of 7 · " in head(fine(run(HOME, lesson="counting", step="1", language="en")))
    address = run(HOME, lesson="counting", step="1", language="en").query_params
    assert address["language"] == "en", "a reloaded page stays English"
    monkeypatch.setattr(type(st.context), "cookies", {LANGUAGE_COOKIE: "en"})
    assert " · Step 1 of 7 · " in head(fine(run(HOME, lesson="counting", step="1")))
    monkeypatch.setattr(type(st.context), "cookies", {LANGUAGE_COOKIE: "xx"})
    monkeypatch.setattr(type(st.context), "locale", "fr")
    assert " · Step 1 of 7 · " in head(fine(run(HOME, lesson="counting", step="1")))


def test_the_list_of_lessons_stays_in_the_language_that_its_address_names(monkeypatch):
    """Its control leaves out English, the default: a reloaded page would begin in the language of the browser."""
    monkeypatch.setattr(type(st.context), "locale", "es-ES")
    app = fine(run(LEARN, language="en"))
    assert app.query_params["language"] == "English"
    monkeypatch.setattr(type(st.context), "locale", "en-GB")
    assert "language" not in fine(run(LEARN)).query_params


def test_what_the_page_cannot_compute_is_shown_even_so():
    """A question about a method that is no longer chosen: Show me shows what was hidden, and can be pressed again."""
    app = fine(run("error_by_prevalence", lesson="correction", step="2", q_adjustment=""))
    assert not components(app, "drawing")
    button(app, "Show me").click().run()
    assert LABELS["en"]["wait"] in [one.value for one in fine(app).info]
    assert not button(app, "Show me").disabled
    app.session_state["q_adjustment"] = ["AC"]
    fine(app.run())
    assert components(app, "drawing")[0]["real"]
    assert f"**Shown.** {LABELS['en']['shown_draw']}" in [one.value for one in app.info]
    assert button(app, "Show me").disabled


def test_an_answer_that_waits_is_none_of_the_next_step(monkeypatch):
    kept, here, there = [], SimpleNamespace(key=1), SimpleNamespace(key=2)
    monkeypatch.setattr(judging, "st", SimpleNamespace(session_state={}))
    monkeypatch.setattr(judging, "keep", lambda where, _: kept.append(where.key))

    def waits():
        raise NotComputed("rates")

    judging.judge(here, waits)
    assert not judging.judge_later(there)
    judging.judge(here, waits)
    assert judging.judge_later(here)
    assert kept == [1, 1, 1]


def test_the_strip_is_in_the_language_of_the_lesson():
    app = fine(run(HOME, lesson="counting", step="1", language="es"))
    assert " · Paso 1 de 7 · " in head(app)
    assert button(app, "Siguiente →")
    button(app, "Siguiente →").click().run()
    assert app.query_params["language"] == "es"


def test_on_the_page_with_all_lessons_there_is_no_strip():
    app = fine(run(HOME, lesson="counting", step="2"))
    go_to(app, LEARN).run()
    assert head(fine(app)) is None
    assert cards(app)


def test_what_is_done_is_told_to_the_browser_alone():
    app = fine(run(HOME, lesson="counting", step="1"))
    assert [data["done"] for data in components(app, "lesson_strip")] == [False]
    button(app, "Show me").click().run()
    assert [data["done"] for data in components(fine(app), "lesson_strip")] == [True]
    (data,) = components(fine(run(HOME, lesson="counting", step="7")), "lesson_strip")
    assert data["done"], "a step without a question is done when it is seen"
    assert data["link"] == "/?lesson=counting&step=7&language=en"


MINE = "# Mine\nAim: Try.\nOrder: 9\n\n## Look\nView: /losses?true_p=0.3\n\nLook.\n"


def test_lessons_of_ones_own_are_shown_beside_ours(tmp_path, monkeypatch):
    (tmp_path / "mine.md").write_text(MINE)
    (tmp_path / "broken.md").write_text("# Broken\nAim: Try.\n\n## Look\nNo view.\n")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    app = run(LEARN)
    assert [(card["title"], card["own"]) for card in cards(app)["lessons"]][-1] == ("Mine", True)
    assert len(cards(app)["lessons"]) == 10
    assert "broken.md, line 4: a step opens a view" in app.warning[0].value
    assert app.session_state["language"] == "English"
    assert " · Step 1 of 1 · Look" in head(fine(run(LEARN, lesson="mine", step="1")))
    (tmp_path / "broken.md").write_text(MINE.replace("Mine", "Mended"))
    assert "Mended" in [card["title"] for card in cards(fine(run(LEARN)))["lessons"]], "a changed file is read again"


def test_a_file_of_ones_own_for_one_language_or_in_place_of_ours(tmp_path, monkeypatch):
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / "mine.md").write_text(MINE)
    (tmp_path / "counting.md").write_text(MINE.replace("Mine", "My counting"))
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert "mine" in lessons("es")
    assert "mine" not in lessons("en")
    assert lessons("en")["counting"].title == lessons("es")["counting"].title == "My counting"
    assert mistakes() == []
    assert (LESSONS / "en" / "counting.md").exists()
    (tmp_path / "counting.md").write_text("# My counting\n")
    assert lessons("en")["counting"].title == "Counting goes wrong", "ours, as long as the other has a mistake"
    assert mistakes()[0].startswith("counting.md, line 1: ")


def test_the_end_of_a_lesson_keeps_the_language():
    app = fine(run(HOME, lesson="counting", step="7", language="es", student="7"))
    button(app, "Terminar la lección").click().run()
    assert cards(fine(app))["labels"]["start"] == "Empezar"
    assert app.session_state["student"] == 7, "for the next lesson"


def test_what_has_been_shown_stays_shown():
    app = fine(run(HOME, lesson="counting", step="1"))
    button(app, "Show me").click().run()
    (radio,) = [one for one in app.radio if one.options[0] == "Fewer than 10."]
    assert f"{radio.options[radio.value]} " in " ".join(one.value for one in [*app.success, *app.info]), (
        "what is shown is chosen"
    )
    radio.set_value(0)
    button(app, "Check").click().run()
    assert "Not yet." in app.warning[0].value
    assert ".st-key-headline *" not in " ".join(one.proto.body for one in app.get("html"))


def test_an_option_is_an_answer_when_a_person_says_so():
    """Arrow keys choose options in passing."""
    app = fine(run(HOME, lesson="counting", step="1"))
    button(app, "Check").click().run()
    assert LABELS["en"]["nothing_chosen"] in [one.value for one in fine(app).info]
    (radio,) = [one for one in app.radio if one.options[0] == "Fewer than 10."]
    assert radio.form_id, "the browser sends it with Check, not before"
    radio.set_value(0)
    button(app, "Check").click().run()
    assert "Not yet." in fine(app).warning[0].value


@pytest.mark.parametrize(("typed", "language", "verdict"), [
    ("64", "en", "Right."), ("64,2 %", "es", "Correcto."), (" 64.2% ", "en", "Right."), ("\N{MINUS SIGN}3", "en", "Not yet."),
    ("0.64", "en", LABELS["en"]["no_percentage"]), ("0,642", "es", LABELS["es"]["no_percentage"]),
    ("0.9", "en", LABELS["en"]["no_percentage"]), ("%64", "en", "Right."),
    ("6_4", "en", LABELS["en"]["no_number"]), ("0.5%", "en", "Not yet."), ("64.2 percent", "en", "Right."),
    ("50 points", "en", "Not yet."), ("640", "en", LABELS["en"]["no_share"]), ("64000", "es", LABELS["es"]["no_share"]),
    ("42.6", "en", "not back yet"), ("69.2%", "en", "54 / 78"), ("42,6", "es", "se escaparon"),
    ("10", "en", "At most 11.4 of the 54"),
    ("much", "en", LABELS["en"]["no_number"]), ("", "es", LABELS["es"]["no_number"]), ("inf", "en", LABELS["en"]["no_number"]),
])  # fmt: skip
def test_a_number_is_read_as_people_write_it(typed, language, verdict):
    app = fine(run(CORRECTIONS, lesson="correction", step="1", language=language))
    (box,) = [one for one in app.text_input if str(one.key).startswith("lesson-number")]
    box.set_value(typed)
    button(app, LABELS[language]["check"]).click().run()
    assert verdict in " ".join(one.value for one in [*fine(app).success, *app.warning, *app.info])


def test_axes_of_curves_are_in_the_language_of_the_lesson():
    for curve in CURVES.values():
        assert {curve.x_label, curve.y_label} <= set(AXES["es"])
    app = fine(run(HOME, lesson="counting", step="3", language="es"))
    (data,) = components(app, "drawing")
    assert (data["x"]["label"], data["y"]["label"]) == ("proporción verdadera", "proporción estimada")


def test_a_reply_is_in_the_language_that_is_chosen_now():
    app = fine(run(CORRECTIONS, lesson="threshold", step="5"))
    button(app, "Check").click().run()
    assert "Not yet." in fine(app).warning[0].value
    app.session_state["language"] = "Español"
    assert "Todavía no." in fine(app.run()).warning[0].value
    assert "30%" in app.warning[0].value
    assert "missed" not in app.warning[0].value


def test_a_question_about_a_quantifier_that_is_not_chosen_waits():
    app = fine(run("error_by_prevalence", lesson="correction", step="2"))
    assert components(app, "drawing")
    app.session_state["q_adjustment"] = []
    fine(app.run())
    assert not components(app, "drawing")
    assert LABELS["en"]["wait"] in [one.value for one in app.caption]


def test_an_answer_is_judged_for_the_settings_that_the_page_has_drawn():
    """The control is moved in the same moment as Check is pressed."""
    app = fine(run("estimate", lesson="own-sample", step="2"))
    app.session_state["size"] = 400
    fine(app.run())
    app.session_state["size"] = 30
    button(app, "Check").click().run()
    assert "With 30 instances" in fine(app).warning[0].value
    assert not app.success


def test_an_answer_about_refused_data_is_not_judged():
    app = fine(run(CORRECTIONS, lesson="threshold", step="5", threshold="0.41"))
    button(app, "Check").click().run()
    assert "Right." in fine(app).success[0].value
    app = fine(run(CORRECTIONS, lesson="threshold", step="5", data="wdbc", share="0.02", prior="0.05"))
    button(app, "Check").click().run()
    assert not app.exception
    assert LABELS["en"]["wait"] in [one.value for one in app.info]


def test_a_lesson_whose_data_set_is_not_here_asks_for_it_and_fetches_nothing(tmp_path, monkeypatch):
    (tmp_path / "mine.md").write_text(MINE.replace("/losses?true_p=0.3", "/corrections?data=openml:31"))
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    fetched = []
    monkeypatch.setattr(repositories, "download", lambda *words: fetched.append(words))
    app = run(LEARN, lesson="mine", step="1")
    assert not app.exception
    assert " · Step 1 of 1 · Look" in head(app)
    assert "is not on this machine yet" in " ".join(one.value for one in app.info)
    assert fetched == []


def test_a_file_that_changes_under_a_person_is_no_error(tmp_path, monkeypatch):
    file = tmp_path / "mine.md"
    file.write_text(MINE + "\n## Again\nView: /losses\n")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    app = fine(run(LEARN, lesson="mine", step="1"))
    next_step = button(app, "Next →")
    file.write_text(MINE)
    os.utime(file, (1, 1))
    next_step.click().run()
    assert not app.exception
    assert "1 steps" in app.warning[0].value


def test_other_things_in_a_folder_of_ones_own_do_no_harm(tmp_path, monkeypatch):
    (tmp_path / "mine.md").write_bytes(b"\xef\xbb\xbf" + MINE.encode())
    (tmp_path / ".#mine.md").symlink_to("nowhere")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "My_Lesson.md").write_text(MINE)
    (tmp_path / "shouted.MD").write_text(MINE)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert "mine" in lessons("en"), "with the mark that some editors begin a file with"
    assert "shouted" in lessons("en")
    assert mistakes() == [
        "My_Lesson.md, line 1: the name of the file has small letters without accents, digits and hyphens, and no blanks."
    ]
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "nosuch"))
    assert mistakes() == [f"{FOLDER_VARIABLE} names a folder that is not there."]
