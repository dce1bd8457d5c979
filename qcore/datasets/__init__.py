"""Data sets: a frozen record for each, references to them, and their sources."""

from qcore.datasets.catalog import DATASETS, SOURCES, load_dataset
from qcore.datasets.dataset import Dataset, DatasetReference, check_dataset
from qcore.datasets.folder import read_dataset
from qcore.datasets.user_tables import read_scores, read_texts, scores_dataset

__all__ = [
    "DATASETS",
    "SOURCES",
    "Dataset",
    "DatasetReference",
    "check_dataset",
    "load_dataset",
    "read_dataset",
    "read_scores",
    "read_texts",
    "scores_dataset",
]
