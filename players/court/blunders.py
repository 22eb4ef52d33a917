"""Slips that a person makes who is new to the Court."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from random import Random

from engines.court.deck import COURT_CARDS, NUMBER_CARDS
from engines.court.model import Attack, Move, Push
from engines.court.view import View
from players.court.policy import TurnEvaluator, choose_move

FORGETTING_CHANCE = 0.55
"""How often cards of one's own are overlooked."""
GRUDGE_CHANCE = 0.4
"""How often somebody is paid back, whoever is ahead."""


def choose_with_blunders(view: View, seat: int, rng: Random) -> Move:
    """The policy's move, unless cards are overlooked, or somebody is paid back who pushed or attacked one."""
    if not view.owed and view.phase == "hinder" and rng.random() < GRUDGE_CHANCE:
        paid = _revenge_move(view, seat)
        if paid is not None:
            return paid
    return choose_move(view, seat, _overlook_cards(view.hand, rng) if rng.random() < FORGETTING_CHANCE else view.hand)


def _overlook_cards(hand: Sequence[int], rng: Random) -> Sequence[int]:
    """A hand but for up to three cards; the last number card is not overlooked, since one must move by it (T4)."""
    left = list(hand)
    for card in rng.sample(hand, min(3, len(hand) - 1)):
        left.remove(card)
        if card in NUMBER_CARDS and not NUMBER_CARDS.intersection(left):
            left.append(card)
    return sorted(left)


def _revenge_move(view: View, seat: int) -> Move | None:
    """The attack, or the push that hurts most, against who last did so to this seat; None where there is none."""
    villain = _last_attacker(view, seat)
    if villain is None:
        return None
    attacks = [card for card in view.hand if card in COURT_CARDS]
    if attacks and len(view.mages) < 4:
        return Attack(attacks[0])
    scene = TurnEvaluator(view, seat, view.hand)
    uses = [use for card in dict.fromkeys(view.hand) if card in NUMBER_CARDS for use in scene.card_uses(card)]
    pushes = [(move, worth) for move, worth in uses if isinstance(move, Push) and move.target == villain]
    return max(pushes, key=itemgetter(1))[0] if pushes else None


def _last_attacker(view: View, seat: int) -> int | None:
    """Who last pushed this seat's Mage in this round, or was the last of all to attack it."""
    for moved in reversed(view.moved):
        if moved.mage == seat != moved.seat:
            return moved.seat
    if view.attacked and any(defence.seat == seat for defence in view.attacked.defences):
        return view.attacked.seat
    return None
