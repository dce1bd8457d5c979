"""UCI's repository and OpenML: any of their data sets by its number, fetched once and kept on this machine."""

from qcore.datasets.repositories.known_sets import KNOWN_SETS, KnownSet
from qcore.datasets.repositories.repository import OPENML, REPOSITORIES, UCI, Repository

__all__ = ["KNOWN_SETS", "OPENML", "REPOSITORIES", "UCI", "KnownSet", "Repository"]
