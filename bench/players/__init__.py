"""Strength of computers: the ladder between levels, the bars they must reach, and tuning."""
