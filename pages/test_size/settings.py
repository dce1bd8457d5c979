"""The settings of the page "Test size"."""

from typing import Final

from pages.settings.setting import Setting, choice, percent, several, view, whole
from pages.settings.shared import LARGEST_SIZE, LOSS, SIDEBAR, SIZE_GRID, TRAINING, data_word
from qcore import QUANTIFIERS
from qcore.base import registry
from qcore.protocols.artificial_prevalence import SMALLEST_SIZE
from qcore.recommender.metatable import CANDIDATES as CANDIDATES_OF_THE_PAPER

WINNER, COST = "the winner", "what a choice costs"

CELLS: Final = registry(
    view(
        choice("cells", "what the cells show", WINNER, (WINNER, COST)).with_label(
            "Cells show",
            help="The cost of a choice: how far the mean loss of the quantifier chosen beside the picture is above the lowest "
            "in each cell.",
        )
    ),
)

SELECTED_CELL: Final = registry(
    view(choice("look", "quantifier to look at closely", "EMQ", list(QUANTIFIERS)).with_label("Quantifier")),
    view(whole("at_size", "size to look at closely", 10, (SMALLEST_SIZE, LARGEST_SIZE)).with_label("Size (row)")),
    view(
        percent("at_p", "prevalence to look at closely", 0.5).with_label(
            "Prevalence (column)", step=0.01, help="The nearest column is taken."
        )
    ),
)

DIFFERENCE: Final = registry(
    view(choice("first", "first quantifier of the difference", "AC", list(QUANTIFIERS)).with_label("First quantifier")),
    view(choice("second", "second quantifier of the difference", "CC", list(QUANTIFIERS)).with_label("Second quantifier")),
)

BESIDE: Final = registry(
    view(
        Setting("beside_data", "second data set", "wdbc", data_word, "a data set of this machine").with_label(
            "Second data set", help="With the same classifier and quantifiers; its own default class is positive."
        )
    ),
)

CANDIDATES: Final = registry(
    several("candidates", "candidates", CANDIDATES_OF_THE_PAPER, list(QUANTIFIERS)).with_label(
        "Candidates",
        help="The quantifiers to choose from, at least two. The paper's three: MS for small samples, DyS-PS for large "
        "ones, SORD over all sizes.",
    ),
)

SETTINGS: Final = registry(
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
