"""What "Estimate" says of an estimate, of the files and of what is left out, in sentences."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.settings.number_text import counted, digits, enumerated, percentage, percentages
from qcore.intervals import Counts, GoodnessOfFit
from qcore.intervals.analytic import VarianceShares, variance_shares, why_no_interval
from qcore.intervals.counts import KNOWN, reversed_rates
from qcore.intervals.few_labels import beyond_the_rates, hardly_labelled
from qcore.intervals.sample_estimate import in_words
from qcore.measures.probability import CalibrationCheck
from qcore.quantifiers import QUANTIFIERS
from qcore.recommender import SampleRecommendation

_MOST = 150
"""Characters of one line."""


def left_out_line(notes: Sequence[str]) -> str:
    """The notes on two files in one line, those on what was left out first; empty for none."""
    text = " ".join(sorted(notes, key=lambda note: "left out" not in note.lower()))
    if len(text) <= _MOST:
        return text
    return f"{text[:_MOST].rpartition(' ')[0]} ... (all of it below the picture)"


_TOO_FAR = 3.0
"""Standard errors by which the share of predicted positives may lie outside the rates."""
_OF_NO_USE = 0.5
"""Width of an interval above which no estimate is recommended."""
_NEARLY_ALL = 0.99
_WHY_AC = ", the safest interval"
_NARROWER = "How many do I need"
"""The section that says what makes an interval narrower."""


def spans_nearly_all(row: pd.Series) -> bool:
    """Whether the interval of an estimate is nearly [0, 1]."""
    return _width(row) > _NEARLY_ALL


def is_too_wide(row: pd.Series) -> bool:
    """Whether the interval of an estimate is so wide that the estimate is not recommended."""
    return _width(row) > _OF_NO_USE


def _width(row: pd.Series) -> float:
    return float(row.high - row.low)


def _ends(row: pd.Series) -> str:
    return " to ".join(percentages(row.estimate, row.low, row.high)[1:])


def estimate_headline(row: pd.Series, positive: str, level: float) -> str:
    """The estimate of one method with its interval, in one sentence."""
    if why_no_interval(str(row.get("interval", ""))):
        return f"{row.estimate:.1%} are {positive}, by {_method(row)}, but how far that may be off is unknown."
    if spans_nearly_all(row):
        return f"Nothing is known of the share of {_counted(positive)}: the interval reaches from 0% to 100%."
    share, low, high = percentages(row.estimate, row.low, row.high)
    return f"{share} are {positive} ({level:.0%} interval: {low} to {high}), by {_method(row)}."


def verdict(table: pd.DataFrame, main: pd.Series, unreliable: Sequence[str], error: float) -> str:
    """Which estimate to take, and why not the others; empty if there is only one of use.

    `unreliable` are the methods that need calibrated scores, and `error` by how much the scores are off.
    """
    if main.method in unreliable:
        return f"Take none: {_need(unreliable)} calibrated scores; these are off by {digits(error)}. Choose AC."
    if is_too_wide(main):
        return f"Take none yet: the interval of {main.method}, {_ends(main)}, is too wide; see “{_NARROWER}”."
    # Where the share has moved, the others are off: that they disagree says nothing.
    corrected = table.method.map(lambda method: QUANTIFIERS[method].corrects)
    others = table[(table.method != main.method) & ~table.method.isin(unreliable) & corrected]
    apart = others[(others.low > main.high) | (others.high < main.low)]
    take = f"Take {main.method}"
    text = []
    if len(apart):
        found = " and ".join(f"{row.method} ({_ends(row)})" for _, row in apart.head(2).iterrows())
        text.append(f"{take}, with care: {found} disagree{'s' if len(apart) == 1 else ''} by more than chance explains.")
    if unreliable:
        text.append(
            f"{'' if text else f'{take}. '}{_need(unreliable)} calibrated scores; the scores here are off by {digits(error)}."
        )
    if not text and len(others):
        off = table[~corrected & ((table.low > main.high) | (table.high < main.low))].method.tolist()
        not_corrected = f"; {enumerated(off)} {'is' if len(off) == 1 else 'are'} not corrected" if off else ""
        why, within = (_WHY_AC, "") if main.method == "AC" else ("", " within their intervals")
        text.append(f"{take}{why}; the other{'s' if corrected.all() else ' corrections'} agree{within}{not_corrected}.")
    return " ".join(text)


def _need(methods: Sequence[str]) -> str:
    return f"{', '.join(methods)} (grey) {'needs' if len(methods) == 1 else 'need'}"


def warning(counts: Counts, fit: GoodnessOfFit | None) -> str:
    """A sentence on why no estimate can be trusted; empty if there is no reason against it."""
    if swapped := reversed_rates(counts):
        return swapped
    if beyond_the_rates(counts) > _TOO_FAR:
        count, low, high = (percentage(float(share)) for share in (counts.count, counts.fpr, counts.tpr))
        return (
            f"No prevalence explains these counts: {count} are predicted to be positive; with these rates it is {low} to "
            f"{high}. So these rates do not hold in this sample."
        )
    if fit is not None and fit.rejects:
        return "Not to be trusted: no mixture of the two labelled classes explains this sample."
    return ""


def _labels(number: int, of: str) -> str:
    """On how many labels a rate was measured."""
    return "known exactly" if number >= KNOWN else f"on {counted(number, of)}"


def rates_sentence(counts: Counts) -> str:
    """Whether tpr and fpr are known well enough."""
    tpr, fpr = float(counts.tpr), float(counts.fpr)
    errors = [float(np.sqrt(variance)) for _, variance in counts.smoothed_rates]
    sizes = _labels(int(counts.positives), "positive"), _labels(int(counts.negatives), "negative")
    measured = ", ".join(
        f"{rate} {value:.3f} ± {error:.3f} {size}"
        for rate, value, error, size in zip(("tpr", "fpr"), (tpr, fpr), errors, sizes, strict=True)
    )
    if tpr <= fpr:
        return f"**The rates are of no use.** {measured}. As the tpr is not above the fpr, the count cannot be corrected."
    factor, parts = 1.0 / (tpr - fpr), variance_shares(counts)
    spread = factor * max(errors)
    if hardly_labelled(counts) or spread >= 0.15:
        verdict = "hardly"
    elif spread >= 0.05:
        verdict = "roughly"
    else:
        verdict = "less well than the count" if parts.of_tpr + parts.of_fpr > parts.of_count else "yes"
    return (
        f"**Are the rates known? {verdict.capitalize()}.** {measured}. Each error in the count is multiplied by {factor:.1f}. "
        f"{_variance_sentence(parts)}"
    ).strip()


_HELPS = {"the count": "a larger sample", "the tpr": "more labelled positives", "the fpr": "more labelled negatives"}
"""Source of variance -> what reduces it."""


def _variance_sentence(parts: VarianceShares) -> str:
    """From where the variance of the adjusted count comes, and what would reduce it most; empty if that is not known."""
    if np.isnan(parts.of_count):
        return ""
    first, second, third = sorted(zip(parts, _HELPS, strict=True), reverse=True)
    shares = [
        f"{percentage(share)} {'comes ' if not at else ''}from {name}"
        for at, (share, name) in enumerate((first, second, third))
    ]
    return f"Of AC's variance, {enumerated(shares)}. {_HELPS[first[1]].capitalize()} would help most."


def mixture_sentence(fit: GoodnessOfFit | None) -> str:
    """Whether a mixture of the two classes explains the sample, and where that is not sure."""
    if fit is None:
        return (
            "**Does a mixture of the two classes explain the sample? Unknown**: fewer than 20 instances are too few to tell. "
            "They are also too few to measure how estimates scatter, so only the formula of AC gives an interval."
        )
    return f"{_mixture_verdict(fit)} {fit.caution}".strip()


def _mixture_verdict(fit: GoodnessOfFit) -> str:
    if fit.explains:
        return (
            f"**Does a mixture of the two classes explain the sample? Yes** (p-value {fit.p_value:.2f}). Every estimate here "
            "assumes that."
        )
    if not fit.rejects:
        return (
            f"**Does a mixture of the two classes explain the sample? Hardly** (p-value {fit.p_value:.3f}). Where the "
            "assumption holds, one sample in twenty looks as odd, and more where few instances are labelled. Draw or collect "
            "another sample before you rely on this one."
        )
    return (
        f"**Does a mixture of the two classes explain the sample? No** (p-value {fit.p_value:.3f}). The classes themselves "
        "have changed, or a column means something else. No estimate here is to be trusted, whatever its interval says."
    )


def outside_sentence(outside: float, columns: Sequence[str] = ()) -> str:
    """Whether the sample is within what training saw, and in which columns it is not."""
    question = "**Is the sample within the range of the labelled data?"
    if outside < 0.05:
        return f"{question} Yes**: {percentage(1.0 - outside)} of it is. Inside that range it may still be unlike them."
    where = f", mostly in {', '.join(columns)}" if columns else ""
    answer = "No" if outside > 0.95 else "Not all"
    return f"{question} {answer}**: {percentage(outside)} of the sample lacks a value or has one outside their range{where}."


def classifier_sentence(table: pd.DataFrame, fit: GoodnessOfFit | None, calibration: CalibrationCheck | None) -> str:
    """How often the classifier is right on the sample, if that can be said; the table of `classifier_on_sample`."""
    question = "**How good is the classifier here?"
    if fit is not None and fit.rejects:
        return f"{question} Unknown**: no mixture of the classes explains this sample, so its posteriors say nothing."
    if calibration is not None and calibration.rejects:
        return f"{question} Unknown**: its scores are not probabilities. On the labelled data: {in_words(table, 'labelled')}."
    return (
        f"{question}** About {in_words(table, 'adjusted')}, by scores adjusted to the estimate of EMQ. On the labelled data "
        f"it is {in_words(table, 'labelled')}."
    )


_CALM = ("? Yes", "? Roughly", "? Less well", "classifier here?**")
"""What a check says that raises no doubt."""


def checks_in_short(checks: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns (what to say at once, the rest): a check that raises a doubt as a whole, of the others their verdicts alone."""
    calm = [check for check in checks if any(said in check for said in _CALM)]
    verdicts = [check.split("**")[1].rstrip(".").replace("? ", "? **") + "**" for check in calm if "?**" not in check]
    short = [" · ".join(verdicts)] if verdicts else []
    return [*(check for check in checks if check not in calm), *short], calm


def report_sentence(row: pd.Series, counts: Counts, positive: str, level: float, rates: str = "") -> str:
    """The estimate with its method, interval and assumption in sentences for a report.

    `rates` : the test's rates in words, where nobody has counted them here.
    """
    size, positives, negatives = (int(number) for number in (counts.sample_size, counts.positives, counts.negatives))
    labels = f"{counted(positives, 'labelled positive')} and {counted(negatives, 'negative')}"
    measured = f"tpr {float(counts.tpr):.3f} and fpr {float(counts.fpr):.3f}, measured on {labels}"
    estimate, low, high = percentages(row.estimate, row.low, row.high)
    return (
        f"The share of {_counted(positive)} among {counted(size, 'instance')} is estimated at {estimate} "
        f"({level:.0%} interval {low} to {high}). Method: {_method(row)}, interval by {row.interval}. Rates: "
        f"{rates or measured}. It assumes that the classes are as in the labelled data and only their shares have changed."
    )


def _counted(positive: str) -> str:
    return "positives" if positive == "positive" else positive


def _method(row: pd.Series) -> str:
    """The quantifier of a row: for counts, every row is AC with another interval."""
    return "AC" if row.method == row.interval else str(row.method)


def comparison_sentences(found: SampleRecommendation, taken: str) -> list[str]:
    """Which quantifier errs least on similar samples, what the recommender's trees choose, and what the headline takes.

    `taken`: the method that the headline takes, the one recommendation of the page; empty if it takes none.
    """
    table = found.table
    best = table.iloc[int(table.error.argmin())]
    rest = table[table.candidate != best.candidate]
    ahead = rest.iloc[int(rest.error.argmin())]
    errors = dict(zip(table.candidate, table.error, strict=True))
    others = [taken] if errors.get(taken, best.error) > max(best.error, ahead.error) else []
    beside = enumerated([f"that of {name} {digits(errors[name])}" for name in (ahead.candidate, *others)])
    text = [
        _recommended(taken, str(best.candidate)),
        f"On {found.n_similar:,} samples of {found.size:,} labelled instances with about {found.prevalence:.0%} positives, "
        f"the mean AE of **{best.candidate}** was lowest. It was {digits(best.error)}, {beside}.",
        f"The recommender looks at this sample itself: {_votes(table)}.",
    ]
    if float(np.ptp(table.error)) < 0.01:
        text.append("The mean AE of all candidates differs by less than 0.01: here the choice hardly matters.")
    return text


def _recommended(taken: str, best: str) -> str:
    """What this page recommends, and why the quantifier that errs least may be another one."""
    if not taken:
        return (
            "**Above, no estimate is recommended.** This section does not change that: it compares errors on samples in which "
            "only the shares differ."
        )
    if taken == best:
        return f"**{taken} is recommended above**, and errs least on such samples, too."
    why = " because its interval also holds with few labels and rare positives" if taken == "AC" else ""
    if QUANTIFIERS[best].corrects:
        other = f"If you need many estimates and no intervals, you err less with {best}"
    else:
        other = f"{best} corrects nothing, and errs least only because its bias is small near this share"
    return f"**{taken} is recommended above**{why}. This section compares errors alone, near the estimated share. {other}."


def _votes(table: pd.DataFrame) -> str:
    first, second = table.iloc[0], table.iloc[1]
    return f"{first.votes:.0%} of its trees vote for {first.candidate}, {second.votes:.0%} for {second.candidate}"


def split_sentence(positives: int, negatives: int, width: float, now: float) -> str:
    """Which labels would help most, or that none do."""
    if now - width < 0.005:
        return f"The interval is about {100.0 * now:.0f} points wide. More labels hardly help; a larger sample does."
    return (
        f"The interval is about {100.0 * now:.0f} points wide. Of the next {positives + negatives} labels, {positives} "
        f"positives and {negatives} negatives would help most: then {100.0 * width:.0f} points. A larger sample helps only as "
        "far as the rates are known."
    )
