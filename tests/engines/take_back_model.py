"""The plain model of take-backs: who may take what back, who is asked, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from engines.features.takebacks.rules import TAKEBACKS, is_free
from engines.kit.errors import IllegalMove
from engines.store.match_store import FORCED, Status
from tests.engines.model import MadeMove, RequestModel, TableModel

PER_DECISION, PER_MATCH = 1, 2
MINUTE, DAY = 60, 24 * 60 * 60


def take_back(table: TableModel, user: int, now: int, *, accepts_practice: bool = False) -> TableModel | None:
    """Somebody takes their newest move back, or the others are asked."""
    seat = table.seat_of(user)
    if table.status is not Status.RUNNING or seat is None or table.table_options.of(TAKEBACKS) == "never":
        return None
    if (tail := _tail(table, seat, user)) is None:
        return None
    alone = [chair for chair in table.chairs if chair.is_present] == [table.chairs[seat]]
    row = _free_row(table, seat, tail)
    if row is None and not alone and not _can_be_asked_about(table, seat, tail):
        return None
    if row is not None and not _has_been_seen(table, seat, tail):
        return None
    if row is not None:
        waits_for = [number for number, each in table.game.decisions(table.state).items() if each.due]
        return _undo(table, seat, user, row, practice=False, sealed="only" in row or waits_for != [seat])
    row = f"undo {tail[0][0]}"
    if alone:
        return _undo(table, seat, user, row, practice=True) if accepts_practice or table.practice else None
    seats = _seats_to_ask(table, seat)
    if not seats:
        return _undo(table, seat, user, row, practice=False)
    asked_before = table.asked[seat] if table.asked else ()
    if table.table_options.of(TAKEBACKS) == "free only" or (table.request and not table.request.ended):
        return None
    if asked_before.count(tail[0][0]) >= PER_DECISION or len(asked_before) >= PER_MATCH:
        return None
    every = table.asked or ((),) * len(table.chairs)
    wait = DAY if (table.table_options.decision_seconds or DAY) >= DAY else MINUTE
    return table.changed(
        request=RequestModel(seat, tail[0][0], seats, until=now + wait),
        asked=(*every[:seat], (*asked_before, tail[0][0]), *every[seat + 1 :]),
    )


def answer(table: TableModel, user: int, move: int, *, agrees: bool) -> TableModel | None:
    """Somebody who was asked answers; the last one who agrees takes the move back."""
    request, seat = table.request, table.seat_of(user)
    if table.status is not Status.RUNNING or request is None or request.ended or request.move != move:
        return None
    if seat not in request.seats or seat in request.agreed or seat is None:
        return None
    if not agrees:
        return table.changed(request=replace(request, ended="refused", ended_by=seat))
    agreed = (*request.agreed, seat)
    if len(agreed) < len(request.seats):
        return table.changed(request=replace(request, agreed=agreed))
    return _undo(table, request.seat, table.chairs[request.seat].user, f"undo {move}", practice=False)


def lapse(table: TableModel, now: int | None = None) -> TableModel | None:
    """Nobody has answered in time; without a time it is over for sure."""
    request = table.request
    if request is None or request.ended or (now is not None and now < request.until):
        return None
    return table.changed(request=replace(request, ended="lapsed"))


def view_stamp(match: str, table: TableModel, user: int) -> str:
    """What the controls say that take a move back: what somebody at the table sees."""
    seat = table.seat_of(user)
    return _stamp(match, table, seat, None if table.state is None else table.game.view(table.state, seat))


def request_stamp(match: str, table: TableModel) -> str:
    """What the controls say that answer a request: what everybody knows of it."""
    request = table.request
    return _stamp(match, table, request.seat, request.until, sum(map(len, table.asked))) if request else "0" * 8


def _stamp(match: str, table: TableModel, *parts: object) -> str:
    return blake2b(repr((match, table.offset, *parts)).encode(), digest_size=4).hexdigest()


def _has_been_seen(table: TableModel, seat: int, tail: Sequence[tuple[int, MadeMove]]) -> bool:
    """Whether anybody else has seen that the seat moved."""
    before, after = _states(table, _rows(table))[len(_rows(table)) - len(tail) :][:2]
    others = [None, *(other for other in range(len(table.chairs)) if other != seat)]
    return any(table.game.view(before, other) != table.game.view(after, other) for other in others)


def _rows(table: TableModel) -> list[tuple[int, MadeMove]]:
    """The moves in force, with their numbers."""
    found: list[tuple[int, MadeMove]] = []
    for number, entry in enumerate(table.moves, 1):
        if not entry.notation.startswith("undo"):
            found.append((number, entry))
            continue
        of = int(entry.notation.split()[-1])
        found = [row for row in found if row[0] != of and (row[0] < of or "only" in entry.notation)]
    return found


def _tail(table: TableModel, seat: int, user: int) -> list[tuple[int, MadeMove]] | None:
    """The newest move that this person chose, and all that follow."""
    rows = _rows(table)
    own = [n for n, (_, entry) in enumerate(rows) if (entry.seat, entry.user, entry.level) == (seat, user, "")]
    return rows[own[-1] :] if own else None


def _states(table: TableModel, rows: Sequence[tuple[int, MadeMove]], state: Any = None) -> list[Any]:
    """The states before each of these rows and after the last, from the start or from that state."""
    game = table.game
    states = [game.copy(table.start if state is None else state)]
    for _, entry in rows:
        states.append(game.copy(states[-1]))
        move = game.parse_move(entry.notation)
        game.check(states[-1], entry.seat, move)
        game.play(states[-1], entry.seat, move)
    return states


def _reveals_of(table: TableModel, tail: Sequence[tuple[int, MadeMove]]) -> list[Any]:
    before = len(_rows(table)) - len(tail)
    states = _states(table, _rows(table))[before:]
    game = table.game
    return [
        game.reveals(state, entry.seat, game.parse_move(entry.notation))
        for state, (_, entry) in zip(states, tail, strict=False)
    ]


def _free_row(table: TableModel, seat: int, tail: Sequence[tuple[int, MadeMove]]) -> str | None:
    """What takes the move back if nobody need agree: it is the same turn still, or a sealed choice."""
    game, reveals = table.game, _reveals_of(table, tail)
    states = _states(table, _rows(table))[len(_rows(table)) - len(tail) :]
    if any(reveals):
        return None
    number, others = tail[0][0], tail[1:]
    own = game.parse_move(tail[0][1].notation)
    if all(entry.seat == seat for _, entry in tail):
        return f"undo {number}" if is_free(game, states[0], own, states[-1], seat, frozenset()) else None
    if any(entry.seat == seat for _, entry in others) or not is_free(
        game, states[0], own, states[1], seat, frozenset()
    ):
        return None
    try:
        after = _states(table, others, states[0])[-1]
    except IllegalMove:
        return None
    awaited = {**game.decisions(states[-1]), seat: game.decisions(states[0])[seat]}
    return f"undo only {number}" if awaited == {**game.decisions(after)} else None


def _can_be_asked_about(table: TableModel, seat: int, tail: Sequence[tuple[int, MadeMove]]) -> bool:
    moved = any(entry.user and entry.level != FORCED and (entry.seat != seat or entry.level) for _, entry in tail)
    return not moved and not any(_reveals_of(table, tail))


def _seats_to_ask(table: TableModel, seat: int) -> tuple[int, ...]:
    return tuple(n for n, chair in enumerate(table.chairs) if n != seat and chair.is_present and not chair.level)


def _undo(table: TableModel, seat: int, user: int, row: str, *, practice: bool, sealed: bool = False) -> TableModel:
    number = int(row.split()[-1])
    entry = MadeMove(seat, table.moves[number - 1].decision, row, user, "")
    after = replace(table, moves=(*table.moves, entry))
    undone = len(_rows(table)) - len(_rows(after))
    state = _states(after, _rows(after))[-1]
    return after.changed(
        state=state,
        offset=table.offset + undone + 1,
        practice=table.practice or practice,
        request=None,
        kept=_stay_open(table, state, sealed=sealed),
    )


def _stay_open(table: TableModel, after: Any, *, sealed: bool) -> tuple[tuple[int, int, int], ...]:
    """The decisions that are the same before and after a take-back: seat, number in the game, and offset."""
    game, before = table.game, table.state
    found = []
    for seat, decision in game.decisions(after).items():
        same = game.decisions(before).get(seat) == decision and game.moves(before, seat) == game.moves(after, seat)
        if same and (sealed or game.view(before, seat) == game.view(after, seat)):
            found.append((seat, decision.number, table.full_number(seat, decision.number) - decision.number))
    return tuple(found)
