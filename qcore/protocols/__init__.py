"""Protocols: which samples to draw from a pool's labels, to see a quantifier under shift (registry PROTOCOLS)."""

from qcore.protocols.artificial_prevalence import ArtificialPrevalence, SimplexPrevalence, SizeGrid, largest_grid, n_prevalences
from qcore.protocols.catalog import PROTOCOLS, ProtocolEntry
from qcore.protocols.given_samples import GivenSamples, SamplesFromFolder
from qcore.protocols.pool import PoolTooSmall, SamplingProtocol
from qcore.protocols.prevalence_path import PrevalencePath
from qcore.protocols.random_prevalence import BetaPrevalence, NaturalPrevalence, UniformPrevalence
from qcore.protocols.samples import Samples

__all__ = [
    "PROTOCOLS",
    "ArtificialPrevalence",
    "BetaPrevalence",
    "GivenSamples",
    "NaturalPrevalence",
    "PoolTooSmall",
    "PrevalencePath",
    "ProtocolEntry",
    "Samples",
    "SamplesFromFolder",
    "SamplingProtocol",
    "SimplexPrevalence",
    "SizeGrid",
    "UniformPrevalence",
    "largest_grid",
    "n_prevalences",
]
