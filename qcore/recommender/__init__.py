"""MLQ: a recommender that learns which quantifier to take for each sample, and its evaluation."""

from qcore.recommender.mlq import Recommender, RecommenderResult, recommend
from qcore.recommender.sample_recommendation import SampleRecommendation, recommend_for_sample

__all__ = ["Recommender", "RecommenderResult", "SampleRecommendation", "recommend", "recommend_for_sample"]
