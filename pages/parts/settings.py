"""Every setting of the app in one registry: its name in the URL, its default, and what it may be.

Presets, reset, links, the check of a URL and the tests run over it, so that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from qcore import CLASSIFIERS, DATASETS, LOSSES, QUANTIFIERS, load_dataset
from qcore.assumption import SHIFT_KINDS
from qcore.calibration import CALIBRATIONS
from qcore.inside import INSIDES
from qcore.quantifiers import FAMILIES
from qcore.registry import registry
from qcore.trend import PATHS

STATE_VERSION: Final = 2
"""Goes up when a link of an older version would show another picture."""

AS_FOUND: Final = "as found"
LONGEST_TEXT: Final = 200

Value = str | int | float | bool | list[str]


@dataclass(frozen=True)
class Setting:
    """One setting: `parse` turns the URL's words (one or several) into a value, or raises ValueError; `rule` says what fits.

    A default of None means that it depends on another setting.
    """

    key: str
    name: str
    default: Value | None
    parse: Callable[[list[str]], Value]
    rule: str


def _single(words: list[str]) -> str:
    """The one word. Raises ValueError for several."""
    if len(words) != 1:
        raise ValueError(words)
    return words[0]


def _one_of(options: list[str]) -> Callable[[list[str]], Value]:
    def parse(words: list[str]) -> Value:
        if _single(words) not in options:
            raise ValueError(words)
        return words[0]

    return parse


def _some_of(options: list[str]) -> Callable[[list[str]], Value]:
    def parse(words: list[str]) -> Value:
        chosen = [word for word in words if word]
        if not set(chosen) <= set(options):
            raise ValueError(words)
        return chosen

    return parse


def _numeral(words: list[str]) -> str:
    """The one word. Raises ValueError for several, and for ways to write a number that only Python knows."""
    word = _single(words)
    if not word.isascii() or "_" in word:
        raise ValueError(words)
    return word


def _number(low: float, high: float, kind: type[int] | type[float]) -> Callable[[list[str]], Value]:
    def parse(words: list[str]) -> Value:
        value = kind(_numeral(words))
        if not low <= value <= high:
            raise ValueError(words)
        return value

    return parse


def _number_among(options: tuple[int, ...]) -> Callable[[list[str]], Value]:
    def parse(words: list[str]) -> Value:
        if int(_numeral(words)) not in options:
            raise ValueError(words)
        return int(words[0])

    return parse


def _short(words: list[str]) -> Value:
    if len(_single(words)) > LONGEST_TEXT:
        raise ValueError(words)
    return words[0]


def _switch(words: list[str]) -> Value:
    word = _single(words).lower()
    if word not in ("true", "false"):
        raise ValueError(words)
    return word == "true"


def _choice(key: str, name: str, default: str, options: list[str]) -> Setting:
    return Setting(key, name, default, _one_of(options), f"one of {', '.join(options)}")


def methods_key(family: str) -> str:
    """The setting that holds the chosen quantifiers of a family."""
    return f"q_{family}"


def family_members(family: str) -> list[str]:
    """Keys of the quantifiers of a family, in registry order."""
    return [key for key, entry in QUANTIFIERS.items() if entry.family == family]


SHOWN_FIRST: Final = ("CC", "AC", "PCC", "PACC", "T50", "MS", "EMQ", "DyS-PS")
"""The quantifiers that a page starts with: one or two of each idea, and no more lines than a chart can hold."""


def shown_first(family: str) -> list[str]:
    """The members of a family that are chosen until a person chooses."""
    return [member for member in family_members(family) if member in SHOWN_FIRST]


def _methods(family: str) -> Setting:
    members = family_members(family)
    name = f"quantifiers ({FAMILIES[family]})"
    return Setting(methods_key(family), name, shown_first(family), _some_of(members), f"some of {', '.join(members)}")


GRIDS: Final = (11, 21, 101)
SIZE_RANGE: Final = (1, 500)
REPEATS_RANGE: Final = (2, 500)
SHARE_RANGE: Final = (0.02, 0.9)
SEED_RANGE: Final = (0, 99_999)
DRAW_RANGE: Final = (0, 99_999)
TRAINING_SIZES: Final = (1000, 100)
TYPED: Final = "typed in"
SCORE: Final = "score"
AS_THEY_COME: Final = "as they come"
EVERY_PREVALENCE: Final = "at every prevalence"
OUT_OF_FOLD: Final = "training part"
POOL: Final = "pool"
THIS_CLASSIFIER: Final = "this classifier"
SLIDES: Final = "three of the slides"
MOST_COST: Final = 1e9
TRAINING_PREVALENCES: Final = [AS_FOUND, *(f"{percent / 100:.2f}" for percent in range(5, 100, 5))]


WORKBENCH: Final = registry(
    _choice("data", "data set", "wdbc", list(DATASETS)),
    Setting("positive", "positive class", None, _single, "a class of the data set"),
    _choice("classifier", "classifier", "logistic regression", list(CLASSIFIERS)),
    *(_methods(family) for family in FAMILIES),
    Setting("seed", "seed", 0, _number(*SEED_RANGE, int), "a whole number from {} to {}".format(*SEED_RANGE)),
)


def _whole(key: str, name: str, default: int, ends: tuple[int, int]) -> Setting:
    return Setting(key, name, default, _number(*ends, int), "a whole number from {} to {}".format(*ends))


def _fraction(key: str, name: str, default: float, ends: tuple[float, float] = (0.0, 1.0)) -> Setting:
    return Setting(key, name, default, _number(*ends, float), "a number from {:g} to {:g}".format(*ends))


def _text(key: str, name: str, default: str) -> Setting:
    return Setting(key, name, default, _short, f"of up to {LONGEST_TEXT} characters")


def _toggle(key: str, name: str) -> Setting:
    return Setting(key, name, False, _switch, "true or false")


TRAINING: Final = registry(
    _fraction("share", "training share", 0.5, SHARE_RANGE),
    Setting(
        "prior", "training prevalence", AS_FOUND, _one_of(TRAINING_PREVALENCES), "as found, or 0.05 to 0.95 in steps of 0.05"
    ),
)

SHIFT: Final = registry(
    _choice("loss", "loss", "AE", list(LOSSES)),
    Setting("grid", "prevalence grid", 21, _number_among(GRIDS), "11, 21 or 101 points"),
    _whole("size", "sample size", 100, SIZE_RANGE),
    _whole("repeats", "repeats", 100, REPEATS_RANGE),
    *TRAINING.values(),
    _toggle("free", "free axes"),
)

PAGE: Final[Mapping[str, Setting]] = MappingProxyType({**WORKBENCH, **SHIFT})
"""All settings of the page "Error by prevalence"."""

HOME: Final = registry(
    _fraction("today", "true prevalence today", 0.2),
)

SAMPLE: Final = registry(
    _fraction("threshold", "threshold", 0.5),
    _fraction("p", "prevalence of the sample", 0.7),
    SHIFT["size"],
    _whole("draw", "draw", 0, DRAW_RANGE),
    _toggle("textbook", "rates of one's own"),
    _fraction("tpr", "tpr", 0.8),
    _fraction("fpr", "fpr", 0.2),
    _choice("inside", "method to look into", "MS", list(INSIDES)),
)

TREND: Final = registry(
    _choice("path", "path", "wave", [*PATHS, TYPED]),
    _text("typed", "typed path", "0.2 0.8 0.3"),
    Setting("trained", "training size", 1000, _number_among(TRAINING_SIZES), "100 or 1000"),
    _whole("day", "instances a day", 50, SIZE_RANGE),
)

ASSUMPTION: Final = registry(
    _choice("kind", "kind of shift", "covariate shift", list(SHIFT_KINDS)),
    _text("along", "what the shift goes along", SCORE),
    _fraction("strength", "strength of the shift", -1.0, (-1.0, 1.0)),
    _choice("drawn", "way of drawing samples", AS_THEY_COME, [AS_THEY_COME, EVERY_PREVALENCE]),
)

CORRECTIONS: Final[Mapping[str, Setting]] = MappingProxyType({**WORKBENCH, **TRAINING, **SAMPLE, **TREND, **ASSUMPTION})
"""All settings of the page "Corrections"."""

COSTS: Final = registry(
    _choice("on", "scores to judge", OUT_OF_FOLD, [OUT_OF_FOLD, POOL]),
    _choice("judged", "what to judge", THIS_CLASSIFIER, [THIS_CLASSIFIER, SLIDES]),
    Setting("fp_cost", "cost of a false positive", 1.0, _number(-MOST_COST, MOST_COST, float), "a number"),
    Setting("fn_cost", "cost of a false negative", 1.0, _number(-MOST_COST, MOST_COST, float), "a number"),
    _fraction("ratio", "share of positives at work", 0.5),
)

CALIBRATORS: Final = [key for key in CALIBRATIONS if key != "none"]

CALIBRATED: Final = registry(
    Setting("calibrations", "calibrations", CALIBRATORS, _some_of(CALIBRATORS), f"some of {', '.join(CALIBRATORS)}"),
)

CLASSIFIER: Final[Mapping[str, Setting]] = MappingProxyType(
    {**WORKBENCH, **TRAINING, "threshold": SAMPLE["threshold"], **COSTS, **CALIBRATED}
)
"""All settings of the page "Classifier"."""

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType({**PAGE, **HOME, **CORRECTIONS, **CLASSIFIER})


def url_words(settings: Mapping[str, Value]) -> dict[str, list[str]]:
    """Settings in the words of a URL, which each setting's `parse` reads back; no choice at all is an empty word."""
    return {
        key: list(value) or [""] if isinstance(value, list) else [str(value).lower() if isinstance(value, bool) else str(value)]
        for key, value in settings.items()
    }


def spelt(value: Value) -> Value:
    """A value as links and presets spell it: what is chosen in the order of its registry, not of the clicks."""
    return [one for one in (*QUANTIFIERS, *CALIBRATIONS) if one in value] if isinstance(value, list) else value


def without_defaults(words: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """A URL's parameters without those that say what holds anyway: defaults, and this state version."""
    kept = {}
    for key, said in words.items():
        if key == "v" and said == [str(STATE_VERSION)]:
            continue
        if key not in SETTINGS or not _says_default(key, said, words):
            kept[key] = said
    return kept


def _says_default(key: str, said: list[str], words: Mapping[str, list[str]]) -> bool:
    default = SETTINGS[key].default
    if key == "positive":
        data = words.get("data", [str(SETTINGS["data"].default)])[0]
        default = load_dataset(data).default_positive if data in DATASETS else None
    try:
        return SETTINGS[key].parse(said) == default
    except ValueError:
        return False
