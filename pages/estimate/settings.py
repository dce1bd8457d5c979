"""The settings of the page "Estimate", and its examples."""

from pages.settings.setting import Preset, choice, fraction, number, percent, percent_choice, text, toggle, view, whole
from pages.settings.shared import OWN_SAMPLE, SAMPLE_SIZE, SHARE_OVER_TIME, SHOWN_LABELS, SIDEBAR, TRAINING
from qcore.base import registry
from qcore.intervals import DEFAULT_INTERVAL, INTERVALS

DRAWN, OWN, LABELLED_PART, COUNTS, WATCHED = (
    "An example",
    OWN_SAMPLE,
    "One file, some rows labelled",
    "Counts of a test",
    SHARE_OVER_TIME,
)
WAYS = (DRAWN, OWN, LABELLED_PART, COUNTS, WATCHED)
_WAYS_OF_OLDER_LINKS = {
    "a drawn sample": DRAWN,
    "my sample": OWN,
    "a sample labelled in part": LABELLED_PART,
    "counts": COUNTS,
    "a share over time": WATCHED,
}
OF_SAMPLE, OF_POPULATION = "this sample", "its population"
LEVELS = ("90%", "95%", "99%")
MOST = 10_000_000
POWERS = ("80%", "90%")
TOTALS, CELLS, RATES = "Counts of labels", "TP, FN, FP, TN", "Sensitivity and specificity"
NO_GROUPS, ONE_PICTURE, NO_WEIGHTS = "no groups", "one picture", "no weights"
COUNT_LIMITS = (0, MOST)
TOTAL_LIMITS = (1, MOST)
DRAWS = (0, 999)
OTHER_INTERVALS = tuple(key for key in INTERVALS if key != DEFAULT_INTERVAL)
SHOWN_OF_COVERAGE = {"coverage": "coverage", "mean width": "width"}
"""Option of the control -> the column of the table that it shows."""

_RATE_HELP = (
    "Counts (180/200), a share of so many labels (0.9/200), a published rate with its interval (0.9 (0.85-0.94)), or a rate "
    "alone (0.9), which counts as exact."
)
SETTINGS = registry(
    *SIDEBAR.values(),
    *TRAINING.values(),
    choice("way", "what there is to count", "", WAYS, _WAYS_OF_OLDER_LINKS).with_label("What do you have?"),
    percent("sample_share", "share of positives in the sample", 0.4).with_label("Share of positives in it", step=0.01),
    *SAMPLE_SIZE.values(),
    *SHOWN_LABELS.values(),
    whole("sample_draw", "draw", 0, DRAWS).with_label("Draw", help="Each number draws another sample with the same settings."),
    percent_choice("level", "level of the intervals", "95%", LEVELS, rule="90%, 95% or 99%").with_label(
        "Level", help="How often intervals should hold the truth."
    ),
    text("by", "column of groups", NO_GROUPS).with_label(
        "By group", help="A share for each value of a column, such as a month."
    ),
    text("against", "group that others are compared with", "").with_label(
        "Compared with", help="Errors of tpr and fpr cancel in a difference: it is known better than either share."
    ),
    text("sample_file", "file that is counted", "").with_label("To be counted"),
    text("groups_method", "quantifier of groups", "AC").with_label(
        "Counted by", help="AC is exact and quick; others, chosen in the sidebar, are redrawn with the labels."
    ),
    text("weights", "column of weights", NO_WEIGHTS).with_label(
        "Weights", help="How many each row stands for, as in a survey: shares are weighted, and intervals wider (Kish 1965)."
    ),
    text("panels", "column of small multiples", ONE_PICTURE).with_label(
        "A picture for each", help="Such as months for each team. Groups are then compared within each."
    ),
    whole("count_x", "predicted positives", 760, COUNT_LIMITS).with_label("Predicted positive in the sample"),
    whole("count_m", "sample size", 2000, TOTAL_LIMITS).with_label("of instances in the sample"),
    whole("count_tp", "true positives", 66, COUNT_LIMITS).with_label("True positives (TP)"),
    whole("count_pos", "labelled positives", 80, TOTAL_LIMITS).with_label("of labelled positives"),
    whole("count_fp", "false positives", 18, COUNT_LIMITS).with_label("False positives (FP)"),
    whole("count_neg", "labelled negatives", 120, TOTAL_LIMITS).with_label("of labelled negatives"),
    choice("rates_as", "form in which the rates are typed", TOTALS, (TOTALS, CELLS, RATES)).with_label(
        "How good is the test or the model?"
    ),
    whole("count_fn", "false negatives", 14, COUNT_LIMITS).with_label("False negatives (FN)"),
    whole("count_tn", "true negatives", 102, COUNT_LIMITS).with_label("True negatives (TN)"),
    text("sensitivity", "sensitivity", "66/80").with_label("Sensitivity", help=_RATE_HELP),
    text("specificity", "specificity", "102/120").with_label("Specificity", help=_RATE_HELP),
    toggle("second_sample", "comparison with a second sample").with_label("Compare with a second sample"),
    whole("second_x", "predicted positives of the second sample", 840, COUNT_LIMITS).with_label(
        "Predicted positive in the second"
    ),
    whole("second_m", "size of the second sample", 2000, TOTAL_LIMITS).with_label("of instances in it"),
    choice("share_of", "whose share is estimated", OF_SAMPLE, (OF_SAMPLE, OF_POPULATION)).with_label(
        "Share of",
        help="This sample: only these instances. Its population: all from which they were drawn, which is less certain.",
    ),
    whole("sample_taken", "predicted positives of the sample", 480, COUNT_LIMITS).with_label("Predicted positive"),
    whole("sample_total", "instances of the sample", 1000, TOTAL_LIMITS).with_label("of instances in the sample"),
    whole("taken_right", "positives among labelled predicted positives", 44, COUNT_LIMITS).with_label(
        "Of these, positive by label"
    ),
    whole("taken_labels", "labels of predicted positives", 53, COUNT_LIMITS).with_label("of labelled predicted positives"),
    whole("left_wrong", "positives among labelled predicted negatives", 9, COUNT_LIMITS).with_label(
        "Of the others, positive by label"
    ),
    whole("left_labels", "labels of predicted negatives", 47, COUNT_LIMITS).with_label("of labelled predicted negatives"),
    percent("first_share", "share in the first batches", 0.3).with_label("Share in batches 1 to 25", step=0.01),
    percent("later_share", "share in the later batches", 0.3).with_label("Share in batches 26 to 50", step=0.01),
    whole("batch_size", "size of a batch", 100, (10, 1000)).with_label("Instances in each batch", step=10),
    text("typed_batches", "typed batches", "").with_label(
        "Or type them", help="Positives and size of each batch, such as 31/100 28/100 30/90; or 31 28 30 of 100."
    ),
    toggle("corrected_share", "correction of the share by labels").with_label("Correct the share by tpr and fpr"),
    # Without defaults: on batches of one's own, no number may be an example's.
    whole("own_tp", "true positives among own labels", 0, COUNT_LIMITS).with_label("True positives"),
    whole("own_pos", "own labelled positives", 0, COUNT_LIMITS).with_label("of labelled positives"),
    whole("own_fp", "false positives among own labels", 0, COUNT_LIMITS).with_label("False positives"),
    whole("own_neg", "own labelled negatives", 0, COUNT_LIMITS).with_label("of labelled negatives"),
    whole("baseline", "batches of the baseline", 20, (1, 1000)).with_label(
        "Compared with the first",
        help="Number of first batches that later ones are compared with. Do not change it while you watch.",
    ),
    number("planned_points", "change that is to be seen, in points", 3.0, (0.1, 50.0)).with_label(
        "Change to be seen, in points", step=0.5
    ),
    percent_choice("planned_power", "power", "80%", POWERS, rule="80% or 90%").with_label(
        "With a power of", help="How often the change is seen, if there is one."
    ),
    fraction("true_rate", "tpr in the simulation", 0.8).with_label("True tpr", step=0.01),
    fraction("false_rate", "fpr in the simulation", 0.1).with_label("True fpr", step=0.01),
    percent("simulated_share", "prevalence in the simulation", 0.1).with_label("True prevalence", step=0.01),
    whole("simulated_labels", "labelled instances of each class", 100, (10, 2000)).with_label(
        "Labelled of each class", step=10
    ),
    whole("simulated_size", "sample size in the simulation", 1000, (10, 10_000)).with_label("Instances in the sample", step=10),
    view(
        choice("other_interval", "interval beside the default", "sample alone", OTHER_INTERVALS).with_label(
            f"Beside {DEFAULT_INTERVAL}"
        )
    ),
    view(
        choice("coverage_shown", "what is shown of the intervals", "coverage", list(SHOWN_OF_COVERAGE)).with_label(
            "Over 2,000 samples at each prevalence and size"
        )
    ),
)


PRESETS = (
    Preset(
        "A sample, scored",
        "100 instances without labels, counted by each method. The dotted line is the truth, known only because this is an "
        "example.",
        {"way": DRAWN},
    ),
    Preset(
        "A model as judge",
        "A model has judged 2,000 answers and calls 760 of them right. People have checked 200: of the 80 right ones the "
        "model called 66 right, of the 120 wrong ones 18. What share of all answers is right? Not 38%; the interval shows "
        "how sure the estimate is.",
        {"way": COUNTS},
        keeps_sidebar=True,
    ),
    Preset(
        "How good is your judge?",
        "A model has judged 1,000 answers and calls 480 of them right; people have looked at 100 of these very answers. What "
        "share is right, and how sure is that? Error rates measured elsewhere are not needed.",
        {"way": LABELLED_PART},
        keeps_sidebar=True,
    ),
    Preset(
        "Fifty looks at a share that has not moved",
        "100 new instances a week, and a look every week. The ordinary interval is valid for one look: in a third of such "
        "series it misses the true share somewhere. The wider one holds at all looks. Move the later share: when is it seen?",
        {"way": WATCHED, "sample_draw": 10},
        keeps_sidebar=True,
    ),
    Preset(
        "A screening test",
        "150 cows, 23 of them positive in a test with sensitivity 96% and specificity 89%. epiR's epi.prev takes both rates "
        "as known; here each was measured on 100 animals, so the interval is wider.",
        {"way": COUNTS, "count_x": 23, "count_m": 150, "count_tp": 96, "count_pos": 100, "count_fp": 11, "count_neg": 100},
        keeps_sidebar=True,
    ),
    Preset(
        "Too few labels",
        "100 labelled instances, 33 of them positive: tpr and fpr are rough guesses. An interval that takes both as known is "
        "short and mostly misses the truth; the others show how little is known.",
        {"way": DRAWN, "share": 0.02, "sample_share": 0.2, "size": 500},
    ),
)
