"""Jester's Court, Suit Thyself!: move your Mage past all four edges of the board. Two to four players.

In the order to read it:

    deck    the cards
    board   the squares, and where a Mage would get to on them
    model   options, state, view, moves and events, as values
    moves   which moves are legal, and how they are written
    check   what the rules refuse, and in which words
    turn    what moves do, and how turns and the match end
    view    what a seat sees, and the same as a text board
    sample  a state that could lie behind a view
    game    all of it put together
"""

from engines.court.game import COURT_GAME as COURT

__all__ = ["COURT"]
