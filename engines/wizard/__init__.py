"""Wizard: tricks, trump, and bids to be met exactly. Three to six players.

In the order to read it:

    deck    the sixty cards, and which of a trick takes it
    model   options, state, view, moves and events, as values
    moves   which moves are legal, and how they are written
    check   what the rules refuse, and in which words
    turn    what moves do, and how tricks, rounds and the match end
    view    what a seat sees, and the same as a text board
    sample  a state that could lie behind a view
    game    all of it put together
"""

from engines.wizard.game import WIZARD_GAME as WIZARD

__all__ = ["WIZARD"]
