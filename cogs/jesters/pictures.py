"""Pictures of Jesters' views, with alt texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from cogs.jesters.drawing.spec import CLOTH, NO_SYMBOL, Attempt, GiftFace, JestFace, Majority, Own, Roll, Stage, Task
from cogs.jesters.help import all_die_numbers, best_reroll, chance_with_all
from cogs.jesters.result import scoring_so_far
from cogs.jesters.tasks import missing_text, percent_text, requirement_signs
from cogs.jesters.words import (
    current_fame,
    dice_numbers_text,
    dice_text,
    fame_text,
    gift_effect_text,
    jest_card_text,
    majority_favorite,
    roll_text,
    round_line,
    seat_status,
    symbol_counts,
    symbol_names,
    target_task,
    view_without_marks,
)
from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow, Tone
from cogs.screens import words
from cogs.screens.screen import Context, Picture
from engines.jesters import effects, prospects
from engines.jesters.components import catalogue
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
from engines.jesters.model import FAVORITE_TARGET
from engines.jesters.scoring import MAJORITY_PLACES
from engines.jesters.view import View
from engines.kit.contract import Outcome

MAX_MARKS = (0, 0, 9, 6, 5)  # by the number of seats, the number of dice drawn on a plate


def table_picture(view: View, context: Context) -> Picture:
    """Return the open Performances or the attempt, and what everybody has."""
    return Picture(_stage_spec(view, context), "table.png", _table_alt(view, context))


def hand_picture(view: View, context: Context) -> Picture:
    """Return the table with a seat's chances, Jest cards and Gifts. While it marks dice, leave out cards and Gifts."""
    alt = f"{_hand_alt(view)} {_table_alt(view, context)}"
    return Picture(_stage_spec(view, context), "hand.png", alt)


def chosen_picture(picture: Picture, name: str) -> Picture:
    """Return a hand's picture with only the chosen Performance."""
    stage = picture.spec
    assert isinstance(stage, Stage)
    tasks = tuple(replace(task, chosen=True) for task in stage.tasks if task.name == name)
    spec = replace(stage, tasks=tasks, majorities=())
    return Picture(spec, picture.name, f"Chosen: {name}. {picture.alt}")


def performing_picture(picture: Picture) -> Picture:
    """Return a hand's picture with only the seats and what can be performed."""
    stage = picture.spec
    assert isinstance(stage, Stage)
    spec = replace(stage, middle=(), majorities=(), round="", own=None)
    return Picture(spec, picture.name, f"What you can perform. {picture.alt}")


def learning_picture(picture: Picture) -> Picture:
    """Return a hand's picture with only the seats, the middle and the Jest cards."""
    stage = picture.spec
    assert isinstance(stage, Stage)
    spec = replace(stage, tasks=(), majorities=(), own=stage.own and replace(stage.own, gifts=()))
    return Picture(spec, picture.name, f"What you can learn. {picture.alt}")


def sheet_picture(view: View, context: Context, outcome: Outcome | None = None) -> Picture:
    """Return the scoring line by line: the final one, or the one if the match ended now."""
    final = view.final or scoring_so_far(view)
    rows = [
        SheetRow(f"Majority {place.most}/{place.second}", _sheet_cells(place.fame, place.counts))
        for place in final.majorities
    ]
    rows += [
        SheetRow("Performances", _sheet_cells(final.performances, tuple(map(len, view.completed)))),
        SheetRow("Gifts", _sheet_cells(final.gifts)),
        SheetRow("Failures", _sheet_cells(final.track, view.failures)),
        SheetRow("First player", _sheet_cells(final.first)),
    ]
    note = "number and Fame" if view.final else "number, and the Fame if the match ended now"
    totals, places = tuple(map(words.plain_number, final.totals)), outcome.places if outcome else ()
    banner = words.result_banner(outcome, context, _winning_moment(view, outcome), fame_text) if outcome else None
    spec = ScoreSheet(tuple(rows), totals, places, note, context.plate_names, banner, CLOTH)
    text = "; ".join(f"{row.name}: {', '.join(map(_cell_alt, row.cells))}" for row in rows)
    names = ", ".join(
        f"{name} {total}" + (f" ({words.ordinal(places[seat])})" if places else "")
        for seat, (name, total) in enumerate(zip(context.plate_names, totals, strict=True))
    )
    title = "The final scoring" if outcome else f"If the match ended now, in {round_line(view).lower()}"
    alt = f"{words.banner_alt(banner)}{title}. Total: {names}. By seat, {text}."
    return Picture(spec, "result.png" if outcome else "sheet.png", alt)


def _winning_moment(view: View, outcome: Outcome) -> str:
    """The winner's Performance with the most Fame."""
    done = view.completed[outcome.winners[0]]
    if not done:
        return "Without a single Performance"
    best = max(map(catalogue.performance, done), key=lambda performance: performance.fame)
    return f"“{best.name}”, {fame_text(best.fame)}"


def _sheet_cells(gained: Sequence[int], numbers: Sequence[int] = ()) -> tuple[tuple[str, str], ...]:
    found = [str(number) for number in numbers] or [""] * len(gained)
    return tuple((number, words.signed_number(one)) for number, one in zip(found, gained, strict=True))


def _cell_alt(cell: tuple[str, str]) -> str:
    number, points = cell
    return f"{points} ({number})" if number else points


# Parts


def _stage_spec(view: View, context: Context) -> Stage:
    targets = ((FAVORITE_TARGET,) if view.favorite else ()) + view.board
    idle = view.attempt is None and view.phase != "over"
    is_own_turn = view.seat is not None and view.seat == view.turn
    choice = [number for number in view.drawn if number is not None] if is_own_turn and view.phase == "keep" else []
    busy = is_own_turn and view.attempt is not None  # during their own attempt, the player sees only what helps
    gifts = _helpful_gifts(view) if busy else [_gift_face(n, n in view.used) for n in _own_gifts(view)]
    own = Own(tuple(map(_jest_face, view.hand)), tuple(gifts))
    return Stage(
        plates=tuple(_seat_plate(view, context, seat) for seat in range(view.seats)),
        tasks=tuple(_task_spec(view, target) for target in targets) if idle and not choice else (),
        middle=() if busy else view.middle,
        majorities=()
        if busy
        else tuple(filter(None, (_majority_spec(view, place) for place in range(len(MAJORITY_PLACES))))),
        round="" if busy else round_line(view),
        attempt=_attempt_spec(view),
        own=None if view.seat is None or (is_own_turn and view.phase == "mark") else own,
        choice=tuple(map(_gift_face, choice)),
    )


def _own_gifts(view: View) -> tuple[int, ...]:
    """The player's Gifts, including those used in this round."""
    return () if view.seat is None else view.gifts[view.seat]


def _helpful_gifts(view: View) -> list[GiftFace]:
    """The player's Gifts that can change dice now, without their symbols."""
    faces = [_gift_face(number) for number in _own_gifts(view) if number not in view.used]
    return [replace(face, symbol=NO_SYMBOL) for face in faces if face.effect not in ("symbol", "colour")]


def _seat_plate(view: View, context: Context, seat: int) -> SeatPlate:
    """A seat's name, dice or status, cards and Fame, failures, and the first player card."""
    dice = [str(colour) for colour, number in enumerate(view.dice[seat]) for _ in range(number)]
    most = MAX_MARKS[view.seats] if len(dice) <= MAX_MARKS[view.seats] else MAX_MARKS[view.seats] - 1  # how many fit
    state, tone = _dice_state(view, seat, len(dice), most)
    first = "first" if seat == view.first else ""
    cards = words.pluralize(view.hand_sizes[seat], "card")
    lines = (
        PlateLine(state, tone),
        PlateLine(cards, right=f"{words.plain_number(current_fame(view, seat))}★", right_tone="gold"),
        PlateLine(fails_text(view.failures[seat]), "bad" if view.failures[seat] else "quiet", first, "good"),
    )
    turn = view.phase != "over" and seat == view.turn
    return SeatPlate(
        seat, context.plate_names[seat], lines, turn, tuple(reversed(dice[:most])), seat in context.computers
    )


def _dice_state(view: View, seat: int, dice: int, most: int) -> tuple[str, Tone]:
    if status := seat_status(view, seat):
        return status[0], "quiet"
    if not dice:
        return "no dice", "quiet"
    return (f"+{dice - most}", "plain") if dice > most else ("", "plain")


def fails_text(number: int) -> str:
    """Return the number of failures, short enough for a plate: `no fails`, `1 fail`."""
    return words.pluralize(number, "fail") if number else "no fails"


def _task_spec(view: View, target: int) -> Task:
    doing = target_task(view, target)
    worth = str(doing.fame) if isinstance(doing, Performance) else ""
    return Task(
        doing.name,
        requirement_signs(doing.requirement),
        doing.symbols,
        worth,
        target == FAVORITE_TARGET,
        _chance_text(view, target),
    )


def _chance_text(view: View, target: int) -> str:
    """The chance that the player's dice meet the task without changes. Empty without dice."""
    if target == FAVORITE_TARGET and view.seat in view.done:
        return "done"
    if view.seat is None or not any(view.dice[view.seat]):
        return ""
    chance = chance_with_all(view, target)
    return percent_text(chance).replace("under ", "<").replace("over ", ">") if chance else "–"


def _attempt_spec(view: View) -> Attempt | None:
    attempt = view.attempt
    if attempt is None:
        return None
    dice = tuple(
        Roll(die.colour, die.face, number in attempt.marked, die.own if die.own != die.colour else None)
        for number, die in enumerate(attempt.dice, 1)
    )
    doing = target_task(view, attempt.target)
    worth = str(doing.fame) if isinstance(doing, Performance) else ""
    task = Task(
        doing.name, requirement_signs(doing.requirement), doing.symbols, worth, attempt.target == FAVORITE_TARGET
    )
    lack = prospects.missing_dice(view)
    if lack is None:
        brings = fame_text(doing.fame) if isinstance(doing, Performance) else "a Gift"
        return Attempt(task, dice, "Requirement met!", f"Finishing brings {brings}. The dice go back.", met=True)
    return Attempt(task, dice, missing_text(lack, doing.requirement.form), _reroll_text(view), met=False)


def _reroll_text(view: View) -> str:
    """The chance of a reroll, in words."""
    attempt = view.attempt
    assert attempt is not None
    if attempt.marked and effects.paint_colour(attempt.marking) is None:
        return _reroll_chance_text(prospects.success_chance(view), attempt.marked)
    best, which, _ = best_reroll(view)
    if not best:
        return "A reroll alone is not enough"
    if len(which) < len(all_die_numbers(view)):
        return _reroll_chance_text(best, which)
    return (
        f"{percent_text(prospects.success_chance(view_without_marks(view), all_die_numbers(view)))} if all "
        "dice are rerolled"
    )


def _reroll_chance_text(chance: Fraction, dice: Sequence[int]) -> str:
    return f"{percent_text(chance)} if {dice_numbers_text(dice)} {'are' if dice[1:] else 'is'} rerolled"


def _majority_spec(view: View, place: int) -> Majority | None:
    found = majority_favorite(view, place)
    if found is None:
        return None
    favorite, now = found
    worth = "/".join(map(str, MAJORITY_PLACES[place]))
    return Majority(worth, catalogue.favorite(favorite).symbols, symbol_counts(view, favorite), now)


def _jest_face(number: int) -> JestFace:
    card = catalogue.jest_card(number)
    learn = tuple(_spec_colour(colour) for colour in card.top)
    change = f"±{card.bottom.amount}" if isinstance(card.bottom, Adjust) else "turn"
    return JestFace(learn, change, _spec_colour(card.bottom.colour))


def _spec_colour(colour: int) -> int:
    return -1 if colour == ANY else colour


def _gift_face(number: int, used: bool = False) -> GiftFace:
    symbol = catalogue.gift(number).symbol
    match effects.gift_effect(number):
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


# Alt texts


def _table_alt(view: View, context: Context) -> str:
    parts = [f"{round_line(view)}."]
    if view.attempt is not None:
        doing = target_task(view, view.attempt.target)
        name = f"{doing.name} ({symbol_names(doing.symbols)})"
        parts.append(f"{context.plate_names[view.turn]} performs {name}: {_attempt_alt(view)}.")
    elif view.phase != "over":
        names = [_task_with_chance(view, target) for target in view.board]
        favorite = f"the Favorite {_task_with_chance(view, FAVORITE_TARGET)}" if view.favorite else "no Favorite"
        parts.append(f"Open: {favorite}; {', '.join(names) or 'no Performance'}.")
    parts.append(f"Middle: {dice_text(view.middle)}.")
    parts += [f"{words.plate_text(context, seat)}: {_seat_alt(view, seat)}." for seat in range(view.seats)]
    parts += [_majority_alt(view, place) for place in range(len(MAJORITY_PLACES))]
    waiting = f"{context.plate_names[view.turn]} is to act." if view.phase != "over" else "The match is over."
    return " ".join(filter(None, (*parts, waiting)))


def _task_with_chance(view: View, target: int) -> str:
    """A Performance with its symbols, and the chance of the player's dice."""
    chance, doing = _chance_text(view, target), target_task(view, target)
    return f"{doing.name} ({symbol_names(doing.symbols)})" + (f" {chance}" if chance else "")


def _seat_alt(view: View, seat: int) -> str:
    cards = words.pluralize(view.hand_sizes[seat], "card")
    first = ["first"] if seat == view.first else []
    points = f"{words.plain_number(current_fame(view, seat))} Fame"
    texts = [
        dice_text(view.dice[seat]),
        cards,
        points,
        fails_text(view.failures[seat]),
        *first,
        *seat_status(view, seat),
    ]
    return ", ".join(texts)


def _attempt_alt(view: View) -> str:
    assert view.attempt is not None
    lack = prospects.missing_dice(view)
    text = (
        "met"
        if lack is None
        else f"{missing_text(lack, prospects.attempted_task(view).requirement.form)}; {_reroll_text(view)}"
    )
    marked = f"; marked {dice_numbers_text(view.attempt.marked)}" if view.attempt.marked else ""
    return f"{roll_text(view.attempt.dice)}; {text}{marked}"


def _majority_alt(view: View, place: int) -> str:
    found = majority_favorite(view, place)
    if found is None:
        return ""
    have = ", ".join(map(str, symbol_counts(view, found[0])))
    now = " now" if found[1] else ""
    worth = "/".join(map(str, MAJORITY_PLACES[place]))
    return f"Majority {worth}{now}, {symbol_names(catalogue.favorite(found[0]).symbols)}: {have}."


def _hand_alt(view: View) -> str:
    assert view.seat is not None
    is_own_turn = view.turn == view.seat
    drawn = [number for number in view.drawn if number is not None and is_own_turn and view.phase == "keep"]
    parts = [f"To keep: {' or '.join(map(_gift_alt, drawn))}."] if drawn else []
    if is_own_turn and view.phase == "mark":
        return "You mark dice."
    cards = "; ".join(map(jest_card_text, view.hand)) or "none"
    gifts = "; ".join(_gift_alt(n) + (", used" if n in view.used else "") for n in _own_gifts(view)) or "none"
    return " ".join([*parts, f"Your Gifts: {gifts}. Your Jest cards: {cards}."])


def _gift_alt(number: int) -> str:
    return f"{gift_effect_text(number)} ({symbol_names([catalogue.gift(number).symbol])})"
