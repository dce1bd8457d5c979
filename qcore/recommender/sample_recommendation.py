"""MLQ for one sample: which quantifier to take for it, the votes of the trees, and each candidate's error on similar samples.

Source: Maletzke et al. 2020, section 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray, InvalidInput
from qcore.datasets import Dataset
from qcore.protocols import SizeGrid
from qcore.protocols.pool import samples_with
from qcore.quantifiers import DyS, make_quantifiers
from qcore.recommender.metatable import CANDIDATES, MetaTable, build_metatable, check_candidates, metafeatures, stack_metatables
from qcore.recommender.mlq import Recommender
from qcore.scoring import SampleScores, ScoringPlan, ScoringSettings

_LEARNT = 1500
"""Approximate number of samples that the recommender learns from."""

_NEAR = 0.15
_FEWEST_LABELS = 4
"""Of each class: two to train on, and two to draw samples from."""
_SMALLEST_SAMPLE = 10


@dataclass(frozen=True)
class SampleRecommendation:
    """Which candidate a recommender chooses for one sample.

    Attributes
    ----------
    table : a row for each candidate, the recommended first: candidate, votes (share of trees), error (mean AE on samples of
        the learning pool whose prevalence is within 0.15 of the estimate), estimate (of this sample).
    size : number of instances in the samples on which `error` is measured, the largest from which the recommender learnt.
    n_similar : number of samples on which `error` is measured.
    prevalence : the median estimate of the candidates; `error` is measured near it.

    Examples
    --------
    >>> table = pd.DataFrame({"candidate": ["AC", "CC"], "votes": [0.7, 0.3], "error": [0.02, 0.06], "estimate": [0.3, 0.4]})
    >>> SampleRecommendation(table, size=50, n_similar=120, prevalence=0.35).table.candidate[0]
    'AC'
    """

    table: pd.DataFrame
    size: int
    n_similar: int
    prevalence: float


def recommend_for_sample(
    labelled: Dataset,
    settings: ScoringSettings,
    scored: SampleScores,
    sample_features: FloatArray,
    candidates: Sequence[str] = CANDIDATES,
    *,
    on_progress: Callable[[float], None] | None = None,
) -> SampleRecommendation:
    """Learn from labelled data which candidate errs least on samples of this one's size, and choose for it.

    Parameters
    ----------
    labelled : the data that the sample's classifier was trained on. One half trains a classifier, the other gives samples.
    settings : classifier, positive class and seed.
    scored : the sample's scores and the training scores, as from `score_sample`.
    sample_features : (m, n_attributes) of the sample, as from `Dataset.numeric_features`.
    candidates : at least two keys of QUANTIFIERS.
    on_progress : called with the share of the work that is done.

    Raises
    ------
    InvalidInput
        Unknown candidates, or too few labelled data.

    Examples
    --------
    >>> from qcore import ScoringSettings, load_dataset, score_sample
    >>> data = load_dataset("wdbc")
    >>> sample = data.features[::9]
    >>> scored = score_sample(data, sample, "malignant")
    >>> result = recommend_for_sample(data, ScoringSettings("malignant"), scored, data.numeric_features(sample))
    >>> sorted(result.table.candidate)
    ['DyS-PS', 'MS', 'SORD']
    """
    names = check_candidates(candidates)
    fewest = int(np.bincount(labelled.binary_labels(str(settings.positive)), minlength=2).min())
    if fewest < _FEWEST_LABELS:
        rule, hint = f"have at least {_FEWEST_LABELS} labelled instances", "Label more of the smaller class."
        raise InvalidInput("each class", rule, str(fewest), hint)
    show = on_progress or (lambda _share: None)
    plan = ScoringPlan(labelled, replace(settings, training_share=0.5, training_prevalence=None))
    seed, scores = settings.seed, plan.scores(on_progress=lambda share, _text: show(0.6 * share))
    grid = _grid(len(scored.sample), plan)
    features = labelled.numeric_features()[plan.pool_rows]
    rng = random_stream(seed, RandomStream.METATABLE)
    tables = [build_metatable(scores, features, samples, names) for samples in grid.draw(scores.pool_labels, rng)]
    show(0.75)
    recommender = Recommender(seed).fit(stack_metatables(tables), lambda share: show(0.75 + 0.2 * share))
    described = _of_one_sample(scored, sample_features, seed)
    estimates = _estimates(names, scored)
    return _recommendation(recommender, described, tables[-1], estimates)


def _grid(size: int, plan: ScoringPlan) -> SizeGrid:
    """Sizes half the size and the size, or the largest that the pool can give, at 21 prevalences. Raises InvalidInput."""
    grid = SizeGrid((10,), grid=21, repeats=2)
    largest = grid.at(10).largest_sample_size(*plan.pool_counts)
    if largest < _SMALLEST_SAMPLE:
        rule = f"give samples of {_SMALLEST_SAMPLE} instances at every prevalence"
        raise InvalidInput("half of the labelled data", rule, f"{largest} at most", "Label more of the smaller class.")
    most = max(2, min(size, largest))
    sizes = sorted({max(2, most // 2), most})
    grid = SizeGrid(tuple(sizes), grid=21, repeats=max(2, _LEARNT // (21 * len(sizes))))
    return grid.of(grid.fitting_sizes(*plan.pool_counts).kept)


def _of_one_sample(scored: SampleScores, features: FloatArray, seed: int) -> FloatArray:
    """The sample's metafeatures, (1, 6)."""
    m = len(scored.sample)
    labels: IntArray = np.zeros(m, dtype=np.intp)
    all_of_it = samples_with(np.array([[m, 0]]), np.array([[1.0, 0.0]]), labels, random_stream(seed, RandomStream.METATABLE))
    dys = DyS("PS").fit(scored.training_scores, scored.training_labels)
    return metafeatures(features, scored.sample, all_of_it, dys)


def _estimates(names: Sequence[str], scored: SampleScores) -> FloatArray:
    """Each quantifier's estimate for the sample, (n_names,)."""
    fitted = make_quantifiers(names, scored.training_scores, scored.training_labels, posteriors=scored.posteriors)
    return np.array([float(fitted[name].predict(scored.sample)) for name in names])


def _recommendation(
    recommender: Recommender, described: FloatArray, similar: MetaTable, estimates: FloatArray
) -> SampleRecommendation:
    """Votes of the trees, and errors on samples of about the estimated prevalence."""
    votes = np.zeros(len(estimates))
    votes[recommender.forest_.classes_.astype(int)] = recommender.forest_.predict_proba(described)[0]
    prevalence = float(np.median(estimates))
    apart = np.abs(similar.true - prevalence)
    near = apart <= max(_NEAR, float(apart.min()))
    table = pd.DataFrame(
        {
            "candidate": similar.candidates,
            "votes": votes,
            "error": similar.errors[near].mean(axis=0),
            "estimate": estimates,
        }
    )
    # Ties of votes go to the candidate with the lower error.
    ordered = table.sort_values(["votes", "error"], ascending=[False, True], kind="stable", ignore_index=True)
    return SampleRecommendation(ordered, int(similar.sizes[0]), int(near.sum()), prevalence)
