"""What "Estimate" offers to take along: the numbers as JSON, and the Python behind them."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, partial
from importlib.metadata import version
from textwrap import indent
from typing import Any

import numpy as np

from pages import pipeline
from pages.estimate.controls import EstimateRequest
from pages.estimate.estimate_view import EstimateView
from pages.estimate.groups import GroupsRequest
from pages.estimate.settings import COUNTS, DRAWN, ONE_PICTURE, OWN
from pages.frame.downloads import SETUP, loading, scoring, without_unused_imports
from pages.frame.share import Downloads
from pages.frame.sidebar import SidebarChoice
from pages.own_data.uploaded_tables import FILE
from qcore.datasets.user_tables import TEXT_CLASSIFIER
from qcore.intervals import Counts, LabelledSample, LabelledSampleEstimate
from qcore.intervals.difference import BY_FORMULA
from qcore.intervals.labelled_sample import LabelledColumns
from qcore.scoring.plan import gives_posteriors
from qcore.watching import WatchedShare

_DRAWN = (
    "rng = random_stream({seed}, RandomStream.ESTIMATED_SAMPLE, {draw})\n"
    "((_, rows),) = PrevalencePath(({share!r},), {size}).draw(scores.pool_labels, rng).blocks()\n"
    "sample, training, labels = scores.pool_scores[rows[0]], scores.training_scores, scores.training_labels\n"
)
_OWN = (
    "data = {data}\n"
    "table = {table}\n"
    "sample, training, labels = score_sample(data, table, {positive!r}, {classifier!r}, seed={seed})\n"
)
_PLOT = (
    "print(found)\n"
    "errors = dict(error_x=found.high - found.estimate, error_x_minus=found.estimate - found.low)\n"
    'px.scatter(found.assign(**errors), x="estimate", y="method", error_x="error_x", error_x_minus="error_x_minus").show()\n'
)


_DRAWN_CLASSES = (
    "rng = random_stream({seed}, RandomStream.CLASS_SAMPLE, {draw})\n"
    "positive = scores.classes.index({positive!r})\n"
    "rows, _ = draw_multiclass_sample(scores.pool_labels, positive, {share!r}, {size}, rng)\n"
    "sample, training, labels = scores.pool_scores[rows], scores.training_scores, scores.training_labels\n"
)
_PLOT_CLASSES = (
    "print(found)\n"
    "errors = dict(error_x=found.joint_high - found.estimate, error_x_minus=found.estimate - found.joint_low)\n"
    'px.scatter(found.assign(**errors), x="estimate", y="class", color="method", error_x="error_x", '
    'error_x_minus="error_x_minus").show()\n'
)
_PLOT_SHARES = (
    "shares = result.groups\n"
    "errors = dict(error_y=shares.share_high - shares.share, error_y_minus=shares.share - shares.share_low)\n"
    'px.scatter(shares.assign(**errors), x="group", y="share", error_y="error_y", error_y_minus="error_y_minus").show()\n'
)


def python_source(sidebar_choice: SidebarChoice, request: EstimateRequest) -> str:
    """A script that gives the estimates with qcore alone."""
    if request.counts is not None:
        return _of_counts(request.counts, request.level)
    settings, seed = request.settings, sidebar_choice.seed
    if request.way == OWN:
        start = _own(sidebar_choice, request, settings.positive)
    else:
        drawn = _DRAWN.format(seed=seed, draw=request.draw, share=request.share, size=request.size)
        start = scoring(sidebar_choice.data, settings) + drawn
    return (
        f"{SETUP}"
        "from pathlib import Path\n"
        "import pandas as pd\n"
        "from qcore import PrevalencePath, RandomStream, ScoringSettings, estimate_sample, load_dataset, random_stream\n"
        "from qcore import read_dataset, read_scores, read_texts, score_dataset, score_sample\n"
        "from qcore.datasets.preparation import is_labelled\n"
        "from qcore.datasets.table_reader import read_table\n\n"
        f"{start}"
        f"methods = {list(sidebar_choice.methods)!r}\n"
        f"found = estimate_sample(sample, training, labels, methods, level={request.level!r}, seed={seed!r}"
        f"{_weights(request)}{_posteriors(sidebar_choice, request)}).table\n"
        f"{_PLOT}"
    )


def _own(sidebar_choice: SidebarChoice, request: EstimateRequest, positive: str | None) -> str:
    """The lines of a script that score the user's own sample, of a class or, with None, of all classes."""
    return _OWN.format(
        data=loading(sidebar_choice.data),
        table=_reading(request),
        positive=positive,
        classifier=request.settings.classifier,
        seed=sidebar_choice.seed,
    )


def all_classes_source(sidebar_choice: SidebarChoice, request: EstimateRequest) -> str:
    """A script that gives the shares of all classes of the sample with qcore alone."""
    start, classes = _own(sidebar_choice, request, None), "data.classes"
    if request.way == DRAWN:
        settings = replace(request.settings, positive=None, training_prevalence=None)
        named = {"seed": sidebar_choice.seed, "draw": request.draw, "share": request.share, "size": request.size}
        drawn = _DRAWN_CLASSES.format(**named, positive=sidebar_choice.positive)
        start, classes = scoring(sidebar_choice.data, settings) + drawn, "scores.classes"
    return without_unused_imports(
        f"{SETUP}"
        "from pathlib import Path\n"
        "import pandas as pd\n"
        "from qcore import RandomStream, ScoringSettings, estimate_sample, load_dataset, random_stream, read_dataset\n"
        "from qcore import read_scores, read_texts, score_dataset, score_sample\n"
        "from qcore.datasets.preparation import is_labelled\n"
        "from qcore.datasets.table_reader import read_table\n"
        "from qcore.studies.more_than_two_classes import draw_multiclass_sample\n\n"
        f"{start}"
        f"methods = {list(sidebar_choice.methods)!r}\n"
        f"how = dict(classes={classes}, level={request.level!r}, seed={sidebar_choice.seed!r}"
        f"{_posteriors(sidebar_choice, request)})\n"
        "found = estimate_sample(sample, training, labels, methods, **how).with_posterior\n"
        f"{_PLOT_CLASSES}"
    )


def _posteriors(sidebar_choice: SidebarChoice, request: EstimateRequest) -> str:
    """The argument that says that scores are not posteriors; empty if they are."""
    return "" if gives_posteriors(pipeline.dataset(sidebar_choice.data), request.settings.classifier) else ", posteriors=False"


def groups_source(sidebar_choice: SidebarChoice, request: EstimateRequest, groups: GroupsRequest) -> str:
    """A script that compares the groups of the user's own sample with qcore alone."""
    within = groups.panels != ONE_PICTURE
    compare = "panel_differences" if within else "group_differences"
    panels = f"groups_in_time(table[{groups.panels!r}], {groups.panels!r}), " if within else ""
    start = _own(sidebar_choice, request, request.settings.positive)
    results = "found.values()" if within else "[found]"
    return (
        f"{SETUP}"
        "from pathlib import Path\n"
        "import pandas as pd\n"
        "from qcore import load_dataset, read_dataset, read_scores, read_texts, score_sample\n"
        "from qcore.datasets.preparation import is_labelled\n"
        "from qcore.datasets.table_reader import read_table\n"
        "from qcore.intervals import group_differences, panel_differences\n"
        "from qcore.datasets.time_order import groups_in_time\n\n"
        f"{start}"
        f"groups = groups_in_time(table[{groups.column!r}], {groups.column!r})\n"
        f"found = {compare}(sample, groups, {panels}training, labels, against={groups.against!r}, level={request.level!r}"
        f"{_method(groups, sidebar_choice.seed)}"
        f"{_weights(request)}{_posteriors(sidebar_choice, request)})\n"
        f"for result in {results}:\n"
        '    print(*result.sentences(), sep="\\n")\n'
        f"{indent(_PLOT_SHARES, '    ')}"
    )


def _method(groups: GroupsRequest, seed: int) -> str:
    return "" if groups.method == BY_FORMULA else f", method={groups.method!r}, seed={seed!r}"


def _weights(request: EstimateRequest) -> str:
    return f", weights=table[{request.weights!r}]" if request.weights else ""


def _reading(request: EstimateRequest) -> str:
    """The expression that reads the person's own sample."""
    if request.own is None:
        return 'read_table(Path("sample.csv").read_bytes(), "sample.csv", labelled=False)'
    name, label = request.own.name, request.own.unlabelled_in
    table = f"read_table(Path({name!r}).read_bytes(), {name!r}, labelled=False)"
    if len(request.own.files) > 1:
        one = "read_table(Path(name).read_bytes(), name, labelled=False)"
        table = f"pd.concat([{one}.assign({FILE}=name) for name in {list(request.own.files)!r}], ignore_index=True)"
    return f"{table}\ntable = table[~is_labelled(table[{label!r}])]" if label else table


def _of_counts(counts: Counts, level: float) -> str:
    numbers = ", ".join(str(int(getattr(counts, name))) for name in Counts.__dataclass_fields__)
    return (
        f"{SETUP}"
        "import pandas as pd\n"
        "from qcore.intervals import INTERVALS, Counts\n\n"
        f"counts = Counts({numbers})\n"
        f"rows = [(key, float(counts.estimate), *map(float, one.interval(counts, {level!r}))) for key, one in "
        "INTERVALS.items()]\n"
        'found = pd.DataFrame(rows, columns=["method", "estimate", "low", "high"])\n'
        f"{_PLOT}"
    )


def counts_differences_source(counts: Counts, names: Sequence[str], level: float) -> str:
    """A script that compares samples whose counts one test gave with qcore alone."""
    numbers = ", ".join(repr(np.asarray(getattr(counts, name)).tolist()) for name in Counts.__dataclass_fields__)
    return (
        f"{SETUP}"
        "from qcore.intervals import Counts, count_differences\n\n"
        f"result = count_differences(Counts({numbers}), {list(names)!r}, level={level!r})\n"
        'print(*result.sentences(), sep="\\n")\n'
        f"{_PLOT_SHARES}"
    )


def labelled_part_source(result: LabelledSampleEstimate) -> str:
    """A script that gives the estimates of a sample labelled in part with qcore alone."""
    numbers = ", ".join(str(int(getattr(result.sample, name))) for name in LabelledSample.__dataclass_fields__)
    return (
        f"{SETUP}"
        "from qcore import LabelledSample, estimate_labelled_sample\n\n"
        "# From a table: qcore.intervals.read_labelled_columns(table, prediction, label).sample\n"
        f"sample = LabelledSample({numbers})\n"
        f"found = estimate_labelled_sample(sample, {result.level!r}, own={result.own!r}).table\n"
        f"{_PLOT}"
    )


def labelled_groups_source(columns: LabelledColumns, groups: GroupsRequest, name: str, how: tuple[float, bool]) -> str:
    """A script that compares the groups of a table labelled in part; `how`: the level, and whether of this sample."""
    prediction, label = columns.read_from
    level, own = how
    leave_out = f", leave_out={list(columns.left_out)!r}" if columns.left_out else ""
    return (
        f"{SETUP}"
        "from pathlib import Path\n"
        "from qcore.datasets.table_reader import read_table\n"
        "from qcore.intervals import labelled_sample_differences, read_labelled_columns\n"
        "from qcore.datasets.time_order import groups_in_time\n\n"
        f"table = read_table(Path({name!r}).read_bytes(), {name!r})\n"
        f"read = read_labelled_columns(table, {prediction!r}, {label!r}, {columns.positive!r}{leave_out})\n"
        f"samples = read.of_groups(groups_in_time(read.table[{groups.column!r}], {groups.column!r}))\n"
        f"result = labelled_sample_differences(samples, against={groups.against!r}, level={level!r}, own={own!r})\n"
        f'print(*result.sentences(), sep="\\n")\n'
        f"{_PLOT_SHARES}"
    )


def over_time_source(result: WatchedShare) -> str:
    """A script that gives a watched share with qcore alone."""
    labels = "" if result.rates is None else f", rates={result.rates!r}"
    imported = "" if result.rates is None else "from qcore.watching import MeasuredRates\n"
    x, m = (result.table[name].tolist() for name in ("positives", "size"))
    named = [str(name) for name in result.table["batch"]]
    names = "" if named == [str(number) for number in range(1, len(named) + 1)] else f", batches={named}"
    return (
        f"{SETUP}"
        "from qcore import watch_share\n"
        f"{imported}\n"
        "# From a table: qcore.watching.read_batches(table)\n"
        f"watched = watch_share({x}, {m}, baseline={result.baseline}, level={result.level!r}{labels}{names})\n"
        "print(watched.moved_at)\n"
        'px.line(watched.table, x="batch", y=["so_far", "low", "high", "once_low", "once_high"]).show()\n'
    )


_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "streamlit")


def as_json_of(result: Mapping[str, Any], facts: Mapping[str, str]) -> str:
    """The numbers of `result` as JSON, with the facts of how they came about."""
    return json.dumps({**result, "made_of": dict(facts)}, indent=2)


def offer_differences(
    downloads: Downloads, found: Mapping[str, dict[str, Any]], facts: Mapping[str, str], source: str, name: str = "groups"
) -> None:
    """Offer differences of groups, by panel or column, as NAME.json, with the facts and the script behind them."""
    as_file = partial(as_json_of, {"groups": found}, facts)
    downloads.file(f"{name.capitalize()} as JSON", as_file, f"{name}.json", "application/json")
    downloads.facts, downloads.source = facts, source


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
        "classifier": _classifier(choice),
        "tpr, fpr and scores from": trained,
        "sample": sample,
        **facts,
        "seed": str(choice.seed),
        "versions": versions,
    }


def _classifier(choice: SidebarChoice) -> str:
    if not choice.scores_given:
        return choice.classifier
    return TEXT_CLASSIFIER if pipeline.dataset(choice.data).text else "scores of its own"


@cache
def versions_today() -> str:
    """Python and the packages that the numbers depend on."""
    return ", ".join([f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in _PACKAGES)])
