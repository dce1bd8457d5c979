"""Draws views that many people will open, one after another while nobody else is served, so that their answers are there."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlencode

from pages.frame.navigation import listed_page
from pages.frame.view import View
from pages.settings.url import url_words
from pages.streamlit_internals import draw_unseen
from pages.work import turns
from pages.work.limits import limit

_FIRST_AFTER: Final = 10.0
"""Seconds after the start: who has just started the app opens a page, which comes first."""
_LOOK_EVERY: Final = 0.5
_LONGEST: Final = 60.0
"""Seconds after which a view that is still not drawn is left to those who open it."""


async def draw_when_idle(views: Iterable[View]) -> None:
    """Draw each different view once, as many as the limit WARM_VIEWS says; run it as a task beside the server."""
    await asyncio.sleep(_FIRST_AFTER)
    addresses = dict.fromkeys((listed_page(view.page).path, urlencode(url_words(view.settings), doseq=True)) for view in views)
    for path, query in list(addresses)[: limit("WARM_VIEWS")]:
        while turns.busy():
            await asyncio.sleep(_LOOK_EVERY)
        with contextlib.suppress(TimeoutError):
            await draw_unseen(path, query, _LONGEST)
