"""Wizard: tricks, trump, and bids to be met exactly. Three to six players, or two with a dummy hand.

Read the modules in this order:

    deck             the sixty cards and the special ones, and which card wins a trick
    model            options, state, view, moves and events
    house_rules      what house rules change: rounds, hands, forbidden bids, what is hidden, the pack
    moves            the legal moves and their notation
    check            the errors for illegal moves
    turn             what moves do, and how tricks, rounds and the match end
    view             what a seat sees, and its text board
    deals            what a view tells about other hands, and random deals that fit it
    sample_specials  deals after a swap of the Chameleon or a pass of cards
    sample           states that could lie behind a view
    guesses          what spectators can guess, and the answers
    planning         cards that are marked before their turn
    reveals          which moves show something hidden, so that they cannot be taken back
    rules            what all versions of the rules share
    game             the rules as one object, and those without house rules, for older matches
"""

from engines.wizard.game import WIZARD_GAME as WIZARD

__all__ = ["WIZARD"]
