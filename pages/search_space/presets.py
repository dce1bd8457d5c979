"""The presets of the page "Search space"."""

from typing import Final

from pages.settings.page_declaration import Preset

PRESETS: Final = (
    Preset(
        "Balanced classes",
        "Q_2 of recall and NAS among 1,000 instances of each class. NAS alone is 1 all along FP = FN, however many errors; Q_2 "
        "falls along that ridge as positives are missed.",
        {},
    ),
    Preset(
        "Rare positives, 9%",
        "100 positives among 1,100: NAS then depends almost only on the negatives, as the true negative rate does; recall "
        "keeps the positives in Q_2.",
        {"n_pos": 100},
    ),
    Preset(
        "Two perfect quantifiers",
        "Figure 6.1 of Barranquero's thesis, on irises: w1 misses every positive and w2 hardly any, yet both count right, and "
        "NAS, which judges the count alone, gives both 1. Q_beta tells them apart.",
        {
            "data": "iris",
            "positive": "virginica",
            "measure": "NAS",
            "n_pos": 50,
            "n_neg": 100,
            "iris_example": True,
            "search_space_section": "Two perfect quantifiers",
        },
    ),
    Preset(
        "Learners that count",
        "The classes overlap. The learner that optimises NAS lets its errors cancel out; the one that optimises Q_0.5 takes "
        "twice as many negatives for positives, in order to find more positives. See below how that affects its count, and "
        "what AC repairs.",
        {
            "data": "waveform",
            "n_pos": 848,
            "n_neg": 1652,
            "classifier": "linear SVM",
            "learners": ["SVM-Q0.5", "SVM-NAS"],
            "beta": "0.5",
            "search_space_section": "Learners as quantifiers",
        },
    ),
)
