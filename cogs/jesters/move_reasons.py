"""Reasons for Jesters' moves: one sentence each, based only on what the seat can see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from cogs.jesters.help import (
    CLOSER,
    MEETS,
    all_die_numbers,
    attempt_dice,
    best_reroll,
    choose_dice,
    move_effect,
    roll_chance,
)
from cogs.jesters.tasks import missing_text, percent_text
from cogs.jesters.words import (
    dice_numbers_text,
    dice_text,
    gift_effect_text,
    majority_favorite,
    symbol_counts,
    target_task,
    view_without_marks,
)
from cogs.screens import words
from engines.jesters import effects, prospects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS, SYMBOLS, Favorite, Performance
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import (
    FAVORITE_TARGET,
    OUT_FAILURES,
    ROUNDS,
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
)
from engines.jesters.requirements import evaluation, rerolls
from engines.jesters.requirements.evaluation import Die
from engines.jesters.scoring import FAILURE_TRACK, FIRST_PLAYER_FAME, MAJORITY_PLACES
from engines.jesters.view import View

MAX_PAINTED_DICE = 6  # up to this many dice, all ways to change colours are tried
SPARE_DICE = 2  # extra dice that a player may want to roll


def move_reason(view: View, move: Move) -> str:
    """Return why the move may be good."""
    match move:
        case Learn():
            return _learn_reason(view, move)
        case Perform(target, dice):
            doing = target_task(view, target)
            chance = roll_chance(doing.requirement, dice)
            roll = (
                f"The roll {_success_clause(chance)} and"
                if chance
                else "No roll succeeds without changes, but a success"
            )
            return f"{roll} brings {_prize_text(doing)}, and {_resources_text(view)}."
        case Pass():
            return _pass_reason(view)
        case Spend() | UseGift():
            return _change_reason(view, move)
        case Reroll():
            chance, which, _ = best_reroll(view)
            return _reroll_reason(view, dice_numbers_text(which), chance)
        case Mark() | Unmark():
            return _mark_reason(view, move)
        case Roll():
            assert view.attempt is not None
            return _reroll_reason(view, dice_numbers_text(view.attempt.marked), prospects.success_chance(view))
        case Paint():
            return _paint_reason(view)
        case Finish():
            return _finish_reason(view)
        case Keep(number):
            return _keep_reason(view, number)


def _prize_text(doing: Performance | Favorite) -> str:
    return f"{doing.fame} Fame" if isinstance(doing, Performance) else "a Gift"


def _success_clause(chance: Fraction) -> str:
    """`is certain to succeed`, or `succeeds with a chance of 44%`."""
    return "is certain to succeed" if chance == 1 else f"succeeds with a chance of {percent_text(chance)}"


def _resources_text(view: View) -> str:
    """The cards and Gifts that can still change dice."""
    assert view.seat is not None
    ready = [number for number in view.gifts[view.seat] if number not in view.used and _changes_dice(number)]
    cards = words.pluralize(len(view.hand), "Jest card") if view.hand else ""
    gifts = words.pluralize(len(ready), "Gift") if ready else ""
    have = words.join_with_and([part for part in (cards, gifts) if part])
    return f"you have {have} to change dice" if have else "you have nothing to change dice"


def _changes_dice(number: int) -> bool:
    """Whether a Gift changes dice. Other Gifts only bring Fame."""
    return not isinstance(effects.gift_effect(number), catalogue.FameForColour | catalogue.FameForSymbol)


# A turn


def _learn_reason(view: View, move: Learn) -> str:
    """The task whose chance improves most, or the best task for this number of dice."""
    assert view.seat is not None
    taken = effects.taken_techniques(move.card, move.colours, view.middle)
    before = view.dice[view.seat]
    after = tuple(have + taken.count(colour) for colour, have in enumerate(before))
    found = [(_best_roll_chance(doing, after), _best_roll_chance(doing, before), doing) for doing in _open_tasks(view)]
    better = [each for each in found if each[0] > each[1]]
    if better:
        then, now, doing = max(better, key=lambda each: (each[0] - each[1]) * _task_value(each[2]))
        was = f", up from {percent_text(now)}" if now else ""
        rolled = _dice_to_roll(doing, after)
        number = f"{rolled} of your {sum(after)}" if rolled < sum(after) else str(rolled)
        dice = f"With {number} {'die' if sum(after) == 1 else 'dice'}"
        return (
            f"{dice}, you would complete “{doing.name}” for {_prize_text(doing)} with a chance of "
            f"{percent_text(then)}{was}."
        )
    wanted = [doing for *_, doing in found if any(doing.requirement.colours[colour] for colour in taken)]
    dice = f"You would have {sum(after)} dice"
    if not found:
        return f"{dice} for the next Performances."
    doing = max(wanted or [doing for *_, doing in found], key=_task_value)
    colours = dice_text(doing.requirement.colours, "").replace(", ", " and ")
    including = f", including {colours}" if colours else ""
    return f"{dice}, and “{doing.name}”, worth {_prize_text(doing)}, needs {doing.dice}{including}."


def _open_tasks(view: View) -> Iterator[Performance | Favorite]:
    """The tasks that the player can perform."""
    assert view.seat is not None
    yield from ([target_task(view, FAVORITE_TARGET)] if view.favorite and view.seat not in view.done else [])
    yield from (target_task(view, number) for number in view.board)


def _best_roll_chance(doing: Performance | Favorite, owned: Sequence[int]) -> Fraction:
    """The chance of a roll of the best dice."""
    number = _dice_to_roll(doing, owned)
    return roll_chance(doing.requirement, choose_dice(doing.requirement, owned, number)) if number else Fraction(0)


def _dice_to_roll(doing: Performance | Favorite, owned: Sequence[int]) -> int:
    """The number of dice that a player may want to roll for a task."""
    return min(sum(owned), doing.dice + SPARE_DICE)


def _task_value(doing: Performance | Favorite) -> int:
    """The approximate Fame of a task, for comparisons."""
    return doing.fame if isinstance(doing, Performance) else 4


def _pass_reason(view: View) -> str:
    """The first player card, the cards that stay, or the cost of a failure."""
    assert view.seat is not None
    if not view.passed:
        return (
            f"The first to pass takes the first player card, worth {FIRST_PLAYER_FAME} Fame if you hold it at the end."
        )
    if not view.hand and not any(view.dice[view.seat]):
        return "You have neither dice nor Jest cards left."
    if view.hand and view.round < ROUNDS:
        return f"You keep {_own_cards_text(view)} for the next round, and you are dealt five more."
    failed = view.failures[view.seat]
    out = " and put you out" if failed + 1 == OUT_FAILURES else ""
    return f"One more failure would cost you {FAILURE_TRACK[failed] - FAILURE_TRACK[failed + 1]} Fame{out}."


# An attempt


def _attempted_task(view: View) -> Performance | Favorite:
    return prospects.attempted_task(view)


def _change_reason(view: View, move: Spend | UseGift) -> str:
    """What a card or a Gift does to the dice."""
    if prospects.meets_requirement(view):
        colour = effects.paint_colour(move.gift) if isinstance(move, UseGift) else None
        if colour is not None:
            return f"The dice already meet the requirement, and a die made {COLOURS[colour]} brings 1 more Fame."
    does, requirement = move_effect(view, move), _attempted_task(view).requirement
    if does == MEETS:
        return f"The dice then meet the requirement, for {_prize_text(_attempted_task(view))}."
    after = prospects.dice_after_move(view, move)
    if after is not None:
        lack = evaluation.missing_dice(requirement, after)
        if does == CLOSER and lack is not None:
            text = missing_text(lack, requirement.form)
            left = text.replace("Missing: ", "lack ") if text.startswith("Missing") else f"have {text}"
            return f"It brings you closer, and then you {left}."
    if isinstance(move, UseGift):
        return _luck_reason(view, move)
    dice = tuple(after or attempt_dice(view))
    if finishes := _finishing_text(view, move, dice):
        return f"After that, {finishes} makes the attempt a success, for {_prize_text(_attempted_task(view))}."
    reroll = rerolls.best_reroll(requirement, dice)
    if reroll.chance:
        which = dice_numbers_text([place + 1 for place in reroll.places])
        return f"After that, a reroll of {which} {_success_clause(reroll.chance)}."
    return f"It changes die {move.die}, and another card may do the rest."


def _finishing_text(view: View, move: Spend, dice: Sequence[Die]) -> str:
    """A Gift or another card that would then meet the requirement, or an empty text."""
    assert view.seat is not None
    requirement = _attempted_task(view).requirement
    for number in view.gifts[view.seat]:
        does = effects.gift_effect(number)
        if number not in view.used and isinstance(does, catalogue.Recolour):
            painted = product(*[{die, (does.colour, die[1])} for die in dice]) if len(dice) <= MAX_PAINTED_DICE else ()
            if any(evaluation.is_met(requirement, way) for way in painted):
                return f"the Gift that makes dice {COLOURS[does.colour]}"
    for card in view.hand:
        for at, (colour, face) in enumerate(dice):
            for to in effects.reachable_faces(card, colour, face) if card != move.card else ():
                if evaluation.is_met(requirement, [*dice[:at], (colour, to), *dice[at + 1 :]]):
                    return f"another card that changes die {at + 1} to {to}"
    return ""


def _luck_reason(view: View, move: UseGift) -> str:
    """What a Gift does that needs luck."""
    requirement, dice = _attempted_task(view).requirement, attempt_dice(view)
    if move.colour is not None:
        chance = evaluation.reroll_chance(requirement, (*dice, (move.colour, 1)), [len(dice)])
        return f"One more {COLOURS[move.colour]} die {_success_clause(chance)}, and it costs no card."
    if isinstance(effects.gift_effect(move.gift), RerollGift):
        return (
            f"A reroll of all dice {_success_clause(prospects.success_chance(view, all_die_numbers(view)))}, "
            "and it costs no card."
        )
    return f"It {gift_effect_text(move.gift)}, and you can use the Gift again next round."


def _reroll_reason(view: View, which: str, chance: Fraction) -> str:
    if not chance:
        return "A reroll alone is not enough, but another card may change what you roll."
    return f"A reroll of {which} {_success_clause(chance)} and brings {_prize_text(_attempted_task(view))}."


def _mark_reason(view: View, move: Mark | Unmark) -> str:
    """Whether the die belongs to the best reroll, or the colour that it gets."""
    attempt = view.attempt
    assert attempt is not None
    left = [die for die in attempt.marked if die != move.die]
    marked = sorted({*left, move.die} if isinstance(move, Mark) else left)
    colour = effects.paint_colour(attempt.marking)
    if colour is not None:
        if prospects.success_chance(view, marked):
            return f"With {dice_numbers_text(marked)} in {COLOURS[colour]}, the dice meet the requirement."
        return f"{words.capitalize(dice_numbers_text([move.die]))} can be {COLOURS[colour]} for this attempt."
    chance, which, exact = best_reroll(view_without_marks(view))
    if chance and (move.die in which) == isinstance(move, Mark):
        best = "The best reroll" if exact else "A good reroll"
        return f"{best}, of {dice_numbers_text(which)}, {_success_clause(chance)}."
    return (
        _reroll_reason(view, dice_numbers_text(marked), prospects.success_chance(view, marked))
        if marked
        else "Then you do not reroll any dice."
    )


def _paint_reason(view: View) -> str:
    attempt = view.attempt
    assert attempt is not None
    colour = effects.paint_colour(attempt.marking)
    assert colour is not None
    if prospects.success_chance(view):
        return f"In {COLOURS[colour]}, the dice meet the requirement, for {_prize_text(_attempted_task(view))}."
    return f"A success with a die made {COLOURS[colour]} brings 1 more Fame."


def _finish_reason(view: View) -> str:
    """The success, or the cost of the failure and what stays."""
    assert view.seat is not None
    assert view.attempt is not None
    if prospects.meets_requirement(view):
        return f"The dice meet the requirement, for {_prize_text(_attempted_task(view))}."
    failed = view.failures[view.seat]
    cost = FAILURE_TRACK[failed] - FAILURE_TRACK[failed + 1]
    if failed + 1 == OUT_FAILURES:
        return f"You have nothing left to try, so the third failure costs you {cost} Fame and puts you out of play."
    brings = "a Jest card" if failed == 0 else "three Jest cards"
    rolled = len(view.attempt.dice)
    dice = "your die" if rolled == 1 else f"your {rolled} dice"
    keeps = f"{dice} and {_own_cards_text(view)}" if view.hand else dice
    return f"The failure costs {cost} Fame, but you keep {keeps} and draw {brings}."


def _own_cards_text(view: View) -> str:
    """`your Jest card`, or `your 2 Jest cards`."""
    return "your Jest card" if len(view.hand) == 1 else f"your {len(view.hand)} Jest cards"


def _keep_reason(view: View, number: int) -> str:
    """The majority that its symbol counts for, or when its effect comes. The move says what that is."""
    assert view.seat is not None
    symbol = catalogue.gift(number).symbol
    for place, most in enumerate(MAJORITY_PLACES):
        found = majority_favorite(view, place)
        if found is not None and symbol in catalogue.favorite(found[0]).symbols:
            have = symbol_counts(view, found[0])[view.seat]
            return (
                f"Its {SYMBOLS[symbol]} counts towards the majority worth {most[0]} Fame, and you have {have} so far."
            )
    return (
        "You can use it once per round."
        if _changes_dice(number)
        else "It counts on the first matching success of each round."
    )
