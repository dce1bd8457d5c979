"""The settings of the page "Classifier", and its examples."""

from pages.settings.number_text import LARGEST_COST
from pages.settings.setting import Preset, choice, fraction, number, percent, several, text, view
from pages.settings.shared import SIDEBAR, THRESHOLD, TRAINING
from qcore import QUANTIFIERS
from qcore.base import registry
from qcore.scoring import CALIBRATIONS
from qcore.studies.classifier_evaluation import COMPLEXITIES

OUT_OF_FOLD = "training part"
POOL = "pool"
THIS_CLASSIFIER = "this classifier"
SLIDES = "three of the slides"
THIS_DATA_SET = "this data set"
SLIDES_EXAMPLE = "the slides' example"
DECISION_MEASURES = ("accuracy", "F1", "cost")
CALIBRATION_KEYS = [key for key in CALIBRATIONS if key != "none"]

_COST_LIMITS = (-LARGEST_COST, LARGEST_COST)

COSTS = registry(
    view(
        choice("on", "scores to evaluate", OUT_OF_FOLD, [OUT_OF_FOLD, POOL]).with_label(
            "Scores of",
            help=(
                "Training part: each instance is scored by a model that was not trained on it. Pool: no model was trained on "
                "it."
            ),
        )
    ),
    choice("classifier_evaluation", "what to evaluate", THIS_CLASSIFIER, [THIS_CLASSIFIER, SLIDES]).with_label(
        "Evaluate",
        help="The slides on model evaluation compare three classifiers that have no threshold, on 100,000 instances.",
    ),
    number("fp_cost", "cost of a false positive", 1.0, _COST_LIMITS, rule="a number").with_label("Cost of a false positive"),
    number("fn_cost", "cost of a false negative", 1.0, _COST_LIMITS, rule="a number").with_label("Cost of a false negative"),
    percent("ratio", "share of positives at work", 0.5).with_label(
        "Share of positives at work",
        step=0.005,
        help="Where the classifier is used; this may differ from training.",
    ),
)

SETTINGS = registry(
    *SIDEBAR.values(),
    *TRAINING.values(),
    *THRESHOLD.values(),
    *COSTS.values(),
    view(
        choice("complexity", "what makes models more complex", next(iter(COMPLEXITIES)), list(COMPLEXITIES)).with_label(
            "What makes the model more complex",
            help=("A deeper tree, or fewer neighbours: both follow the training data more closely."),
        )
    ),
    view(choice("of_classes", "classes to look at", THIS_DATA_SET, [THIS_DATA_SET, SLIDES_EXAMPLE]).with_label("Look at")),
    view(
        choice("decide_with", "quantifier to adjust scores with", "EMQ", list(QUANTIFIERS)).with_label(
            "Adjust to the estimate of"
        )
    ),
    view(
        percent("posterior_prevalence", "prevalence of the sample", 0.6, (0.05, 0.95)).with_label(
            "Prevalence of the sample",
            step=0.05,
            help="Share of positives in samples that are drawn from the pool. Their labels are not used.",
        )
    ),
    view(
        choice("decision", "measure of decisions", DECISION_MEASURES[0], DECISION_MEASURES).with_label(
            "Measure", help="Costs are those of the section Costs; they also set the threshold."
        )
    ),
    view(text("class_costs", "cost matrix", "").with_label("Costs, a row for each predicted class")),
    view(
        fraction("alpha", "alpha", 0.5).with_label(
            "alpha", step=0.05, help="How much predictions below the truth cost: at 0.5 both directions cost the same."
        )
    ),
    view(
        several("calibrations", "calibrations", CALIBRATION_KEYS, CALIBRATION_KEYS).with_label(
            "Beside the scores as they are", help="; ".join(f"{key}: {CALIBRATIONS[key].idea}" for key in CALIBRATION_KEYS)
        )
    ),
)


PRESETS = (
    Preset(
        "Equal costs",
        "Equal costs, and classes that are equally frequent at work: the cheapest threshold is where tpr - fpr is largest.",
        {"threshold": 0.5},
    ),
    Preset(
        "The nuclear plant",
        "A false alarm costs 100, a missed positive 2000; one instance in 200 is positive. The classifier with the "
        "lowest error is the most expensive: 10 per instance beside 4.5 and 7.4.",
        {
            "classifier_evaluation": SLIDES,
            "fp_cost": 100.0,
            "fn_cost": 2000.0,
            "ratio": 0.005,
            "threshold": 0.5,
            "classifier_section": "From the slides",
            "from_the_slides": "Costs",
        },
    ),
    Preset(
        "Scores that are not probabilities",
        "Naive Bayes's scores crowd near 0 and 1. EMQ takes scores for probabilities, so it errs much; sigmoid and "
        "isotonic calibration repair that, but make PCC worse.",
        {
            "data": "digits",
            "positive": "8",
            "classifier": "Gaussian naive Bayes",
            "threshold": 0.5,
            "classifier_section": "Calibration",
        },
    ),
)
