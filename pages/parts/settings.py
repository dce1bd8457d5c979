"""Every setting of the app in one registry: its name in the URL, its default, and what it may be.

Presets, reset, links, the check of a URL and the tests run over it, so that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pages.parts.setting import (
    Setting,
    Value,
    choice,
    fraction,
    number,
    number_among,
    one_of,
    single,
    some_of,
    text,
    toggle,
    whole,
)
from qcore import CLASSIFIERS, DATASETS, LOSSES, QUANTIFIERS, load_dataset
from qcore.assumption import SHIFT_KINDS
from qcore.calibration import CALIBRATIONS
from qcore.inside import INSIDES
from qcore.learners import AS_NAMED
from qcore.metatable import CANDIDATES
from qcore.protocols import SizeGrid
from qcore.protocols.sizes import LEAST_SIZE
from qcore.qmeasure import LARGEST_BETA, typed_beta
from qcore.quantifiers import FAMILIES
from qcore.registry import registry
from qcore.search_space import MOST_INSTANCES
from qcore.table_measures import TABLE_MEASURES, Q
from qcore.trend import PATHS

STATE_VERSION: Final = 2
"""Goes up when a link of an older version would show another picture."""

AS_FOUND: Final = "as found"


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
    return Setting(methods_key(family), name, shown_first(family), some_of(members), f"some of {', '.join(members)}")


GRIDS: Final = (11, 21, 101)
SIZE_RANGE: Final = (1, 500)
REPEATS_RANGE: Final = (2, 500)
RUNS_RANGE: Final = (2, 50)
LARGEST_SIZE: Final = 1000
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


CHOSEN: Final = registry(*(_methods(family) for family in FAMILIES))

WORKBENCH: Final = registry(
    choice("data", "data set", "wdbc", list(DATASETS)),
    Setting("positive", "positive class", None, single, "a class of the data set"),
    choice("classifier", "classifier", "logistic regression", list(CLASSIFIERS)),
    *CHOSEN.values(),
    Setting("seed", "seed", 0, number(*SEED_RANGE, int), "a whole number from {} to {}".format(*SEED_RANGE)),
)


TRAINING: Final = registry(
    fraction("share", "training share", 0.5, SHARE_RANGE),
    Setting(
        "prior", "training prevalence", AS_FOUND, one_of(TRAINING_PREVALENCES), "as found, or 0.05 to 0.95 in steps of 0.05"
    ),
)

SHIFT: Final = registry(
    choice("loss", "loss", "AE", list(LOSSES)),
    Setting("grid", "prevalence grid", 21, number_among(GRIDS), "11, 21 or 101 points"),
    whole("size", "sample size", 100, SIZE_RANGE),
    whole("repeats", "repeats", 100, REPEATS_RANGE),
    *TRAINING.values(),
    toggle("free", "free axes"),
)

PAGE: Final[Mapping[str, Setting]] = MappingProxyType({**WORKBENCH, **SHIFT})
"""All settings of the page "Error by prevalence"."""

HOME: Final = registry(
    fraction("today", "true prevalence today", 0.2),
)

SAMPLE: Final = registry(
    fraction("threshold", "threshold", 0.5),
    fraction("p", "prevalence of the sample", 0.7),
    SHIFT["size"],
    whole("draw", "draw", 0, DRAW_RANGE),
    toggle("textbook", "rates of one's own"),
    fraction("tpr", "tpr", 0.8),
    fraction("fpr", "fpr", 0.2),
    choice("inside", "method to look into", "MS", list(INSIDES)),
)

TREND: Final = registry(
    choice("path", "path", "wave", [*PATHS, TYPED]),
    text("typed", "typed path", "0.2 0.8 0.3"),
    Setting("trained", "training size", 1000, number_among(TRAINING_SIZES), "100 or 1000"),
    whole("day", "instances a day", 50, SIZE_RANGE),
)

ASSUMPTION: Final = registry(
    choice("kind", "kind of shift", "covariate shift", list(SHIFT_KINDS)),
    text("along", "what the shift goes along", SCORE),
    fraction("strength", "strength of the shift", -1.0, (-1.0, 1.0)),
    choice("drawn", "way of drawing samples", AS_THEY_COME, [AS_THEY_COME, EVERY_PREVALENCE]),
)

CORRECTIONS: Final[Mapping[str, Setting]] = MappingProxyType({**WORKBENCH, **TRAINING, **SAMPLE, **TREND, **ASSUMPTION})
"""All settings of the page "Corrections"."""

COSTS: Final = registry(
    choice("on", "scores to judge", OUT_OF_FOLD, [OUT_OF_FOLD, POOL]),
    choice("judged", "what to judge", THIS_CLASSIFIER, [THIS_CLASSIFIER, SLIDES]),
    Setting("fp_cost", "cost of a false positive", 1.0, number(-MOST_COST, MOST_COST, float), "a number"),
    Setting("fn_cost", "cost of a false negative", 1.0, number(-MOST_COST, MOST_COST, float), "a number"),
    fraction("ratio", "share of positives at work", 0.5),
)

CALIBRATORS: Final = [key for key in CALIBRATIONS if key != "none"]

CALIBRATED: Final = registry(
    Setting("calibrations", "calibrations", CALIBRATORS, some_of(CALIBRATORS), f"some of {', '.join(CALIBRATORS)}"),
)

SIZE_GRID: Final = registry(
    text("sizes", "sample sizes", " ".join(map(str, SizeGrid().sizes))),
    Setting("points", "prevalence grid", 21, number_among(GRIDS), "11, 21 or 101 points"),
    whole("runs", "repeats", 20, RUNS_RANGE),
)

LOOK_CLOSER: Final = registry(
    choice("look", "quantifier to look at closely", "DyS-PS", list(QUANTIFIERS)),
    whole("at_size", "size to look at closely", 10, (LEAST_SIZE, LARGEST_SIZE)),
    fraction("at_p", "prevalence to look at closely", 0.5),
    choice("first", "first quantifier of the difference", "DyS-PS", list(QUANTIFIERS)),
    choice("second", "second quantifier of the difference", "MS", list(QUANTIFIERS)),
)

TEST_SIZE: Final[Mapping[str, Setting]] = MappingProxyType(
    {**WORKBENCH, "loss": SHIFT["loss"], **SIZE_GRID, **TRAINING, **LOOK_CLOSER}
)
"""All settings of the page "Test size"."""

RECOMMENDER: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        **{key: setting for key, setting in WORKBENCH.items() if key not in CHOSEN},
        **SIZE_GRID,
        **TRAINING,
        "candidates": Setting(
            "candidates", "candidates", list(CANDIDATES), some_of(list(QUANTIFIERS)), f"some of {', '.join(QUANTIFIERS)}"
        ),
    }
)
"""All settings of the page "Recommender"."""

LEARNERS: Final = ("SVM-Q2", "SVM-NAS")
"""Those that land beside the sidebar's classifier until a person chooses."""

MOST_LEARNERS: Final = 7
"""With the sidebar's classifier these are the eight lines that one chart can hold."""


def _beta(words: list[str]) -> Value:
    """Parse a beta, which stays as it is written."""
    typed_beta(single(words))
    return words[0]


MEASURE: Final = registry(
    choice("measure", "measure", Q, [Q, *TABLE_MEASURES]),
    Setting("beta", "beta", "2", _beta, f"a number from 0 to {LARGEST_BETA:g}, or inf"),
    choice("cperf", "classification performance", "recall", list(TABLE_MEASURES)),
    choice("qperf", "quantification performance", "NAS", list(TABLE_MEASURES)),
    whole("n_pos", "number of positives", 1000, (1, MOST_INSTANCES)),
    whole("n_neg", "number of negatives", 1000, (1, MOST_INSTANCES)),
    toggle("conflict", "mark the two perfect quantifiers"),
)

LANDING: Final = registry(
    Setting(
        "learners",
        "learners",
        list(LEARNERS),
        some_of(list(CLASSIFIERS), MOST_LEARNERS),
        f"up to {MOST_LEARNERS} of the classifiers",
    ),
    choice("with", "correction", AS_NAMED, [AS_NAMED, *QUANTIFIERS]),
)

SEARCH_SPACE: Final[Mapping[str, Setting]] = MappingProxyType(
    {**{key: setting for key, setting in WORKBENCH.items() if key not in CHOSEN}, **TRAINING, **MEASURE, **LANDING}
)
"""All settings of the page "Search space"."""

CLASSIFIER: Final[Mapping[str, Setting]] = MappingProxyType(
    {**WORKBENCH, **TRAINING, "threshold": SAMPLE["threshold"], **COSTS, **CALIBRATED}
)
"""All settings of the page "Classifier"."""

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {**PAGE, **HOME, **CORRECTIONS, **CLASSIFIER, **TEST_SIZE, **RECOMMENDER, **SEARCH_SPACE}
)


def url_words(settings: Mapping[str, Value]) -> dict[str, list[str]]:
    """Settings in the words of a URL, which each setting's `parse` reads back; no choice at all is an empty word."""
    return {
        key: list(value) or [""] if isinstance(value, list) else [str(value).lower() if isinstance(value, bool) else str(value)]
        for key, value in settings.items()
    }


def spelt(value: Value) -> Value:
    """A value as links and presets spell it: what is chosen in the order of its registry, not of the clicks."""
    return [one for one in (*QUANTIFIERS, *CALIBRATIONS, *CLASSIFIERS) if one in value] if isinstance(value, list) else value


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
