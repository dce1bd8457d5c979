"""Draws views that many people will open, one after another while nobody else is served, so that their answers are there."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import urlencode

from pages.frame.navigation import listed_page
from pages.frame.view import View
from pages.settings.url import url_words
from pages.streamlit_internals import draw_unseen
from pages.work import turns
from pages.work.heavy import jobs
from pages.work.limits import limit

_LOGGER: Final = logging.getLogger(__name__)
_FIRST_AFTER: Final = 10.0
"""Seconds after the start: somebody who has just started the app opens a page, which comes first."""
_LOOK_EVERY: Final = 0.5
_LONGEST: Final = 60.0
"""Seconds after which a view that is still not drawn is left to those who open it."""


async def until_idle() -> None:
    """Return when nobody is served and no job runs."""
    while turns.busy() or jobs().busy():
        await asyncio.sleep(_LOOK_EVERY)


async def draw_when_idle(views: Callable[[], Iterable[View]]) -> None:
    """Draw each different view once, as many as the limit WARM_VIEWS says; run it as a task beside the server."""
    await asyncio.sleep(_FIRST_AFTER)
    most = limit("WARM_VIEWS")
    addresses = dict.fromkeys(
        (listed_page(view.page).path, urlencode(url_words(view.settings), doseq=True)) for view in views()
    )
    for path, query in list(addresses)[:most]:
        await until_idle()
        try:
            await draw_unseen(path, query, _LONGEST)
        except Exception:
            # People who open it will see what is wrong; the other views are drawn nevertheless.
            _LOGGER.exception("The view /%s?%s was not drawn beforehand", path, query)
