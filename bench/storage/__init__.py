"""Benchmarks of storage: group commit, loading, forgetting, and moving between databases."""
