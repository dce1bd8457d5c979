"""What all tests of pages need, whichever of them run: the pages are listed, as `app.py` lists them."""

import pages.listed  # noqa: F401
