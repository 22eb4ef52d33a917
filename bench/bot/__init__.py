"""Benchmarks of the whole bot: clicks, the cost of a move, load, growth, starts, pictures and memory."""
