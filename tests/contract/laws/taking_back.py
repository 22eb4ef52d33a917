"""Laws of taking moves back: who learns something hidden by a move, and that a match goes on as if nothing had been."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from random import Random
from typing import Any

from engines.kit.chance import Chance
from engines.kit.seats import letter
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.law import refusal_of
from tests.contract.laws.secrets import draw_screens, events_for_seat
from tests.contract.once import uncached_screen
from tests.contract.undo_mode import in_undo_mode, look_around
from tests.contract.walk import all_readers, choose_move, random_positions
from tests.until_over import until_over

WORLD_COUNT = 40
FEW_WORLDS = 3
MOVES_TRIED = 3
SENTENCE_LIMIT = 200  # characters; eight drawn cards of Jokers take some 160


def everybody_who_learns_is_named(helper: GameHelper, start: MatchStart) -> None:
    """A seat that `reveals` does not name is told the same in every world that it and the mover cannot tell apart.

    What only the mover knew, they may show. A spectator learns nothing either by a move that shows the mover nothing.
    A move that draws from chance names somebody.
    """
    game, rng = helper.game, Random(start.seed)
    for state, actor, moves in _tried_moves(helper, start, rng):
        worlds = {reader: [*_joint_worlds(helper, state, actor, reader, rng)] for reader in all_readers(start)}
        for move in moves:
            before = game.checkpoint_adapter.dump_json(state)
            learners = game.reveals(state, actor, move)
            assert game.checkpoint_adapter.dump_json(state) == before, "asking changes the match"
            assert learners <= {*range(start.seats)}, "somebody is named who does not play"
            if not learners:
                after = game.state_after(state, actor, move)
                assert after.chance == state.chance, "chance is drawn, and nobody is named"
            for reader in {*all_readers(start)} - learners - ({None} if actor in learners else set()):
                events = events_for_seat(helper, state, reader, actor, move)
                for world in worlds[reader]:
                    assert events_for_seat(helper, world, reader, actor, move) == events, (
                        f"{game.format_move(move)} shows something to {_reader_name(reader)}"
                    )


def nobody_is_named_without_need(helper: GameHelper, start: MatchStart) -> None:
    """A seat that `reveals` names is told otherwise in another world, in which it knew the same before.

    A move that draws from chance may name everybody, and where no world is found, nothing is held against the game.
    """
    game, rng = helper.game, Random(start.seed)
    for state, actor, moves in _tried_moves(helper, start, rng):
        for move in moves:
            if game.state_after(state, actor, move).chance == state.chance:
                for reader in game.reveals(state, actor, move):
                    _check_move_shows(helper, state, reader, actor, move, rng)


def _check_move_shows(helper: GameHelper, state: Any, reader: int, actor: int, move: Any, rng: Random) -> None:
    events, moves_tried = events_for_seat(helper, state, reader, actor, move), 0
    for _ in range(WORLD_COUNT):
        world = helper.scramble_hidden(state, reader, rng)
        if move in helper.game.moves(world, actor):
            moves_tried += 1
            if events_for_seat(helper, world, reader, actor, move) != events:
                return
    assert not moves_tried, f"{helper.game.format_move(move)} shows {letter(reader)} nothing"


def what_was_revealed_is_said_in_a_sentence(helper: GameHelper, start: MatchStart) -> None:
    """Every seat is told in one short sentence what a move revealed, and no more than it sees after the move."""
    game, rng = helper.game, Random(start.seed)
    for state, actor, moves in _tried_moves(helper, start, rng):
        for move in moves:
            if game.reveals(state, actor, move):
                after = game.state_after(state, actor, move)
                for reader in range(start.seats):
                    text = game.describe_reveal(state, actor, move, reader)
                    assert re.fullmatch(r"[A-Z][^.!?]*\.", text), f"no sentence: {text}"
                    assert len(text) <= SENTENCE_LIMIT, f"too long: {text}"
                    for pattern in helper.secret_patterns(after, reader):
                        assert not re.search(pattern, helper.strip_harmless(text)), f"{letter(reader)} is told: {text}"


def what_was_taken_back_leaves_no_trace(helper: GameHelper, start: MatchStart) -> None:
    """A match in which moves are played, taken back and played again has the same states, chance, moves and events."""
    game, undo, rng = helper.game, in_undo_mode(helper.game), Random(f"{start.seed} positions")
    plain, other = helper.start_state(start), helper.start_state(start)
    for _ in until_over(game, plain):
        seat, move = choose_move(helper, plain, rng)
        assert refusal_of(partial(game.check, plain, seat, move)) is None, "the moves remember"
        events, undo_events = game.play(plain, seat, move), undo.play(other, seat, move)
        assert game.events_adapter.dump_json(undo_events) == game.events_adapter.dump_json(events), (
            "the events remember"
        )
        stored = game.checkpoint_adapter.dump_json(other)
        assert stored == game.checkpoint_adapter.dump_json(plain), "the state remembers"
        assert other == plain, "the checkpoint forgets"
        look_around(game, other)


def screens_forget_what_was_taken_back(helper: GameHelper, start: MatchStart) -> None:
    """What is drawn after a move is taken back is what was drawn before it, and another move then looks different."""
    game, rng = helper.game, Random(start.seed)
    fresh = copy(helper)
    fresh.screen = uncached_screen(helper.screen)
    for state in random_positions(helper, start, share=0.1):
        for seat in game.decisions(state):
            moves = game.moves(state, seat)
            first, second = (moves[rng.randrange(len(moves))] for _ in range(2))
            if first == second or any(game.reveals(state, seat, move) for move in (first, second)):
                continue
            before = _draw_for_all(fresh, start, state)
            taken_back = game.state_after(state, seat, first)
            drawn = _draw_for_all(fresh, start, taken_back)
            restored = game.checkpoint_adapter.validate_json(game.checkpoint_adapter.dump_json(state))
            assert _draw_for_all(fresh, start, restored) == before, "a screen remembers"
            after = game.state_after(restored, seat, second)
            if game.view(after, seat) != game.view(taken_back, seat):
                assert _draw_for_all(fresh, start, after)[seat] != drawn[seat], "a screen shows what was taken back"


def _draw_for_all(helper: GameHelper, start: MatchStart, state: Any) -> list[object]:
    return [draw_screens(helper, start, state, reader) for reader in all_readers(start)]


def _tried_moves(helper: GameHelper, start: MatchStart, rng: Random) -> Iterator[tuple[Any, int, Sequence[Any]]]:
    """Positions of a random match, with some moves of each seat that may act."""
    game = helper.game
    for state in random_positions(helper, start, share=0.2):
        for actor in game.decisions(state):
            moves = game.moves(state, actor)
            yield state, actor, rng.sample(moves, min(MOVES_TRIED, len(moves)))


def _joint_worlds(helper: GameHelper, state: Any, actor: int, reader: int | None, rng: Random) -> Iterator[Any]:
    """Other worlds that neither of the two can tell from this one, even together."""
    game = helper.game
    for _ in range(FEW_WORLDS):
        world = helper.scramble_hidden(state, actor, rng, reader)
        assert all(game.view(world, reader_) == game.view(state, reader_) for reader_ in (actor, reader))
        yield world
    if reader in (actor, None):
        yield game.sample(game.view(state, actor), Chance(f"{rng.getrandbits(128):032x}"))


def _reader_name(reader: int | None) -> str:
    return "a spectator" if reader is None else letter(reader)
