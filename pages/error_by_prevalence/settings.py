"""The settings of the page "Error by prevalence"."""

from typing import Final

from pages.settings.setting import number_among, toggle, view, whole
from pages.settings.shared import GRIDS, LOSS, SAMPLE_SIZE, SIDEBAR, TRAINING
from qcore.base import registry

REPEATS_RANGE: Final = (2, 500)

SETTINGS: Final = registry(
    *SIDEBAR.values(),
    *LOSS.values(),
    number_among("grid", "prevalence grid", 21, GRIDS, "11, 21 or 101 points").with_label(
        "Prevalence grid", help="Number of equally spaced true prevalences from 0 to 1."
    ),
    *SAMPLE_SIZE.values(),
    whole("repeats", "repeats", 100, REPEATS_RANGE).with_label(
        "Repeats", step=10, help="Samples drawn at each true prevalence; the band shows their spread."
    ),
    *TRAINING.values(),
    view(toggle("free", "fit axes").with_label("Fit the axes to the data shown")),
)
