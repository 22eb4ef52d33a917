"""Measurements of Jokers' computer players."""
