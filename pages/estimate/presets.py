"""The presets of the page "Estimate"."""

from typing import Final

from pages.estimate.settings import COUNTS, LABELLED_PART, WATCHED
from pages.frame.presets import Preset

PRESETS: Final = (
    Preset(
        "A sample, scored",
        "100 instances whose classes nobody tells: counting says one thing, each correction another, and all of them know how "
        "far they may be off. The dotted line is the truth, which only an example has.",
        {},
    ),
    Preset(
        "A model as judge",
        "A model has judged 2,000 answers and calls 760 of them right. People have checked 200: of 80 right ones it called 66 "
        "right, of 120 wrong ones 18. So how often is the answer right? Not 38%, and the interval says how sure that is.",
        {"way": COUNTS},
        keeps_sidebar=True,
    ),
    Preset(
        "How good is your judge?",
        "A model has judged 1,000 answers and calls 480 of them right; people have looked at 100 of these very answers. What "
        "share is right, how sure is that, and what would the same hundred labels give otherwise? Nothing is assumed of where "
        "the model was tried before.",
        {"way": LABELLED_PART},
        keeps_sidebar=True,
    ),
    Preset(
        "Fifty looks at a share that has not moved",
        "100 new instances a week, and each week a look: the ordinary interval, right for a single look, leaves out the true "
        "share at one of the looks in a third of such years, and this is one of them. The wider one holds at all looks. Let "
        "the later share move, and see how many weeks pass until it is seen.",
        {"way": WATCHED, "sample_draw": 10},
        keeps_sidebar=True,
    ),
    Preset(
        "A screening test",
        "150 cows, 23 of them positive to a test with sensitivity 96% and specificity 89%, each measured on 100 animals: the "
        "example of epiR's epi.prev, in which both rates are known. As they were measured on 100 each, the interval is wider.",
        {"way": COUNTS, "count_x": 23, "count_m": 150, "count_tp": 96, "count_pos": 100, "count_fp": 11, "count_neg": 100},
        keeps_sidebar=True,
    ),
    Preset(
        "Too few labels",
        "100 labelled instances, 33 of them positive: tpr and fpr are guesses. An interval that takes them for known is short "
        "and mostly wrong; the others say how little is known.",
        {"share": 0.02, "sample_share": 0.2, "size": 500},
    ),
)
