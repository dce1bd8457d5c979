"""Methods of matching and likelihood as the papers say them: one sample at a time, plain loops; for the property tests."""

from itertools import accumulate, pairwise
from math import exp, inf, log, sqrt
from statistics import median


def where_it_turns_negative(falling):
    """The root in [0, 1] of a falling function by halves, or the border outside which it lies."""
    if falling(0.0) <= 0:
        return 0.0
    if falling(1.0) >= 0:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def emq(sample, prevalence):
    """The root of the likelihood's slope, by bisection; a border where the slope points out, the start where it is flat."""

    def slope(p):
        total = 0.0
        for s in sample:
            top = s / prevalence - (1 - s) / (1 - prevalence)
            below = p * s / prevalence + (1 - p) * (1 - s) / (1 - prevalence)
            total += top / below if below else (inf if top > 0 else -inf if top < 0 else 0.0)
        return total

    if all(abs(s - prevalence) < 1e-15 for s in sample):
        return prevalence
    return where_it_turns_negative(slope)


def emq_steps(sample, prevalence, n_steps):
    p = prevalence
    for _ in range(n_steps):
        up = [(p / prevalence * s, (1 - p) / (1 - prevalence) * (1 - s)) for s in sample]
        p = sum(a / (a + b) for a, b in up) / len(sample)
    return p


def histogram(scores, n_bins, laplace=False):
    counts = [0] * n_bins
    for score in scores:
        counts[next(k for k in reversed(range(n_bins)) if k / n_bins <= score)] += 1
    if laplace:
        return [(count + 1 / n_bins) / (len(scores) + 1) for count in counts]
    return [count / len(scores) for count in counts]


def mix(weight, positives, negatives):
    return [weight * p + (1 - weight) * n for p, n in zip(positives, negatives, strict=True)]


def hdy(positives, negatives, sample, laplace=False):
    result = []
    for n_bins in range(10, 111, 10):
        p, n, q = (histogram(scores, n_bins, laplace) for scores in (positives, negatives, sample))
        # Bins that the sample leaves empty add nothing.
        bins = [(a, b, c) for a, b, c in zip(p, n, q, strict=True) if c > 0]
        affinity = [sum(sqrt((k / 100 * a + (1 - k / 100) * b) * c) for a, b, c in bins) for k in range(101)]
        result.append(next(k / 100 for k in range(101) if affinity[k] >= max(affinity) - 1e-12))
    return median(result)


def _term(value, both):
    return value * log(2 * value / both) if value > 0 else 0.0


DISTANCES = {
    "TS": lambda p, q: sum(_term(a, a + b) + _term(b, a + b) for a, b in zip(p, q, strict=True)),
    "JD": lambda p, q: sum(_term(a, a + b) + _term(b, a + b) for a, b in zip(p, q, strict=True)) / 2,
    "PS": lambda p, q: 2 * sum((a - b) ** 2 / (a + b) for a, b in zip(p, q, strict=True) if a + b > 0),
    "HD": lambda p, q: -sum(sqrt(a * b) for a, b in zip(p, q, strict=True)),
    "ORD": lambda p, q: sum(abs(a - b) for a, b in zip(accumulate(p), accumulate(q), strict=True)),
}


def _log(value, both):
    return log(2 * value / both) if value > 0 else -inf


SLOPES = {
    "TS": lambda p, q: _log(p, p + q),
    "JD": lambda p, q: _log(p, p + q) / 2,
    "PS": lambda p, q: 2 * (p - q) * (p + 3 * q) / (p + q) ** 2,
    "HD": lambda p, q: -sqrt(q / p) / 2 if p > 0 else -inf,
}
"""Derivative of a bin's term by p."""


def least_where_smooth(p, n, q, distance):
    """The minimiser, by halves on the slope; the lowest weight where no bin tells anything."""
    bins = [(a, b, c) for a, b, c in zip(p, n, q, strict=True) if abs(a - b) > 1e-14]

    def slope(weight):
        # A bin that mixture and sample leave empty changes at the rate of an empty sample bin.
        terms = [(a - b, weight * a + (1 - weight) * b, c) for a, b, c in bins]
        return sum(gap * SLOPES[distance](mixed if mixed + c > 0 else 1e-9, c) for gap, mixed, c in terms)

    if not any(c > 0 for _, _, c in bins) or slope(0.0) >= 0:
        return 0.0
    if slope(1.0) <= 0:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(34):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return (low + high) / 2


def least_ordinal_range(p, n, q, rounding=1e-12):
    """(lowest, highest) weight of the least ordinal distance, which is linear between the weights where a term is zero."""
    terms = [(a, b, c) for a, b, c in zip(accumulate(p), accumulate(n), accumulate(q), strict=True) if abs(a - b) > rounding]
    ends = {0.0, 1.0, *((c - b) / (a - b) for a, b, c in terms)}
    values = {end: sum(abs(end * a + (1 - end) * b - c) for a, b, c in terms) for end in ends if 0 <= end <= 1}
    least = [end for end, value in values.items() if value <= min(values.values()) + rounding]
    return min(least), max(least)


def dys(positives, negatives, sample, distance, laplace=False):
    """(median of the lowest minimisers, median of the highest)."""
    result = []
    for n_bins in range(2, 21, 2):
        p, n, q = (histogram(scores, n_bins, laplace) for scores in (positives, negatives, sample))
        if distance == "ORD":
            result.append(least_ordinal_range(p, n, q))
        else:
            result.append([least_where_smooth(p, n, q, distance)] * 2)
    return median(low for low, _ in result), median(high for _, high in result)


def sord(positives, negatives, sample):
    """The lowest of the points where a piece ends at which the integral is least."""
    points = sorted({*positives, *negatives, *sample})
    pieces = []
    for left, right in pairwise(points):
        f1, f0, f = (sum(score <= left for score in scores) / len(scores) for scores in (positives, negatives, sample))
        pieces.append((right - left, f1, f0, f))

    def integral(a):
        return sum(width * abs(a * f1 + (1 - a) * f0 - f) for width, f1, f0, f in pieces)

    ends = [0.0, 1.0, *((f - f0) / (f1 - f0) for _, f1, f0, f in pieces if abs(f1 - f0) > 1e-12)]
    values = {end: integral(end) for end in sorted(ends) if 0 <= end <= 1}
    return next(end for end, value in values.items() if value <= min(values.values()) + 1e-13)


def ordinal_weight(positives, negatives, sample, n_bins):
    """The lowest weight with the least ordinal distance, on one number of bins."""
    return least_ordinal_range(*(histogram(scores, n_bins) for scores in (positives, negatives, sample)))[0]


def energy(positives, negatives, sample):
    """The weight where the quadratic 2 E|X - Y| - E|X - X'| - E|Y - Y'| is least, from all pairs of scores."""

    def mean_distance(first, second):
        return sum(abs(a - b) for a in first for b in second) / (len(first) * len(second))

    pp, pn, nn = (mean_distance(*pair) for pair in ((positives, positives), (positives, negatives), (negatives, negatives)))
    ps, ns = mean_distance(positives, sample), mean_distance(negatives, sample)
    if 2 * pn - pp - nn <= 2e-12:
        return 0.0
    return min(1.0, max(0.0, (ns - ps + pn - nn) / (2 * pn - pp - nn)))


def kernel_likelihood(positives, negatives, sample, prevalence, bandwidth):
    """The weight of the largest likelihood of Gaussian kernel densities, by halves on its slope; flat: the prevalence."""

    def density(members, score):
        return sum(exp(-(((score - one) / bandwidth) ** 2) / 2) for one in members) / len(members)

    pairs = [(density(positives, s), density(negatives, s)) for s in sample]

    def slope(a):
        return sum((p - n) / (a * p + (1 - a) * n) for p, n in pairs)

    if all(abs(p - n) <= 1e-12 * max(p, n) for p, n in pairs):
        return prevalence
    return where_it_turns_negative(slope)
