"""The reference of what qcore exports: a list by topic, from which Sphinx makes a page for each name."""

import importlib
import inspect
from collections.abc import Mapping
from typing import Final

TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    "From features to prevalences": ("qcore.estimator",),
    "Displays": ("qcore.displays",),
    "Data sets and scores": ("qcore.datasets", "qcore.scoring"),
    "Samples": ("qcore.protocols",),
    "Quantifiers and classifiers": ("qcore.quantifiers", "qcore.classifiers"),
    "Estimates, losses and measures": ("qcore.evaluation", "qcore.losses", "qcore.measures"),
    "Experiments": ("qcore.evaluation.experiment",),
    "Intervals": ("qcore.intervals",),
    "Watching": ("qcore.watching",),
    "Recommending a quantifier": ("qcore.recommender",),
    "Everything else": ("qcore",),
}
"""A heading -> the packages whose exported names are below it, each name once, with the first."""

_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "From features to prevalences": (
        "qcore.estimator.other_libraries.GivenProbabilities",
        "qcore.estimator.other_libraries.OnScores",
    ),
    "Experiments": (
        "qcore.evaluation.significance.compare",
        "qcore.evaluation.significance.Comparison",
        "qcore.evaluation.significance.against_pivot",
    ),
}
"""Documented below these headings, too, though no package exports them."""


def exported(package: str) -> list[str]:
    """The functions and classes that a package of qcore exports, as dotted names."""
    module = importlib.import_module(package)
    names = [name for name in module.__all__ if inspect.isroutine(one := getattr(module, name)) or inspect.isclass(one)]
    return [f"{package}.{name}" for name in names]


def by_topic() -> dict[str, list[str]]:
    """Heading -> dotted names; what qcore itself exports is named as it is imported, `from qcore import ...`."""
    ours = {name.rpartition(".")[2]: name for name in exported("qcore")}
    topics: dict[str, list[str]] = {}
    left = dict(ours)
    for topic, packages in TOPICS.items():
        names = [name for package in packages for name in exported(package)]
        topics[topic] = []
        for name in names:
            short = name.rpartition(".")[2]
            if short not in ours:
                topics[topic].append(name)
            elif short in left:
                topics[topic].append(left.pop(short))
    for topic, parts in _PARTS.items():
        topics[topic] += parts
    return topics


def api_page() -> str:
    """The page "Reference", in Markdown."""
    parts = ["# Reference\n\nWhat `qcore` exports. Registries, such as `QUANTIFIERS`, are listed in [](../methods/index).\n"]
    for topic, names in by_topic().items():
        listed = "\n".join(f"   {name}" for name in names)
        parts.append(
            f"## {topic}\n\n```{{eval-rst}}\n.. autosummary::\n   :toctree: names\n   :nosignatures:\n\n{listed}\n```\n"
        )
    return "\n".join(parts)
