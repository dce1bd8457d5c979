"""Data sets: a frozen record each, and the registry DATASETS of those that need no network."""

from qcore.datasets.catalog import DATASETS, load_dataset
from qcore.datasets.dataset import Dataset, check_dataset

__all__ = ["DATASETS", "Dataset", "check_dataset", "load_dataset"]
