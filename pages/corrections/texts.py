"""What to look at in each chart of "Corrections", and what to try."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from qcore.quantifiers.operating_points import POLICIES

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "scores": (
            "**1. Scores.** What scores at least the threshold counts as positive. Bars: training scores, each by a model that "
            "has not seen the instance (*out of fold*). Line: the sample, from the *pool* that no training has seen. "
            "*Try: drag the threshold into the overlap. Which class loses?*"
        ),
        "rates": (
            "**2. tpr and fpr by threshold.** The share of the training positives (*tpr*) and of the negatives (*fpr*) at or "
            "above it. Further up, more positives are missed and fewer negatives taken along. Markers: the policies "
            f"{', '.join(POLICIES)}. *Try: choose X. What do the curves do there?*"
        ),
        "theorem": (
            "**3. Forman's theorem.** The blue line is what counting says on average if tpr and fpr are those of training: "
            "$p' = p \\cdot tpr + (1 - p) \\cdot fpr$. It meets the truth only at $p^*$. Arrows lead back from each count: "
            "$\\hat p = (p' - fpr) / (tpr - fpr)$. *Try: move the sample's prevalence to p\\*. What is there to correct?*"
        ),
        "chosen_rates": (
            "**3. Forman's theorem, with rates of your own.** Counting says $p' = p \\cdot tpr + (1 - p) \\cdot fpr$ on "
            "average. *Try: bring tpr down to fpr. What is left to turn back?*"
        ),
        "cost": (
            "**4. What the correction costs.** Dividing by tpr - fpr multiplies what the count got wrong by chance. The "
            "curves: how far the corrected estimate scatters over many such samples (standard deviation), measured and by the "
            "*delta method* (a formula), and how many leave [0, 1] and are clipped. *Try: choose T50, then Max.*"
        ),
        "method_inspection": (
            "Other methods look at more than one threshold. See what each one does with this very "
            "sample. *Try: draw another sample, and see what moves and what stays.*"
        ),
        "trend": (
            "The classifier is trained once, then one sample comes each day, and its prevalence follows a "
            "path. *Try: 100 training instances, then another seed. Whose line is a matter of luck?*"
        ),
        "dataset_shift": (
            "All corrections assume *prior shift*: positives and negatives each look as "
            "they did in training, only their share has changed. Here the pool is changed on purpose so that this no longer "
            "holds. *Predict first: will counting suffer more, or the corrections?*"
        ),
        "estimated_rates": (
            "A correction is as good as its rates, and nobody has the rates of the model that is used: they are estimated on "
            "training data, in one of these ways. Each is repeated with other folds, halves or bootstraps. *Predict first: "
            "which way takes the classifier for better than it is?*"
        ),
    }
)
