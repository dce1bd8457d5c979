"""The settings of the page "Losses"."""

from typing import Final

from pages.settings.setting import percent, several
from pages.settings.shared import LOSS, SAMPLE_SIZE
from qcore import LOSSES
from qcore.base import registry

SHOWN_LOSSES: Final = ("AE", "KLD", "SE", "RAE", "NAE")

SETTINGS: Final = registry(
    percent("true_p", "true prevalence", 0.2).with_label("True prevalence", step=0.02),
    percent("first_estimate", "estimate A", 0.3).with_label("Estimate A", step=0.01),
    percent("second_estimate", "estimate B", 0.11).with_label("Estimate B", step=0.01),
    # No view setting: examples are about certain losses, and set them.
    several("shown_losses", "losses", SHOWN_LOSSES, list(LOSSES)).with_label("Losses"),
    *SAMPLE_SIZE.values(),
    LOSS["smoothing"],
)
