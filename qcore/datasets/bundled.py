"""The UCI data sets that scikit-learn ships: iris, wine, wdbc, digits."""

import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from qcore.datasets.dataset import Dataset
from qcore.datasets.preparation import as_labels


def iris() -> Dataset:
    """Iris Plants: 150 instances, 4 features, 3 classes (Barranquero 2013, Table 5.2: iris.1-3)."""
    bunch = load_iris(as_frame=True)
    return Dataset(
        key="iris",
        name="Iris Plants",
        features=bunch.data,
        labels=as_labels(bunch.target_names[bunch.target]),
        description="150 iris flowers, 4 lengths and widths of petal and sepal each; which of 3 species is it?",
        source="UCI Machine Learning Repository, data set 53 (Fisher's values, which differ from UCI's copy in 2 rows)",
        citation="Fisher, R. A. (1936). Iris. UCI Machine Learning Repository. doi:10.24432/C56C76",
        default_positive="virginica",
    )


def wine() -> Dataset:
    """Wine Recognition: 178 instances, 13 features, 3 classes (Barranquero 2013, Table 5.2: wine.1-3)."""
    bunch = load_wine(as_frame=True)
    return Dataset(
        key="wine",
        name="Wine Recognition",
        features=bunch.data,
        labels=as_labels((bunch.target + 1).to_numpy()),
        description="178 Italian wines, 13 chemical measurements each; which of 3 cultivars were they made from?",
        source="UCI Machine Learning Repository, data set 109",
        citation="Aeberhard, S. & Forina, M. (1992). Wine. UCI Machine Learning Repository. doi:10.24432/C5PC7J",
        default_positive="2",
        order=(),
    )


def wdbc() -> Dataset:
    """Wisconsin Diagnostic Breast Cancer: 569 instances, 30 features, 212 malignant (Barranquero 2013, Table 5.2: wdbc)."""
    bunch = load_breast_cancer(as_frame=True)
    return Dataset(
        key="wdbc",
        name="Breast Cancer Wisconsin (Diagnostic)",
        features=bunch.data,
        labels=as_labels(bunch.target_names[bunch.target]),
        description="569 breast masses, 30 measurements of cell nuclei each; is the mass malignant?",
        source="UCI Machine Learning Repository, data set 17",
        citation="Wolberg, W., Mangasarian, O., Street, N. & Street, W. (1993). Breast Cancer Wisconsin (Diagnostic). "
        "UCI Machine Learning Repository. doi:10.24432/C5DW2B",
        default_positive="malignant",
    )


def digits() -> Dataset:
    """Optical Recognition of Handwritten Digits, test part: 1797 images of 8 x 8 pixels, 10 classes."""
    bunch = load_digits()
    return Dataset(
        key="digits",
        name="Optical Recognition of Handwritten Digits",
        features=pd.DataFrame(bunch.data, columns=bunch.feature_names),
        labels=as_labels(bunch.target),
        description="1,797 handwritten digits as images of 8 x 8 pixels; which digit is it?",
        source="UCI Machine Learning Repository, data set 80 (its test part)",
        citation="Alpaydin, E. & Kaynak, C. (1998). Optical Recognition of Handwritten Digits. "
        "UCI Machine Learning Repository. doi:10.24432/C50P49",
        default_positive="8",
        order=(),
    )
