"""Input from Discord: slash commands, clicks routed by custom id, and the lookup of the match that a command means.

The package decides nothing itself. It calls `actions` and answers errors in one place.
"""
