"""What to look at in each part of "Test size", and what to try."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GOOD_COLOUR: Final = {False: "dark is good", True: "grey is good"}
"""Whether the loss has a sign -> how to read a heatmap's colours."""

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "heatmaps": (
            "**Where is each quantifier wrong?** A row is a sample size, a column a true prevalence; {good}, and all panels "
            "have one colour scale. *Try: click a cell to look at that quantifier closely.*"
        ),
        "enlarged_heatmap": (
            "**One of them closely.** On a colour scale of its own; the framed row and column are the two curves above. "
            "*Try: click another cell. Where does the error grow most as samples shrink: at the ends of the prevalences, or "
            "between them?*"
        ),
        "winners": (
            "**Who wins where?** Each cell has the colour of the quantifier with the lowest mean, and its marker where "
            "there is room. Where another one is within one standard error of it (of their difference on the same samples), "
            "the cell is faint and the marker open: nobody has won there. Grey: several have the very same mean. *Try: more "
            "repeats. Which faint cells get a winner?*"
        ),
        "difference": (
            "**Two of them compared.** The first one's {measure} less the second's, on the same samples: blue where the "
            "first is better, orange where the second is, grey where they are as good."
        ),
        "ranks": (
            "**Rank by size.** At each prevalence the chosen quantifiers are ranked by their mean, 1 being best. A line is "
            "the mean of those ranks, its band runs from the 10th to the 90th percentile over the prevalences; grey are the "
            "others. A quantifier whose line is not level is worth more at some sizes than at others."
        ),
        "sample_overlap": (
            "**Can the repeats be trusted?** All samples come from one *pool*: the instances that did not train the "
            "classifier. The smaller it is, the more the samples share, and their spread is then too small."
        ),
    }
)
