"""The presets of all pages: settings that show something, each with the sentence that says what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from pages.parts.settings import (
    CLASSIFIER,
    CORRECTIONS,
    PAGE,
    RECOMMENDER,
    SEARCH_SPACE,
    SLIDES,
    TEST_SIZE,
    Setting,
    Value,
    family_members,
    methods_key,
)
from qcore.protocols import PAPERS_GRID
from qcore.quantifiers import FAMILIES
from qcore.size_effects import PAPERS_METHODS


@dataclass(frozen=True)
class Preset:
    """Settings of a page that differ from the defaults, and why they are interesting."""

    name: str
    why: str
    settings: Mapping[str, Value]
    page: Mapping[str, Setting] = field(default_factory=lambda: PAGE, repr=False)


PRESETS: Final = (
    Preset(
        "Textbook case",
        "A good classifier and enough data: counting is biased all the same. AC, PACC, EMQ and DyS-PS repair most of that; "
        "T50, at an unlucky threshold, makes it worse.",
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
            "prior": "0.10",
            "free": True,
        },
    ),
    Preset(
        "Weak classifier",
        "Naive Bayes finds half of the positives and takes a fifth of the negatives for positives: counting hardly moves with "
        "the truth. The corrections do, but with a wide spread, and AC inherits what training got wrong about tpr and fpr. "
        "DyS-PS, which looks at all scores, makes most of them.",
        {"data": "tictactoe", "positive": "x does not win", "classifier": "Gaussian naive Bayes", "free": True},
    ),
    Preset(
        "Tiny training set",
        "With 28 training instances the tpr and fpr are guesses. With these 28, AC, PACC and T50 inherit their error and do "
        "worse than plain counting; MS and DyS-PS, which lean on no single threshold, hold their own. Another seed draws "
        "another 28: try.",
        {"share": 0.05, "free": True},
    ),
)

_AT_WORK: Final = (
    Preset(
        "Good classifier",
        "tpr and fpr are far apart at nearly every threshold: the correction divides by nearly 1, and hardly adds to the "
        "scatter. Drag the threshold to T50's place to see what an unlucky policy costs even here.",
        {},
        CORRECTIONS,
    ),
    Preset(
        "Weak classifier",
        "Naive Bayes tells these classes apart only so far: tpr - fpr is small, each error of the count is multiplied, and "
        "near the ends of the scores the corrected estimate is anything. Where would you put the threshold?",
        {"data": "tictactoe", "positive": "x does not win", "classifier": "Gaussian naive Bayes", "p": 0.7},
        CORRECTIONS,
    ),
    Preset(
        "Rare positives",
        "One positive in ten in training: at 0.5 the classifier finds none, tpr and fpr are both nearly 0, and there is "
        "nothing to divide by. Drag the threshold below 0.4, or choose Max: the same scores then give an estimate.",
        {
            "data": "tictactoe",
            "positive": "x does not win",
            "classifier": "k nearest neighbours",
            "prior": "0.10",
            "p": 0.3,
        },
        CORRECTIONS,
    ),
    Preset(
        "Tiny training set",
        "28 training instances: tpr and fpr are rough guesses, in steps. The delta method with rates measured anew says how "
        "much that matters; the scatter over samples alone does not show it.",
        {"share": 0.05},
        CORRECTIONS,
    ),
)

_JUDGED: Final = (
    Preset(
        "Equal costs",
        "Both errors cost the same and both classes are as frequent: the iso-cost lines rise at 45 degrees, and the cheapest "
        "threshold is where tpr - fpr is largest.",
        {},
        CLASSIFIER,
    ),
    Preset(
        "The nuclear plant",
        "From the slides on model evaluation: an alarm in vain costs 100, a missed one 2000, and one instance in 200 is "
        "positive. Of three classifiers the one with the lowest error is the dearest: 4.5, 10 and 7.4 per unit.",
        {"judged": SLIDES, "fp_cost": 100.0, "fn_cost": 2000.0, "ratio": 0.005},
        CLASSIFIER,
    ),
    Preset(
        "Scores that are not probabilities",
        "Naive Bayes ranks these passably, but its scores crowd near 0 and 1, mostly on the wrong side: EMQ, which reads them "
        "as probabilities, pays for it. Sigmoid and isotonic calibration mend that; temperature, which can't move a score "
        "across 0.5, does not. And PCC gets worse: calibrated scores lean on the training prevalence.",
        {"data": "digits", "positive": "8", "classifier": "Gaussian naive Bayes"},
        CLASSIFIER,
    ),
)

_BY_SIZE: Final = (
    Preset(
        "Counting holds its own at 10",
        "With samples of 10, none of the seven other quantifiers is clearly better than plain counting; with samples of 100, "
        "most are, DyS-PS before all. Small samples are ruled by chance, which a correction multiplies; large ones by bias, "
        "which it removes.",
        {},
        TEST_SIZE,
    ),
    Preset(
        "From 10 to 500",
        "Classes that overlap, and a pool of 2,500, large enough for the paper's sizes. From 10 to 500 instances the mean AE "
        "of AC falls to a seventh; that of CC and PCC, which correct nothing, hardly moves.",
        {"data": "waveform", "sizes": "10 20 50 100 200 500"},
        TEST_SIZE,
    ),
    Preset(
        "The paper's comparison",
        "The quantifiers of Maletzke et al. (2020), but for quantification trees, and their grid, on a data set that they did "
        "not use. As there, a variant of DyS leads at 500, if by little; at 10 it is EMQ-5 (there: MS), and more of them beat "
        "counting than there.",
        {
            "data": "waveform",
            "sizes": " ".join(map(str, PAPERS_GRID.sizes)),
            "points": len(PAPERS_GRID.prevalences),
            "runs": PAPERS_GRID.repeats,
            **{
                methods_key(family): [method for method in family_members(family) if method in PAPERS_METHODS]
                for family in FAMILIES
            },
        },
        TEST_SIZE,
    ),
    Preset(
        "More data, same error",
        "Naive Bayes takes half of the other digits for an 8. CC, PCC and EMQ believe its scores, and err with samples of 80 "
        "as with samples of 10. AC, PACC, MS and DyS-PS compare them with the training scores: their error falls to half or "
        "less.",
        {"data": "digits", "positive": "8", "classifier": "Gaussian naive Bayes", "sizes": "10 20 50 80"},
        TEST_SIZE,
    ),
)

_CHOSEN: Final = (
    Preset(
        "The paper's candidates",
        "MS, DyS-PS and SORD on a small data set: the recommender learns from the half of 284 instances, with candidates "
        "trained on the other half. That is too little: DyS-PS alone does better.",
        {},
        RECOMMENDER,
    ),
    Preset(
        "More to learn from",
        "5,000 instances with classes that overlap. Now MLQ can't be told from DyS-PS alone: compare it with TOP, which shows "
        "what a perfect choice would be worth.",
        {"data": "waveform", "sizes": "10 20 50 100 200 500"},
        RECOMMENDER,
    ),
    Preset(
        "Candidates that differ",
        "CC, AC and DyS-PS on scores that are no probabilities: the recommender is far better than a random choice, and yet "
        "no better than its best candidate alone.",
        {
            "data": "digits",
            "positive": "8",
            "classifier": "Gaussian naive Bayes",
            "sizes": "5 10 20 40",
            "candidates": ["CC", "AC", "DyS-PS"],
        },
        RECOMMENDER,
    ),
)

_SPACES: Final = (
    Preset(
        "Balanced classes",
        "Q_2 of recall and NAS among 1,000 instances of each class. NAS alone is 1 all along FP = FN, however many errors; Q_2 "
        "falls along that ridge as positives are missed.",
        {},
        SEARCH_SPACE,
    ),
    Preset(
        "Rare positives, 9%",
        "100 positives among 1,100: NAS hardly sees them any more, no better than the true negative rate; recall keeps Q_2 "
        "from forgetting them.",
        {"n_pos": 100},
        SEARCH_SPACE,
    ),
    Preset(
        "Two perfect quantifiers",
        "Figure 6.1 of Barranquero's thesis, on irises: w1 misses every positive and w2 hardly any, yet both count right, and "
        "NAS, which judges the count alone, gives both 1. Q_beta tells them apart.",
        {"data": "iris", "positive": "virginica", "measure": "NAS", "n_pos": 50, "n_neg": 100, "conflict": True},
        SEARCH_SPACE,
    ),
    Preset(
        "Learners that count",
        "Classes that overlap. The learner of NAS lets its errors cancel out; that of Q_0.5 takes twice as many negatives for "
        "positives, so as to find more positives. Look at part 3: what that costs when it counts, and what AC repairs.",
        {
            "data": "waveform",
            "n_pos": 848,
            "n_neg": 1652,
            "classifier": "linear SVM",
            "learners": ["SVM-Q0.5", "SVM-NAS"],
        },
        SEARCH_SPACE,
    ),
)

PAGE_PRESETS: Final[Mapping[str, tuple[Preset, ...]]] = MappingProxyType(
    {
        "error": PRESETS,
        "corrections": _AT_WORK,
        "classifier": _JUDGED,
        "test_size": _BY_SIZE,
        "recommender": _CHOSEN,
        "search_space": _SPACES,
    }
)
"""The presets of each page."""
