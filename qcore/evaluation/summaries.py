"""Losses -> summaries, also of losses that were measured elsewhere.

Losses that were measured elsewhere: a table of either of two forms becomes the one that `compare` takes.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import rankdata, t

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_kind
from qcore.evaluation.estimates import Losses
from qcore.evaluation.significance import level_with_best, strata_of
from qcore.protocols.samples import Samples

BAND = (0.1, 0.9)
"""Quantiles over the repeats at one prevalence between which a band lies."""
LEVEL = 0.95
"""Level of the intervals of means."""


def curves(values: Mapping[str, FloatArray], samples: Samples) -> pd.DataFrame:
    """Mean and bands of `values[method]`, (n_samples,), at each true prevalence that the samples have.

    Returns a tidy table, methods in order: method, true, mean, p10 and p90 (the 10th and the 90th percentile over the samples
    with that prevalence), mean_low and mean_high (a 95% interval of the mean, by Student's t), n (the samples). A small size
    rounds neighbouring prevalences of the grid to the same one.
    """
    order, starts = _by_prevalence(samples)
    stacked = np.stack([value[order] for value in values.values()])
    lower, upper = _group_bands(stacked, starts)
    means, n = _group_means(stacked, starts), np.diff(np.append(starts, stacked.shape[1]))
    more = np.maximum(n - 1, 1)
    squares = _group_means((stacked - np.repeat(means, n, axis=1)) ** 2, starts)
    reach = t.ppf(0.5 + 0.5 * LEVEL, more) * np.sqrt(squares / more)
    return pd.DataFrame(
        {
            "method": np.repeat(list(values), len(starts)),
            "true": np.tile(samples.prevalences[order][starts], len(values)),
            "mean": means.ravel(),
            "p10": lower.ravel(),
            "p90": upper.ravel(),
            "mean_low": (means - reach).ravel(),
            "mean_high": (means + reach).ravel(),
            "n": np.tile(n, len(values)),
        }
    )


def overview(losses: Losses, *, signed: bool = False) -> pd.DataFrame:
    """One row for each method: mean, median, 90th percentile, worst prevalence with the mean loss there, mean rank, level.

    A method is level with the best if their mean difference, sample by sample, is within two standard errors
    (`level_with_best`).
    The worst prevalence is the true one with the largest mean loss. The rank of a method is taken among the mean losses at
    each true prevalence (ties share their mean rank) and averaged over the prevalences. A `signed` loss is ranked, and its
    worst prevalence found, by its magnitude. Source: Barranquero 2013, 4.2.4.
    """
    samples = losses.estimates.samples
    order, starts = _by_prevalence(samples)
    stacked = np.stack([value[order] for value in losses.by_method.values()])
    means = _group_means(stacked, starts)
    magnitudes = np.abs(means) if signed else means
    # Sums in another order differ in the last digits; equal methods must tie nevertheless.
    ranks = rankdata(np.round(magnitudes, 12), axis=0).mean(axis=1)
    worst = magnitudes.argmax(axis=1)
    return pd.DataFrame(
        {
            "method": list(losses.by_method),
            "mean": stacked.mean(axis=1),
            "median": np.median(stacked, axis=1),
            "p90": np.quantile(stacked, 0.9, axis=1),
            "worst_prevalence": samples.prevalences[order][starts][worst],
            "worst_mean": means[np.arange(len(means)), worst],
            "mean_rank": ranks,
            "level": level_with_best(np.stack(list(losses.by_method.values())), strata_of(samples)),
        }
    )


def samples_per_prevalence(samples: Samples) -> tuple[int, int]:
    """(least, most) samples that share a true prevalence; each point of `curves` is a mean over such samples."""
    counts = np.unique(samples.positives / samples.sizes, return_counts=True)[1]
    return int(counts.min()), int(counts.max())


def _by_prevalence(samples: Samples) -> tuple[IntArray, IntArray]:
    """(order of the samples by true prevalence, start of each prevalence's run in that order)."""
    shares = samples.positives / samples.sizes
    order = np.argsort(shares, kind="stable")
    return order, np.unique(shares[order], return_index=True)[1]


def _group_bands(stacked: FloatArray, starts: IntArray) -> FloatArray:
    """Quantiles BAND of the runs: (n_methods, n_samples) -> (2, n_methods, n_runs)."""
    runs = np.split(stacked, starts[1:], axis=1)
    if len({run.shape[1] for run in runs}) == 1:
        # Nearly always, all runs have the same length: one call for all.
        return np.quantile(np.stack(runs, axis=1), BAND, axis=2)
    return np.stack([np.quantile(run, BAND, axis=1) for run in runs], axis=2)


def _group_means(stacked: FloatArray, starts: IntArray) -> FloatArray:
    """Means over the runs: (n_methods, n_samples) -> (n_methods, n_runs)."""
    sizes = np.diff(np.append(starts, stacked.shape[1]))
    return np.add.reduceat(stacked, starts, axis=1) / sizes


def means_at(table: pd.DataFrame, prevalence: float) -> dict[str, float]:
    """Method -> mean at a true prevalence, interpolated linearly in the table of `curves`."""
    methods = table.groupby("method", sort=False)
    return {str(method): float(np.interp(prevalence, rows.true, rows["mean"])) for method, rows in methods}


_LONG = ("data", "method", "loss")
_WAY_OUT = "Write a row for each data set and a column for each method, after a first column with the names of the data sets."


def losses_of_table(table: pd.DataFrame, *, highest_is_best: bool = False, fewest: int = 2) -> pd.DataFrame:
    """The losses of a table as `compare` takes them: columns data, prevalence, method and loss.

    Parameters
    ----------
    table : a row for each data set and a column for each method, after a first column with the names of the data sets; or a row
        for each loss, with columns data, method and loss, and prevalence and size if there are several.
    highest_is_best : whether values are scores, such as accuracies, which are best where they are highest: their signs change.
    fewest : how many methods there must be; 1 where others join them, see `joined_losses`.

    Raises
    ------
    InvalidInput
        The table has fewer methods, or a column of a method that holds no numbers.

    Examples
    --------
    >>> table = pd.DataFrame({"data set": ["iris", "wine"], "CC": [0.12, 0.08], "AC": [0.05, 0.06]})
    >>> losses_of_table(table).values.tolist()
    [['iris', 0.0, 'CC', 0.12], ['wine', 0.0, 'CC', 0.08], ['iris', 0.0, 'AC', 0.05], ['wine', 0.0, 'AC', 0.06]]
    """
    check_kind("table", table, pd.DataFrame, "Write pandas.DataFrame(losses).")
    losses = table if set(_LONG) <= set(table.columns) else _of_wide(table, fewest)
    if not pd.api.types.is_numeric_dtype(losses["loss"]):
        raise InvalidInput("the column loss", "hold numbers", _first_text(losses["loss"]), "Leave out rows without a number.")
    if "prevalence" not in losses:
        losses = losses.assign(prevalence=0.0)
    if highest_is_best:
        losses = losses.assign(loss=-losses["loss"])
    return losses[[name for name in ("data", "prevalence", "size", "method", "loss") if name in losses]]


def _of_wide(table: pd.DataFrame, fewest: int) -> pd.DataFrame:
    if table.shape[1] <= fewest:
        named = ", ".join(map(str, table.columns)) or "none"
        rule = f"have a column of data sets and {'two methods' if fewest > 1 else 'one method'} or more"
        raise InvalidInput("table", rule, f"the columns {named}", _WAY_OUT)
    data, *methods = table.columns
    for name in methods:
        if not pd.api.types.is_numeric_dtype(table[name]):
            raise InvalidInput(f"the column {name}", "hold numbers, one for each data set", _first_text(table[name]), _WAY_OUT)
    names = table[data].astype(str)
    return table[methods].assign(data=names).melt("data", var_name="method", value_name="loss")


def joined_losses(losses: pd.DataFrame, own: pd.DataFrame) -> pd.DataFrame:
    """The losses of an experiment with those of methods that were measured elsewhere, on the data sets that both have.

    Parameters
    ----------
    losses : columns data, prevalence, method and loss, and size if there are several, such as from `compared_losses`.
    own : of the same loss and the same samples, such as from `losses_of_table`. If it has every prevalence (and size) of the
        experiment, methods are ranked at each, else by their means on each data set.

    Raises
    ------
    InvalidInput
        A method is in both, or fewer than two data sets are.

    Examples
    --------
    >>> rows = [(d, p, "CC", p) for d in "ab" for p in (0.1, 0.2)]
    >>> run = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    >>> ours = losses_of_table(pd.DataFrame({"data": ["a", "b", "c"], "Ours": [0.01, 0.02, 0.03]}), fewest=1)
    >>> joined_losses(run, ours)[["data", "method", "loss"]].round(2).values.tolist()
    [['a', 'CC', 0.15], ['b', 'CC', 0.15], ['a', 'Ours', 0.01], ['b', 'Ours', 0.02]]
    """
    if both := sorted({*losses["method"]} & {*own["method"]}):
        hint = "Rename yours, or leave its column out."
        raise InvalidInput("the methods of the table", "have names that the experiment does not use", ", ".join(both), hint)
    shared = [name for name in dict.fromkeys(losses["data"]) if name in set(own["data"])]
    if len(shared) < 2:
        known = ", ".join(map(str, list(dict.fromkeys(losses["data"]))[:5]))
        hint = f"Name them as there: {known}, ..."
        raise InvalidInput("the table", "have two data sets of the experiment or more", ", ".join(shared) or "none", hint)
    losses, own = (table[table["data"].isin(shared)] for table in (losses, own))
    keys = ["data", *(name for name in ("size", "prevalence") if name in losses)]
    wanted = losses[keys].round(6).drop_duplicates()
    in_detail = set(keys) <= set(own.columns) and all(
        len(wanted.merge(rows[keys].round(6).drop_duplicates())) == len(wanted) for _, rows in own.groupby("method")
    )
    if not in_detail:
        means = [table.groupby(["data", "method"], sort=False)["loss"].mean().reset_index() for table in (losses, own)]
        losses, own = (one.assign(prevalence=0.0).sort_values("method", kind="stable") for one in means)
        keys = ["data", "prevalence"]
    joined = pd.concat([losses[[*keys, "method", "loss"]], own[[*keys, "method", "loss"]]], ignore_index=True)
    joined = joined.assign(prevalence=joined["prevalence"].round(6))
    return joined.merge(wanted) if in_detail else joined


def _first_text(column: pd.Series) -> str:
    """The first value that is no number."""
    texts = column.dropna()
    wrong = texts[pd.to_numeric(texts, errors="coerce").isna()]
    return repr(str(wrong.iloc[0] if len(wrong) else texts.iloc[0])) if len(texts) else "no value"
