"""Sentences on a share that is watched: what is known, whether it has moved, what an ordinary interval would have said."""

from pages.settings.number_text import capitalised, percentages
from qcore.watching import WatchedShare, looks_that_miss


def over_time_headline(result: WatchedShare, positive: str, moved_at: str | None = None) -> str:
    """Whether the share has moved, and what it is; `moved_at` is the name of that batch as Markdown shows it as it is."""
    (low, high), last = result.now, result.table.iloc[-1]
    n_batches = len(result.table)
    if result.moved_at is not None:
        seen = f"**The share has moved**: seen at batch {moved_at or result.moved_at}."
        # The alert compares counts, which a correction does not change.
        of = capitalised(positive) if result.rates is None else f"Predicted {positive}"
        before, since = _ends(*result.before), _ends(low, high)
        return f"{seen} {of} in {_first(result.baseline)}: {before}; in all later ones together: {since}."
    share, least, most = percentages(last.so_far, last.low, last.high)
    return f"In {n_batches} batches no move was seen: of all together {share} are {positive}, {least} to {most} at every look."


def _first(n_batches: int) -> str:
    return "the first batch" if n_batches == 1 else f"the first {n_batches} batches"


def _ends(low: float, high: float) -> str:
    return " to ".join(percentages((low + high) / 2.0, low, high)[1:])


def over_time_notes(result: WatchedShare, truth: float | None) -> list[str]:
    """What each interval is for; with a `truth` that has not moved, at how many looks each of them leaves it out."""
    notes = [
        "**The band holds at every look**: the probability that it ever leaves out a share that does not move is at most "
        f"{1 - result.level:.0%}. The dashed interval is right for one look that was planned: who looks each time sees alarms."
    ]
    if truth is not None:
        notes.append(_missed(result, truth))
    of = "Shares are those of the predictions." if result.rates is None else "The alert compares counts, not corrected shares."
    notes += [] if result.rates is None else _labels(result)
    return [
        *notes,
        f"**Moved** is said when {_first(result.baseline)} and those since are apart, each with an interval of "
        f"{0.5 + result.level / 2:.1%} that holds at every look. A small move takes many batches to be seen: no alert does not "
        "say that nothing has moved.",
        f"{of} While the classes look as they did, the classifier errs before as after, so that what has moved is the share. "
        "After an alert, label some of the newest batch: see **a sample labelled in part**.",
    ]


def _labels(result: WatchedShare) -> list[str]:
    """How much of the variance is due to the few labels, and whether to label anew."""
    part = f"**Corrected** with tpr and fpr: {result.share_of_labels:.0%} of the last estimate's variance is that of the labels"
    if result.label_anew:
        return [f"{part}. **Label anew**: more batches would tell little, or the rates do not hold any more."]
    return [f"{part}; the rest, more batches make smaller."]


def _missed(result: WatchedShare, truth: float) -> str:
    table = result.table
    pairs = (("once_low", "once_high"), ("low", "high"))
    once, every = (looks_that_miss(truth, table[low].to_numpy(), table[high].to_numpy()) for low, high in pairs)
    return (
        f"Here the share is {truth:.0%} all the time: the dashed interval leaves it out at {once} of {len(table)} looks, the "
        f"band at {every}. Other draws show others."
    )
