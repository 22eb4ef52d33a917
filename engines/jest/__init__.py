"""Jest: each player offers two cards, one of them face down, and takes one from another offer. Three or four players.

Read the modules in this order:

    deck     the seventeen cards, and Jests as sets of them
    model    options, state, view, moves and events
    moves    the legal moves and their notation
    check    the errors for illegal moves
    turn     what moves do, and how rounds and the match end
    scoring  the value of a Jest, and who gets a trophy
    view     what a seat sees, and its text board
    sample   states that could lie behind a view
    guesses  what spectators can guess, and the answers
    reveals  which moves show something hidden, so that they cannot be taken back
    game     the rules as one object
"""

from engines.jest.game import JEST_GAME as JEST

__all__ = ["JEST"]
