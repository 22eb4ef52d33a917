"""Planned moves on Discord: a list and buttons on a hand, and a line that says what has become of the plan."""
