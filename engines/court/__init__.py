"""Jester's Court, Suit Thyself!: move your Mage past all four edges of the board. Two to four players.

Read the modules in this order:

    deck     the cards
    board    the squares, and how a Mage moves across them
    model    options, state, view, moves and events
    moves    the legal moves and their notation
    check    the errors for illegal moves
    turn     what moves do, and how turns and the match end
    view     what a seat sees, and its text board
    sample   states that could lie behind a view
    guesses  what spectators can guess, and the answers
    reveals  which moves show something hidden, so that they cannot be taken back
    game     the rules as one object
"""

from engines.court.game import COURT_GAME as COURT

__all__ = ["COURT"]
