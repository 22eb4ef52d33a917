"""Laws of the computers that play: what they go by, that they keep the rules, and that playouts go as they play."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from players import Budget, legal_moves, search
from players.pauses import LONGEST_PAUSE, SHORTEST_PAUSE, pause_before
from players.player_model import RulesOnlyModel
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.law import refusal_of
from tests.contract.walk import random_positions

DECISION_COUNT = 16
"""How many decisions of a match are looked at; every fourth by a search, too."""
PAUSE_WORLDS = 4
BRIEF_BUDGET = Budget(4, max_candidates=3)


def players_know_what_their_seat_knows(helper: GameHelper, start: MatchStart) -> None:
    """What every level does stays the same if everything is changed that its seat cannot know, by the same chance."""
    rng = Random(start.seed)
    for number, (state, seat) in enumerate(_some_decisions(helper, start)):
        other, seed = helper.scramble_hidden(state, seat, rng), rng.getrandbits(64)
        worlds = (state, state, other)
        one, repeated, other_choices = (
            _choices_made(helper, each, seat, seed, searched=not number % 4) for each in worlds
        )
        assert one == repeated, "the same moment, and another move"
        assert one == other_choices, "a player knows what is hidden"


def players_go_on_from_anywhere(helper: GameHelper, start: MatchStart) -> None:
    """Whatever others have done, also in a turn that is half over, every level makes a move that `check` lets pass."""
    rng = Random(start.seed)
    for number, (state, seat) in enumerate(_some_decisions(helper, start)):
        for move in _choices_made(helper, state, seat, rng.getrandbits(64), searched=not number % 4):
            refusal = refusal_of(partial(helper.game.check, state, seat, move))
            assert refusal is None, f"a player makes an illegal move: {refusal.reason}"


def choices_need_the_view_alone(helper: GameHelper, start: MatchStart) -> None:
    """A view can be sent to another process, and there the seat's moves are those that the match itself lists."""
    for state, seat in _some_decisions(helper, start):
        view = helper.game.view(state, seat)
        sent = pickle.loads(pickle.dumps(view))
        assert sent == view, "a view is another one where it arrives"
        assert list(legal_moves(helper.game, sent)) == list(helper.game.moves(state, seat)), (
            "other moves behind the view"
        )


def variety_begins_with_the_policys_move(helper: GameHelper, start: MatchStart) -> None:
    """Of the moves that are about as good, the policy's is the first; all are legal, and none comes twice."""
    rng = Random(start.seed)
    for state, seat in _some_decisions(helper, start):
        view, moves, seed = helper.game.view(state, seat), helper.game.moves(state, seat), rng.getrandbits(64)
        equal = list(helper.player_model.equal_moves(view, moves, Random(seed)))
        assert equal[:1] == [helper.player_model.choose_move(view, moves, Random(seed))], (
            "the policy's move is not first"
        )
        assert len(set(equal)) == len(equal), "a move comes twice, so it is made more often"
        for move in equal:
            refusal = refusal_of(partial(helper.game.check, state, seat, move))
            assert refusal is None, f"an illegal move is as good as others: {refusal.reason}"


def pauses_tell_nothing_hidden(helper: GameHelper, start: MatchStart) -> None:
    """Before each decision a computer pauses as long as in any other world behind what spectators see."""
    game, rng = helper.game, Random(start.seed)
    for state, seat in _some_decisions(helper, start):
        if not game.decisions(state)[seat].due:  # it is not waited for, so no pause is either
            continue
        worlds = [state, *(helper.scramble_hidden(state, None, rng) for _ in range(PAUSE_WORLDS))]
        pauses = {pause_before(game, game.view(world, None), seat, start.seed) for world in worlds}
        assert len(pauses) == 1, "the pause tells what is hidden"
        assert SHORTEST_PAUSE <= min(pauses) <= LONGEST_PAUSE


def playouts_go_as_the_policy_plays(helper: GameHelper, start: MatchStart) -> None:
    """In a playout a seat does what the policy says to its view, by the same chance; that changes nothing by itself."""
    game, player_model, rng = helper.game, helper.player_model, Random(start.seed)
    for state, seat in _some_decisions(helper, start):
        before, seed = game.checkpoint_adapter.dump_json(state), rng.getrandbits(64)
        move = player_model.choose_move(game.view(state, seat), game.moves(state, seat), Random(seed))
        assert player_model.choose_in_playout(state, seat, Random(seed)) == move, "playouts go otherwise"
        assert game.checkpoint_adapter.dump_json(state) == before, "thinking of a move changes the state"


def _some_decisions(helper: GameHelper, start: MatchStart) -> Iterator[tuple[Any, int]]:
    """Some of the decisions of a random match, also those that nobody waits for."""
    number = sum(len(helper.game.decisions(state)) for state in random_positions(helper, start))
    picked = set(Random(f"{start.seed} decisions").sample(range(number), min(DECISION_COUNT, number)))
    every = chain.from_iterable(
        ((state, seat) for seat in helper.game.decisions(state)) for state in random_positions(helper, start)
    )
    yield from (each for at, each in enumerate(every) if at in picked)


def _choices_made(helper: GameHelper, state: Any, seat: int, seed: int, *, searched: bool) -> Sequence[Any]:
    """What a playout, the policy, the policy with blunders and a search do, and what else is as good to the policy."""
    player_model = helper.player_model
    view, moves = helper.game.view(state, seat), helper.game.moves(state, seat)
    choices = [
        each(view, moves, Random(seed)) for each in (player_model.choose_move, player_model.choose_with_blunders)
    ]
    choices.append(player_model.choose_in_playout(state, seat, Random(seed)))
    choices += player_model.equal_moves(view, moves, Random(seed))
    if searched and len(moves) > 1 and (player_model.budget is not None or isinstance(player_model, RulesOnlyModel)):
        choices.append(search(player_model, view, moves, Random(seed), BRIEF_BUDGET).move)
    return choices
