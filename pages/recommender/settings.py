"""The settings of the page "Recommender"."""

from typing import Final

from pages.settings.setting import section, several
from pages.settings.shared import SIDEBAR_WITHOUT_QUANTIFIERS, SIZE_GRID, TRAINING
from qcore import QUANTIFIERS
from qcore.base import registry
from qcore.recommender.metatable import CANDIDATES

SECTIONS: Final = (
    "What it chooses", "Beside each candidate", "How the recommender works", "How the quantifiers work",
)  # fmt: skip

SETTINGS: Final = registry(
    *SIDEBAR_WITHOUT_QUANTIFIERS.values(),
    *SIZE_GRID.values(),
    *TRAINING.values(),
    several("candidates", "candidates", CANDIDATES, list(QUANTIFIERS)).with_label(
        "Candidates",
        help="The quantifiers to choose from, at least two. The paper's three: MS for small samples, DyS-PS for large "
        "ones, SORD over all sizes.",
    ),
    section("recommender", SECTIONS, retired=("Python",)),
)
