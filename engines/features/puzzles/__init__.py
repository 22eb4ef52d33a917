"""Puzzles: records of real matches with a decision to find."""
