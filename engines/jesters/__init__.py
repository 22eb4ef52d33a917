"""Jesters: learn Techniques, roll them, and complete Performances. Two to four players."""
