"""Jokers: trade for a hand that is all sets and runs. Two players.

In the order to read it:

    deck     the 54 cards, and hands as sets of them
    model    options, state, view, moves and events, as values
    scoring  what melds score
    melds    the best split of a hand into melds
    moves    which moves are legal, and how they are written
    check    what the rules refuse, and in which words
    turn     what moves do, and how rounds and the match end
    view     what a seat sees, and the same as a text board
    sample   a state that could lie behind a view
    game     all of it put together
"""

from engines.jokers.game import JOKERS_GAME as JOKERS

__all__ = ["JOKERS"]
