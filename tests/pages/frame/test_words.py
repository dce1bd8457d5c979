"""The frame around a page speaks the language of the lesson that the page is part of."""

import pytest

from pages.frame.words import SPANISH
from pages.learn.library import lessons
from pages.listed import PAGES
from tests.pages.app import components, fine, open_share_menu, run

IN_LESSONS = sorted({step.view.page for lesson in lessons().values() for step in lesson.steps} - {"home"})


@pytest.mark.parametrize("name", IN_LESSONS)
def test_every_page_of_a_lesson_has_a_title_and_a_question_in_spanish(name):
    assert PAGES[name].title in SPANISH
    assert PAGES[name].question in SPANISH


def test_a_spanish_lesson_has_a_spanish_frame_and_another_page_an_english_one():
    app = open_share_menu(fine(run("corrections", lesson="correction", step="1", language="es")))
    assert app.title[0].value == "Correcciones"
    assert app.title[0].anchor == "corrections", "layout and links know it by this name"
    (_, saved) = components(app, "save_picture")
    assert saved["labels"]["print"] == "Imprimir una hoja"
    (link, *_) = components(app, "copy_link")
    assert (link["label"], link["copied"]) == ("Copiar el enlace", "Enlace copiado")
    assert {"Proyectar (P)", "Archivo interactivo"} <= {button.label for button in app.button}
    english = open_share_menu(fine(run("corrections")))
    assert english.title[0].value == "Corrections"
    assert "Present (P)" in {button.label for button in english.button}
