"""What the page "Data sets" computes."""

import pandas as pd

from pages.pipeline import dataset
from pages.work.answers import shared
from qcore import DatasetReference, InvalidInput
from qcore.studies import shown_instances as projections


@shared
def facts(data: DatasetReference) -> dict[str, object]:
    """Name, numbers of rows, features and classes, shares of the classes, rarest first; empty for a file without a data set."""
    try:
        loaded = dataset(data)
    except InvalidInput:
        # A file of the folder that holds no data set, such as a list of the others.
        return {}
    shares = sorted(count / len(loaded.labels) for count in loaded.class_counts.values())
    numbers = {"rows": loaded.features.shape[0], "features": loaded.features.shape[1], "classes": len(loaded.classes)}
    return {"name": loaded.name, **numbers, "rarest": shares[0], "shares": shares}


@shared
def projection(data: DatasetReference, seed: int) -> tuple[pd.DataFrame, float]:
    """The data set in two dimensions, and the share of the variance that they hold."""
    return projections.projection(dataset(data), seed)


@shared
def feature_table(data: DatasetReference) -> pd.DataFrame:
    """A table that describes the features of the data set."""
    return projections.feature_table(dataset(data))
