"""The settings of the page "Error by prevalence", and its examples."""

from pages.settings.setting import Preset, choice, number_among, toggle, view, whole
from pages.settings.shared import GRIDS, LOSS, SAMPLE_SIZE, SIDEBAR, TRAINING, quantifiers_chosen
from qcore.base import registry

REPEATS_RANGE = (2, 500)
POINTED, OFF, PERCENTILES, OF_MEAN = "where one points", "off", "percentiles", "95% of the mean"
LOSSES_BESIDE = ("AE", "RAE", "KLD")
BANDS = (POINTED, OFF, PERCENTILES, OF_MEAN)

SETTINGS = registry(
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
    view(toggle("beside", "AE, RAE and KLD side by side").with_label("AE, RAE and KLD side by side")),
    view(toggle("free", "fit axes").with_label("Fit the axes to the data shown")),
    view(
        choice("bands", "bands around the lines", POINTED, BANDS).with_label(
            "Bands",
            help="Percentiles: 80% of the samples. Mean: its 95% interval, which more repeats make narrower.",
        )
    ),
)


PRESETS = (
    Preset(
        "Textbook case",
        "Counting errs more the further the prevalence moves from training. AC, PACC and EMQ repair most of it.",
        {},
    ),
    Preset(
        "Rare positives",
        "No training instance scores 0.5: CC and AC estimate 0 whatever the truth. PACC and MS use the lower scores, and "
        "follow it.",
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
        "The count hardly moves with the truth. The corrections do, but scatter widely; DyS-PS, which uses the "
        "distribution of all scores, does best.",
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
        "With these 28 training instances, AC, PACC and T50 inherit rough rates and do worse than counting; MS and "
        "DyS-PS keep up. Another seed draws 28 others.",
        {"data": "wdbc", "share": 0.05, "free": True, **quantifiers_chosen(["CC", "AC", "PACC", "T50", "MS", "DyS-PS"])},
    ),
)
