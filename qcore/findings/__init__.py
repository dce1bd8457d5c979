"""Sentences in words, computed from the numbers that a page shows; a file for each page."""
