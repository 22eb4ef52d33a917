"""What a learner can request: lessons and puzzles, whose whole state stands in the custom ids.

May come in: actions and everything below them.
"""
