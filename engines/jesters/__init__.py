"""Jesters: learn Techniques, roll them, and complete Performances. Two to four players.

Two packages come first: `components`, the cards and Gifts by number, and `requirements`, what a Performance asks of the
dice. Then, in the order to read it:

    model      options, state, view and moves, as values
    events     what happens, as values
    effects    what a component does in a given moment
    moves      which moves are legal, and how they are written
    check      what the rules refuse, and in which words
    turn       what moves do
    attempt    an attempt, from the roll to the moment before it is finished
    rounds     how attempts, turns, rounds and the match begin and end
    piles      drawing cards and Gifts
    scoring    the final scoring
    view       what a seat sees, and the same as a text board
    sample     a state that could lie behind a view
    prospects  what a seat's dice lack, and what would complete its attempt
    game       all of it put together
"""

from engines.jesters.game import JESTERS_GAME as JESTERS

__all__ = ["JESTERS"]
