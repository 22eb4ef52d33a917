"""Breaks on Discord: who is on one, and the controls and the command that begin and end one."""
