"""Inspects a stored match without changing it: finds damage and builds its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.hosting.match import MatchSnapshot
from engines.hosting.match_loading import describe_error_location, is_newer, rebuild_match
from engines.hosting.records import record
from engines.hosting.records.deal import Deal
from engines.kit.contract import AnyGame
from engines.store.match_store import CLOSED, DamagedMatch, MatchInfo, Move, SavedDeal, SavedMatch, Status


def readable_game(info: MatchInfo, games: Mapping[str, AnyGame]) -> AnyGame | None:
    """Return the game of a match, or None if its game, rules or options need a newer version of the bot."""
    game = games.get(info.game)
    return None if game is None or is_newer(info, game) else game


def find_damage(game: AnyGame, info: MatchInfo, saved: SavedMatch | None) -> str:
    """Describe what is wrong with a match, for the operator. Empty if the match replays to its checkpoint."""
    if info.status is Status.ASIDE:
        return f"it was set aside because {info.damage or info.reason}"
    try:
        rebuild_match(game, info, saved)
    except DamagedMatch as found:
        return str(found)
    except Exception as error:  # noqa: BLE001  # a boundary: games cannot foresee every damaged record
        return f"reading it fails ({describe_error_location(error)})"
    return ""


def record_text(snapshot: MatchSnapshot, saved: SavedMatch, sealed: SavedDeal | None) -> str:
    """Return the readable record of a match under rules that replay it. Empty if they changed midway and none does.

    The deal is in it if the match is closed and its seed comes from the seal.
    """
    info = saved.info
    if saved.base_moves:
        return ""
    written = record.Record(
        info.game,
        info.rules,
        len(info.seats),
        info.options,
        saved.seed,
        _record_moves(saved.moves),
        snapshot.outcome(),
        tuple(f"{seat.name} (computer, {seat.level})" if seat.level else seat.name for seat in info.seats),
        _open_deal(snapshot.info, sealed),
    )
    true = record.with_replayable_rules(written, snapshot.game)
    return record.format_record(true) if true else ""


def _open_deal(info: MatchInfo, sealed: SavedDeal | None) -> Deal | None:
    if sealed is None or not sealed.cuts or info.status not in CLOSED:
        return None
    return Deal(info.id, info.seal, sealed.secret, sealed.cuts)


def _record_moves(moves: Sequence[Move]) -> tuple[record.RecordMove, ...]:
    """Return the moves with their authors: a computer, or a person who took over the seat later."""
    first: dict[int, int] = {}
    return tuple(record.RecordMove(move.seat, move.notation, _author_of(move, first)) for move in moves)


def _author_of(move: Move, first: dict[int, int]) -> str:
    if move.level and not move.is_forced:
        return record.computer_author(move.level)
    return record.SUBSTITUTE if first.setdefault(move.seat, move.user) != move.user else ""
