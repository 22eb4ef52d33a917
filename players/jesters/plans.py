"""Plans for a turn of Jesters: every task, with various numbers of dice, at once or after learning (S5–S7)."""

from __future__ import annotations

from functools import cache, lru_cache
from math import inf
from typing import NamedTuple

from engines.jesters import effects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import Extra
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import Learn, Move, Pass, Perform
from engines.jesters.requirements.evaluation import Requirement, success_chance
from players.jesters import value_estimates
from players.jesters.charts import REROLLS_AHEAD, Stake, card_tools, expected_value
from players.jesters.masks import MAX_DICE
from players.jesters.numbers import load_weights
from players.jesters.seat_knowledge import SeatKnowledge

MAX_SPARE_DICE = 2  # extra dice beyond the natural number that may be rolled
MAX_LEARNS = 3  # Jest cards that a plan may use for learning

Dice = tuple[int, ...]  # by colour


class Plan(NamedTuple):
    """A use of a turn: its gain over doing nothing, in Fame, and its first move."""

    value: float
    move: Move


class _Learning(NamedTuple):
    """Jest cards for learning one after the other: the first move, all Techniques they take, and the remaining hand."""

    first: Learn
    dice: Dice
    hand: tuple[int, ...]
    cost: float  # in fractions of a card
    number: int


class _Draft(NamedTuple):
    """A plan before its chances are computed: its value if it cannot fail, and the inputs for its chances."""

    max_value: float
    requirement: Requirement
    number: int
    stake: float
    dice: Dice
    hand: tuple[int, ...]
    target: int
    first: Learn | None


def best_plan_move(knowledge: SeatKnowledge) -> Move:
    """Return the move of the best plan, or passing. Plans that cannot beat the best so far are not computed."""
    found = Plan(value_estimates.pass_value(knowledge), Pass())
    card, turns, lucky = (
        value_estimates.card_value(knowledge),
        value_estimates.turn_colours(knowledge),
        count_luck_gifts(knowledge),
    )
    for draft in _draft_plans(knowledge):
        if draft.max_value <= found.value:
            break
        plan = _evaluate_draft(draft, card, turns, lucky)
        if plan.value > found.value:
            found = plan
    return found.move


def ranked_plans(knowledge: SeatKnowledge) -> list[Plan]:
    """Return all sensible plans including passing, best first."""
    card, turns, lucky = (
        value_estimates.card_value(knowledge),
        value_estimates.turn_colours(knowledge),
        count_luck_gifts(knowledge),
    )
    found = [_evaluate_draft(draft, card, turns, lucky) for draft in _draft_plans(knowledge)]
    return sorted([Plan(value_estimates.pass_value(knowledge), Pass()), *found], key=lambda plan: -plan.value)


class TaskValue(NamedTuple):
    """The value of the best plan for a task, and of the best one without learning; each at least 0."""

    any_plan: float
    at_once: float


def task_values(knowledge: SeatKnowledge) -> dict[int, TaskValue]:
    """Return what each task that may be performed is worth to the seat."""
    card, turns, lucky = (
        value_estimates.card_value(knowledge),
        value_estimates.turn_colours(knowledge),
        count_luck_gifts(knowledge),
    )
    found = dict.fromkeys(knowledge.targets, TaskValue(0.0, 0.0))
    for draft in _draft_plans(knowledge):
        best = found[draft.target]
        if draft.max_value > (best.any_plan if draft.first else best.at_once):
            value = _evaluate_draft(draft, card, turns, lucky).value
            at_once = best.at_once if draft.first else max(best.at_once, value)
            found[draft.target] = TaskValue(max(best.any_plan, value), at_once)
    return found


def _draft_plans(knowledge: SeatKnowledge) -> list[_Draft]:
    """Return drafts for every task and number of dice, the most promising first."""
    card, technique, failure = (
        value_estimates.card_value(knowledge),
        value_estimates.technique_value(knowledge),
        value_estimates.failure_cost(knowledge),
    )
    paints, owned = value_estimates.paint_colours(knowledge), sum(knowledge.dice)
    spare = round(technique / card, 1) if card else 0.0
    found = []
    for target in knowledge.targets:
        requirement = value_estimates.eased_requirement(target, knowledge.favorite, paints)
        prize = value_estimates.completion_value(knowledge, target) + failure
        for number in dice_counts(target, knowledge.favorite):
            stake = prize - technique * number
            way = (
                _dice_after_learning(
                    requirement.colours, number, knowledge.dice, knowledge.hand, knowledge.middle, spare
                )
                if stake > 0
                else None
            )
            if way is not None:
                dice, hand, cost, first = way
                most = stake - failure - cost * card + technique * (sum(dice) - owned)
                most -= load_weights().turn if first else 0.0
                found.append(_Draft(most, requirement, number, stake, dice, hand, target, first))
    return sorted(found, key=lambda draft: -draft.max_value)


def _evaluate_draft(draft: _Draft, card: float, turns: tuple[int, ...], lucky: tuple[int, int]) -> Plan:
    """Return the plan with its chances."""
    dice = choose_dice(draft.requirement.colours, draft.dice, draft.number, draft.hand)
    rolled = dice_colours(dice)
    free = luck_chance(draft.requirement, rolled, lucky) if any(lucky) else 0.0
    stake = Stake(round(draft.stake, 1), round(card, 2), min(len(draft.hand), REROLLS_AHEAD), free)
    likely = expected_value(draft.requirement, rolled, card_tools(draft.hand, frozenset(rolled)), turns, stake)
    return Plan(draft.max_value - draft.stake + likely, draft.first or Perform(draft.target, dice))


@cache
def dice_counts(target: int, favorite: int) -> range:
    """Return the sensible numbers of dice."""
    task = effects.task(target, favorite)
    return range(max(2, task.requirement.form.dice_needed), min(task.dice + MAX_SPARE_DICE, MAX_DICE) + 1)


@lru_cache(1 << 15)
def _dice_after_learning(
    required: Dice, number: int, own: Dice, hand: tuple[int, ...], middle: Dice, technique: float
) -> tuple[Dice, tuple[int, ...], float, Learn | None] | None:
    """Return options at once or after learning: the dice, the hand, the cost in cards, the first move."""
    lacking = tuple([max(0, required - own) for required, own in zip(required, own, strict=True)])
    more = max(0, number - sum(own) - sum(lacking))
    if not any(lacking) and not more:
        return own, hand, 0.0, None
    learning = _cheapest_learning(hand, middle, lacking, more, technique)
    if learning is None:
        return None
    dice = tuple([present + taken for present, taken in zip(own, learning.dice, strict=True)])
    return dice, learning.hand, learning.cost, learning.first


@lru_cache(1 << 14)
def _cheapest_learning(hand: Dice, middle: Dice, lacking: Dice, more: int, technique: float) -> _Learning | None:
    """Return the cheapest cards that supply the missing colours and this many more dice; None if none do."""
    options = [
        (_count_useful(taken, lacking, more), move, taken)
        for card in hand
        for move, taken in _learn_moves(card, middle)
    ]
    if not any(useful for useful, *_ in options):
        return None

    def gain(way: tuple[int, Learn, Dice]) -> float:
        useful, move, taken = way
        return (
            2 * useful + technique * (sum(taken) - useful) - value_estimates.learning_cost(move.card)
            if useful
            else -inf
        )

    useful, first, taken = max(options, key=gain)
    cost, hand = value_estimates.learning_cost(first.card), tuple([card for card in hand if card != first.card])
    left = tuple([max(0, lack - used) for lack, used in zip(lacking, taken, strict=True)])
    still = more - (useful - sum(lacking) + sum(left))
    if not any(left) and not still:
        return _Learning(first, taken, hand, cost, 1)
    middle = tuple([present - used for present, used in zip(middle, taken, strict=True)])
    rest = _cheapest_learning(hand, middle, left, still, technique)
    if rest is None or rest.number == MAX_LEARNS:
        return None
    dice = tuple([one + other for one, other in zip(taken, rest.dice, strict=True)])
    return _Learning(first, dice, rest.hand, cost + rest.cost, rest.number + 1)


@lru_cache(1 << 14)
def _learn_moves(card: int, middle: Dice) -> tuple[tuple[Learn, Dice], ...]:
    """Return every way to learn with a card, and what it takes by colour."""
    found = []
    for colours in effects.learnable_colours(card, middle):
        taken = effects.taken_techniques(card, colours, middle)
        found.append((Learn(card, colours), tuple([taken.count(colour) for colour in range(4)])))
    return tuple(found)


def _count_useful(taken: Dice, lacking: Dice, more: int) -> int:
    """Return how many of the taken Techniques are needed: of those colours, or of any."""
    brought = sum(map(min, taken, lacking))
    return brought + min(more, sum(taken) - brought)


@lru_cache(1 << 14)
def choose_dice(required: Dice, own: Dice, number: int, hand: tuple[int, ...]) -> Dice:
    """Choose this many dice: required colours, then those that Jest cards can change, then the most common."""
    chosen = [min(pair) for pair in zip(required, own, strict=True)]
    bottoms = [catalogue.jest_card(card).bottom.colour for card in hand]
    while sum(chosen) < min(number, sum(own)):
        left = [have - used for have, used in zip(own, chosen, strict=True)]
        chosen[max(range(4), key=lambda c: (left[c] > 0, required[c], bottoms.count(c), left[c], -c))] += 1
    return tuple(chosen)


@lru_cache(1 << 12)
def dice_colours(dice: Dice) -> tuple[int, ...]:
    """Return the colour of each die."""
    return tuple([colour for colour in range(4) for _ in range(dice[colour])])


def count_luck_gifts(knowledge: SeatKnowledge) -> tuple[int, int]:
    """Return how many of the seat's Gifts reroll all dice, and how many add a die."""
    found = [effects.gift_effect(number) for number in value_estimates.usable_gifts(knowledge)]
    rerolls, extra = (sum([isinstance(effect, kind) for effect in found]) for kind in (RerollGift, Extra))
    return rerolls, extra if any(knowledge.middle) else 0


@lru_cache(1 << 12)
def luck_chance(requirement: Requirement, rolled: tuple[int, ...], lucky: tuple[int, int]) -> float:
    """Return the chance that Gifts of luck turn a miss into a success."""
    rerolls, extra = lucky
    if not rerolls and not extra:
        return 0.0
    now = float(success_chance(requirement, rolled))
    misses = (1 - now) ** rerolls
    if extra and now < 1:
        required = requirement.colours
        best = float(success_chance(requirement, (*rolled, max(range(4), key=required.__getitem__))))
        misses *= ((1 - best) / (1 - now)) ** extra
    return 1 - misses
