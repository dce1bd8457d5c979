"""The claims of Barranquero (2013), chapters 5 and 6, judged on losses by data set and test prevalence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata, spearmanr

from benchmarks.claims import HOLDS, Claim, Judgement, named, verdict
from qcore import NAMED_QUANTIFIERS
from qcore.base import TIE, FloatArray
from qcore.evaluation.significance import nemenyi_distance

FORMAN = ("CC", "AC", "X", "Max", "T50", "MS")
CHAPTER_5 = ("BL", *FORMAN, "KNN", "PWK", "PWK-alpha")
CHAPTER_6 = (*FORMAN, "NAS", "Q0.5", "Q1", "Q2")
EASY = ("acute.a", "acute.b")
"""Problems that chapter 6 leaves out because they are too simple (6.4.1)."""

WEIGHTED = ("PWK-alpha", "PWK")
_LEVEL = 0.05
_NOTICEABLE = 0.001
"""Mean AEs that differ by less are level."""


@dataclass(frozen=True)
class ThesisResults:
    """The results of one protocol with one seed.

    Attributes
    ----------
    tables : problem -> mean losses over the folds; rows are prevalences, columns (loss, column name).
    prevalences : problem -> share of positives in the data set.
    """

    tables: Mapping[str, pd.DataFrame]
    prevalences: Mapping[str, float]

    def methods(self, chapter: int) -> tuple[str, ...]:
        """The methods that a chapter compares."""
        return CHAPTER_5 if chapter == 5 else CHAPTER_6

    def problems(self, chapter: int) -> list[str]:
        """The problems that a chapter compares them on."""
        return [one for one in self.tables if chapter == 5 or one not in EASY]

    def losses(self, chapter: int, loss: str = "AE") -> dict[str, FloatArray]:
        """Method -> mean losses, (n_problems, n_prevalences)."""
        methods = self.methods(chapter)
        columns = {method: method if method in NAMED_QUANTIFIERS else f"{method} {chapter}" for method in methods}
        tables = [self.tables[one][loss] for one in self.problems(chapter)]
        return {method: np.stack([table[column].to_numpy() for table in tables]) for method, column in columns.items()}

    def ranks(self, chapter: int, loss: str = "AE") -> pd.Series:
        """Mean rank of each method, best first: of the means at each prevalence, averaged for each data set, ranked (4.2)."""
        losses = np.stack([*self.losses(chapter, loss).values()], axis=-1)
        by_set = [rankdata(_rounded(one), axis=1).mean(axis=0) for one in losses]
        ranks = np.mean([rankdata(_rounded(one)) for one in by_set], axis=0)
        return pd.Series(ranks, index=list(self.methods(chapter))).sort_values(kind="stable")

    def distance(self, chapter: int) -> float:
        """The critical difference of mean ranks."""
        return nemenyi_distance(len(self.methods(chapter)), len(self.problems(chapter)))


def _rounded(values: FloatArray) -> FloatArray:
    """The values rounded, so that means that differ by rounding errors only become equal."""
    return np.round(values, int(-np.log10(TIE)) - 2)


def _gaps(results: ThesisResults, chapter: int, of: str, behind: Sequence[str], loss: str = "AE") -> tuple[list[str], str]:
    """(methods of `behind` that rank significantly worse than `of`, all gaps in words)."""
    ranks, distance = results.ranks(chapter, loss), results.distance(chapter)
    gaps = {name: ranks[name] - ranks[of] for name in behind}
    text = ", ".join(f"{name} {gap:+.2f}" for name, gap in gaps.items())
    return [name for name, gap in gaps.items() if gap > distance], f"behind {of}: {text}; CD {distance:.2f}"


def _compact_errors(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    quartiles = {name: float(np.quantile(losses[name], 0.75)) for name in WEIGHTED}
    largest = {name: float(losses[name].max()) for name in WEIGHTED}
    text = "; ".join(f"{name} {quartiles[name]:.1%}, {largest[name]:.1%}" for name in WEIGHTED)
    return verdict(max(quartiles.values()) < 0.15, max(largest.values()) < 0.45), f"third quartile, maximum: {text}"


def _extreme_errors(results: ThesisResults, chapter: int) -> Judgement:
    largest = {name: float(losses.max()) for name, losses in results.losses(chapter).items() if name in ("CC", "AC")}
    return verdict(*(value > 0.9 for value in largest.values())), ", ".join(f"{n} {value:.0%}" for n, value in largest.items())


def _median_errors(results: ThesisResults) -> Judgement:
    medians = {name: float(np.median(losses)) for name, losses in results.losses(5).items()}
    near = [name for name, value in medians.items() if 0.025 <= value <= 0.075]
    others = ", ".join(f"{name} {value:.1%}" for name, value in medians.items() if name not in near)
    return verdict(len(near) > len(medians) / 2), f"2.5 to 7.5% for {len(near)} of {len(medians)} methods; {others}"


def _worst_policy(results: ThesisResults, chapter: int) -> Judgement:
    ranks = results.ranks(chapter)[["Max", "X", "MS", "T50"]].sort_values()
    return verdict(ranks.index[-1] == "T50"), named(ranks[-2:])


def _best_policy(results: ThesisResults) -> Judgement:
    ranks = results.ranks(5)[["Max", "X", "MS", "T50"]].sort_values()
    return verdict(ranks.index[0] == "Max"), named(ranks[:2])


def _first_two(results: ThesisResults, chapter: int, first: Sequence[str], loss: str = "AE") -> Judgement:
    ranks = results.ranks(chapter, loss)
    return verdict(*(name in ranks.index[: len(first)] for name in first)), named(ranks[:4])


def _better_than(results: ThesisResults) -> Judgement:
    claimed = ("CC", "AC", "MS", "T50", "BL")
    result, text = _gaps(results, 5, "PWK-alpha", claimed)
    return verdict(*(name in result for name in claimed)), text


def _level_with(results: ThesisResults) -> Judgement:
    claimed = ("PWK", "KNN", "Max", "X")
    result, text = _gaps(results, 5, "PWK-alpha", claimed)
    return verdict(*(name not in result for name in claimed)), text


def _level_with_baseline(results: ThesisResults) -> Judgement:
    ranks, distance = results.ranks(5), results.distance(5)
    gaps = {name: ranks["BL"] - ranks[name] for name in ("AC", "T50")}
    text = ", ".join(f"{name} {gap:.2f}" for name, gap in gaps.items())
    return verdict(*(gap <= distance for gap in gaps.values())), f"ahead of BL: {text}; CD {distance:.2f}"


def _neighbours_steadier(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    spread = {name: float(losses[name].std()) for name in ("KNN", "AC", "CC")}
    text = ", ".join(f"{name} {value:.3f}" for name, value in spread.items())
    return verdict(spread["KNN"] < spread["AC"], spread["KNN"] < spread["CC"]), f"standard deviation of AE: {text}"


def _wins_against_the_pivot(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    pivot, cases = losses["PWK-alpha"], []
    for name in losses:
        if name in WEIGHTED:
            continue
        gaps = _rounded(losses[name] - pivot)
        for index in range(gaps.shape[1]):
            column = gaps[:, index]
            if (column > 0).sum() < (column < 0).sum() and column.mean() < 0:
                cases.append(f"{name} at {index / 10:.0%}")
    return verdict(
        "CC at 10%" in cases, set(cases) <= {"CC at 10%"}
    ), f"{', '.join(cases[:6]) or 'none'}{f' and {len(cases) - 6} more' if len(cases) > 6 else ''}"


def _low_and_high_prevalences(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    gaps = (losses["PWK"] - losses["PWK-alpha"]).mean(axis=0)
    low, high = float(gaps[:5].mean()), float(gaps[6:].mean())
    text = f"PWK's AE minus PWK-alpha's: {low:+.4f} below 50%, {high:+.4f} above"
    return verdict(low > _NOTICEABLE, high < -_NOTICEABLE), text


def _against_the_pivot(losses: Mapping[str, FloatArray], names: Sequence[str], chosen: slice) -> tuple[FloatArray, FloatArray]:
    """(DWL of PWK-alpha and each method, mean AE of each method) at these of the 11 prevalences, lower is better."""
    gaps = [_rounded(losses[name] - losses["PWK-alpha"])[:, chosen] for name in names]
    return np.array([np.sign(one).sum() for one in gaps]), np.array([losses[name][:, chosen].mean() for name in names])


LOW, HIGH = slice(0, 5), slice(6, 11)
"""Prevalences below and above 50%."""


def _correction_by_prevalence(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    low, high = (np.stack(_against_the_pivot(losses, ("CC", "AC"), part)) for part in (LOW, HIGH))
    text = "; ".join(
        f"{where}: CC {dwl[0]:+.0f}, {errors[0]:.1%}, AC {dwl[1]:+.0f}, {errors[1]:.1%}"
        for where, (dwl, errors) in (("below 50%", low), ("above", high))
    )
    return verdict(*(low[:, 0] < low[:, 1]), *(high[:, 0] > high[:, 1])), f"DWL and mean AE {text}"


def _max_and_x_by_prevalence(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    low, high = (float((losses["X"] - losses["Max"])[:, part].mean()) for part in (LOW, HIGH))
    return verdict(low > 0, high < low), f"X's AE minus Max's: {low:+.4f} below 50%, {high:+.4f} above"


def _max_and_x_above_40(results: ThesisResults) -> Judgement:
    names = ("Max", "X", "CC", "AC")
    dwl, errors = _against_the_pivot(results.losses(5), names, slice(5, 11))
    text = "; ".join(f"{name} {one:+.0f}, {error:.1%}" for name, one, error in zip(names, dwl, errors, strict=True))
    return verdict(max(dwl[:2]) < min(dwl[2:]), max(errors[:2]) < min(errors[2:])), f"DWL and mean AE: {text}"


def _extreme_prevalences(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    wins = {
        name: np.array([_against_the_pivot(losses, [name], slice(i, i + 1))[0][0] for i in range(11)]) for name in ("T50", "MS")
    }
    text = ", ".join(f"{name} {dwl.min():+.0f} at {dwl.argmin() / 10:.0%}" for name, dwl in wins.items())
    return verdict(wins["T50"].argmin() == 0, wins["MS"].argmin() == 10), f"lowest DWL: {text}"


def _neighbours_at_low_prevalences(results: ThesisResults) -> Judgement:
    names = ("KNN", *(name for name in FORMAN if name != "CC"))
    dwl, _ = _against_the_pivot(results.losses(5), names, slice(0, 3))
    text = ", ".join(f"{name} {one:+.0f}" for name, one in zip(names, dwl, strict=True))
    return verdict(dwl[0] < min(dwl[1:])), f"DWL at 0% to 20%: {text}"


def _counting_at_10_and_20(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    names = [name for name in losses if name not in WEIGHTED]
    best = [[name for name, one in zip(names, dwl, strict=True) if one == dwl.min()]
            for dwl in (_against_the_pivot(losses, names, slice(i, i + 1))[0] for i in (1, 2))]  # fmt: skip
    text = ", ".join(f"{' and '.join(first)} at {share}" for share, first in zip(("10%", "20%"), best, strict=True))
    return verdict(*(first == ["CC"] for first in best)), f"lowest DWL: {text}"


def _lower_than_the_pivot(results: ThesisResults) -> Judgement:
    losses = results.losses(5)
    means = {name: _rounded((one - losses["PWK-alpha"]).mean(axis=0)) for name, one in losses.items()}
    lower = {name: [str(10 * i) for i in np.flatnonzero(one < 0)] for name, one in means.items() if (one < 0).any()}
    text = ", ".join(f"{name} at {', '.join(at)}%" for name, at in lower.items()) or "none"
    only_high = all(int(share) > 50 for share in lower.get("PWK", ()))
    return verdict(not set(lower) - {"PWK"}, only_high), f"lower than PWK-alpha's: {text}"


def _nas_ranks_alike(results: ThesisResults) -> Judgement:
    shares = np.arange(11) / 10
    largest = np.maximum(shares, 1.0 - shares)
    losses = np.stack([*results.losses(6).values()], axis=-1)
    by_ae, by_nas = (
        np.stack([rankdata(_rounded(one), axis=1) for one in values]) for values in (losses, losses / largest[:, None])
    )
    n_differ = int((by_ae != by_nas).any(axis=-1).sum())
    return verdict(n_differ == 0), f"{n_differ} of {by_ae.shape[0] * by_ae.shape[1]} cases differ"


def _training_prevalence(results: ThesisResults) -> Judgement:
    losses, problems = results.losses(5), results.problems(5)
    shares = [results.prevalences[one] for one in problems]
    tests = {name: spearmanr(shares, losses[name].mean(axis=1)) for name in ("AC", "Max", "KNN", "PWK-alpha")}
    text = ", ".join(f"{name} {test.statistic:+.2f} (p {test.pvalue:.2f})" for name, test in tests.items())
    return verdict(*(test.pvalue > _LEVEL for test in tests.values())), f"Spearman correlation with AE: {text}"


def _only_t50_differs(results: ThesisResults) -> Judgement:
    ranks, distance = results.ranks(6), results.distance(6)
    pairs = [(a, b) for a in ranks.index for b in ranks.index if ranks[b] - ranks[a] > distance]
    behind = {b: ", ".join(a for a, worse in pairs if worse == b) for _, b in pairs}
    text = "; ".join(f"{better} ahead of {b}" for b, better in behind.items()) or "no pair"
    return (HOLDS if pairs == [("Max", "T50")] else verdict(("Max", "T50") in pairs, len(pairs) <= 1)), text


def _t50_behind(results: ThesisResults) -> Judgement:
    result, text = _gaps(results, 6, "Q2", ("T50",), "KLD")
    return verdict(bool(result)), text


def _others_behind(results: ThesisResults) -> Judgement:
    result, _ = _gaps(results, 6, "Q2", [name for name in CHAPTER_6 if name not in ("Q2", "T50")], "KLD")
    behind = _gaps(results, 6, "Q2", result, "KLD")[1] if result else f"none; CD {results.distance(6):.2f}"
    return verdict(not result), behind


def _ahead_of_t50(results: ThesisResults) -> Judgement:
    ranks, distance = results.ranks(6, "KLD"), results.distance(6)
    gaps = {name: ranks["T50"] - ranks[name] for name in ("Q1", "Max", "NAS")}
    text = ", ".join(f"{name} {gap:.2f}" for name, gap in gaps.items())
    return verdict(*(gap > distance for gap in gaps.values())), f"ahead of T50: {text}; CD {distance:.2f}"


def _larger_outliers(results: ThesisResults) -> Judgement:
    losses = results.losses(6, "KLD")
    largest = {name: float(losses[name].max()) for name in ("Max", "MS", "Q0.5", "Q1", "Q2")}
    most = max(largest[name] for name in ("Q0.5", "Q1", "Q2"))
    text = ", ".join(f"{name} {value:.2f}" for name, value in largest.items())
    return verdict(largest["Max"] > most, largest["MS"] > most), f"largest KLD: {text}"


def _no_extremes(results: ThesisResults) -> Judgement:
    largest = {name: float(losses.max()) for name, losses in results.losses(6).items() if name in ("Q0.5", "Q1", "Q2", "NAS")}
    text = ", ".join(f"{name} {value:.0%}" for name, value in largest.items())
    below = [largest[name] <= 0.7 for name in ("Q0.5", "Q1", "Q2")]
    return verdict(*below, largest["NAS"] > max(largest[name] for name in ("Q0.5", "Q1", "Q2"))), f"largest AE: {text}"


def _better_than_nas(results: ThesisResults) -> Judgement:
    parts, better = [], []
    for loss in ("AE", "KLD"):
        ranks = results.ranks(6, loss)
        better += [ranks[name] < ranks["NAS"] for name in ("Q1", "Q2")]
        parts.append(f"{loss}: Q1 {ranks['Q1']:.2f}, Q2 {ranks['Q2']:.2f}, NAS {ranks['NAS']:.2f}")
    return verdict(*better), "; ".join(parts)


def _learners_beside_max(results: ThesisResults) -> Judgement:
    ranks = results.ranks(6)
    first = ranks.index[:4]
    return verdict({"Q1", "Q2", "Max"} <= set(first), "Max" in first), named(ranks[:4])


def _same_by_kld(results: ThesisResults) -> Judgement:
    ae, kld = results.ranks(5), results.ranks(5, "KLD")
    others = [name for name in ae.index if name not in ("T50", "BL")]
    correlation = float(spearmanr(ae[others], kld[others]).statistic)
    text = f"{named(kld[:4])}; rank correlation with AE {correlation:.2f}"
    return verdict(correlation > 0.8, set(kld.index[:2]) == set(WEIGHTED)), text


_AT_THE_EDGE = "It depends on the seed."

CLAIMS = (
    Claim(
        "Three quarters of the errors of PWK and PWK-alpha are below 15%, all below 45%.",
        "5.3.1",
        _compact_errors,
        "The one or two cases above are the smallest classes, where a fold holds five positives.",
    ),
    Claim("CC and AC err by up to 100%.", "5.3.1", lambda results: _extreme_errors(results, 5)),
    Claim("Most methods have a median AE of about 5%.", "5.3.1", _median_errors),
    Claim("T50 is the worst threshold policy.", "5.3.1", lambda results: _worst_policy(results, 5)),
    Claim("Max is the best threshold policy.", "5.3.4", _best_policy),
    Claim("PWK-alpha and PWK rank first by AE.", "5.3.2", lambda results: _first_two(results, 5, WEIGHTED)),
    Claim("PWK-alpha is significantly better than CC, AC, MS, T50, BL.", "5.3.2, 7.1.2", _better_than, _AT_THE_EDGE),
    Claim("PWK-alpha is level with PWK, KNN, Max and X.", "5.3.2", _level_with),
    Claim("AC and T50 are not significantly better than BL.", "5.3.2", _level_with_baseline, _AT_THE_EDGE),
    Claim("KLD gives almost the same conclusions, except for T50 and BL.", "5.3.3", _same_by_kld),
    Claim("KNN's errors vary less than AC's and CC's.", "5.3.5", _neighbours_steadier),
    Claim(
        "PWK aside, only CC at 10% beats PWK-alpha in wins and mean AE.",
        "5.3.5",
        _wins_against_the_pivot,
        "Leaning towards the majority class helps at low prevalences.",
    ),
    Claim(
        "No method has a lower mean AE than PWK-alpha, except PWK above 50%.",
        "5.3.5",
        _lower_than_the_pivot,
        "No other method has.",
    ),
    Claim(
        "PWK and PWK-alpha aside, CC wins most at 10% and 20%.",
        "5.3.5",
        _counting_at_10_and_20,
        "KNN leans the same way.",
    ),
    Claim("In wins and mean AE, AC beats CC above 50% and loses below.", "5.3.5", _correction_by_prevalence),
    Claim("Max errs less than X below 50%; above, X catches up.", "5.3.5", _max_and_x_by_prevalence),
    Claim(
        "Above 40%, Max and X beat CC and AC in wins and mean AE.",
        "5.3.5",
        _max_and_x_above_40,
        "CC errs much on only a few data sets.",
    ),
    Claim("T50 wins most often at 0%, MS at 100%.", "5.3.5", _extreme_prevalences),
    Claim("Below 30%, KNN wins more often than AC and the threshold policies.", "5.3.5", _neighbours_at_low_prevalences),
    Claim(
        "PWK-alpha is better at low prevalences, PWK at high ones.",
        "5.3.5",
        _low_and_high_prevalences,
        "Differences below 0.001 count as none.",
    ),
    Claim(
        "The training prevalence does not influence AC, Max, KNN and PWK-alpha.",
        "5.3.5",
        _training_prevalence,
        "The rare classes are also the hardest.",
    ),
    Claim(
        "Max and Q2 rank first by AE.",
        "6.5.1",
        lambda results: _first_two(results, 6, ("Max", "Q2")),
        "Q1 and NAS come between them.",
    ),
    Claim("AE and NAS rank any two methods alike.", "6.5.1", _nas_ranks_alike),
    Claim(
        "By AE, only Max and T50 differ significantly.",
        "6.5.1",
        _only_t50_differs,
        "Whether Q2 is also ahead of X, MS or AC depends on the seed.",
    ),
    Claim("CC and AC err by up to 100%.", "6.5.1", lambda results: _extreme_errors(results, 6)),
    Claim("T50 is the worst threshold policy.", "6.5.1", lambda results: _worst_policy(results, 6)),
    Claim("Q0.5, Q1 and Q2 have no errors above 70%; NAS is less stable.", "6.5.1", _no_extremes),
    Claim("Q2 ranks first by KLD.", "6.5.2", lambda results: _first_two(results, 6, ("Q2",), "KLD")),
    Claim("By KLD, Q2 is significantly better than T50.", "6.5.2", _t50_behind),
    Claim(
        "By KLD, Q2 is significantly better than no other method.",
        "6.5.2",
        _others_behind,
        "With raw features, the threshold policies need their fallback far more often.",
    ),
    Claim("By KLD, Q1, Max and NAS are significantly better than T50, too.", "6.5.2", _ahead_of_t50),
    Claim("By KLD, Max and MS have larger outliers than Q0.5, Q1 and Q2.", "6.5.2", _larger_outliers),
    Claim(
        "Those that learn to count lead by AE, with Max.",
        "6.5.3",
        _learners_beside_max,
        "With LIBLINEAR's SVM, X and MS rank among them.",
    ),
    Claim("Q1 and Q2 are better than NAS, by AE and by KLD.", "6.5.3", _better_than_nas),
)
