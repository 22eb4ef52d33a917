"""What comes in from Discord: slash commands, clicks routed by custom id, and which match a command is about.

Decides nothing itself; it calls `actions` and answers errors in one place.
"""
