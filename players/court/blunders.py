"""The policy with the blunders of a beginner at the Court."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from random import Random

from engines.court.deck import COURT_CARDS, NUMBER_CARDS
from engines.court.model import Attack, Move, Push
from engines.court.view import View
from players.court.policy import TurnEvaluator, choose_move

FORGETTING_CHANCE = 0.55
"""How often the player overlooks some of their own cards."""
GRUDGE_CHANCE = 0.4
"""How often the player takes revenge, no matter who leads."""


def choose_with_blunders(view: View, seat: int, rng: Random) -> Move:
    """Return the policy's move, unless cards are overlooked, or the player takes revenge for a push or an attack."""
    if not view.owed and view.phase == "hinder" and rng.random() < GRUDGE_CHANCE:
        paid = _revenge_move(view, seat)
        if paid is not None:
            return paid
    return choose_move(view, seat, _overlook_cards(view.hand, rng) if rng.random() < FORGETTING_CHANCE else view.hand)


def _overlook_cards(hand: Sequence[int], rng: Random) -> Sequence[int]:
    """Return the hand without up to three cards. It keeps the last number card, which one must move with (T4)."""
    left = list(hand)
    for card in rng.sample(hand, min(3, len(hand) - 1)):
        left.remove(card)
        if card in NUMBER_CARDS and not NUMBER_CARDS.intersection(left):
            left.append(card)
    return sorted(left)


def _revenge_move(view: View, seat: int) -> Move | None:
    """Return the attack or the most harmful push against the seat's last attacker; None if there is none."""
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
    """Return the seat that last pushed this seat's Mage in this round, or else that last attacked it."""
    for moved in reversed(view.moved):
        if moved.mage == seat != moved.seat:
            return moved.seat
    if view.attacked and any(defence.seat == seat for defence in view.attacked.defences):
        return view.attacked.seat
    return None
