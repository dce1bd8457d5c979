"""The settings of the page "More than two classes", and its examples."""

from pages.settings.setting import Preset, choice, text, view, whole
from pages.settings.shared import LOSS, SAMPLE_SIZE, SIDEBAR, TRAINING, quantifiers_chosen
from qcore import QUANTIFIERS
from qcore.base import registry
from qcore.losses import ORDERED_LOSSES, UNSIGNED_LOSSES
from qcore.studies.more_than_two_classes import MATRIX_METHODS, SIMPLEX_PROTOCOLS

SETTINGS = registry(
    *SIDEBAR.values(),
    TRAINING["share"],
    *SAMPLE_SIZE.values(),
    choice("class_protocol", "protocol", SIMPLEX_PROTOCOLS[0], SIMPLEX_PROTOCOLS).with_label("Protocol"),
    view(
        choice("class_loss", "loss", "AE", (*UNSIGNED_LOSSES, *ORDERED_LOSSES)).with_label(
            "Loss",
            help=f"{' and '.join(ORDERED_LOSSES)} are losses for ordered classes: they can be chosen where the classes have an "
            "order.",
        )
    ),
    text("class_order", "order of the classes", "").with_label(
        "Order of the classes",
        help="Lowest first, such as low < mid < high; none if they have no order. Empty: the order of the data set, or a "
        "guess if the classes are whole numbers. Losses of ordered classes and o-ACC use it.",
    ),
    view(
        whole("moved_by", "classes that a share is moved by", 1, (1, 4)).with_label(
            "Moved by", help="How many classes up the estimate puts 15% of the instances that are in the first class."
        )
    ),
    LOSS["smoothing"],
    view(choice("mapped", "quantifier of the map", "CC", list(QUANTIFIERS)).with_label("Shown on the map")),
    view(choice("matrix", "matrix", "AC", MATRIX_METHODS).with_label("Matrix of")),
)


PRESETS = (
    Preset(
        "Counting three classes",
        "Counting (CC) is good in the middle, where shares are those of training, and worst at the corners. Corrections "
        "are good everywhere.",
        {},
    ),
    Preset(
        "One against all",
        "MS and DyS handle two classes only: each class is estimated against all others. Is that as good as correcting "
        "all classes at once?",
        quantifiers_chosen(("AC", "PACC", "EMQ", "MS", "DyS-TS", "SORD")) | {"mapped": "MS"},
    ),
    Preset(
        "Ordered classes",
        "Left, balanced, right have an order. o-ACC penalises shares that jump between neighbours: on uniformly drawn "
        "samples it beats AC. Predict what happens with NPP.",
        quantifiers_chosen(("AC", "o-ACC", "PACC", "EMQ"))
        | {"data": "balance", "positive": "left", "size": 25, "class_loss": "NMD", "mapped": "o-ACC", "class_protocol": "UPP"},
    ),
    Preset(
        "Ten digits",
        "Ten classes do not fit on a triangle, but the matrix shows which digits are taken for which.",
        {"data": "digits", "positive": "8", "size": 50},
    ),
)
