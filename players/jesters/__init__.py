"""Jesters for computers.

In the order to read it:

    seen      what a seat knows, in one shape from its view and in playouts
    numbers   what the rules of thumb go by
    masks     all rolls of a few dice as bits
    charts    what a roll may come to
    worths    what things are worth
    plans     what a turn may be used for
    attempts  what to do with rolled dice
    policy    the move in each moment
    slips     the policy of somebody new
    mind      all of it put together
"""

from players.jesters.player_model import JestersPlayerModel

PLAYER_MODEL = JestersPlayerModel()
