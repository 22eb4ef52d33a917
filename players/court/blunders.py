"""Slips that a person makes who is new to the Court."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from random import Random

from engines.court.deck import COURTS, NUMBERS
from engines.court.model import Attack, Move, Push, View
from players.court.policy import Scene, decide

FORGETTING = 0.55
"""How often cards of one's own are overlooked."""
GRUDGE = 0.4
"""How often somebody is paid back, whoever is ahead."""


def slip(view: View, seat: int, rng: Random) -> Move:
    """The policy's move, unless cards are overlooked, or somebody is paid back who pushed or attacked one."""
    if not view.owed and view.phase == "hinder" and rng.random() < GRUDGE:
        paid = _paid_back(view, seat)
        if paid is not None:
            return paid
    return decide(view, seat, _remembered(view.hand, rng) if rng.random() < FORGETTING else view.hand)


def _remembered(hand: Sequence[int], rng: Random) -> Sequence[int]:
    """A hand but for up to three cards; the last number card is not overlooked, since one must move by it (T4)."""
    left = list(hand)
    for card in rng.sample(hand, min(3, len(hand) - 1)):
        left.remove(card)
        if card in NUMBERS and not NUMBERS.intersection(left):
            left.append(card)
    return sorted(left)


def _paid_back(view: View, seat: int) -> Move | None:
    """The attack, or the push that hurts most, against who last did so to this seat; None where there is none."""
    villain = _villain(view, seat)
    if villain is None:
        return None
    attacks = [card for card in view.hand if card in COURTS]
    if attacks and len(view.mages) < 4:
        return Attack(attacks[0])
    scene = Scene(view, seat, view.hand)
    uses = [use for card in dict.fromkeys(view.hand) if card in NUMBERS for use in scene.uses(card)]
    pushes = [(move, worth) for move, worth in uses if isinstance(move, Push) and move.target == villain]
    return max(pushes, key=itemgetter(1))[0] if pushes else None


def _villain(view: View, seat: int) -> int | None:
    """Who last pushed this seat's Mage in this round, or was the last of all to attack it."""
    for moved in reversed(view.moved):
        if moved.mage == seat != moved.seat:
            return moved.seat
    if view.attacked and any(defence.seat == seat for defence in view.attacked.defences):
        return view.attacked.seat
    return None
