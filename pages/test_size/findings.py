"""Sentences of the page "Test size": leaders by sample size, gains, winners, ranks, and what samples share."""

import numpy as np
import pandas as pd

from pages.settings.number_text import digits, listed
from qcore import LOSSES, QUANTIFIERS
from qcore.base import TIE
from qcore.evaluation.loss_grid import Difference, LossGrid, Winners, agreement, compared_with, leaders, regret
from qcore.evaluation.significance import is_clear

_PARTS = ("half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth")
_NOTHING = 1e-6
_ALIKE = 1.25
"""Two means with a ratio up to this count as alike."""

_NOTICEABLE = 0.25
"""A mean rank that moves by less is not worth a sentence."""


def size_sentences(grid: LossGrid) -> list[str]:
    """Who is level with the leaders that the headline names, whose loss falls with the size, and how counting compares.

    Of one quantifier the headline says all there is.
    """
    if len(grid.methods) == 1:
        return []
    leaders_sentence = _leaders(grid)
    sentences = [leaders_sentence] if leaders_sentence else []
    if len(grid.sizes) > 1 and not LOSSES[grid.loss].smoothed:
        sentences.append(_gains(grid))
    if "CC" in grid.methods:
        sentences.append(_counting(grid))
    return sentences


def size_headline(grid: LossGrid) -> str:
    """Which methods lead with the smallest samples and with the largest, in one short sentence."""
    if len(grid.methods) == 1:
        return _alone(grid)
    best, beside = leaders(grid)
    same = beside.sign() == 0

    def end(row: int) -> str:
        others = [name for i, name in enumerate(grid.methods) if same[i, row] and i != best[row]]
        leader, value = grid.methods[int(best[row])], digits(float(grid.magnitudes.mean(axis=2)[best[row], row]))
        leads = f"{leader} and {others[0] if len(others) == 1 else f'{len(others)} more'}" if others else leader
        if row:
            again = " again" if not others and best[0] == best[-1] and same[:, 0].sum() == 1 else ""
            return f"{leads}{again} ({value})"
        return f"{leads} lead ({grid.measure} {value})" if others else f"{leads} has the lowest {grid.measure} ({value})"

    if len(grid.sizes) == 1:
        return f"With samples of {grid.sizes[0]}, {end(0)}."
    return f"With samples of {grid.sizes[0]}, {end(0)}; with {grid.sizes[-1]}, {end(-1)}."


def regret_sentence(grid: LossGrid, method: str) -> str:
    """What it costs to choose one quantifier for all cells; empty where there is no other."""
    if len(grid.methods) == 1:
        return ""
    cost = regret(grid, method)
    row, column = np.unravel_index(int(cost.argmax()), cost.shape)
    if cost[row, column] <= TIE:
        return f"**{method}** is the best in every cell: choosing it everywhere costs nothing."
    return (
        f"If **{method}** is chosen everywhere, the {grid.measure} is {digits(float(cost.mean()))} above the lowest on "
        f"average. At worst it is {digits(float(cost[row, column]))}, with samples of {grid.sizes[row]} at "
        f"{grid.targets[column]:.0%}."
    )


def smoothing_note(loss: str) -> str:
    """Why a loss with smoothing can't be compared between sizes; empty for a loss without smoothing."""
    if not LOSSES[loss].smoothed:
        return ""
    return (
        f"{loss} smooths prevalences, so the same error counts more in a larger sample. Compare quantifiers within a row, not "
        "rows with each other."
    )


def _alone(grid: LossGrid) -> str:
    (method,), means = grid.methods, grid.magnitudes.mean(axis=2)[0]
    large = f" and of {digits(means[-1])} with samples of {grid.sizes[-1]}" if len(grid.sizes) > 1 else ""
    return (
        f"**{method}** has a {grid.measure} of {digits(means[0])} with samples of {grid.sizes[0]}{large}. Choose a second "
        "quantifier to compare it with."
    )


def _leaders(grid: LossGrid) -> str:
    """What the headline leaves out: methods level with the best at the smallest and at the largest size, or another one best.

    Empty where it leaves out nothing.
    """
    best, beside = leaders(grid)
    same = beside.sign() == 0
    means = grid.magnitudes.mean(axis=2)
    low, high = grid.sizes[0], grid.sizes[-1]

    def end(size: int) -> str:
        others = [name for i, name in enumerate(grid.methods) if same[i, size] and i != best[size]]
        also = f", level with {listed(others, most=3, first=2)}" if others else ""
        again = "again" if size and best[0] == best[-1] else f"has the lowest {grid.measure}"
        return f"**{grid.methods[best[size]]}** {again}, {digits(means[best[size], size])}{also}"

    sentence = f"With samples of {low}, {end(0)}."
    sentence += "" if len(grid.sizes) == 1 else f" With samples of {high}, {end(-1)}."
    told = [sentence] if same[:, [0, -1]].sum(axis=0).max() > 1 else []
    if not (same[best[-1], 0] or same[best[0], -1]):
        told.append("Which quantifier is best depends on the size.")
    return " ".join(told)


def _gains(grid: LossGrid) -> str:
    """The methods whose loss falls most and least from the smallest to the largest size."""
    means = grid.magnitudes.mean(axis=2)
    known = [i for i in range(len(grid.methods)) if means[i, [0, -1]].min() > _NOTHING]
    small, large = grid.sizes[0], grid.sizes[-1]
    if len(known) < 2:
        return f"From samples of {small} to samples of {large} the errors are too small to compare."
    ratios = means[known, -1] / means[known, 0]
    most, least = int(ratios.argmin()), int(ratios.argmax())
    if ratios[least] < _ALIKE * ratios[most]:
        return (
            f"From samples of {small} to {large}, the {grid.measure} of all quantifiers changes about equally: that of "
            f"**{grid.methods[known[most]]}** {_becomes(ratios[most])}."
        )
    stays = grid.methods[known[least]]
    is_biased = stays in QUANTIFIERS and not QUANTIFIERS[stays].corrects and not grid.signed
    why = " It corrects no bias, and more data reduces noise, not bias." if is_biased else ""
    if stays == "BL":
        why = " It does not look at the sample, and small samples have few true prevalences."
    return (
        f"From samples of {small} to {large}, **{grid.methods[known[most]]}**'s {grid.measure} {_becomes(ratios[most])}, "
        f"**{stays}**'s {_becomes(ratios[least])}.{why}"
    )


def _becomes(ratio: float) -> str:
    """How a mean changes, by its ratio to the earlier one."""
    if ratio > 1.05:
        return f"grows by {ratio - 1.0:.0%}" if ratio < 2.0 else f"grows to {ratio:.1f} times as much"
    if ratio > 0.95:
        return "stays as it is"
    if ratio > 0.55:
        return f"falls by {1.0 - ratio:.0%}"
    parts = round(1.0 / ratio)
    return f"falls to {_PARTS[parts - 2]}" if parts - 2 < len(_PARTS) else f"falls to 1/{parts:,}"


def _counting(grid: LossGrid) -> str:
    """How many methods are clearly better than classify and count at the smallest and at the largest size."""
    counting = grid.methods.index("CC")
    sign = compared_with(grid, np.full(len(grid.sizes), counting)).sign()
    others = len(grid.methods) - 1
    if others == 1:
        (name,) = (method for method in grid.methods if method != "CC")
        words = {-1: "clearly better than", 0: "not clearly different from", 1: "clearly worse than"}
        first, last = (words[int(sign[grid.methods.index(name), size])] for size in (0, -1))
        alone = f"With samples of {grid.sizes[0]}, **{name}** is {first} plain counting (**CC**)."
        return alone if len(grid.sizes) == 1 else f"{alone} With samples of {grid.sizes[-1]}, it is {last} it."
    better, worse = (sign == -1).sum(axis=0), (sign == 1).sum(axis=0)

    def end(size: int, than: str) -> str:
        verb = "is" if better[size] == 1 else "are"
        return (
            f"With samples of {grid.sizes[size]}, {better[size] or 'none'} of {others} {verb} clearly better{than} and "
            f"{worse[size] or 'none'} clearly worse."
        )

    sentence = end(0, " than plain counting (**CC**)")
    return sentence if len(grid.sizes) == 1 else f"{sentence} {end(-1, '')}"


def winners_sentence(grid: LossGrid, winners: Winners) -> str:
    """In how many cells each method is clearly best, and in how many none is."""
    clear = winners.clear
    n_cells, n_clear = clear.size, int(clear.sum())
    if len(grid.methods) == 1:
        return "There is only one quantifier: choose a second one in the sidebar to compare it with."
    if n_clear == 0:
        return f"No quantifier is clearly best in any of the {n_cells:,} cells: another is always within two standard errors."
    wins = np.bincount(winners.best[clear], minlength=len(grid.methods))
    order = np.argsort(-wins, kind="stable")
    named = [f"**{grid.methods[i]}** in {wins[i]:,}" for i in order[:4] if wins[i]]
    more = int((wins > 0).sum()) - len(named)
    rest = f" and {more} more" if more > 0 else ""
    if n_clear == n_cells:
        return f"One quantifier is clearly best in each of the {n_cells:,} cells: {', '.join(named)}{rest}."
    return (
        f"One quantifier is clearly best in {n_clear:,} of {n_cells:,} cells: {', '.join(named)}{rest}. In the others, "
        "without colour, another is within two standard errors; grey: the means are equal."
    )


def thinned_sentence(grid: LossGrid, shown: LossGrid) -> str:
    """Which prevalences of a fine grid the picture and the counts of cells leave out; empty if they leave out none."""
    if len(shown.targets) == len(grid.targets):
        return ""
    return (
        f"The map and these counts of cells use {len(shown.targets)} of the {len(grid.targets)} prevalences; means and CSV "
        "use all."
    )


def agreement_sentence(first: LossGrid, second: LossGrid, names: tuple[str, str]) -> str:
    """In how many cells the winner on one data set is as good as the best on another, of the sizes that both have."""
    result = agreement(first, second)
    if len(first.methods) == 1:
        return "There is only one quantifier: choose a second one in the sidebar to compare it with."
    if result is None:
        return f"{names[0]} and {names[1]} have no sample size in common."
    same, clear, cells = result
    if not clear:
        return f"No quantifier is clearly best on {names[0]} in any of the {cells:,} cells that both have."
    return (
        f"In {clear:,} of {cells:,} cells that both have, one quantifier is clearly best on {names[0]}. In {same:,} of these "
        f"({same / clear:.0%}) it is the best on {names[1]}, too, or within two standard errors."
    )


def difference_sentence(grid: LossGrid, difference: Difference, first: str, second: str) -> str:
    """Where either of two methods is better by more than two standard errors, and how that changes with the size."""
    if first == second:
        return f"**{first}** is chosen twice: choose two different quantifiers."
    surely = is_clear(*difference)
    ahead, behind = int((surely & (difference.mean < 0)).sum()), int((surely & (difference.mean > 0)).sum())
    sentence = (
        f"By more than two standard errors, **{first}** is better in {ahead:,} and **{second}** in {behind:,} of "
        f"{surely.size:,} cells"
    )
    by_size = difference.mean.mean(axis=1)
    if len(by_size) == 1 or np.abs(by_size).max() <= TIE:
        return f"{sentence}."
    ahead_at = [first if value < 0 else second for value in (by_size[0], by_size[-1])]
    amounts = [digits(abs(value)) for value in (by_size[0], by_size[-1])]
    other = "" if ahead_at[0] == ahead_at[1] else f"**{ahead_at[1]}** "
    return (
        f"{sentence}. On average **{ahead_at[0]}** leads by {amounts[0]} with samples of {grid.sizes[0]}, and {other}by "
        f"{amounts[1]} with samples of {grid.sizes[-1]}."
    )


def ranks_sentence(ranks: pd.DataFrame) -> str:
    """Which methods' ranks improve and which get worse as samples grow."""
    methods, sizes = ranks.method.unique().tolist(), ranks["size"].unique().tolist()
    if len(methods) == 1 or len(sizes) == 1:
        return "Ranks by size need two quantifiers and two sizes at least."
    by_size = ranks.mean_rank.to_numpy().reshape(len(methods), len(sizes))
    first, last = by_size[:, 0], by_size[:, -1]
    up, down = int((last - first).argmin()), int((last - first).argmax())
    parts = []
    if last[up] - first[up] <= -_NOTICEABLE:
        parts.append(f"**{methods[up]}** climbs from a mean rank of {first[up]:.1f} to {last[up]:.1f}")
    if last[down] - first[down] >= _NOTICEABLE:
        parts.append(f"**{methods[down]}** falls from {first[down]:.1f} to {last[down]:.1f}")
    if not parts:
        return f"From samples of {sizes[0]} to {sizes[-1]} the ranks stay as they are."
    return f"From samples of {sizes[0]} to {sizes[-1]}, {' and '.join(parts)}."
