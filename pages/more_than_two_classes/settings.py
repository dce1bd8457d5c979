"""The settings of the page "More than two classes"."""

from typing import Final

from pages.settings.setting import choice, section, view
from pages.settings.shared import LOSS, SAMPLE_SIZE, SIDEBAR, TRAINING
from qcore import QUANTIFIERS
from qcore._base.registry import registry
from qcore.studies.more_than_two_classes import SIMPLEX_PROTOCOLS

CLASS_LOSSES: Final = ("AE", "KLD", "NKLD", "SE", "NAE", "RAE", "NRAE")
MATRICES: Final = ("AC", "PACC")
SECTIONS: Final = (
    "Estimates against truth",
    "The matrix that is inverted",
    "All at once or one against all",
    "Errors by class",
    "How it works",
)

SETTINGS: Final = registry(
    *SIDEBAR.values(),
    TRAINING["share"],
    *SAMPLE_SIZE.values(),
    choice("class_protocol", "protocol", SIMPLEX_PROTOCOLS[0], SIMPLEX_PROTOCOLS).shown("Protocol"),
    view(choice("class_loss", "loss", "AE", CLASS_LOSSES).shown("Loss")),
    LOSS["smoothing"],
    view(choice("mapped", "quantifier of the map", "CC", list(QUANTIFIERS)).shown("Shown on the map")),
    view(choice("matrix", "matrix", "AC", MATRICES).shown("Matrix of")),
    section("more_than_two_classes", SECTIONS),
)
