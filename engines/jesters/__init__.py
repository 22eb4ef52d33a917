"""Jesters: learn Techniques, roll them, and complete Performances. Two to four players.

Two packages come first: `components`, the cards and Gifts by number, and `requirements`, the dice that a Performance
needs. Then read the modules in this order:

    model      options, state, view and moves
    events     the events
    effects    what a component does in a given situation
    moves      the legal moves and their notation
    check      the errors for illegal moves
    turn       what moves do
    attempt    an attempt, from the roll to the moment before it is finished
    rounds     how attempts, turns, rounds and the match begin and end
    piles      drawing cards and Gifts
    scoring    the final scoring
    view       what a seat sees, and its text board
    sample     states that could lie behind a view
    guesses    what spectators can guess, and the answers
    prospects  what a seat's dice lack, and what would complete its attempt
    game       the rules as one object
"""

from engines.jesters.game import JESTERS_GAME as JESTERS

__all__ = ["JESTERS"]
