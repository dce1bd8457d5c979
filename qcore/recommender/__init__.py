"""MLQ: a recommender that learns which quantifier to take for each sample, and how well it does."""

from qcore.recommender.mlq import Recommender, RecommenderResult, recommend

__all__ = ["Recommender", "RecommenderResult", "recommend"]
