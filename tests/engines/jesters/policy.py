"""A sensible player of Jesters, for the balance of its components (S24): from the view alone, and without luck.

It plans: for each task, so many more Techniques to learn, then a roll, then what Jest cards and Gifts can mend. What a
plan brings is weighed against the cards it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from engines.jesters import effects, model
from engines.jesters.components import catalogue
from engines.jesters.requirements.evaluation import Die, Requirement, is_met
from engines.jesters.scoring import FAILURE_TRACK, FIRST_PLAYER_FAME
from engines.jesters.view import View
from tests.engines.jesters import estimates
from tests.engines.jesters.estimates import Dice, bottom_changes, painted_requirement

CARD_VALUE = (1.6, 1.4, 0.8)  # in Fame, by round: in the end there is little left to do with a card
TECHNIQUE_VALUE = 0.7  # of a card
SYMBOL_VALUE = 1.3  # if it counts
GIFT_VALUE = (4.5, 3.5, 2.5)  # by round
OUT_PENALTY = 6.0  # what the third failure costs, a round that is left
FAILURE_CAUTION = 0.4  # of what a failure costs: the dice are kept, and who counts it in full wins less often
SPARE_DICE = 1  # more than the natural number


Gifts = list[tuple[int, catalogue.Effect]]


class AttemptPlan(NamedTuple):
    """A task to perform with so many dice once so many cards are spent to learn, and what that is thought to bring."""

    value: float
    target: int
    number: int
    cards: int


def choose_move(view: View, heedless: bool = False) -> model.Move:
    """The move of whose turn it is; who is heedless plans and mends as if a failure cost nothing."""
    failure = 0.0 if heedless else _failure_price(view)
    match view.phase:
        case "turn":
            return _choose_turn(view, failure)
        case "attempt":
            return _choose_in_attempt(view, failure)
        case "mark":
            return _choose_marks(view)
        case "keep":
            return model.Keep(max((gift for gift in view.drawn if gift), key=lambda gift: _gift_value(view, gift)))
    raise ValueError("the game is over")


# --- a turn


def _choose_turn(view: View, failure: float) -> model.Move:
    plan = _best_plan(view, failure)
    if plan is None:
        return model.Pass()
    if plan.cards:
        return _choose_learn(view, plan)
    required = effects.task(plan.target, view.favorite).requirement.colours
    dice = _choose_dice(required, view.dice[_view_seat(view)], plan.number, _tools_by_colour(view))
    return model.Perform(plan.target, dice)


def _best_plan(view: View, failure: float) -> AttemptPlan | None:
    """Of every open task, with a few numbers of dice: the prize, less failures, less cards and Techniques spent.

    None where passing is worth as much. The chances are looked at only where they might make a plan the best.
    """
    best, least = None, _pass_value(view)
    own, cards_for = view.dice[_view_seat(view)], _cards_to_learn(view.hand, sum(view.middle))
    gifts, tools = _usable_gifts(view), _tools_by_colour(view)
    bottoms = _bottom_prices(view.hand, sum([isinstance(effect, catalogue.Opposite) for _, effect in gifts]))
    rerolls = sum([isinstance(effect, catalogue.Reroll) for _, effect in gifts])
    extra = any(isinstance(effect, catalogue.Extra) for _, effect in gifts)
    paints = _paint_colours(gifts)
    card = CARD_VALUE[view.round - 1]
    technique = TECHNIQUE_VALUE * card * (1 if view.hand else 0.4)
    for target in view.board if view.seat in view.done else (*view.board, model.FAVORITE_TARGET):
        prize = _task_prize(view, target, gifts)
        required = painted_requirement(target, view.favorite, paints).colours
        coloured, owned = _count_colours_lacking(required, own), sum(own)
        for number in _dice_numbers(target, view.favorite):
            lacking = max(coloured, number - owned)
            if lacking >= len(cards_for):
                break
            cards = cards_for[lacking] if lacking > 0 else 0
            if max(prize - technique * number, -failure) - (card + 0.15) * cards < least - 1e-9:
                continue
            left = len(view.hand) - cards
            owning = _expand_dice(_choose_dice(required, own, number, tools))
            dice = estimates.natural_dice(required, number) if lacking > 0 else owning
            strongest = bottoms[: min(len(bottoms) - cards, 3)]
            mending = (left, strongest, rerolls, extra)
            likely, free = estimates.chances_with_paints(target, view.favorite, paints, dice, *mending)
            spent = card * (cards + 1.3 * (likely - free)) + technique * number * likely + 0.15 * cards
            plan = AttemptPlan(likely * prize - (1 - likely) * failure - spent, target, number, cards)
            if plan.value > least or (best is not None and plan > best):
                best, least = plan, plan.value
    return best


@cache
def _dice_numbers(target: int, favorite: int) -> range:
    doing = effects.task(target, favorite)
    return range(max(2, doing.requirement.form.dice_needed, doing.dice - 1), doing.dice + SPARE_DICE + 1)


@lru_cache(maxsize=1 << 12)
def _cards_to_learn(hand: tuple[int, ...], middle: int) -> list[int]:
    """By number of Techniques to learn, as far as it goes, how many cards that takes."""
    tops = sorted((len(catalogue.jest_card(card).top) for card in hand), reverse=True)
    return [0, *(number for number, top in enumerate(tops, 1) for _ in range(top))][: middle + 1]


@lru_cache(maxsize=1 << 12)
def _bottom_prices(hand: tuple[int, ...], turns: int) -> tuple[int, ...]:
    """The prices of the bottom halves, the strongest first; among them so many Gifts that do what a turn does."""
    prices = [catalogue.jest_card(card).bottom.price for card in hand]
    return tuple(sorted([*prices, *[catalogue.TurnOver(0).price] * turns], reverse=True))


def _pass_value(view: View) -> float:
    """In the last round the first player card is worth its Fame to who has little left to do."""
    return FIRST_PLAYER_FAME - 0.8 * len(view.hand) if view.round == 3 and not view.passed else 0.0


def _choose_learn(view: View, plan: AttemptPlan) -> model.Move:
    """Learn with the card that brings most of what is lacking, and is the least loss."""
    required = painted_requirement(plan.target, view.favorite, _paint_colours(_usable_gifts(view))).colours
    own, tools = view.dice[_view_seat(view)], _tools_by_colour(view)
    lacking = _count_lacking(required, own, plan.number)

    def gain(way: tuple[model.Learn, Dice]) -> float:
        move, taken = way
        after = tuple([have + more for have, more in zip(own, taken, strict=True)])
        brought = lacking - _count_lacking(required, after, plan.number)
        fits = sum([tools[colour] for colour in range(4) if taken[colour]]) / 10
        loss = 0.35 * catalogue.jest_card(move.card).bottom.price
        return 2 * brought + 0.5 * (sum(taken) - brought) - loss + fits

    moves = [way for card in view.hand for way in estimates.learning_moves(card, view.middle)]
    return max(moves, key=gain)[0] if moves else model.Pass()


def _count_lacking(required: Dice, own: Dice, number: int) -> int:
    return max(_count_colours_lacking(required, own), number - sum(own), 0)


def _count_colours_lacking(required: Dice, own: Dice) -> int:
    """How many Techniques of colours asked for there are to learn yet."""
    return sum([number - have for number, have in zip(required, own, strict=True) if number > have])


@lru_cache(maxsize=1 << 14)
def _choose_dice(required: Dice, own: Dice, number: int, tools: tuple[int, ...]) -> Dice:
    """So many of one's dice: the colours asked for, those that can be changed, those one has most of."""
    chosen = [min(pair) for pair in zip(required, own, strict=True)]
    while sum(chosen) < min(number, sum(own)):
        left = [have - used for have, used in zip(own, chosen, strict=True)]
        chosen[max(range(4), key=lambda c: (left[c] > 0, required[c], tools[c], left[c]))] += 1
    return tuple(chosen)


def _expand_dice(dice: Dice) -> tuple[int, ...]:
    return tuple([colour for colour in range(4) for _ in range(dice[colour])])


def _tools_by_colour(view: View) -> tuple[int, ...]:
    turn_colours = [effect.colour for _, effect in _usable_gifts(view) if isinstance(effect, catalogue.Opposite)]
    return tuple([number + turn_colours.count(colour) for colour, number in enumerate(_bottoms_by_colour(view.hand))])


@lru_cache(maxsize=1 << 12)
def _bottoms_by_colour(hand: tuple[int, ...]) -> tuple[int, ...]:
    colours = [catalogue.jest_card(card).bottom.colour for card in hand]
    return tuple(map(colours.count, range(4)))


# --- what things are worth


def _task_prize(view: View, target: int, gifts: Gifts) -> float:
    doing = effects.task(target, view.favorite)
    fame = sum([_gift_fame(effect, doing) for _, effect in gifts])
    if target == model.FAVORITE_TARGET:
        return fame + GIFT_VALUE[view.round - 1] if view.gift_pile else 0.0
    return fame + _performance_value(target, view.placed, view.favorite)


def _gift_fame(effect: catalogue.Effect, doing: catalogue.Performance | catalogue.Favorite) -> float:
    match effect:
        case catalogue.FameForSymbol(symbol):
            return 2.0 * (symbol in doing.symbols)
        case catalogue.FameForColour(colour):
            return 2.0 * (doing.requirement.colours[colour] > 0)
        case catalogue.Recolour(colour):
            return 0.8 * (doing.requirement.colours[colour] > 0)
    return 0.0


@cache
def _performance_value(number: int, placed: tuple[int, ...], favorite: int) -> float:
    performance = catalogue.performance(number)
    return performance.fame + sum(_symbol_value(placed, favorite, symbol) for symbol in performance.symbols)


def _symbol_value(placed: tuple[int, ...], favorite: int, symbol: int) -> float:
    """Less if its Favorite may yet come, and more the likelier that is."""
    known = (*placed, favorite)
    if any(symbol in catalogue.favorite(number).symbols for number in known):
        return SYMBOL_VALUE
    return SYMBOL_VALUE * (3 - len(known)) / (5 - len(known))


def _gift_value(view: View, gift: int) -> float:
    match catalogue.gift(gift).effect:
        case catalogue.FameForColour() | catalogue.Extra() | catalogue.Reroll():
            use = 1.6
        case catalogue.FameForSymbol() | catalogue.Opposite():
            use = 1.0
        case catalogue.Recolour():
            use = 0.6
    return use * (3.6 - view.round) + _symbol_value(view.placed, view.favorite, catalogue.gift(gift).symbol)


def _failure_price(view: View) -> float:
    """The step on the failure track, less the Jest cards that it brings."""
    failures = view.failures[_view_seat(view)]
    cards = (1, 3, 0)[failures] * CARD_VALUE[view.round - 1]
    step = FAILURE_TRACK[failures] - FAILURE_TRACK[failures + 1]
    return FAILURE_CAUTION * (step - 0.8 * cards + (OUT_PENALTY * (4 - view.round) if failures == 2 else 0.0))


def _usable_gifts(view: View) -> Gifts:
    return [(gift, catalogue.gift(gift).effect) for gift in view.gifts[_view_seat(view)] if gift not in view.used]


def _paint_colours(gifts: Gifts) -> tuple[int, ...]:
    return tuple([effect.colour for _, effect in gifts if isinstance(effect, catalogue.Recolour)])


# --- an attempt


def _choose_in_attempt(view: View, failure: float) -> model.Move:
    """Finish what is met; else mend it by the cheapest way that is worth it."""
    attempt, requirement, dice = _current_attempt(view)
    if is_met(requirement, dice):
        return model.Finish()
    stake = _task_prize(view, attempt.target, _usable_gifts(view)) + failure
    card = CARD_VALUE[view.round - 1]
    spends = [*_certain_completions(view, stake, card)]
    gift = _choose_gift(view, requirement, dice, max((worth for worth, *_ in spends), default=0.0) >= stake - card)
    if gift is not None:
        return gift
    options = [(0.0, 0, model.Finish()), *spends, *_reroll_options(view, stake, card)]
    return max(options, key=lambda way: way[:2])[2]


def _choose_gift(view: View, requirement: Requirement, dice: tuple[Die, ...], mendable: bool) -> model.Move | None:
    """A Gift that completes it or helps; no reroll is risked if one Jest card will do."""
    lucky: model.Move | None = None
    for gift, effect in _usable_gifts(view):
        match effect:
            case catalogue.Opposite(colour):
                for place, (own, face) in enumerate(dice):
                    if own == colour and is_met(requirement, (*dice[:place], (own, 7 - face), *dice[place + 1 :])):
                        return model.UseGift(gift, die=place + 1)
            case catalogue.Recolour(colour):
                if _dice_to_paint(requirement, dice, colour, view.hand, mendable):
                    return model.UseGift(gift)
            case catalogue.Extra() if any(view.middle):
                likely, colour = _best_extra(requirement, dice, view.middle)
                if likely >= 0.3 or not mendable:
                    lucky = model.UseGift(gift, colour=colour)
            case catalogue.Reroll() if not mendable:
                lucky = lucky or model.UseGift(gift)
    return lucky


def _best_extra(requirement: Requirement, dice: tuple[Die, ...], middle: Dice) -> tuple[float, int]:
    """The chance that one more Technique completes it, and its colour: rather one that is asked for."""
    options = []
    for colour in range(4):
        if middle[colour]:
            hits = sum([is_met(requirement, (*dice, (colour, face))) for face in range(1, 7)])
            options.append((hits / 6, requirement.colours[colour], -colour))
    likely, _, colour = max(options)
    return likely, -colour


Change = tuple[float, int, model.Move, int, tuple[Die, ...]]  # cost, tie-break, move, place of the die, dice then
Way = tuple[float, int, model.Move]  # gain, tie-break, move


def _certain_changes(view: View, dice: tuple[Die, ...], card: float) -> Iterator[Change]:
    for number in view.hand:
        for place, after in bottom_changes(number, dice):
            spend = model.Spend(number, place + 1, after[place][1])
            yield card, -catalogue.jest_card(number).top_price, spend, place, after
    for gift, effect in _usable_gifts(view):
        if isinstance(effect, catalogue.Opposite):
            for place, (colour, face) in enumerate(dice):
                if colour == effect.colour:
                    after = (*dice[:place], (colour, 7 - face), *dice[place + 1 :])
                    yield 0.3 * card, 0, model.UseGift(gift, die=place + 1), place, after


def _certain_completions(view: View, stake: float, card: float) -> Iterator[Way]:
    _, requirement, dice = _current_attempt(view)
    changes = [*_certain_changes(view, dice, card)]
    completing = [way for way in changes if is_met(requirement, way[4])]
    for cost, top, move, _, _ in completing:
        yield stake - cost, top, move
    if completing or stake <= card:
        return
    for (cost, top, move, place, after), (more, other, then_move, other_place, then) in combinations(changes, 2):
        apart = place < other_place and _tool_of_move(move) != _tool_of_move(then_move)
        if apart and is_met(requirement, (*after[:other_place], *then[other_place:])):
            yield stake - cost - more, top + other, move


def _reroll_options(view: View, stake: float, card: float) -> Iterator[Way]:
    _, requirement, dice = _current_attempt(view)
    if view.hand:
        likely, _ = estimates.best_reroll(requirement, dice)
        faces = [catalogue.jest_card(number) for number in view.hand]
        worst = min(faces, key=lambda face: face.bottom.price + len(face.top))
        yield likely * stake - card, -9, model.Reroll(worst.id)


def _tool_of_move(move: model.Move) -> tuple[int, int]:
    return (move.card, 0) if isinstance(move, model.Spend) else (0, move.gift if isinstance(move, model.UseGift) else 0)


def _choose_marks(view: View) -> model.Move:
    attempt, requirement, dice = _current_attempt(view)
    effect = catalogue.gift(attempt.marking).effect if attempt.marking else None
    if isinstance(effect, catalogue.Recolour):
        wanted = _dice_to_paint(requirement, dice, effect.colour, view.hand, False)
    else:
        wanted = [place + 1 for place in estimates.best_reroll(requirement, dice)[1]]
    for die in attempt.marked:
        if die not in wanted:
            return model.Unmark(die)
    for die in wanted:
        if die not in attempt.marked:
            return model.Mark(die)
    return model.Paint() if isinstance(effect, catalogue.Recolour) else model.Roll()


def _dice_to_paint(
    requirement: Requirement, dice: tuple[Die, ...], paint: int, hand: tuple[int, ...], mendable: bool
) -> list[int]:
    """The fewest dice that complete it in that colour, or else so that one Jest card does; or else those lacking."""
    others = [place for place, (colour, _) in enumerate(dice) if colour != paint]
    choices = [places for number in range(1, len(others) + 1) for places in combinations(others, number)]
    after_all = [
        (places, tuple([(paint if place in places else colour, face) for place, (colour, face) in enumerate(dice)]))
        for places in choices
    ]
    for places, after in after_all:
        if is_met(requirement, after):
            return [place + 1 for place in places]
    if mendable:
        return []
    for places, after in after_all:
        if any(is_met(requirement, then) for card in hand for _, then in bottom_changes(card, after)):
            return [place + 1 for place in places]
    return _all_but_asked(requirement, dice, paint) if len(dice) - len(others) < requirement.colours[paint] else []


def _all_but_asked(requirement: Requirement, dice: Sequence[Die], paint: int) -> list[int]:
    """All dice but as many of the other colours as are asked for."""
    others, wanted = list(requirement.colours), []
    for number, (colour, _) in enumerate(dice, 1):
        if colour != paint and others[colour]:
            others[colour] -= 1
        elif colour != paint:
            wanted.append(number)
    return wanted


def _current_attempt(view: View) -> tuple[model.Attempt, Requirement, tuple[Die, ...]]:
    attempt = view.attempt
    assert attempt is not None
    dice = tuple([(die.colour, die.face) for die in attempt.dice])
    return attempt, effects.task(attempt.target, view.favorite).requirement, dice


def _view_seat(view: View) -> int:
    assert view.seat is not None
    return view.seat
