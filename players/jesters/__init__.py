"""The computer players of Jesters.

Read the modules in this order:

    seat_knowledge   what a seat knows, in one form for views and playouts
    numbers          the weights of the policy
    masks            all rolls of a few dice as bits
    charts           the possible results of a roll
    value_estimates  the values of things
    plans            the possible uses of a turn
    attempts         what to do with rolled dice
    policy           the move at each moment
    blunders         the policy with the blunders of a beginner
    aftermath        what the seat knows after its turn
    features         a seat after its turn in numbers
    networks         what it still gains
    learned          the policy by the network: *hard*
    player_model     everything combined
"""

from players.jesters.player_model import JestersPlayerModel

PLAYER_MODEL = JestersPlayerModel()
