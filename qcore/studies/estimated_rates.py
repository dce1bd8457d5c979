"""How tpr and fpr are estimated: the rates of each way over repeats, the pool's rates, and the errors of AC with them.

Source: Barranquero 2013, 3.2 and 5.2.6; slides on model evaluation, on validation.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from qcore._base.finished_pieces import FinishedPieces
from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, check_choice, check_integer
from qcore.classifiers import CLASSIFIERS
from qcore.evaluation.estimates import estimate
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers.adjustment import adjust
from qcore.scoring.plan import ScoringPlan
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.scores import Scores

_N_PREVALENCES, _SAMPLE_SIZE, _N_SAMPLES = 21, 100, 20


@dataclass(frozen=True)
class EstimatedRates:
    """The rates that each way estimates, and the pool's rates to compare them with.

    Attributes
    ----------
    table : estimation, repeat, n_scored (training scores), tpr, fpr, error (share of errors at the training prevalence) and AE
        (mean of AC with these rates); an estimation without randomness has one repeat.
    pool : tpr, fpr, error and AE with the pool's own rates.
    n_pool : (positives, negatives) that the pool's rates are measured on.
    counting_ae : mean AE without a correction, on the same samples.
    sample_size, n_samples : size and number of the samples that AE is a mean over.
    """

    table: pd.DataFrame
    pool: dict[str, float]
    n_pool: tuple[int, int]
    counting_ae: float
    sample_size: int
    n_samples: int

    @property
    def error_on_pool(self) -> float:
        """Share of errors on the pool as it is, which is at the pool's own prevalence."""
        positives, negatives = self.n_pool
        wrong = (1.0 - self.pool["tpr"]) * positives + self.pool["fpr"] * negatives
        return float(wrong / (positives + negatives))


def usable_rate_estimations(classifier: str) -> list[str]:
    """Keys of RATE_ESTIMATIONS that make sense for a classifier: leave-one-out only if it takes no further training,
    parameters chosen anew only if the classifier chooses any. Raises InvalidInput for an unknown classifier.
    """
    check_choice("classifier", classifier, CLASSIFIERS)
    entry = CLASSIFIERS[classifier]
    return [
        key
        for key, estimation in RATE_ESTIMATIONS.items()
        if (entry.leave_one_out or not estimation.leaves_one_out) and (entry.fixed or not estimation.chooses_anew)
    ]


def estimated_rates(
    plan: ScoringPlan,
    classifier: str,
    *,
    n_repeats: int = 10,
    seed: int = 0,
    finished: FinishedPieces | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> EstimatedRates:
    """Estimate the rates of a plan's model in every usable way, each over `n_repeats` draws of its folds.

    Parameters
    ----------
    plan, classifier : what is scored, with the key of its classifier.
    seed : seed of the samples that AE averages: 20 at each of 21 prevalences, of 100 instances or as many as the pool can give.
    finished : stores finished scores; a later call continues from there.
    on_progress : called with the share of the work that is done; may raise to stop.

    Raises InvalidInput for an unknown classifier, no repeats, or a pool that is too small.
    """
    check_integer("repeats", n_repeats, low=1)
    keys = usable_rate_estimations(classifier)
    pieces = FinishedPieces() if finished is None else finished
    repeats = [(key, repeat) for key in keys for repeat in range(n_repeats if RATE_ESTIMATIONS[key].is_random else 1)]
    pool_scores = pieces.get("pool", lambda: plan.part(plan.n_folds))
    scored = []
    for number, (key, repeat) in enumerate(repeats):
        if on_progress:
            on_progress(number / len(repeats))
        scored.append(_training_scores(plan, key, repeat, pool_scores, pieces))
    return _beside_pool(repeats, scored, seed)


def _training_scores(plan: ScoringPlan, key: str, repeat: int, pool_scores: FloatArray, pieces: FinishedPieces) -> Scores:
    """The scores of one draw. Rates averaged over folds come from the same scores as those of all folds together."""
    estimation = RATE_ESTIMATIONS[key]
    own_plan = plan.with_rate_estimation(key, repeat)
    models = (estimation.held_out, estimation.chooses_anew, estimation.leaves_one_out, repeat)
    parts = pieces.get(models, lambda: [own_plan.part(number) for number in range(own_plan.n_folds)])
    return own_plan.assemble([*parts, pool_scores])


def _beside_pool(repeats: list[tuple[str, int]], scored: list[Scores], seed: int) -> EstimatedRates:
    pool_labels, prevalence = scored[0].pool_labels, scored[0].training_prevalence
    n_positives, n_negatives = int(pool_labels.sum()), int((1 - pool_labels).sum())
    protocol = ArtificialPrevalence(_N_PREVALENCES, _SAMPLE_SIZE, _N_SAMPLES).at_most(n_positives, n_negatives)
    samples = protocol.draw(pool_labels, random_stream(seed, RandomStream.SAMPLES_FOR_RATES))
    counts = estimate(["CC"], scored[0], samples).by_method["CC"]
    pool = replace(scored[0], training_scores=scored[0].pool_scores, training_labels=pool_labels, folds=None)
    rates = np.array([one.rates for one in [*scored, pool]])
    tpr, fpr = rates[:, :1], rates[:, 1:]
    error = (1.0 - tpr) * prevalence + fpr * (1.0 - prevalence)
    ae = np.abs(adjust(counts, tpr, fpr) - samples.prevalences).mean(axis=1, keepdims=True)
    values = np.hstack([rates, error, ae])
    columns = ["tpr", "fpr", "error", "AE"]
    table = pd.DataFrame(values[:-1], columns=columns)
    table.insert(0, "estimation", [key for key, _ in repeats])
    table.insert(1, "repeat", [repeat for _, repeat in repeats])
    table.insert(2, "n_scored", [len(one.training_labels) for one in scored])
    counting = float(np.abs(counts - samples.prevalences).mean())
    pooled = dict(zip(columns, values[-1].tolist(), strict=True))
    return EstimatedRates(table, pooled, (n_positives, n_negatives), counting, protocol.sample_size, len(samples))
