"""Jester's Court in clips: what matters."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.features.clips.steps import ALWAYS, DETAIL, UNSEEN
from engines.court import model

WEIGHTS: Mapping[type[model.AnyEvent], int] = {
    model.BannerClaimed: ALWAYS,
    model.MageKnockedOut: ALWAYS,
    model.MageEnclosed: ALWAYS,
    model.MatchEnded: ALWAYS,
    model.MageDamaged: DETAIL,
    model.MagePlaced: DETAIL,
    model.MenhirSet: DETAIL,
    model.MageHealed: DETAIL,
    model.PhaseSkipped: UNSEEN,
    model.CardDiscarded: UNSEEN,
    model.CardsDrawn: UNSEEN,
    model.HandDrawn: UNSEEN,
    model.PileReshuffled: UNSEEN,
}
"""How much the kinds of events matter, if not as usual, as moves, pushes and attacks do."""
