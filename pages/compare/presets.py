"""The presets of the page "Compare"."""

from typing import Final

from pages.settings.page_declaration import Preset

PRESETS: Final = (
    Preset(
        "Who wins?",
        "Fourteen methods on 17 problems, ranked on each by their error at eleven prevalences. Bars join methods that the data "
        "sets cannot tell apart: the winner is one of many.",
        {},
    ),
    Preset(
        "Beside counting",
        "If the question is only which methods beat classify and count (CC), there are fewer comparisons, and the test finds "
        "more differences. A method outside the shaded part differs from CC.",
        {"control": "CC"},
    ),
    Preset(
        "When positives are rare",
        "At a test prevalence of 10% the order is different: if positives are rare in your data, do not rely on the overall "
        "ranks.",
        {"compared_prevalence": "0.1"},
    ),
    Preset(
        "The thesis anew",
        "Barranquero 2013, chapter 5, repeated with its own protocol: ten methods on 24 problems. The weighted nearest "
        "neighbours lead, as the thesis says; how far they lead depends on how the SVM is trained (Findings of the papers).",
        {"run": "thesis, chapter 5"},
    ),
    Preset(
        "The size paper anew",
        "Maletzke et al. 2020 on eight of its data sets, with random forests and the paper's variants (LP: Laplace smoothing): "
        "samples of 10 to 500. Ranked at each size and prevalence, DyS leads over all sizes, SORD at 10: choose a Size. The "
        "paper ranks mean errors (Findings of the papers), and has ten samples of each size and prevalence, not three.",
        {"run": "size paper"},
    ),
    Preset(
        "Another loss",
        "KLD punishes an estimate of 0 where the true share is not 0. Does the same method win?",
        {"compared_loss": "KLD"},
    ),
)
