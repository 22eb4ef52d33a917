"""A sensible player of Jesters, for the balance of its components (S24): from the view alone, and without luck.

It plans: for each task, so many more Techniques to learn, then a roll, then what Jest cards and Gifts can mend. What a
plan brings is weighed against the cards it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from engines.jesters import components as parts
from engines.jesters.components import Effect, Extra, FameForColour, FameForSymbol, Opposite, Recolour
from engines.jesters.components import Reroll as RerollGift
from engines.jesters.model import (
    FAVORITE,
    Attempt,
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    Unmark,
    UseGift,
    View,
)
from engines.jesters.requirements import Die, Requirement, met
from engines.jesters.scoring import FIRST_PLAYER, TRACK
from tests.engines.jesters_estimates import Asked, Dice, asked_for, best_reroll, chances, changes, learning, task

CARD_WORTH = (1.3, 1.2, 0.6)  # in Fame, by round: in the end there is little left to do with a card
TECHNIQUE_WORTH = 0.7  # of a card
SYMBOL_WORTH = 1.3  # where it counts
GIFT_WORTH = (4.5, 3.5, 2.5)  # by round
OUT_OF_PLAY = 12.0  # what the third failure costs, a round that is left
SPARE_DICE = 1  # more than the natural number


Gifts = list[tuple[int, Effect]]


class Plan(NamedTuple):
    """A task to perform with so many dice once so many cards are spent to learn, and what that is thought to bring."""

    worth: float
    target: int
    number: int
    cards: int


def choose(view: View) -> Move:
    """The move of whose turn it is."""
    match view.phase:
        case "turn":
            return _turn(view)
        case "attempt":
            return _attempt(view)
        case "mark":
            return _mark(view)
        case "keep":
            return Keep(max((gift for gift in view.drawn if gift), key=lambda gift: _gift_worth(view, gift)))
    raise ValueError("the game is over")


# --- a turn


def _turn(view: View) -> Move:
    """Follow the best plan; pass if none is worth it."""
    plan = max(_plans(view), default=None)
    if plan is None or plan.worth <= _worth_of_passing(view):
        return Pass()
    if plan.cards:
        return _learn(view, plan)
    requirement = task(plan.target, view.favorite).requirement
    return Perform(plan.target, _chosen(requirement, view.dice[_seat(view)], plan.number, view.hand))


def _plans(view: View) -> Iterator[Plan]:
    """Every open task, with a few numbers of dice: the prize, less failures, less cards and Techniques spent."""
    own, cards_for, bottoms = view.dice[_seat(view)], _cards_for(view.hand, sum(view.middle)), _bottoms(view.hand)
    gifts = _gifts(view)
    lucky = sum([isinstance(effect, Extra | RerollGift) for _, effect in gifts])
    failure, paints = _price_of_failure(view), _paints(gifts)
    card = CARD_WORTH[view.round - 1]
    technique = TECHNIQUE_WORTH * card * (1 if view.hand else 0.4)
    for target in view.board if view.seat in view.done else (*view.board, FAVORITE):
        prize = _prize(view, target, gifts)
        coloured, owned = _colours_lacking(asked_for(target, view.favorite), own, paints), sum(own)
        for number in _numbers(target, view.favorite):
            lacking = max(coloured, number - owned)
            if lacking >= len(cards_for):
                break
            cards = cards_for[lacking] if lacking > 0 else 0
            left = len(bottoms) - cards
            likely, at_once = chances(target, view.favorite, number, left, bottoms[: min(left, 3)], lucky)
            spent = card * (cards + 1.3 * (likely - at_once)) + technique * number * likely + 0.15 * cards
            yield Plan(likely * prize - (1 - likely) * failure - spent, target, number, cards)


@cache
def _numbers(target: int, favorite: int) -> range:
    """With how many dice it may be worth trying."""
    doing = task(target, favorite)
    return range(max(2, doing.requirement.form.size, doing.dice - 1), doing.dice + SPARE_DICE + 1)


@lru_cache(maxsize=1 << 12)
def _cards_for(hand: tuple[int, ...], middle: int) -> list[int]:
    """By number of Techniques to learn, as far as it goes, how many cards that takes."""
    tops = sorted((len(parts.jest_card(card).top) for card in hand), reverse=True)
    return [0, *(number for number, top in enumerate(tops, 1) for _ in range(top))][: middle + 1]


@lru_cache(maxsize=1 << 12)
def _bottoms(hand: tuple[int, ...]) -> tuple[int, ...]:
    """The prices of the bottom halves, the strongest first."""
    return tuple(sorted((parts.jest_card(card).bottom.price for card in hand), reverse=True))


def _worth_of_passing(view: View) -> float:
    """In the last round the first player card is worth its Fame to who has little left to do."""
    return FIRST_PLAYER - 0.8 * len(view.hand) if view.round == 3 and not view.passed else 0.0


def _learn(view: View, plan: Plan) -> Move:
    """Learn with the card that brings most of what is lacking, and is the least loss."""
    asked = asked_for(plan.target, view.favorite)
    own, paints = view.dice[_seat(view)], _paints(_gifts(view))
    lacking = _lacking(asked, own, plan.number, paints)
    bottoms = _colours(view.hand)

    def gain(way: tuple[Learn, Dice]) -> float:
        move, taken = way
        after = tuple([have + more for have, more in zip(own, taken, strict=True)])
        brought = lacking - _lacking(asked, after, plan.number, paints)
        fits = sum([bottoms[colour] for colour in range(4) if taken[colour]]) / 10
        return 2 * brought + 0.5 * (sum(taken) - brought) - 0.35 * parts.jest_card(move.card).bottom.price + fits

    ways = [way for card in view.hand for way in learning(card, view.middle)]
    return max(ways, key=gain)[0] if ways else Pass()


def _lacking(asked: Asked, own: Dice, number: int, paints: Sequence[int]) -> int:
    """How many Techniques there are to learn yet."""
    return max(_colours_lacking(asked, own, paints), number - sum(own), 0)


def _colours_lacking(asked: Asked, own: Dice, paints: Sequence[int]) -> int:
    """How many Techniques of colours asked for there are to learn yet, unless a Gift can paint those."""
    lacking = 0
    for colour, number in asked:
        if number > own[colour] and colour not in paints:
            lacking += number - own[colour]
    return lacking


def _chosen(requirement: Requirement, own: Dice, number: int, hand: tuple[int, ...]) -> Dice:
    """So many of one's dice: the colours asked for, then those that cards can change, then those one has most of."""
    asked, bottoms = requirement.colours, _colours(hand)
    chosen = [min(pair) for pair in zip(asked, own, strict=True)]
    while sum(chosen) < min(number, sum(own)):
        left = [have - used for have, used in zip(own, chosen, strict=True)]
        chosen[max(range(4), key=lambda c: (left[c] > 0, asked[c], bottoms[c], left[c]))] += 1
    return tuple(chosen)


@lru_cache(maxsize=1 << 12)
def _colours(hand: tuple[int, ...]) -> tuple[int, ...]:
    """By colour, how many bottom halves are for it; those for any colour come last."""
    colours = [parts.jest_card(card).bottom.colour for card in hand]
    return tuple(map(colours.count, range(5)))


# --- what things are worth


def _prize(view: View, target: int, gifts: Gifts) -> float:
    """What success brings."""
    doing = task(target, view.favorite)
    fame = sum([_fame(effect, doing.symbols) for _, effect in gifts])
    if target == FAVORITE:
        return fame + GIFT_WORTH[view.round - 1] if view.gift_pile else 0.0
    return fame + _performance_worth(target, view.placed, view.favorite)


def _fame(effect: Effect, symbols: Sequence[int]) -> float:
    """What an own Gift would add."""
    match effect:
        case FameForSymbol(symbol):
            return 2.0 * (symbol in symbols)
        case FameForColour():
            return 1.0
    return 0.0


@cache
def _performance_worth(number: int, placed: tuple[int, ...], favorite: int) -> float:
    """Its Fame and its symbols."""
    performance = parts.performance(number)
    return performance.fame + sum(_symbol_worth(placed, favorite, symbol) for symbol in performance.symbols)


def _symbol_worth(placed: tuple[int, ...], favorite: int, symbol: int) -> float:
    """Less if its Favorite may yet come, and more the likelier that is."""
    known = (*placed, favorite)
    if any(symbol in parts.favorite(number).symbols for number in known):
        return SYMBOL_WORTH
    return SYMBOL_WORTH * (3 - len(known)) / (5 - len(known))


def _gift_worth(view: View, gift: int) -> float:
    """How good a Gift is to keep."""
    match parts.gift(gift).effect:
        case FameForColour() | Extra() | RerollGift():
            use = 1.6
        case FameForSymbol() | Opposite():
            use = 1.0
        case Recolour():
            use = 0.6
    return use * (3.6 - view.round) + _symbol_worth(view.placed, view.favorite, parts.gift(gift).symbol)


def _price_of_failure(view: View) -> float:
    """The step on the failure track, less the Jest cards that it brings."""
    failures = view.failures[_seat(view)]
    cards = (1, 3, 0)[failures] * CARD_WORTH[view.round - 1]
    step = TRACK[failures] - TRACK[failures + 1]
    return step - 0.8 * cards + (OUT_OF_PLAY * (4 - view.round) if failures == 2 else 0.0)


# --- Gifts


def _gifts(view: View) -> Gifts:
    """The Gifts that may still be used in this round."""
    return [(gift, parts.gift(gift).effect) for gift in view.gifts[_seat(view)] if gift not in view.used]


def _paints(gifts: Gifts) -> list[int]:
    """The colours that these can give dice."""
    return [effect.colour for _, effect in gifts if isinstance(effect, Recolour)]


# --- an attempt


def _attempt(view: View) -> Move:
    """Finish what is met; else mend it by the cheapest way that is worth it."""
    attempt = _under_way(view)
    requirement = task(attempt.target, view.favorite).requirement
    dice = _rolled(attempt)
    if met(requirement, dice):
        return Finish()
    gift = _use_gift(view, requirement, dice)
    if gift is not None:
        return gift
    stake = _prize(view, attempt.target, _gifts(view)) + _price_of_failure(view)
    card = CARD_WORTH[view.round - 1]
    ways = [(0.0, 0, Finish()), *_spends(view, requirement, stake, card), *_rerolls(view, requirement, stake, card)]
    return max(ways, key=lambda way: way[:2])[2]


def _use_gift(view: View, requirement: Requirement, dice: tuple[Die, ...]) -> Move | None:
    """A Gift that completes it, or that at least helps."""
    lucky: Move | None = None
    for gift, effect in _gifts(view):
        match effect:
            case Opposite(colour):
                for place, (own, face) in enumerate(dice):
                    if own == colour and met(requirement, (*dice[:place], (own, 7 - face), *dice[place + 1 :])):
                        return UseGift(gift, die=place + 1)
            case Recolour(colour):
                if [own for own, _ in dice].count(colour) < requirement.colours[colour]:
                    return UseGift(gift)
            case Extra() if any(view.middle):
                wanted = [there and 1 + asked for there, asked in zip(view.middle, requirement.colours, strict=True)]
                lucky = UseGift(gift, colour=wanted.index(max(wanted)))
            case RerollGift():
                lucky = UseGift(gift)
    return lucky


def _spends(view: View, requirement: Requirement, stake: float, card: float) -> Iterator[tuple[float, int, Move]]:
    """Bottom halves that complete it: one, or else two together."""
    dice = _rolled(_under_way(view))
    ways = [(number, place, after) for number in view.hand for place, after in changes(number, dice)]
    done = [way for way in ways if met(requirement, way[2])]
    for number, place, after in done:
        yield stake - card, -parts.jest_card(number).top_price, Spend(number, place + 1, after[place][1])
    if done or stake <= 2 * card:
        return
    for (number, place, after), (other, where, then) in combinations(ways, 2):
        if number != other and place < where and met(requirement, (*after[:where], *then[where:])):
            tops = parts.jest_card(number).top_price + parts.jest_card(other).top_price
            yield stake - 2 * card, -tops, Spend(number, place + 1, after[place][1])


def _rerolls(view: View, requirement: Requirement, stake: float, card: float) -> Iterator[tuple[float, int, Move]]:
    """A reroll, by the card that is the least loss."""
    if view.hand:
        likely, _ = best_reroll(requirement, _rolled(_under_way(view)))
        faces = [parts.jest_card(number) for number in view.hand]
        worst = min(faces, key=lambda face: face.bottom.price + len(face.top))
        yield likely * stake - card, -9, Reroll(worst.id)


def _mark(view: View) -> Move:
    """Mark the dice that were meant, one by one."""
    attempt = _under_way(view)
    requirement = task(attempt.target, view.favorite).requirement
    effect = parts.gift(attempt.marking).effect if attempt.marking else None
    painting = isinstance(effect, Recolour)
    if isinstance(effect, Recolour):
        wanted = _to_paint(requirement, _rolled(attempt), effect.colour)
    else:
        wanted = [place + 1 for place in best_reroll(requirement, _rolled(attempt))[1]]
    for die in attempt.marked:
        if die not in wanted:
            return Unmark(die)
    for die in wanted:
        if die not in attempt.marked:
            return Mark(die)
    return Paint() if painting else Roll()


def _to_paint(requirement: Requirement, dice: Sequence[Die], paint: int) -> list[int]:
    """All dice but as many of the other colours as are asked for."""
    kept = list(requirement.colours)
    wanted = []
    for number, (colour, _) in enumerate(dice, 1):
        if colour != paint and kept[colour]:
            kept[colour] -= 1
        elif colour != paint:
            wanted.append(number)
    return wanted


def _under_way(view: View) -> Attempt:
    assert view.attempt is not None
    return view.attempt


def _rolled(attempt: Attempt) -> tuple[Die, ...]:
    return tuple([(die.colour, die.face) for die in attempt.dice])


def _seat(view: View) -> int:
    assert view.seat is not None
    return view.seat
