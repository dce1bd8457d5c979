"""The settings of the page "Home"."""

from pages.settings.setting import percent
from qcore.base import registry

SETTINGS = registry(percent("today", "true prevalence today", 0.1).with_label("True share of 8s today", step=0.01))
