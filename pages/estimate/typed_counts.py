"""Counts that the user types: of a test, in the forms in which people have them, and of labels; and which are an example's."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np
import streamlit as st

from pages.estimate.settings import CELLS, PRESETS, RATES, SETTINGS
from pages.frame.presets import says_of_settings
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import enumerated
from pages.work.refusals import show_invalid_input
from qcore import Counts, InvalidInput
from qcore.intervals import rate_from_text

EXAMPLE = "Example: "
"""What the headline begins with where all numbers are an example's."""
_STILL_EXAMPLES = "The counts are an example's. Type your own."
_Kept = TypeVar("_Kept")


def typed_numbers(rows: Sequence[tuple[str, str]], width: int) -> list[int]:
    """The numbers in pairs of boxes, each pair `width` pixels wide; `rows` has the names of their settings."""
    numbers: list[int] = []
    with st.container(horizontal=True, gap="medium"):
        for row in rows:
            with st.container(width=width, horizontal=True, gap="small", vertical_alignment="bottom"):
                numbers += [control.number(SETTINGS[key]) for key in row]
    return numbers


def examples_part(rows: Sequence[tuple[str, str]], numbers: Sequence[int]) -> str:
    """What a headline begins with where pairs of typed numbers are still an example's; empty if all are the user's own."""
    examples = [{key: SETTINGS[key].default for row in rows for key in row} | dict(preset.settings) for preset in PRESETS]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    kept = [
        f"{part:,} of {whole:,}"
        for (first, second), (part, whole) in zip(rows, pairs, strict=True)
        if any((example[first], example[second]) == (part, whole) for example in examples)
    ]
    if len(kept) == len(rows):
        return EXAMPLE
    return f"With an example's {enumerated(kept)}: " if kept else ""


def say_of_examples_part(part: str) -> None:
    """Say in place of `OWN_SETTINGS` that typed numbers are still those of an example, if `examples_part` found some."""
    if part:
        says_of_settings(_STILL_EXAMPLES if part == EXAMPLE else f"{part}these numbers are not yours. Type your own.")


def larger_than_allowed(limits: Iterable[tuple[str, int, int, str]]) -> InvalidInput | None:
    """What is wrong with the first (name, count, most, of what) whose count is above `most`; None if none is."""
    for name, count, most, group in limits:
        if count > most:
            return InvalidInput(name, f"be at most {most:,}, the number of {group}", f"{count:,}", "Check the two numbers.")
    return None


def counts_that_fit(place: str, contradiction: InvalidInput | None, make: Callable[[], _Kept]) -> _Kept:
    """What `make` makes of the typed counts; while they contradict each other, what it made last, with a sentence.

    It is kept in the session under `place`. Raises the contradiction if nothing was made before.
    """
    if contradiction is None:
        st.session_state[place] = make()
    elif place not in st.session_state:
        raise contradiction
    else:
        show_invalid_input(contradiction)
        st.caption("The picture still shows the last counts that did not contradict each other.")
    kept: _Kept = st.session_state[place]
    return kept


_SAMPLE = (("count_x", "count_m"),)
_LABELS = (("count_tp", "count_pos"), ("count_fp", "count_neg"))
_FOUR_CELLS = (("count_tp", "count_fn"), ("count_fp", "count_tn"))
_SECOND = (("second_x", "second_m"),)
_OF_SAMPLE = ("predicted_positives", "sample_size")
_LAST = "counts that fit"
"""Where a session keeps the last counts without a contradiction."""
BOTH = ("the first sample", "the second")
"""What two samples are called."""


def typed_counts() -> tuple[Counts, bool, str]:
    """Draw the boxes of the counts; returns (counts, whether the typed ones contradict each other, what is an example's).

    The counts are those of one sample, or, (2,), of two. While they contradict each other, they are the last ones that did not,
    and a sentence says so. Raises InvalidInput if there were none before.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        form = control.segments(SETTINGS["rates_as"])
        compares = control.toggle(SETTINGS["second_sample"])
    typed = typed_numbers((*_SAMPLE, *_SECOND) if compares else _SAMPLE, 460)
    sample, second = typed[:2], typed[2:]
    make, wrong = _rates_typed(form, sample)
    wrong = wrong or _of_sample(sample) or (_of_sample(second) if compares else None)

    def both() -> Counts:
        counts = make()
        if not compares:
            return counts
        return replace(
            counts, **{name: np.array(pair) for name, pair in zip(_OF_SAMPLE, zip(sample, second, strict=True), strict=True)}
        )

    counts = counts_that_fit(f"{_LAST} {compares}", wrong, both)
    part = examples_part(
        (*_SAMPLE, *_LABELS), [int(np.ravel(getattr(counts, name))[0]) for name in Counts.__dataclass_fields__]
    )
    say_of_examples_part(part)
    return counts, wrong is not None, part


def _rates_typed(form: str, sample: list[int]) -> tuple[Callable[[], Counts], InvalidInput | None]:
    """Draw the boxes of tpr and fpr; returns (what makes the counts, what is wrong with the typed ones)."""
    if form == RATES:
        with st.container(horizontal=True, gap="medium"):
            sensitivity, specificity = (control.typed_text(SETTINGS[key], width=280) for key in ("sensitivity", "specificity"))
        make: Callable[[], Counts] = partial(Counts.from_rates, sample[0], sample[1], sensitivity, specificity)
    elif form == CELLS:
        tp, fn, fp, tn = typed_numbers(_FOUR_CELLS, 460)
        make = partial(Counts.from_confusion, *sample, tp=tp, fn=fn, fp=fp, tn=tn)
    else:
        numbers = typed_numbers(_LABELS, 460)
        limits = (
            ("true positives", numbers[0], numbers[1], "labelled positives"),
            ("false positives", numbers[2], numbers[3], "labelled negatives"),
        )
        return partial(Counts, *sample, *numbers), larger_than_allowed(limits)
    if _of_sample(sample) is not None:
        return make, None
    try:
        make()
    except InvalidInput as error:
        return make, error
    return make, None


def stated_rates() -> str:
    """Sensitivity and specificity as they were typed, for a report, where they are published or known and nobody counted them.

    Empty where both were counted.
    """
    if current(SETTINGS["rates_as"]) != RATES:
        return ""
    typed = [str(current(SETTINGS[key])).strip() for key in ("sensitivity", "specificity")]
    try:
        kinds = {rate_from_text(text).kind for text in typed}
    except InvalidInput:
        return ""
    return "" if kinds == {"counted"} else f"a sensitivity of {typed[0]} and a specificity of {typed[1]}"


def _of_sample(pair: list[int]) -> InvalidInput | None:
    return larger_than_allowed([("predicted positives", pair[0], pair[1], "instances of the sample")])
