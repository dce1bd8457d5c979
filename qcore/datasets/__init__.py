"""Data sets: a frozen record for each, references to them, and their sources."""

from qcore.datasets.catalog import DATASETS
from qcore.datasets.dataset import Dataset, check_dataset
from qcore.datasets.folder import read_dataset
from qcore.datasets.given_scores import read_scores, scores_dataset
from qcore.datasets.reference import DatasetReference
from qcore.datasets.sources import SOURCES, load_dataset

__all__ = [
    "DATASETS",
    "SOURCES",
    "Dataset",
    "DatasetReference",
    "check_dataset",
    "load_dataset",
    "read_dataset",
    "read_scores",
    "scores_dataset",
]
