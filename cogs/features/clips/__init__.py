"""Clips of finished matches: short animated pictures of a round, or of the moments that mattered.

`steps` is what a game's screen may implement for them.
"""
