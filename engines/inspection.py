"""A match as it is kept, looked at without changing anything: what is wrong with it, and its record."""

from __future__ import annotations

from engines import record
from engines.game import AnyGame
from engines.loading import resume, where
from engines.match import Look
from engines.store import Damaged, Info, Saved, Status


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
        tuple(record.Made(move.seat, move.notation) for move in saved.moves),
        look.outcome(),
        tuple(f"{seat.name} (computer, {seat.level})" if seat.level else seat.name for seat in info.seats),
    )
    true = record.under_its_rules(made, look.game)
    return record.write(true) if true else ""
