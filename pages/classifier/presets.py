"""The presets of the page "Classifier"."""

from typing import Final

from pages.classifier.settings import SLIDES
from pages.settings.page_declaration import Preset

PRESETS: Final = (
    Preset(
        "Equal costs",
        "Both errors cost the same and both classes are equally frequent: the iso-cost lines rise at 45 degrees, and the "
        "cheapest threshold is where tpr - fpr is largest.",
        {"threshold": 0.5},
    ),
    Preset(
        "The nuclear plant",
        "From the lecture slides Model evaluation, under Costs below: a false alarm costs 100, a missed positive 2000, and "
        "one instance in 200 is positive. The three classifiers cost 4.5, 10 and 7.4 per instance: the one with the lowest "
        "error is the most expensive.",
        {
            "classifier_evaluation": SLIDES,
            "fp_cost": 100.0,
            "fn_cost": 2000.0,
            "ratio": 0.005,
            "threshold": 0.5,
            "classifier_section": "Costs",
        },
    ),
    Preset(
        "Scores that are not probabilities",
        "Naive Bayes ranks these passably, but its scores crowd near 0 and 1, mostly on the wrong side. EMQ takes scores for "
        "probabilities, so its error is large. Sigmoid and isotonic calibration repair that; temperature, which can't move a "
        "score across 0.5, does not. PCC gets worse with sigmoid and isotonic: calibrated scores depend on the training "
        "prevalence.",
        {
            "data": "digits",
            "positive": "8",
            "classifier": "Gaussian naive Bayes",
            "threshold": 0.5,
            "classifier_section": "Calibration",
        },
    ),
)
