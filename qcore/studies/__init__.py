"""Computations of a page beyond estimates and losses: a file for each question, named after the page or its section."""
