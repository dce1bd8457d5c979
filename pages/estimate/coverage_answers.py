"""The caches of the section "Coverage" of "Estimate": simulated intervals."""

from __future__ import annotations

import pandas as pd

from pages.work.answers import shared
from pages.work.heavy import computed
from pages.work.job import Work
from qcore.intervals.analytic import Interval
from qcore.studies import interval_coverage
from qcore.studies.interval_coverage import CoverageSettings


def simulated_coverage(settings: CoverageSettings, seed: int) -> tuple[pd.DataFrame, dict[str, Interval]]:
    """Coverage of each method over 2,000 samples, and the first hundred intervals of each. Raises InvalidInput."""
    answer: tuple[pd.DataFrame, dict[str, Interval]] = computed(
        ("coverage", settings, seed),
        lambda: Work(interval_coverage.simulated_coverage, (settings, seed), tells=False),
        "Simulating intervals",
        1.5,
    )
    return answer


@shared
def coverage_along(along: str, settings: CoverageSettings, seed: int) -> pd.DataFrame:
    """Coverage and width over 2,000 samples at each prevalence, or at each size. Raises InvalidInput."""
    return interval_coverage.coverage_along(along, settings, seed)
