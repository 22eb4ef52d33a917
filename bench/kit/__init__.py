"""Shared by all benchmarks: figures, timings of a game, and the reference (OpenSpiel's hearts)."""
