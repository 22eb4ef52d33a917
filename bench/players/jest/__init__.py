"""Measurements of Jest's computer players."""
