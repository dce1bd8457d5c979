"""The settings of the page "Corrections"."""

from __future__ import annotations

from typing import Final

from pages.settings.setting import choice, fraction, number_among, section, text, toggle, view, whole
from pages.settings.shared import SAMPLE_SIZE, SIDEBAR, SIZE_RANGE, THRESHOLD, TRAINING
from qcore._base.registry import registry
from qcore.quantifiers import INSPECTABLE
from qcore.studies.dataset_shift import SHIFT_KINDS
from qcore.studies.trend import PATHS

CORRECTION_SECTIONS: Final = (
    "Threshold", "Inside a method", "Over time", "When it breaks", "How rates are estimated", "How the policies work",
)  # fmt: skip
DRAW_RANGE: Final = (0, 99_999)
TRAINING_SIZES: Final = (1000, 100)
TYPED_PATH: Final = "typed in"
SCORE: Final = "score"
AS_THEY_COME: Final = "as they come"
EVERY_PREVALENCE: Final = "at every prevalence"
RATE_REPEATS: Final = (5, 10, 20)

SAMPLE: Final = registry(
    *THRESHOLD.values(),
    view(fraction("p", "prevalence of the sample", 0.7)),
    *SAMPLE_SIZE.values(),
    view(whole("draw", "draw", 0, DRAW_RANGE)),
    view(toggle("textbook", "rates of one's own")),
    view(fraction("tpr", "tpr", 0.8)),
    view(fraction("fpr", "fpr", 0.2)),
    view(choice("inside", "method to look into", "MS", list(INSPECTABLE))),
)

TREND: Final = registry(
    view(choice("path", "path", "wave", [*PATHS, TYPED_PATH])),
    view(text("typed", "typed path", "0.2 0.8 0.3")),
    view(number_among("trained", "training size", 1000, TRAINING_SIZES, "100 or 1000")),
    view(whole("day", "instances a day", 50, SIZE_RANGE)),
)

DATASET_SHIFT: Final = registry(
    view(choice("kind", "kind of shift", "covariate shift", list(SHIFT_KINDS))),
    view(text("along", "what the shift goes along", SCORE)),
    view(fraction("strength", "strength of the shift", -1.0, (-1.0, 1.0))),
    view(choice("drawn", "way of drawing samples", AS_THEY_COME, [AS_THEY_COME, EVERY_PREVALENCE])),
)

ESTIMATED_RATES: Final = registry(
    view(number_among("rate_repeats", "repeats of the folds", 10, RATE_REPEATS, "5, 10 or 20")),
)

SETTINGS: Final = registry(
    *SIDEBAR.values(),
    *TRAINING.values(),
    *SAMPLE.values(),
    *TREND.values(),
    *DATASET_SHIFT.values(),
    *ESTIMATED_RATES.values(),
    section("corrections", CORRECTION_SECTIONS),
)
