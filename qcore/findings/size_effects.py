"""Sentences on what the sample size does: who leads where, what grows better, what samples share."""

from __future__ import annotations

import numpy as np
import pandas as pd

from qcore.findings.words import counted, digits, listed
from qcore.losses import LOSSES
from qcore.protocols.sizes import Fitting
from qcore.reuse import MOSTLY_SHARED
from qcore.rounding import TIE
from qcore.size_effects import Cells, Difference, Winners, compared_with, leaders
from qcore.validation import IntArray

_PARTS = ("half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth")
_UNCORRECTED = ("CC", "PCC", "BL")
_NOTHING = 1e-6
_ALIKE = 1.25
"""Ratios that differ by less are alike."""

_NOTICEABLE = 0.25
"""A mean rank that moves by less is not worth a sentence."""


def size_sentences(cells: Cells) -> list[str]:
    """Who leads at the smallest and at the largest size, whose loss falls by the size, and what counting is worth at each."""
    if len(cells.methods) == 1:
        return [_alone(cells)]
    sentences = [_leaders(cells)]
    if len(cells.sizes) > 1 and not LOSSES[cells.loss].smoothed:
        sentences.append(_gains(cells))
    if "CC" in cells.methods:
        sentences.append(_counting(cells))
    return sentences


def smoothing_note(loss: str) -> str:
    """Why a loss that smooths can't be compared from size to size; empty for one that does not."""
    if not LOSSES[loss].smoothed:
        return ""
    return (
        f"{loss} smooths prevalences of 0 by 1 / (2 size), so that the same error counts more in a larger sample: compare "
        "quantifiers inside a row, not the rows."
    )


def _alone(cells: Cells) -> str:
    (method,), means = cells.methods, cells.magnitudes.mean(axis=2)[0]
    large = f" and of {digits(means[-1])} with samples of {cells.sizes[-1]}" if len(cells.sizes) > 1 else ""
    return (
        f"**{method}** has a {cells.measure} of {digits(means[0])} with samples of {cells.sizes[0]}{large}. Choose a second "
        "quantifier to compare it with."
    )


def _leaders(cells: Cells) -> str:
    """Who has the lowest mean at either end, and who can't be told apart from them."""
    best, beside = leaders(cells)
    same = beside.surely() == 0
    means = cells.magnitudes.mean(axis=2)
    low, high = cells.sizes[0], cells.sizes[-1]

    def end(place: int) -> str:
        others = [name for i, name in enumerate(cells.methods) if same[i, place] and i != best[place]]
        also = f", not to be told from {listed(others, most=3, first=2)}" if others else ""
        again = "again" if place and best[0] == best[-1] else f"has the lowest {cells.measure}"
        return f"**{cells.methods[best[place]]}** {again}, {digits(means[best[place], place])}{also}"

    sentence = f"With samples of {low}, {end(0)}"
    if len(cells.sizes) == 1:
        return f"{sentence}."
    sentence = f"{sentence}; with samples of {high}, {end(-1)}."
    if same[best[-1], 0] or same[best[0], -1]:
        return sentence
    return f"{sentence} Which quantifier is best depends on the size."


def _gains(cells: Cells) -> str:
    """Whose loss falls most from the smallest to the largest size, and whose least."""
    means = cells.magnitudes.mean(axis=2)
    known = [i for i in range(len(cells.methods)) if means[i, [0, -1]].min() > _NOTHING]
    small, large = cells.sizes[0], cells.sizes[-1]
    if len(known) < 2:
        return f"From samples of {small} to samples of {large} there is hardly an error that could fall."
    ratios = means[known, -1] / means[known, 0]
    most, least = int(ratios.argmin()), int(ratios.argmax())
    if ratios[least] < _ALIKE * ratios[most]:
        return (
            f"From samples of {small} to samples of {large}, the {cells.measure} of all changes about alike: that of "
            f"**{cells.methods[known[most]]}** {_becomes(ratios[most])}."
        )
    stays = cells.methods[known[least]]
    why = "; it corrects no bias, and more instances mend only chance" if stays in _UNCORRECTED and not cells.signed else ""
    return (
        f"From samples of {small} to samples of {large}, the {cells.measure} of **{cells.methods[known[most]]}** "
        f"{_becomes(ratios[most])}, that of **{stays}** {_becomes(ratios[least])}{why}."
    )


def _becomes(ratio: float) -> str:
    """What became of a mean, by its ratio to the earlier one."""
    if ratio > 1.05:
        return f"grows by {ratio - 1.0:.0%}" if ratio < 2.0 else f"grows to {ratio:.1f} times as much"
    if ratio > 0.95:
        return "stays as it is"
    if ratio > 0.55:
        return f"falls by {1.0 - ratio:.0%}"
    parts = round(1.0 / ratio)
    return f"falls to {_PARTS[parts - 2]}" if parts - 2 < len(_PARTS) else f"falls to 1/{parts:,}"


def _counting(cells: Cells) -> str:
    """How many methods are clearly better than classify and count at the smallest and at the largest size."""
    place = cells.methods.index("CC")
    apart = compared_with(cells, np.full(len(cells.sizes), place)).surely()
    others = len(cells.methods) - 1
    better, worse = (apart == -1).sum(axis=0), (apart == 1).sum(axis=0)

    def end(at: int, than: str) -> str:
        verb = "is" if better[at] == 1 else "are"
        return (
            f"with samples of {cells.sizes[at]}, {better[at] or 'none'} {verb} clearly better{than} and {worse[at] or 'none'} "
            "clearly worse"
        )

    sentence = f"Of the {counted(others, 'other quantifier')}, {end(0, ' than plain counting (**CC**)')}"
    return f"{sentence}." if len(cells.sizes) == 1 else f"{sentence}; {end(-1, '')}."


def winners_sentence(cells: Cells, winners: Winners) -> str:
    """Who is clearly best in how many cells, and how many are open."""
    clear = winners.clear
    n_cells, n_clear = clear.size, int(clear.sum())
    if len(cells.methods) == 1:
        return "With one quantifier there is nobody to win against: choose a second one in the sidebar."
    if n_clear == 0:
        return f"In none of the {n_cells:,} cells is one quantifier clearly best: some other is within one standard error."
    wins = np.bincount(winners.best[clear], minlength=len(cells.methods))
    order = np.argsort(-wins, kind="stable")
    named = [f"**{cells.methods[i]}** in {wins[i]:,}" for i in order[:4] if wins[i]]
    more = int((wins > 0).sum()) - len(named)
    rest = f" and {more} more" if more > 0 else ""
    if n_clear == n_cells:
        return f"One quantifier is clearly best in each of the {n_cells:,} cells: {', '.join(named)}{rest}."
    return (
        f"One quantifier is clearly best in {n_clear:,} of {n_cells:,} cells: {', '.join(named)}{rest}. In the other "
        f"{n_cells - n_clear:,}, some other is within one standard error of the best: these are faint."
    )


def difference_sentence(cells: Cells, difference: Difference, first: str, second: str) -> str:
    """Where either of two is better by more than one standard error, and how that changes with the size."""
    if first == second:
        return f"**{first}** differs from itself nowhere: choose two."
    surely = np.abs(difference.mean) > difference.standard_error + TIE
    ahead, behind = int((surely & (difference.mean < 0)).sum()), int((surely & (difference.mean > 0)).sum())
    sentence = (
        f"By more than one standard error, **{first}** is better in {ahead:,} and **{second}** in {behind:,} of "
        f"{surely.size:,} cells"
    )
    by_size = difference.mean.mean(axis=1)
    if len(by_size) == 1 or np.abs(by_size).max() <= TIE:
        return f"{sentence}."
    ahead_at = [first if value < 0 else second for value in (by_size[0], by_size[-1])]
    amounts = [digits(abs(value)) for value in (by_size[0], by_size[-1])]
    other = "" if ahead_at[0] == ahead_at[1] else f"**{ahead_at[1]}** "
    return (
        f"{sentence}. On average over the prevalences **{ahead_at[0]}** leads by {amounts[0]} with samples of "
        f"{cells.sizes[0]}, and {other}by {amounts[1]} with samples of {cells.sizes[-1]}."
    )


def ranks_sentence(ranks: pd.DataFrame) -> str:
    """Who climbs and who falls in rank as samples grow."""
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
        return f"From samples of {sizes[0]} to samples of {sizes[-1]} the ranks stay as they are."
    return f"From samples of {sizes[0]} to samples of {sizes[-1]}, {' and '.join(parts)}."


def left_out_sentence(fitting: Fitting, pool_counts: tuple[int, int]) -> str:
    """Which sizes a pool can't give; empty if it can give all."""
    if not fitting.left_out:
        return ""
    named = listed([f"{size}" for size in fitting.left_out], most=8, first=6)
    return (
        f"Left out: {named}. The pool has {pool_counts[0]:,} positives and {pool_counts[1]:,} negatives, which at these "
        f"prevalences make samples of up to {fitting.largest:,}."
    )


def reuse_sentences(draws: IntArray, sharing: pd.DataFrame) -> list[str]:
    """How often instances are drawn, and what samples share."""
    n_samples, n_pool = int(sharing["samples"].sum()), len(draws)
    never = int((draws == 0).sum())
    unseen = f"; {counted(never, 'of them is', 'of them are')} never drawn" if never else ""
    last = sharing.iloc[-1]
    return [
        f"{n_samples:,} samples come from a pool of {n_pool:,} instances, each drawn {digits(float(np.mean(draws)))} times on "
        f"average ({draws.min():,} to {draws.max():,}){unseen}. Inside a sample none is drawn twice.",
        f"Two samples of {last['size']:.0f} with the same prevalence share {last.shared:.0%} of their instances on average "
        f"over the prevalences, {last.most_shared:.0%} at the one where they share most.",
    ]


def sharing_warning(sharing: pd.DataFrame) -> str:
    """Which sizes are so large for the pool that samples share most of it, on average or at some prevalence; empty if none."""
    on_average = _sizes_above(sharing, "shared")
    somewhere = _sizes_above(sharing, "most_shared")
    if not somewhere:
        return ""
    how = ", at some prevalences at least"
    if on_average == somewhere:
        how = " on average over the prevalences"
    elif on_average:
        how += f", and with samples of {on_average} on average"
    return (
        f"With samples of {somewhere}, two samples of the same prevalence share more than half of their instances{how}. Spread "
        "and standard errors are too small there, and the means tell of this pool, not of others like it."
    )


def _sizes_above(sharing: pd.DataFrame, column: str) -> str:
    sizes = sharing["size"][sharing[column] > MOSTLY_SHARED].tolist()
    return listed([f"{size}" for size in sizes], most=8, first=6) if sizes else ""
