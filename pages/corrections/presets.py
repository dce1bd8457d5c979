"""The presets of the page "Corrections"."""

from typing import Final

from pages.frame.presets import Preset

PRESETS: Final = (
    Preset(
        "Classes that overlap",
        "One positive in five is missed and one negative in nine is taken along: counting is right at p* and nowhere else. "
        "The correction is right everywhere, on average; it pays with scatter. Where on the bar is the scatter least?",
        {"threshold": 0.5},
    ),
    Preset(
        "Good classifier",
        "tpr and fpr are far apart at nearly every threshold: the correction divides by nearly 1, and hardly adds to the "
        "scatter. Drag the threshold to T50's place to see what an unlucky policy costs even here.",
        {"data": "wdbc", "threshold": 0.5},
    ),
    Preset(
        "Weak classifier",
        "Naive Bayes tells these classes apart only so far: tpr - fpr is small, each error of the count is multiplied, and "
        "near the ends of the scores the corrected estimate is anything. Where would you put the threshold?",
        {"data": "tictactoe", "positive": "x does not win", "classifier": "Gaussian naive Bayes", "p": 0.7, "threshold": 0.5},
    ),
    Preset(
        "Rare positives",
        "One positive in ten in training: at 0.5 the classifier finds none, tpr and fpr are both nearly 0, and there is "
        "nothing to divide by. Drag the threshold below 0.4, or choose Max: the same scores then give an estimate.",
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
        "28 training instances: tpr and fpr are rough guesses, in steps. The delta method with rates measured anew says how "
        "much that matters; the scatter over samples alone does not show it.",
        {"data": "wdbc", "share": 0.05, "threshold": 0.5},
    ),
)
