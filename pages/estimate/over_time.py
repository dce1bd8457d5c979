"""A share over time: the tab, its figure, its sentences."""

from functools import cache

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, POSITIVES, SERIES, Figure, as_written, figure, tinted
from pages.charts.traces import axis, line, markers, vertical_mark
from pages.estimate.computations import batches_of_file
from pages.estimate.downloads import as_json_of, over_time_source, versions_today
from pages.estimate.findings import left_out_line
from pages.estimate.settings import COUNTS, LABELLED_PART, OWN, SETTINGS
from pages.frame.layout import narrow_row
from pages.frame.page_frame import PageParts, headline
from pages.frame.presets import OWN_DATA, OWN_SETTINGS, says_of_settings, shows_own_data
from pages.frame.recording import record
from pages.frame.sampling_controls import seed_popover
from pages.frame.share import download_buttons
from pages.frame.texts import draw_sentences, texts_of
from pages.own_data.table_choices import say_how_it_was_read
from pages.own_data.uploaded_tables import UploadedFile, file_place, kept_file, uploaded_frame
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import capitalised, counted, named_class, percentages
from pages.work.refusals import shown_in_menu
from qcore.datasets.headers import sentences_on_reading
from qcore.watching import (
    Batches,
    MeasuredRates,
    WatchedShare,
    batches_until_seen,
    looks_that_miss,
    simulated_batches,
    typed_batches,
    watch_share,
)

EVERY, ONCE = "holds at every look", "of a single look"
_HOVER = "%{customdata}: %{y:.1%}"


def over_time_figure(result: WatchedShare, truth: pd.Series | None, positive: str) -> Figure:
    """The share of each batch as points, that of all so far as a line, both intervals; `truth` is that of an example."""
    table, places = result.table, list(range(1, len(result.table) + 1))
    names = [str(name) for name in table.batch]
    of_a_batch = "batch" if result.rates is None else "batch, as predicted"
    around = {"x": [*places, *places[::-1]], "y": [*table.high, *table.low[::-1]]}
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": EVERY,
            **around,
            "fill": "toself",
            "line": {"width": 0, "color": SERIES[0]},
            "fillcolor": tinted(SERIES[0], 0.25),
            "hoverinfo": "skip",
        },
        line(f"{ONCE}, low", places, table.once_low, colour=SERIES[1], dash="dash", width=1.5, showlegend=False),
        line(ONCE, places, table.once_high, colour=SERIES[1], dash="dash", width=1.5),
        markers(of_a_batch, places, table.share, colour=NEUTRAL, size=5, customdata=names, hover=_HOVER),
        line("all so far", places, table.so_far, colour=SERIES[0], width=2.5, customdata=names, hover=_HOVER),
    ]
    if truth is not None:
        traces.append(line("truth", places, truth, colour=NEUTRAL, dash="dot", width=1.5))
    seen = [place for place, moved in zip(places, table.moved, strict=True) if moved][:1]
    most = max(float(table.high.max()), float(table.share.max()))
    least = min(float(table.low.min()), float(table.share.min()))
    return figure(
        traces,
        title=f"What share is {as_written(positive)}, batch by batch?{'' if truth is None else ' (simulated)'}",
        height=400,
        hovermode="closest",
        xaxis=axis("batch", (0.5, len(places) + 0.5), **_ticks(names)),
        yaxis=axis("share", (max(least - 0.02, -0.01), min(most + 0.02, 1.01)), tickformat=".0%"),
        shapes=[
            vertical_mark(result.baseline + 0.5),
            *(vertical_mark(at, line={"color": POSITIVES, "width": 2}) for at in seen),
        ],
        annotations=[_note(result.baseline + 0.5, "baseline ends"), *(_note(at, "moved") for at in seen)],
    )


def _ticks(names: list[str]) -> dict[str, list[object]]:
    """At most eight names of batches below the axis."""
    step = -(-len(names) // 8)
    return {"tickvals": list(range(1, len(names) + 1, step)), "ticktext": list(names[::step])}


def _note(x: float, text: str) -> dict[str, object]:
    return {"x": x, "y": 1, "yref": "paper", "text": text, "showarrow": False, "xanchor": "left", "yanchor": "top", "xshift": 4}


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
        f"**The band holds at every look**: a share that stays is ever missed with a probability of at most "
        f"{1 - result.level:.0%}. The dashed interval is valid for one planned look; used at every look, it gives false alarms."
    ]
    if result.on_few_batches:
        notes.insert(
            0,
            f"**{result.on_few_batches}** By how much two batches differ, with an interval: "
            f"choose “{COUNTS}” and compare two samples; or “{OWN}”, with a column “{SETTINGS['by'].label}”.",
        )
    if truth is not None:
        notes.append(_missed(result, truth))
    of = "Shares are those of the predictions." if result.rates is None else "The alert compares counts, not corrected shares."
    notes += [] if result.rates is None else _labels(result)
    return [
        *notes,
        f"**Moved** means: the interval of {_first(result.baseline)} and that of all later ones do not overlap. Both are "
        f"{0.5 + result.level / 2:.1%} intervals that hold at every look. A small move takes many batches to be seen: without "
        "an alert, the share may still have moved.",
        f"{of} As long as the classes themselves are unchanged, a move is a move of the share. After an alert, label some of "
        f"the newest batch: see **{LABELLED_PART}**.",
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
        f"Here the share stays at {truth:.0%}: the dashed interval misses it at {once} of {len(table)} looks, the band at "
        f"{every}. Other draws give other numbers."
    )


TEXTS = texts_of("estimate")

PLACE = "batches"
"""The name under which the session keeps the file."""

_MOVES_AFTER = 25
_BY_NAME = "by its name"
_SIMULATED = (
    "These batches are simulated with the settings above, not read from a file. Open “Batches of your own” to watch a share of "
    "yours."
)
_FEW_BATCHES = 4
"""The baseline where there are no more batches than were chosen for it."""


def over_time(level: float, seed: int, parts: PageParts) -> WatchedShare:
    """Draw the controls and the answer; returns what is shown. Raises InvalidInput."""
    file = kept_file(PLACE)
    with parts.bar, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=200):
            baseline = int(control.number(SETTINGS["baseline"]))
        seed_popover()
        with st.popover("Batches of your own" if file is None else control.escaped(file.name), key="batches"), shown_in_menu():
            batches = _table(file) or _typed()
            rates = _rates() if batches is not None else None
        if batches is None:
            draw = _draw()
            says_of_settings(_SIMULATED)
        else:
            shows_own_data(OWN_SETTINGS if file is None else OWN_DATA)
            baseline = _of_few(baseline, len(batches.names))
            for note in batches.notes:
                st.caption(control.escaped(note))
            if not batches.in_time:
                st.warning("Batches keep the order of the table: their names are neither numbers nor dates.")
    truth = None
    if batches is None:
        with parts.bar:
            batches, truth = _example(seed, draw, baseline, level)
    result = watch_share(batches.positives, batches.sizes, batches=batches.names, baseline=baseline, rates=rates, level=level)
    _answer(result, truth, batches.positive, _data(file, truth), parts)
    if file is not None and (line := left_out_line(sentences_on_reading(uploaded_frame(file)))):
        with parts.headline:
            st.caption(control.escaped(line))
    return result


def _of_few(baseline: int, n_batches: int) -> int:
    """The baseline that was chosen, or a small one where there are no more batches than these; says so."""
    if n_batches > baseline or n_batches < 2:
        return baseline
    few = max(1, min(_FEW_BATCHES, n_batches // 2))
    # A baseline that grew with the number of batches would in the end include the move.
    batches = counted(n_batches, "batch", "batches")
    st.caption(f"There are only {batches}: later ones are compared with the first {few}. Set the box to {few} to keep that.")
    return few


def _draw() -> int:
    with st.container(width=140):
        return int(control.number(SETTINGS["sample_draw"]))


def _example(seed: int, draw: int, baseline: int, level: float) -> tuple[Batches, pd.Series]:
    """Draw the controls of the example; returns simulated batches and the true share of each."""
    columns = narrow_row("example of batches", 3)
    values = []
    for column, key in zip(columns, ("first_share", "later_share", "batch_size"), strict=True):
        with column:
            values.append(float(control.slider(SETTINGS[key])))
    shares, size = values[:2], int(values[2])
    drawn = {"size": size, "moves_after": _MOVES_AFTER, "seed": seed, "draw": draw}
    batches = simulated_batches((shares[0], shares[1]), **drawn)

    @cache
    def seen_after(later: float) -> float:
        return batches_until_seen((shares[0], later), baseline=baseline, level=level, **drawn)

    record("estimate", batches_until_seen=seen_after, first_share=shares[0])
    return batches, pd.Series([shares[int(number > _MOVES_AFTER)] for number in batches.names])


def _table(file: UploadedFile | None) -> Batches | None:
    """Draw the place of a file and the choice of its columns; returns its batches, None without a file."""
    st.markdown(TEXTS["over time"])
    file_place(PLACE, "own batches")
    if file is None:
        return None
    frame = uploaded_frame(file)
    say_how_it_was_read(frame)
    names = [_BY_NAME, *(str(name) for name in frame.columns)]
    batch, prediction = (
        st.selectbox(title, names, key=f"{title} {file.digest}")
        for title in ("Column of batches", "Column of predictions, one a row")
    )
    words = ["" if word == _BY_NAME else str(word) for word in (batch, prediction)]
    read = batches_of_file(file, words[0], words[1], "")
    if len(read.classes) < 2:
        return read
    of = st.selectbox(
        "Class whose share is estimated",
        read.classes,
        index=read.classes.index(read.positive),
        key=f"share of {file.digest} {words}",
    )
    return batches_of_file(file, words[0], words[1], str(of))


def _typed() -> Batches | None:
    """Draw the text box for batches; returns the typed batches, None if nothing is typed."""
    text = control.typed_text(SETTINGS["typed_batches"], placeholder="31/100 28/100 30/100")
    return typed_batches(text) if text.strip() else None


def _rates() -> MeasuredRates | None:
    """Draw the controls of the correction; returns the labels that it uses, None while they are not typed or not wanted."""
    if not control.toggle(SETTINGS["corrected_share"]):
        return None
    above = st.container()
    counts = [int(control.number(SETTINGS[key])) for key in ("own_tp", "own_pos", "own_fp", "own_neg")]
    typed = bool(counts[1] and counts[3])
    with above:
        st.caption("tpr and fpr are measured on instances that were labelled elsewhere, of which some are predicted positive.")
        if not typed:
            st.info("Not corrected yet: type the numbers of your labelled positives and negatives.")
    return MeasuredRates(*counts) if typed else None


def _data(file: UploadedFile | None, truth: pd.Series | None) -> str:
    if file is not None:
        return file.name
    return "typed" if truth is None else "simulated"


def _answer(result: WatchedShare, truth: pd.Series | None, positive: str, data: str, parts: PageParts) -> None:
    named = named_class(positive)
    with parts.hero:
        alt = "The share of each batch, of all so far, and two intervals: of a single look, and one that holds at every look."
        chart(over_time_figure(result, truth, named), key="over_time", alt=alt)
    with parts.headline:
        said = over_time_headline(result, control.escaped(named), control.escaped(str(result.moved_at)))
        headline(said if truth is None else simulated_headline(said))
    still = None if truth is None or truth.iloc[0] != truth.iloc[-1] else float(truth.iloc[0])
    with parts.notes:
        draw_sentences(over_time_notes(result, still))
        downloads = st.container(horizontal=True, gap="small")
    facts = {"data": data, "seed": str(current(SETTINGS["seed"])), "versions": versions_today()}
    parts.downloads.source = over_time_source(result)
    parts.downloads.csv("Batches as CSV", lambda: result.table, "batches")
    parts.downloads.file("Batches as JSON", lambda: as_json_of(result.to_dict(), facts), "batches.json", "application/json")
    with downloads:
        download_buttons(parts.downloads, "below the picture")
