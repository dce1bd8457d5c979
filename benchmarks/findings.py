"""Writes docs/findings.md: every claim of both papers' experiments beside what is measured.

python -m benchmarks.findings --data FOLDER [--json]   (a quarter of an hour on two cores)

Runs benchmarks/barranquero_2013.py and benchmarks/maletzke_2020.py on all their data sets. With --json the rows are printed
instead, and nothing is written.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks import barranquero_2013, maletzke_2020
from benchmarks.barranquero_2013_claims import CLAIMS as THESIS_CLAIMS
from benchmarks.claims import claim_rows, counts, markdown
from benchmarks.maletzke_2020_claims import CLAIMS as SIZE_CLAIMS
from benchmarks.maletzke_2020_claims import MLQ_CLAIMS
from benchmarks.papers_data import POSITIVES

FILE: Final = Path(__file__).parents[1] / "docs" / "findings.md"

_HEAD: Final = """# Do the papers' findings hold?

`python -m benchmarks.findings --data FOLDER` runs both papers' experiments anew and writes this page; each verdict is
computed from the results, by a rule in `benchmarks/barranquero_2013_claims.py` or `benchmarks/maletzke_2020_claims.py`. Ranks
are mean ranks, 1 is best. A difference of ranks is significant if it is above the critical difference (Nemenyi, 5%).
"""

_THESIS: Final = """
## Barranquero 2013, chapters 5 and 6

{n_sets} problems, 10 folds, 11 prevalences. Two protocols: {protocols}. Of {n} claims, by the thesis's protocol {summary}.

{table}
"""

_SIZE: Final = """
## Maletzke et al. 2020

{n_sets} of its 13 data sets, random forests of 200 trees, samples of 10 to 500. Two sets of variants: the paper's (MS without
the rule of 1/4, Laplace smoothing in DyS and HDy, at most 1,000 training scores of a class) and ours. Of {n} claims, with the
paper's variants {summary}.

{table}

MLQ, with our variants of its candidates:

{mlq}
"""


def page(tables: Mapping[str, Sequence[Mapping[str, str]]], n_sets: tuple[int, int]) -> str:
    """The page in Markdown, from the rows of the thesis's claims, the paper's, and those on MLQ."""
    thesis, size = tables["thesis"], tables["size"]
    protocols = [protocol.name for protocol in barranquero_2013.PROTOCOLS]
    return (
        _HEAD
        + _THESIS.format(
            n_sets=n_sets[0],
            protocols=" and ".join(protocols),
            n=len(thesis),
            summary=counts(thesis, protocols[0]),
            table=markdown(thesis),
        )
        + _SIZE.format(
            n_sets=n_sets[1],
            n=len(size),
            summary=counts(size, maletzke_2020.THE_PAPERS),
            table=markdown(size),
            mlq=markdown(tables["MLQ"]),
        )
    )


def main() -> None:
    """Run both experiments, judge the claims, and write the page or print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON and write nothing")
    arguments = parser.parse_args()
    problems, sets = list(barranquero_2013.PROBLEMS), list(POSITIVES)
    thesis = barranquero_2013.measure_all(arguments.data, problems)
    errors = maletzke_2020.measure_all(arguments.data, sets)
    tables = {
        "thesis": claim_rows(THESIS_CLAIMS, thesis),
        "size": claim_rows(SIZE_CLAIMS, errors),
        "MLQ": claim_rows(MLQ_CLAIMS, {maletzke_2020.OURS: errors[maletzke_2020.OURS]}),
    }
    if arguments.json:
        print(json.dumps(tables))
        return
    FILE.write_text(page(tables, (len(problems), len(sets))))
    print(f"wrote {FILE}")


if __name__ == "__main__":
    main()
