"""The settings of the page "Test size", and its examples."""

from pages.settings.setting import Preset, Setting, choice, percent, several, view, whole
from pages.settings.shared import LARGEST_SIZE, LOSS, SIDEBAR, SIZE_GRID, TRAINING, data_word, quantifiers_chosen
from qcore import QUANTIFIERS
from qcore.base import registry
from qcore.protocols.artificial_prevalence import SMALLEST_SIZE
from qcore.recommender.metatable import CANDIDATES as CANDIDATES_OF_THE_PAPER
from qcore.studies.sample_size import GRID_OF_MALETZKE_2020, METHODS_OF_MALETZKE_2020

WINNER, COST = "the winner", "what a choice costs"

CELLS = registry(
    view(
        choice("cells", "what the cells show", WINNER, (WINNER, COST)).with_label(
            "Cells show",
            help="The cost of a choice: how far the mean loss of the quantifier chosen beside the picture is above the lowest "
            "in each cell.",
        )
    ),
)

SELECTED_CELL = registry(
    view(choice("look", "quantifier to look at closely", "EMQ", list(QUANTIFIERS)).with_label("Quantifier")),
    view(whole("at_size", "size to look at closely", 10, (SMALLEST_SIZE, LARGEST_SIZE)).with_label("Size (row)")),
    view(
        percent("at_p", "prevalence to look at closely", 0.5).with_label(
            "Prevalence (column)", step=0.01, help="The nearest column is taken."
        )
    ),
)

DIFFERENCE = registry(
    view(choice("first", "first quantifier of the difference", "AC", list(QUANTIFIERS)).with_label("First quantifier")),
    view(choice("second", "second quantifier of the difference", "CC", list(QUANTIFIERS)).with_label("Second quantifier")),
)

BESIDE = registry(
    view(
        Setting("beside_data", "second data set", "wdbc", data_word, "a data set of this machine").with_label(
            "Second data set", help="With the same classifier and quantifiers; its own default class is positive."
        )
    ),
)

CANDIDATES = registry(
    several("candidates", "candidates", CANDIDATES_OF_THE_PAPER, list(QUANTIFIERS)).with_label(
        "Candidates",
        help="The quantifiers to choose from, at least two. The paper's three: MS for small samples, DyS-PS for large "
        "ones, SORD over all sizes.",
    ),
)

SETTINGS = registry(
    *SIDEBAR.values(),
    *LOSS.values(),
    *SIZE_GRID.values(),
    *TRAINING.values(),
    *CELLS.values(),
    *SELECTED_CELL.values(),
    *DIFFERENCE.values(),
    *BESIDE.values(),
    *CANDIDATES.values(),
)


_EIGHT = quantifiers_chosen(["CC", "AC", "PCC", "PACC", "T50", "MS", "EMQ", "DyS-PS"])
"""Eight quantifiers, one or two for each idea."""

PRESETS = (
    Preset(
        "From 10 to 100",
        "The error of CC is mostly bias: larger samples hardly reduce it. That of the corrections more than halves.",
        {},
    ),
    Preset(
        "Counting holds its own at 10",
        "With samples of 10 nothing is clearly better than counting; with samples of 100, every correction is. Chance "
        "dominates small samples, bias large ones.",
        {"data": "wdbc"},
    ),
    Preset(
        "From 10 to 500",
        "The mean AE of AC falls to a seventh; that of CC and PCC, which correct nothing, falls only a little.",
        {"data": "waveform", "sizes": "10 20 50 100 200 500", **_EIGHT},
    ),
    Preset(
        "The paper's comparison",
        "The quantifiers and the grid of Maletzke et al. (2020) on another data set. A variant of DyS leads at 500, as "
        "in the paper, but only by little; at 10 EMQ-5 leads, not MS.",
        {
            "data": "waveform",
            "sizes": " ".join(map(str, GRID_OF_MALETZKE_2020.sizes)),
            "points": len(GRID_OF_MALETZKE_2020.prevalences),
            "runs": GRID_OF_MALETZKE_2020.repeats,
            **quantifiers_chosen(METHODS_OF_MALETZKE_2020),
        },
    ),
    Preset(
        "More data, same error of counting",
        "CC, PCC and EMQ trust these scores, and err as much with samples of 80 as with 10. AC, PACC, MS and DyS-PS "
        "compare them with training: their error halves.",
        {"data": "digits", "positive": "8", "classifier": "Gaussian naive Bayes", "sizes": "10 20 50 80", **_EIGHT},
    ),
    Preset(
        "A recommender's choice",
        "Can the quantifier be chosen for each sample? The recommender, MLQ, is level with DyS-PS alone; TOP shows what "
        "a perfect choice would be worth.",
        {"test_size_section": "Recommender"},
    ),
    Preset(
        "Candidates that differ",
        "On scores that are not probabilities the recommender is far better than a random choice, but no better than its "
        "best candidate.",
        {
            "data": "digits",
            "positive": "8",
            "classifier": "Gaussian naive Bayes",
            "sizes": "5 10 20 40",
            "candidates": ["CC", "AC", "DyS-PS"],
            "test_size_section": "Recommender",
        },
    ),
)
