"""Planned moves: a player marks a move before their turn. A game whose players can do that implements `PlansMoves`.

planning       what a game says about moves that are marked ahead
rows           what is stored
planned_moves  the rules: what may be marked, and what has become of it
feature        what the table's core calls
"""
