"""Settings of the pages: links of before, clashes between pages, pages that have none."""

import ast
import json

import pytest

from pages.classifier.settings import SLIDES
from pages.listed import PAGES
from pages.settings import address, control
from pages.settings.address import url_word, url_words, without_defaults
from pages.settings.page_declaration import OLD_KEYS, SETTINGS, Page, Pages, settings_of
from pages.settings.setting import choice, toggle
from pages.settings.shared import AS_FOUND
from qcore import load_dataset
from qcore.base import registry
from tests.browser.server import ROOT
from tests.pages.app import fine, link, run

OLD_LINKS = json.loads((ROOT / "tests" / "data" / "old_links.json").read_text())
"""Links that the app of 2026-11-21 copied, and the values that it read from them: all defaults, all presets, many others."""


def path_of(old):
    return "" if old["page"] == "home" else old["page"].replace("_", "-")


@pytest.mark.parametrize("old", OLD_LINKS, ids=lambda old: f"{old['page']} {len(old['link'])}")
def test_links_of_before_mean_what_they_meant(old):
    page = PAGES.of_path(path_of(old))
    before = {OLD_KEYS.get(key, key): value for key, value in old["values"].items()}
    section = before.pop(f"{old['page']}_section", None)
    # What was a page is a section now, and a section may be a part of one.
    sections = page.formerly.get(path_of(old)) or (page.opens(section) if section else {})
    today = PAGES.words_of_today(path_of(old), old["link"])
    for key, words in today.items():
        value = page.settings[key].parse(words)
        # Written as a percentage since.
        read = f"{100 * float(before[key]):g}%" if key in ("prior", "level") and before[key] != AS_FOUND else before.get(key)
        assert value == sections.get(key, read)
        assert page.settings[key].parse(url_words({key: value})[key]) == value
    assert today.keys() == {OLD_KEYS.get(key, key) for key in old["link"]} - {f"{old['page']}_section"} | sections.keys()


CHANGED = {"today", "data", "q_counting", "q_thresholds", "q_matching", "look", "first", "second"}
"""Settings with another default since: waveform, four quantifiers, Home's share. Copied links spell them, and keep them."""


@pytest.mark.parametrize("page", sorted({old["page"] for old in OLD_LINKS}))
def test_defaults_are_those_of_before_and_links_keep_those_that_changed(page):
    everything = max((old for old in OLD_LINKS if old["page"] == page), key=lambda old: len(old["link"]))
    settings = PAGES.of_path(path_of(everything)).settings
    values = {OLD_KEYS.get(key, key): value for key, value in everything["values"].items() if not key.endswith("_section")}
    # Settings that are newer than the link have no value in it.
    differ = {key for key, value in values.items() if settings[key].default not in (None, value)}
    assert differ == CHANGED & set(values)
    link = {OLD_KEYS.get(key, key): words for key, words in everything["link"].items() if not key.endswith("_section")}
    assert set(without_defaults(link)) == differ


@pytest.mark.parametrize(
    ("page", "query", "key", "value"),
    [
        ("corrections", {"inside": "SORD", "corrections_section": "Inside a method"}, "inspected_method", "SORD"),
        ("classifier", {"judged": SLIDES, "classifier_section": "Costs"}, "classifier_evaluation", SLIDES),
        ("search_space", {"conflict": "true", "n_pos": "50"}, "iris_example", True),
        ("error_by_prevalence", {"prior": "0.10"}, "prior", "10%"),
        ("estimate", {"level": "0.99"}, "level", "99%"),
        ("losses", {"true_p": "35%"}, "true_p", 0.35),
        ("error_by_prevalence", {"error_by_prevalence_section": "Python", "prior": "5%"}, "prior", "5%"),
    ],
)
def test_a_setting_of_an_older_name_or_spelling_is_still_read(page, query, key, value):
    app = fine(run(page, **query))
    assert app.session_state[key] == value
    assert not app.warning
    assert link(app)[key] == [url_word(value)]


@pytest.mark.parametrize("page", ["error_by_prevalence", "losses", "search_space", "test_size"])
def test_a_link_to_the_section_that_went_into_the_menu_opens_the_first(page):
    setting = settings_of(page)[f"{page}_section"]
    assert setting.parse(["Python"]) == setting.default
    with pytest.raises(ValueError, match="Perl"):
        setting.parse(["Perl"])


def a_page(name, *settings):
    return Page(name, "Why?", draw=lambda: None, settings=registry(*settings))


def test_a_clash_of_two_pages_is_refused():
    one, other = choice("look", "look", "a", ["a", "b"]), choice("look", "look", "c", ["c", "d"])
    pages = Pages()
    with pytest.raises(ValueError, match="the pages first and second both define the setting 'look': call one second_look"):
        pages.add(a_page("first", one), a_page("second", other))
    with pytest.raises(ValueError, match="two pages are called 'first'"):
        pages.add(a_page("first", one))
    pages = Pages()
    pages.add(a_page("first", one), a_page("second", one, toggle("free", "free")))
    assert pages.settings.keys() == {"look", "free"}


def test_pages_without_settings_or_presets_have_none():
    assert dict(settings_of("a page that is not there")) == {}
    assert PAGES["home"].presets == ()


def test_every_folder_of_a_page_is_listed():
    assert {path.parent.name for path in (ROOT / "pages").glob("*/page.py")} == set(PAGES)
    assert set(SETTINGS) == {key for page in PAGES.values() for key in page.settings}


@pytest.mark.parametrize("page", PAGES)
def test_presets_set_what_is_a_setting_of_the_page_and_valid(page):
    for preset in PAGES[page].presets:
        for key, value in preset.settings.items():
            assert settings_of(page)[key].parse(url_words({key: value})[key]) == value


def test_a_list_is_spelt_in_the_order_of_its_options():
    assert SETTINGS["q_counting"].canonical(["PCC", "CC"]) == ["CC", "PCC"]
    assert SETTINGS["candidates"].canonical(["SORD", "MS"]) == ["MS", "SORD"]
    assert SETTINGS["size"].canonical(30) == 30


def test_a_control_takes_all_from_its_setting():
    """No page says again what a setting knows: the first argument of a control is a setting, and no label or range follows."""
    kinds = {name for name, one in vars(control).items() if "setting: " in str(getattr(one, "__annotations__", "")) or
             "setting" in getattr(one, "__annotations__", {})}  # fmt: skip
    calls = [
        node
        for path in (ROOT / "pages").glob("*/*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in kinds
        and getattr(node.func.value, "id", "") == "control"
    ]  # fmt: skip
    assert len(calls) > 80
    for call in calls:
        assert isinstance(call.args[0], ast.Subscript | ast.Name), ast.unparse(call)
        assert not {keyword.arg for keyword in call.keywords} & {"label", "key", "min_value", "max_value", "step"}


@pytest.mark.parametrize("key", [key for key, one in SETTINGS.items() if not key.endswith("_section")])
def test_every_setting_says_how_its_control_looks(key):
    setting = SETTINGS[key]
    assert setting.label
    if isinstance(setting.default, int | float) and not isinstance(setting.default, bool):
        assert setting.limits or setting.options


def test_a_switch_has_no_help_text_whose_sign_a_tap_could_not_open():
    switches = [setting for setting in SETTINGS.values() if isinstance(setting.default, bool)]
    assert len(switches) >= 4
    assert not [setting.key for setting in switches if setting.help]


def test_addresses_of_any_kind_leave_nothing_behind():
    address._default_positive.cache_clear()
    for number in range(3):
        without_defaults({"data": [f"none {number}"], "positive": ["x"]})
    assert address._default_positive.cache_info().currsize == 0
    default = load_dataset("wdbc").default_positive
    assert without_defaults({"data": ["wdbc"], "positive": [default]}) == {"data": ["wdbc"]}
    assert address._default_positive.cache_info().currsize == 1
