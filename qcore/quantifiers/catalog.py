"""The registry of quantifiers, and the methods that papers name as a whole.

Methods that the papers name as a whole: a classifier together with its correction.

Each classifier can be used with any other correction as well; these are the pairs that the papers propose.
"""

from dataclasses import dataclass, replace
from functools import partial

from qcore._base.registry import Entry, registry
from qcore.classifiers import CLASSIFIERS
from qcore.quantifiers.adjustment import (
    AdjustedCount,
    OrderedAdjustedCount,
    ProbabilisticAdjustedCount,
    scaled_count,
    scaled_mean,
)
from qcore.quantifiers.base import QuantifierEntry, adjusted_at, likelihood, matched
from qcore.quantifiers.counting import Baseline, ClassifyAndCount, ProbabilisticClassifyAndCount
from qcore.quantifiers.distribution_matching import SORD, EDy
from qcore.quantifiers.expectation_maximisation import EMQ
from qcore.quantifiers.histogram_matching import DISTANCES, DyS, HDy, dys_entry
from qcore.quantifiers.kernel_density import KDEyML
from qcore.quantifiers.threshold_selection import (
    FriedmanMethod,
    MedianSweep,
    ThresholdPolicy,
    max_criterion,
    t50_criterion,
    x_criterion,
)
from qcore.scoring.scores import ScoringSettings

QUANTIFIERS = registry(
    QuantifierEntry(
        key="BL",
        name="Baseline",
        also_called=("MLPE",),
        make=Baseline,
        family="baseline",
        idea="always answers the training prevalence",
        weakness="it does not use the sample: its error is the whole change of the prevalence",
        formula=r"\hat p = p_{train}",
        source="Barranquero 2013, 5.2.3",
        symmetric=True,
        takes_all_classes=True,
        learns_from_labels_alone=True,
    ),
    QuantifierEntry(
        key="CC",
        name="Classify and count",
        make=ClassifyAndCount,
        family="counting",
        idea="counts the predicted positives",
        weakness="it is biased as soon as the prevalence has changed, and more so with a weaker classifier",
        formula=r"\hat p = \frac{1}{m}\sum_i [s_i \ge 0.5]",
        source="Forman 2008; Barranquero 2013, 3.1",
        symmetric=True,
        takes_all_classes=True,
        learns_from_labels_alone=True,
    ),
    QuantifierEntry(
        key="AC",
        name="Adjusted count",
        also_called=("ACC",),
        make=AdjustedCount,
        family="adjustment",
        idea="corrects the count with tpr and fpr",
        weakness="it scatters where tpr - fpr is small, and answers 0 or 1 where the corrected count leaves that range",
        formula=r"\hat p = \frac{\hat p_{CC} - fpr}{tpr - fpr}",
        source="Forman 2008; Barranquero 2013, eq. 3.1",
        symmetric=True,
        inspect=scaled_count,
        is_threshold_policy=True,
        takes_all_classes=True,
        adjusts=lambda batch: batch.predicted_share,
    ),
    QuantifierEntry(
        key="PCC",
        name="Probabilistic classify and count",
        also_called=("PA",),
        make=ProbabilisticClassifyAndCount,
        family="counting",
        idea="averages the scores",
        weakness="it is drawn towards the training prevalence, even if the scores are calibrated",
        formula=r"\hat p = \frac{1}{m}\sum_i s_i",
        source="Bella et al. 2010; Barranquero 2013, eq. 3.3",
        symmetric=True,
        takes_all_classes=True,
        reads_posteriors=True,
        needs_probabilities=True,
        learns_from_labels_alone=True,
    ),
    QuantifierEntry(
        key="PACC",
        name="Probabilistic adjusted count",
        also_called=("PAC",),
        make=ProbabilisticAdjustedCount,
        family="adjustment",
        idea="corrects the mean score with each class's mean score",
        weakness="it scatters where both classes have nearly the same mean score",
        formula=r"\hat p = \frac{\bar s - \bar s_{-}}{\bar s_{+} - \bar s_{-}}",
        source="Bella et al. 2010; Barranquero 2013, eq. 3.4",
        symmetric=True,
        inspect=scaled_mean,
        takes_all_classes=True,
        reads_posteriors=True,
        adjusts=lambda batch: batch.mean,
    ),
    QuantifierEntry(
        key="X",
        name="X",
        also_called=("TX",),
        make=partial(ThresholdPolicy, x_criterion),
        family="thresholds",
        idea="adjusts where fpr crosses 1 - tpr",
        weakness="tpr - fpr may be much smaller there than at its maximum, so the estimate scatters more than that of Max",
        formula=adjusted_at(r"\arg\min |1 - tpr(t) - fpr(t)|"),
        source="Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
        inspect=scaled_count,
        is_threshold_policy=True,
    ),
    QuantifierEntry(
        key="Max",
        name="Max",
        also_called=("TMAX",),
        make=partial(ThresholdPolicy, max_criterion),
        family="thresholds",
        idea="adjusts where tpr - fpr is largest",
        weakness="with few labelled instances the largest tpr - fpr is partly luck, and the estimated rates are too good",
        formula=adjusted_at(r"\arg\max\; tpr(t) - fpr(t)"),
        source="Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
        inspect=scaled_count,
        is_threshold_policy=True,
    ),
    QuantifierEntry(
        key="T50",
        name="T50",
        make=partial(ThresholdPolicy, t50_criterion),
        family="thresholds",
        idea="adjusts where tpr is one half",
        weakness="where many negatives score as high as the upper half of the positives, tpr - fpr is small",
        formula=adjusted_at(r"\arg\min |tpr(t) - 0.5|"),
        source="Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
        inspect=scaled_count,
        is_threshold_policy=True,
    ),
    QuantifierEntry(
        key="MS",
        name="Median Sweep",
        also_called=("MedianSweep",),
        make=MedianSweep,
        family="thresholds",
        idea="takes the median of the adjusted counts at all thresholds with tpr - fpr of 1/4 or more",
        weakness="with a weak classifier few thresholds remain for the median; if none remains, it uses Max",
        formula=r"\begin{gathered} \hat p = \operatorname{median}_t\; \operatorname{clip}_{[0, 1]} "
        r"\frac{\hat p_{CC}(t) - fpr(t)}{tpr(t) - fpr(t)} \\ "
        r"\text{over all } t \text{ with } tpr(t) - fpr(t) \ge 1/4 \end{gathered}",
        source="Forman 2008; Barranquero 2013, 3.2.1",
        symmetric=False,
        inspect=MedianSweep.sweep,
    ),
    QuantifierEntry(
        key="HDy",
        name="Hellinger distance on scores",
        make=HDy,
        family="matching",
        idea="mixes the classes' histograms until they look like the sample's",
        weakness="in a small sample most of its many bins are empty, and the distance is mostly chance",
        formula=matched(
            r"d(p, q) = \sqrt{1 - \sum_i \sqrt{p_i q_i}} \\ a = 0, 0.01, \dots, 1; \quad b = 10, 20, \dots, 110 \text{ bins}"
        ),
        source="González-Castro et al. 2013",
        symmetric=False,
        labels_needed=1000,
        inspect=HDy.objective,
    ),
    dys_entry("TS", "as HDy, with few bins, any mixture weight, and the Topsøe distance"),
    dys_entry("JD", "as DyS-TS, with half of its distance, so that the estimates are the same"),
    dys_entry("HD", "as DyS-TS, with the Hellinger distance"),
    dys_entry("PS", "as DyS-TS, with the probabilistic symmetric distance"),
    QuantifierEntry(
        key="EMQ",
        name="Expectation maximisation",
        also_called=("SLD", "EM"),
        make=EMQ,
        family="likelihood",
        idea="finds the prevalence under which the scores are most likely",
        weakness="if scores are not calibrated probabilities, the estimate may be far off, often at 0 or 1",
        formula=likelihood(r"\hat p = \arg\max_p \sum_i \ln\bigl( p\, u_i + (1 - p)\, v_i \bigr)"),
        source="Saerens et al. 2002",
        symmetric=True,
        inspect=EMQ.inspect,
        takes_all_classes=True,
        reads_posteriors=True,
        needs_probabilities=True,
        learns_from_labels_alone=True,
    ),
    QuantifierEntry(
        key="SORD",
        name="Sample ordinal distance",
        make=SORD,
        family="matching",
        idea="mixes the classes' distribution functions until they look like the sample's; no bins",
        weakness="it weighs all scores alike, whether or not the classes differ there: it scatters with weak classifiers",
        formula=r"\begin{gathered} \hat p = \arg\min_a \int_0^1 \bigl| D_a(s) \bigr| \, ds \\ "
        r"D_a = a F_{+} + (1 - a) F_{-} - F \end{gathered}",
        source="Maletzke et al. 2019, 2020",
        symmetric=False,
        labels_needed=40,
        inspect=SORD.objective,
    ),
    dys_entry("ORD", "as DyS-TS, with the ordinal distance: SORD on bins"),
    QuantifierEntry(
        key="EMQ-5",
        name="Expectation maximisation, 5 steps",
        make=partial(EMQ, 5),
        family="likelihood",
        idea="EMQ stopped after five steps, often before it has converged",
        weakness="where the shift is large or the classifier weak, it stops too early, near the training prevalence",
        formula=likelihood(
            r"\hat p = \hat p_5, \quad \hat p_0 = p_{train} \\ "
            r"\hat p_{k+1} = \frac{1}{m} \sum_i \frac{\hat p_k u_i}{\hat p_k u_i + (1 - \hat p_k)\, v_i}"
        ),
        source="Saerens et al. 2002; Maletzke et al. 2020",
        symmetric=True,
        inspect=EMQ.inspect,
        takes_all_classes=True,
        reads_posteriors=True,
        needs_probabilities=True,
        no_interval="it stops before it has converged, at a distance that redrawing does not show",
        learns_from_labels_alone=True,
    ),
    QuantifierEntry(
        key="MM",
        name="Mixture model",
        make=partial(DyS, "ORD", (100,)),
        family="matching",
        idea="as DyS-ORD, on 100 bins: the mixture whose cumulative histogram is nearest to the sample's",
        weakness="it weighs all scores alike, whether or not the classes differ there: it scatters with weak classifiers",
        formula=r"\begin{gathered} \hat p = \arg\min_a d(a P_b + (1 - a) N_b,\; Q_b) \\ "
        + DISTANCES["ORD"].formula.join(["d(p, q) = ", r" \\ b = 100 \text{ bins} \end{gathered}"]),
        source="Forman 2008",
        symmetric=False,
        inspect=DyS.objective,
    ),
    QuantifierEntry(
        key="FM",
        name="Friedman's method",
        make=FriedmanMethod,
        family="thresholds",
        idea="adjusts with the training prevalence as the threshold",
        weakness="if scores are far from probabilities, nearly all may lie on one side of that threshold: tpr - fpr is small",
        formula=adjusted_at("p_{train}"),
        source="Friedman 2014",
        symmetric=False,
        inspect=scaled_count,
        is_threshold_policy=True,
    ),
    QuantifierEntry(
        key="EDy",
        name="Energy distance",
        make=EDy,
        family="matching",
        idea="mixes distribution functions as SORD does, but with squared differences; for two classes in closed form",
        weakness="it scatters where both classes' distribution functions are close, as PACC does where their mean scores are",
        formula=r"\begin{gathered} \hat p = \arg\min_a \int_0^1 D_a(s)^2 \, ds "
        r"= \frac{\bar G - \bar G_{-}}{\bar G_{+} - \bar G_{-}} \\ "
        r"D_a = a F_{+} + (1 - a) F_{-} - F, \quad G(s) = \int_s^1 (F_{+} - F_{-}) \, dt \end{gathered}",
        source="Kawakubo et al. 2016",
        symmetric=True,
        takes_all_classes=True,
        inspect=EDy.objective,
    ),
    QuantifierEntry(
        key="KDEy-ML",
        name="Kernel densities, maximum likelihood",
        make=KDEyML,
        family="likelihood",
        idea="mixes smooth densities of the classes' scores until the sample's scores are most likely",
        weakness="its bandwidth is fixed at 0.1: scores that crowd near 0 and 1 are smeared together",
        formula=r"\begin{gathered} \hat p = \arg\max_p \sum_i \ln\bigl( p\, f_{+}(s_i) + (1 - p) f_{-}(s_i) \bigr) \\ "
        r"f_c(s) = \frac{1}{n_c} \sum_{j \in c} \mathcal{N}(s;\, s_j, 0.1^2) \end{gathered}",
        source="Moreo et al. 2024",
        symmetric=True,
        labels_needed=40,
        takes_all_classes=True,
        inspect=KDEyML.objective,
    ),
    QuantifierEntry(
        key="o-ACC",
        name="Adjusted count of ordered classes",
        make=OrderedAdjustedCount,
        family="adjustment",
        idea="as AC, but prefers shares that change evenly from class to class; with two classes it is AC",
        weakness="it errs where a class really is much rarer or more frequent than its neighbours, or has no order",
        formula=r"\hat p = \arg\min_p \lVert c - M p \rVert^2 + \tfrac{\tau}{2} \lVert T p \rVert^2",
        source="Bunse et al. 2024",
        symmetric=True,
        takes_all_classes=True,
    ),
)


@dataclass(frozen=True)
class NamedQuantifier(Entry):
    """A key of CLASSIFIERS and one of QUANTIFIERS, with the idea and the source of the pair."""

    classifier: str
    quantifier: str

    def __post_init__(self) -> None:
        if self.classifier not in CLASSIFIERS or self.quantifier not in QUANTIFIERS:
            raise ValueError(f"{self.key} pairs unregistered keys: {self.classifier} and {self.quantifier}")

    def settings(self, settings: ScoringSettings) -> ScoringSettings:
        """The same settings with this pair's classifier."""
        return replace(settings, classifier=self.classifier)


_NEIGHBOURS = "Barranquero 2013, chapter 5"
_LEARNT = "Barranquero 2013, chapter 6"

NAMED_QUANTIFIERS = registry(
    NamedQuantifier(
        key="KNN", classifier="KNN", quantifier="AC", idea="the adjusted count with nearest neighbours", source=_NEIGHBOURS
    ),
    NamedQuantifier(
        key="PWK",
        classifier="PWK",
        quantifier="AC",
        idea="the adjusted count with neighbours weighted by class",
        source=_NEIGHBOURS,
    ),
    NamedQuantifier(
        key="PWK-alpha",
        classifier="PWK-alpha",
        quantifier="AC",
        idea="as PWK, with weights chosen from the data",
        source=_NEIGHBOURS,
    ),
    NamedQuantifier(
        key="Q0.5",
        classifier="SVM-Q0.5",
        quantifier="CC",
        idea="learns to count and to classify, with more weight on recall",
        source=_LEARNT,
    ),
    NamedQuantifier(
        key="Q1",
        classifier="SVM-Q1",
        quantifier="CC",
        idea="learns to count and to classify, with equal weight",
        source=_LEARNT,
    ),
    NamedQuantifier(
        key="Q2",
        classifier="SVM-Q2",
        quantifier="CC",
        idea="learns to count and to classify, with more weight on counting",
        source=_LEARNT,
    ),
    NamedQuantifier(
        key="NAS",
        classifier="SVM-NAS",
        quantifier="CC",
        idea="learns only to count, however badly it classifies",
        source="Esuli and Sebastiani 2010; " + _LEARNT,
    ),
    NamedQuantifier(
        key="QT",
        classifier="quantification forest",
        quantifier="CC",
        idea="classify and count with trees whose false positives and false negatives cancel out",
        source="Milli et al. 2013",
    ),
)


def named_correction(classifier: str) -> str:
    """The correction of the named method with this classifier; CC if there is no such method."""
    return next((pair.quantifier for pair in NAMED_QUANTIFIERS.values() if pair.classifier == classifier), "CC")


def names_with(classifier: str) -> dict[str, str]:
    """Key of a quantifier -> what the papers call it together with this classifier, where they name the pair.

    Examples
    --------
    >>> names_with("SVM-Q1")
    {'CC': 'Q1'}
    """
    return {pair.quantifier: pair.key for pair in NAMED_QUANTIFIERS.values() if pair.classifier == classifier}
