"""Jest: two cards offered, one of them face down, and one taken. Three or four players.

In the order to read it:

    deck     the seventeen cards, and Jests as sets of them
    model    options, state, view, moves and events, as values
    moves    which moves are legal, and how they are written
    check    what the rules refuse, and in which words
    turn     what moves do, and how rounds and the match end
    scoring  what a Jest is worth, and who gets a trophy
    view     what a seat sees, and the same as a text board
    sample   a state that could lie behind a view
    game     all of it put together
"""

from engines.jest.game import JEST_GAME as JEST

__all__ = ["JEST"]
