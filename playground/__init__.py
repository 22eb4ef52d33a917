"""A local stand-in for Discord: every seat of a game played in one browser, without a token."""
