"""Pictures of the Court's views, with alt texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.court.drawing.spec import CLOTH, CourtBoard, CourtCard, CourtMove, CourtPicture, CourtRolls, CourtWay
from cogs.court.words import (
    EDGE_SUITS,
    awaited_decision,
    banner_shapes,
    destination_label,
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
from engines.court.deck import ACES, COURT_CARDS, MENHIR, NUMBER_CARDS
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
    """Return the last table with the places, and with the dice if there was an attack in the last turn."""
    plates = tuple(_plate_with_place(plate, outcome.places[plate.seat]) for plate in _seat_plates(view, context))
    places = ", ".join(
        f"{words.ordinal(place)} {context.plate_names[seat]} with {words.pluralize(outcome.points[seat], 'banner')}"
        for place, seat in sorted((place, seat) for seat, place in enumerate(outcome.places))
    )
    moment = f"{words.capitalize(turn_text(view))}, with {view.health[outcome.winners[0]]} of {FULL_HEALTH} health left"
    banner = words.result_banner(outcome, context, moment, _banners_text)
    alt = [f"{words.banner_alt(banner)}The end: {places}.", *_alt_texts(view, context)]
    rolls = _attack_rolls(view) if view.attacked and view.attacked.turn == view.turns else None
    alt += _dice_texts(view, context) if rolls else []
    spec = CourtPicture(plates, _board_spec(view), _note_text(view), rolls=rolls, banner=banner)
    return Picture(spec, "result.png", " ".join(alt))


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
    """Return the board, the seats and the hand, with what each card does now.

    Before Phase One that is where it leads the own Mage; before Phase Two, where it leads the rival's if there is only
    one on the board. Cards that cannot move the Mage in Phase One are dimmed.
    """
    free = tuple(move.square for move in moves if isinstance(move, model.Place))
    if not moves or view.owed:
        return _draw_hand(view, context, [CourtCard(deck.card_name(card)) for card in sort_hand(view.hand)], free=free)
    mage = _moved_mage(view)
    leading = [] if mage is None else _leading_cards(view)
    possible_moves = tuple(
        _possible_move(view, mage, card, deck.card_name(card)) for card in leading if mage is not None
    )
    hand = [_card_use(view, card, mage if card in leading else None) for card in sort_hand(view.hand)]
    alt = []
    if mage is not None and leading:
        whose = "Your Mage" if mage == view.seat else f"The Mage of {context.plate_names[mage]}"
        ends = "; ".join(f"{short_card(card)}{destination_label(view, mage, card)}" for card in leading)
        alt.append(f"{whose} would go: {ends}.")
    effects = [card for card in sort_hand(set(view.hand)) if card not in leading]
    later = [card for card, drawn in zip(sort_hand(view.hand), hand, strict=True) if drawn.idle]
    if later:
        alt.append(f"For later, in Phase Two: {join_cards(later)}.")
    if effects and view.phase == "hinder":
        alt.append(f"{', '.join(f'{short_card(card)} {_effect_text(card)}' for card in effects)}.")
    return _draw_hand(view, context, hand, possible_moves, " ".join(alt))


def _moved_mage(view: View) -> int | None:
    """The seat whose Mage the cards move: the own in Phase One; in Phase Two the only rival's, if there is one."""
    if view.phase == "move":
        return view.seat
    rivals = rivals_on_board(view)
    return rivals[0] if len(rivals) == 1 else None


def _leading_cards(view: View) -> list[int]:
    """The different cards that move that Mage."""
    return step_cards(view.hand) if view.phase == "move" else _number_cards(view)


def _number_cards(view: View) -> list[int]:
    return [card for card in sort_hand(set(view.hand)) if card in NUMBER_CARDS]


def _card_use(view: View, card: int, mage: int | None) -> CourtCard:
    """A card of the hand with what it does now, and perhaps the seat whose Mage it moves."""
    name = deck.card_name(card)
    if mage is None:
        text = "later" if view.phase == "move" else _effect_text(card)
        return CourtCard(name, text, idle=view.phase == "move")
    path = board.mage_path(view, mage, card)
    rival = -1 if mage == view.seat else mage
    if not path.crosses:
        stays = path.end == path.start
        return CourtCard(name, "stays" if stays else board.square_name(path.end), mage=-1 if stays else rival)
    if card // 13 in view.banners[mage]:
        return CourtCard(name, "crosses")
    return CourtCard(name, banner=cards.SUITS[card // 13], mage=rival)


def _effect_text(card: int) -> str:
    """What a card does in Phase Two, in a word."""
    if card == MENHIR:
        return "place"
    if card in ACES:
        return "wound"
    return "attack" if card in COURT_CARDS else "move"


def card_picture(view: View, card: int, context: Context) -> Picture:
    """Return the hand with a card chosen in Phase Two, and where it would move the other Mages."""
    mages = rivals_on_board(view) if card in NUMBER_CARDS else []
    possible_moves = tuple(_possible_move(view, mage, card) for mage in mages)
    chosen = deck.card_name(card)
    use = _card_use(view, card, mages[0] if len(mages) == 1 else None)
    hand = [use if each == card else CourtCard(deck.card_name(each), idle=True) for each in sort_hand(view.hand)]
    destinations = "; ".join(f"{context.plate_names[mage]} {destination_text(view, mage, card)}" for mage in mages)
    led = f" It would move {destinations}." if destinations else ""
    drawn = _draw_hand(view, context, hand, possible_moves, chosen=chosen)
    return replace(drawn, alt=f"{short_card(card)} is chosen.{led} {drawn.alt}")


def menhir_picture(view: View, context: Context) -> Picture:
    """Return the board alone, to choose a row for a Menhir."""
    board_spec = replace(_board_spec(view), moves=(), you=view.seat or 0)
    spec = CourtPicture(_seat_plates(view, context), board_spec, small=True)
    pieces = " ".join(_alt_texts(replace(view, moved=()), context))
    return Picture(spec, "hand.png", f"The board, for choosing your Menhir's square. {pieces}")


def row_picture(whole: Picture, row: int) -> Picture:
    """Return the same with a frame around the chosen row, from 0."""
    assert isinstance(whole.spec, CourtPicture)
    spec = replace(whole.spec, board=replace(whole.spec.board, row=row))
    return Picture(spec, whole.name, f"Row {row + 1} is chosen. {whole.alt}")


def turn_text(view: View) -> str:
    """Return the turn, such as `turn 12 of 100`."""
    if any(owed.cause == "start" for owed in view.owed):
        return "before turn 1"
    return f"turn {view.turns}" + (f" of {view.cap}" if view.cap else "")


def _note_text(view: View) -> str:
    return f"{turn_text(view)} · {view.goal} banners win"


def _draw_hand(
    view: View,
    context: Context,
    hand: Sequence[CourtCard],
    possible_moves: tuple[CourtWay, ...] = (),
    about_moves: str = "",
    *,
    free: tuple[int, ...] = (),
    chosen: str = "",
) -> Picture:
    """The hand, with the possible moves and what the alt text says about them."""
    assert view.seat is not None
    claimed = tuple(cards.SUITS[suit] for suit in EDGE_SUITS if suit in view.banners[view.seat])
    board_spec = replace(_board_spec(view), possible_moves=possible_moves, free=free, you=view.seat, claimed=claimed)
    if possible_moves:
        board_spec = replace(board_spec, moves=())
    spec = CourtPicture(_seat_plates(view, context), board_spec, _note_text(view), tuple(hand), chosen)
    alt = [f"{context.plate_names[view.seat]}, your hand: {join_cards(sort_hand(view.hand))}.", about_moves]
    alt += [f"Free starting squares: {', '.join(map(board.square_name, free))}."] if free else []
    alt += [_awaited_text(view, context), *_alt_texts(replace(view, moved=()) if possible_moves else view, context)]
    return Picture(spec, "hand.png", " ".join(filter(None, alt)))


def _possible_move(view: View, mage: int, card: int, name: str = "") -> CourtWay:
    """Where a card would move a Mage; with the card's name, it is labelled."""
    path, suit = board.mage_path(view, mage, card), card // 13
    brings = path.crosses and suit not in view.banners[mage]
    return CourtWay(mage, CourtMove(path.start, path.end, cards.SUITS[suit]), brings, name)


def _table_spec(view: View, context: Context) -> CourtPicture:
    rolls = _attack_rolls(view)
    roll_off = () if rolls else tuple(rolls[-1] for rolls in view.rolls)
    plates = _seat_plates(view, context)
    return CourtPicture(plates, _board_spec(view), _note_text(view), rolls=rolls, roll_off=roll_off)


def _attack_rolls(view: View) -> CourtRolls | None:
    """The dice of the last attack, if there was one."""
    attacked = view.attacked
    return attacked and CourtRolls(
        attacked.seat,
        deck.card_name(attacked.card),
        attacked.roll,
        tuple((defence.seat, defence.rolls[-1], defence.hit) for defence in attacked.defences),
    )


def _seat_plates(view: View, context: Context) -> tuple[SeatPlate, ...]:
    due = None if view.phase == "over" else awaited_decision(view)[0]
    return tuple(_seat_plate(view, context, seat, seat == due) for seat in range(len(view.mages)))


def _seat_plate(view: View, context: Context, seat: int, is_due: bool) -> SeatPlate:
    """A seat's name, its banners, and its health."""
    health = view.health[seat]
    line = PlateLine(str(health), "bad" if health < 3 else "plain")
    marks = tuple(cards.SUITS[suit] for suit in EDGE_SUITS if suit in view.banners[seat])
    return SeatPlate(seat, context.plate_names[seat], (line,), is_due, marks, seat in context.computers)


def _plate_with_place(plate: SeatPlate, place: int) -> SeatPlate:
    (line,) = plate.lines
    line = replace(line, right=f"{words.ordinal(place)} place", right_tone="gold" if place == 1 else "plain")
    return replace(plate, lines=(line,), turn=place == 1)


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
