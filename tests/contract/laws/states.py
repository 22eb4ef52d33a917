"""Laws of states as values: stored, copied, repeated; and of what comes out of them."""

from __future__ import annotations

import random
from random import Random

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from engines.kit.contract import Event
from tests.contract.graph import exactly, mutable_parts
from tests.contract.helper import Helper, Start
from tests.contract.walk import choose, positions, readers


def checkpoints_round_trip(helper: Helper, start: Start) -> None:
    """A state that was stored and read back is the same to the last type, and goes on in the same way."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.1):
        stored = game.checkpoints.dump_json(state)
        loaded = game.checkpoints.validate_json(stored)
        assert exactly(loaded) == exactly(state)
        assert game.checkpoints.dump_json(loaded) == stored
        going_on = game.copy(state)
        for _ in range(4 * start.seats):
            if not game.decisions(going_on):
                break
            seat, move = choose(helper, going_on, rng)
            assert game.play(going_on, seat, move) == game.play(loaded, seat, move), "it went on differently"
            assert game.view(going_on, seat) == game.view(loaded, seat)


def copies_share_nothing(helper: Helper, start: Start) -> None:
    """A copy is equal, has no mutable part in common, and playing on it leaves the original as it was."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.2):
        copy = game.copy(state)
        assert exactly(copy) == exactly(state)
        own = dict(mutable_parts(state))
        shared = [path for part, path in mutable_parts(copy) if part in own]
        assert not shared, f"shared: {shared}"
        before = game.checkpoints.dump_json(state)
        for _ in range(2 * start.seats):
            if game.decisions(copy):
                game.play(copy, *choose(helper, copy, rng))
        assert game.checkpoints.dump_json(state) == before


def values_are_frozen(helper: Helper, start: Start) -> None:
    """Views, moves, decisions and events have no part that could be changed."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.1):
        values = [game.view(state, seat) for seat in readers(start)]
        values += [move for seat in range(start.seats) for move in game.moves(state, seat)]
        values += game.decisions(state).values()
        if game.decisions(state):
            values += game.play(game.copy(state), *choose(helper, state, rng))
        for value in values:
            assert not list(mutable_parts(value)), f"mutable in {value}"


def the_same_seed_gives_the_same_match(helper: Helper, start: Start) -> None:
    """Same seed and moves ⇒ same events and states: nothing random comes from anywhere else (C1)."""
    game, rng = helper.game, Random(start.seed)
    random.seed(1)
    one = helper.begin(start)
    random.seed(2)
    two = helper.begin(start)
    assert exactly(one) == exactly(two)
    while game.decisions(one):
        seat, move = choose(helper, one, rng)
        random.seed(1)
        events = game.play(one, seat, move)
        random.seed(2)
        assert game.play(two, seat, move) == events
        assert one == two
    assert exactly(one) == exactly(two)


def events_can_be_stored_and_addressed(helper: Helper, start: Start) -> None:
    """Events read back from JSON as they were; a private one is for some of the seats, and never for a spectator."""
    game, rng = helper.game, Random(start.seed)
    state = helper.begin(start)
    while game.decisions(state):
        events = game.play(state, *choose(helper, state, rng))
        for event in events:
            if event.to is not None:
                assert set(event.to) <= set(range(start.seats)), "to nobody who plays"
                assert len(set(event.to)) == len(event.to)
                assert not event.seen_by(None)
        assert exactly(_stored(helper, events)) == exactly(events)


def _stored(helper: Helper, events: list[Event]) -> object:
    """The events as they come back from JSON."""
    try:
        return helper.game.events.validate_json(helper.game.events.dump_json(events, warnings="error"))
    except (PydanticSerializationError, ValidationError) as error:
        raise AssertionError("events that cannot be stored") from error
