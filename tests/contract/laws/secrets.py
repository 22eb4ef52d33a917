"""Laws of what a seat may know: from views, moves, screens and events, and what a sample may suppose."""

from __future__ import annotations

import random
from random import Random
from typing import Any

from engines.chance import Chance
from tests.contract.graph import exactly
from tests.contract.helper import Helper, Start
from tests.contract.walk import choose, positions, readers


def samples_look_the_same(helper: Helper, start: Start) -> None:
    """A sampled state has the same view, decisions and moves, and can be played on; one chance gives one state."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.06):
        for seat in readers(start):
            view = game.view(state, seat)
            chance = Chance(f"{rng.getrandbits(128):032x}")
            random.seed(1)
            sampled = game.sample(view, chance.copy())
            random.seed(2)
            assert exactly(game.sample(view, chance.copy())) == exactly(sampled), "two samples by one chance differ"
            assert game.view(sampled, seat) == view
            _same_choices(helper, state, sampled, seat)
            assert exactly(game.checkpoints.validate_json(game.checkpoints.dump_json(sampled))) == exactly(sampled)
            for _ in range(3 * start.seats):
                if game.decisions(sampled):
                    who, move = choose(helper, sampled, rng)
                    game.check(sampled, who, move)
                    game.play(sampled, who, move)


def nothing_hidden_is_told(helper: Helper, start: Start) -> None:
    """Changing all that a seat cannot know leaves its view, its moves, what is drawn and what it is told as they were.

    It is told the events of any move that both worlds allow, unless that move shows it something new.
    """
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.12):
        for seat in readers(start):
            other = helper.scramble(state, seat, rng)
            view = game.view(state, seat)
            assert game.view(other, seat) == view, "the view tells"
            _same_choices(helper, state, other, seat)
            assert _drawn(helper, start, state, seat) == _drawn(helper, start, other, seat), "a screen tells"
            other.chance = state.chance.copy()
            for actor in game.decisions(state):
                both = [move for move in game.moves(state, actor) if move in game.moves(other, actor)]
                for move in rng.sample(both, min(3, len(both))):
                    if not helper.reveals(state, seat, actor, move):
                        _same_told(helper, (state, other), seat, actor, move)


def _same_choices(helper: Helper, one: Any, two: Any, seat: int | None) -> None:
    """The seat has the same to decide in both, and sees the match wait for the same seats."""
    first, second = helper.game.decisions(one), helper.game.decisions(two)
    assert {who: decision.due for who, decision in first.items()} == {who: d.due for who, d in second.items()}
    if seat is not None:
        assert first.get(seat) == second.get(seat), "the decision differs"
        assert list(helper.game.moves(one, seat)) == list(helper.game.moves(two, seat)), "the moves differ"


def _drawn(helper: Helper, start: Start, state: Any, seat: int | None) -> object:
    decision = None if seat is None else helper.game.decisions(state).get(seat)
    moves = () if seat is None else helper.game.moves(state, seat)
    view = helper.game.view(state, seat)
    return str(view), helper.draw_screens(start, view, decision, moves)


def _same_told(helper: Helper, worlds: tuple[Any, Any], seat: int | None, actor: int, move: Any) -> None:
    game = helper.game
    told = []
    for world in worlds:
        state = game.copy(world)
        events = [event for event in game.play(state, actor, move) if event.seen_by(seat)]
        told.append((events, game.view(state, seat)))
    assert told[0][0] == told[1][0], f"the events of {game.write(move)} tell"
    assert told[0][1] == told[1][1], f"the view after {game.write(move)} tells"
