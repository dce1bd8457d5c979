"""The settings of the page "Corrections", and its examples."""

from pages.settings.setting import Preset, choice, fraction, number_among, percent, text, toggle, view, whole
from pages.settings.shared import SAMPLE_SIZE, SHOWN_LABELS, SIDEBAR, SIZE_RANGE, THRESHOLD, TRAINING
from qcore.base import registry
from qcore.quantifiers import QUANTIFIERS
from qcore.studies.dataset_shift import SHIFT_KINDS
from qcore.studies.trend import PATHS

DRAW_RANGE = (0, 99_999)
TRAINING_SIZES = (1000, 100)
TYPED_PATH = "typed in"
SCORE = "score"
AS_THEY_COME = "as they come"
EVERY_PREVALENCE = "at every prevalence"
RATE_REPEATS = (5, 10, 20)
BY_WAYS, BY_FOLDS = "ways", "numbers of folds"
INSPECTABLE = [key for key, entry in QUANTIFIERS.items() if entry.inspect]
"""Keys of the quantifiers that a page can look into."""

SAMPLE = registry(
    *THRESHOLD.values(),
    view(
        percent("p", "prevalence of the sample", 0.7).with_label(
            "Prevalence of the sample", step=0.01, help="True share of positives in the sample that is drawn."
        )
    ),
    *SAMPLE_SIZE.values(),
    view(
        whole("draw", "draw", 0, DRAW_RANGE).with_label("Draw", help="Each number draws another sample with the same settings.")
    ),
    view(toggle("textbook", "rates of one's own").with_label("Choose tpr and fpr freely (the textbook picture)")),
    view(fraction("tpr", "tpr", 0.8).with_label("tpr", step=0.01)),
    view(fraction("fpr", "fpr", 0.2).with_label("fpr", step=0.01)),
    view(choice("inspected_method", "method to look into", "MS", INSPECTABLE).with_label("Look into")),
)

TREND = registry(
    view(
        choice("path", "path", "wave", [*PATHS, TYPED_PATH]).with_label(
            "Path", help="How the share of positives moves over the days."
        )
    ),
    view(
        text("typed", "typed path", "0.2 0.8 0.3").with_label(
            "Prevalences, from 0 to 1; straight lines between them fill the days"
        )
    ),
    view(
        number_among("trained", "training size", 1000, TRAINING_SIZES, "100 or 1000").with_label(
            "Training instances", help="Fewer if the data set is small: the pool keeps 3 in 10 instances."
        )
    ),
    view(whole("day", "instances a day", 50, SIZE_RANGE).with_label("Instances a day", help="Size of each day's sample.")),
)

DATASET_SHIFT = registry(
    view(choice("kind", "kind of shift", "covariate shift", list(SHIFT_KINDS)).with_label("What changes")),
    view(
        text("along", "what the shift goes along", SCORE).with_label(
            "Along", help=("Which instances the pool keeps depends on this feature, or on the classifier's score.")
        )
    ),
    view(fraction("strength", "strength of the shift", -1.0, (-1.0, 1.0)).with_label("Strength (0: no shift)", step=0.05)),
    view(
        choice("drawn", "way of drawing samples", AS_THEY_COME, [AS_THEY_COME, EVERY_PREVALENCE]).with_label(
            "Samples",
            help=("As they come: drawn uniformly from the changed pool. At every prevalence: with prior shift in addition."),
        )
    ),
    *SHOWN_LABELS.values(),
)

RATES_COMPARED = registry(
    view(choice("rates_compared", "what is compared", BY_WAYS, (BY_WAYS, BY_FOLDS)).with_label("Compare"))
)

ESTIMATED_RATES = registry(
    view(
        number_among("rate_repeats", "repeats of the folds", 10, RATE_REPEATS, "5, 10 or 20").with_label(
            "Repeats", help="Each repeat uses other folds, halves or bootstraps of the training part."
        )
    ),
)

SETTINGS = registry(
    *SIDEBAR.values(),
    *TRAINING.values(),
    *SAMPLE.values(),
    *TREND.values(),
    *DATASET_SHIFT.values(),
    *ESTIMATED_RATES.values(),
    *RATES_COMPARED.values(),
)


PRESETS = (
    Preset(
        "Classes that overlap",
        "Counting is right only at p*. The correction is right on average, but scatters more. Where least?",
        {"threshold": 0.5},
    ),
    Preset(
        "Good classifier",
        "tpr and fpr are far apart: the correction hardly adds scatter. Drag the threshold to T50's: a bad one costs "
        "something even here.",
        {"data": "wdbc", "threshold": 0.5},
    ),
    Preset(
        "Weak classifier",
        "tpr - fpr is small, so the correction multiplies each error of the count. Which threshold would you choose?",
        {"data": "tictactoe", "positive": "x does not win", "classifier": "Gaussian naive Bayes", "p": 0.7, "threshold": 0.5},
    ),
    Preset(
        "Rare positives",
        "At 0.5 the training positives and negatives are all taken for negatives: nothing can be corrected. Drag the threshold "
        "below 0.4, or choose Max.",
        {
            "data": "tictactoe",
            "positive": "x does not win",
            "classifier": "k nearest neighbours",
            "prior": "10%",
            "p": 0.3,
            "threshold": 0.5,
        },
    ),
    Preset(
        "Tiny training set",
        "28 training instances: tpr and fpr are rough guesses. The scatter over samples alone does not show how much "
        "that matters; “with rates anew” below does.",
        {"data": "wdbc", "share": 0.05, "threshold": 0.5},
    ),
)
