"""Benchmarks, each a ratio against a reference measured in the same run: `python -m bench`."""
