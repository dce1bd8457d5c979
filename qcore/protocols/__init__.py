"""Protocols: which samples to draw from a pool's labels, to see a quantifier under shift."""

from qcore.protocols.artificial import ArtificialPrevalence
from qcore.protocols.path import PrevalencePath
from qcore.protocols.pool import PoolTooSmall, SamplingProtocol
from qcore.protocols.random import BetaPrevalence, NaturalPrevalence, UniformPrevalence
from qcore.protocols.simplex import SimplexPrevalence, largest_grid, n_prevalences
from qcore.protocols.sizes import PAPERS_GRID, SizeGrid, typed_sizes

__all__ = [
    "PAPERS_GRID",
    "ArtificialPrevalence",
    "BetaPrevalence",
    "NaturalPrevalence",
    "PoolTooSmall",
    "PrevalencePath",
    "SamplingProtocol",
    "SimplexPrevalence",
    "SizeGrid",
    "UniformPrevalence",
    "largest_grid",
    "n_prevalences",
    "typed_sizes",
]
