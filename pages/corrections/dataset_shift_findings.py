"""Sentences on dataset shift: whether tpr and fpr still hold, and which methods degrade."""

import math

import pandas as pd

from pages.settings.number_text import digits, listed, threshold_text

_WORSE = 1.5
_NOTICEABLE = 0.01


def rates_sentence(rates: pd.DataFrame, threshold: float) -> str:
    """The tpr and fpr at a threshold in training and in the pool; the table of `rates_before_and_after`."""
    near = rates.iloc[(rates.threshold - threshold).abs().groupby(rates.part).idxmin()].set_index("part")
    training, pool = near.loc["training"].to_dict(), near.loc["pool"].to_dict()
    tpr, fpr = ((training[rate], pool[rate]) for rate in ("tpr", "fpr"))
    by_chance = all(
        abs(before - after) <= 2.0 * _standard_error(before, training[n], after, pool[n])
        for (before, after), n in ((tpr, "n_positives"), (fpr, "n_negatives"))
    )
    same = max(abs(tpr[0] - tpr[1]), abs(fpr[0] - fpr[1])) < _NOTICEABLE
    if same or by_chance:
        end = "they still hold" if same else "with so few instances, chance alone can make such a difference"
    else:
        end = "a correction with the training rates subtracts and divides by the wrong numbers"
    return (
        f"At the threshold {threshold_text(threshold)} the tpr was {tpr[0]:.2f} in training and is {tpr[1]:.2f} in the pool, "
        f"the fpr was {fpr[0]:.2f} and is {fpr[1]:.2f}: {end}."
    )


def _standard_error(first: float, n_first: float, second: float, n_second: float) -> float:
    """Standard error of the difference of two shares that estimate the same share."""
    pooled = (first * n_first + second * n_second) / (n_first + n_second)
    return math.sqrt(pooled * (1.0 - pooled) * (1.0 / n_first + 1.0 / n_second))


def degradation_sentences(table: pd.DataFrame, strength: float) -> list[str]:
    """Which methods get worse under shift, and which do not; `errors_under_shift` with strength 0 and this one."""
    before = table[table.strength == 0.0].set_index("method").AE
    after = table[table.strength == strength].set_index("method").AE
    if not strength:
        return ["At strength 0 there is no shift: compare the errors at other strengths with these."]
    growth = {m: float(after[m] - before[m]) for m in after.index}
    much = [growth[m] for m in growth if after[m] > _WORSE * before[m] and growth[m] > _NOTICEABLE]
    # Every method whose AE grows at least as much as that of one of these degrades too, however large its error was before.
    worse = [m for m in growth if much and growth[m] >= min(much)]
    sentences = []
    if worse:
        worst = max(worse, key=lambda method: growth[method])
        change = f"from {digits(before[worst])} to {digits(after[worst])}"
        if len(worse) == 1:
            sentences.append(f"{listed(worse)} degrades: its mean AE grows {change}.")
        else:
            sentences.append(f"{listed(worse)} degrade; most of all **{worst}**, whose mean AE grows {change}.")
    else:
        sentences.append("No method degrades much under this shift.")
    rest = {m: growth[m] for m in growth if m not in worse}
    groups = {
        "less than before": [m for m in rest if rest[m] < -_NOTICEABLE],
        "about as much as before": [m for m in rest if abs(rest[m]) <= _NOTICEABLE],
        "somewhat more than before": [m for m in rest if rest[m] > _NOTICEABLE],
    }
    sentences += [_so_much(methods, how, before, after) for how, methods in groups.items() if methods]
    if len(after) < 2:
        return sentences
    best = str(after.idxmin())
    return [*sentences, f"**{best}** is now nearest to the truth: mean AE {digits(after[best])}."]


def _so_much(methods: list[str], how: str, before: pd.Series, after: pd.Series) -> str:
    """A sentence on methods that err alike under shift, in comparison with before."""
    if len(methods) == 1:
        return f"{listed(methods)} errs {how}: mean AE {digits(after[methods[0]])}, before {digits(before[methods[0]])}."
    errors = sorted(float(after[method]) for method in methods)
    return f"{listed(methods)} err {how}: mean AE {digits(errors[0])} to {digits(errors[-1])}."
