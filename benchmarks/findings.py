"""Writes docs/findings.md: every claim of both papers' experiments beside our measurements.

python -m benchmarks.findings --data FOLDER [--into RESULTS] [--seeds N] [--json]   (an hour and a half on two cores)

Runs benchmarks/barranquero_2013.py and benchmarks/maletzke_2020.py on all their data sets; with RESULTS, the former continues
where it was stopped. With --json the rows are printed instead, and nothing is written.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import barranquero_2013, maletzke_2020
from benchmarks.barranquero_2013_claims import CLAIMS as THESIS_CLAIMS
from benchmarks.claims import claim_rows, counts, markdown
from benchmarks.maletzke_2020_claims import CLAIMS as SIZE_CLAIMS
from benchmarks.maletzke_2020_claims import MLQ_CLAIMS
from benchmarks.papers_data import names_in

FILE = Path(__file__).parents[1] / "docs" / "findings.md"

_HEAD = """# Do the papers' findings hold?

`python -m benchmarks.findings --data FOLDER` repeats both papers' experiments, judges each claim by a rule
(`benchmarks/*_claims.py`) and writes this page. Unnamed figures are mean ranks (1 is best); ranks differ significantly
by more than the critical difference (CD; Nemenyi, 5%). The last column names protocols with another verdict, and why.
"""

_THESIS = """
## Barranquero 2013, chapters 5 and 6

{n_sets} problems, 10 folds, 11 prevalences. Protocols (and seeds):
{seeds}.
The verdict is that of most seeds, as in (7/10), with the figures of its first seed. Ranks at each prevalence are averaged by
data set and ranked again (4.2.4). DWL: cases that PWK-alpha wins minus those that it loses. Of {n} claims, {summary}.

{table}
"""

_SIZE = """
## Maletzke et al. 2020

{n_sets} of its 13 data sets, random forests of 200 trees, samples of 10 to 500. The paper's variants (ours are the
defaults): MS without the rule of 1/4, Laplace smoothing in DyS and HDy, at most 1,000 training scores of a class. Ranks are
of mean errors by data set and size (7). Of {n} claims, {summary}.

{table}

MLQ on our variants:

{mlq}
"""


def page(
    tables: Mapping[str, Sequence[Mapping[str, str]]],
    n_sets: tuple[int, int],
    n_seeds: Mapping[str, int],
) -> str:
    """The page in Markdown, from the rows of the thesis's claims, the paper's, those on MLQ, and each protocol's seeds."""
    thesis, size = tables["thesis"], tables["size"]
    return (
        _HEAD
        + _THESIS.format(
            n_sets=n_sets[0],
            n=len(thesis),
            summary=counts(thesis, barranquero_2013.PROTOCOLS[0].name),
            table=markdown(thesis),
            seeds=", ".join(f"{name} ({n})" for name, n in n_seeds.items()),
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
    parser.add_argument("--into", type=Path, help="folder of the thesis's results, to be stopped and resumed")
    parser.add_argument("--seeds", type=int, default=10, help="how many of the thesis's (default 10)")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON and write nothing")
    arguments = parser.parse_args()
    problems, sets = list(barranquero_2013.PROBLEMS), names_in(arguments.data)
    thesis = barranquero_2013.measure_all(arguments.data, problems, arguments.into, arguments.seeds)
    errors = maletzke_2020.measure_all(arguments.data, sets)
    tables = {
        "thesis": claim_rows(THESIS_CLAIMS, thesis),
        "size": claim_rows(SIZE_CLAIMS, {name: [one] for name, one in errors.items()}),
        "MLQ": claim_rows(MLQ_CLAIMS, {maletzke_2020.OURS: [errors[maletzke_2020.OURS]]}),
    }
    if arguments.json:
        print(json.dumps(tables))
        return
    FILE.write_text(page(tables, (len(problems), len(sets)), {name: len(runs) for name, runs in thesis.items()}))
    print(f"wrote {FILE}")


if __name__ == "__main__":
    main()
