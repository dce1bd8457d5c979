"""What to look at in each chart of "Classifier", and what to try."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from qcore.quantifiers.operating_points import POLICIES

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "roc": (
            "**ROC curve.** Each threshold is a point: how many positives it finds (tpr), for how many negatives taken for "
            "positives (fpr). Points below the *convex hull* are never best, whatever errors cost. Markers show where the "
            f"policies {', '.join(POLICIES)} stand. *Try: drag the threshold on its bar. Which way along the curve does the "
            "ring run?*"
        ),
        "slides": (
            "**Three classifiers in ROC space.** From the slides on model evaluation: each is one point, with no threshold "
            "to move. Any mixture of two lies on the line between them, so that what lies below the *convex hull* is never "
            "best. *Try: make false positives cost 10. Which one is cheapest now?*"
        ),
        "costs": (
            "**Costs.** If one error costs more than the other, or one class is rarer, another point is best: the first "
            "that the *line of equal cost* touches, coming from the top left. In the table, M = 1 - tpr + slope · fpr. *Try: "
            "make false positives ten times as dear. Which way does the star move?*"
        ),
        "confusion": (
            "**Confusion matrix.** What is taken for what at the threshold, and the measures made of it: *recall* is the "
            "tpr, *macro accuracy* the mean of tpr and 1 - fpr, *GM* their geometric mean, *F1* the harmonic mean of precision "
            "and recall, *npv* what precision is for the negatives. *Try: find the threshold where counting is right. Is the "
            "classifier good there?*"
        ),
        "accuracy": (
            "**Accuracy by prevalence.** A classifier is as good as the prevalence of what it classifies: accuracy is "
            "$p \\cdot tpr + (1 - p)(1 - fpr)$, a straight line from 1 - fpr to the tpr (Marufo 2023, Figure 1.3b). *Try: "
            "where is always answering the larger class better?*"
        ),
        "calibration": (
            "**Calibration.** If scores are probabilities, 7 in 10 of the instances with a score of 0.7 are positive, and "
            "the curve lies on the diagonal. The *Brier score* is the mean squared distance between score and truth; it splits "
            "into *calibration* (what is lost because scores are not probabilities) and *refinement* (what is left when they "
            "are made so). Calibrators learn from the training part and are judged on the pool. *Predict first: which "
            "quantifier does calibration help, and why not PACC?*"
        ),
        "posteriors": (
            "**Quantify, then classify better.** A score is a probability at the training prevalence. Once a quantifier has "
            "said what the prevalence of a sample is, the scores can be adjusted to it by Bayes's rule (Saerens et al. 2002), "
            "and the same threshold then decides better. *Predict first: where is nothing to gain?*"
        ),
        "validation": (
            "A model that is tested on what it has learnt looks better than it is (*overfitting*). So part of the data is kept "
            "out of training: a half (*hold-out*), each tenth in turn (*cross-validation*, out of fold), or what a draw with "
            "replacement leaves over (*bootstrap*). *Predict first: at which depth is a tree best on new data?*"
        ),
        "all_classes": (
            "With more than two classes the classifier is trained on all of them at once. Its table can be read as one of two "
            "classes for each class against all others, or for each pair; measures are averaged over these. Each kind of error "
            "can have a cost of its own, and what is right can gain. *Try: make one confusion dear.*"
        ),
        "regression": (
            "A prevalence is a number, and so is what the slides predict here: prices in millions of euros. Errors of numbers "
            "have measures of their own, and one direction can be dearer than the other. *Try: move alpha.*"
        ),
    }
)
