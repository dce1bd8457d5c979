"""The texts of the sections of "Compare"."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "boxes": (
            "**All losses of each method**, one for each data set and prevalence: a box from the first to the third "
            "quartile, the "
            "dashed line is the mean. Point at an outlier to see where a method fails."
        ),
        "pivot": (
            "**Two methods, case by case** (Barranquero 2013, Figures 5.3 and 5.4). A case is a data set at a test "
            "prevalence. Wins "
            "and losses say how often, the mean difference how much."
        ),
        "data_sets": (
            "**Where is whom?** The loss at each test prevalence, data sets in the order of their own prevalence "
            "(Barranquero 2013, "
            "Figure 5.5). On the first ones positives are rare in training."
        ),
        "training": (
            "**Do quantifiers need less data than classifiers?** Ten data sets with 20 to 100 training instances, of which "
            "20 to "
            "80% are positive; samples of 50 (logistic regression). On the right, the training prevalence: a method that "
            "keeps to "
            "it is good on the diagonal alone."
        ),
        "protocols": (
            "**The protocol decides what is asked.** APP and UPP weigh all prevalences alike, NPP keeps that of training, Beta "
            "draws rare positives (mean 17%). The same methods and data sets, samples of 50."
        ),
        "trust": (
            "**May one count test cases?** Simulated studies: each data set favours some methods at random, each test case "
            "adds "
            "noise. The mistake: eleven samples of one data set are not eleven data sets (Barranquero 2013, 4.2.4)."
        ),
        "own": (
            "**An experiment of your own**, on bundled data sets, in the background of this session: it goes on while you "
            "look at "
            "something else, and its results are this session's alone. Larger ones: `python -m qcore experiment`, with any "
            "data "
            "set, on one machine or many (docs/experiments.md)."
        ),
        "how": (
            "**Folds.** Each data set is cut into ten folds; a classifier is trained on nine, and from the tenth the "
            "largest sample "
            "at each of eleven prevalences is drawn; tpr, fpr and all else that a quantifier learns is out of fold within "
            "the nine. "
            "Losses are averaged over the folds (Barranquero 2013, 4.1).\n\n"
            "**Ranks.** On each data set methods are ranked at each prevalence; these ranks are averaged and ranked again, "
            "which "
            "gives one rank for each data set (4.2.4). Friedman's test and Iman and Davenport's ask whether any method "
            "differs; "
            "Nemenyi's which two do, Bonferroni and Dunn's which differ from a control (Demšar 2006).\n\n"
            "**What it cannot say.** Several problems of one data set (such as each class of wine against the others) are not "
            "independent either; the thesis counts them as data sets, and so do we."
        ),
    }
)
