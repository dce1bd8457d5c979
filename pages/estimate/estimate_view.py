"""The data that the page "Estimate" shows of a sample: estimates, checks of them, and the sentence for a report."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from pages.estimate.controls import EstimateRequest
from pages.estimate.findings import estimate_headline, is_too_wide, report_sentence, spans_nearly_all, verdict, warning
from pages.estimate.typed_counts import EXAMPLE
from pages.frame.sidebar import SidebarChoice
from pages.settings.number_text import counted, named_class
from qcore.intervals import DEFAULT_INTERVAL, SampleEstimate
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.scoring import SampleScores


@dataclass(frozen=True)
class EstimateView:
    """The shown data: the estimate, histograms of scores, (share outside training, columns in which it is outside), the truth.

    `remarks` are sentences on classes with few labels, and `notes_on_files`: what of the user's files is not used.
    """

    sidebar_choice: SidebarChoice
    request: EstimateRequest
    estimate: SampleEstimate
    histograms: pd.DataFrame | None = None
    scored: SampleScores | None = None
    outside: tuple[float, tuple[str, ...]] = (0.0, ())
    truth: float | None = None
    remarks: tuple[str, ...] = ()
    notes_on_files: tuple[str, ...] = ()

    @cached_property
    def main(self) -> pd.Series:
        """The row to take: AC, whose interval also holds with few labels, or the first that the scores allow."""
        chosen = self.estimate.table.method.isin(["AC", DEFAULT_INTERVAL])
        usable = ~self.estimate.table.method.isin(self.estimate.unreliable)
        rows = next(part for part in (chosen, usable, usable | ~usable) if part.any())
        return self.estimate.table[rows].iloc[0]

    @cached_property
    def caveat(self) -> str:
        """Why none of the estimates can be trusted; empty if there is no reason against them."""
        return warning(self.estimate.counts, self.estimate.fit) or (
            self._verdict if self.main.method in self.estimate.unreliable else ""
        )

    @cached_property
    def verdict(self) -> str:
        """Which estimate to take and why; empty for counts, where a caveat says more, and where nothing is known."""
        return "" if self.caveat or self._says_nothing or self.request.counts is not None else self._verdict

    @cached_property
    def _verdict(self) -> str:
        error = 0.0 if self.estimate.calibration is None else self.estimate.calibration.error
        return verdict(self.estimate.table, self.main, self.estimate.unreliable, error)

    @property
    def _says_nothing(self) -> bool:
        """Whether the sample is too small to be redrawn, or the interval is nearly [0, 1]."""
        return bool(int(self.estimate.counts.sample_size) < FEWEST_INSTANCES or spans_nearly_all(self.main))

    @property
    def take(self) -> str:
        """The method whose estimate is recommended; empty where none is to be trusted, or the interval is too wide."""
        return "" if self.caveat or is_too_wide(self.main) else str(self.main.method)

    @cached_property
    def sentence(self) -> str:
        """The estimate in one sentence, which begins with what is an example's or simulated."""
        return f"{self.request.example}{estimate_headline(self.main, self.positive, self.request.level)}"

    @cached_property
    def for_a_report(self) -> str:
        """A sentence for a report; empty if the estimate can't be trusted, says nothing, or is in part an example's."""
        if self.caveat or spans_nearly_all(self.main) or self.request.example not in ("", EXAMPLE):
            return ""
        return report_sentence(self.main, self.estimate.counts, self.positive, self.request.level, self.request.stated_rates)

    @property
    def counted_and_how(self) -> str:
        """The sample, its size and the level of the intervals, for a picture that stands alone."""
        rows = self.estimate.counts.sample_size if self.request.own is None else len(self.request.own.frame)
        size = counted(int(rows), "instance")
        name = "" if self.request.counts is not None else self.sidebar_choice.data_name
        sample = self.request.own.name if self.request.own is not None else name and f"Drawn from {name}"
        weighted = f", weighted by {self.request.weights}" if self.request.weights else ""
        return f"{f'{sample}, ' if sample else ''}{size}{weighted}; {self.request.level:.0%} intervals"

    @property
    def positive(self) -> str:
        """The name of the positive class in sentences."""
        if self.request.counts is not None:
            return "positive"
        return named_class(self.sidebar_choice.positive)
