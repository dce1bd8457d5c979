"""The encoder gives what scikit-learn's column transformer gives, to the last digit."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from qcore import DATASETS, load_dataset
from qcore.classifiers.feature_encoder import FeatureEncoder


def by_columns(nominal):
    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    return make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), list(nominal)), remainder=numbers
    )


def halves(features, seed=0):
    rows = np.random.default_rng(seed).permutation(len(features))
    return features.iloc[rows[::2]], features.iloc[rows[1::2]]


def same(features, nominal):
    learnt, others = halves(features)
    ours, theirs = FeatureEncoder(nominal), by_columns(nominal)
    np.testing.assert_array_equal(ours.fit_transform(learnt), theirs.fit_transform(learnt))
    np.testing.assert_array_equal(ours.transform(others), theirs.transform(others))


@pytest.mark.parametrize("name", DATASETS)
def test_bundled_data_sets(name):
    data = load_dataset(name)
    same(data.features, data.nominal)


@pytest.mark.parametrize("missing", [(), ("before",), ("after",), ("before", "after"), ("all",)])
def test_a_table_of_numbers_and_names_of_which_some_are_missing(missing):
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "whole": rng.integers(0, 9, 60),
            "colour": rng.choice(["red", "green", "blue", "?"], 60),
            "number": rng.normal(5.0, 2.0, 60),
            "constant": 3.5,
            "name": [f"only once {row}" if row % 7 == 0 else "often" for row in range(60)],
        }
    )
    learnt, others = halves(table)
    for part, rows in (("before", learnt.index[:5]), ("after", others.index[:5]), ("all", table.index)):
        if part in missing:
            table.loc[rows, "number"] = np.nan
    same(table, ("colour", "name"))


def test_names_alone():
    same(pd.DataFrame({"a": list("xyzxyzxy"), "b": list("ppqqppqq")}), ("a", "b"))
