"""Jesters' views as pictures, with the same in words for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.help import every_die
from cogs.jesters.spec import (
    Attempt,
    GiftFace,
    JestersHand,
    JestersLine,
    JestersSeat,
    JestersSheet,
    JestFace,
    Majority,
    Roll,
    Stage,
    Task,
)
from cogs.jesters.tasks import lacks, percent, signs
from cogs.jesters.words import (
    counts,
    dice_numbers,
    dice_words,
    failures,
    fame,
    gift,
    halves,
    majority,
    plain_roll,
    round_line,
    standing,
    symbols,
    task,
    unmarked,
)
from cogs.screens import words
from cogs.screens.screen import Picture
from engines.game import Outcome
from engines.jesters import components, effects, prospects
from engines.jesters.components import (
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
from engines.jesters.model import FAVORITE, Final, View
from engines.jesters.scoring import PLACES

ALT = 1024


def table_picture(view: View) -> Picture:
    """The stage: the open Performances, or the attempt; and what everybody has."""
    targets = ((FAVORITE,) if view.favorite else ()) + view.board
    spec = Stage(
        title=round_line(view),
        pile=_piles(view),
        tasks=() if view.attempt or view.phase == "over" else tuple(_task(view, target) for target in targets),
        middle=view.middle,
        seats=tuple(_seat(view, seat) for seat in range(view.seats)),
        majorities=tuple(_majority(view, place) for place in range(len(PLACES))),
        attempt=_attempt(view),
    )
    return Picture(spec, "table.png", _cut(_table_alt(view)))


def hand_picture(view: View) -> Picture:
    """The reader's Jest cards, dice and Gifts; the reader's own attempt above them."""
    assert view.seat is not None
    mine = view.turn == view.seat
    drawn = [number for number in view.drawn if number is not None]
    spec = JestersHand(
        cards=tuple(map(_card, view.hand)),
        dice=view.dice[view.seat],
        gifts=tuple(_gift(number, number in view.used) for number in view.gifts[view.seat]),
        attempt=_attempt(view) if mine else None,
        choice=tuple(_gift(number) for number in drawn) if mine and view.phase == "keep" else (),
    )
    return Picture(spec, "hand.png", _cut(_hand_alt(view)))


def sheet_picture(view: View, final: Final, outcome: Outcome) -> Picture:
    """The final scoring, line by line."""
    lines = [
        JestersLine(
            f"{place.most} / {place.second}",
            tuple((str(count), words.signed(gained)) for count, gained in zip(place.counts, place.fame, strict=True)),
            components.favorite(place.favorite).symbols,
        )
        for place in final.majorities
    ]
    lines += [
        _line("Failure track", final.track),
        _line("First player card", final.first),
        _line("Performances", final.performances, tuple(map(len, view.completed))),
        _line("Fame of Gifts", final.gifts),
    ]
    spec = JestersSheet(tuple(lines), tuple(map(words.plain, final.totals)), outcome.places)
    places = ", ".join(
        f"{words.ordinal(place)} {words.letter(seat)} with {words.counted(outcome.points[seat], 'point')}"
        for place, seat in sorted((place, seat) for seat, place in enumerate(outcome.places))
    )
    parts = "; ".join(f"{line.name}: {', '.join(points for _, points in line.cells)}" for line in lines)
    return Picture(spec, "result.png", _cut(f"The final scoring. {places}. By seat, {parts}."))


def _line(name: str, fame: Sequence[int], numbers: Sequence[int] = ()) -> JestersLine:
    found = [str(number) for number in numbers] or [""] * len(fame)
    return JestersLine(name, tuple((number, words.signed(one)) for number, one in zip(found, fame, strict=True)))


def _cut(text: str) -> str:
    return text if len(text) <= ALT else text[: ALT - 1] + "…"


# Parts


def _task(view: View, target: int) -> Task:
    doing = task(view, target)
    worth = str(doing.fame) if isinstance(doing, Performance) else ""
    return Task(doing.name, signs(doing.requirement), doing.symbols, worth, favorite=target == FAVORITE)


def _attempt(view: View) -> Attempt | None:
    attempt = view.attempt
    if attempt is None:
        return None
    dice = tuple(
        Roll(die.colour, die.face, number in attempt.marked, die.own if die.own != die.colour else None)
        for number, die in enumerate(attempt.dice, 1)
    )
    return Attempt(view.turn, _task(view, attempt.target), dice, _beside(view), prospects.met(view))


def _beside(view: View) -> tuple[str, ...]:
    """What to say beside the dice."""
    lack = prospects.missing(view)
    if lack is None:
        return ()
    said = lacks(lack, prospects.task(view).requirement.form).split(", ")
    first = [f"missing: {said[0]}{',' if said[1:] else ''}", *([", ".join(said[1:])] if said[1:] else [])]
    everything = prospects.chance(unmarked(view), every_die(view))
    return (*first, f"reroll of all: {percent(everything)}")


def _piles(view: View) -> str:
    return f"{view.pile} Performances, {view.draw} Jest cards, {view.gift_pile} Gifts left"


def _seat(view: View, seat: int) -> JestersSeat:
    unused = [number for number in view.gifts[seat] if number not in view.used]
    turn = view.phase != "over" and seat == view.turn
    return JestersSeat(
        dice=view.dice[seat],
        cards=view.hand_sizes[seat],
        done=len(view.completed[seat]),
        fame=fame(view, seat),
        failures=view.failures[seat],
        gifts=f"{len(unused)} of {len(view.gifts[seat])}",
        tag=_wanted(view) if turn else "".join(standing(view, seat)),
        turn=turn,
        first=seat == view.first,
    )


def _wanted(view: View) -> str:
    return {"turn": "to play", "attempt": "performs", "mark": "marks dice", "keep": "keeps a Gift"}.get(view.phase, "")


def _majority(view: View, place: int) -> Majority:
    worth, found = "/".join(map(str, PLACES[place])), majority(view, place)
    if found is None:
        return Majority(worth)
    favorite, now = found
    return Majority(worth, components.favorite(favorite).symbols, counts(view, favorite), now)


def _card(number: int) -> JestFace:
    card = components.jest_card(number)
    learn = tuple(_colour(colour) for colour in card.top)
    change = f"±{card.bottom.amount}" if isinstance(card.bottom, Adjust) else "opposite"
    return JestFace(number, learn, change, _colour(card.bottom.colour))


def _colour(colour: int) -> int:
    return -1 if colour == ANY else colour


def _gift(number: int, used: bool = False) -> GiftFace:
    symbol = components.gift(number).symbol
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


def _table_alt(view: View) -> str:
    parts = [f"The table, {round_line(view).lower()}."]
    if view.attempt is not None:
        parts.append(
            f"{words.letter(view.turn)} performs {task(view, view.attempt.target).name}: {_attempt_alt(view)}."
        )
    elif view.phase != "over":
        names = [task(view, target).name for target in view.board]
        favorite = f"the Favorite {components.favorite(view.favorite).name}" if view.favorite else "no Favorite"
        parts.append(f"Open: {favorite}; {', '.join(names) or 'no Performance'}.")
    parts.append(f"In the middle: {dice_words(view.middle)}.")
    parts += [f"{words.letter(seat)}: {_seat_alt(view, _seat(view, seat), seat)}." for seat in range(view.seats)]
    parts += [_majority_alt(view, place) for place in range(len(PLACES))]
    parts.append(f"{_piles(view)}.")
    return " ".join(part for part in parts if part)


def _seat_alt(view: View, seat: JestersSeat, number: int) -> str:
    done = f"{seat.done} completed, {seat.fame} Fame, {seat.gifts} Gifts unused"
    first = ["first player card"] if seat.first else []
    tag = [seat.tag] if seat.tag else []
    held = words.counted(seat.cards, "card")
    return ", ".join([dice_words(seat.dice), held, done, failures(view, number), *first, *tag])


def _attempt_alt(view: View) -> str:
    assert view.attempt is not None
    lack = prospects.missing(view)
    said = "met" if lack is None else f"missing {lacks(lack, prospects.task(view).requirement.form)}"
    marked = f"; marked {dice_numbers(view.attempt.marked)}" if view.attempt.marked else ""
    return f"{plain_roll(view.attempt.dice)}; {said}{marked}"


def _majority_alt(view: View, place: int) -> str:
    found = majority(view, place)
    if found is None:
        return ""
    have = ", ".join(f"{words.letter(seat)} {number}" for seat, number in enumerate(counts(view, found[0])))
    return f"Majority {'/'.join(map(str, PLACES[place]))}, {symbols(components.favorite(found[0]).symbols)}: {have}."


def _hand_alt(view: View) -> str:
    assert view.seat is not None
    cards = "; ".join(map(halves, view.hand)) or "none"
    gifts = "; ".join(gift(number) + (" (used)" if number in view.used else "") for number in view.gifts[view.seat])
    parts = [f"Your dice: {dice_words(view.dice[view.seat])}."]
    if view.attempt is not None and view.turn == view.seat:
        parts.insert(0, f"Your attempt: {_attempt_alt(view)}.")
    if drawn := [number for number in view.drawn if number is not None and view.turn == view.seat]:
        parts.insert(0, f"To keep: {' or '.join(map(gift, drawn))}.")
    return " ".join([*parts, f"Your Gifts: {gifts or 'none'}.", f"Your Jest cards: {cards}."])
