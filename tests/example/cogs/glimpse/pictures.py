"""Pictures of Glimpse's views, with alt texts."""

from __future__ import annotations

from dataclasses import replace

from cogs.screens import words
from cogs.screens.screen import Context, Picture
from engines.kit.contract import Outcome
from tests.example.cogs.glimpse.drawing.spec import Face, Own, Place, TablePicture
from tests.example.cogs.glimpse.words import card_text, deal_line, join_cards
from tests.example.engines.glimpse.deck import is_wizard, kind_name
from tests.example.engines.glimpse.view import View


def table_picture(view: View, context: Context) -> Picture:
    """Return the table with a row per seat."""
    places = tuple(_place_spec(view, context, seat) for seat in range(view.seats))
    sentences = [f"The table, {deal_line(view).lower()}.", *map(_place_alt, places)]
    return Picture(TablePicture(deal_line(view), places), "table.png", " ".join(sentences))


def result_picture(view: View, outcome: Outcome, context: Context) -> Picture:
    """Return the last table below a banner with the winner."""
    table, banner = table_picture(view, context), words.result_banner(outcome, context)
    assert isinstance(table.spec, TablePicture)
    spec = replace(table.spec, banner=banner)
    return Picture(spec, "result.png", f"{words.banner_alt(banner)}{table.alt}")


def hand_picture(view: View, context: Context) -> Picture:
    """Return the table, the hand, and the glimpsed card."""
    assert view.seat is not None
    assert view.glimpse is not None
    table, neighbour = table_picture(view, context), (view.seat + 1) % view.seats
    assert isinstance(table.spec, TablePicture)
    down = None if view.laid is None else _face_spec(view.laid)
    guess = "" if view.guess is None else f"you guessed: {kind_name(view.guess)}"
    name = context.plate_names[neighbour]
    own = Own(tuple(map(_face_spec, view.hand)), down, guess, _face_spec(view.glimpse), neighbour, name)
    laid = "" if view.laid is None else f" Face down: {card_text(view.laid)}."
    guessed = f" You guessed: {kind_name(view.guess)}." if view.guess is not None else ""
    glimpse = f"Your glimpse: {name} was dealt {card_text(view.glimpse)}."
    alt = f"Your hand: {join_cards(view.hand)}.{laid}{guessed} {glimpse} {table.alt}"
    return Picture(replace(table.spec, own=own), "hand.png", alt)


def _face_spec(card: int) -> Face:
    return Face(card, is_wizard(card))


def _place_spec(view: View, context: Context, seat: int) -> Place:
    up = tuple(_face_spec(turned_card.card) for turned_card in view.turned if turned_card.seat == seat)
    down = view.phase == "guess" and seat == view.turn
    tag, turn = _doing_tag(view, seat)
    name, points, computer = context.plate_names[seat], words.plain_number(view.scores[seat]), seat in context.computers
    return Place(name, points, view.hand_sizes[seat], up, down, tag, turn, computer)


def _doing_tag(view: View, seat: int) -> tuple[str, bool]:
    """What a seat has to do or has done, and whether the match waits for it."""
    if view.phase == "guess" and seat != view.turn:
        return ("has guessed", False) if view.guessed[seat] else ("to guess", True)
    return ("to lay", True) if view.phase == "lay" and seat == view.turn else ("", False)


def _place_alt(place: Place) -> str:
    up = join_cards(face.card for face in place.up)
    name = f"{place.name} (computer)" if place.computer else place.name
    parts = [f"{name}: {words.pluralize(int(place.points), 'point')}", f"{place.hand} in hand"]
    parts += [f"turned up: {up}", *(["one face down"] if place.down else []), *([place.tag] if place.tag else [])]
    return f"{', '.join(parts)}."
