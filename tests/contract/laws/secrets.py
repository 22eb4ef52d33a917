"""Laws of what a seat may know: from views, moves, screens and events, and what a sample may suppose."""

from __future__ import annotations

import random
from collections.abc import Sequence
from random import Random
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.kit.seats import letter
from tests.contract.graph import comparable_value
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import all_readers, choose_move, random_positions

WORLD_COUNT = 40
FORCED_WORLDS = 5


def samples_look_the_same(helper: GameHelper, start: MatchStart) -> None:
    """A sampled state has the same view, decisions and moves, and can be played on; one chance gives one state."""
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.06):
        for seat in all_readers(start):
            view = game.view(state, seat)
            chance = Chance(f"{rng.getrandbits(128):032x}")
            random.seed(1)
            sampled = game.sample(view, chance.copy())
            random.seed(2)
            assert comparable_value(game.sample(view, chance.copy())) == comparable_value(sampled), (
                "two samples by one chance differ"
            )
            assert game.view(sampled, seat) == view
            _check_same_choices(helper, state, sampled, seat)
            assert comparable_value(
                game.checkpoint_adapter.validate_json(game.checkpoint_adapter.dump_json(sampled))
            ) == comparable_value(sampled)
            for _ in range(3 * start.seats):
                if game.decisions(sampled):
                    actor, move = choose_move(helper, sampled, rng)
                    game.check(sampled, actor, move)
                    game.play(sampled, actor, move)


def nothing_hidden_is_told(helper: GameHelper, start: MatchStart) -> None:
    """Changing all that a seat cannot know leaves its view, its moves, what is drawn and what it is told as they were.

    It is told the events of any move that both worlds allow, unless that move shows it something new.
    """
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.12):
        for seat in all_readers(start):
            other = helper.scramble_hidden(state, seat, rng)
            view = game.view(state, seat)
            assert game.view(other, seat) == view, "the view tells"
            _check_same_choices(helper, state, other, seat)
            assert str(game.view(other, seat)) == str(view), "the board tells"
            assert draw_screens(helper, start, state, seat) == draw_screens(helper, start, other, seat), (
                "a screen tells"
            )
            other.chance = state.chance.copy()
            for actor in game.decisions(state):
                both = [move for move in game.moves(state, actor) if move in game.moves(other, actor)]
                for move in rng.sample(both, min(3, len(both))):
                    if not helper.is_revealing(state, seat, actor, move):
                        _check_same_events(helper, (state, other), seat, actor, move)


def forced_moves_reveal_nothing(helper: GameHelper, start: MatchStart) -> None:
    """A decision that is said to be forced is due and has exactly one legal move, in every world a spectator may see.

    Only positions of which something is said are compared with other worlds: scrambled ones, and samples.
    """
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start):
        view = game.view(state, None)
        forced = [seat for seat in range(start.seats) if game.is_forced(view, seat)]
        if not forced:
            continue
        worlds = [state, *(helper.scramble_hidden(state, None, rng) for _ in range(FORCED_WORLDS))]
        worlds.append(game.sample(view, Chance(f"{rng.getrandbits(128):032x}")))
        for seat in forced:
            for world in worlds:
                decision = game.decisions(world).get(seat)
                assert decision is not None, "nothing is to be decided, and it is forced"
                assert decision.due, "nobody waits for what is forced"
                assert len(game.moves(world, seat)) == 1, "what is forced leaves a choice"


def secret_moves_stay_secret(helper: GameHelper, start: MatchStart) -> None:
    """Moves of one seat after which another reader sees the same are told to that reader in the same way.

    They may also be moves in two worlds that the reader cannot tell apart. So a view alone says which moves are secret.
    """
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.1):
        for reader in all_readers(start):
            other = helper.scramble_hidden(state, reader, rng)
            other.chance = state.chance.copy()
            for actor in game.decisions(state):
                if actor != reader:
                    _check_equal_events(helper, (state, other), reader, actor, rng)


def _check_equal_events(helper: GameHelper, worlds: Sequence[Any], reader: int | None, actor: int, rng: Random) -> None:
    game = helper.game
    first_events: dict[Any, tuple[Any, list[Event]]] = {}
    for world in worlds:
        moves = game.moves(world, actor)
        for move in rng.sample(moves, min(3, len(moves))):
            if not helper.is_revealing(world, reader, actor, move):
                events, view = events_for_seat(helper, world, reader, actor, move)
                first, before = first_events.setdefault(view, (move, events))
                assert events == before, f"the events tell {game.format_move(first)} from {game.format_move(move)}"


def _check_same_choices(helper: GameHelper, one: Any, two: Any, seat: int | None) -> None:
    """The seat has the same to decide in both, and sees the match wait for the same seats."""
    first, second = helper.game.decisions(one), helper.game.decisions(two)
    assert {seat: decision.due for seat, decision in first.items()} == {seat: d.due for seat, d in second.items()}
    if seat is not None:
        assert first.get(seat) == second.get(seat), "the decision differs"
        assert list(helper.game.moves(one, seat)) == list(helper.game.moves(two, seat)), "the moves differ"


def draw_screens(helper: GameHelper, start: MatchStart, state: Any, seat: int | None) -> object:
    """Everything that is drawn for a seat or a spectator at that moment."""
    decision = None if seat is None else helper.game.decisions(state).get(seat)
    moves = () if seat is None else helper.game.moves(state, seat)
    return helper.draw_screens(start, helper.game.view(state, seat), decision, moves)


def _check_same_events(helper: GameHelper, worlds: tuple[Any, Any], seat: int | None, actor: int, move: Any) -> None:
    one, two = (events_for_seat(helper, world, seat, actor, move) for world in worlds)
    assert one[0] == two[0], f"the events of {helper.game.format_move(move)} tell"
    assert one[1] == two[1], f"the view after {helper.game.format_move(move)} tells"


def events_for_seat(helper: GameHelper, state: Any, seat: int | None, actor: int, move: Any) -> tuple[list[Event], Any]:
    """What that seat is told of a move, and what it sees after it."""
    after = helper.game.copy(state)
    events = [event for event in helper.game.play(after, actor, move) if event.is_visible_to(seat)]
    return events, helper.game.view(after, seat)


def reveals_excuses_nobody_without_need(helper: GameHelper, start: MatchStart) -> None:
    """If a move is said to show a seat something hidden, the seat is told something else in another world.

    That is one in which it knew the same before, and in which the move was legal, too; where none is found, nothing
    is held against the helper.
    """
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.4):
        for seat in all_readers(start):
            for actor in game.decisions(state):
                moves = game.moves(state, actor)
                for move in rng.sample(moves, min(2, len(moves))):
                    if helper.is_revealing(state, seat, actor, move):
                        _check_move_shows(helper, state, seat, actor, move, rng)


def _check_move_shows(helper: GameHelper, state: Any, seat: int | None, actor: int, move: Any, rng: Random) -> None:
    game, moves_tried = helper.game, 0
    for _ in range(WORLD_COUNT):
        other = helper.scramble_hidden(state, seat, rng)
        if move in game.moves(other, actor):
            copied, moves_tried = game.copy(state), moves_tried + 1
            copied.chance = other.chance.copy()
            if events_for_seat(helper, copied, seat, actor, move) != events_for_seat(helper, other, seat, actor, move):
                return
    assert not moves_tried, (
        f"{game.format_move(move)} shows {letter(seat) if seat is not None else 'a spectator'} nothing"
    )
