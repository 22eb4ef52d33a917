"""Undo mode: before every move that a game plays, moves are made and taken back, which must leave no trace."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from engines.kit.contract import AnyGame, Event
from engines.kit.errors import IllegalMove


def in_undo_mode(game: AnyGame) -> AnyGame:
    """The same game, which plays each move after another one and the move itself have been played and taken back."""

    class UndoMode(type(game)):  # type: ignore[misc]
        past_versions = {version: in_undo_mode(old_game) for version, old_game in game.past_versions.items()}  # noqa: RUF012

        def play(self, state: Any, seat: int, move: Any) -> list[Event]:
            _play_and_take_back(game, state, seat, move)
            return game.play(state, seat, move)

    found: AnyGame = UndoMode()
    return found


def _play_and_take_back(game: AnyGame, state: Any, seat: int, move: Any) -> None:
    """Play another move and the move itself on copies. Now and then put back what was stored, as after a restart."""
    stored = game.checkpoint_adapter.dump_json(state)
    number = sum(stored)
    listed = game.moves(state, seat)
    for tried in (listed[number % len(listed)], move):
        _assert_legal(game, state, seat, tried)
        learners = game.reveals(state, seat, tried)
        assert game.checkpoint_adapter.dump_json(state) == stored, "asking what a move reveals changes the match"
        if not learners:
            look_around(game, game.state_after(state, seat, tried))
            assert game.checkpoint_adapter.dump_json(state) == stored, "a move on a copy changes the match"
    if number % 2:
        restored = game.checkpoint_adapter.validate_json(stored)
        for field in fields(state):
            setattr(state, field.name, getattr(restored, field.name))


def _assert_legal(game: AnyGame, state: Any, seat: int, move: Any) -> None:
    try:
        game.check(state, seat, move)
    except IllegalMove as refused:
        raise AssertionError("a listed move is illegal") from refused


def look_around(game: AnyGame, state: Any) -> None:
    """Ask of a state what a match asks of it, so that whatever is cached is cached."""
    for seat in game.decisions(state):
        list(game.moves(state, seat))
        str(game.view(state, seat))
    str(game.view(state, None))
