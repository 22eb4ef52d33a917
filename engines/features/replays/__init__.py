"""Finished matches that are watched again: `practice` starts matches from a moment of one."""
