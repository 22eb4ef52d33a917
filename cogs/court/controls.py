"""The Court's controls: every legal move, those of Phase Two by the card that makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from cogs.court.pictures import board_picture, card_picture, part_picture
from cogs.court.spec import SIDE, part_of
from cogs.court.words import asks, briefly, called, in_order, short, use
from cogs.screens import words
from cogs.screens.control_widths import COLUMN, LABEL, button
from cogs.screens.screen import Button, Buttons, Context, Control, Picture, Step, Steps
from cogs.screens.truncation import cut
from engines.court import COURT, board, deck, model
from engines.court.deck import MENHIR
from engines.court.model import Move, View

BACK = "Other card"
_ASKS_SQUARE = "Your Menhir: on which square?"
HALF, THIRD = COLUMN / 2 - 4, COLUMN / 3 - 24  # as broad are buttons of which so many stand side by side
SHORTEST = 2  # signs of a name


def controls(view: View, moves: Sequence[Move], context: Context) -> tuple[Control, ...]:
    """A control for every move."""
    if view.owed or view.phase == "move":
        buttons = [Button(_labelled(view, move), COURT.write(move)) for move in sorted(moves, key=_place)]
        return (Buttons(tuple(buttons)),)
    return (_hinder(view, moves, context),)


def _place(move: Move) -> int:
    """Cards as the hand is held; all else keeps its order."""
    return in_order(range(deck.KINDS)).index(move.card) if isinstance(move, model.Step) else deck.KINDS


def _named(context: Context, seats: Sequence[int], rest: str, most: float) -> str:
    """Who it is, and what becomes of them, in as many signs of their names as there is room for."""
    names = [called(context, seat) for seat in seats]
    wordings = (words.listed([cut(name, signs) for name in names]) + rest for signs in range(LABEL, SHORTEST, -1))
    *_, last = fitting = list(dict.fromkeys(wordings))
    return next((wording for wording in fitting if button(wording) <= most), last)


def _labelled(view: View, move: Move) -> str:
    """A move of Phase One, or what is owed."""
    match move:
        case model.Step(card):
            assert view.seat is not None
            return f"{short(card)}{briefly(view, view.seat, card)}"
        case model.Place(square):
            return board.name(square)
        case model.Give(suit):
            return f"Give back {words.SHAPES[suit]}"
        case _:
            return "Skip"


def _hinder(view: View, moves: Sequence[Move], context: Context) -> Steps:
    """First the card, then what to do with it."""
    found: dict[int, list[Move]] = {}
    squares: list[int] = []
    for move in moves:
        if isinstance(move, model.SetMenhir):
            squares.append(move.square)
        elif not isinstance(move, model.Place | model.Give | model.Skip):
            found.setdefault(move.card, []).append(move)
    steps = [_step(view, card, found, squares, context) for card in in_order(found)]
    return Steps("Choose a card, then what to do with it", tuple(steps), buttons=True)


def _step(view: View, card: int, found: Mapping[int, Sequence[Move]], squares: Iterable[int], context: Context) -> Step:
    """One card, and what it can do."""
    uses = Buttons(tuple(_use(view, move, context) for move in found[card]))
    said = words.opening(f"{use(card)}.")
    if card == MENHIR:
        whole = board_picture(view, context)
        controls: tuple[Control, ...] = (_parts(squares, whole), uses)
        return Step(
            "Menhir",
            "menhir",
            controls,
            picture=whole,
            asks=asks(view, card),
            back=BACK,
        )
    return Step(
        short(card),
        deck.name(card),
        (uses,),
        said=said,
        picture=card_picture(view, card, context),
        asks=asks(view, card),
        back=BACK,
    )


def _use(view: View, move: Move, context: Context) -> Button:
    """What a card does in Phase Two. To help a rival to a banner is asked for once more."""
    notation = COURT.write(move)
    match move:
        case model.Push(card, target):
            path = board.path(view, target, card)
            brings = path.crosses and card // 13 not in view.banners[target]
            confirm = _confirm(view, card // 13, target, context) if brings else None
            leads = briefly(view, target, card, " gets banner")
            return Button(_named(context, (target,), leads, HALF), notation, confirm=confirm)
        case model.Attack(_, targets):
            return Button(_attacked(view, targets, context), notation)
        case model.Strike():
            return Button("Wound all others", notation)
        case model.Heal():
            assert view.seat is not None
            health = view.health[view.seat]
            return Button(f"Heal: health {health} to {health + 1}", notation)
        case model.Discard(card):
            return Button(f"Discard {short(card)}", notation)
        case _:
            raise AssertionError(f"{move} is none of Phase Two")


def _attacked(view: View, targets: Sequence[int], context: Context) -> str:
    """Whom an attack hits; everybody where nobody is named."""
    others = [seat for seat in range(len(view.mages)) if seat != view.seat]
    if not targets:
        return "Attack all" if len(others) > 1 else f"Attack {called(context, others[0])}"
    return _named(context, targets, "", HALF if len(targets) > 1 else THIRD)


def _confirm(view: View, suit: int, target: int, context: Context) -> str:
    name = context.names[target]
    if len(view.banners[target]) + 1 >= view.goal:
        return f"**This makes {name} win**: it is the last banner that {name} needs. Move the Mage all the same?"
    return f"This brings {name} the banner of {words.suit(suit)}. Move the Mage all the same?"


def _parts(squares: Iterable[int], whole: Picture) -> Steps:
    """First the part of the board, then the square in it; only where a Menhir may stand. Rows of squares are rows."""
    found: dict[int, list[int]] = {}
    for square in sorted(squares, key=lambda square: (part_of(square), square)):
        found.setdefault(part_of(square), []).append(square)
    steps = tuple(
        Step(
            board.name(part),
            board.name(part),
            tuple(Buttons(tuple(map(_menhir, row))) for _, row in groupby(free, lambda square: square // SIDE)),
            picture=part_picture(whole, part, free),
            asks=_ASKS_SQUARE,
        )
        for part, free in found.items()
    )
    return Steps("Your Menhir: in which part?", steps, buttons=True)


def _menhir(square: int) -> Button:
    return Button(board.name(square), COURT.write(model.SetMenhir(square)))
