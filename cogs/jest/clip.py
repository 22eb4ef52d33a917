"""Jest in clips: what matters."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.features.clips.steps import ALWAYS, DETAIL, UNSEEN
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
