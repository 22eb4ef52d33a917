"""Laws of states as values: stored, copied, repeated; and of what comes out of them."""

from __future__ import annotations

import random
from random import Random

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from engines.kit.contract import Event
from tests.contract.graph import comparable_value, mutable_parts
from tests.contract.hash_orders import match_in_each_order
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import all_readers, choose_move, random_positions
from tests.until_over import until_over


def checkpoints_round_trip(helper: GameHelper, start: MatchStart) -> None:
    """A state that was stored and read back is the same to the last type, and goes on in the same way."""
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.1):
        stored = game.checkpoint_adapter.dump_json(state)
        loaded = game.checkpoint_adapter.validate_json(stored)
        assert comparable_value(loaded) == comparable_value(state)
        assert game.checkpoint_adapter.dump_json(loaded) == stored
        going_on = game.copy(state)
        for _ in range(4 * start.seats):
            if not game.decisions(going_on):
                break
            seat, move = choose_move(helper, going_on, rng)
            assert game.play(going_on, seat, move) == game.play(loaded, seat, move), "it went on differently"
            assert game.view(going_on, seat) == game.view(loaded, seat)


def copies_share_nothing(helper: GameHelper, start: MatchStart) -> None:
    """A copy is equal, has no mutable part in common, and playing on it leaves the original as it was."""
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.2):
        copy = game.copy(state)
        assert comparable_value(copy) == comparable_value(state)
        own = dict(mutable_parts(state))
        shared = [path for part, path in mutable_parts(copy) if part in own]
        assert not shared, f"shared: {shared}"
        before = game.checkpoint_adapter.dump_json(state)
        for _ in range(2 * start.seats):
            if game.decisions(copy):
                game.play(copy, *choose_move(helper, copy, rng))
        assert game.checkpoint_adapter.dump_json(state) == before


def values_are_frozen(helper: GameHelper, start: MatchStart) -> None:
    """Views, moves, decisions and events have no part that could be changed, and have a hash."""
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.1):
        values = [game.view(state, seat) for seat in all_readers(start)]
        values += [move for seat in range(start.seats) for move in game.moves(state, seat)]
        values += game.decisions(state).values()
        if game.decisions(state):
            values += game.play(game.copy(state), *choose_move(helper, state, rng))
        for value in values:
            assert not list(mutable_parts(value)), f"mutable in {value}"
            hash(value)


def the_same_seed_gives_the_same_match(helper: GameHelper, start: MatchStart) -> None:
    """Same seed and moves ⇒ same events and states: nothing random comes from anywhere else (C1)."""
    game, rng = helper.game, Random(start.seed)
    random.seed(1)
    one = helper.start_state(start)
    random.seed(2)
    two = helper.start_state(start)
    assert comparable_value(one) == comparable_value(two)
    for _ in until_over(game, one):
        seat, move = choose_move(helper, one, rng)
        random.seed(1)
        events = game.play(one, seat, move)
        random.seed(2)
        assert game.play(two, seat, move) == events
        assert one == two
    assert comparable_value(one) == comparable_value(two)


def the_order_of_sets_decides_nothing(helper: GameHelper, start: MatchStart) -> None:
    """A match is the same in two processes in which sets of strings have other orders, to the order of legal moves."""
    one, two = match_in_each_order(helper, start)
    for number, (one_state, other_state) in enumerate(zip(one, two, strict=False)):
        parts = [part for part in one_state if one_state[part] != other_state[part]]
        assert not parts, f"{helper.game.title}, position {number}, depends on the order of a set: {', '.join(parts)}"
    assert len(one) == len(two), "one match is longer"


def events_can_be_stored_and_addressed(helper: GameHelper, start: MatchStart) -> None:
    """Events read back from JSON as they were; a private one is for some of the seats, and never for a spectator."""
    game, rng = helper.game, Random(start.seed)
    state = helper.start_state(start)
    for _ in until_over(game, state):
        events = game.play(state, *choose_move(helper, state, rng))
        for event in events:
            if event.to is not None:
                assert set(event.to) <= set(range(start.seats)), "to nobody who plays"
                assert len(set(event.to)) == len(event.to)
                assert not event.is_visible_to(None)
        assert comparable_value(_stored_and_read(helper, events)) == comparable_value(events)


def _stored_and_read(helper: GameHelper, events: list[Event]) -> object:
    """The events as they come back from JSON."""
    try:
        return helper.game.events_adapter.validate_json(helper.game.events_adapter.dump_json(events, warnings="error"))
    except (PydanticSerializationError, ValidationError) as error:
        raise AssertionError("events that cannot be stored") from error
