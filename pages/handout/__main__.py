"""The view or talk of a link as one HTML file: `python -m pages.handout LINK [--into FILE]`; "Share" copies the link."""

import argparse
import sys
from pathlib import Path

import pages.listed  # noqa: F401  a link leads to one of the pages
from pages.handout.command import check_can_be_written, file_of_link
from qcore import InvalidInput


def main(words: list[str] | None = None) -> None:
    """Write the view of a link as one HTML file; exits with a message for invalid input."""
    parser = argparse.ArgumentParser(prog="python -m pages.handout", description=__doc__)
    parser.add_argument("link", help="a whole address, or what follows the host, such as '/corrections?threshold=0.4'")
    parser.add_argument("--into", type=Path, help="the file to write; by default named after the page, in this folder")
    parsed = parser.parse_args(words)
    try:
        if parsed.into:
            check_can_be_written(parsed.into)
        name, text = file_of_link(parsed.link)
    except InvalidInput as error:
        sys.exit(str(error))
    path = parsed.into or Path(name)
    path.write_text(text, encoding="utf-8")
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
