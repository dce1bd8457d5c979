"""The presets of the page "Corrections"."""

from typing import Final

from pages.settings.page_declaration import Preset

PRESETS: Final = (
    Preset(
        "Classes that overlap",
        "The classifier misses one positive in five and takes one negative in nine for a positive: counting is right only at "
        "p*. On average the correction is right at every prevalence, but its estimates scatter more. At which threshold do "
        "they scatter least?",
        {"threshold": 0.5},
    ),
    Preset(
        "Good classifier",
        "tpr and fpr are far apart at nearly every threshold: the correction divides by nearly 1, and hardly adds scatter. "
        "Drag the threshold to that of T50: a badly chosen threshold costs something even here.",
        {"data": "wdbc", "threshold": 0.5},
    ),
    Preset(
        "Weak classifier",
        "Naive Bayes separates these classes poorly: tpr - fpr is small, so the correction multiplies each error of the "
        "count. At very low and very high thresholds the corrected estimate can be anything. Which threshold would you choose?",
        {"data": "tictactoe", "positive": "x does not win", "classifier": "Gaussian naive Bayes", "p": 0.7, "threshold": 0.5},
    ),
    Preset(
        "Rare positives",
        "One positive in ten in training: at 0.5 the classifier finds none, tpr and fpr are both nearly 0, and so is their "
        "difference, by which the correction divides. Drag the threshold below 0.4, or choose Max: the same scores then give "
        "an estimate.",
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
        "With 28 training instances, tpr and fpr are rough guesses. The line “with rates anew” shows how much that matters; "
        "the scatter over samples alone does not show it.",
        {"data": "wdbc", "share": 0.05, "threshold": 0.5},
    ),
)
