"""The quantifiers as the papers say them: one sample at a time, plain loops. The yardstick of the property tests."""

from statistics import median

from tests.qcore import slow_matching


def share(scores, threshold):
    return sum(score >= threshold for score in scores) / len(scores)


def clip(value):
    return min(1.0, max(0.0, value))


def adjusted(count, tpr, fpr):
    return clip(count) if abs(tpr - fpr) <= 1e-12 else clip((count - fpr) / (tpr - fpr))


def rates(scores, labels):
    positives = [s for s, y in zip(scores, labels, strict=True) if y == 1]
    negatives = [s for s, y in zip(scores, labels, strict=True) if y == 0]
    table = [(t, share(positives, t), share(negatives, t)) for t in sorted(set(scores))]
    return positives, negatives, [(t, tpr, fpr) for t, tpr, fpr in table if tpr > fpr + 1e-12]


def at_policy(sample, candidates, criterion):
    if not candidates:
        return share(sample, 0.5)
    best = min(criterion(tpr, fpr) for _, tpr, fpr in candidates)
    t, tpr, fpr = next(c for c in candidates if criterion(c[1], c[2]) <= best + 1e-12)
    return adjusted(share(sample, t), tpr, fpr)


def median_sweep(candidates, sample, least_gap):
    """The median of the adjusted counts at all thresholds whose rates are so far apart, or None."""
    swept = [adjusted(share(sample, t), tpr, fpr) for t, tpr, fpr in candidates if tpr - fpr >= least_gap - 1e-12]
    return median(swept) if swept else None


def adjusted_count(positives, negatives, sample, threshold=0.5):
    """The share of scores at or above the threshold, with the rates there taken out."""
    return adjusted(share(sample, threshold), share(positives, threshold), share(negatives, threshold))


def estimates(scores, labels, sample):
    """Key -> estimate of the positive prevalence of one sample."""
    positives, negatives, candidates = rates(scores, labels)
    policies = {
        "X": lambda tpr, fpr: abs(1 - tpr - fpr),
        "Max": lambda tpr, fpr: -(tpr - fpr),
        "T50": lambda tpr, fpr: abs(tpr - 0.5),
    }
    result = {name: at_policy(sample, candidates, criterion) for name, criterion in policies.items()}
    swept = median_sweep(candidates, sample, 0.25)
    means = [sum(values) / len(values) for values in (sample, positives, negatives)]
    prevalence = sum(labels) / len(labels)
    result |= {f"DyS-{d}": slow_matching.dys(positives, negatives, sample, d)[0] for d in slow_matching.DISTANCES}
    return result | {
        "EMQ": slow_matching.emq(sample, prevalence),
        "EMQ-5": slow_matching.emq_steps(sample, prevalence, 5),
        "HDy": slow_matching.hdy(positives, negatives, sample),
        "SORD": slow_matching.sord(positives, negatives, sample),
        "MM": slow_matching.ordinal_weight(positives, negatives, sample, 100),
        "EDy": slow_matching.energy(positives, negatives, sample),
        "KDEy-ML": slow_matching.kernel_likelihood(positives, negatives, sample, prevalence, 0.1),
        "FM": adjusted_count(positives, negatives, sample, prevalence),
        "BL": prevalence,
        "CC": share(sample, 0.5),
        "AC": adjusted_count(positives, negatives, sample),
        "PCC": means[0],
        "PACC": adjusted(*means),
        "MS": result["Max"] if swept is None else swept,
    }
