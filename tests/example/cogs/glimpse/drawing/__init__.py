"""Glimpse's picture: its values (spec) and its layout (layout)."""
