"""The registry of quantifiers. A new one takes its own file and one entry here, at the end: a method's colour, dash and
marker follow its place in the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from qcore.quantifiers.adjustment import AdjustedCount, ProbabilisticAdjustedCount
from qcore.quantifiers.base import Entry, Quantifier
from qcore.quantifiers.counting import Baseline, ClassifyAndCount, ProbabilisticClassifyAndCount
from qcore.quantifiers.distances import DISTANCES
from qcore.quantifiers.likelihood import EMQ
from qcore.quantifiers.matching import DyS, HDy
from qcore.quantifiers.sord import SORD
from qcore.quantifiers.thresholds import MedianSweep, ThresholdPolicy, max_criterion, t50_criterion, x_criterion
from qcore.registry import registry
from qcore.validation import FloatArray, IntArray, check_choice, check_several

FAMILIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "counting": "Counting: no correction",
        "adjustment": "Adjusted by tpr and fpr",
        "thresholds": "Adjusted at a chosen threshold",
        "likelihood": "Maximum likelihood",
        "matching": "Distribution matching",
        "baseline": "Baseline",
    }
)


def _adjusted_at(threshold: str) -> str:
    return r"\begin{gathered} \hat p = \frac{\hat p_{CC}(t) - fpr(t)}{tpr(t) - fpr(t)} \\ t = " + threshold + r" \end{gathered}"


def _matched(distance: str) -> str:
    return (
        r"\begin{gathered} \hat p = \operatorname{median}_b\; \hat a_b \\ "
        r"\hat a_b = \arg\min_a d(a P_b + (1 - a) N_b,\; Q_b) \\ " + distance + r" \end{gathered}"
    )


def _likelihood(estimate: str) -> str:
    ratios = r" \\ u_i = \frac{s_i}{p_{train}}, \quad v_i = \frac{1 - s_i}{1 - p_{train}}"
    return r"\begin{gathered} " + estimate + ratios + r" \end{gathered}"


def _dys(key: str, idea: str) -> Entry:
    distance = DISTANCES[key]
    return Entry(
        f"DyS-{key}",
        f"DyS, {distance.name}",
        partial(DyS, key),
        "matching",
        idea,
        _matched(f"d(p, q) = {distance.formula}" + r" \\ b = 2, 4, \dots, 20 \text{ bins}"),
        "Maletzke et al. 2019, 2020",
        symmetric=False,
    )


QUANTIFIERS: Final = registry(
    Entry(
        "BL",
        "Baseline",
        Baseline,
        "baseline",
        "always answers the training prevalence",
        r"\hat p = p_{train}",
        "Barranquero 2013, 5.2.3",
        symmetric=True,
    ),
    Entry(
        "CC",
        "Classify and count",
        ClassifyAndCount,
        "counting",
        "counts the predicted positives",
        r"\hat p = \frac{1}{m}\sum_i [s_i \ge 0.5]",
        "Forman 2008; Barranquero 2013, 3.1",
        symmetric=True,
    ),
    Entry(
        "AC",
        "Adjusted count",
        AdjustedCount,
        "adjustment",
        "corrects the count with tpr and fpr",
        r"\hat p = \frac{\hat p_{CC} - fpr}{tpr - fpr}",
        "Forman 2008; Barranquero 2013, eq. 3.1",
        symmetric=True,
    ),
    Entry(
        "PCC",
        "Probabilistic classify and count",
        ProbabilisticClassifyAndCount,
        "counting",
        "averages the scores",
        r"\hat p = \frac{1}{m}\sum_i s_i",
        "Bella et al. 2010; Barranquero 2013, eq. 3.3",
        symmetric=True,
    ),
    Entry(
        "PACC",
        "Probabilistic adjusted count",
        ProbabilisticAdjustedCount,
        "adjustment",
        "corrects the mean score with each class's mean score",
        r"\hat p = \frac{\bar s - \bar s_{-}}{\bar s_{+} - \bar s_{-}}",
        "Bella et al. 2010; Barranquero 2013, eq. 3.4",
        symmetric=True,
    ),
    Entry(
        "X",
        "X",
        partial(ThresholdPolicy, x_criterion),
        "thresholds",
        "adjusts where fpr crosses 1 - tpr",
        _adjusted_at(r"\arg\min |1 - tpr(t) - fpr(t)|"),
        "Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
    ),
    Entry(
        "Max",
        "Max",
        partial(ThresholdPolicy, max_criterion),
        "thresholds",
        "adjusts where tpr - fpr is largest",
        _adjusted_at(r"\arg\max\; tpr(t) - fpr(t)"),
        "Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
    ),
    Entry(
        "T50",
        "T50",
        partial(ThresholdPolicy, t50_criterion),
        "thresholds",
        "adjusts where tpr is one half",
        _adjusted_at(r"\arg\min |tpr(t) - 0.5|"),
        "Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
    ),
    Entry(
        "MS",
        "Median Sweep",
        MedianSweep,
        "thresholds",
        "takes the median over all thresholds with tpr - fpr of 1/4 or more",
        r"\begin{gathered} \hat p = \operatorname{median}_t \frac{\hat p_{CC}(t) - fpr(t)}{tpr(t) - fpr(t)} \\ "
        r"\text{over all } t \text{ with } tpr(t) - fpr(t) \ge 1/4 \end{gathered}",
        "Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
    ),
    Entry(
        "HDy",
        "Hellinger distance on scores",
        HDy,
        "matching",
        "mixes the classes' histograms until they look like the sample's",
        _matched(
            r"d(p, q) = \sqrt{1 - \sum_i \sqrt{p_i q_i}} \\ a = 0, 0.01, \dots, 1; \quad b = 10, 20, \dots, 110 \text{ bins}"
        ),
        "González-Castro et al. 2013",
        symmetric=False,
    ),
    _dys("TS", "as HDy, with few bins, any weight, and the Topsøe distance"),
    _dys("JD", "half of DyS-TS's distance, so that it answers the same"),
    _dys("HD", "as DyS-TS, with the Hellinger distance"),
    _dys("PS", "as DyS-TS, with the probabilistic symmetric distance"),
    Entry(
        "EMQ",
        "Expectation maximisation",
        EMQ,
        "likelihood",
        "finds the prevalence under which the scores are most likely",
        _likelihood(r"\hat p = \arg\max_p \sum_i \ln\bigl( p\, u_i + (1 - p)\, v_i \bigr)"),
        "Saerens et al. 2002",
        symmetric=True,
    ),
    Entry(
        "SORD",
        "Sample ordinal distance",
        SORD,
        "matching",
        "mixes the classes' distribution functions; no bins",
        r"\begin{gathered} \hat p = \arg\min_a \int_0^1 \bigl| D_a(s) \bigr| \, ds \\ "
        r"D_a = a F_{+} + (1 - a) F_{-} - F \end{gathered}",
        "Maletzke et al. 2019, 2020",
        symmetric=False,
    ),
    _dys("ORD", "as DyS-TS, with the ordinal distance: SORD on bins"),
    Entry(
        "EMQ-5",
        "Expectation maximisation, 5 steps",
        partial(EMQ, 5),
        "likelihood",
        "EMQ stopped after five steps, often before it has arrived",
        _likelihood(
            r"\hat p = \hat p_5, \quad \hat p_0 = p_{train} \\ "
            r"\hat p_{k+1} = \frac{1}{m} \sum_i \frac{\hat p_k u_i}{\hat p_k u_i + (1 - \hat p_k)\, v_i}"
        ),
        "Saerens et al. 2002; Maletzke et al. 2020",
        symmetric=True,
    ),
)


def make_quantifiers(keys: Iterable[str], scores: FloatArray, labels: IntArray) -> dict[str, Quantifier]:
    """The quantifiers registered as `keys`, fitted on out-of-fold scores and labels. Raises InvalidInput for an unknown key."""
    fitted = {}
    for key in check_several("methods", keys):
        check_choice("quantifier", key, QUANTIFIERS)
        fitted[key] = QUANTIFIERS[key].make().fit(scores, labels)
    return fitted
