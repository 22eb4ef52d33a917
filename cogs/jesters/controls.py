"""The controls of a hand of Jesters: exactly the legal moves, long choices in steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import TypeVar

from cogs.jesters.help import CLOSER, MEETS, chance_of, effect, fitting
from cogs.jesters.labels import card_label, change_label, die_label, keep_label, learned, meeting, place
from cogs.jesters.pictures import chosen_picture
from cogs.jesters.tasks import percent
from cogs.jesters.words import bottom, counted_dice, dice_words, task, top
from cogs.screens import words
from cogs.screens.control_widths import DESCRIPTION, OPTION
from cogs.screens.screen import Button, Buttons, Control, Option, Pick, Picks, Picture, Select, Step, Steps
from cogs.screens.truncation import cut, worded
from engines.jesters import JESTERS
from engines.jesters.components import catalogue, effects
from engines.jesters.components.catalogue import ANY, COLOURS, Favorite, Performance
from engines.jesters.model import (
    FAVORITE,
    OUT,
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
from engines.jesters.requirements import prospects
from engines.jesters.rounds import CONSOLATION
from engines.jesters.scoring import TRACK

LINES = 25
MORE_DICE = 1  # than a Performance takes by its nature, of which the chances are told
IN_TWO_ROWS = 4  # buttons of which two stand side by side
IN_BUTTONS = 10  # up to how many dice are marked by buttons
AT_ONCE = 1  # of the changes that meet a requirement has a button: the cheapest
USEFUL = 10  # stand first among more than there is room for

M = TypeVar("M", bound=Move)
Does = Mapping[Spend | UseGift, str | None]  # what changes of the dice do for the requirement


def controls(view: View, moves: Sequence[Move], drawn: Picture | None = None) -> tuple[Control, ...]:
    """A control for every move of this moment; `drawn` is the hand's picture."""
    match view.phase:
        case "turn":
            return _turn(view, moves, drawn)
        case "attempt":
            return _attempt(view, moves)
        case "mark":
            return _mark(view, moves)
        case "keep":
            kept = [Button(keep_label(move.gift), JESTERS.write(move)) for move in _those(moves, Keep)]
            return (Buttons(tuple(kept)),)
        case "over":
            return ()


def _those(moves: Iterable[Move], kind: type[M]) -> list[M]:
    return [move for move in moves if isinstance(move, kind)]


def _option(move: Move, label: str, description: str | None = None) -> Option:
    return Option(cut(label, OPTION), JESTERS.write(move), description and cut(description, DESCRIPTION))


# A turn


def _turn(view: View, moves: Sequence[Move], drawn: Picture | None) -> tuple[Control, ...]:
    """One list of what may be performed, and with which cards one may learn; and passing."""
    performs, others = _perform(view, drawn)
    learns, free = _learn(view, moves)
    steps = [*free, *others]
    if len(performs) + len(learns) + len(steps) > LINES and others:
        steps = [Step("Perform with other dice", "p", (Steps("Perform what?", tuple(others)),), back="Back"), *free]
    if len(performs) + len(learns) + len(steps) > LINES:
        inner = Steps("Which card?", tuple(free), moves=tuple(learns))
        learns, steps = [], [*(step for step in steps if step not in free), Step("Learn", "l", (inner,), back="Back")]
    may = [*(["learn"] if learns or free else []), *(["perform"] if performs else [])]
    found = [Steps(words.opening(words.either(may)), tuple(steps), moves=(*performs, *learns))] if may else []
    confirm = _pass_question(view) if found else None
    return (*found, Buttons((Button("Pass", JESTERS.write(Pass()), confirm=confirm),)))


def _pass_question(view: View) -> str:
    assert view.seat is not None
    owned = view.dice[view.seat]
    lose = f" and you return your dice ({dice_words(owned)})" if any(owned) else ""
    first = "" if view.passed else " You are the first to pass, so the first player card is yours."
    return f"**Pass?** You are out of this round{lose}.{first}"


def _learn(view: View, moves: Sequence[Move]) -> tuple[list[Option], list[Step]]:
    """A line for every card; one that leaves a colour to choose leads to a step."""
    by_card: dict[int, list[Learn]] = {}
    for move in takewhile(lambda move: isinstance(move, Learn), moves):
        assert isinstance(move, Learn)
        by_card.setdefault(move.card, []).append(move)
    plain: list[Option] = []
    steps: list[Step] = []
    for card, ways in by_card.items():
        label = f"Learn {learned(view, ways[0]) if len(ways) == 1 else _wanted(card)}"
        gone = f"discards {bottom(card)}"
        if len(ways) == 1:
            plain.append(_option(ways[0], _apart(view, label, card, [one.label for one in plain]), gone))
        else:
            colours = _colours(view, ways)
            label = _apart(view, label, card, [one.label for one in steps])
            steps.append(Step(label, f"l{card}", (colours,), gone, asks="Learn which dice?", back="Back"))
    return plain, steps


def _wanted(card: int) -> str:
    """What a card with a colour of one's choice teaches: `1 red, 1 of any colour`."""
    colours = catalogue.jest_card(card).top
    plain = dice_words(counted_dice(colours), "")
    return ", ".join(filter(None, (plain, f"{colours.count(ANY)} of any colour")))


def _colours(view: View, ways: Sequence[Learn]) -> Control:
    if len(ways) > IN_TWO_ROWS:
        return Select("Which dice?", tuple(_option(way, words.opening(learned(view, way))) for way in ways))
    return Buttons(tuple(Button(words.opening(_free(way)), JESTERS.write(way)) for way in ways))


def _free(move: Learn) -> str:
    """The colours that were chosen for "any"."""
    return words.listed([COLOURS[colour] for colour in move.colours])


def _apart(view: View, label: str, card: int, others: Sequence[str]) -> str:
    """The label, with the card's place in the hand where another line has the same."""
    where = place(view, card)
    return worded(OPTION, f"{label} ({where} card)", f"{label} ({where})") if label in others else label


def _perform(view: View, drawn: Picture | None) -> tuple[list[Option], list[Step]]:
    """Rolling as many dice as a Performance takes by its nature, and all, the likelier first; a step for any others."""
    assert view.seat is not None
    owned = view.dice[view.seat]
    if not any(owned):
        return [], []
    targets = [*([] if view.seat in view.done else [FAVORITE]), *view.board]
    rolls = [option for target in targets for option in _rolls(view, target, owned)]
    return rolls, [_other_dice(view, target, owned, drawn) for target in targets] if sum(owned) > 1 else []


def _rolls(view: View, target: int, owned: Sequence[int]) -> list[Option]:
    doing = task(view, target)
    natural = fitting(doing.requirement, owned, doing.dice)
    ways = [natural, tuple(owned)] if doing.dice < sum(owned) else [tuple(owned)]
    ways.sort(key=lambda dice: chance_of(doing.requirement, dice), reverse=True)
    return [_roll(doing, Perform(target, dice)) for dice in ways]


def _roll(doing: Performance | Favorite, move: Perform) -> Option:
    """A Performance by its name, with how many dice; below, with which, how likely it is, and what it brings."""
    number, chance = (
        words.counted(sum(move.dice), "die").replace("dies", "dice"),
        chance_of(doing.requirement, move.dice),
    )
    brings = f"{doing.fame} Fame" if isinstance(doing, Performance) else "a Gift"
    few = sum(move.dice) < doing.dice
    likely = percent(chance) if chance else f"takes {doing.dice} dice" if few else "not without changes"
    label = worded(OPTION, f"{doing.name}: {number}", f"{doing.name}: {sum(move.dice)}")
    said = worded(DESCRIPTION, f"{likely} · {brings} · {dice_words(move.dice)}", f"{likely} · {brings}")
    return Option(label, JESTERS.write(move), said)


def _other_dice(view: View, target: int, owned: Sequence[int], drawn: Picture | None) -> Step:
    doing = task(view, target)
    return Step(
        worded(OPTION, f"{doing.name}: other dice", f"{doing.name}: other"),
        "f" if target == FAVORITE else str(target),
        (_picks(view, target, owned),),
        "choose the dice to roll",
        said=f"-# {_chances(view, target, owned)}",
        picture=chosen_picture(drawn, doing.name) if drawn else None,
        asks="Roll which dice?",
        back="Back",
    )


def _chances(view: View, target: int, owned: Sequence[int]) -> str:
    """The chance with more and more of one's dice, without any card or Gift."""
    doing, most = task(view, target), sum(owned)
    numbers = sorted({number for number in (doing.dice, doing.dice + MORE_DICE, most) if number <= most})
    some = [(number, chance_of(doing.requirement, fitting(doing.requirement, owned, number))) for number in numbers]
    told = [f"{number} dice {percent(chance)}" for number, chance in some if chance]
    return f"Without changes: {', '.join(told)}" if told else "Your dice cannot meet it without changes."


def _picks(view: View, target: int, owned: Sequence[int]) -> Picks:
    """Any of one's dice."""
    wanted = task(view, target).requirement.colours
    picks = [
        Pick(COLOURS[colour], COLOURS[colour], "a colour asked for" if wanted[colour] else None)
        for colour in range(4)
        for _ in range(owned[colour])
    ]
    verb = f"perform {'favorite' if target == FAVORITE else target}"
    return Picks("Choose the dice to roll", verb, tuple(picks), len(picks), done="Roll", ordered=False)


# An attempt


def _attempt(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """What meets it at once, other changes by cards and Gifts, rerolls; or finishing."""
    changes = [move for move in moves if isinstance(move, Spend | UseGift)]
    found: list[Control] = []
    does = {move: effect(view, move) for move in changes}
    if at_once := _at_once(view, does):
        found.append(Buttons(tuple(at_once)))
    if changes:
        found.append(_changes(view, does))
    if rerolls := _those(moves, Reroll):
        options = [_option(move, card_label(view, move.card)) for move in rerolls]
        found.append(Select("Roll dice again: discard a Jest card", tuple(options)))
    ways = [*([f"change them by {_by(does)}"] if changes else []), *(["roll dice again"] if rerolls else [])]
    return (*found, Buttons((_finish(view, ways),)))


def _finish(view: View, ways: Sequence[str]) -> Button:
    """A failure that could still be averted is asked for, with what it brings."""
    if prospects.met(view):
        return Button("Finish: a success", JESTERS.write(Finish()))
    left = f"**The dice do not meet it yet**, and you could still {words.either(ways)}." if ways else ""
    asked_for = f"{left} {_failing(view)} Finish as a failure?" if ways else None
    return Button("Finish: a failure", JESTERS.write(Finish()), confirm=asked_for)


def _failing(view: View) -> str:
    """What one more failure brings, S11 and S17."""
    failures = view.failures[view.turn]
    worth = f"{words.plain(TRACK[failures + 1])} Fame at the end instead of {words.plain(TRACK[failures])}"
    if failures + 1 == OUT:
        return f"Your third failure puts you out of play, and is worth {worth}."
    drawn = words.counted(CONSOLATION[failures + 1], "Jest card")
    return f"Your {words.ordinal(failures + 1)} failure leaves you your dice and brings {drawn}; it is worth {worth}."


def _at_once(view: View, does: Does) -> list[Button]:
    """The cheapest ways to meet it by one tap: a Gift, which comes again, before a card that teaches little."""
    if prospects.met(view):
        return []
    ways = sorted((move for move, brings in does.items() if brings == MEETS), key=_price)
    return [Button(meeting(view, move), JESTERS.write(move)) for move in ways[:AT_ONCE]]


def _price(move: Spend | UseGift) -> int:
    return len(catalogue.jest_card(move.card).top) if isinstance(move, Spend) else 0


def _worth(brings: str | None) -> int:
    return {MEETS: 0, CLOSER: 1}.get(brings or "", 2)


def _changes(view: View, does: Does) -> Steps:
    """All changes in one list, the most useful first; where they are too many, the others card by card."""
    ways = sorted(does, key=lambda move: _worth(does[move]))
    steps: list[Step] = []
    if len(ways) > LINES:
        useful = [move for move in ways if not isinstance(move, Spend) or does[move]][:USEFUL]
        others = [move for move in ways if move not in useful]
        gifts = [move for move in others if isinstance(move, UseGift)]
        ways = [*useful, *gifts]
        cards = dict.fromkeys(move.card for move in others if isinstance(move, Spend))
        steps = [
            _card_step(view, card, [m for m in others if isinstance(m, Spend) and m.card == card], does)
            for card in cards
        ]
    options = [_option(move, change_label(view, move), _costs(move, does[move])) for move in ways]
    return Steps(f"Change dice: {_by(does)}", tuple(steps), moves=tuple(options))


def _by(does: Does) -> str:
    """What there is to change dice with."""
    kinds = {type(move) for move in does}
    return words.either([said for kind, said in ((Spend, "a card"), (UseGift, "a Gift")) if kind in kinds])


def _costs(move: Spend | UseGift, brings: str | None) -> str | None:
    """What a change does for the requirement, and what else the card could teach, where there is room for that."""
    gone = f"discards {top(move.card)}" if isinstance(move, Spend) else ""
    short = (brings or "").removeprefix("brings it ")
    return worded(DESCRIPTION, *(" · ".join(filter(None, (said, gone))) for said in (brings, short))) or None


def _card_step(view: View, card: int, ways: Sequence[Spend], does: Does) -> Step:
    """What else a card can make of the dice; die by die where that is too long a list."""
    left: Control
    if len(ways) <= LINES:
        left = Select("Which die is to show what?", tuple(_option(move, change_label(view, move)) for move in ways))
    else:
        dice = dict.fromkeys(move.die for move in ways)
        left = Steps("Which die?", tuple(_die_step(view, die, [m for m in ways if m.die == die], does) for die in dice))
    return Step(card_label(view, card), f"s{card}", (left,), "other changes")


def _die_step(view: View, die: int, ways: Sequence[Spend], does: Does) -> Step:
    best = min((does[move] for move in ways), key=_worth)
    buttons = Buttons(tuple(Button(f"to {move.face}", JESTERS.write(move)) for move in ways))
    return Step(die_label(view, die), f"d{die}", (buttons,), best)


# Marking dice


def _mark(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """The dice one by one, as buttons where they are few; and going on."""
    assert view.attempt is not None
    toggles: list[Mark | Unmark] = [*_those(moves, Mark), *_those(moves, Unmark)]
    toggles.sort(key=lambda move: move.die)
    done = Buttons(tuple(_done(view, move) for move in moves if isinstance(move, Roll | Paint)))
    last = (done,) if done.buttons else ()
    if len(view.attempt.dice) <= IN_BUTTONS:
        return (Buttons(tuple(_toggle(view, move) for move in toggles)), *last)
    lists: list[tuple[str, list[Mark | Unmark]]] = [
        ("Mark a die", [*_those(moves, Mark)]),
        ("Take a mark back", [*_those(moves, Unmark)]),
    ]
    return (*(_marks(view, said, some) for said, some in lists if some), *last)


def _toggle(view: View, move: Mark | Unmark) -> Button:
    """`3: blue 4`, with a tick where it is marked."""
    assert view.attempt is not None
    marked, die = isinstance(move, Unmark), view.attempt.dice[move.die - 1]
    label = f"{move.die}: {COLOURS[die.colour]} {die.face}"
    return Button(f"✓ {label}" if marked else label, JESTERS.write(move))


def _marks(view: View, said: str, moves: Sequence[Mark | Unmark]) -> Select:
    return Select(said, tuple(_option(move, die_label(view, move.die)) for move in moves))


def _done(view: View, move: Roll | Paint) -> Button:
    assert view.attempt is not None
    number = len(view.attempt.marked)
    dice = "1 die" if number == 1 else f"{number} dice"
    if isinstance(move, Paint):
        paint = effects.paint(view.attempt.marking)
        return Button(f"Make {dice} {COLOURS[paint or 0]}", JESTERS.write(move))
    return Button(f"Roll {dice} again ({percent(prospects.chance(view))})", JESTERS.write(move))
