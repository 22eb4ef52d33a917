"""Glimpse: fools and wizards face down, and a glimpse of one of your neighbour's cards. Three or four players.

The modules, in reading order:

    deck     the twelve cards and their kinds
    model    options, state, moves and events as values
    moves    legal moves and their notation
    check    illegal moves and their error messages
    turn     the effect of moves, and the end of deals and of the match
    view     what a seat sees, also as a text board
    sample   a possible state for a view
    reveals  which moves show something hidden
    game     the game that combines them
"""

from tests.example.engines.glimpse.game import GLIMPSE_GAME as GLIMPSE

__all__ = ["GLIMPSE"]
