"""The settings of the page "Losses", and its examples."""

from pages.settings.setting import Preset, percent, several
from pages.settings.shared import LOSS, SAMPLE_SIZE
from qcore import LOSSES
from qcore.base import registry

SHOWN_LOSSES = ("AE", "KLD", "SE", "RAE", "NAE")

SETTINGS = registry(
    percent("true_p", "true prevalence", 0.2).with_label("True prevalence", step=0.02),
    percent("first_estimate", "estimate A", 0.3).with_label("Estimate A", step=0.01),
    percent("second_estimate", "estimate B", 0.11).with_label("Estimate B", step=0.01),
    # No view setting: examples are about certain losses, and set them.
    several("shown_losses", "losses", SHOWN_LOSSES, list(LOSSES)).with_label("Losses"),
    *SAMPLE_SIZE.values(),
    LOSS["smoothing"],
)


PRESETS = (
    Preset(
        "The order flips",
        "B is nearer, but KLD prefers A: it punishes underestimates more. Drag the truth: where does each loss change sides?",
        {"true_p": 0.2},
    ),
    Preset(
        "A rare class",
        "2% are true; A says 5%, B 0%. KLD prefers A, since B says that there are none. By how much depends on the "
        "sample size, which sets the smoothing.",
        {"true_p": 0.02, "first_estimate": 0.05, "second_estimate": 0.0},
    ),
    Preset(
        "As far off on both sides",
        "A is 10 points too high, B 10 too low. An impartial loss (IMP) finds both equally good; KLD and NKLD do not.",
        {
            "true_p": 0.2,
            "first_estimate": 0.3,
            "second_estimate": 0.1,
            "shown_losses": ["AE", "KLD", "SE", "RAE", "NAE", "NKLD"],
        },
    ),
)
