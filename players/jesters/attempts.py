"""What to do with rolled dice in Jesters: finish, change dice, or reroll (S7, S8, S22)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from engines.jesters import effects
from engines.jesters.components.catalogue import Extra, Opposite, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import Finish, Mark, Move, Paint, Reroll, Roll, Spend, Unmark, UseGift
from engines.jesters.requirements.evaluation import Die, Requirement, is_met
from engines.jesters.requirements.rerolls import best_reroll
from players.jesters import value_estimates
from players.jesters.charts import GIFT_COST, RollChart, Stake, build_chart, card_tools, group_values, mean_value
from players.jesters.masks import MAX_DICE, all_rolls_mask, mendable_rolls, reroll_mask, roll_index
from players.jesters.seat_knowledge import SeatKnowledge

SEARCH_STEPS = 3_000  # steps of the search for a reroll of many dice
MAX_PAINTED = 3  # S20: no requirement needs more dice of one colour


class MoveValue(NamedTuple):
    """A move, and its estimated gain over giving up, in Fame."""

    value: float
    move: Move


class AttemptAnalysis(NamedTuple):
    """The current attempt: its requirement, with and without painted dice, and what is at stake."""

    requirement: Requirement
    eased: Requirement
    stake: Stake
    chart: RollChart | None  # for few dice


def analyze_attempt(knowledge: SeatKnowledge, stake: Stake | None = None) -> AttemptAnalysis:
    """Return the analysis of the current attempt. By default, the stake is that of the rule of thumb."""
    assert knowledge.target is not None
    paints = value_estimates.paint_colours(knowledge)
    eased = value_estimates.eased_requirement(knowledge.target, knowledge.favorite, paints)
    if stake is None:
        stake = _estimate_stake(knowledge, knowledge.target)
    few = _chart_for(knowledge, eased, knowledge.colours) if len(knowledge.colours) <= MAX_DICE else None
    return AttemptAnalysis(effects.task(knowledge.target, knowledge.favorite).requirement, eased, stake, few)


def _estimate_stake(knowledge: SeatKnowledge, target: int) -> Stake:
    prize = (
        value_estimates.completion_value(knowledge, target)
        + value_estimates.failure_cost(knowledge)
        - value_estimates.technique_value(knowledge) * len(knowledge.own)
    )
    return Stake(max(prize, 0.0), value_estimates.card_value(knowledge), len(knowledge.hand))


def _chart_for(
    knowledge: SeatKnowledge, requirement: Requirement, colours: tuple[int, ...], discarded: int = 0
) -> RollChart:
    hand = tuple([card for card in knowledge.hand if card != discarded])
    return build_chart(
        requirement, colours, card_tools(hand, frozenset(colours)), value_estimates.turn_colours(knowledge)
    )


def move_values(knowledge: SeatKnowledge, analysis: AttemptAnalysis | None = None) -> list[MoveValue]:
    """Return all sensible moves, best first. By default, the analysis is that of the rule of thumb."""
    if analysis is None:
        analysis = analyze_attempt(knowledge)
    if is_met(analysis.requirement, knowledge.rolled_dice):
        return [MoveValue(analysis.stake.prize, _fame_only_paint(knowledge, analysis) or Finish())]
    found = [
        MoveValue(0.0, Finish()),
        *_paint_moves(knowledge, analysis),
        *_change_moves(knowledge, analysis),
        *_luck_moves(knowledge, analysis),
    ]
    if knowledge.hand:
        worst = min(knowledge.hand, key=value_estimates.keep_value)
        hoped, _ = most_valuable_reroll(knowledge, analysis, worst)
        found.append(MoveValue(hoped - analysis.stake.card_value, Reroll(worst)))
    return sorted(found, key=lambda way: -way.value)


# --- moves without luck


def _fame_only_paint(knowledge: SeatKnowledge, analysis: AttemptAnalysis) -> Move | None:
    """Return a Gift of colour used only for its Fame, on a die whose own colour is not needed (S22)."""
    for number in value_estimates.usable_gifts(knowledge):
        effect = effects.gift_effect(number)
        if not isinstance(effect, Recolour) or _has_painted_die(knowledge, effect.colour):
            continue
        if fewest_dice_to_paint(analysis.requirement, knowledge.rolled_dice, effect.colour):
            return UseGift(number)
    return None


def _has_painted_die(knowledge: SeatKnowledge, colour: int) -> bool:
    """Whether a die has been painted."""
    return any(own != now == colour for own, now in zip(knowledge.own, knowledge.colours, strict=True))


def _paint_moves(knowledge: SeatKnowledge, analysis: AttemptAnalysis) -> Iterator[MoveValue]:
    """Return Gifts of colour, if nothing else is missing."""
    if is_met(analysis.eased, knowledge.rolled_dice):
        for number in value_estimates.usable_gifts(knowledge):
            effect = effects.gift_effect(number)
            if isinstance(effect, Recolour) and choose_dice_to_paint(knowledge, analysis, effect.colour):
                yield MoveValue(analysis.stake.prize - 0.1 * analysis.stake.card_value, UseGift(number))


def _change_moves(knowledge: SeatKnowledge, analysis: AttemptAnalysis) -> Iterator[MoveValue]:
    """Return bottom halves and Gifts that change a die, valued by the resulting dice."""
    prize, card = analysis.stake.prize, analysis.stake.card_value
    for cost, move, die, face, used in _certain_changes(knowledge):
        faces = (*knowledge.faces[: die - 1], face, *knowledge.faces[die:])
        if is_met(analysis.eased, zip(knowledge.colours, faces, strict=True)):
            yield MoveValue(prize - cost * card, move)
        elif analysis.chart is not None and _mendable_next(knowledge, analysis.eased, used) >> roll_index(faces) & 1:
            yield MoveValue(prize - (cost + 1) * card, move)


def _certain_changes(knowledge: SeatKnowledge) -> Iterator[tuple[float, Move, int, int, int]]:
    """Return every certain change of a die, without equal dice: its cost in cards, the move, the die, its face, the
    card.

    The card is 0 for a Gift.
    """
    alike: set[tuple[int, int, int, int]] = set()
    for card in knowledge.hand:
        cost = 0.9 + 0.1 * value_estimates.keep_value(card)
        for die, (colour, shows) in enumerate(zip(knowledge.colours, knowledge.faces, strict=True), 1):
            for face in effects.reachable_faces(card, colour, shows):
                if (card, colour, shows, face) not in alike:
                    alike.add((card, colour, shows, face))
                    yield cost, Spend(card, die, face), die, face, card
    for gift in value_estimates.usable_gifts(knowledge):
        effect = effects.gift_effect(gift)
        if isinstance(effect, Opposite):
            for die, (colour, shows) in enumerate(zip(knowledge.colours, knowledge.faces, strict=True), 1):
                if colour == effect.colour:
                    yield GIFT_COST, UseGift(gift, die=die), die, 7 - shows, 0


def _mendable_next(knowledge: SeatKnowledge, requirement: Requirement, used_card: int) -> int:
    """Return the rolls that one more bottom half can complete after that card is used."""
    hand = tuple([card for card in knowledge.hand if card != used_card])
    return _mendable_by_one_card(requirement, knowledge.colours, card_tools(hand, frozenset(knowledge.colours)))


@lru_cache(1 << 14)
def _mendable_by_one_card(
    requirement: Requirement, colours: tuple[int, ...], cards: tuple[tuple[int, int], ...]
) -> int:
    found = 0
    hit = build_chart(requirement, colours, (), ()).success_mask
    for tool in dict.fromkeys(cards):
        found |= mendable_rolls(tool, hit, colours)
    return found


# --- moves with luck


def _luck_moves(knowledge: SeatKnowledge, analysis: AttemptAnalysis) -> Iterator[MoveValue]:
    """Return Gifts that reroll, or add a die."""
    for number in value_estimates.usable_gifts(knowledge):
        match effects.gift_effect(number):
            case RerollGift():
                yield MoveValue(
                    _reroll_all_value(knowledge, analysis) - GIFT_COST * analysis.stake.card_value, UseGift(number)
                )
            case Extra():
                for colour, count in enumerate(knowledge.middle):
                    if count:
                        yield MoveValue(
                            _extra_die_value(knowledge, analysis, colour) - GIFT_COST * analysis.stake.card_value,
                            UseGift(number, colour=colour),
                        )


def _reroll_all_value(knowledge: SeatKnowledge, analysis: AttemptAnalysis) -> float:
    """Return the estimated value of rerolling all dice."""
    if analysis.chart is None:
        return 0.3 * analysis.stake.prize  # a roll of this many dice seldom fails
    return mean_value(group_values(analysis.chart, analysis.stake), all_rolls_mask(len(knowledge.faces)))


def _extra_die_value(knowledge: SeatKnowledge, analysis: AttemptAnalysis, colour: int) -> float:
    """Return the estimated value of one more die of a colour."""
    if len(knowledge.colours) < MAX_DICE:
        more = _chart_for(knowledge, analysis.eased, (*knowledge.colours, colour))
        faces = (*knowledge.faces, 1)
        return mean_value(group_values(more, analysis.stake), reroll_mask(faces, (len(knowledge.faces),)))
    good = sum([is_met(analysis.eased, (*knowledge.rolled_dice, (colour, face))) for face in range(1, 7)])
    return analysis.stake.prize * good / 6


def most_valuable_reroll(
    knowledge: SeatKnowledge, analysis: AttemptAnalysis, discarded: int = 0
) -> tuple[float, tuple[int, ...]]:
    """Return the most valuable reroll after discarding that card: its value, and the dice by number from 0."""
    if analysis.chart is None:
        best = best_reroll(analysis.eased, knowledge.rolled_dice, SEARCH_STEPS)
        return float(best.chance) * analysis.stake.prize, best.places
    stake = analysis.stake._replace(cards=len(knowledge.hand) - bool(discarded))
    values = group_values(_chart_for(knowledge, analysis.eased, knowledge.colours, discarded), stake)
    found = [
        (mean_value(values, reroll_mask(knowledge.faces, some)), some) for some in _reroll_choices(len(knowledge.faces))
    ]
    return max(found, key=lambda each: each[0])  # the first of the smallest


@cache
def _reroll_choices(number: int) -> tuple[tuple[int, ...], ...]:
    """Return all choices of dice to reroll, smallest first."""
    return tuple([some for size in range(1, number + 1) for some in combinations(range(number), size)])


# --- marking


def choose_marking_move(knowledge: SeatKnowledge, analysis: AttemptAnalysis | None = None) -> Move:
    """Mark the intended dice one by one, and unmark others (S7, S22)."""
    if analysis is None:
        analysis = analyze_attempt(knowledge)
    colour = effects.paint_colour(knowledge.marking)
    if colour is None:
        meant: Sequence[int] = [die + 1 for die in most_valuable_reroll(knowledge, analysis)[1]]
    else:
        meant = choose_dice_to_paint(knowledge, analysis, colour) or _any_paintable_die(knowledge, colour)
    for die in knowledge.marked:
        if die not in meant:
            return Unmark(die)
    for die in meant:
        if die not in knowledge.marked:
            return Mark(die)
    return Roll() if colour is None else Paint()


def choose_dice_to_paint(knowledge: SeatKnowledge, analysis: AttemptAnalysis, colour: int) -> tuple[int, ...]:
    """Return the dice to paint: the fewest that meet the task, or else those that leave the fewest further colours to
    meet."""
    meant = fewest_dice_to_paint(analysis.requirement, knowledge.rolled_dice, colour)
    return meant or fewest_dice_to_paint(_requirement_before_paints(analysis, colour), knowledge.rolled_dice, colour)


def _requirement_before_paints(analysis: AttemptAnalysis, colour: int) -> Requirement:
    """Return the requirement that allows for painting dice in other colours later."""
    colours = analysis.eased.colours
    red, blue, green, purple = (
        analysis.requirement.colours[each] if each == colour else colours[each] for each in range(4)
    )
    return Requirement(analysis.requirement.form, (red, blue, green, purple))


def fewest_dice_to_paint(requirement: Requirement, dice: Sequence[Die], colour: int) -> tuple[int, ...]:
    """Return the fewest dice, by number, that meet it once they have that colour; () if there are none."""
    others = [number for number, (own, _) in enumerate(dice, 1) if own != colour]
    tried: set[tuple[Die, ...]] = set()
    for size in range(1, MAX_PAINTED + 1):
        for numbers in combinations(others, size):
            alike = tuple(sorted([dice[number - 1] for number in numbers]))
            if alike in tried:
                continue
            tried.add(alike)
            if is_met(requirement, [(colour if n in numbers else own, face) for n, (own, face) in enumerate(dice, 1)]):
                return numbers
    return ()


def _any_paintable_die(knowledge: SeatKnowledge, colour: int) -> tuple[int, ...]:
    """Return a die of another colour, when painting achieves nothing."""
    return (next(number for number, own in enumerate(knowledge.colours, 1) if own != colour),)
