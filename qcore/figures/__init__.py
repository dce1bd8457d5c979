"""Figures: a table in, a plotly Figure out; they compute nothing that a summary could."""
