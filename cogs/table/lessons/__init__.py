"""Lessons: annotated records in which a newcomer plays a game for the first time, as values and pages.

May come in: the pages below, records and games. Nothing here is stored: a lesson's custom ids hold the step.
"""
