"""Sentences on a comparison over data sets."""

import numpy as np
import pandas as pd

from pages.settings.number_text import counted, digits, enumerated, percentage
from qcore.evaluation.signed_ranks import wilcoxon_better, wilcoxon_p
from qcore.evaluation.significance import Comparison
from qcore.recommender.evaluation import FROM_OTHERS
from qcore.studies.significance_trust import Trust


def verdict(comparison: Comparison, alpha: float) -> str:
    """Which method leads, and which methods are significantly worse than the best; of two, which is better."""
    if len(comparison.methods) == 2:
        return _of_two(comparison, alpha)
    p_value = comparison.iman_davenport.p_value
    if p_value > alpha:
        return f"These {comparison.n_sets} data sets do not tell the methods apart ({_p_value(p_value)})."
    ranks, distance = comparison.mean_ranks, comparison.nemenyi_distance(alpha)
    worse = [str(name) for name in ranks.index if ranks[name] > ranks.iloc[0] + distance]
    leaders = [str(name) for name in ranks.index if ranks[name] < ranks.iloc[0] + 1e-9]
    if not worse:
        lead = f"{enumerated(leaders)}, which {'leads' if len(leaders) == 1 else 'lead'}"
        return f"The methods differ, but none is clearly worse than {lead}: {comparison.n_sets} data sets are too few to tell."
    level = len(ranks) - len(worse) - len(leaders)
    beside = f"; {level} others are not clearly worse" if level > 1 else "; one other is not clearly worse" if level else ""
    leads = f"{enumerated(leaders)} {'lead' if len(leaders) > 1 else 'leads'}"
    return f"{leads}. Clearly worse {'are' if len(worse) > 1 else 'is'} {enumerated(worse)}{beside}."


def _of_two(comparison: Comparison, alpha: float) -> str:
    p_value, (first, second) = wilcoxon_p(*comparison.losses.T), comparison.methods
    said = f"Wilcoxon's test, {_p_value(p_value)}"
    if p_value > alpha:
        return f"These {comparison.n_sets} data sets do not tell {first} and {second} apart ({said})."
    better, worse = (first, second) if wilcoxon_better(*comparison.losses.T) else (second, first)
    return f"{better} is clearly better than {worse} ({said})."


def control_verdict(comparison: Comparison, control: str, alpha: float) -> str:
    """Which methods differ significantly from the control."""
    table = comparison.against(control)
    clear = table[table.bonferroni_dunn <= alpha]
    better = clear[clear.difference < 0].method.tolist()
    worse = clear[clear.difference > 0].method.tolist()
    parts = [
        f"clearly {how} {'are' if len(names) > 1 else 'is'} {enumerated(names)}"
        for how, names in (("better", better), ("worse", worse))
        if names
    ]
    if not parts:
        return f"No method clearly differs from {control}."
    text = (
        f"Compared with {control}: {'; '.join(parts)}."
        if better
        else f"No method is clearly better than {control}; {parts[0]}."
    )
    p_value = comparison.iman_davenport.p_value
    if p_value <= alpha:
        return text
    return f"{text} But all methods together may perform alike ({_p_value(p_value)}): do not rely on it."


def pairs_caution(comparison: Comparison, alpha: float, n_clear: int) -> str:
    """A warning not to rely on the pairs that differ, if all methods may perform alike; empty if there is no need for one.

    For two methods it names the test to go by.
    """
    p_value = comparison.iman_davenport.p_value
    if not n_clear or p_value <= alpha:
        return ""
    if len(comparison.methods) == 2:
        return " For two methods, use Wilcoxon's test instead."
    return f" But all methods together may perform alike ({_p_value(p_value)}): do not rely on these."


def tests_sentence(comparison: Comparison, alpha: float) -> str:
    """Friedman's test and Iman and Davenport's, in words."""
    chi, f = comparison.friedman, comparison.iman_davenport
    says = "do not all perform alike" if f.p_value <= alpha else "may all perform alike"
    return (
        f"**Do they differ at all?** The methods {says}. Friedman's chi-square is {chi.statistic:.1f} ("
        f"{_p_value(chi.p_value)}), Iman "
        f"and Davenport's F {'infinite, as all data sets rank alike' if np.isinf(f.statistic) else f'{f.statistic:.2f}'} "
        f"({'exact ' if comparison.is_exact else ''}{_p_value(f.p_value)}).{_wilcoxon_of_two(comparison)}"
    )


def _wilcoxon_of_two(comparison: Comparison) -> str:
    if len(comparison.methods) > 2:
        return ""
    said = _p_value(wilcoxon_p(*comparison.losses.T))
    return (
        f" For two methods, use Wilcoxon's signed-rank test ({said}): it considers how much the errors differ; "
        "ranks only consider which error is smaller."
    )


def count_sentence(n_sets: int, n_sources: int, n_cells: int) -> str:
    """Why the tests count data sets, and not single cases."""
    instead = f", not of the {n_cells:,} test cases" if n_cells > n_sets else ""
    what = "data sets" if n_sources == n_sets else "problems"
    made = "" if n_sources == n_sets else f" These problems are made of {n_sources} data sets, so even {n_sets} is too large."
    return (
        f"**N = {n_sets}, the number of {what}**{instead}. Samples of one data set are not independent; more would shrink "
        f"the critical difference at will (Barranquero 2013, 4.2.4).{made}"
    )


def ranking_sentence(ranked: pd.DataFrame, loss: str) -> str:
    """The rule by which methods are ranked; `ranked` are the losses, with a row for each cell of a data set."""
    cells = [name for name in ("prevalence", "size") if name in ranked and len(ranked[name].unique()) > 1]
    if not cells:
        return f"**How are they ranked?** On each data set by their mean {loss}."
    return (
        f"**How are they ranked?** By their mean {loss} at each {' and '.join(cells)}; these ranks are averaged on each data "
        "set. The averages are ranked again (Barranquero 2013, 4.2.4). To rank mean errors over all, as Maletzke et al. 2020 "
        "do, is another rule."
    )


def pivot_sentence(row: pd.Series, pivot: str, loss: str) -> str:
    """How one method compares with the pivot."""
    return (
        f"{pivot} is better than {row.method} in {counted(row.wins, 'case')}, worse in {row.losses}, equal in {row.ties} "
        f"(wins minus losses {row.dwl:+d}). On average {row.method}'s {loss} is {digits(abs(row.mdae))} "
        f"{'higher' if row.mdae >= 0 else 'lower'}."
    )


_THESIS_BESIDE_PWK_ALPHA = {"BL": (200, 23.97), "Max": (29, 2.09), "PWK": (None, 0.26)}
"""DWL and MDAE, in points, where the text of Barranquero 2013, 5.3.4, states them."""


def thesis_pivot_sentence(table: pd.DataFrame) -> str:
    """What the thesis has beside what its experiment run anew gives, with PWK-alpha as pivot and AE as loss."""
    rows = table.set_index("method")
    parts = []
    for method, (dwl, mdae) in _THESIS_BESIDE_PWK_ALPHA.items():
        ours = f"{rows.dwl[method]:+d} and {100 * rows.mdae[method]:.2f}"
        theirs = f"{mdae:.2f} alone" if dwl is None else f"{dwl:+d} and {mdae:.2f}"
        parts.append(f"{method} {ours} here, {theirs} there")
    return (
        f"Wins minus losses, and mean difference in points, beside the thesis (5.3.4): {'; '.join(parts)}. Max errs more "
        "here than there; with LIBLINEAR's SVM it ranks better (Findings of the papers)."
    )


def training_sentence(table: pd.DataFrame) -> str:
    """Which method needs the fewest training instances to be as good as counting with all of them."""
    sizes = sorted(table.training_size.unique())
    means = table.pivot_table("loss", "method", "training_size")
    limit = float(means.loc["CC", sizes[-1]])
    early = {
        str(name): min(size for size in sizes if row[size] <= limit)
        for name, row in means.drop(index="CC").iterrows()
        if (row <= limit).any()
    }
    first = min(early.values(), default=sizes[-1])
    names = [name for name, size in early.items() if size == first]
    if first == sizes[-1]:
        return f"No method errs as little with fewer training instances as counting (CC) does with {sizes[-1]}."
    return (
        f"With {first} training instances {enumerated(names)} {'err' if len(names) > 1 else 'errs'} no more than counting (CC) "
        f"with {sizes[-1]}."
    )


def protocols_sentence(table: pd.DataFrame) -> str:
    """Whether the best method changes with the protocol."""
    best = table.loc[table.groupby("protocol", sort=False)["rank"].idxmin()]
    winners = dict(zip(best.protocol, best.method, strict=True))
    if len(set(winners.values())) == 1:
        return f"{next(iter(winners.values()))} ranks first under every protocol."
    first = ", ".join(f"{method} under {protocol}" for protocol, method in winners.items())
    return (
        f"Which method ranks first depends on the protocol: {first}. Ten problems are too few to say whether the differences "
        "are significant."
    )


def recommender_sentence(errors: pd.DataFrame) -> str:
    """How much of the gap between a random choice and the best one the recommenders close; columns method, loss."""
    means = errors.groupby("method")["loss"].mean()
    room = means["RND"] - means["TOP"]
    won = {name: (means["RND"] - means[name]) / room for name in ("MLQ", FROM_OTHERS)}
    closed = {name: percentage(share) if share > 0.005 else "none" for name, share in won.items()}
    named = ", ".join(f"{name} {means[name]:.4f}" for name in ("TOP", "MLQ", FROM_OTHERS, "RND"))
    return (
        f"Mean AE over {errors['data'].nunique()} data sets: {named}. MLQ closes {closed['MLQ']} of the gap "
        f"from a random choice (RND) to the best one (TOP). Learnt from other data sets alone, it closes {closed[FROM_OTHERS]}."
    )


def averaged_ranks_sentence(errors: pd.DataFrame) -> str:
    """The first mean ranks by the rule of Maletzke et al. 2020: those of each data set and size, averaged."""
    ranks = errors.assign(rank=errors.groupby(["data", "size"])["loss"].rank()).groupby("method")["rank"].mean()
    first = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.sort_values(kind="stable").iloc[:4].items())
    return (
        "The ranks at each size are averaged on each data set, and ranked again, as everywhere on this page. Averaged alone, "
        f"as in the paper, they are: {first}."
    )


def trust_sentence(equal: Trust, n_sets: int, n_cases: int) -> str:
    """How often the test finds a difference between equal methods, with N data sets and with N test cases."""
    kept = ", as promised (5%)" if 0.025 <= equal.of_data_sets <= 0.085 else ", where 5% is promised"
    return (
        f"Of equal methods the test with N = {n_sets} data sets finds a difference in {equal.of_data_sets:.0%} of "
        f"studies{kept}. With N = {n_sets * n_cases:,} test cases it does in {equal.of_test_cases:.0%}."
    )


def _p_value(value: float) -> str:
    return "p-value below 0.001" if value < 0.001 else f"p-value {value:.3f}"
