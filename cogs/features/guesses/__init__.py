"""Guesses on Discord: the button at the table, the private question, and who was right."""
