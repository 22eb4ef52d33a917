"""A match as it is kept, looked at without changing anything: what is wrong with it, and its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.hosting import record
from engines.hosting.match import Look
from engines.hosting.match_loading import is_newer, resume, where
from engines.kit.contract import AnyGame
from engines.store.match_store import Damaged, Info, Move, Saved, Status


def readable(info: Info, games: Mapping[str, AnyGame]) -> AnyGame | None:
    """The game of a match; None where it, its rules or what was chosen is of a newer version than this one."""
    game = games.get(info.game)
    return None if game is None or is_newer(info, game) else game


def damage(game: AnyGame, info: Info, saved: Saved | None) -> str:
    """What is wrong with a match, for whoever runs the bot; empty where it replays to its checkpoint."""
    if info.status is Status.ASIDE:
        return f"it was set aside, since {info.damage or info.reason}"
    try:
        resume(game, info, saved)
    except Damaged as found:
        return str(found)
    except Exception as error:  # noqa: BLE001  # a boundary: no game has to foresee what a damaged record holds
        return f"reading it fails ({where(error)})"
    return ""


def written(look: Look, saved: Saved) -> str:
    """The readable record of a match, under rules that replay it; empty where none does, since they changed midway."""
    info = saved.info
    if saved.base_moves:
        return ""
    made = record.Record(
        info.game,
        info.rules,
        len(info.seats),
        info.options,
        saved.seed,
        _made(saved.moves),
        look.outcome(),
        tuple(f"{seat.name} (computer, {seat.level})" if seat.level else seat.name for seat in info.seats),
    )
    true = record.under_its_rules(made, look.game)
    return record.write(true) if true else ""


def _made(moves: Sequence[Move]) -> tuple[record.Made, ...]:
    """The moves, and who made them: a computer, or a person who was not the first to move at that seat."""
    first: dict[int, int] = {}
    return tuple(record.Made(move.seat, move.notation, _by(move, first)) for move in moves)


def _by(move: Move, first: dict[int, int]) -> str:
    if move.level:
        return record.computer(move.level)
    return record.SUBSTITUTE if first.setdefault(move.seat, move.user) != move.user else ""
