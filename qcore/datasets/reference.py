"""A reference to a data set: its source and its name there. Pages, links and scripts pass references around."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from qcore._base.validation import InvalidInput, check_kind

BUNDLED: Final = "bundled"


@dataclass(frozen=True)
class DatasetReference:
    """A data set by its source and its name there; as a string, it is the word used in links and by `load_dataset`.

    Attributes
    ----------
    source : "bundled", or a key of SOURCES, such as "keel".
    name : such as "waveform", "magic", "letter.csv.gz".
    owner : the owner of a private data set, who alone can load it; never written out.

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
        """The reference that a word spells. Raises InvalidInput if `word` is not a string, is empty or ends after the colon."""
        check_kind("data set", word, str, "Write for example 'iris', or 'keel:magic'.")
        source, colon, name = word.partition(":")
        if not word or (colon and not name):
            raise InvalidInput(
                "data set", "be a name, or a source and a name there", repr(word), "Write for example iris, or keel:magic."
            )
        return cls(source, name) if colon else cls(BUNDLED, word)
