"""What all benchmarks share: figures, timings of a game, and the reference (OpenSpiel's hearts)."""
