"""Jest's moves as they are written: `offer 3S` (face down), `offer joker`, `take B up`, `take B down`."""

from __future__ import annotations

from engines.jest import deck
from engines.jest.model import Move, Offer, Take
from engines.notation import SEAT, Kind, Notation, verb

LIES = {"up": True, "down": False}
NOTATION = Notation[Move](
    "Jest",
    verb("offer", Offer, Kind(deck.card, deck.name)),
    verb(
        "take",
        Take,
        SEAT,
        Kind(lambda word: LIES.get(word.lower()), lambda up: "up" if up else "down"),
        said="Write whose offer, by its letter, and up or down: take B down.",
    ),
)
