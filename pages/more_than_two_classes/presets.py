"""The presets of the page "More than two classes"."""

from typing import Final

from pages.frame.presets import Preset
from pages.settings.shared import quantifiers_chosen

PRESETS: Final = (
    Preset(
        "Counting three classes",
        "Waveform has three classes that overlap. Counting (CC) is good in the middle of the triangle, where the shares "
        "are those "
        "of training, and worst at the corners; the corrections are good everywhere.",
        {},
    ),
    Preset(
        "One against all",
        "Median Sweep and DyS know two classes only: here each class is estimated against all others, and the shares are "
        "divided "
        "by their sum. Is that as good as correcting all classes at once?",
        quantifiers_chosen(("AC", "PACC", "EMQ", "MS", "DyS-TS", "SORD")) | {"mapped": "MS"},
    ),
    Preset(
        "Ordered classes",
        "Left, balanced, right: the states of a scale have an order, and NMD asks how far shares are moved along it. o-ACC "
        "pays for shares that leap: on uniform samples it gains on AC. Predict what happens with NPP, whose samples are as "
        "the pool: balanced is rare there.",
        quantifiers_chosen(("AC", "o-ACC", "PACC", "EMQ"))
        | {"data": "balance", "positive": "left", "size": 25, "class_loss": "NMD", "mapped": "o-ACC", "class_protocol": "UPP"},
    ),
    Preset(
        "Ten digits",
        "Ten classes of handwritten digits: no triangle shows them, but the matrix does: which digits are taken for which.",
        {"data": "digits", "positive": "8", "size": 50},
    ),
)
