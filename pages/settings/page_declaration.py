"""A page as it is declared, whole and once: what navigation, links, presets, tabs, the menu Share and lessons read."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from pages.settings.setting import Preset, Setting, section, section_key

APP = "Quantification Lab"
HOME = "home"
OLD_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {"inside": "inspected_method", "judged": "classifier_evaluation", "conflict": "iris_example"}
)
"""Keys of settings in older links -> what they are called now."""


@dataclass(frozen=True)
class Tab:
    """A section of a page, or a part of one.

    Attributes
    ----------
    title : of the tab, and its value in the URL.
    draw : draws it, and is given the values that `needs` and `may_use` name, in that order.
    needs : names of values that the page's body computes. Where one of them is None, there is nothing to show.
    may_use : names of further ones, which may be None.
    shown_if : name of a value that says whether it applies; one that does not is left out, unless a link leads to it.
    formerly : titles by which older links know it.
    parts : of which one is drawn at a time, by choice, in place of `draw`.
    key : the setting that holds the chosen part.
    """

    title: str
    draw: Callable[..., None] | None = None
    needs: tuple[str, ...] = ()
    may_use: tuple[str, ...] = ()
    shown_if: str = ""
    formerly: tuple[str, ...] = ()
    parts: "tuple[Tab, ...]" = ()
    key: str = ""


@dataclass(frozen=True, eq=False)
class Page:
    """A page of the app.

    Attributes
    ----------
    name : that of its folder, its settings and its tests; title and path follow from it.
    question : what it answers; it stands beside the title.
    draw : draws it: controls, picture, sentences, tabs.
    group : of the sidebar; the first group has no name. A page without one, None, is opened by links alone.
    settings : by key; the open tab is added to them.
    presets, tabs : in the order in which they are drawn.
    formerly : paths by which older links know it -> the settings that open what was there.
    implied : settings that an older link means where it has others of the page, but not these.
    charts : the keys of all charts that it draws, in its tabs, too.
    main_picture : the chart that is saved first, where that is not the first one.
    in_space : whether charts are three-dimensional.
    has_picture : whether there are charts at all.
    has_file : whether an interactive file of it is of use.
    """

    name: str
    question: str
    draw: Callable[[], None]
    group: str | None = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    presets: tuple[Preset, ...] = ()
    tabs: tuple[Tab, ...] = ()
    formerly: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    implied: Mapping[str, str] = field(default_factory=dict)
    charts: tuple[str, ...] = ()
    main_picture: str = ""
    in_space: bool = False
    has_picture: bool = True
    has_file: bool = True

    def __post_init__(self) -> None:
        if self.tabs:
            former = {old: tab.title for tab in self.tabs for one in (tab, *tab.parts) for old in (*one.formerly, one.title)}
            shown = section(section_key(self.name), "section", self.titles, former)
            parts = [
                section(tab.key, name, [part.title for part in tab.parts]).with_label(name)
                for tab in self.tabs
                if tab.parts and (name := f"part of “{tab.title}”")
            ]
            settings = {**self.settings, **{setting.key: setting for setting in (shown, *parts)}}
            object.__setattr__(self, "settings", MappingProxyType(settings))

    def opens(self, title: str) -> dict[str, str]:
        """The settings that open a tab or a part of one, by its title or one that older links have.

        Raises KeyError for an unknown one.
        """
        for tab in self.tabs:
            if title in (tab.title, *tab.formerly):
                return {section_key(self.name): tab.title}
            for part in tab.parts:
                if title in (part.title, *part.formerly):
                    return {section_key(self.name): tab.title, tab.key: part.title}
        raise KeyError(title)

    @property
    def title(self) -> str:
        """The page's title; for Home, the app's name."""
        return APP if self.name == HOME else self.name.replace("_", " ").capitalize()

    @property
    def path(self) -> str:
        """The page's path in the URL, which is empty for Home."""
        return "" if self.name == HOME else self.name.replace("_", "-")

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the tabs."""
        return tuple(tab.title for tab in self.tabs)

    @property
    def sections(self) -> tuple[str, ...]:
        """The titles of all that the tabs draw: of a tab with parts, those of the parts."""
        return tuple(one.title for tab in self.tabs for one in tab.parts or (tab,))

    @property
    def tab_setting(self) -> Setting | None:
        """The setting that holds the open tab; None without tabs."""
        return self.settings.get(section_key(self.name))


class Pages(Mapping[str, Page]):
    """All pages by name, in the order of the sidebar. `pages/listed.py` lists them; rooms below it read them here."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}
        self._settings: dict[str, Setting] = {}
        self.settings: Mapping[str, Setting] = MappingProxyType(self._settings)

    def add(self, *pages: Page) -> None:
        """List pages. Raises ValueError for a name or a key of a setting that another page has.

        Controls keep their values from page to page by their key: two settings of one key would overwrite each other.
        """
        for page in pages:
            if page.name in self._pages:
                raise ValueError(f"two pages are called {page.name!r}")
            for key, setting in page.settings.items():
                if self._settings.setdefault(key, setting) is not setting:
                    owner = next(one.name for one in self._pages.values() if key in one.settings)
                    raise ValueError(
                        f"the pages {owner} and {page.name} both define the setting {key!r}: call one {page.name}_{key}"
                    )
            self._pages[page.name] = page

    def __getitem__(self, name: str) -> Page:
        return self._pages[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)

    def of_path(self, path: str) -> Page | None:
        """The page with that path, or that had it formerly, or None."""
        return next((page for page in self._pages.values() if path == page.path or path in page.formerly), None)

    def of_group(self, group: str) -> list[Page]:
        """The pages of a group of the sidebar, in their order."""
        return [page for page in self._pages.values() if page.group == group]

    def groups(self) -> dict[str, list[Page]]:
        """Group -> its pages, both in the order of the sidebar."""
        names = dict.fromkeys(page.group for page in self._pages.values() if page.group is not None)
        return {group: self.of_group(group) for group in names}

    def words_of_today(self, path: str, words: Mapping[str, list[str]]) -> dict[str, list[str]]:
        """The parameters of an address, where an older one has other keys or titles of sections: as they are now."""
        page = self.of_path(path)
        # A section of a page that is a section now.
        left_out = section_key(path.replace("-", "_")) if page is not None and path in page.formerly else ""
        result = {} if page is None else {key: [word] for key, word in page.formerly.get(path, {}).items()}
        for key, values in words.items():
            if key != left_out:
                result[OLD_KEYS.get(key, key)] = list(values)
        for one in self._pages.values():
            title = result.get(section_key(one.name), [""])[0]
            with contextlib.suppress(KeyError):
                result |= {key: [word] for key, word in one.opens(title).items()}
        if page is not None and any(key in page.settings for key in result):
            result = {key: [word] for key, word in page.implied.items()} | result
        return result


PAGES = Pages()
SETTINGS: Final[Mapping[str, Setting]] = PAGES.settings
"""All settings of all pages, by key."""


def settings_of(page: str) -> Mapping[str, Setting]:
    """The settings of a page, by key; none for a name that no page has."""
    return PAGES[page].settings if page in PAGES else {}
