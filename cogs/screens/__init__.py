"""Screens as values: what a game shows a player in words, pictures and controls, and how much fits on a phone."""
