"""A local simulation of Discord: play every seat of a game in one browser, without a token."""
