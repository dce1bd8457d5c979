"""What quantifiers say of drawn samples, of one size or of many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import progress
from pages.parts.cached.scoring import fitted
from qcore import ArtificialPrevalence, Estimates, Scores, ScoringSettings, estimate, reuse, size_effects
from qcore.protocols import SizeGrid
from qcore.quantifiers import Quantifier
from qcore.sampling import Samples
from qcore.size_effects import Cells
from qcore.validation import FloatArray, IntArray


@st.cache_resource(show_spinner=False, max_entries=4, hash_funcs=SETTINGS_KEYS)
def _samples(data: str, settings: ScoringSettings, protocol: ArtificialPrevalence, _scores: Scores) -> Samples:
    return protocol.draw(_scores.pool_labels, np.random.default_rng(settings.seed))


@st.cache_resource(show_spinner=False, max_entries=40, hash_funcs=SETTINGS_KEYS)
def _estimates(data: str, settings: ScoringSettings, protocol: ArtificialPrevalence) -> dict[str, FloatArray]:
    """A shelf for the estimates of each method on these samples: empty until they are there."""
    return {}


def estimates(
    data: str, settings: ScoringSettings, protocol: ArtificialPrevalence, methods: Sequence[str], scored: Scores
) -> Estimates:
    """Estimates of the methods on the protocol's samples; a method more computes that one.

    A control of the sidebar that moves stops the work between two blocks; the page's own controls wait for its end, since
    Streamlit queues what a fragment asks for. `scored` is what `scores(data, settings)` gave: data and settings are its key.
    """
    drawn = _samples(data, settings, protocol, scored)
    done = _estimates(data, settings, protocol)
    missing = _missing(data, settings, methods, done, scored)
    with progress() as show:

        def told(share: float) -> None:
            show(share, f"Estimating: {share:.0%} of {len(drawn):,} samples done")

        done |= _answers(missing, scored, drawn, told)
    return Estimates(drawn, {method: done[method] for method in methods})


@st.cache_resource(show_spinner=False, max_entries=150, hash_funcs=SETTINGS_KEYS)
def _size_estimates(data: str, settings: ScoringSettings, one_size: SizeGrid) -> dict[str, FloatArray]:
    """A shelf for the estimates of each method on the samples of one size: empty until they are there."""
    return {}


def size_estimates(
    data: str, settings: ScoringSettings, grid: SizeGrid, methods: Sequence[str], scored: Scores
) -> list[Estimates]:
    """Estimates of the methods on the samples of each size of the grid, with progress.

    A control outside fragments that moves stops the work after a block; sizes that are done stay on their shelf. Raises
    PoolTooSmall for a size that does not fit. Samples are drawn anew when they are asked for, not kept.
    """
    found: list[Estimates] = []
    whole = len(grid)
    with progress() as show:
        for size in grid.sizes:
            one_size = grid.only(size)
            before = len(found) * len(one_size)
            done = _size_estimates(data, settings, one_size)
            missing = _missing(data, settings, methods, done, scored)

            def told(share: float, before: int = before, own: int = len(one_size), size: int = size) -> None:
                share = (before + share * own) / whole
                show(share, f"Estimating: {share:.0%} of {whole:,} samples done, now those of {size}")

            if missing:
                told(0.0)
                done |= _answers(missing, scored, _drawn(grid, size, settings.seed, scored), told)
            found.append(Estimates(_drawn(grid, size, settings.seed, scored), {method: done[method] for method in methods}))
    return found


def _drawn(grid: SizeGrid, size: int, seed: int, scored: Scores) -> Samples:
    return grid.draw_at(size, scored.pool_labels, np.random.default_rng(seed))


def _missing(
    data: str, settings: ScoringSettings, methods: Sequence[str], done: Mapping[str, FloatArray], scored: Scores
) -> dict[str, Quantifier]:
    return fitted(data, settings, [method for method in methods if method not in done], scored)


def _answers(
    missing: Mapping[str, Quantifier], scored: Scores, drawn: Samples, on_progress: Callable[[float], None]
) -> dict[str, FloatArray]:
    """What the missing methods say of the samples, for a shelf."""
    if not missing:
        return {}
    answers = dict(estimate(missing, scored.pool_scores, drawn, on_progress).by_method)
    for values in answers.values():
        values.setflags(write=False)
    return answers


@st.cache_resource(show_spinner=False, max_entries=8, hash_funcs=SETTINGS_KEYS)
def cells(
    data: str,
    settings: ScoringSettings,
    grid: SizeGrid,
    methods: tuple[str, ...],
    loss: str,
    _estimates: Sequence[Estimates],
) -> Cells:
    """Losses by size and prevalence; `_estimates` of `size_estimates`."""
    return size_effects.cells(_estimates, loss)


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def draws(data: str, settings: ScoringSettings, grid: SizeGrid, _scored: Scores) -> tuple[IntArray, pd.DataFrame]:
    """(how often each instance of the pool is drawn, what samples of each size share)."""
    samples = [_drawn(grid, size, settings.seed, _scored) for size in grid.sizes]
    return reuse.draws(samples), reuse.sharing(samples)
