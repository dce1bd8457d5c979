"""The presets of the page "Error by prevalence"."""

from typing import Final

from pages.frame.presets import Preset
from pages.settings.shared import quantifiers_chosen

PRESETS: Final = (
    Preset(
        "Textbook case",
        "Classes that overlap: counting is right near the training prevalence, and errs the more the further the share has "
        "moved. AC, PACC and EMQ repair most of that. Add T50 in the sidebar: at an unlucky threshold a correction scatters.",
        {},
    ),
    Preset(
        "Rare positives",
        "With one positive in ten in training, no training instance gets a score of 0.5: CC and AC say 0 whatever the truth. "
        "PACC and MS look below 0.5 and follow it; T50, EMQ and DyS-PS follow less closely.",
        {
            "data": "tictactoe",
            "positive": "x does not win",
            "classifier": "k nearest neighbours",
            "prior": "10%",
            "free": True,
            **quantifiers_chosen(["CC", "AC", "PACC", "T50", "MS", "EMQ", "DyS-PS"]),
        },
    ),
    Preset(
        "Weak classifier",
        "Naive Bayes finds half of the positives and takes a fifth of the negatives for positives: counting hardly moves with "
        "the truth. The corrections do, but with a wide spread, and AC inherits what training got wrong about tpr and fpr. "
        "DyS-PS, which looks at all scores, makes most of them.",
        {
            "data": "tictactoe",
            "positive": "x does not win",
            "classifier": "Gaussian naive Bayes",
            "free": True,
            **quantifiers_chosen(["CC", "AC", "PACC", "EMQ", "DyS-PS"]),
        },
    ),
    Preset(
        "Tiny training set",
        "With 28 training instances the tpr and fpr are guesses. With these 28, AC, PACC and T50 inherit their error and do "
        "worse than plain counting; MS and DyS-PS, which lean on no single threshold, hold their own. Another seed draws "
        "another 28: try.",
        {"data": "wdbc", "share": 0.05, "free": True, **quantifiers_chosen(["CC", "AC", "PACC", "T50", "MS", "DyS-PS"])},
    ),
)
