"""Lessons on Discord: a newcomer plays a game for the first time, in an annotated record with its real hand."""
