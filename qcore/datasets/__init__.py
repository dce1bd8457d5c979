"""Data sets: a frozen record each, and the registry DATASETS of those that need no network."""

from qcore.datasets.catalog import DATASETS, load_dataset
from qcore.datasets.dataset import Dataset

__all__ = ["DATASETS", "Dataset", "load_dataset"]
