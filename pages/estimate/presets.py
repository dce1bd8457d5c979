"""The presets of the page "Estimate"."""

from typing import Final

from pages.estimate.settings import COUNTS, LABELLED_PART, WATCHED
from pages.settings.page_declaration import Preset

PRESETS: Final = (
    Preset(
        "A sample, scored",
        "100 instances without labels. Counting and each correction give different estimates, each with an interval that "
        "shows how far it may be off. The dotted line is the truth, known only because this is an example.",
        {},
    ),
    Preset(
        "A model as judge",
        "A model has judged 2,000 answers and calls 760 of them right. People have checked 200: of the 80 right ones the "
        "model called 66 right, of the 120 wrong ones 18. What share of all answers is right? Not 38%; the interval shows "
        "how sure the estimate is.",
        {"way": COUNTS},
        keeps_sidebar=True,
    ),
    Preset(
        "How good is your judge?",
        "A model has judged 1,000 answers and calls 480 of them right; people have looked at 100 of these very answers. What "
        "share is right, how sure is that, and how wide would the interval be without the predictions? Error rates measured "
        "elsewhere are not needed.",
        {"way": LABELLED_PART},
        keeps_sidebar=True,
    ),
    Preset(
        "Fifty looks at a share that has not moved",
        "100 new instances a week, and a look every week for 50 weeks. The ordinary interval is valid for a single look: in "
        "a third of such series it misses the true share at some look, and this is one of them. The wider one holds at all "
        "looks. Move the later share, and see how many weeks pass until the move is seen.",
        {"way": WATCHED, "sample_draw": 10},
        keeps_sidebar=True,
    ),
    Preset(
        "A screening test",
        "150 cows, 23 of them positive in a test with sensitivity 96% and specificity 89%: the example of epiR's epi.prev, "
        "which takes both rates as known. Here each was measured on 100 animals, so the interval is wider.",
        {"way": COUNTS, "count_x": 23, "count_m": 150, "count_tp": 96, "count_pos": 100, "count_fp": 11, "count_neg": 100},
        keeps_sidebar=True,
    ),
    Preset(
        "Too few labels",
        "100 labelled instances, 33 of them positive: tpr and fpr are rough guesses. An interval that takes both as known is "
        "short and mostly misses the truth; the others show how little is known.",
        {"share": 0.02, "sample_share": 0.2, "size": 500},
    ),
)
