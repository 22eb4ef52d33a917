"""The controls of a hand of Jesters: exactly the legal moves, long choices in steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TypeVar

from cogs.jesters.help import CLOSER, MEETS, chance_of, effect, fitting
from cogs.jesters.tasks import asked, briefly, percent
from cogs.jesters.words import bottom, counted_dice, dice_words, gift, symbols, task, top
from cogs.screens import words
from cogs.screens.cutting import cut, worded
from cogs.screens.screen import Button, Buttons, Control, Option, Pick, Picks, Select, Step, Steps
from cogs.screens.widths import DESCRIPTION, LABEL, OPTION
from engines.jesters import JESTERS, components, effects, prospects
from engines.jesters.components import COLOURS, Favorite, Performance
from engines.jesters.model import (
    FAVORITE,
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

LINES = 25
MORE_DICE = 2  # than a Performance takes by its nature, of which the chances are told
IN_BUTTONS = 10  # up to how many dice are marked by buttons

M = TypeVar("M", bound=Move)


def controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """A control for every move of this moment."""
    match view.phase:
        case "turn":
            return _turn(view, moves)
        case "attempt":
            return _attempt(view, moves)
        case "mark":
            return _mark(view, moves)
        case "keep":
            options = [
                _option(move, f"Gift {move.gift}: {gift(move.gift)}", _bears(move)) for move in _those(moves, Keep)
            ]
            return (Select("Keep one of the two Gifts", tuple(options)),)
        case "over":
            return ()


def _those(moves: Iterable[Move], kind: type[M]) -> list[M]:
    return [move for move in moves if isinstance(move, kind)]


def _option(move: Move, label: str, description: str | None = None) -> Option:
    return Option(cut(label, OPTION), JESTERS.write(move), description and cut(description, DESCRIPTION))


def _bears(move: Keep) -> str:
    return f"symbol {symbols([components.gift(move.gift).symbol])}"


# A turn


def _turn(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """Learn with a card, perform, or pass."""
    learns = [move for move in takewhile(lambda move: isinstance(move, Learn), moves) if isinstance(move, Learn)]
    found = [*_learn(view, learns), *_perform(view)]
    confirm = _pass_question(view) if found else None
    return (*found, Buttons((Button("Pass", JESTERS.write(Pass()), confirm=confirm),)))


def _pass_question(view: View) -> str:
    assert view.seat is not None
    owned = view.dice[view.seat]
    lose = f" and you return your dice ({dice_words(owned)})" if any(owned) else ""
    first = "" if view.passed else " You are the first to pass, so the first player card is yours."
    return f"**Pass?** You are out of this round{lose}.{first}"


def _learn(view: View, learns: Sequence[Learn]) -> list[Control]:
    """A list of the cards that leave nothing to choose; the others, with the colours to choose from, in steps."""
    by_card: dict[int, list[Learn]] = {}
    for move in learns:
        by_card.setdefault(move.card, []).append(move)
    plain = [
        _option(ways[0], learn_label(card), takes(view, ways[0])) for card, ways in by_card.items() if not ways[1:]
    ]
    steps = [
        Step(learn_label(card), f"l{card}", (_colours(view, ways),), "a colour of your choice")
        for card, ways in by_card.items()
        if ways[1:]
    ]
    found: list[Control] = [Select("Learn: discard a Jest card", tuple(plain))] if plain else []
    return [*found, Steps("Learn, and choose the colour", tuple(steps))] if steps else found


def _colours(view: View, ways: Sequence[Learn]) -> Select:
    return Select("Which Techniques?", tuple(_option(move, takes(view, move)) for move in ways))


def takes(view: View, move: Learn) -> str:
    """What learning with a card brings: `takes 1 red, 1 blue`."""
    return f"takes {dice_words(counted_dice(effects.taken(move.card, move.colours, view.middle)))}"


def learn_label(card: int) -> str:
    """`17: red, blue / ±3 green`."""
    return f"{card}: {top(card)} / {bottom(card)}"


def _perform(view: View) -> list[Control]:
    """What to perform first, then with which dice; none without dice."""
    assert view.seat is not None
    owned = view.dice[view.seat]
    if not any(owned):
        return []
    targets = [] if view.seat in view.done else [FAVORITE]
    return [Steps("Perform", tuple(_step(view, target, owned) for target in (*targets, *view.board)))]


def _step(view: View, target: int, owned: Sequence[int]) -> Step:
    doing = task(view, target)
    brings = f"{doing.fame} Fame" if isinstance(doing, Performance) else "the Favorite, a Gift"
    chance = percent(chance_of(doing.requirement, owned))
    with_all = f"{chance} with your {words.counted(sum(owned), 'die')}".replace("dies", "dice")
    said = f"{asked(doing.requirement)} · {brings} · {symbols(doing.symbols)}\n{_chances(view, target, owned)}"
    return Step(
        cut(doing.name, OPTION),
        "f" if target == FAVORITE else str(target),
        (_rolls(view, target, owned), _picks(view, target, owned)),
        _described(doing, brings, chance, with_all),
        said=said,
    )


def _described(doing: Performance | Favorite, brings: str, chance: str, with_all: str) -> str:
    """What there is room for: what it brings and how likely it is, and if possible what it asks for."""
    short = brings.removeprefix("the Favorite, ")
    return worded(
        DESCRIPTION,
        f"{brings} · {asked(doing.requirement)} · {with_all}",
        f"{short} · {asked(doing.requirement)} · {chance}",
        f"{short} · {briefly(doing.requirement)} · {chance}",
        f"{short} · {with_all}",
    )


def _chances(view: View, target: int, owned: Sequence[int]) -> str:
    """The chance with more and more of one's dice, without any card or Gift."""
    doing, most = task(view, target), sum(owned)
    numbers = sorted({*range(1, min(doing.dice + MORE_DICE, most) + 1), most})
    some = [(number, chance_of(doing.requirement, fitting(doing.requirement, owned, number))) for number in numbers]
    told = [f"{number} {'die' if number == 1 else 'dice'} {percent(chance)}" for number, chance in some if chance]
    return f"As they fall: {', '.join(told)}" if told else "As they fall, your dice cannot meet it."


def _rolls(view: View, target: int, owned: Sequence[int]) -> Buttons:
    """Rolling as many dice as it takes by its nature, and all of them."""
    doing = task(view, target)
    natural = fitting(doing.requirement, owned, doing.dice)
    ways = [(f"Roll {dice_words(natural)}", natural)] if doing.dice < sum(owned) else []
    ways.append((worded(LABEL, f"Roll all: {dice_words(owned)}", f"Roll all {sum(owned)} dice"), tuple(owned)))
    buttons = [Button(cut(label, LABEL), JESTERS.write(Perform(target, dice))) for label, dice in ways]
    return Buttons(tuple(buttons))


def _picks(view: View, target: int, owned: Sequence[int]) -> Picks:
    """Any of one's dice."""
    wanted = task(view, target).requirement.colours
    picks = [
        Pick(f"{COLOURS[colour]} die", COLOURS[colour], "a colour asked for" if wanted[colour] else None)
        for colour in range(4)
        for _ in range(owned[colour])
    ]
    verb = f"perform {'favorite' if target == FAVORITE else target}"
    return Picks("Or choose the dice to roll", verb, tuple(picks), len(picks), done="Roll", ordered=False)


# An attempt


def _attempt(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """Change dice by cards and Gifts, or finish."""
    found: list[Control] = []
    if spends := _those(moves, Spend):
        found.append(_spends(view, spends))
    if rerolls := _those(moves, Reroll):
        options = [_option(move, learn_label(move.card)) for move in rerolls]
        found.append(Select("Reroll: discard any Jest card", tuple(options)))
    if gifts := _those(moves, UseGift):
        found.append(Select("Use a Gift", tuple(_option(move, _use(view, move), effect(view, move)) for move in gifts)))
    return (*found, Buttons((_finish(view, bool(found)),)))


def _finish(view: View, could_help: bool) -> Button:
    """A failure that could still be averted is asked for."""
    if prospects.met(view):
        return Button("Finish: a success", JESTERS.write(Finish()))
    asked_for = "**The dice do not meet it yet**, and a card or a Gift could still change them. Finish as a failure?"
    return Button("Finish: a failure", JESTERS.write(Finish()), confirm=asked_for if could_help else None)


def _spends(view: View, spends: Sequence[Spend]) -> Steps:
    """First the card, then the die and what it is to show."""
    cards = dict.fromkeys(move.card for move in spends)
    steps = []
    for card in cards:
        ways = [move for move in spends if move.card == card]
        best = min((effect(view, move) or "~" for move in ways), key=_worth)
        steps.append(Step(learn_label(card), f"s{card}", _ways(view, ways), None if best == "~" else best))
    return Steps("Spend a Jest card to change a die", tuple(steps))


def _worth(does: str) -> int:
    return {MEETS: 0, CLOSER: 1}.get(does, 2)


def _ways(view: View, ways: Sequence[Spend]) -> tuple[Control, ...]:
    """What a card can make of the dice, the most useful first; die by die where that is too long a list."""
    if len(ways) <= LINES:
        sorted_ways = sorted(ways, key=lambda move: _worth(effect(view, move) or ""))
        options = [_option(move, spend_label(view, move), effect(view, move)) for move in sorted_ways]
        return (Select("Which die is to show what?", tuple(options)),)
    dice = dict.fromkeys(move.die for move in ways)
    return (Steps("Which die?", tuple(_die_step(view, die, [m for m in ways if m.die == die]) for die in dice)),)


def _die_step(view: View, die: int, ways: Sequence[Spend]) -> Step:
    best = min((effect(view, move) or "" for move in ways), key=_worth)
    buttons = Buttons(tuple(Button(f"to {move.face}", JESTERS.write(move)) for move in ways))
    return Step(die_label(view, die), f"d{die}", (buttons,), best or None)


def die_label(view: View, die: int) -> str:
    """`die 3, blue 4`."""
    assert view.attempt is not None
    own = view.attempt.dice[die - 1]
    return f"die {die}, {COLOURS[own.colour]} {own.face}"


def spend_label(view: View, move: Spend) -> str:
    """`die 3, blue 4 to 5`."""
    return f"{die_label(view, move.die)} to {move.face}"


def use_label(view: View, move: UseGift) -> str:
    """`Gift 3 turns a green die over: die 2, green 5 to 2`."""
    said = f"Gift {move.gift} {gift(move.gift)}"
    if move.colour is not None:
        return f"{said}: {COLOURS[move.colour]}"
    if move.die is None:
        return said
    assert view.attempt is not None
    return f"{said}: {die_label(view, move.die)} to {7 - view.attempt.dice[move.die - 1].face}"


def _use(view: View, move: UseGift) -> str:
    """The same where there is little room, for what it does to a die is seen: `Gift 3: die 2, green 5 to 2`."""
    said = use_label(view, move)
    return said if move.die is None else f"Gift {move.gift}:{said.partition(':')[2]}"


def gift_label(number: int) -> str:
    """`Gift 14: 2 Fame for Comedy; symbol Mime`."""
    return f"Gift {number}: {gift(number)}; symbol {symbols([components.gift(number).symbol])}"


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
    marked = isinstance(move, Unmark)
    label = die_label(view, move.die)
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
    return Button(f"Reroll {dice} ({percent(prospects.chance(view))})", JESTERS.write(move))
