"""The former command `python -m pages.learn.handout`, which wrote a lesson as one file, says what to use in its place."""

import sys

_GONE = (
    "A lesson is no longer written as one file. Give its link instead: /learn?lesson=NAME&step=1, behind the app's address. "
    'One view becomes a file by "Share", "Interactive file", or by python -m pages.handout LINK.'
)


def main() -> None:
    """Exit with the message."""
    sys.exit(_GONE)


if __name__ == "__main__":
    main()
