"""The pages of the app, in the order of the sidebar: a page is in the app when it is listed here.

It is not `app.py` that lists them, because commands, tests and the documentation need the pages without a server.
"""

from pages.classifier import page as classifier
from pages.compare import page as compare
from pages.corrections import page as corrections
from pages.data_sets import page as data_sets
from pages.error_by_prevalence import page as error_by_prevalence
from pages.estimate import page as estimate
from pages.home import page as home
from pages.learn import page as learn
from pages.losses import page as losses
from pages.more_than_two_classes import page as more_than_two_classes
from pages.search_space import page as search_space
from pages.settings.page_declaration import PAGES as PAGES
from pages.test_size import page as test_size

_LISTED = (
    home,
    learn,
    error_by_prevalence,
    corrections,
    classifier,
    test_size,
    more_than_two_classes,
    compare,
    search_space,
    losses,
    estimate,
    data_sets,
)
PAGES.add(*(module.PAGE for module in _LISTED))
