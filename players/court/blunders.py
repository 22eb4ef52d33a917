"""The policy with the blunders of a beginner at the Court."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from random import Random

from engines.court.board import OFF_BOARD
from engines.court.deck import COURT_CARDS, NUMBER_CARDS
from engines.court.model import Attack, Move, Push
from engines.court.view import View
from players.court.chart import landing_square
from players.court.policy import TurnEvaluator, equal_moves

FORGETTING_CHANCE = 0.65
"""How often the player overlooks some of their own cards, but never one that wins the match."""
GRUDGE_CHANCE = 0.4
"""How often the player takes revenge, no matter who leads."""


def choose_with_blunders(view: View, seat: int, rng: Random) -> Move:
    """Return the policy's move, or one as good to it, unless cards are overlooked, or the player takes revenge for a
    push or an attack."""
    if not view.owed and view.phase == "hinder" and rng.random() < GRUDGE_CHANCE:
        paid = _revenge_move(view, seat)
        if paid is not None:
            return paid
    forgets = rng.random() < FORGETTING_CHANCE and not _can_win(view, seat)
    return rng.choice(equal_moves(view, seat, _overlook_cards(view.hand, rng) if forgets else view.hand))


def _can_win(view: View, seat: int) -> bool:
    """Whether a card takes the seat's Mage over the edge of its last banner now."""
    square, banners = view.mages[seat], view.banners[seat]
    if view.owed or view.phase != "move" or square == OFF_BOARD or len(banners) + 1 < view.goal:
        return False
    occupied = [each for each in (*view.mages, *view.menhirs) if each != OFF_BOARD]
    steps = [card for card in view.hand if card in NUMBER_CARDS and card // 13 not in banners]
    return any(landing_square(square, card, occupied) == OFF_BOARD for card in steps)


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
