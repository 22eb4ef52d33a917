"""Jesters: learn Techniques, roll them, and complete Performances. Two to four players.

In the order to read it:

    components           Performances, Favorites, Jest cards and Gifts, each by its number
    component_types      what each of them consists of
    component_file       how components.toml is read, and what is wrong with it
    requirements         what a Performance asks of the dice: met or not, and with which chance
    requirement_forms    its forms, such as a run of three
    requirement_machine  for exact chances: a form that takes dice one by one
    model                options, state, view and moves, as values
    events               what happens, as values
    effects              what a component does in a given moment
    moves                which moves are legal, and how they are written
    check                what the rules refuse, and in which words
    turn                 what moves do
    attempt              an attempt, from the roll to the moment before it is finished
    rounds               how attempts, turns, rounds and the match begin and end
    piles                drawing cards and Gifts
    scoring              the final scoring
    views                what a seat sees
    text                 the same as a text board
    sample               a state that could lie behind a view
    prospects            what a seat's dice lack, and what would complete its attempt
    rerolls              the likeliest reroll
    game                 all of it put together
"""

from engines.jesters.game import JESTERS_GAME as JESTERS

__all__ = ["JESTERS"]
