"""Jest's legal moves and their notation (`offer 3S`, face down; `take B up`, `take B down`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engines.jest import deck
from engines.jest.model import Move, Offer, State, Take
from engines.kit.notation import SEAT, Notation, PartFormat, verb

OFFER_MOVES = tuple(map(Offer, deck.DECK))
FACE_UP_BY_WORD = {"up": True, "down": False}
NOTATION = Notation[Move](
    "Jest",
    verb("offer", Offer, PartFormat(deck.parse_card, deck.card_name)),
    verb(
        "take",
        Take,
        SEAT,
        PartFormat(lambda word: FACE_UP_BY_WORD.get(word.lower()), lambda up: "up" if up else "down"),
        usage="Write the letter of the offer, and up or down: take B down.",
    ),
)


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Return the two dealt cards, or the cards that may be taken, by seat, with the face-up card first."""
    if state.phase == "offer":
        low, high = state.dealt[seat]
        return OFFER_MOVES[low], OFFER_MOVES[high]
    return _take_moves(tuple(state.complete), seat) if state.phase == "take" and seat == state.waiting[0] else ()


@cache
def _take_moves(complete: tuple[int, ...], seat: int) -> Sequence[Move]:
    """J6: return the cards of the other complete offers, face-up cards first; of the seat's own offer only if there is
    no other."""
    others = tuple(source for source in complete if source != seat)
    return tuple(Take(source, up) for source in others or complete for up in (True, False))
