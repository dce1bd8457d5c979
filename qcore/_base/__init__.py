"""What every room uses: argument checks and InvalidInput, registries, random streams, rounding, threads."""
