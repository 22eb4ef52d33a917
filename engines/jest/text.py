"""A view of Jest as a text board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engines.jest import deck
from engines.kit import text_board
from engines.kit.seats import letter

if TYPE_CHECKING:
    from engines.jest.model import Final, RoundSeen, Taken, View

PHASES = {"offer": "offering", "take": "taking", "over": "over"}


def board(view: View) -> str:
    """The trophies, the offers and what was taken of them, the rounds before, and the seat's own cards."""
    return text_board.board(
        text_board.title("Jest", f"round {view.round} of {view.rounds}", PHASES[view.phase], seat=view.seat),
        text_board.line("trophies", map(deck.name, view.trophies)),
        f"deck: {view.deck} cards",
        text_board.seats(("up", "down", "in the Jest"), [_row(view, seat) for seat in range(view.seats)], _due(view)),
        text_board.line("still to take", map(letter, view.waiting)) if view.phase == "take" else (),
        text_board.line("taken", _taken(view.takes, view.up, view.down), between=", ") if view.phase != "offer" else (),
        *(_round(number, past) for number, past in enumerate(view.past, 1)),
        () if view.final is None else _final(view.final),
        () if view.seat is None else text_board.line("hand", map(deck.name, view.hand)),
        () if view.seat is None else text_board.line("Jest", map(deck.name, view.jest)),
    )


def _due(view: View) -> Sequence[int]:
    return view.waiting if view.phase == "offer" else view.waiting[:1]


def _row(view: View, seat: int) -> list[str]:
    """What lies face up and face down in its offer, and how many cards its Jest has."""
    taken = {take.up for take in view.takes if take.source == seat}
    lies = view.phase == "take" or (view.phase == "offer" and seat not in view.waiting)
    up = deck.name(view.up[seat]) if view.up and True not in taken else text_board.NOTHING
    if view.phase == "offer" and lies and seat == view.seat:
        up = next(deck.name(card) for card in view.hand if card != view.down[seat])
    elif view.phase == "offer" and lies:
        up = text_board.UNKNOWN
    down = _known(view.down[seat]) if lies and False not in taken else text_board.NOTHING
    return [up, down, str(view.jest_sizes[seat])]


def _known(card: int | None) -> str:
    return text_board.UNKNOWN if card is None else deck.name(card)


def _taken(takes: Iterable[Taken], up: Sequence[int], down: Sequence[int | None]) -> list[str]:
    """`A takes B up 3S`, as the notation has it, and the card."""
    return [
        f"{letter(take.seat)} takes {letter(take.source)} {'up' if take.up else 'down'} "
        f"{_known((up if take.up else down)[take.source])}"
        for take in takes
    ]


def _round(number: int, past: RoundSeen) -> list[str]:
    """The offers of a round that is over, and what was taken."""
    offers = text_board.by_seat(f"{deck.name(up)} {_known(down)}" for up, down in zip(past.up, past.down, strict=True))
    taken = _taken(past.takes, past.up, past.down)
    return text_board.line(f"round {number}, offered up and down", [*offers, *taken], between=", ")


def _final(final: Final) -> list[str]:
    """Everybody's Jest with its value, the trophies, and what each Jest is worth with those."""
    rows = [
        [letter(seat), str(value), str(worth.points), " ".join(map(deck.name, jest))]
        for seat, (jest, value, worth) in enumerate(zip(final.jests, final.values, final.worths, strict=True))
    ]
    return [
        *text_board.table(("", "without trophies", "points", "Jest"), rows),
        *text_board.line("trophies", (f"{deck.name(a.trophy)} to {_whom(a.seat)}" for a in final.awards), between=", "),
    ]


def _whom(seat: int | None) -> str:
    return "nobody" if seat is None else letter(seat)
