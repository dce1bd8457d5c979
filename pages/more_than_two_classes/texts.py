"""The texts of the sections of "More than two classes"."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "truth": (
            "**One panel for each class**: each dot is a sample. On the line, the estimate is the truth. Counting lies "
            "flatter than "
            "the line; a correction scatters around it."
        ),
        "matrix": (
            "**AC and PACC solve a linear system** (Marufo 2023, 2.3 and 2.5): each column says how the instances of one "
            "class are "
            "counted, out of fold. Where two columns are alike, the classes cannot be told apart; the condition number "
            "says by how "
            "much errors may grow when the matrix is inverted: 1 is best."
        ),
        "native": (
            "**Two ways to many classes**: use all scores at once, or take each class against all others with a quantifier "
            "for two "
            "classes, and divide by the sum. On the same samples:"
        ),
        "classes": "**Which class is hard?** The mean absolute error of each method on each class, over all samples.",
        "how": (
            "**Scores.** One classifier gives each instance a score for every class, out of fold for the training part; a "
            "classifier "
            "for two classes learns each against all others.\n\n"
            "**Samples.** APP on the simplex: all prevalence vectors of a grid, several samples of each; UPP: vectors "
            "drawn uniformly; "
            "NPP: samples as the pool is.\n\n"
            "**Quantifiers.** BL, CC, AC, PCC, PACC and EMQ know any number of classes; AC and PACC solve their system by "
            "least "
            "squares on the simplex. All others are taken one class against all. Losses are means over the classes."
        ),
    }
)
