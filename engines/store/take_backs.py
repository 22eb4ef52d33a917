"""Take-backs of a match: the open request and how often each seat has asked. Stored with the match, by seat alone."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class TakeBackRequest:
    """A seat's request to take its newest moves back: `move` is the number of the first of them.

    `seats` have to agree, and `agreed` are those that did. It lapses at the second `until`.
    """

    seat: int
    move: int
    until: int
    seats: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have not answered."""
        return tuple(seat for seat in self.seats if seat not in self.agreed)


@dataclass(frozen=True, slots=True)
class TakeBacks:
    """What is stored about take-backs besides the moves.

    `counts` are the requests of each seat's present player. `last_moves` are the moves of each seat's last request,
    because each decision can be asked about once. Both are empty before the first request.
    """

    request: TakeBackRequest | None = None
    counts: tuple[int, ...] = ()
    last_moves: tuple[int, ...] = ()


NO_TAKE_BACKS = TakeBacks()
_ADAPTER = TypeAdapter(TakeBacks)


def format_take_backs(take_backs: TakeBacks) -> str:
    """Return them as the text that is stored; empty if there are none."""
    return "" if take_backs == NO_TAKE_BACKS else _ADAPTER.dump_json(take_backs).decode()


def parse_take_backs(text: str, seats: int) -> TakeBacks | None:
    """Return them from the stored text; None if it cannot be read for that many seats."""
    try:
        found = _ADAPTER.validate_json(text) if text else NO_TAKE_BACKS
    except ValueError:
        return None
    request = found.request
    numbers = () if request is None else (request.seat, *request.seats, *request.agreed)
    fits = len(found.counts) in (0, seats) and len(found.last_moves) in (0, seats)
    return found if fits and all(0 <= seat < seats for seat in numbers) else None
