"""How well computers play: the ladder between levels, the bars they must reach, and tuning."""
