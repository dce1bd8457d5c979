"""A view as one HTML file that works without a network: charts that are dragged, sentences that follow, settings and link."""
