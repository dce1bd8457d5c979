"""A reference to a data set: where it comes from and what it is called there; what a page, a link and a script pass around."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from qcore._base.validation import InvalidInput

BUNDLED: Final = "bundled"


@dataclass(frozen=True)
class DatasetReference:
    """A data set by its source and its name there; `str` of it is the word that a link and `load_dataset` take.

    Attributes
    ----------
    source : "bundled", or a key of SOURCES, such as "keel".
    name : such as "waveform", "magic", "letter.csv.gz".
    owner : of a private data set, which no other owner can load; never written out.

    Examples
    --------
    >>> str(DatasetReference("bundled", "iris")), str(DatasetReference.parse("keel:magic"))
    ('iris', 'keel:magic')
    """

    source: str
    name: str
    owner: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.name if self.source == BUNDLED else f"{self.source}:{self.name}"

    @classmethod
    def parse(cls, word: str) -> DatasetReference:
        """The reference that a word says. Raises InvalidInput for an empty one."""
        source, colon, name = word.partition(":")
        if not word or (colon and not name):
            raise InvalidInput(
                "data set", "be a name, or a source and a name there", repr(word), "Such as iris, or keel:magic."
            )
        return cls(source, name) if colon else cls(BUNDLED, word)
