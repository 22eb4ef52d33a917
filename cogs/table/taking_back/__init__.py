"""Taking moves back: requests of those who moved, and the answers of those who have to agree.

May come in: actions and everything below them.
"""
