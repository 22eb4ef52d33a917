"""Planned moves: a player marks a move before their turn. A game whose players can do that implements `PlansMoves`.

planning       what a game says about moves that are marked ahead
planned_moves  the rows, what may be marked, and what has become of it
"""
