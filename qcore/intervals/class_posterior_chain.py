"""Chains that draw the posterior of several classes' shares where weighted draws do not: Gibbs, and moves along the ridge."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray

_CHAINS: Final = 400
_SWEEPS: Final = (40, 60)
"""Sweeps that are left out, and sweeps of which every sixth is kept."""
_EVERY: Final = 6
_MOVES: Final = 3
"""Moves of both kinds after each sweep: they cost little beside it."""
_STEPS: Final = (-4.0, 1.4)
"""Logarithms of the least and the largest standard deviation of a step of log odds, 0.02 and 4."""
_TINY: Final = 1e-300
"""Draws that underflow are this, so that they have a logarithm."""


@dataclass(frozen=True)
class CountsOfClasses:
    """Labelled instances by true and predicted class, (k, k), the sample's by predicted class, (k,), and the shares' prior."""

    labelled: IntArray
    found: IntArray
    concentration: float


@dataclass(frozen=True)
class _Chains:
    """States of all chains: shares (n, k) and rates (n, k, k), changed in place."""

    shares: FloatArray
    rates: FloatArray


def random_shares(parameters: ArrayLike, shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    """Draws of Dirichlet distributions, whose parameters broadcast to the shape; none is exactly 0."""
    drawn = np.maximum(rng.standard_gamma(np.broadcast_to(parameters, shape)), _TINY)
    return drawn / drawn.sum(axis=-1, keepdims=True)


def chain_draws(
    model: CountsOfClasses, shares: FloatArray, rates: FloatArray, weights: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Draws of the shares, (4000, k), by chains that start from weighted draws of shares (n, k) and rates (n, k, k).

    Each sweep draws the true classes of the sample's instances, then rates and shares given these (Gibbs). With a large sample
    its steps are short, since the true classes nearly determine the shares. So two moves follow which leave the predicted
    shares, and with them the likelihood of the sample, as they are: `_move_share` and `_move_rates`.
    """
    start = rng.choice(len(weights), _CHAINS, p=weights)
    chains, kept = _Chains(shares[start], rates[start]), []
    for sweep in range(sum(_SWEEPS)):
        _sweep(chains, model, rng)
        for _ in range(_MOVES):
            _move_share(chains, model, rng)
            _move_rates(chains, model, rng)
        if sweep >= _SWEEPS[0] and (sweep - _SWEEPS[0]) % _EVERY == 0:
            kept.append(chains.shares.copy())
    return np.concatenate(kept)


def _sweep(chains: _Chains, model: CountsOfClasses, rng: np.random.Generator) -> None:
    joint = chains.shares[:, :, np.newaxis] * chains.rates + _TINY
    of_true = (joint / joint.sum(axis=1, keepdims=True)).transpose(0, 2, 1)
    true = rng.multinomial(model.found, of_true).transpose(0, 2, 1)
    chains.rates[:] = random_shares(model.labelled + 1.0 + true, true.shape, rng)
    chains.shares[:] = random_shares(model.concentration + true.sum(axis=2), chains.shares.shape, rng)


def _two_classes(n: int, k: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """A class of each of n chains, and another one."""
    first = rng.integers(k, size=n)
    return first, (first + rng.integers(1, k, size=n)) % k


def _move_share(chains: _Chains, model: CountsOfClasses, rng: np.random.Generator) -> None:
    """A step of one class's log odds; the others keep their proportions, and the rates of one of them make up for it."""
    p, n, k, alpha = chains.shares, *chains.shares.shape, model.concentration
    rows, (moved, making_up) = np.arange(n), _two_classes(n, k, rng)
    old = p[rows, moved]
    scale = np.exp(rng.uniform(*_STEPS, size=n))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        odds = old / (1.0 - old) * np.exp(scale * rng.normal(size=n))
        new = odds / (1.0 + odds)
        shares = p * ((1.0 - new) / (1.0 - old))[:, np.newaxis]
        shares[rows, moved] = new
        change = np.einsum("ni,nij->nj", p - shares, chains.rates)
        before, share = chains.rates[rows, making_up], shares[rows, making_up]
        # The predicted shares stay the same: those of the other classes have changed by minus this.
        after = before + change / share[:, np.newaxis]
        ratio = alpha * np.log(new / old) + (k - 1) * alpha * np.log((1.0 - new) / (1.0 - old))
        # Given the predicted shares, the density of these rates has the factor share^-(k - 1).
        ratio -= (k - 1) * np.log(share / p[rows, making_up])
        ratio += _log_ratio(model.labelled[making_up], before, after)
        taken = np.log(rng.uniform(size=n)) < ratio
    p[taken] = shares[taken]
    chains.rates[rows[taken], making_up[taken]] = after[taken]


def _move_rates(chains: _Chains, model: CountsOfClasses, rng: np.random.Generator) -> None:
    """Rates of one class as its labelled instances alone tell them; those of another class make up for it."""
    p, n, k = chains.shares, *chains.shares.shape
    rows, (moved, making_up) = np.arange(n), _two_classes(n, k, rng)
    fresh = random_shares(model.labelled[moved] + 1.0, (n, k), rng)
    before = chains.rates[rows, making_up]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        weight = (p[rows, moved] / p[rows, making_up])[:, np.newaxis]
        after = before - weight * (fresh - chains.rates[rows, moved])
        taken = np.log(rng.uniform(size=n)) < _log_ratio(model.labelled[making_up], before, after)
    chains.rates[rows[taken], moved[taken]] = fresh[taken]
    chains.rates[rows[taken], making_up[taken]] = after[taken]


def _log_ratio(labelled: IntArray, before: FloatArray, after: FloatArray) -> FloatArray:
    """Log of the ratio of the densities of rates, (n, k) each, given labelled instances; minus infinity if one is negative."""
    possible = (after > 0.0).all(axis=1)
    ratio: FloatArray = (labelled * (np.log(np.where(after > 0.0, after, 1.0)) - np.log(before))).sum(axis=1)
    return np.where(possible, ratio, -np.inf)
