"""Glimpse: fools and wizards face down, and one card of your neighbour's that you have seen. Three or four players.

In the order to read it:

    deck    the twelve cards, and what they are
    model   options, state, view, moves and events, as values
    moves   which moves are legal, and how they are written
    check   what the rules refuse, and in which words
    turn    what moves do, and how deals and the match end
    view    what a seat sees, and the same as a text board
    sample  a state that could lie behind a view
    game    all of it put together
"""

from tests.example.engines.glimpse.game import GLIMPSE_GAME as GLIMPSE

__all__ = ["GLIMPSE"]
