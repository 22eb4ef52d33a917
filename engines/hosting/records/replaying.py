"""Replays the rows of a match: moves of its game, and undos of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.kit.contract import AnyGame, Event
from engines.kit.errors import IllegalMove
from engines.store.undoing import parse_undo


class BadRow(ValueError):
    """A row that cannot be replayed: its number, and why."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"move {number}: {reason}")
        self.number = number
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ReplayedRows:
    """The last state, the events of every row, the moves in force, and what each undo undid, by number."""

    state: Any
    events: tuple[tuple[Event, ...], ...]
    in_force: tuple[int, ...]
    undos: Mapping[int, tuple[int, ...]]


def replay_rows(game: AnyGame, state: Any, rows: Sequence[tuple[int, str]], first: int = 1) -> ReplayedRows:
    """Replay rows of a seat and a notation from a state, which changes; `first` is the number of the first row.

    An undo has no events. Raises BadRow.
    """
    wanted = {found.move for _, notation in rows if (found := parse_undo(notation))}
    before: dict[int, Any] = {}  # the states before moves that are taken back later
    events: dict[int, tuple[Event, ...]] = {}
    in_force: list[int] = []
    undos: dict[int, tuple[int, ...]] = {}

    def play(number: int) -> None:
        seat, notation = rows[number - first]
        try:
            move = game.parse_move(notation)
            game.check(state, seat, move)
        except IllegalMove as error:
            raise BadRow(number, error.reason) from None
        if number in wanted:
            before[number] = game.copy(state)
        events[number] = tuple(game.play(state, seat, move))
        in_force.append(number)

    for number, (seat, notation) in enumerate(rows, first):
        undo = parse_undo(notation)
        if undo is None:
            play(number)
            continue
        if undo.move not in in_force:
            raise BadRow(number, f"move {undo.move} cannot be taken back, because it is not in force")
        if rows[undo.move - first][0] != seat:
            raise BadRow(number, f"move {undo.move} is another seat's")
        place = in_force.index(undo.move)
        later = in_force[place + 1 :] if undo.only else []
        undos[number] = (undo.move,) if undo.only else tuple(in_force[place:])
        state, events[number] = before[undo.move], ()
        del in_force[place:]
        for each in later:
            play(each)
    return ReplayedRows(state, tuple(events.values()), tuple(in_force), undos)
