"""Wizard's moves as they are written: `trump H`, `bid 2`, `play 10H`, `play wizard`."""

from __future__ import annotations

from engines.notation import NUMBER, SUIT, Kind, Notation, verb
from engines.wizard import deck
from engines.wizard.model import Bid, Move, NameTrump, Play

NOTATION = Notation[Move](
    "Wizard",
    verb("trump", NameTrump, SUIT),
    verb("bid", Bid, NUMBER, said="A bid is a whole number, 0 or more."),
    verb("play", Play, Kind(deck.card, deck.name)),
)
