"""Puzzles on Discord: single decisions of real matches, and what each move is worth."""
