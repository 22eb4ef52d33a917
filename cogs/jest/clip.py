"""Jest in clips: what matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.features.clips.steps import ALWAYS, DETAIL, UNSEEN
from engines.jest import deck, scoring
from engines.jest.model import (
    AnyEvent,
    FaceDownChosen,
    FaceDownTaken,
    HandDealt,
    JestsRevealed,
    JestsScored,
    OfferChosen,
    RoundDealt,
    TrophyAwarded,
)
from engines.jest.view import View

WEIGHTS: Mapping[type[AnyEvent], int] = {
    JestsRevealed: ALWAYS,
    TrophyAwarded: ALWAYS,
    JestsScored: ALWAYS,
    OfferChosen: DETAIL,
    RoundDealt: UNSEEN,
    HandDealt: UNSEEN,
    FaceDownChosen: UNSEEN,
    FaceDownTaken: UNSEEN,
}
"""How much the kinds of events matter, if not as usual, as offers and takes do."""


def standings(view: View) -> Sequence[float]:
    """Return what the cards are worth that each seat took face up: the others are not seen before the end."""
    taken: list[list[int]] = [[] for _ in range(view.seats)]
    for up, takes in (*((each.up, each.takes) for each in view.past), (view.up, view.takes)):
        for take in takes:
            if take.up and up:
                taken[take.seat].append(up[take.source])
    return [scoring.value_breakdown(deck.make_jest(cards)).points for cards in taken]
