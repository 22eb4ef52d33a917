"""Pictures of the Court's views, with alt texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cogs.court.drawing.spec import CLOTH, CourtBoard, CourtMove, CourtPicture, CourtRolls, CourtWay, part_squares
from cogs.court.words import (
    EDGE_SUITS,
    awaited_decision,
    banner_shapes,
    destination_text,
    join_cards,
    rivals_on_board,
    short_card,
    sort_hand,
    step_cards,
)
from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow
from cogs.screens import words
from cogs.screens.screen import Context, Picture
from engines.court import board, deck, model
from engines.court.board import OFF_BOARD
from engines.court.deck import NUMBER_CARDS
from engines.court.model import FULL_HEALTH, Move
from engines.court.view import View
from engines.kit import cards
from engines.kit.contract import Outcome


def table_picture(view: View, context: Context) -> Picture:
    """Return the board, the seats and the last dice."""
    spec = _table_spec(view, context)
    return Picture(
        spec,
        "table.png",
        " ".join([_awaited_text(view, context), *_alt_texts(view, context), *_dice_texts(view, context)]),
    )


def result_picture(view: View, outcome: Outcome, context: Context) -> Picture:
    """Return the last table with the places."""
    spec = _table_spec(view, context)
    plates = tuple(_plate_with_place(plate, outcome.places[plate.seat]) for plate in spec.plates)
    places = ", ".join(
        f"{words.ordinal(place)} {context.plate_names[seat]} with {words.pluralize(outcome.points[seat], 'banner')}"
        for place, seat in sorted((place, seat) for seat, place in enumerate(outcome.places))
    )
    moment = f"{words.capitalize(turn_text(view))}, with {view.health[outcome.winners[0]]} of {FULL_HEALTH} health left"
    banner = words.result_banner(outcome, context, moment, _banners_text)
    alt = [f"{words.banner_alt(banner)}The end: {places}.", *_alt_texts(view, context), *_dice_texts(view, context)]
    return Picture(replace(spec, plates=plates, banner=banner), "result.png", " ".join(alt))


def _banners_text(number: int) -> str:
    return words.pluralize(number, "banner")


def sheet_picture(view: View, context: Context, outcome: Outcome | None = None) -> Picture:
    """Return the banners, health and knock-outs of every seat, and the places if there is an outcome."""
    counts = [
        ("banners", [banner_shapes(banners).replace(" ", "") or "–" for banners in view.banners]),
        ("health", [f"{health} of {FULL_HEALTH}" for health in view.health]),
        ("knocked out", [f"{number}×" for number in view.knocked]),
        ("cards held", list(map(str, view.hand_sizes))),
    ]
    rows = tuple(SheetRow(name, tuple(("", cell) for cell in each)) for name, each in counts)
    totals = tuple(f"{len(banners)}/{view.goal}" for banners in view.banners)
    note = f"{words.capitalize(turn_text(view))}. {view.goal} banners win."
    spec = ScoreSheet(rows, totals, outcome.places if outcome else (), note, context.plate_names, cloth=CLOTH)
    seat_texts = [
        f"{name}: {', '.join(f'{called} {cell}' for called, cell in zip(context.plate_names, each, strict=True))}."
        for name, each in counts
    ]
    return Picture(spec, "sheet.png", f"The score sheet. {note} {' '.join(map(words.capitalize, seat_texts))}")


def hand_picture(view: View, moves: Sequence[Move], context: Context) -> Picture:
    """Return the board, the seats and the hand. Cards that cannot move the Mage in Phase One are dimmed."""
    free = tuple(move.square for move in moves if isinstance(move, model.Place))
    stepping = view.phase == "move" and moves and not view.owed
    return _draw_hand(view, context, step_cards(view.hand) if stepping else view.hand, free)


def card_picture(view: View, card: int, context: Context) -> Picture:
    """Return the hand with a card chosen in Phase Two, and where it would move the other Mages."""
    drawn = _draw_hand(view, context, (card,))
    assert isinstance(drawn.spec, CourtPicture)
    mages = rivals_on_board(view) if card in NUMBER_CARDS else []
    moves = tuple(_possible_move(view, mage, card) for mage in mages)
    spec = replace(
        drawn.spec, chosen=deck.card_name(card), board=replace(drawn.spec.board, moves=(), possible_moves=moves)
    )
    destinations = "; ".join(f"{context.plate_names[mage]} {destination_text(view, mage, card)}" for mage in mages)
    led = f" It would move {destinations}." if destinations else ""
    return Picture(spec, drawn.name, f"{short_card(card)} is chosen.{led} {drawn.alt}")


def board_picture(view: View, context: Context) -> Picture:
    """Return the whole board split into parts, to choose one for a Menhir."""
    spec = CourtPicture(
        _seat_plates(view, context), replace(_board_spec(view), moves=(), you=view.seat or 0), whole=True
    )
    pieces = " ".join(_alt_texts(replace(view, moved=()), context))
    return Picture(spec, "hand.png", f"The whole board, for choosing your Menhir's square. {pieces}")


def part_picture(whole: Picture, part: int, free: Sequence[int]) -> Picture:
    """Return an enlarged part of the board, with the names of the squares that may take a Menhir."""
    assert isinstance(whole.spec, CourtPicture)
    spec = replace(whole.spec, board=replace(whole.spec.board, part=part, named=tuple(free)))
    ends = f"{board.square_name(part)} to {board.square_name(part_squares(part)[-1])}"
    return Picture(spec, whole.name, f"The part {ends} is chosen. {whole.alt}")


def turn_text(view: View) -> str:
    """Return the turn, such as `turn 12 of 100`."""
    if any(owed.cause == "start" for owed in view.owed):
        return "before turn 1"
    return f"turn {view.turns}" + (f" of {view.cap}" if view.cap else "")


def _draw_hand(view: View, context: Context, bright: Iterable[int], free: tuple[int, ...] = ()) -> Picture:
    assert view.seat is not None
    lit, cards = set(bright), sort_hand(view.hand)
    spec = CourtPicture(
        _seat_plates(view, context),
        replace(_board_spec(view), free=free, you=view.seat),
        turn_text(view),
        tuple((deck.card_name(card), card not in lit) for card in cards),
    )
    idle = [card for card in cards if card not in lit]
    alt = [f"{context.plate_names[view.seat]}, your hand: {join_cards(cards)}."]
    alt += [f"Not playable now: {join_cards(idle)}."] if idle else []
    alt += [f"Free starting squares: {', '.join(map(board.square_name, free))}."] if free else []
    return Picture(spec, "hand.png", " ".join([*alt, _awaited_text(view, context), *_alt_texts(view, context)]))


def _possible_move(view: View, mage: int, card: int) -> CourtWay:
    path, suit = board.mage_path(view, mage, card), card // 13
    brings = path.crosses and suit not in view.banners[mage]
    return CourtWay(mage, CourtMove(path.start, path.end, cards.SUITS[suit]), brings)


def _table_spec(view: View, context: Context) -> CourtPicture:
    attacked = view.attacked
    rolls = attacked and CourtRolls(
        attacked.seat,
        deck.card_name(attacked.card),
        attacked.roll,
        tuple((defence.seat, defence.rolls[-1], defence.hit) for defence in attacked.defences),
    )
    roll_off = () if rolls else tuple(rolls[-1] for rolls in view.rolls)
    return CourtPicture(_seat_plates(view, context), _board_spec(view), turn_text(view), rolls=rolls, roll_off=roll_off)


def _seat_plates(view: View, context: Context) -> tuple[SeatPlate, ...]:
    due = None if view.phase == "over" else awaited_decision(view)[0]
    return tuple(_seat_plate(view, context, seat, seat == due) for seat in range(len(view.mages)))


def _seat_plate(view: View, context: Context, seat: int, is_due: bool) -> SeatPlate:
    """A seat's name, its banners out of those needed to win, and its health."""
    banners, health = view.banners[seat], view.health[seat]
    lines = (
        PlateLine(f"{len(banners)}/{view.goal}{'' if banners else ' banners'}", "gold"),
        PlateLine(f"health {health}", "bad" if health < 3 else "plain"),
    )
    marks = tuple(cards.SUITS[suit] for suit in reversed(EDGE_SUITS) if suit in banners)
    return SeatPlate(seat, context.plate_names[seat], lines, is_due, marks, seat in context.computers)


def _plate_with_place(plate: SeatPlate, place: int) -> SeatPlate:
    first, second = plate.lines
    return replace(
        plate, lines=(first, replace(second, right=words.ordinal(place), right_tone="gold")), turn=place == 1
    )


def _board_spec(view: View) -> CourtBoard:
    moves = tuple(CourtMove(moved.start, moved.end, cards.SUITS[moved.card // 13]) for moved in view.moved)
    return CourtBoard(view.mages, view.menhirs, moves)


def _awaited_text(view: View, context: Context) -> str:
    """The turn, and the player that the match waits for."""
    seat, what = awaited_decision(view)
    does = {"place": "to place a Mage", "give": "to give back a banner", "move": "to move", "hinder": "to hinder"}
    return (
        f"{words.capitalize(turn_text(view))}, {context.plate_names[seat]} is {does[what]}."
        if what in does
        else f"{turn_text(view)}."
    )


def _alt_texts(view: View, context: Context) -> list[str]:
    """The facts on every picture: the seats, the positions, and the last move."""
    names = context.plate_names
    parts = [
        f"{words.plate_text(context, seat)}: {len(banners)} of {view.goal} banners"
        f"{f' {banner_shapes(banners)}' if banners else ''}, health {health}."
        for seat, (banners, health) in enumerate(zip(view.banners, view.health, strict=True))
    ]
    for what, squares in (("Mages", view.mages), ("Menhirs", view.menhirs)):
        standing = [f"{names[seat]} {board.square_name(at)}" for seat, at in enumerate(squares) if at != OFF_BOARD]
        parts.append(f"{what}: {', '.join(standing) or 'none'}.")
    for moved in view.moved:
        end = "over the edge" if moved.end == OFF_BOARD else f"to {board.square_name(moved.end)}"
        parts.append(
            f"Last, {short_card(moved.card)} moved {names[moved.mage]} from {board.square_name(moved.start)} {end}."
        )
    return parts


def _dice_texts(view: View, context: Context) -> list[str]:
    """The dice of the last attack, or of the roll-off if there was none."""
    names, attacked = context.plate_names, view.attacked
    if attacked is None:
        rolled = ", ".join(f"{name} {rolls[-1]}" for name, rolls in zip(names, view.rolls, strict=True))
        return [f"Rolled for turn order: {rolled}."]
    fates = [f"{each.rolls[-1]} {'hit' if each.hit else 'safe'}" for each in attacked.defences]
    dice = ", ".join(f"{names[each.seat]} {fate}" for each, fate in zip(attacked.defences, fates, strict=True))
    return [f"Last attack: {names[attacked.seat]} by {short_card(attacked.card)} rolled {attacked.roll}; {dice}."]
