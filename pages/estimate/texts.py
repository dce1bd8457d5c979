"""The texts of the sections of "Estimate"."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "trust": (
            "**An estimate is as good as three things.** *The rates*: a correction divides by tpr - fpr, so that what is not "
            "known "
            "of them is multiplied. Label more, or train a better classifier. *The mixture*: every correction assumes that the "
            "positives of the sample are like those that were labelled, and the negatives, too; only their shares may differ. "
            "The chart of scores puts the sample's scores beside the best mixture of both classes; p is the share of "
            "samples "
            "from such a mixture that would be as far from it. *The range*: a classifier says little of what it has never "
            "seen.\n\n"
            "Where the mixture does not explain the sample, label some of it: a share that is counted needs no assumption."
        ),
        "which": (
            "**Which quantifier errs least depends on the sample**: its size, its share of positives, its scores. A "
            "recommender (MLQ, Maletzke et al. 2020) draws samples of this size, or as large as there are, from one half "
            "of the labelled data, sees which "
            "quantifier errs least on each, and learns to tell from what such a sample looks like. It chooses among the "
            "quantifiers of the sidebar; if there is one alone, among MS, DyS-PS and SORD."
        ),
        "all_classes": (
            "**The shares of all classes at once.** A classifier of all classes; sample and training scores are redrawn 1,000 "
            "times. Each interval is of one class by itself. The region is the ellipse that holds all shares together at the "
            "chosen level; of three classes it is drawn. Near an edge, where a class is rare, it holds the truth somewhat "
            "less often."
        ),
        "compared": (
            "**All intervals of the adjusted count (AC), from the same counts.** The last two take tpr and fpr for known, and "
            "are "
            "too short where these were measured on few instances: see *Coverage*. With many labels, all are alike."
        ),
        "labels": (
            "**Two things make an interval wide**: the sample is small, or the rates are measured on few labels. At the rates "
            "of "
            "this classifier and the estimate above, by the delta method:"
        ),
        "groups": (
            "**Several samples in one file.** Where a column of *my sample* names a group or a date, each of its values gets "
            "an "
            "estimate of its own (AC, with the interval of Lang and Reiczigel). The intervals share the errors of tpr and fpr."
        ),
        "coverage": (
            "**Do intervals keep their promise?** A classifier with these rates; each time other labelled instances and "
            "another "
            "sample. 95 of a hundred intervals should hold the truth, the dotted line. *Try: fewer labels. Which of the two "
            "notices?*"
        ),
        "how": (
            "**AC** corrects the count with tpr and fpr (Rogan and Gladen 1978; Forman 2008); its interval is that of Lang and "
            "Reiczigel 2014, which keeps its promise with few labels and at rare positives. **The other quantifiers** have the "
            "middle "
            "of 1,000 estimates where the sample and the training scores are redrawn, and the quantifier fitted anew (double "
            "bootstrap). **The p-value** is that of the distance of Cramér and von Mises between the sample and the best "
            "mixture, "
            "by 1,000 simulations in which the training scores are redrawn, too (Stute et al. 1993). Training scores are out "
            "of "
            "fold: each comes from a model that has not seen the instance. **A sample of your own** is scored by a model of "
            "all "
            "labelled instances. The same from a command: `python -m qcore estimate train.csv sample.csv --label y`."
        ),
    }
)
