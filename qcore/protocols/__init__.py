"""Protocols: which samples to draw from a pool's labels, to see a quantifier under shift."""

from qcore.protocols.artificial import ArtificialPrevalence
from qcore.protocols.path import PrevalencePath
from qcore.protocols.pool import PoolTooSmall, SamplingProtocol
from qcore.protocols.random import BetaPrevalence, NaturalPrevalence, UniformPrevalence
from qcore.protocols.simplex import SimplexPrevalence, largest_grid, n_prevalences

__all__ = [
    "ArtificialPrevalence",
    "BetaPrevalence",
    "NaturalPrevalence",
    "PoolTooSmall",
    "PrevalencePath",
    "SamplingProtocol",
    "SimplexPrevalence",
    "UniformPrevalence",
    "largest_grid",
    "n_prevalences",
]
