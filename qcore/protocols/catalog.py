"""The registry of protocols. To add one, write its own file and one entry here."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qcore._base.registry import Entry, registry
from qcore._base.validation import IntArray, InvalidInput, check_choice
from qcore.protocols.artificial_prevalence import ArtificialPrevalence, SimplexPrevalence
from qcore.protocols.pool import SamplingProtocol
from qcore.protocols.random_prevalence import BetaPrevalence, NaturalPrevalence, UniformPrevalence
from qcore.protocols.samples import Samples


@dataclass(frozen=True)
class ProtocolEntry(Entry):
    """A protocol: `make(sample_size)` returns it with its other parameters at their defaults.

    `takes_all_classes` says whether it works for any number of classes, or only for two.

    Examples
    --------
    >>> PROTOCOLS["APP"].make(100)
    ArtificialPrevalence(grid=21, sample_size=100, repeats=100)
    """

    make: Callable[[int], SamplingProtocol]
    takes_all_classes: bool


PROTOCOLS = registry(
    ProtocolEntry(
        key="APP",
        name="Artificial-prevalence protocol",
        also_called=("ArtificialPrevalenceProtocol",),
        make=lambda sample_size: ArtificialPrevalence(sample_size=sample_size),
        idea="the same number of samples at each of several equally spaced prevalences",
        source="Forman 2008; Maletzke et al. 2020, algorithm 1",
        takes_all_classes=False,
    ),
    ProtocolEntry(
        key="APP on the simplex",
        name="Artificial-prevalence protocol for any number of classes",
        make=lambda sample_size: SimplexPrevalence(sample_size=sample_size),
        idea="the same number of samples at each prevalence vector of a grid",
        source="QuaPy, evaluation page",
        takes_all_classes=True,
    ),
    ProtocolEntry(
        key="UPP",
        name="Uniform-prevalence protocol",
        also_called=("UniformPrevalenceProtocol", "USimplexPP"),
        make=lambda sample_size: UniformPrevalence(sample_size=sample_size),
        idea="prevalence vectors drawn uniformly from the simplex",
        source="Esuli et al. 2023; QuaPy, evaluation page",
        takes_all_classes=True,
    ),
    ProtocolEntry(
        key="NPP",
        name="Natural-prevalence protocol",
        also_called=("NaturalPrevalenceProtocol",),
        make=lambda sample_size: NaturalPrevalence(sample_size=sample_size),
        idea="uniform random samples, whose prevalence stays near the pool's",
        source="QuaPy, evaluation page",
        takes_all_classes=True,
    ),
    ProtocolEntry(
        key="Beta",
        name="Beta-distributed prevalence",
        make=lambda sample_size: BetaPrevalence(sample_size=sample_size),
        idea="prevalences drawn from a Beta density, for example one with rare positives",
        source="Barranquero 2013, 4.3",
        takes_all_classes=False,
    ),
)


def draw_samples(protocol: SamplingProtocol, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
    """The samples of a protocol. Raises InvalidInput for another object, and if it draws samples of several sizes."""
    if isinstance(protocol, str):
        check_choice("protocol", protocol, PROTOCOLS)
        hint = f"Write {PROTOCOLS[protocol].make(100)!r}."
        raise InvalidInput("protocol", "be an object that draws samples", repr(protocol), hint)
    can_draw = hasattr(protocol, "draw") and not isinstance(protocol, type)
    samples = protocol.draw(pool_labels, rng) if can_draw else None
    if not isinstance(samples, Samples):
        hint = "Pass one such as ArtificialPrevalence(21, 100, 100); for several sizes, one after the other."
        raise InvalidInput("protocol", "draw samples of one size", repr(protocol)[:60], hint)
    return samples
