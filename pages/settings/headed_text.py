"""Markdown with a heading for each text, taken apart."""

import re


def headed_texts(markdown: str, mark: str = "##") -> dict[str, str]:
    r"""Heading -> the text below it, without the empty lines around it; `mark` begins the headings.

    Examples
    --------
    >>> headed_texts("Before.\n## One\n\nText.\n\n## Two\nMore.\n")
    {'One': 'Text.', 'Two': 'More.'}
    """
    parts = re.split(rf"^{mark} (.+)$", markdown, flags=re.MULTILINE)[1:]
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}
