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
from benchmarks.barranquero_2013_claims import ThesisResults
from benchmarks.claims import claim_rows, counts, markdown
from benchmarks.maletzke_2020_claims import CLAIMS as SIZE_CLAIMS
from benchmarks.maletzke_2020_claims import MLQ_CLAIMS
from benchmarks.papers_data import names_in

FILE = Path(__file__).parents[1] / "docs" / "findings.md"

_HEAD = """# Do the papers' findings hold?

`python -m benchmarks.findings --data FOLDER` repeats the experiments of both papers, judges each claim by a rule
(`benchmarks/*_claims.py`) and writes this page. Ranks are mean ranks; 1 is best. They differ significantly if they differ by
more than the critical difference (Nemenyi, 5%). *Elsewhere* names other protocols or variants whose verdict differs.
"""

_THESIS = """
## Barranquero 2013, chapters 5 and 6

{n_sets} problems, 10 folds, 11 prevalences. Protocols (and seeds):
{seeds}.
The verdict is that of most seeds, such as "(7 of 10)", and of fewer where fewer were run; figures are those of the first seed
with it. Methods are ranked at each prevalence; these ranks are averaged on each data set and ranked again (4.2.4). DWL is the
number of cases that PWK-alpha wins, minus those that the other method wins. Of {n} claims, by the thesis's protocol
{summary}.

{table}

### Mean ranks in chapter 5

By AE over 24 data sets, the mean over the seeds; single seeds differ from it by up to {deviation:.1f}. The critical
difference is {distance:.2f}. The last two columns change one thing each: 200,000 iterations of LIBSVM, not 20,000; 5 x 2
cross-validation (Dietterich 1998), not 2 x 5.

{ranks_5}

### Mean ranks in chapter 6

By AE over 22 data sets; single seeds differ by up to {deviation_6:.1f}, and the critical difference is {distance_6:.2f}.

{ranks_6}
"""

_SIZE = """
## Maletzke et al. 2020

{n_sets} of its 13 data sets, random forests of 200 trees, samples of 10 to 500. The paper's variants (ours are the
defaults): MS without the rule of 1/4, Laplace smoothing in DyS and HDy, at most 1,000 training scores of a class. As in the
paper (7), mean errors over all prevalences are ranked on each data set and size. Of {n} claims, with the paper's variants
{summary}.

{table}

MLQ, with our variants of its candidates:

{mlq}
"""


def page(
    tables: Mapping[str, Sequence[Mapping[str, str]]],
    n_sets: tuple[int, int],
    thesis_runs: Mapping[str, Sequence[ThesisResults]],
) -> str:
    """The page in Markdown, from the rows of the thesis's claims, the paper's, those on MLQ, and the thesis's ranks."""
    thesis, size = tables["thesis"], tables["size"]
    protocols = [protocol.name for protocol in barranquero_2013.PROTOCOLS]
    return (
        _HEAD
        + _THESIS.format(
            n_sets=n_sets[0],
            n=len(thesis),
            summary=counts(thesis, protocols[0]),
            table=markdown(thesis),
            seeds=", ".join(f"{name} ({len(runs)})" for name, runs in thesis_runs.items()),
            deviation=barranquero_2013.largest_deviation(thesis_runs, 5),
            deviation_6=barranquero_2013.largest_deviation({one: thesis_runs[one] for one in protocols}, 6),
            distance=thesis_runs[protocols[0]][0].distance(5),
            distance_6=thesis_runs[protocols[0]][0].distance(6),
            ranks_5=markdown(tables["ranks 5"]),
            ranks_6=markdown(tables["ranks 6"]),
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
    options = (arguments.data, problems, arguments.into, arguments.seeds)
    thesis = barranquero_2013.measure_all(*options)
    variants = barranquero_2013.measure_all(*options, barranquero_2013.VARIANTS)
    errors = maletzke_2020.measure_all(arguments.data, sets)
    tables = {
        "thesis": claim_rows(THESIS_CLAIMS, thesis),
        "ranks 5": barranquero_2013.rank_rows({**thesis, **variants}, 5),
        "ranks 6": barranquero_2013.rank_rows(thesis, 6),
        "size": claim_rows(SIZE_CLAIMS, {name: [one] for name, one in errors.items()}),
        "MLQ": claim_rows(MLQ_CLAIMS, {maletzke_2020.OURS: [errors[maletzke_2020.OURS]]}),
    }
    if arguments.json:
        print(json.dumps(tables))
        return
    FILE.write_text(page(tables, (len(problems), len(sets)), {**thesis, **variants}))
    print(f"wrote {FILE}")


if __name__ == "__main__":
    main()
