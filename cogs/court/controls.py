"""The Court's controls: every legal move, those of Phase Two by the card that makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cogs.court.news import label
from cogs.court.pictures import card_picture, menhir_pictures
from cogs.court.words import briefly, emoji, goes, in_order, short, use
from cogs.screens import words
from cogs.screens.cutting import worded
from cogs.screens.screen import Button, Buttons, Context, Control, Option, Picture, Select, Step, Steps
from cogs.screens.widths import LABEL
from engines.court import COURT, board, deck, model
from engines.court.board import LETTERS, SIDE
from engines.court.deck import MENHIR, NUMBERS
from engines.court.model import Move, View

ATTACKED = (LABEL, 31, 13)  # characters for each name: of one, at most one and at most two that are attacked


def controls(view: View, moves: Sequence[Move], context: Context) -> tuple[Control, ...]:
    """A control for every move."""
    if view.owed or view.phase == "move":
        return (Buttons(tuple(_button(view, move) for move in sorted(moves, key=_place))),)
    return (_hinder(view, moves, context),)


def _place(move: Move) -> int:
    """Cards as the hand is held; all else keeps its order."""
    return in_order(range(deck.KINDS)).index(move.card) if isinstance(move, model.Step) else deck.KINDS


def choice(view: View, move: Move) -> str:
    """A move as it is offered to this seat: with where it leads."""
    match move:
        case model.Step(card):
            assert view.seat is not None
            return f"{short(card)} {goes(view, view.seat, card)}"
        case model.Push(card, target):
            return f"{short(card)}: Mage {words.letter(target)} {goes(view, target, card)}"
        case _:
            return label(move)


def _button(view: View, move: Move) -> Button:
    """A move of Phase One, or what is owed."""
    notation = COURT.write(move)
    match move:
        case model.Step(card):
            assert view.seat is not None
            short_of = f"{short(card)} {briefly(view, view.seat, card)}"
            return Button(worded(LABEL, choice(view, move), short_of), notation, emoji=emoji(card))
        case model.Place(square):
            return Button(board.name(square), notation)
        case model.Give(suit):
            return Button(f"Give back {words.suit(suit)}", notation, emoji=words.EMOJI[suit])
        case _:
            return Button(label(move), notation)


def _hinder(view: View, moves: Sequence[Move], context: Context) -> Steps:
    """First the card, then what to do with it."""
    found: dict[int, list[Move]] = {}
    squares: list[int] = []
    for move in moves:
        if isinstance(move, model.SetMenhir):
            squares.append(move.square)
        elif not isinstance(move, model.Place | model.Give | model.Skip):
            found.setdefault(move.card, []).append(move)
    return Steps(
        "Choose a card, then what to do with it",
        tuple(_step(view, card, found, squares, context) for card in in_order(found)),
    )


def _step(view: View, card: int, found: Mapping[int, Sequence[Move]], squares: Iterable[int], context: Context) -> Step:
    """One card, and what it can do."""
    controls: tuple[Control, ...] = (Buttons(tuple(_use(view, move, context) for move in found[card])),)
    picture = card_picture(view, card) if card in NUMBERS else None
    if card == MENHIR:
        pictures = menhir_pictures(view, range(-1, SIDE))
        controls, picture = (_columns(squares, pictures), *controls), pictures[-1]
    return Step(short(card), deck.name(card), controls, use(card, len(view.mages)), emoji(card), picture=picture)


def _use(view: View, move: Move, context: Context) -> Button:
    """What a card does in Phase Two. To help a rival to a banner is asked for once more."""
    notation = COURT.write(move)
    match move:
        case model.Push(card, target):
            path = board.path(view, target, card)
            brings = path.crosses and card // 13 not in view.banners[target]
            confirm = _confirm(view, card // 13, target, context) if brings else None
            return Button(_push(view, target, card, context), notation, confirm=confirm)
        case model.Attack(_, targets):
            return Button(_attack(targets, context), notation)
        case model.Strike():
            return Button("Strike: 1 damage to every other Mage", notation)
        case model.Heal():
            assert view.seat is not None
            health = view.health[view.seat]
            return Button(f"Heal: health {health} to {health + 1}", notation)
        case _:
            return Button("Discard it", notation)


def _push(view: View, target: int, card: int, context: Context) -> str:
    """Whom a card pushes and where to, in as many words as there is room for."""
    where, brief = goes(view, target, card), briefly(view, target, card)
    names = (words.named(context, target), words.named(context, target, LABEL - len(brief) - 1))
    return worded(LABEL, f"{names[0]} {where}", f"{names[0]} {brief}", f"{names[1]} {brief}")


def _attack(targets: Sequence[int], context: Context) -> str:
    if not targets:
        return "Attack every opponent"
    wordings = [f"Attack {words.listed([words.named(context, seat, room) for seat in targets])}" for room in ATTACKED]
    return worded(LABEL, *wordings)


def _confirm(view: View, suit: int, target: int, context: Context) -> str:
    name = context.names[target]
    if len(view.banners[target]) + 1 >= view.goal:
        return f"**This makes {name} win**: it is the last banner that {name} needs. Move the Mage all the same?"
    return f"This brings {name} the banner of {words.suit(suit)}. Move the Mage all the same?"


def _columns(squares: Iterable[int], pictures: Mapping[int, Picture]) -> Steps:
    """First the column, then the row; only where a Menhir may stand."""
    found: dict[int, list[str]] = {}
    for square in sorted(squares):
        found.setdefault(square % SIDE, []).append(board.name(square))
    columns = tuple(_column(column, found[column], pictures[column]) for column in sorted(found))
    return Steps("Menhir: the column first", columns)


def _column(column: int, names: Iterable[str], picture: Picture) -> Step:
    letter = LETTERS[column]
    rows = Select(f"Then the row in column {letter}", tuple(Option(name, f"menhir {name}") for name in names))
    return Step(f"Column {letter}", letter, (rows,), picture=picture)
