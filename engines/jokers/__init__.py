"""Jokers: trade cards until the whole hand is sets and runs. Two players.

Read the modules in this order:

    deck     the 54 cards, and hands as sets of them
    model    options, state, view, moves and events
    scoring  the points of melds
    melds    the best split of a hand into melds
    moves    the legal moves and their notation
    check    the errors for illegal moves
    turn     what moves do, and how rounds and the match end
    view     what a seat sees, and its text board
    sample   states that could lie behind a view
    guesses  what spectators can guess, and the answers
    reveals  which moves show something hidden, so that they cannot be taken back
    game     the rules as one object
"""

from engines.jokers.game import JOKERS_GAME as JOKERS

__all__ = ["JOKERS"]
