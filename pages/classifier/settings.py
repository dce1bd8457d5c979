"""The settings of the page "Classifier"."""

from __future__ import annotations

from typing import Final

from pages.settings.setting import choice, fraction, number, section, several, text, view
from pages.settings.shared import SIDEBAR, THRESHOLD, TRAINING
from pages.settings.typed_text import LARGEST_COST
from qcore import QUANTIFIERS
from qcore._base.registry import registry
from qcore.scoring import CALIBRATIONS
from qcore.studies.overfitting import COMPLEXITIES

CLASSIFIER_SECTIONS: Final = (
    "At the threshold", "Costs", "Calibration", "Posteriors", "Validation", "More than two classes", "Measures of numbers",
)  # fmt: skip
OUT_OF_FOLD: Final = "training part"
POOL: Final = "pool"
THIS_CLASSIFIER: Final = "this classifier"
SLIDES: Final = "three of the slides"
THIS_DATA_SET: Final = "this data set"
SLIDES_EXAMPLE: Final = "the slides' example"
DECISION_MEASURES: Final = ("accuracy", "F1", "cost")
CALIBRATION_KEYS: Final = [key for key in CALIBRATIONS if key != "none"]

_COST_LIMITS: Final = (-LARGEST_COST, LARGEST_COST)

COSTS: Final = registry(
    view(choice("on", "scores to judge", OUT_OF_FOLD, [OUT_OF_FOLD, POOL])),
    choice("judged", "what to judge", THIS_CLASSIFIER, [THIS_CLASSIFIER, SLIDES]),
    number("fp_cost", "cost of a false positive", 1.0, _COST_LIMITS, rule="a number"),
    number("fn_cost", "cost of a false negative", 1.0, _COST_LIMITS, rule="a number"),
    fraction("ratio", "share of positives at work", 0.5),
)

SETTINGS: Final = registry(
    *SIDEBAR.values(),
    *TRAINING.values(),
    *THRESHOLD.values(),
    *COSTS.values(),
    section("classifier", CLASSIFIER_SECTIONS),
    view(choice("complexity", "what makes models more complex", next(iter(COMPLEXITIES)), list(COMPLEXITIES))),
    view(choice("of_classes", "classes to look at", THIS_DATA_SET, [THIS_DATA_SET, SLIDES_EXAMPLE])),
    view(choice("decide_with", "quantifier to adjust scores with", "EMQ", list(QUANTIFIERS))),
    view(choice("decision", "measure of decisions", DECISION_MEASURES[0], DECISION_MEASURES)),
    view(text("class_costs", "cost matrix", "")),
    view(fraction("alpha", "alpha", 0.5)),
    view(several("calibrations", "calibrations", CALIBRATION_KEYS, CALIBRATION_KEYS)),
)
