"""The presets of the page "Compare"."""

from typing import Final

from pages.frame.presets import Preset

PRESETS: Final = (
    Preset(
        "Who wins?",
        "Fourteen methods on 17 problems, ranked on each by their error at eleven prevalences. Bars join methods that the data "
        "sets cannot tell apart: the winner is one of many.",
        {},
    ),
    Preset(
        "Beside counting",
        "If the question is only who beats classify and count (CC), there are fewer comparisons, and the test finds more: "
        "outside "
        "of the shaded part a method differs from it.",
        {"control": "CC"},
    ),
    Preset(
        "When positives are rare",
        "At a test prevalence of 10% the order is another one: who must count rare positives should not read the overall "
        "ranks.",
        {"compared_prevalence": "0.1"},
    ),
    Preset(
        "The thesis anew",
        "Barranquero 2013, chapter 5, run anew by its own protocol: ten methods on 24 problems. Its weighted neighbours lead, "
        "as it says; how far they lead depends on how the SVM is trained (Findings of the papers).",
        {"run": "thesis, chapter 5"},
    ),
    Preset(
        "The size paper anew",
        "Maletzke et al. 2020 on eight of its data sets, with random forests and the paper's variants (LP: Laplace smoothing): "
        "samples of 10 to 500, ranked at each size. DyS leads over all of them, SORD at 10: choose a Size. Three samples of "
        "each size and prevalence, ten in the paper.",
        {"run": "size paper"},
    ),
    Preset(
        "Another loss",
        "KLD punishes a share that is estimated as 0 and is not. Does the winner stay?",
        {"compared_loss": "KLD"},
    ),
)
