"""The presets of the page "Test size"."""

from typing import Final

from pages.frame.presets import Preset
from pages.settings.shared import quantifiers_chosen
from qcore.studies.maletzke_2020 import GRID_OF_MALETZKE_2020, METHODS_OF_MALETZKE_2020

_EIGHT: Final = quantifiers_chosen(["CC", "AC", "PCC", "PACC", "T50", "MS", "EMQ", "DyS-PS"])
"""Eight quantifiers, one or two for each idea."""

PRESETS: Final = (
    Preset(
        "From 10 to 100",
        "Classes that overlap. The error of counting (CC) is bias, which larger samples do not reduce: it is off by a tenth at "
        "10 and at 100. That of the corrections is chance, and falls to less than half.",
        {},
    ),
    Preset(
        "Counting holds its own at 10",
        "With samples of 10, none of the three other quantifiers is clearly better than plain counting, two are worse; with "
        "samples of 100, all are better. Small samples are ruled by chance, which a correction multiplies; large ones by bias, "
        "which it removes.",
        {"data": "wdbc"},
    ),
    Preset(
        "From 10 to 500",
        "Classes that overlap, and a pool of 2,500, large enough for the paper's sizes. From 10 to 500 instances the mean AE "
        "of AC falls to a seventh; that of CC and PCC, which correct nothing, falls by little.",
        {"data": "waveform", "sizes": "10 20 50 100 200 500", **_EIGHT},
    ),
    Preset(
        "The paper's comparison",
        "The quantifiers of Maletzke et al. (2020), but for quantification trees, and their grid, on a data set that they did "
        "not use. As there, a variant of DyS leads at 500, if by little; at 10 it is EMQ-5 (there: MS), and more of them beat "
        "counting than there.",
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
        "Naive Bayes takes half of the other digits for an 8. CC, PCC and EMQ believe its scores, and err with samples of 80 "
        "as with samples of 10. AC, PACC, MS and DyS-PS compare them with the training scores: their error falls to half or "
        "less.",
        {"data": "digits", "positive": "8", "classifier": "Gaussian naive Bayes", "sizes": "10 20 50 80", **_EIGHT},
    ),
)
