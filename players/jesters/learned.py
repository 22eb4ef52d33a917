"""The learned policy of Jesters: exact odds of the dice, and a network for what comes after the turn.

A turn ends in one of few ways, and the network values each of them. Between success and failure lie only dice, whose
odds the charts give.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engines.jesters import effects
from engines.jesters.model import FAVORITE_TARGET, GIFTS, Finish, Keep, Learn, Move, Pass, Perform
from engines.jesters.requirements.evaluation import is_met
from players.jesters import aftermath, attempts, plans, value_estimates
from players.jesters.attempts import AttemptAnalysis
from players.jesters.charts import REROLLS_AHEAD, Stake, card_tools, expected_value
from players.jesters.features import certain_fame, describe
from players.jesters.networks import load_network
from players.jesters.seat_knowledge import Ints, SeatKnowledge

OTHERS_WEIGHT = 0.5
"""How much Fame of the others' mean counts against the seat's own."""
LEAST_CARD_VALUE = 0.05  # Fame
LONE_CARD_VALUE = 0.5  # Fame, for who has no Jest card left to compare


class ValuedMove(NamedTuple):
    """A move and its value: the expected final Fame, less a part of the others' mean."""

    value: float
    move: Move


@lru_cache(1 << 12)
def position_value(knowledge: SeatKnowledge) -> float:
    """Return the value of a seat's position after its turn."""
    fame = certain_fame(knowledge)
    own = fame.pop(knowledge.seat)
    return own - OTHERS_WEIGHT * sum(fame) / len(fame) + load_network().value(describe(knowledge))


def final_value(totals: Ints, seat: int) -> float:
    """Return the value of a final scoring, in the same unit."""
    return totals[seat] - OTHERS_WEIGHT * (sum(totals) - totals[seat]) / (len(totals) - 1)


def choose_move(knowledge: SeatKnowledge) -> Move:
    """Return the move with the greatest value."""
    if knowledge.phase == "mark":
        return attempts.choose_marking_move(knowledge, analyze_attempt(knowledge))
    return rank_moves(knowledge)[0].move


def rank_moves(knowledge: SeatKnowledge) -> list[ValuedMove]:
    """Return all sensible moves of a turn, an attempt or a choice of Gifts, best first."""
    match knowledge.phase:
        case "turn":
            found = [*_learn_or_pass(knowledge), *_performances(knowledge)]
        case "keep":
            found = [
                ValuedMove(position_value(aftermath.after_keeping(knowledge, gift)), Keep(gift))
                for gift in knowledge.drawn
                if gift
            ]
        case _:
            failed = position_value(aftermath.after_failure(knowledge))
            options = attempts.move_values(knowledge, analyze_attempt(knowledge))
            return [ValuedMove(failed + way.value, way.move) for way in options]
    return sorted(found, key=lambda each: -each.value)


def _learn_or_pass(knowledge: SeatKnowledge) -> list[ValuedMove]:
    moves = [
        Learn(card, colours) for card in knowledge.hand for colours in effects.learnable_colours(card, knowledge.middle)
    ]
    found = [ValuedMove(position_value(aftermath.after_learning(knowledge, move)), move) for move in moves]
    return [*found, ValuedMove(position_value(aftermath.after_passing(knowledge)), Pass())]


def _performances(knowledge: SeatKnowledge) -> list[ValuedMove]:
    """Return every task that the seat's dice allow, with sensible numbers of dice."""
    if not any(knowledge.dice):
        return []
    failed = position_value(aftermath.after_failure(knowledge))
    found = []
    for target in knowledge.targets:
        gains = _attempt_gains(knowledge, target, failed)
        found += [ValuedMove(failed + gain, Perform(target, dice)) for dice, gain in gains.items()]
    return found


def _attempt_gains(knowledge: SeatKnowledge, target: int, failed: float) -> dict[Ints, float]:
    """Return the expected gain over a failure, by the dice to roll."""
    requirement = value_estimates.eased_requirement(
        target, knowledge.favorite, value_estimates.paint_colours(knowledge)
    )
    required, owned = requirement.colours, sum(knowledge.dice)
    if not all(map(int.__ge__, knowledge.dice, required)):
        return {}
    lucky, gains = plans.count_luck_gifts(knowledge), dict[Ints, float]()
    card: float | None = None
    for number in plans.dice_counts(target, knowledge.favorite):
        dice = plans.choose_dice(required, knowledge.dice, number, knowledge.hand)
        if number > owned or dice in gains:
            continue
        rolled = plans.dice_colours(dice)
        prize = _success_value(knowledge, target, rolled) - failed
        if prize <= 0:
            gains[dice] = 0.0
            continue
        if card is None:
            card = _card_value(aftermath.after_success(knowledge, target, rolled))
        luck_chance = plans.luck_chance(requirement, rolled, lucky) if any(lucky) else 0.0
        stake = Stake(round(prize, 1), round(card, 2), min(len(knowledge.hand), REROLLS_AHEAD), luck_chance)
        tools, turns = card_tools(knowledge.hand, frozenset(rolled)), value_estimates.turn_colours(knowledge)
        gains[dice] = expected_value(requirement, rolled, tools, turns, stake)
    return gains


def analyze_attempt(knowledge: SeatKnowledge) -> AttemptAnalysis:
    """Return the analysis of the current attempt with the stake that the network sees."""
    assert knowledge.target is not None
    success = _success_value(knowledge, knowledge.target, knowledge.own, _painted_colours(knowledge))
    prize = success - position_value(aftermath.after_failure(knowledge))
    card = _card_value(aftermath.after_success(knowledge, knowledge.target, knowledge.own, _painted_colours(knowledge)))
    return attempts.analyze_attempt(knowledge, Stake(max(prize, 0.0), card, len(knowledge.hand)))


def _painted_colours(knowledge: SeatKnowledge) -> Ints:
    return tuple([now for own, now in zip(knowledge.own, knowledge.colours, strict=True) if own != now])


def _success_value(knowledge: SeatKnowledge, target: int, own: Ints, painted: Ints = ()) -> float:
    """Return the value of completing a task with dice of these colours, with the Gift that the Favorite brings."""
    value = position_value(aftermath.after_success(knowledge, target, own, painted))
    if target != FAVORITE_TARGET or not knowledge.gift_pile:
        return value
    return value + _gift_gain(aftermath.after_success(knowledge, target, ()))


@lru_cache(1 << 8)
def _gift_gain(knowledge: SeatKnowledge) -> float:
    """Return the gain of a new Gift: the better one of two that are drawn."""
    known_gifts = {gift for gifts in knowledge.gifts for gift in gifts}
    values = sorted(
        [position_value(aftermath.after_keeping(knowledge, gift)) for gift in GIFTS if gift not in known_gifts]
    )
    pairs = len(values) * (len(values) - 1) / 2
    mean = sum([better * value for better, value in enumerate(values)]) / pairs if pairs else values[0]
    return mean - position_value(knowledge)


def _card_value(after: SeatKnowledge) -> float:
    """Return the value of the Jest card that the seat would miss least."""
    if not after.hand:
        return LONE_CARD_VALUE
    worst = min(after.hand, key=value_estimates.keep_value)
    return max(LEAST_CARD_VALUE, position_value(after) - position_value(aftermath.without_card(after, worst)))


def knowledge_after_turn(knowledge: SeatKnowledge, move: Move) -> SeatKnowledge | None:
    """Return what the seat knows after a move that ends its turn; None for other moves.

    A Favorite that is completed ends the turn when its Gift is kept, or if there is none to choose.
    """
    match move:
        case Learn():
            return aftermath.after_learning(knowledge, move)
        case Pass():
            return aftermath.after_passing(knowledge)
        case Keep(gift):
            return aftermath.after_keeping(knowledge, gift)
        case Finish():
            assert knowledge.target is not None
            task = effects.task(knowledge.target, knowledge.favorite)
            if is_met(task.requirement, knowledge.rolled_dice):
                return aftermath.after_success(knowledge, knowledge.target, knowledge.own, _painted_colours(knowledge))
            return aftermath.after_failure(knowledge)
    return None
