"""What to do with rolled dice in Jesters: finish, mend them, roll again (S7, S8, S22)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from engines.jesters.components import effects
from engines.jesters.components.catalogue import Extra, Opposite, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import Finish, Mark, Move, Paint, Reroll, Roll, Spend, Unmark, UseGift
from engines.jesters.requirements.evaluation import Die, Requirement, met
from engines.jesters.requirements.rerolls import best_reroll
from players.jesters import value_estimates
from players.jesters.charts import GIFT, Chart, Stake, after, chart, tools, valued
from players.jesters.masks import MOST, before, everything, keeping, place
from players.jesters.seen import Seen

STEPS = 3_000  # of the search for a reroll of many dice
PAINTED = 3  # S20: no requirement asks for more dice of one colour


class Way(NamedTuple):
    """A move, and how much more than giving up it is thought to bring, in Fame."""

    worth: float
    move: Move


class Table(NamedTuple):
    """An attempt as it lies: what is asked, also of who has painted dice, and what is at stake."""

    requirement: Requirement
    eased: Requirement
    stake: Stake
    chart: Chart | None  # of few dice


def table(seen: Seen) -> Table:
    """The attempt under way."""
    assert seen.target is not None
    paints = value_estimates.paints(seen)
    eased = value_estimates.asked(seen.target, seen.favorite, paints)
    prize = (
        value_estimates.prize(seen, seen.target)
        + value_estimates.failure(seen)
        - value_estimates.technique(seen) * len(seen.own)
    )
    stake = Stake(max(prize, 0.0), value_estimates.card(seen), len(seen.hand))
    few = _chart(seen, eased, seen.colours) if len(seen.colours) <= MOST else None
    return Table(effects.task(seen.target, seen.favorite).requirement, eased, stake, few)


def _chart(seen: Seen, requirement: Requirement, colours: tuple[int, ...], without: int = 0) -> Chart:
    hand = tuple([card for card in seen.hand if card != without])
    return chart(requirement, colours, tools(hand, frozenset(colours)), value_estimates.turns(seen))


def ways(seen: Seen) -> list[Way]:
    """All that is worth thinking of, the best first."""
    lying = table(seen)
    if met(lying.requirement, seen.rolled):
        return [Way(lying.stake.prize, _adorned(seen, lying) or Finish())]
    found = [Way(0.0, Finish()), *_painting(seen, lying), *_changing(seen, lying), *_lucky(seen, lying)]
    if seen.hand:
        worst = min(seen.hand, key=value_estimates.keeper)
        hoped, _ = again(seen, lying, worst)
        found.append(Way(hoped - lying.stake.card, Reroll(worst)))
    return sorted(found, key=lambda way: -way.worth)


# --- for certain


def _adorned(seen: Seen, lying: Table) -> Move | None:
    """A Gift of colour used for its Fame alone, on a die that is not needed in its own (S22)."""
    for number in value_estimates.usable(seen):
        effect = effects.effect(number)
        if not isinstance(effect, Recolour) or _earned(seen, effect.colour):
            continue
        if to_paint(lying.requirement, seen.rolled, effect.colour):
            return UseGift(number)
    return None


def _earned(seen: Seen, colour: int) -> bool:
    """Whether a die has been given that colour."""
    return any(own != now == colour for own, now in zip(seen.own, seen.colours, strict=True))


def _painting(seen: Seen, lying: Table) -> Iterator[Way]:
    """Gifts of colour, where that is all that is lacking."""
    if met(lying.eased, seen.rolled):
        for number in value_estimates.usable(seen):
            effect = effects.effect(number)
            if isinstance(effect, Recolour) and wanted(seen, lying, effect.colour):
                yield Way(lying.stake.prize - 0.1 * lying.stake.card, UseGift(number))


def _changing(seen: Seen, lying: Table) -> Iterator[Way]:
    """Bottom halves and Gifts that change a die, by what they lead to."""
    prize, card = lying.stake.prize, lying.stake.card
    for cost, move, die, face, used in _changes(seen):
        faces = (*seen.faces[: die - 1], face, *seen.faces[die:])
        if met(lying.eased, zip(seen.colours, faces, strict=True)):
            yield Way(prize - cost * card, move)
        elif lying.chart is not None and _next(seen, lying.eased, used) >> place(faces) & 1:
            yield Way(prize - (cost + 1) * card, move)


def _changes(seen: Seen) -> Iterator[tuple[float, Move, int, int, int]]:
    """Every change of a die for certain, of dice alike one: its cost in cards, the move, the die, its face, the card.

    The card is 0 where a Gift does it.
    """
    alike: set[tuple[int, int, int, int]] = set()
    for card in seen.hand:
        cost = 0.9 + 0.1 * value_estimates.keeper(card)
        for die, (colour, shows) in enumerate(zip(seen.colours, seen.faces, strict=True), 1):
            for face in effects.faces(card, colour, shows):
                if (card, colour, shows, face) not in alike:
                    alike.add((card, colour, shows, face))
                    yield cost, Spend(card, die, face), die, face, card
    for gift in value_estimates.usable(seen):
        effect = effects.effect(gift)
        if isinstance(effect, Opposite):
            for die, (colour, shows) in enumerate(zip(seen.colours, seen.faces, strict=True), 1):
                if colour == effect.colour:
                    yield GIFT, UseGift(gift, die=die), die, 7 - shows, 0


def _next(seen: Seen, requirement: Requirement, used: int) -> int:
    """The rolls that one more bottom half mends, once that card is used."""
    hand = tuple([card for card in seen.hand if card != used])
    return _single(requirement, seen.colours, tools(hand, frozenset(seen.colours)))


@lru_cache(1 << 14)
def _single(requirement: Requirement, colours: tuple[int, ...], cards: tuple[tuple[int, int], ...]) -> int:
    found = 0
    hit = chart(requirement, colours, (), ()).met
    for tool in dict.fromkeys(cards):
        found |= before(tool, hit, colours)
    return found


# --- by luck


def _lucky(seen: Seen, lying: Table) -> Iterator[Way]:
    """Gifts that roll again, or roll one die more."""
    for number in value_estimates.usable(seen):
        match effects.effect(number):
            case RerollGift():
                yield Way(_all_again(seen, lying) - GIFT * lying.stake.card, UseGift(number))
            case Extra():
                for colour, there in enumerate(seen.middle):
                    if there:
                        yield Way(_extra(seen, lying, colour) - GIFT * lying.stake.card, UseGift(number, colour=colour))


def _all_again(seen: Seen, lying: Table) -> float:
    """What it is thought to bring to roll all dice again."""
    if lying.chart is None:
        return 0.3 * lying.stake.prize  # so many dice are seldom rolled in vain
    return after(valued(lying.chart, lying.stake), everything(len(seen.faces)))


def _extra(seen: Seen, lying: Table, colour: int) -> float:
    """What one more die of a colour is thought to bring."""
    if len(seen.colours) < MOST:
        more = _chart(seen, lying.eased, (*seen.colours, colour))
        faces = (*seen.faces, 1)
        return after(valued(more, lying.stake), keeping(faces, (len(seen.faces),)))
    good = sum([met(lying.eased, (*seen.rolled, (colour, face))) for face in range(1, 7)])
    return lying.stake.prize * good / 6


def again(seen: Seen, lying: Table, without: int = 0) -> tuple[float, tuple[int, ...]]:
    """The reroll that is thought to bring most, once that card is discarded: what, and the dice by number from 0."""
    if lying.chart is None:
        best = best_reroll(lying.eased, seen.rolled, STEPS)
        return float(best.chance) * lying.stake.prize, best.places
    stake = lying.stake._replace(cards=len(seen.hand) - bool(without))
    values = valued(_chart(seen, lying.eased, seen.colours, without), stake)
    found = [(after(values, keeping(seen.faces, some)), some) for some in _rerolls(len(seen.faces))]
    return max(found, key=lambda each: each[0])  # the first of the fewest


@cache
def _rerolls(number: int) -> tuple[tuple[int, ...], ...]:
    """All dice that may be rolled again of so many, the fewest first."""
    return tuple([some for size in range(1, number + 1) for some in combinations(range(number), size)])


# --- marking


def marking(seen: Seen) -> Move:
    """Mark the dice that are meant, one by one, and take back marks that are not (S7, S22)."""
    lying, colour = table(seen), effects.paint(seen.marking)
    if colour is None:
        meant: Sequence[int] = [die + 1 for die in again(seen, lying)[1]]
    else:
        meant = wanted(seen, lying, colour) or _any_other(seen, colour)
    for die in seen.marked:
        if die not in meant:
            return Unmark(die)
    for die in meant:
        if die not in seen.marked:
            return Mark(die)
    return Roll() if colour is None else Paint()


def wanted(seen: Seen, lying: Table, colour: int) -> tuple[int, ...]:
    """The dice to give a colour: the fewest that meet the task, or else that leave no more to ask for than colours."""
    meant = to_paint(lying.requirement, seen.rolled, colour)
    return meant or to_paint(_without(lying, colour), seen.rolled, colour)


def _without(lying: Table, colour: int) -> Requirement:
    """What is asked of who paints dice in other colours later on."""
    colours = lying.eased.colours
    red, blue, green, purple = (
        lying.requirement.colours[each] if each == colour else colours[each] for each in range(4)
    )
    return Requirement(lying.requirement.form, (red, blue, green, purple))


def to_paint(requirement: Requirement, dice: Sequence[Die], colour: int) -> tuple[int, ...]:
    """The fewest dice, by number, with which it is met once they have that colour; () if there are none."""
    others = [number for number, (own, _) in enumerate(dice, 1) if own != colour]
    tried: set[tuple[Die, ...]] = set()
    for size in range(1, PAINTED + 1):
        for numbers in combinations(others, size):
            alike = tuple(sorted([dice[number - 1] for number in numbers]))
            if alike in tried:
                continue
            tried.add(alike)
            if met(requirement, [(colour if n in numbers else own, face) for n, (own, face) in enumerate(dice, 1)]):
                return numbers
    return ()


def _any_other(seen: Seen, colour: int) -> tuple[int, ...]:
    """A die of another colour, where painting brings nothing."""
    return (next(number for number, own in enumerate(seen.colours, 1) if own != colour),)
