"""Puzzles: records of real matches with a decision to find."""

from __future__ import annotations

from engines.hosting.feature import Feature


class PuzzlesFeature(Feature):
    """Puzzles belong to no match, and nothing of them is stored."""

    name = "puzzles"


PUZZLES = PuzzlesFeature()
