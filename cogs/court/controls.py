"""The Court's controls: all legal moves. In Phase Two they are grouped by card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from cogs.court.pictures import card_picture, menhir_picture, row_picture
from cogs.court.words import (
    MENHIR_QUESTION,
    button_seat_name,
    card_question,
    card_use_text,
    destination_label,
    emoji_of,
    short_card,
    sort_hand,
)
from cogs.screens import words
from cogs.screens.control_widths import COLUMN_PIXELS, MAX_LABEL, button_width
from cogs.screens.emoji import Emoji, suit_emoji
from cogs.screens.screen import Button, Buttons, Context, Control, Picture, Step, Steps
from cogs.screens.truncation import truncate
from engines.court import COURT, board, deck, model
from engines.court.deck import MENHIR
from engines.court.model import Move
from engines.court.view import View
from engines.kit.cards import SUIT_WORDS

BACK_LABEL = "Other card"
HALF_ROW, THIRD_ROW = (
    COLUMN_PIXELS / 2 - 4,
    COLUMN_PIXELS / 3 - 24,
)  # width of a button if two or three stand side by side
MIN_NAME_LENGTH = 2  # characters of a name


def hand_controls(view: View, moves: Sequence[Move], context: Context) -> tuple[Control, ...]:
    """Return controls for all legal moves."""
    if view.owed or view.phase == "move":
        buttons = [
            Button(_move_label(view, move), COURT.format_move(move), emoji=_move_emoji(move))
            for move in sorted(moves, key=_hand_position)
        ]
        return (Buttons(tuple(buttons)),)
    return (_hinder_steps(view, moves, context),)


def _hand_position(move: Move) -> int:
    """The sort key of a move: cards in hand order, then everything else in its own order."""
    return sort_hand(range(deck.CARD_KINDS)).index(move.card) if isinstance(move, model.Step) else deck.CARD_KINDS


def _fit_names(context: Context, seats: Sequence[int], rest: str, max_width: float) -> str:
    """The names and the rest of the label, with the names cut to fit the width."""
    names = [button_seat_name(context, seat) for seat in seats]
    wordings = (
        words.join_with_and([truncate(name, signs) for name in names]) + rest
        for signs in range(MAX_LABEL, MIN_NAME_LENGTH, -1)
    )
    *_, last = fitting = list(dict.fromkeys(wordings))
    return next((wording for wording in fitting if button_width(wording) <= max_width), last)


def _move_label(view: View, move: Move) -> str:
    """The label of a move in Phase One, of placing a Mage, or of giving back a banner."""
    match move:
        case model.Step(card):
            assert view.seat is not None
            return f"{short_card(card)}{destination_label(view, view.seat, card)}"
        case model.Place(square):
            return board.square_name(square)
        case model.Give(suit):
            return f"Give back {SUIT_WORDS[suit]}"
        case _:
            return "Skip"


def _move_emoji(move: Move) -> Emoji | None:
    """The small picture of the card or banner that a move names."""
    match move:
        case model.Step(card):
            return emoji_of(card)
        case model.Give(suit):
            return suit_emoji(suit)
        case _:
            return None


def _hinder_steps(view: View, moves: Sequence[Move], context: Context) -> Steps:
    """Steps that ask for the card first, then for its use."""
    found: dict[int, list[Move]] = {}
    squares: list[int] = []
    for move in moves:
        if isinstance(move, model.SetMenhir):
            squares.append(move.square)
        elif not isinstance(move, model.Place | model.Give | model.Skip):
            found.setdefault(move.card, []).append(move)
    steps = [_card_step(view, card, found, squares, context) for card in sort_hand(found)]
    return Steps("Choose a card, then what to do with it", tuple(steps), buttons=True)


def _card_step(
    view: View, card: int, found: Mapping[int, Sequence[Move]], squares: Iterable[int], context: Context
) -> Step:
    """The step of one card, with its possible uses."""
    uses = Buttons(tuple(_use_button(view, move, context) for move in found[card]))
    intro = words.capitalize(f"{card_use_text(card)}.")
    if card == MENHIR:
        whole = menhir_picture(view, context)
        controls: tuple[Control, ...] = (_row_steps(squares, whole), uses)
        return Step(
            "Menhir",
            "menhir",
            controls,
            emoji=emoji_of(card),
            picture=whole,
            question=card_question(view, card),
            back=BACK_LABEL,
        )
    return Step(
        short_card(card),
        deck.card_name(card),
        (uses,),
        emoji=emoji_of(card),
        intro=intro,
        picture=card_picture(view, card, context),
        question=card_question(view, card),
        back=BACK_LABEL,
    )


def _use_button(view: View, move: Move, context: Context) -> Button:
    """The button for a card's use in Phase Two. Helping a rival to a banner needs a confirmation."""
    notation = COURT.format_move(move)
    match move:
        case model.Push(card, target):
            path = board.mage_path(view, target, card)
            brings = path.crosses and card // 13 not in view.banners[target]
            confirm = _banner_warning(view, card // 13, target, context) if brings else None
            leads = destination_label(view, target, card, " gets banner")
            return Button(_fit_names(context, (target,), leads, HALF_ROW), notation, confirm=confirm)
        case model.Attack(_, targets):
            return Button(_attack_label(view, targets, context), notation)
        case model.Strike():
            return Button("Wound all others", notation)
        case model.Heal():
            assert view.seat is not None
            health = view.health[view.seat]
            return Button(f"Heal: from {health} to {health + 1} health", notation)
        case model.Discard(card):
            return Button(f"Discard {short_card(card)}", notation)
        case _:
            raise AssertionError(f"{move} is not a move of Phase Two")


def _attack_label(view: View, targets: Sequence[int], context: Context) -> str:
    """The targets of an attack. No targets means every opponent."""
    others = [seat for seat in range(len(view.mages)) if seat != view.seat]
    if not targets:
        return "Attack all" if len(others) > 1 else f"Attack {button_seat_name(context, others[0])}"
    return _fit_names(context, targets, "", HALF_ROW if len(targets) > 1 else THIRD_ROW)


def _banner_warning(view: View, suit: int, target: int, context: Context) -> str:
    name = context.names[target]
    if len(view.banners[target]) + 1 >= view.goal:
        return f"**This makes {name} win**: it is the last banner that {name} needs. Move the Mage anyway?"
    return f"This gives {name} the banner of {words.suit_text(suit)}. Move the Mage anyway?"


def _row_steps(squares: Iterable[int], whole: Picture) -> Steps:
    """Steps that ask for a row of the board, then for a square in it that may take a Menhir."""
    steps = []
    for row, free in groupby(sorted(squares), lambda square: square // board.SIDE):
        name = str(row + 1)
        buttons = Buttons(tuple(map(_menhir_button, free)))
        question = f"Which square of row {name}?"
        steps.append(Step(name, name, (buttons,), picture=row_picture(whole, row), question=question))
    return Steps(MENHIR_QUESTION, tuple(steps), buttons=True)


def _menhir_button(square: int) -> Button:
    return Button(board.square_name(square), COURT.format_move(model.SetMenhir(square)))
