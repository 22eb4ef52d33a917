"""Jest for computers.

In the order to read it:

    known     what a seat knows, in one shape from its view and in playouts
    numbers   what the rules of thumb go by
    chances   who gets a trophy
    outlook   what a card is worth to a Jest
    policy    which card to show, and which to take
    slips     the policy of somebody new
    worlds    what may lie behind a view, by what people tend to show
    forecast  how a match stands when a round is over
    mind      all of it put together
"""

from players.jest.player_model import JestPlayerModel

PLAYER_MODEL = JestPlayerModel()
