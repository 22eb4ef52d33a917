"""The computer players of Jest.

Read the modules in this order:

    known         what a seat knows, in one form for views and playouts
    numbers       the weights of the policy
    chances       the chances to get trophies
    evaluation    the value of a card for a Jest
    policy        which card to show, and which to take
    blunders      the policy with the blunders of a beginner
    worlds        sampled states behind a view, weighted by people's habits
    forecast      the value of a match at the end of a round
    player_model  everything combined
"""

from players.jest.player_model import JestPlayerModel

PLAYER_MODEL = JestPlayerModel()
