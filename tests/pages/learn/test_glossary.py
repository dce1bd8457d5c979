"""The glossary says what the pages say, and each of its links leads somewhere, in both languages."""

import json

import pytest

from pages.frame.view import view_of_link
from pages.learn.glossary import glossary, translations
from pages.learn.settings import LANGUAGES
from pages.settings.shared import QUANTIFIERS_OF_FAMILIES
from pages.settings.terms import term, terms
from qcore import CLASSIFIERS, LOSSES, QUANTIFIERS
from qcore.losses import ORDERED_LOSSES
from tests.pages.app import captions, components, fine, run


def test_every_quantifier_loss_and_classifier_is_there_with_the_sentence_of_its_hover():
    found = {entry.name: entry.sentence for entry in glossary()}
    for registry in (QUANTIFIERS, LOSSES, ORDERED_LOSSES, CLASSIFIERS):
        for key, entry in registry.items():
            assert entry.idea.rstrip(".")[1:] in found[key]


def test_hovers_of_the_pages_are_sentences_of_the_glossary():
    help_text = QUANTIFIERS_OF_FAMILIES["q_adjustment"].help
    assert term("tpr") in help_text
    assert term("fpr") in help_text
    assert term("quantifier") in captions(fine(run("error_by_prevalence")))


def test_terms_are_one_sentence_or_two():
    for one in terms().values():
        assert one.sentence.endswith(".")
        assert "\n" not in one.sentence
        assert len(one.sentence.split()) <= 30, one.name


def test_no_term_is_there_twice():
    names = [entry.name for entry in glossary()]
    assert {name for name in names if names.count(name) > 1} <= set()


@pytest.mark.parametrize("entry", glossary(), ids=lambda entry: entry.name)
def test_the_link_of_a_term_leads_to_a_view(entry):
    view_of_link(entry.link)


def test_a_measure_is_seen_as_the_one_that_is_drawn():
    links = {entry.name: entry.link for entry in glossary() if entry.group == "Measures"}
    assert view_of_link(links["NAS"]).settings == {"measure": "NAS"}
    assert view_of_link(links["error"]).settings == {"measure": "accuracy"}


@pytest.mark.parametrize("language", [code for code in LANGUAGES.values() if code != "en"])
def test_every_term_is_translated(language):
    assert set(translations(language)) == {(entry.group, entry.name) for entry in glossary()}
    for entry, other in zip(glossary(), glossary(language), strict=True):
        assert (entry.name, entry.link) == (other.name, other.link)
        assert other.sentence


def test_the_page_lists_all_terms():
    (data,) = components(fine(run("learn", language="es")), "glossary")
    listed = json.loads(data["entries"])
    assert {one["name"] for one in listed} == {entry.name for entry in glossary()}
    assert data["labels"]["see"] == "Verlo"


@pytest.mark.parametrize(("language", "end"), [("en", " Also called ACC."), ("es", " También: ACC.")])
def test_a_reader_of_other_libraries_finds_the_name_they_know(language, end):
    (data,) = components(fine(run("learn", language=language)), "glossary")
    sentences = {one["name"]: one["sentence"] for one in json.loads(data["entries"])}
    assert sentences["AC"].endswith(end)
    assert "MAE" in sentences["AE"]
    assert end.split()[0] not in sentences["CC"]
