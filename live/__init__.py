"""Trials of our claims about Discord on Discord itself: `make live`."""
