"""
An experiment over many data sets
=================================

Which quantifier is better, and is the difference more than chance? All quantifiers estimate the same
samples of ten data sets, at every prevalence. Then they are ranked.
"""
# sphinx_gallery_thumbnail_path = '_static/thumbnails/experiment.svg'

import pandas as pd

from qcore import ArtificialPrevalence, ScoringSettings, evaluation_report, load_dataset, score_dataset
from qcore.displays import CriticalDifferenceDisplay, PrevalenceErrorDisplay

# %%
# Each data set is scored once; the rest is array work on these scores. A table of your own works, too:
# `Dataset.from_frame(table, label="y")`.

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
# Where each of them errs on one data set, waveform.

PrevalenceErrorDisplay.from_report(report[report["data"] == "waveform"])

# %%
# A claim needs many data sets, not many samples. Methods are ranked on each data set; a bar joins
# those whose mean ranks do not differ significantly (Nemenyi's test).

losses = report.rename(columns={"true": "prevalence"})[["data", "prevalence", "method", "AE"]]
CriticalDifferenceDisplay.from_losses(losses, "AE")
