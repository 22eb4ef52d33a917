"""A view of Wizard as a text board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engines.kit import text_board
from engines.kit.cards import SUITS
from engines.kit.seats import letter
from engines.wizard import deck

if TYPE_CHECKING:
    from engines.wizard.model import Score, Trick, View

PHASES = {"trump": "naming trump", "bid": "bidding", "play": "playing", "over": "over"}


def board(view: View) -> str:
    """The round, what everybody bid and took, the tricks, the sheet, and the hand."""
    due = () if view.phase == "over" else (view.turn,)
    rows = [
        [text_board.or_nothing(bid), str(taken), str(size), str(points)]
        for bid, taken, size, points in zip(view.bids, view.taken, view.hand_sizes, view.scores, strict=True)
    ]
    return text_board.board(
        text_board.title("Wizard", f"round {view.round} of {view.rounds}", PHASES[view.phase], seat=view.seat),
        text_board.line("drawn for the deal", map(_draw, view.draws), between="; "),
        f"dealer {letter(view.dealer)}, turned {_card(view.turned)}, trump {_suit(view.trump)}",
        text_board.seats(("bid", "taken", "cards", "points"), rows, due),
        _sheet(view.sheet),
        () if view.last is None or view.tricks else _trick("last trick of the round before", view.last, view.seats),
        *(_trick(f"trick {number}", trick, view.seats) for number, trick in enumerate(view.tricks, 1)),
        text_board.line("on the table", _led(view.leader, view.trick, view.seats), between=", "),
        () if view.seat is None else text_board.line("hand", map(deck.name, view.hand)),
    )


def _card(card: int | None) -> str:
    return text_board.NOTHING if card is None else deck.name(card)


def _suit(suit: int | None) -> str:
    return text_board.NOTHING if suit is None else SUITS[suit]


def _draw(row: Sequence[int]) -> str:
    return ", ".join(f"{letter(seat)} {deck.name(card)}" for seat, card in enumerate(row) if card >= 0)


def _led(leader: int, cards: Sequence[int], seats: int) -> list[str]:
    """`B 10H`, `C wizard`: the cards of a trick with who played them."""
    return [f"{letter((leader + place) % seats)} {deck.name(card)}" for place, card in enumerate(cards)]


def _trick(label: str, trick: Trick, seats: int) -> list[str]:
    return text_board.line(
        label, [*_led(trick.leader, trick.cards, seats), f"taken by {letter(trick.winner)}"], between=", "
    )


def _sheet(sheet: Sequence[Sequence[Score]]) -> list[str]:
    """A row a round: what each seat bid and took, and its points for that."""
    rows = [
        [str(number), *(f"{score.bid}/{score.taken} {score.points}" for score in row)]
        for number, row in enumerate(sheet, 1)
    ]
    heads = [f"{letter(seat)} bid/took" for seat in range(len(sheet[0]))] if sheet else []
    return text_board.table(("round", *heads), rows) if rows else []
