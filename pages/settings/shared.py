"""Settings that several pages share: the sidebar, the training part, the sampling, the grid of sizes, the threshold."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from pages.settings.setting import (
    Setting,
    choice,
    fraction,
    number_among,
    percent,
    percent_choice,
    several,
    single,
    text,
    view,
    whole,
)
from pages.settings.terms import term
from qcore import CLASSIFIERS, DATASETS, LOSSES, QUANTIFIERS, DatasetReference, SizeGrid
from qcore.base import registry
from qcore.datasets.catalog import available
from qcore.datasets.repositories import REPOSITORIES
from qcore.losses import Smoothing
from qcore.quantifiers import FAMILIES

AS_FOUND = "as found"
GRIDS = (11, 21, 101)
SIZE_RANGE = (1, 500)
REPEATS_PER_SIZE_RANGE = (2, 50)
LARGEST_SIZE = 1000
SHARE_RANGE = (0.02, 0.9)
SEED_RANGE = (0, 99_999)
TRAINING_PREVALENCES = [AS_FOUND, *(f"{hundredths}%" for hundredths in range(5, 100, 5))]
SMOOTHING_NAMES: Final[Mapping[str, Smoothing]] = MappingProxyType({"additive": "additive", "half a count": "half_count"})
"""Name of a smoothing for the user -> its name in scripts."""
SHARE_OVER_TIME = "A series over time"
OWN_SAMPLE = "Two files: labelled and to be counted"
"""Values of the setting `way` of the page Estimate; other pages link to them."""

SHOWN_FIRST = ("CC", "AC", "PACC", "EMQ")
"""The quantifiers that a page starts with: counting, two corrections and EMQ, few enough to tell their lines apart."""


_HELP_OF_FAMILIES = dict.fromkeys(
    ("adjustment", "thresholds"),
    f"**tpr**: {term('tpr')}\n\n**fpr**: {term('fpr')}",
)


def quantifiers_key(family: str) -> str:
    """The setting that holds the chosen quantifiers of a family."""
    return f"q_{family}"


def family_members(family: str) -> list[str]:
    """Keys of the quantifiers of a family, in the order of the registry."""
    return [key for key, entry in QUANTIFIERS.items() if entry.family == family]


def quantifiers_chosen(methods: Collection[str]) -> dict[str, list[str]]:
    """The settings of all families under which just these quantifiers are chosen."""
    return {quantifiers_key(family): [member for member in family_members(family) if member in methods] for family in FAMILIES}


def _quantifiers(family: str) -> Setting:
    key, name = quantifiers_key(family), f"quantifiers ({FAMILIES[family]})"
    members = family_members(family)
    ideas = "\n".join(f"- **{member}** {QUANTIFIERS[member].idea}" for member in members)
    text = "\n\n".join(filter(None, (_HELP_OF_FAMILIES.get(family), ideas)))
    return several(key, name, quantifiers_chosen(SHOWN_FIRST)[key], members).with_label(FAMILIES[family], help=text)


def data_word(words: list[str]) -> str:
    """The word of an available data set, or of an upload or a repository's set that a page asks for. Raises ValueError."""
    word = single(words)
    source, _, name = word.partition(":")
    if source in REPOSITORIES:
        # This may raise InvalidInput, which is a ValueError.
        REPOSITORIES[source].parse(name)
    elif source == "upload":
        DatasetReference.parse(word)
    elif word not in DATASETS and word not in map(str, available()):
        raise ValueError(words)
    return word


_CLASSIFIER_HELP = "Gives each instance a score in [0, 1].\n\n" + "\n".join(
    f"- **{key}**: {entry.idea}" for key, entry in CLASSIFIERS.items()
)

DATA = registry(
    Setting("data", "data set", "waveform", data_word, "a data set of this machine; the page Data sets shows them").with_label(
        "Data set"
    ),
    Setting("positive", "positive class", None, single, "a class of the data set").with_label(
        "Positive class", help="The class whose share is estimated; all others together are the negatives."
    ),
    choice("classifier", "classifier", "logistic regression", list(CLASSIFIERS)).with_label(
        "Classifier", help=_CLASSIFIER_HELP
    ),
)

QUANTIFIERS_OF_FAMILIES = registry(*(_quantifiers(family) for family in FAMILIES))

SEED = registry(
    whole("seed", "seed", 0, SEED_RANGE).with_label(
        "Seed", help="The same seed and settings give the same picture, to the last digit."
    )
)

SIDEBAR = registry(*DATA.values(), *QUANTIFIERS_OF_FAMILIES.values(), *SEED.values())
"""The sidebar of a page that works with chosen quantifiers."""

SIDEBAR_WITHOUT_QUANTIFIERS = registry(*DATA.values(), *SEED.values())

TRAINING = registry(
    percent("share", "training share", 0.5, SHARE_RANGE).with_label(
        "Training share",
        step=0.01,
        help=("Share of the data set that trains the classifier; the rest is the pool that samples are drawn from."),
    ),
    percent_choice(
        "prior", "training prevalence", AS_FOUND, TRAINING_PREVALENCES, rule="as found, or 5% to 95% in steps of 5%"
    ).with_label(
        "Training prevalence",
        help=("Share of positives in the training part: as found in the data, or set by under-sampling it."),
    ),
)

LOSS = registry(
    view(choice("loss", "loss", "AE", list(LOSSES)).with_label("Loss")),
    view(choice("smoothing", "smoothing", next(iter(SMOOTHING_NAMES)), list(SMOOTHING_NAMES)).with_label("Smoothing")),
)

SAMPLE_SIZE = registry(
    whole("size", "sample size", 100, SIZE_RANGE).with_label(
        "Sample size", help="Instances in each sample, drawn without replacement from the pool."
    )
)

SHOWN_LABELS = registry(
    whole("shown_labels", "labels of the sample", 60, (0, 200)).with_label(
        "Labels of the sample", step=10, help="Drawn at random. With 10 labels or more, three more tests are possible."
    )
)

THRESHOLD = registry(view(fraction("threshold", "threshold", 0.5).with_label("Threshold", step=0.01)))

SIZE_GRID = registry(
    text("sizes", "sample sizes", " ".join(map(str, SizeGrid().sizes))).with_label(
        "Sample sizes",
        help=(f"Numbers of instances in a sample, from 2 to {LARGEST_SIZE:,}, with spaces or commas between them."),
    ),
    number_among("points", "prevalence grid", 21, GRIDS, "11, 21 or 101 points").with_label(
        "Prevalence grid", help="Number of equally spaced true prevalences from 0 to 1."
    ),
    whole("runs", "repeats", 20, REPEATS_PER_SIZE_RANGE).with_label(
        "Repeats", step=5, help="Samples of each size at each prevalence; a cell shows their mean."
    ),
)
