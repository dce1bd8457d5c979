"""Pages made from the registries: one for each quantifier, one for each other kind of thing, and the glossary."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pandas as pd

from docs.site.figure_html import figure_html
from pages.learn.glossary import GlossaryEntry, glossary
from pages.listed import PAGES
from qcore import (
    CLASSIFIERS,
    LOSSES,
    NAMED_QUANTIFIERS,
    PROTOCOLS,
    QUANTIFIERS,
    ArtificialPrevalence,
    evaluation_report,
    load_dataset,
    score_dataset,
)
from qcore.displays import PrevalenceErrorDisplay
from qcore.intervals import INTERVALS, POSTERIORS
from qcore.losses import ORDERED_LOSSES
from qcore.quantifiers.base import FAMILIES, QuantifierEntry

PROTOCOL = ArtificialPrevalence(grid=21, sample_size=50, repeats=40)
DATA = "tictactoe"


def file_name(key: str) -> str:
    """The name of a quantifier's page."""
    return re.sub(r"[^a-z0-9]+", "_", key.lower())


@cache
def _report() -> pd.DataFrame:
    """The losses of all quantifiers, drawn on each page beside CC's."""
    return evaluation_report(score_dataset(load_dataset(DATA)), list(QUANTIFIERS), PROTOCOL)


def quantifier_page(entry: QuantifierEntry) -> str:
    """A quantifier's page, in Markdown: idea, formula, when it fails, its errors, how to use it, source."""
    report = _report()
    shown = pd.concat([report[report["method"] == key] for key in dict.fromkeys([entry.key, "CC"])])
    figure = PrevalenceErrorDisplay.from_report(shown).figure_
    needs = "\n\nIt needs scores that are calibrated probabilities." if entry.needs_probabilities else ""
    several = "all classes at once" if entry.takes_all_classes else "each class against the rest"
    chart = figure_html(figure.update_layout(height=380).to_plotly_json())
    return f"""# {entry.name} ({entry.key})

{entry.idea[0].upper()}{entry.idea[1:]}.

$$
{entry.formula}
$$

**When it fails:** {entry.weakness}. Like every method here it assumes that the classes themselves have not changed, only their
shares.{needs}

**Its errors by prevalence**, beside those of counting: {len(PROTOCOL.prevalences)} prevalences, {PROTOCOL.repeats} samples of
{PROTOCOL.sample_size} each, data set {DATA}, {next(iter(CLASSIFIERS))}.

```{{raw}} html
{chart}
```

```python
QuantifierCV(classifier, "{entry.key}").fit(X, y).predict(X_sample)
```

Of more than two classes it takes {several}. Source: {entry.source} ([](../references.md)).
"""


def index_page() -> str:
    """All registries, in Markdown."""
    parts = ["# Methods\n\nWhat each quantifier does and when it fails; then losses, protocols, classifiers and intervals.\n"]
    for family, title in FAMILIES.items():
        members = [entry for entry in QUANTIFIERS.values() if entry.family == family]
        rows = [(f"[{one.key}]({file_name(one.key)}.md)", one.name, one.idea, one.weakness) for one in members]
        parts.append(f"## {title}\n\n{_table(('', 'name', 'what it does', 'when it fails'), rows)}")
    kinds: Mapping[str, Mapping[str, Any]] = {
        "Losses": {**LOSSES, **ORDERED_LOSSES},
        "Protocols": PROTOCOLS,
        "Classifiers": CLASSIFIERS,
        "Intervals": INTERVALS,
        "Posteriors": POSTERIORS,
        "Methods by name": NAMED_QUANTIFIERS,
    }
    for title, entries in kinds.items():
        listed = [(f"`{key}`", getattr(one, "name", ""), one.idea, one.source) for key, one in entries.items()]
        parts.append(f"## {title}\n\n{_table(('', 'name', 'what it is', 'source'), listed)}")
    names = "\n".join(file_name(key) for key in QUANTIFIERS)
    return "\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{names}\n```\n"])


def glossary_page() -> str:
    """All terms of the app's glossary, in Markdown, group by group."""
    groups: dict[str, list[GlossaryEntry]] = {}
    for entry in glossary():
        groups.setdefault(entry.group, []).append(entry)
    learn = PAGES["learn"].title
    parts = [
        f"# Glossary\n\nEvery term as the app explains it. On its page *{learn}* each has a link to a view that shows it.\n"
    ]
    for group, entries in groups.items():
        lines = [
            f"- **{one.name}**: {one.sentence}{_also_called(one)}" for one in sorted(entries, key=lambda one: one.name.lower())
        ]
        parts.append("\n".join([f"## {group}\n", *lines, ""]))
    return "\n".join(parts)


def _also_called(entry: GlossaryEntry) -> str:
    return f" Also called {', '.join(entry.also_called)}." if entry.also_called else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head), ["---"] * len(list(head)), *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines) + "\n"
