"""The settings of the page "More than two classes"."""

from typing import Final

from pages.settings.setting import choice, text, view, whole
from pages.settings.shared import LOSS, SAMPLE_SIZE, SIDEBAR, TRAINING
from qcore import QUANTIFIERS
from qcore.base import registry
from qcore.losses import ORDERED_LOSSES, UNSIGNED_LOSSES
from qcore.studies.more_than_two_classes import MATRIX_METHODS, SIMPLEX_PROTOCOLS

SETTINGS: Final = registry(
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
