"""
An experiment over many data sets
=================================

Who is better, and may one claim it? Quantifiers on several data sets, every prevalence, the same
samples for all; then ranks, and the differences that are no chance.
"""

import pandas as pd

from qcore import ArtificialPrevalence, ScoringSettings, evaluation_report, load_dataset, score_dataset
from qcore.displays import CriticalDifferenceDisplay, PrevalenceErrorDisplay

# %%
# A data set is scored once; from then on all is array work on its scores. A table of your own is a
# data set, too: `Dataset.from_frame(table, label="y")`.

methods = ["CC", "AC", "PACC", "MS", "DyS-TS", "EMQ"]
protocol = ArtificialPrevalence(grid=21, sample_size=20, repeats=50)
reports = []
for name in ("wdbc", "iris", "wine", "digits", "balance", "tictactoe", "monks-1", "monks-2", "monks-3", "waveform"):
    data = load_dataset(name)
    scores = score_dataset(data, ScoringSettings(data.classes[-1]))
    reports.append(evaluation_report(scores, methods, protocol).assign(data=name))
report = pd.concat(reports, ignore_index=True)
print(f"{len(report):,} estimates")
print(report.pivot_table("AE", "data", "method", sort=False).round(3))

# %%
# Where each of them errs, over all data sets.

PrevalenceErrorDisplay.from_report(report[report["data"] == "waveform"])

# %%
# The number of data sets is what counts for a claim, not that of samples: methods are ranked on
# each data set, and a bar spans those whose mean ranks do not differ by Nemenyi's test.

losses = report.rename(columns={"true": "prevalence"})[["data", "prevalence", "method", "AE"]]
CriticalDifferenceDisplay.from_losses(losses, "AE")
