"""Stored facts about messages and players, cached and written through; and the server lease."""
