"""Shared by all parts of the project: argument checks and InvalidInput, registries, random streams, rounding, threads."""
