"""What a seat knows right after its turn, for each way in which the turn can end (S6, S9–S12).

What nobody knows yet is left out: the Performance that fills an empty spot, and the Jest cards that a failure brings,
which count in `hand_sizes` only.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.jesters import effects
from engines.jesters.components.catalogue import FameForColour, FameForSymbol, Recolour
from engines.jesters.model import FAVORITE_TARGET, OUT_FAILURES, Learn
from engines.jesters.rounds import CONSOLATION, GIFT_FAME, PAINT_FAME
from players.jesters.seat_knowledge import Ints, SeatKnowledge

NO_DICE = (0, 0, 0, 0)


def after_learning(knowledge: SeatKnowledge, move: Learn) -> SeatKnowledge:
    """Return the knowledge after learning."""
    taken = effects.taken_techniques(move.card, move.colours, knowledge.middle)
    counts = [taken.count(colour) for colour in range(4)]
    return without_card(knowledge, move.card)._replace(
        dice=_add(knowledge.dice, counts), middle=_subtract(knowledge.middle, counts)
    )


def after_passing(knowledge: SeatKnowledge) -> SeatKnowledge:
    """Return the knowledge after passing: the first to pass takes the first player card."""
    return knowledge._replace(
        first=knowledge.first if knowledge.passed else knowledge.seat,
        passed=(*knowledge.passed, knowledge.seat),
        dice=NO_DICE,
        middle=_add(knowledge.middle, knowledge.dice),
    )


def after_success(
    knowledge: SeatKnowledge, target: int, own: Sequence[int], painted: Sequence[int] = ()
) -> SeatKnowledge:
    """Return the knowledge after completing a task with dice of these true colours; for the Favorite, before its Gift.

    `painted` are the colours that Gifts have given to dice.
    """
    seat, counts = knowledge.seat, [own.count(colour) for colour in range(4)]
    task, gained, used = effects.task(target, knowledge.favorite), 0, set(knowledge.used)
    for gift in knowledge.gifts[seat]:
        match effects.gift_effect(gift):
            case FameForColour(colour) if gift not in used and task.requirement.colours[colour]:
                gained += GIFT_FAME
                used.add(gift)
            case FameForSymbol(symbol) if gift not in used and symbol in task.symbols:
                gained += GIFT_FAME
                used.add(gift)
            case Recolour(colour) if colour in painted:
                gained += PAINT_FAME
    after = _without_attempt(knowledge)._replace(
        dice=_subtract(knowledge.dice, counts),
        middle=_add(knowledge.middle, counts),
        fame=_change(knowledge.fame, seat, gained),
        used=tuple(sorted(used)),
    )
    if target == FAVORITE_TARGET:
        return after._replace(done=(*knowledge.done, seat))
    completed = list(knowledge.completed)
    completed[seat] = (*completed[seat], target)
    return after._replace(
        completed=tuple(completed), board=tuple([open_task for open_task in knowledge.board if open_task != target])
    )


def after_keeping(knowledge: SeatKnowledge, gift: int) -> SeatKnowledge:
    """Return the knowledge after a new Gift."""
    gifts = list(knowledge.gifts)
    gifts[knowledge.seat] = (*gifts[knowledge.seat], gift)
    return knowledge._replace(gifts=tuple(gifts), drawn=(), phase="turn")


def after_failure(knowledge: SeatKnowledge) -> SeatKnowledge:
    """Return the knowledge after a failure."""
    seat = knowledge.seat
    failures = knowledge.failures[seat] + 1
    after = _without_attempt(knowledge)._replace(
        failures=_change(knowledge.failures, seat, 1),
        hand_sizes=_change(knowledge.hand_sizes, seat, CONSOLATION[failures]),
    )
    if failures < OUT_FAILURES:
        return after
    return after._replace(dice=NO_DICE, middle=_add(knowledge.middle, knowledge.dice))


def without_card(knowledge: SeatKnowledge, card: int) -> SeatKnowledge:
    """Return the knowledge without a Jest card."""
    return knowledge._replace(
        hand=tuple([each for each in knowledge.hand if each != card]),
        hand_sizes=_change(knowledge.hand_sizes, knowledge.seat, -1),
    )


def _without_attempt(knowledge: SeatKnowledge) -> SeatKnowledge:
    return knowledge._replace(phase="turn", target=None, own=(), colours=(), faces=(), marking=None, marked=())


def _add(one: Sequence[int], other: Sequence[int]) -> Ints:
    return tuple([a + b for a, b in zip(one, other, strict=True)])


def _subtract(one: Sequence[int], other: Sequence[int]) -> Ints:
    return tuple([a - b for a, b in zip(one, other, strict=True)])


def _change(numbers: Ints, seat: int, by: int) -> Ints:
    return (*numbers[:seat], numbers[seat] + by, *numbers[seat + 1 :])
