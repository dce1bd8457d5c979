"""The texts of "Recommender": how it learns, and what its metafeatures are."""

from __future__ import annotations

import streamlit as st

_TEXT = r"""
The training half is halved once more. On one part the classifier and the candidates are trained; from the other, samples of
each size and prevalence are drawn. Each sample gives one row: its *metafeatures*, and which candidate had the least AE
(|estimate - truth|; of equal ones the candidate that errs less over all rows). A random forest of 200 trees learns the rows.
For the test, classifier and candidates are trained anew on the whole training half; for each sample from the test half the
forest names a candidate from the sample's metafeatures alone, and that candidate's estimate is taken.

The metafeatures, for a sample of $m$ instances with attributes $x_1, \dots, x_d$ (nominal ones as a column of 0 and 1 for each
value):

- **size**: $m$
- **coefficient of variation**: the mean over attributes of standard deviation / |mean|
- **kurtosis** (excess) and **skewness**: their means over attributes
- **correlation**: the mean of $|r|$ over all pairs of attributes
- **DyS distance**: the least probabilistic symmetric distance between the sample's histogram of scores and a mixture of the
  training classes' (the median over 2, 4, ..., 20 bins)

Attributes that are constant in the sample are left out. Correlation, kurtosis and DyS distance change with the size by
themselves, so that a forest that sees them needs the size less. A metafeature *decides* if shuffling it over the samples
changes the recommendations.

:small[Source: Maletzke, Hassan, dos Reis and Batista 2020, section 5, which names the metafeatures without formulas.]
"""


def how_it_works() -> None:
    """Draw the section on how the recommender learns, and what its metafeatures are."""
    st.markdown(_TEXT)
