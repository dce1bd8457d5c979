"""Benchmarks: each module is a command, `python -m benchmarks.NAME`, and prints JSON for programs with `--json`."""
