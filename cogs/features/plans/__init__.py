"""Planned moves."""
