"""Why a move of Jesters may be good: what speaks for it, in one sentence, from what its seat knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from cogs.jesters.help import CLOSER, MEETS, best_reroll, chance_of, effect, every_die, fitting, shown
from cogs.jesters.tasks import lacks, percent
from cogs.jesters.words import bottom, counts, dice_numbers, dice_words, gift, majority, task, unmarked
from cogs.screens import words
from engines.jesters.components import catalogue, effects
from engines.jesters.components.catalogue import COLOURS, SYMBOLS, Favorite, Performance
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import (
    FAVORITE,
    OUT,
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
    View,
)
from engines.jesters.requirements import evaluation, prospects, rerolls
from engines.jesters.requirements.evaluation import Die
from engines.jesters.scoring import FIRST_PLAYER, PLACES, TRACK

MOST_DICE = 6  # for which every way to change colours is tried
SPARE = 2  # dice more than a task takes by its nature that one may want to roll


def reason(view: View, move: Move) -> str:
    """What speaks for the move."""
    match move:
        case Learn():
            return _learn(view, move)
        case Perform(target, dice):
            doing = task(view, target)
            chance = chance_of(doing.requirement, dice)
            roll = f"The roll meets it {_often(chance)}" if chance else "It cannot be met without changes"
            return f"{roll}, for {_prize(doing)}; {_helped(view)}."
        case Pass():
            return _pass(view)
        case Spend() | UseGift():
            return _change(view, move)
        case Reroll():
            chance, which, _ = best_reroll(view)
            return _rerolled(view, dice_numbers(which), chance)
        case Mark() | Unmark():
            return _mark(view, move)
        case Roll():
            assert view.attempt is not None
            return _rerolled(view, dice_numbers(view.attempt.marked), prospects.chance(view))
        case Paint():
            return _painted(view)
        case Finish():
            return _finish(view)
        case Keep(number):
            return _keep(view, number)


def _prize(doing: Performance | Favorite) -> str:
    return f"{doing.fame} Fame" if isinstance(doing, Performance) else "a Gift"


def _often(chance: Fraction) -> str:
    return "for sure" if chance == 1 else f"with a chance of {percent(chance)}"


def _helped(view: View) -> str:
    """What may still change dice."""
    assert view.seat is not None
    ready = [number for number in view.gifts[view.seat] if number not in view.used and _changes(number)]
    cards = words.counted(len(view.hand), "Jest card") if view.hand else ""
    gifts = words.counted(len(ready), "Gift") if ready else ""
    have = words.listed([part for part in (cards, gifts) if part])
    return f"you have {have} to change dice" if have else "you have nothing to change dice"


def _changes(number: int) -> bool:
    """Whether a Gift does something to dice, rather than bringing Fame by itself."""
    return not isinstance(effects.effect(number), catalogue.FameForColour | catalogue.FameForSymbol)


# A turn


def _learn(view: View, move: Learn) -> str:
    """Which task it brings nearest, by the chance of a roll; else which one takes so many dice."""
    assert view.seat is not None
    taken = effects.taken(move.card, move.colours, view.middle)
    before = view.dice[view.seat]
    after = tuple(have + taken.count(colour) for colour, have in enumerate(before))
    found = [(_likely(doing, after), _likely(doing, before), doing) for doing in _tasks(view)]
    better = [each for each in found if each[0] > each[1]]
    if better:
        then, now, doing = max(better, key=lambda each: (each[0] - each[1]) * _worth(each[2]))
        was = f", now {percent(now)}" if now else ""
        rolled = _rolled(doing, after)
        number = f"{rolled} of your then {sum(after)}" if rolled < sum(after) else str(rolled)
        dice = f"With {number} {'die' if sum(after) == 1 else 'dice'}"
        return f"{dice} you would meet “{doing.name}” ({_prize(doing)}) with a chance of {percent(then)}{was}."
    wanted = [doing for *_, doing in found if any(doing.requirement.colours[colour] for colour in taken)]
    dice = f"You would have {sum(after)} dice"
    if not found:
        return f"{dice} for the next Performances."
    doing = max(wanted or [doing for *_, doing in found], key=_worth)
    asked = dice_words(doing.requirement.colours, "")
    return f"{dice}; “{doing.name}” ({_prize(doing)}) takes {doing.dice}{f', with {asked}' if asked else ''}."


def _tasks(view: View) -> Iterator[Performance | Favorite]:
    """What the reader may perform."""
    assert view.seat is not None
    yield from ([task(view, FAVORITE)] if view.favorite and view.seat not in view.done else [])
    yield from (task(view, number) for number in view.board)


def _likely(doing: Performance | Favorite, owned: Sequence[int]) -> Fraction:
    """The chance of a roll of the dice that suit best."""
    number = _rolled(doing, owned)
    return chance_of(doing.requirement, fitting(doing.requirement, owned, number)) if number else Fraction(0)


def _rolled(doing: Performance | Favorite, owned: Sequence[int]) -> int:
    """How many dice one may want to roll for it."""
    return min(sum(owned), doing.dice + SPARE)


def _worth(doing: Performance | Favorite) -> int:
    """About how much Fame it is worth, to compare."""
    return doing.fame if isinstance(doing, Performance) else 4


def _pass(view: View) -> str:
    """The first player card, what is kept, or what a failure would cost."""
    assert view.seat is not None
    if not view.passed:
        return f"The first to pass takes the first player card: {FIRST_PLAYER} Fame for who holds it at the end."
    cards = words.counted(len(view.hand), "Jest card")
    if not view.hand and not any(view.dice[view.seat]):
        return "You have neither dice nor Jest cards left."
    if view.hand and view.round < ROUNDS:
        return f"You keep your {cards} for the next round, and five more are dealt to you."
    failed = view.failures[view.seat]
    out = " and put you out" if failed + 1 == OUT else ""
    return f"One more failure would cost you {TRACK[failed] - TRACK[failed + 1]} Fame{out}."


# An attempt


def _doing(view: View) -> Performance | Favorite:
    return prospects.task(view)


def _change(view: View, move: Spend | UseGift) -> str:
    """What a card or a Gift makes of the dice."""
    if prospects.met(view):
        colour = effects.paint(move.gift) if isinstance(move, UseGift) else None
        if colour is not None:
            return f"The dice meet it already, and a die made {COLOURS[colour]} brings 1 Fame more."
    does, requirement = effect(view, move), _doing(view).requirement
    if does == MEETS:
        return f"Then the dice meet it, for {_prize(_doing(view))}."
    after = prospects.after(view, move)
    if after is not None:
        lack = evaluation.missing(requirement, after)
        if does == CLOSER and lack is not None:
            said = lacks(lack, requirement.form)
            return (
                f"It comes closer: then {said.removeprefix('Missing: ')}{' is missing' * said.startswith('Missing')}."
            )
    if isinstance(move, UseGift):
        return _luck(view, move)
    dice = tuple(after or shown(view))
    if finishes := _finisher(view, move, dice):
        return f"After that {finishes} makes the dice meet it, for {_prize(_doing(view))}."
    again = rerolls.best_reroll(requirement, dice)
    if again.chance:
        which = dice_numbers([place + 1 for place in again.places])
        return f"After that a reroll of {which} would meet it {_often(again.chance)}."
    return f"It changes die {move.die}, so that another card may do the rest."


def _finisher(view: View, move: Spend, dice: Sequence[Die]) -> str:
    """A Gift or another card that would complete it after that, if any would."""
    assert view.seat is not None
    requirement = _doing(view).requirement
    for number in view.gifts[view.seat]:
        does = effects.effect(number)
        if number not in view.used and isinstance(does, catalogue.Recolour):
            painted = product(*[{die, (does.colour, die[1])} for die in dice]) if len(dice) <= MOST_DICE else ()
            if any(evaluation.met(requirement, way) for way in painted):
                return f"the Gift that makes dice {COLOURS[does.colour]}"
    for card in view.hand:
        for at, (colour, face) in enumerate(dice):
            for to in effects.faces(card, colour, face) if card != move.card else ():
                if evaluation.met(requirement, [*dice[:at], (colour, to), *dice[at + 1 :]]):
                    return f"another card ({bottom(card)}, die {at + 1} to {to})"
    return ""


def _luck(view: View, move: UseGift) -> str:
    """A Gift that leaves it to luck."""
    requirement, dice = _doing(view).requirement, shown(view)
    if move.colour is not None:
        chance = evaluation.reroll_chance(requirement, (*dice, (move.colour, 1)), [len(dice)])
        return f"One more {COLOURS[move.colour]} die meets it {_often(chance)}, and no card is spent."
    if isinstance(effects.effect(move.gift), RerollGift):
        return f"All dice again meet it {_often(prospects.chance(view, every_die(view)))}, and no card is spent."
    return f"It {gift(move.gift)}; a Gift is fresh again in the next round."


def _rerolled(view: View, which: str, chance: Fraction) -> str:
    if not chance:
        return "No reroll alone can meet it, but what you roll may be changed by another card."
    return f"A reroll of {which} meets it {_often(chance)}, for {_prize(_doing(view))}."


def _mark(view: View, move: Mark | Unmark) -> str:
    """Whether the die belongs to the best reroll, or what colour it is to get."""
    attempt = view.attempt
    assert attempt is not None
    left = [die for die in attempt.marked if die != move.die]
    marked = sorted({*left, move.die} if isinstance(move, Mark) else left)
    colour = effects.paint(attempt.marking)
    if colour is not None:
        if prospects.chance(view, marked):
            return f"With {dice_numbers(marked)} in {COLOURS[colour]} the dice meet it."
        return f"{words.opening(dice_numbers([move.die]))} may be {COLOURS[colour]} for this attempt."
    chance, which, exact = best_reroll(unmarked(view))
    if chance and (move.die in which) == isinstance(move, Mark):
        best = "The best reroll is" if exact else "A good reroll is"
        return f"{best} of {dice_numbers(which)}: it meets the task {_often(chance)}."
    return (
        _rerolled(view, dice_numbers(marked), prospects.chance(view, marked)) if marked else "No die is rerolled then."
    )


def _painted(view: View) -> str:
    attempt = view.attempt
    assert attempt is not None
    colour = effects.paint(attempt.marking)
    assert colour is not None
    if prospects.chance(view):
        return f"In {COLOURS[colour]} the dice meet it, for {_prize(_doing(view))}."
    return f"A success with a die made {COLOURS[colour]} brings 1 Fame more."


def _finish(view: View) -> str:
    """The success, or what the failure leaves."""
    assert view.seat is not None
    assert view.attempt is not None
    if prospects.met(view):
        return f"The dice meet it, for {_prize(_doing(view))}."
    failed = view.failures[view.seat]
    cost = TRACK[failed] - TRACK[failed + 1]
    if failed + 1 == OUT:
        return f"The third failure costs you {cost} Fame and puts you out: nothing is left to try."
    brings = "a Jest card" if failed == 0 else "three Jest cards"
    dice = words.counted(len(view.attempt.dice), "die").replace("dies", "dice")
    return f"The failure costs {cost} Fame, but you keep your {dice} and {_cards(view)} and draw {brings}."


def _cards(view: View) -> str:
    return words.counted(len(view.hand), "Jest card") if view.hand else "no card"


def _keep(view: View, number: int) -> str:
    """The majority that its symbol counts for, else what it does."""
    assert view.seat is not None
    symbol = catalogue.gift(number).symbol
    for place, most in enumerate(PLACES):
        found = majority(view, place)
        if found is not None and symbol in catalogue.favorite(found[0]).symbols:
            have = counts(view, found[0])[view.seat]
            return (
                f"Its {SYMBOLS[symbol]} counts for the majority worth {most[0]} Fame, for which you have {have} so far."
            )
    often = "once in every round" if _changes(number) else "on the first success of a round that suits it"
    return f"It {_does(number)}, {often}."


def _does(number: int) -> str:
    """What a Gift does, as a sentence goes on."""
    said = gift(number)
    return f"brings {said}" if said.startswith(("2 Fame", "one more")) else said
