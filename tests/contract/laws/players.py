"""Laws of the computers that play: what they go by, that they keep the rules, and that playouts go as they play."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from players import Budget, legal, search
from players.player_model import Unschooled
from tests.contract.helper import Helper, Start
from tests.contract.laws.law import refusal_of
from tests.contract.walk import positions

DECISIONS = 16
"""How many decisions of a match are looked at; every fourth by a search, too."""
BRIEF = Budget(4, candidates=3)


def players_know_what_their_seat_knows(helper: Helper, start: Start) -> None:
    """What every level does is the same where all is changed that its seat cannot know, by the same chance."""
    rng = Random(start.seed)
    for number, (state, seat) in enumerate(_decisions(helper, start)):
        other, seed = helper.scramble(state, seat, rng), rng.getrandbits(64)
        made = _made(helper, state, seat, seed, searched=not number % 4)
        assert made == _made(helper, state, seat, seed, searched=not number % 4), "the same moment, and another move"
        assert made == _made(helper, other, seat, seed, searched=not number % 4), "a player knows what is hidden"


def players_go_on_from_anywhere(helper: Helper, start: Start) -> None:
    """Whatever others have done, also in a turn that is half over, every level makes a move that `check` lets pass."""
    rng = Random(start.seed)
    for number, (state, seat) in enumerate(_decisions(helper, start)):
        for move in _made(helper, state, seat, rng.getrandbits(64), searched=not number % 4):
            refusal = refusal_of(partial(helper.game.check, state, seat, move))
            assert refusal is None, f"a player makes an illegal move: {refusal.reason}"


def choices_need_the_view_alone(helper: Helper, start: Start) -> None:
    """A view can be sent to another process, and there the seat's moves are those that the match itself lists."""
    for state, seat in _decisions(helper, start):
        view = helper.game.view(state, seat)
        sent = pickle.loads(pickle.dumps(view))
        assert sent == view, "a view is another one where it arrives"
        assert list(legal(helper.game, sent)) == list(helper.game.moves(state, seat)), "other moves behind the view"


def playouts_go_as_the_policy_plays(helper: Helper, start: Start) -> None:
    """In a playout a seat does what the policy says to its view, by the same chance; that changes nothing by itself."""
    game, mind, rng = helper.game, helper.mind, Random(start.seed)
    for state, seat in _decisions(helper, start):
        before, seed = game.checkpoints.dump_json(state), rng.getrandbits(64)
        said = mind.choose(game.view(state, seat), game.moves(state, seat), Random(seed))
        assert mind.act(state, seat, Random(seed)) == said, "playouts go otherwise"
        assert game.checkpoints.dump_json(state) == before, "thinking of a move changes the state"


def _decisions(helper: Helper, start: Start) -> Iterator[tuple[Any, int]]:
    """Some of the decisions of a random match, also those that nobody waits for."""
    number = sum(len(helper.game.decisions(state)) for state in positions(helper, start))
    picked = set(Random(f"{start.seed} decisions").sample(range(number), min(DECISIONS, number)))
    every = chain.from_iterable(
        ((state, seat) for seat in helper.game.decisions(state)) for state in positions(helper, start)
    )
    yield from (each for at, each in enumerate(every) if at in picked)


def _made(helper: Helper, state: Any, seat: int, seed: int, *, searched: bool) -> Sequence[Any]:
    """What a playout, the policy, the policy with slips and a search do."""
    mind = helper.mind
    view, moves = helper.game.view(state, seat), helper.game.moves(state, seat)
    made = [each(view, moves, Random(seed)) for each in (mind.choose, mind.slip)]
    made.append(mind.act(state, seat, Random(seed)))
    if searched and len(moves) > 1 and (mind.budget is not None or isinstance(mind, Unschooled)):
        made.append(search(mind, view, moves, Random(seed), BRIEF).move)
    return made
