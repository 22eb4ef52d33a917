"""The moves of an attempt at a Performance, from the roll to the moment before it is finished (S7, S8, S13, S22)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from functools import cache

from engines.jesters import effects
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.events import (
    AttemptStarted,
    CardSpent,
    DicePainted,
    DiceRerolled,
    DieMarked,
    DieTurned,
    GiftUsed,
    RerollBought,
    TechniqueAdded,
)
from engines.jesters.model import Mark, Move, Paint, Perform, Reroll, Spend, State, Unmark, UseGift
from engines.jesters.view import rolled_dice
from engines.kit.contract import Event


def begin_attempt(state: State, seat: int, move: Perform) -> list[Event]:
    """S7: roll the chosen Techniques, in the order of their colours."""
    state.target = move.target
    state.own = [colour for colour in range(4) for _ in range(move.dice[colour])]
    state.colours = state.own.copy()
    state.faces = [state.chance.roll_die() for _ in state.own]
    state.phase = "attempt"
    return [AttemptStarted(seat=seat, target=move.target, dice=rolled_dice(state))]


def clear_attempt(state: State) -> None:
    """Remove the dice of the attempt."""
    state.target = None
    state.own, state.colours, state.faces = [], [], []


def spend_card(state: State, seat: int, move: Spend) -> list[Event]:
    """S7, S8: spend a Jest card for its bottom half."""
    _discard_card(state, seat, move.card)
    before = state.faces[move.die - 1]
    state.faces[move.die - 1] = move.face
    return [CardSpent(seat=seat, card=move.card, die=move.die, before=before, face=move.face)]


def buy_reroll(state: State, seat: int, move: Reroll) -> list[Event]:
    """S7: spend any Jest card for a reroll; the dice are marked next."""
    _discard_card(state, seat, move.card)
    _begin_marking(state, 0)
    return [RerollBought(seat=seat, card=move.card)]


def use_gift(state: State, seat: int, move: UseGift) -> list[Event]:
    """S13, S22: use a Gift in the attempt."""
    state.used = sorted([*state.used, move.gift])
    if move.die is not None:
        return [_turn_die(state, seat, move.gift, move.die)]
    if move.colour is not None:
        return [_add_technique(state, seat, move.gift, move.colour)]
    used = GiftUsed(seat=seat, gift=move.gift)
    if isinstance(effects.gift_effect(move.gift), RerollGift):
        return [used, _reroll_dice(state, seat, range(1, len(state.faces) + 1))]
    _begin_marking(state, move.gift)
    return [used]


def change_mark(state: State, seat: int, move: Mark | Unmark) -> list[Event]:
    """Mark a die, or remove the mark."""
    die = move.die
    if isinstance(move, Mark):
        insort(state.marked, die)
        return [_die_marked_event(seat, die, True)]
    state.marked.remove(die)
    return [_die_marked_event(seat, die, False)]


def change_marked_dice(state: State, seat: int, move: Move) -> list[Event]:
    """Reroll the marked dice, or (S22) change their colour for this attempt."""
    dice, paint = tuple(state.marked), effects.paint_colour(state.marking)
    state.marked, state.marking, state.phase = [], None, "attempt"
    if paint is not None and isinstance(move, Paint):
        for die in dice:
            state.colours[die - 1] = paint
        return [DicePainted(seat=seat, dice=dice, colour=paint)]
    return [_reroll_dice(state, seat, dice)]


def _reroll_dice(state: State, seat: int, dice: Iterable[int]) -> Event:
    """Reroll these dice. S22: the Gift of a reroll takes all of them."""
    rolled = tuple(dice)
    for die in rolled:
        state.faces[die - 1] = state.chance.roll_die()
    return DiceRerolled(seat=seat, dice=rolled, faces=tuple([state.faces[die - 1] for die in rolled]))


def _discard_card(state: State, seat: int, card: int) -> None:
    state.hands[seat].remove(card)
    state.discard.append(card)


def _begin_marking(state: State, marking: int) -> None:
    state.marking = marking
    state.phase = "mark"


@cache
def _die_marked_event(seat: int, die: int, marked: bool) -> Event:
    return DieMarked(seat=seat, die=die, marked=marked)


def _turn_die(state: State, seat: int, gift: int, die: int) -> Event:
    """S22: turn the die to its opposite side."""
    before = state.faces[die - 1]
    state.faces[die - 1] = 7 - before
    return DieTurned(seat=seat, gift=gift, die=die, before=before, face=7 - before)


def _add_technique(state: State, seat: int, gift: int, colour: int) -> Event:
    """S22: take one more Technique from the middle and roll it at once. It then belongs to the seat."""
    state.middle[colour] -= 1
    state.dice[seat][colour] += 1
    state.own.append(colour)
    state.colours.append(colour)
    state.faces.append(state.chance.roll_die())
    number = len(state.own)
    return TechniqueAdded(seat=seat, gift=gift, die=number, colour=colour, face=state.faces[-1])
