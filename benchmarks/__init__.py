"""Speed, measured: each module is a command, `python -m benchmarks.NAME`, with `--json` for programs."""
