"""The numbers of "Estimate" as JSON, and the facts of how they came about."""

import json
import platform
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from pages import pipeline
from pages.estimate.estimate_view import EstimateView
from pages.estimate.settings import COUNTS, DRAWN

_PACKAGES: Final = ("numpy", "scipy", "scikit-learn", "pandas", "streamlit")


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
