"""Jesters' views as pictures, with the same in words for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from cogs.jesters.help import best_reroll, chance_of, every_die
from cogs.jesters.result import so_far
from cogs.jesters.spec import Attempt, GiftFace, JestFace, Majority, Own, Roll, Stage, Task
from cogs.jesters.tasks import lacks, percent, signs
from cogs.jesters.words import (
    counts,
    dice_numbers,
    dice_words,
    face_words,
    fame,
    gift,
    majority,
    plain_roll,
    round_line,
    standing,
    symbols,
    task,
    unmarked,
)
from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow, Tone
from cogs.screens import words
from cogs.screens.screen import Context, Picture
from engines.jesters.components import catalogue, effects
from engines.jesters.components.catalogue import (
    ANY,
    Adjust,
    Extra,
    FameForColour,
    FameForSymbol,
    Opposite,
    Performance,
    Recolour,
    Reroll,
)
from engines.jesters.model import FAVORITE, View
from engines.jesters.requirements import prospects
from engines.jesters.scoring import PLACES
from engines.kit.contract import Outcome

MARKS = (0, 0, 9, 6, 5)  # by the number of seats, how many dice are drawn one by one on a plate


def table_picture(view: View, context: Context) -> Picture:
    """The stage: the open Performances, or the attempt; and what everybody has."""
    return Picture(_stage(view, context), "table.png", _table_alt(view, context))


def hand_picture(view: View, context: Context) -> Picture:
    """The same for a seat: with its chances, its Jest cards and its Gifts; while it marks dice, without these."""
    alt = f"{_hand_alt(view)} {_table_alt(view, context)}"
    return Picture(_stage(view, context), "hand.png", alt)


def chosen_picture(drawn: Picture, name: str) -> Picture:
    """A hand's picture in which of what may be performed nothing is left but what was chosen."""
    stage = drawn.spec
    assert isinstance(stage, Stage)
    tasks = tuple(replace(task, chosen=True) for task in stage.tasks if task.name == name)
    spec = replace(stage, tasks=tasks, majorities=())
    return Picture(spec, drawn.name, f"Chosen: {name}. {drawn.alt}")


def sheet_picture(view: View, context: Context, outcome: Outcome | None = None) -> Picture:
    """The scoring line by line: as it would be if it ended now, or at the end."""
    final = view.final or so_far(view)
    rows = [
        SheetRow(f"Majority {place.most}/{place.second}", _cells(place.fame, place.counts))
        for place in final.majorities
    ]
    rows += [
        SheetRow("Performances", _cells(final.performances, tuple(map(len, view.completed)))),
        SheetRow("Gifts", _cells(final.gifts)),
        SheetRow("Failures", _cells(final.track, view.failures)),
        SheetRow("First player", _cells(final.first)),
    ]
    note = "how many, and the Fame for it" if view.final else "how many, and the Fame if it ended now"
    totals, places = tuple(map(words.plain, final.totals)), outcome.places if outcome else ()
    spec = ScoreSheet(tuple(rows), totals, places, note, context.plates)
    said = "; ".join(f"{row.name}: {', '.join(map(_cell_alt, row.cells))}" for row in rows)
    names = ", ".join(
        f"{name} {total}" + (f" ({words.ordinal(places[seat])})" if places else "")
        for seat, (name, total) in enumerate(zip(context.plates, totals, strict=True))
    )
    title = "The final scoring" if outcome else f"If it ended now, in {round_line(view).lower()}"
    alt = f"{title}. Total: {names}. By seat, {said}."
    return Picture(spec, "result.png" if outcome else "sheet.png", alt)


def _cells(gained: Sequence[int], numbers: Sequence[int] = ()) -> tuple[tuple[str, str], ...]:
    found = [str(number) for number in numbers] or [""] * len(gained)
    return tuple((number, words.signed(one)) for number, one in zip(found, gained, strict=True))


def _cell_alt(cell: tuple[str, str]) -> str:
    number, points = cell
    return f"{points} ({number})" if number else points


# Parts


def _stage(view: View, context: Context) -> Stage:
    targets = ((FAVORITE,) if view.favorite else ()) + view.board
    idle = view.attempt is None and view.phase != "over"
    mine = view.seat is not None and view.seat == view.turn
    choice = [number for number in view.drawn if number is not None] if mine and view.phase == "keep" else []
    own = Own(tuple(map(_card, view.hand)), tuple(_gift(n, n in view.used) for n in _gifts(view)))
    busy = mine and view.attempt is not None  # one's own attempt: what is no help in it steps back
    return Stage(
        plates=tuple(_plate(view, context, seat) for seat in range(view.seats)),
        tasks=tuple(_task(view, target) for target in targets) if idle and not choice else (),
        middle=() if busy else view.middle,
        majorities=() if busy else tuple(filter(None, (_majority(view, place) for place in range(len(PLACES))))),
        round="" if busy else round_line(view),
        attempt=_attempt(view),
        own=None if view.seat is None or (mine and view.phase == "mark") else own,
        choice=tuple(map(_gift, choice)),
    )


def _gifts(view: View) -> tuple[int, ...]:
    """The reader's Gifts, those used in this round among them."""
    return () if view.seat is None else view.gifts[view.seat]


def _plate(view: View, context: Context, seat: int) -> SeatPlate:
    """Name; dice, or why there are none; cards and Fame; failures, and the first player card."""
    dice = [str(colour) for colour, number in enumerate(view.dice[seat]) for _ in range(number)]
    most = MARKS[view.seats] if len(dice) <= MARKS[view.seats] else MARKS[view.seats] - 1  # room for how many more
    state, tone = _state(view, seat, len(dice), most)
    first = "first" if seat == view.first else ""
    held = words.counted(view.hand_sizes[seat], "card")
    lines = (
        PlateLine(state, tone),
        PlateLine(held, right=f"{words.plain(fame(view, seat))}★", right_tone="gold"),
        PlateLine(fails(view.failures[seat]), "bad" if view.failures[seat] else "quiet", first, "good"),
    )
    turn = view.phase != "over" and seat == view.turn
    return SeatPlate(seat, context.plates[seat], lines, turn, tuple(reversed(dice[:most])), seat in context.computers)


def _state(view: View, seat: int, dice: int, most: int) -> tuple[str, Tone]:
    if gone := standing(view, seat):
        return gone[0], "quiet"
    if not dice:
        return "no dice", "quiet"
    return (f"+{dice - most}", "plain") if dice > most else ("", "plain")


def fails(number: int) -> str:
    """`no fail`, `1 fail`."""
    return words.counted(number, "fail") if number else "no fail"


def _task(view: View, target: int) -> Task:
    doing = task(view, target)
    worth = str(doing.fame) if isinstance(doing, Performance) else ""
    return Task(doing.name, signs(doing.requirement), doing.symbols, worth, target == FAVORITE, _chance(view, target))


def _chance(view: View, target: int) -> str:
    """How likely the reader's dice meet it without changes; nothing without dice, or where it may not be tried."""
    if target == FAVORITE and view.seat in view.done:
        return "done"
    if view.seat is None or not any(view.dice[view.seat]):
        return ""
    chance = chance_of(task(view, target).requirement, view.dice[view.seat])
    return percent(chance).replace("under ", "<").replace("over ", ">") if chance else "–"


def _attempt(view: View) -> Attempt | None:
    attempt = view.attempt
    if attempt is None:
        return None
    dice = tuple(
        Roll(die.colour, die.face, number in attempt.marked, die.own if die.own != die.colour else None)
        for number, die in enumerate(attempt.dice, 1)
    )
    doing = task(view, attempt.target)
    worth = str(doing.fame) if isinstance(doing, Performance) else ""
    shown = Task(doing.name, signs(doing.requirement), doing.symbols, worth, attempt.target == FAVORITE)
    lack = prospects.missing(view)
    if lack is None:
        return Attempt(shown, dice, "The dice meet it!", "", met=True)
    return Attempt(shown, dice, lacks(lack, doing.requirement.form), _reroll(view), met=False)


def _reroll(view: View) -> str:
    """The chance of a reroll."""
    attempt = view.attempt
    assert attempt is not None
    if attempt.marked and effects.paint(attempt.marking) is None:
        return _again(prospects.chance(view), attempt.marked)
    best, which, _ = best_reroll(view)
    if not best:
        return "No reroll alone can meet it"
    if len(which) < len(every_die(view)):
        return _again(best, which)
    return f"{percent(prospects.chance(unmarked(view), every_die(view)))} if all dice are rolled again"


def _again(chance: Fraction, dice: Sequence[int]) -> str:
    return f"{percent(chance)} if {dice_numbers(dice)} {'are' if dice[1:] else 'is'} rolled again"


def _majority(view: View, place: int) -> Majority | None:
    found = majority(view, place)
    if found is None:
        return None
    favorite, now = found
    worth = "/".join(map(str, PLACES[place]))
    return Majority(worth, catalogue.favorite(favorite).symbols, counts(view, favorite), now)


def _card(number: int) -> JestFace:
    card = catalogue.jest_card(number)
    learn = tuple(_colour(colour) for colour in card.top)
    change = f"±{card.bottom.amount}" if isinstance(card.bottom, Adjust) else "turn"
    return JestFace(learn, change, _colour(card.bottom.colour))


def _colour(colour: int) -> int:
    return -1 if colour == ANY else colour


def _gift(number: int, used: bool = False) -> GiftFace:
    symbol = catalogue.gift(number).symbol
    match effects.effect(number):
        case Opposite(colour):
            return GiftFace("opposite", colour, symbol, used)
        case Recolour(colour):
            return GiftFace("recolour", colour, symbol, used)
        case FameForSymbol(of):
            return GiftFace("symbol", of, symbol, used)
        case FameForColour(colour):
            return GiftFace("colour", colour, symbol, used)
        case Extra():
            return GiftFace("extra", -1, symbol, used)
        case Reroll():
            return GiftFace("reroll", -1, symbol, used)


# In words


def _table_alt(view: View, context: Context) -> str:
    parts = [f"{round_line(view)}."]
    if view.attempt is not None:
        name = task(view, view.attempt.target).name
        parts.append(f"{context.plates[view.turn]} performs {name}: {_attempt_alt(view)}.")
    elif view.phase != "over":
        names = [_named(view, target) for target in view.board]
        favorite = f"the Favorite {_named(view, FAVORITE)}" if view.favorite else "no Favorite"
        parts.append(f"Open: {favorite}; {', '.join(names) or 'no Performance'}.")
    parts.append(f"Middle: {dice_words(view.middle)}.")
    parts += [f"{words.plate(context, seat)}: {_seat_alt(view, seat)}." for seat in range(view.seats)]
    parts += [_majority_alt(view, place) for place in range(len(PLACES))]
    waiting = f"{context.plates[view.turn]} is to act." if view.phase != "over" else "It is over."
    return " ".join(filter(None, (*parts, waiting)))


def _named(view: View, target: int) -> str:
    """A Performance, with the chance of the reader's dice."""
    chance = _chance(view, target)
    return task(view, target).name + (f" {chance}" if chance else "")


def _seat_alt(view: View, seat: int) -> str:
    held = words.counted(view.hand_sizes[seat], "card")
    first = ["first"] if seat == view.first else []
    points = f"{words.plain(fame(view, seat))} Fame"
    said = [dice_words(view.dice[seat]), held, points, fails(view.failures[seat]), *first, *standing(view, seat)]
    return ", ".join(said)


def _attempt_alt(view: View) -> str:
    assert view.attempt is not None
    lack = prospects.missing(view)
    said = "met" if lack is None else f"{lacks(lack, prospects.task(view).requirement.form)}; {_reroll(view)}"
    marked = f"; marked {dice_numbers(view.attempt.marked)}" if view.attempt.marked else ""
    return f"{plain_roll(view.attempt.dice)}; {said}{marked}"


def _majority_alt(view: View, place: int) -> str:
    found = majority(view, place)
    if found is None:
        return ""
    have = ", ".join(map(str, counts(view, found[0])))
    now = " now" if found[1] else ""
    worth = "/".join(map(str, PLACES[place]))
    return f"Majority {worth}{now}, {symbols(catalogue.favorite(found[0]).symbols)}: {have}."


def _hand_alt(view: View) -> str:
    assert view.seat is not None
    mine = view.turn == view.seat
    drawn = [number for number in view.drawn if number is not None and mine and view.phase == "keep"]
    parts = [f"To keep: {' or '.join(map(_gift_alt, drawn))}."] if drawn else []
    if mine and view.phase == "mark":
        return "You mark dice."
    cards = "; ".join(map(face_words, view.hand)) or "none"
    gifts = "; ".join(_gift_alt(n) + (", used" if n in view.used else "") for n in _gifts(view)) or "none"
    return " ".join([*parts, f"Your Gifts: {gifts}. Your Jest cards: {cards}."])


def _gift_alt(number: int) -> str:
    return f"{gift(number)} ({symbols([catalogue.gift(number).symbol])})"
