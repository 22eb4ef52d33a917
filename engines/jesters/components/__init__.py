"""Jesters' components: their types, how components.toml is read, and the catalogue by number."""
