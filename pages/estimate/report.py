"""The downloads of "Estimate": its numbers as JSON, and a report that prints on one sheet."""

import json
import platform
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import cache
from html import escape
from importlib.metadata import version
from typing import Any, Final

import pandas as pd

from pages import pipeline
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import (
    classifier_sentence,
    mixture_sentence,
    outside_sentence,
    precise_sentence,
    rates_sentence,
)
from pages.estimate.settings import COUNTS, DRAWN
from pages.settings.number_text import percentages
from qcore import QUANTIFIERS
from qcore.intervals.analytic import why_no_interval

_PACKAGES: Final = ("numpy", "scipy", "scikit-learn", "pandas", "streamlit")
_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
@page {{ size: A4; margin: 18mm; }}
body {{ font: 10.5pt/1.4 system-ui, sans-serif; color: #111; background: #fff; max-width: 174mm; margin: 0 auto; }}
h1 {{ font-size: 15pt; margin: 0 0 2mm; }} h2 {{ font-size: 11pt; margin: 4mm 0 1mm; }} p {{ margin: 0 0 2mm; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: 0.6mm 4mm 0.6mm 0; border-bottom: 0.2mm solid #bbb; vertical-align: top; }}
li {{ margin-bottom: 1mm; }} ul {{ margin: 0; padding-left: 5mm; }} svg {{ width: 100%; height: auto; }}
</style></head><body>
<h1>{title}</h1><p><b>{headline}</b></p>
{picture}
<h2>Estimates</h2>{estimates}
<h2>Can they be trusted?</h2><ul>{checks}</ul>
<h2>What was done</h2>{facts}
<h2>For a text</h2><p>{sentence}</p>
</body></html>
"""
_ROW: Final = 22
_LEFT: Final = 130
_WIDE: Final = 500


def as_json_of(result: Mapping[str, Any], facts: Mapping[str, str]) -> str:
    """The numbers of `result` as JSON, with the facts of how they came about."""
    return json.dumps({**result, "made_of": dict(facts)}, indent=2)


def as_json(shown: EstimateView, facts: Mapping[str, str]) -> str:
    """The numbers that `python -m qcore estimate --json` prints, as JSON, with the facts of how they came about."""
    positive = shown.positive if shown.request.way == COUNTS else shown.sidebar_choice.positive
    return json.dumps(
        {**shown.estimate.to_dict(positive), "warning": shown.caveat, "made_of": dict(facts), "truth": shown.truth},
        indent=2,
    )


def report(shown: EstimateView, facts: Mapping[str, str]) -> str:
    """The whole estimate as one HTML page, which loads no files and prints on one sheet."""
    level = shown.request.level
    checks = [*(remark for remark in shown.remarks if remark != shown.caveat), rates_sentence(shown.counts)]
    if shown.request.counts is None:
        checks += [*filter(None, [shown.verdict]), mixture_sentence(shown.fit), outside_sentence(*shown.outside)]
    if shown.classifier is not None:
        checks.append(classifier_sentence(shown.classifier, shown.fit, shown.calibration))
    if (precise := shown.estimate.precise) is not None:
        checks.append(precise_sentence(precise, level))
    heading = " ".join(filter(None, (shown.caveat, shown.sentence)))
    title, sentence = f"What share is {shown.positive}?", shown.for_a_report or "There is no estimate to report: see above."
    return page_of(
        title=title, heading=heading, table=shown.table, level=level, checks=checks, facts=facts, sentence=sentence,
        grey=shown.unreliable,
    )  # fmt: skip


def page_of(
    *,
    title: str,
    heading: str,
    table: pd.DataFrame,
    level: float,
    checks: Sequence[str],
    facts: Mapping[str, str],
    sentence: str,
    grey: Collection[str] = (),
) -> str:
    """A page of estimates: columns method, estimate, low, high, interval; `grey` are the methods that are not to be taken."""
    columns = ["method", "interval", "estimate", "low", "high"]
    rows = [
        [_named(method, grey), estimate, *_interval_and_kind(f"{low} to {high}", kind)]
        for method, kind, *shares in table[columns].to_numpy().tolist()
        for estimate, low, high in [percentages(*shares)]
    ]
    return _PAGE.format(
        title=escape(title),
        headline=escape(heading),
        picture=_picture(table, grey),
        estimates=_table(["method", "estimate", f"{level:.0%} interval", "interval by"], rows),
        checks="".join(f"<li>{escape(check.replace('**', ''))}</li>" for check in checks),
        facts=_table([], [[name, value] for name, value in facts.items()]),
        sentence=escape(sentence),
    )


def _interval_and_kind(ends: str, kind: str) -> tuple[str, str]:
    """The ends of an interval and its kind; where it says nothing, that and the reason."""
    why = why_no_interval(kind)
    return ("no interval", why) if why else (ends, kind)


def _named(method: str, grey: Collection[str]) -> str:
    """A method by its key and its name, and whether it is not to be taken."""
    name = QUANTIFIERS[method].name if method in QUANTIFIERS else method
    return f"{method}{'' if name == method else f', {name}'}{' (not to be taken)' if method in grey else ''}"


def facts_of(shown: EstimateView) -> dict[str, str]:
    """Data, classifier, seed, assumption and versions; call it within the session, which alone knows an uploaded table."""
    request, choice = shown.request, shown.sidebar_choice
    versions = versions_today()
    facts = {
        "date": date.today().isoformat(),
        "assumption": "the classes are as they were labelled; only their shares may differ",
    }
    if request.way == COUNTS:
        return {"data": "counts that were typed", **facts, "versions": versions}
    name = choice.data_name
    labelled = f"{name}, {len(pipeline.dataset(choice.data).labels):,} instances, positive class {choice.positive}"
    sample = trained = ""
    if shown.scored is not None:
        n, share = len(shown.scored.training_labels), float(shown.scored.training_labels.mean())
        sample, trained = f"{len(shown.scored.sample):,} instances", f"{n:,} of these instances, {share:.1%} of them positive"
    if request.way == DRAWN:
        sample += f" drawn from the others (draw {request.draw})"
    elif request.own is not None:
        sample += f" of {request.own.name}"
    return {
        "labelled data": labelled,
        "classifier": "scores of its own" if choice.scores_given else choice.classifier,
        "tpr, fpr and scores from": trained,
        "sample": sample,
        **facts,
        "seed": str(choice.seed),
        "versions": versions,
    }


@cache
def versions_today() -> str:
    """Python and the packages that the numbers depend on."""
    return ", ".join([f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in _PACKAGES)])


def _table(head: list[str], rows: list[list[Any]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    titles = f"<tr>{''.join(f'<th>{escape(title)}</th>' for title in head)}</tr>" if head else ""
    return f"<table>{titles}{cells}</table>"


def _picture(table: pd.DataFrame, grey: Collection[str]) -> str:
    """Estimates and intervals as SVG."""
    rows, scale = list(table.itertuples()), lambda share: _LEFT + _WIDE * share
    base = _ROW * len(rows) + 10
    parts = []
    for number, row in enumerate(rows):
        y = 10 + _ROW * number + _ROW / 2
        colours = ("#999", "#777") if row.method in grey else ("#0072B2", "#111")
        parts.append(f'<text x="0" y="{y + 4:.1f}" fill="{colours[1]}">{escape(str(row.method))}</text>')
        ends = f'x1="{scale(row.low):.1f}" x2="{scale(row.high):.1f}" y1="{y}" y2="{y}"'
        parts.append(f'<line {ends} stroke="{colours[0]}" stroke-width="5"/>')
        parts.append(f'<circle cx="{scale(row.estimate):.1f}" cy="{y}" r="5" fill="{colours[1]}"/>')
    for tick in range(0, 101, 20):
        x = scale(tick / 100)
        parts.append(f'<line x1="{x}" x2="{x}" y1="6" y2="{base}" stroke="#ccc"/>')
        parts.append(f'<text x="{x}" y="{base + 14}" text-anchor="middle">{tick}%</text>')
    size = f'viewBox="0 0 {_LEFT + _WIDE + 30} {base + 20}"'
    label = "Estimate and interval of each method"
    return f'<svg {size} role="img" aria-label="{label}" font-size="11" font-family="sans-serif">{"".join(parts)}</svg>'
