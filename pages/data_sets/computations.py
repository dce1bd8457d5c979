"""What the page "Data sets" computes."""

import pandas as pd

from pages.pipeline.scores import dataset
from pages.work.answers import shared
from qcore import DatasetReference, InvalidInput
from qcore.studies import shown_instances as projections


@shared
def facts(data: DatasetReference) -> dict[str, object]:
    """Name, numbers of rows, features and classes, and the share of the rarest class; empty for a file without a data set."""
    try:
        loaded = dataset(data)
    except InvalidInput:
        # A file of the folder that holds no data set, such as a list of the others.
        return {}
    rarest = min(loaded.class_counts.values()) / len(loaded.labels)
    n_rows, n_features = loaded.features.shape
    return {"name": loaded.name, "rows": n_rows, "features": n_features, "classes": len(loaded.classes), "rarest": rarest}


@shared
def projection(data: DatasetReference, seed: int) -> tuple[pd.DataFrame, float]:
    """The data set in two dimensions, and the share of the variance that they hold."""
    return projections.projection(dataset(data), seed)


@shared
def feature_table(data: DatasetReference) -> pd.DataFrame:
    """A table that describes the features of the data set."""
    return projections.feature_table(dataset(data))
