"""Benchmarks of the whole bot: clicks, cost of a move, load, growth, startup, pictures and memory."""
