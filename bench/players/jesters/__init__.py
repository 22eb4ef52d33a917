"""Measurements and training of the computer players of Jesters."""
