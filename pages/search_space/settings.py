"""The settings of the page "Search space", and its examples."""

from pages.settings.number_text import LARGEST_BETA, typed_beta
from pages.settings.setting import Preset, Setting, Value, choice, several, single, toggle, view, whole
from pages.settings.shared import SIDEBAR_WITHOUT_QUANTIFIERS, TRAINING
from qcore import CLASSIFIERS, NAMED_QUANTIFIERS, QUANTIFIERS
from qcore.base import registry
from qcore.measures.catalog import Q_BETA, SCORE_KEYS
from qcore.studies.search_space import MAX_INSTANCES, NAMED_CORRECTION

LEARNERS = ("SVM-Q2", "SVM-NAS")
"""The default classifiers, in addition to the sidebar's."""

MAX_LEARNERS = 7
"""Most classifiers to choose: with the sidebar's they are the eight lines that fit into one chart."""

INSTANCES_RANGE = (1, MAX_INSTANCES)


def _parse_beta(words: list[str]) -> Value:
    """Check a beta and keep it as it is written. Raises ValueError."""
    typed_beta(single(words))
    return words[0]


def _parse_camera(words: list[str]) -> Value:
    """Check where a surface is seen from and keep it as it is written. Raises ValueError."""
    text = single(words)
    numbers = [float(part) for part in text.split(",")] if text else []
    if len(numbers) not in (0, 3, 6) or not all(abs(one) <= _FURTHEST for one in numbers):
        raise ValueError(text)
    return text


_FURTHEST = 20.0
CAMERA = Setting("camera", "camera", "", _parse_camera, "three numbers up to 20, such as 1.2,-1.2,1.25").with_label("Camera")

COLOUR_MAPS = {"Cividis": "cividis_r", "Viridis": "viridis_r", "YlGnBu": "YlGnBu", "Greys": "Greys"}
"""Colour maps that stay in order when printed in grey, as Plotly calls them -> as matplotlib does, where high is dark."""

MEASURE = registry(
    choice("measure", "measure", Q_BETA, [Q_BETA, *SCORE_KEYS]).with_label("Measure"),
    Setting("beta", "beta", "2", _parse_beta, f"a number from 0 to {LARGEST_BETA:g}, or inf").with_label(
        "beta, typed",
        help=(f"0 to {LARGEST_BETA:g}, or inf. Q_beta: 0 is cperf alone, inf qperf alone. F_beta: 0 precision, inf recall."),
    ),
    choice("cperf", "classification performance", "recall", SCORE_KEYS).with_label(
        "Classification part of Q_beta (cperf)", help="How well the single instances are told apart."
    ),
    choice("qperf", "quantification performance", "NAS", SCORE_KEYS).with_label(
        "Counting part of Q_beta (qperf)", help="How well they are counted."
    ),
    whole("n_pos", "number of positives", 1000, INSTANCES_RANGE).with_label(
        "Positives, P", step=10, help="{:,} to {:,}.".format(*INSTANCES_RANGE)
    ),
    whole("n_neg", "number of negatives", 1000, INSTANCES_RANGE).with_label(
        "Negatives, N", step=10, help="{:,} to {:,}.".format(*INSTANCES_RANGE)
    ),
    toggle("iris_example", "mark the two perfect quantifiers").with_label("Mark two perfect quantifiers"),
    view(
        choice("colours", "colours of the surface", "Cividis", list(COLOUR_MAPS)).with_label(
            "Colours", help="All keep their order in a grey print; Cividis and Viridis also for the colour-blind. Dark is good."
        )
    ),
)

SETTINGS = registry(
    *SIDEBAR_WITHOUT_QUANTIFIERS.values(),
    *TRAINING.values(),
    *MEASURE.values(),
    CAMERA,
    several(
        "learners", "learners", LEARNERS, list(CLASSIFIERS), most=MAX_LEARNERS, rule=f"up to {MAX_LEARNERS} of the classifiers"
    ).with_label(
        "Learners beside the sidebar's classifier",
        help="Each is trained on the training part, and is marked on the surface at its out-of-fold tpr and fpr. "
        f"Those that the papers name: {', '.join(f'{pair.key} ({pair.classifier})' for pair in NAMED_QUANTIFIERS.values())}.",
    ),
    choice("with", "correction", NAMED_CORRECTION, [NAMED_CORRECTION, *QUANTIFIERS]).with_label(
        "Correction", help=("As named: AC for nearest neighbours, CC for learners that optimise the count and for all others.")
    ),
)


PRESETS = (
    Preset(
        "Balanced classes",
        "NAS alone is 1 all along FP = FN, however many errors; Q_2 falls along that ridge as positives are missed.",
        {},
    ),
    Preset(
        "Rare positives, 9%",
        "100 positives among 1,100: NAS then depends almost only on the negatives; recall keeps the positives in Q_2.",
        {"n_pos": 100},
    ),
    Preset(
        "Two perfect quantifiers",
        "w1 misses every positive, w2 hardly any, yet both count right, and NAS gives both 1. Q_beta tells them apart.",
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
        "The learner that optimises NAS lets its errors cancel out; the one that optimises Q_0.5 finds more positives. "
        "See below how they count, and what AC repairs.",
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
