"""Which other sites may show the app in a frame: QUANTIFICATION_LAB_EMBED_IN; by default none."""

import os
import re

from pages.work.limits import PREFIX
from qcore import InvalidInput

VARIABLE = f"{PREFIX}EMBED_IN"
_SOURCE = re.compile(r"(https?://)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?", re.IGNORECASE)


def embedding_sites() -> tuple[str, ...]:
    """The sites, as `frame-ancestors` takes them. Raises InvalidInput for a text that does not name a site."""
    sites = tuple(name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip())
    for site in sites:
        if not _SOURCE.fullmatch(site):
            hint = "Name for example https://moodle.example.org, several with commas."
            raise InvalidInput(VARIABLE, "name sites whose pages may show the app in a frame", repr(site), hint)
    return sites
