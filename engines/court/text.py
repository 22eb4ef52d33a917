"""A view of the Court as a text board, the board itself as a chart: Mages A to D, each one's Menhir a to d."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engines.court import board as chart
from engines.court import deck
from engines.kit import text_board
from engines.kit.cards import SUITS
from engines.kit.seats import letter

if TYPE_CHECKING:
    from engines.court.model import Attacked, Defence, MageMoved, View

PHASES = {"move": "Phase One", "hinder": "Phase Two", "end": "end of the turn", "over": "over"}
EMPTY, START = ".", "+"


def board(view: View) -> str:
    """The chart, every seat's Mage, what happened last, the piles, and the hand."""
    seats = range(len(view.mages))
    limit = "" if view.cap is None else f" of {view.cap} at most"
    return text_board.board(
        text_board.title(
            "Jester's Court", f"turn {view.turns}{limit}, of {letter(view.turn)}", _phase(view), seat=view.seat
        ),
        _chart(view),
        text_board.seats(
            ("health", "banners", "Mage", "Menhir", "knocked out", "cards", "no number cards"),
            [_row(view, seat) for seat in seats],
            _due(view),
        ),
        f"banners to win: {view.goal}",
        text_board.line(
            "to decide", (f"{letter(owed.seat)} {owed.what} ({owed.cause})" for owed in view.owed), between=", "
        ),
        text_board.line("roll-off", text_board.by_seat(_dice(rolls) for rolls in view.rolls), between=", "),
        text_board.line("turns go", map(letter, view.order)),
        text_board.line("moved last", map(_moved, view.moved), between="; ") if view.moved else (),
        () if view.attacked is None else _attacked(view.attacked),
        f"draw pile: {view.draw} cards",
        _shuffled(view.pool) if view.pool != deck.pack(len(seats)) else (),
        text_board.line("discard pile, the top first", map(deck.name, reversed(view.discard))),
        () if view.seat is None else text_board.line("hand", map(deck.name, view.hand)),
    )


def _phase(view: View) -> str:
    return "over" if view.ending is not None else PHASES[view.phase]


def _due(view: View) -> Sequence[int]:
    if view.phase == "over":
        return ()
    return (view.owed[0].seat,) if view.owed else (view.turn,)


def _chart(view: View) -> list[str]:
    """The squares by column and row, with the suits at their edges."""
    signs = [START if square in chart.STARTS else EMPTY for square in chart.SQUARES]
    for pieces, sign in ((view.menhirs, str.lower), (view.mages, str.upper)):
        for seat, square in enumerate(pieces):
            if square != chart.OFF:
                signs[square] = sign(letter(seat))
    rows = [signs[first : first + chart.SIDE] for first in chart.SQUARES[:: chart.SIDE]]
    middle = " " * (5 + chart.SIDE) + "{}"
    return [
        middle.format("H"),
        "     " + " ".join(chart.LETTERS),
        *(
            f"{_edge(number, 'C')} {number:2} {' '.join(row)} {_edge(number, 'D')}"
            for number, row in enumerate(rows, 1)
        ),
        middle.format("S"),
    ]


def _edge(row: int, suit: str) -> str:
    return suit if row == chart.SIDE // 2 else " "


def _row(view: View, seat: int) -> list[str]:
    return [
        str(view.health[seat]),
        "".join(SUITS[suit] for suit in view.banners[seat]) or text_board.NOTHING,
        _square(view.mages[seat]),
        _square(view.menhirs[seat]),
        str(view.knocked[seat]),
        str(view.hand_sizes[seat]),
        str(view.bare[seat]),
    ]


def _square(square: int) -> str:
    return text_board.NOTHING if square == chart.OFF else chart.name(square)


def _dice(rolls: Iterable[int]) -> str:
    return " ".join(map(str, rolls))


def _moved(moved: MageMoved) -> str:
    """`A moves B by 10H from K11 to K3, stopped by a menhir on K2`."""
    whose = "" if moved.mage == moved.seat else f" {letter(moved.mage)}"
    where = "over the edge" if moved.end == chart.OFF else f"to {chart.name(moved.end)}"
    stopped = "" if moved.stopped is None else f", stopped by a {moved.stopped} on {chart.name(moved.at)}"
    return (
        f"{letter(moved.seat)} moves{whose} by {deck.name(moved.card)} from {chart.name(moved.start)} {where}{stopped}"
    )


def _attacked(attacked: Attacked) -> list[str]:
    """The last attack with all its dice."""
    rolled = f"{letter(attacked.seat)} rolls {attacked.roll}"
    return text_board.line(
        f"attack in turn {attacked.turn} with {deck.name(attacked.card)}",
        [rolled, *map(_defended, attacked.defences)],
        between=", ",
    )


def _defended(defence: Defence) -> str:
    return f"{letter(defence.seat)} {_dice(defence.rolls)} and is {'hit' if defence.hit else 'not hit'}"


def _shuffled(pool: Iterable[int]) -> list[str]:
    """What was shuffled to a new draw pile, for who counts cards."""
    return text_board.line(
        "it was shuffled from", (f"{n} {deck.name(card)}" for card, n in Counter(pool).items()), between=", "
    )
