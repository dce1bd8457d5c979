"""The presets of the page "More than two classes"."""

from typing import Final

from pages.settings.page_declaration import Preset
from pages.settings.shared import quantifiers_chosen

PRESETS: Final = (
    Preset(
        "Counting three classes",
        "Waveform has three classes that overlap. Counting (CC) is good in the middle of the triangle, where the shares "
        "are those of training, and worst at the corners; the corrections are good everywhere.",
        {},
    ),
    Preset(
        "One against all",
        "Median Sweep and DyS can handle only two classes, so each class is estimated against all others, and the shares are "
        "divided by their sum. Is that as good as correcting all classes at once?",
        quantifiers_chosen(("AC", "PACC", "EMQ", "MS", "DyS-TS", "SORD")) | {"mapped": "MS"},
    ),
    Preset(
        "Ordered classes",
        "The states of a scale, left, balanced and right, have an order, and NMD measures how far along it the estimate "
        "moves shares. o-ACC penalises shares that jump between neighbouring classes: on uniformly drawn samples it does "
        "better than AC. Predict what happens with NPP, whose samples are like the pool, where balanced is rare.",
        quantifiers_chosen(("AC", "o-ACC", "PACC", "EMQ"))
        | {"data": "balance", "positive": "left", "size": 25, "class_loss": "NMD", "mapped": "o-ACC", "class_protocol": "UPP"},
    ),
    Preset(
        "Ten digits",
        "Ten classes of handwritten digits do not fit on a triangle, but the matrix shows which digits are taken for which.",
        {"data": "digits", "positive": "8", "size": 50},
    ),
)
