"""Sentences on a share that is watched: what is known, whether it has moved, what an ordinary interval would have said."""

from pages.settings.number_text import capitalised, counted, percentages
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
    if result.swapped:
        return f"In {counted(n_batches, 'batch', 'batches')} no move was seen, but the share is unknown: {result.swapped}"
    share, least, most = percentages(last.so_far, last.low, last.high)
    return (
        f"In {counted(n_batches, 'batch', 'batches')} no move was seen: of all together {share} are {positive}, {least} to "
        f"{most} at every look."
    )


def simulated_headline(headline: str) -> str:
    """The headline of simulated batches, which says so first."""
    return f"Simulated batches. {headline}"


def _first(n_batches: int) -> str:
    return "the first batch" if n_batches == 1 else f"the first {n_batches} batches"


def _ends(low: float, high: float) -> str:
    return " to ".join(percentages((low + high) / 2.0, low, high)[1:])


def over_time_notes(result: WatchedShare, truth: float | None) -> list[str]:
    """What each interval is for; with a `truth` that has not moved, at how many looks each of them leaves it out."""
    notes = [
        "**The band holds at every look**: if the share does not move, the probability that the band ever misses it is at "
        f"most {1 - result.level:.0%}. The dashed interval is valid for a single planned look; used at every look, it gives "
        "false alarms."
    ]
    if truth is not None:
        notes.append(_missed(result, truth))
    of = "Shares are those of the predictions." if result.rates is None else "The alert compares counts, not corrected shares."
    notes += [] if result.rates is None else _labels(result)
    return [
        *notes,
        f"**Moved** means: the interval of {_first(result.baseline)} and that of all later ones do not overlap. Both are "
        f"{0.5 + result.level / 2:.1%} intervals that hold at every look. A small move takes many batches to be seen: without "
        "an alert, the share may still have moved.",
        f"{of} As long as the classes themselves are unchanged, the classifier's tpr and fpr are, too, and a move is a move "
        "of the share. After an alert, label some of the newest batch: see **a sample labelled in part**.",
    ]


def _labels(result: WatchedShare) -> list[str]:
    """How much of the variance is due to the few labels, and whether to label anew; why not, for rates the wrong way round."""
    if result.swapped:
        return [f"**Not corrected**: {result.swapped}"]
    rates = result.counts
    measured = f"tpr {float(rates.tpr):.2f} and fpr {float(rates.fpr):.2f}"
    part = f"**Corrected** with {measured}: {result.share_of_labels:.0%} of the last estimate's variance comes from the labels"
    if result.label_anew:
        return [f"{part}. **Label new instances**: more batches would tell little, or tpr and fpr no longer hold."]
    return [f"{part}; more batches reduce the rest."]


def _missed(result: WatchedShare, truth: float) -> str:
    table = result.table
    pairs = (("once_low", "once_high"), ("low", "high"))
    once, every = (looks_that_miss(truth, table[low].to_numpy(), table[high].to_numpy()) for low, high in pairs)
    return (
        f"Here the share is {truth:.0%} all the time: the dashed interval leaves it out at {once} of {len(table)} looks, the "
        f"band at {every}. Other draws give other numbers."
    )
