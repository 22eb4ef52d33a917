"""Hints on Discord: a suggested move in the menu, and somebody's costliest moves after the match."""
