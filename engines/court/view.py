"""What a seat sees of the Court, built field by field, and its text board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.court import board as chart
from engines.court import deck
from engines.court.model import AttackResult, Defence, Ending, MageMoved, OwedDecision, Phase, State
from engines.kit import text_board
from engines.kit.cards import SUITS
from engines.kit.seats import letter


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows. A spectator has `seat` None and an empty hand. Fields are as in State, except:

    `draw` is the size of the draw pile. `bare` and `pool` help to count cards: a seat that skips or moves with a court
    card shows that it has no number card (T4), and the draw pile contains only cards from the pile that was shuffled.
    """

    seat: int | None
    goal: int
    cap: int | None
    rolls: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    phase: Phase
    turn: int
    turns: int
    owed: tuple[OwedDecision, ...]
    mages: tuple[int, ...]
    menhirs: tuple[int, ...]
    health: tuple[int, ...]
    banners: tuple[tuple[int, ...], ...]
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    bare: tuple[int, ...]
    draw: int
    pool: tuple[int, ...]
    discard: tuple[int, ...]
    attacked: AttackResult | None
    moved: tuple[MageMoved, ...]
    knocked: tuple[int, ...]
    ending: Ending | None
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return board(self)


def view(state: State, seat: int | None) -> View:
    """Return everything except the other hands and the order of the draw pile."""
    return View(
        seat=seat,
        goal=state.goal,
        cap=state.cap,
        rolls=tuple(state.rolls),
        order=tuple(state.order),
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        owed=tuple(state.owed),
        mages=tuple(state.mages),
        menhirs=tuple(state.menhirs),
        health=tuple(state.health),
        banners=tuple(state.banners),
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        bare=tuple(state.bare),
        draw=len(state.draw),
        pool=state.pool,
        discard=tuple(state.discard),
        attacked=state.attacked,
        moved=state.moved,
        knocked=tuple(state.knocked),
        ending=state.ending,
        numbers=tuple(state.numbers),
    )


PHASE_NAMES = {"move": "Phase One", "hinder": "Phase Two", "end": "end of the turn", "over": "over"}
EMPTY, START = ".", "+"


def board(view: View) -> str:
    """Return the board: the chart, every seat's Mage, the latest events, the piles, and the hand."""
    seats = range(len(view.mages))
    limit = "" if view.cap is None else f" of {view.cap} at most"
    return text_board.board(
        text_board.title_line(
            "Jester's Court", f"turn {view.turns}{limit}, of {letter(view.turn)}", _phase_name(view), seat=view.seat
        ),
        _chart(view),
        text_board.seat_table(
            ("health", "banners", "Mage", "Menhir", "knocked out", "cards", "no number cards"),
            [_seat_row(view, seat) for seat in seats],
            _seats_to_act(view),
        ),
        f"banners to win: {view.goal}",
        text_board.labeled_line(
            "to decide", (f"{letter(owed.seat)} {owed.what} ({owed.cause})" for owed in view.owed), between=", "
        ),
        text_board.labeled_line(
            "roll-off", text_board.label_by_seat(_dice_text(rolls) for rolls in view.rolls), between=", "
        ),
        text_board.labeled_line("turns go", map(letter, view.order)),
        text_board.labeled_line("moved last", map(_move_text, view.moved), between="; ") if view.moved else (),
        () if view.attacked is None else _attack_lines(view.attacked),
        f"draw pile: {view.draw} cards",
        _reshuffle_lines(view.pool) if view.pool != deck.full_pack(len(seats)) else (),
        text_board.labeled_line("discard pile, the top first", map(deck.card_name, reversed(view.discard))),
        () if view.seat is None else text_board.labeled_line("hand", map(deck.card_name, view.hand)),
    )


def _phase_name(view: View) -> str:
    return "over" if view.ending is not None else PHASE_NAMES[view.phase]


def _seats_to_act(view: View) -> Sequence[int]:
    if view.phase == "over":
        return ()
    return (view.owed[0].seat,) if view.owed else (view.turn,)


def _chart(view: View) -> list[str]:
    """Return the squares by column and row, with the suits at their edges."""
    signs = [START if square in chart.START_SQUARES else EMPTY for square in chart.SQUARES]
    for pieces, sign in ((view.menhirs, str.lower), (view.mages, str.upper)):
        for seat, square in enumerate(pieces):
            if square != chart.OFF_BOARD:
                signs[square] = sign(letter(seat))
    rows = [signs[first : first + chart.SIDE] for first in chart.SQUARES[:: chart.SIDE]]
    middle = " " * (5 + chart.SIDE) + "{}"
    return [
        middle.format("H"),
        "     " + " ".join(chart.COLUMN_LETTERS),
        *(
            f"{_edge_letter(number, 'C')} {number:2} {' '.join(row)} {_edge_letter(number, 'D')}"
            for number, row in enumerate(rows, 1)
        ),
        middle.format("S"),
    ]


def _edge_letter(row: int, suit: str) -> str:
    return suit if row == chart.SIDE // 2 else " "


def _seat_row(view: View, seat: int) -> list[str]:
    return [
        str(view.health[seat]),
        "".join(SUITS[suit] for suit in view.banners[seat]) or text_board.NOTHING,
        _square_text(view.mages[seat]),
        _square_text(view.menhirs[seat]),
        str(view.knocked[seat]),
        str(view.hand_sizes[seat]),
        str(view.bare[seat]),
    ]


def _square_text(square: int) -> str:
    return text_board.NOTHING if square == chart.OFF_BOARD else chart.square_name(square)


def _dice_text(rolls: Iterable[int]) -> str:
    return " ".join(map(str, rolls))


def _move_text(moved: MageMoved) -> str:
    """Return `A moves B by 10H from K11 to K3, stopped by a menhir on K2`."""
    whose = "" if moved.mage == moved.seat else f" {letter(moved.mage)}"
    target = "over the edge" if moved.end == chart.OFF_BOARD else f"to {chart.square_name(moved.end)}"
    stopped = "" if moved.stopped is None else f", stopped by a {moved.stopped} on {chart.square_name(moved.at)}"
    return (
        f"{letter(moved.seat)} moves{whose} by {deck.card_name(moved.card)} from "
        f"{chart.square_name(moved.start)} {target}{stopped}"
    )


def _attack_lines(attacked: AttackResult) -> list[str]:
    """Return the last attack with all its dice."""
    rolled = f"{letter(attacked.seat)} rolls {attacked.roll}"
    return text_board.labeled_line(
        f"attack in turn {attacked.turn} with {deck.card_name(attacked.card)}",
        [rolled, *map(_defence_text, attacked.defences)],
        between=", ",
    )


def _defence_text(defence: Defence) -> str:
    return f"{letter(defence.seat)} {_dice_text(defence.rolls)} and is {'hit' if defence.hit else 'not hit'}"


def _reshuffle_lines(pool: Iterable[int]) -> list[str]:
    """Return the cards from which the new draw pile was shuffled, for counting cards."""
    return text_board.labeled_line(
        "it was shuffled from", (f"{n} {deck.card_name(card)}" for card, n in Counter(pool).items()), between=", "
    )
