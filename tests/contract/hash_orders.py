"""Matches in other processes, where sets of strings have other orders: `python -m tests.contract.hash_orders`."""

from __future__ import annotations

import atexit
import json
import os
import pickle
import sys
import traceback
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen

from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.contract.graph import comparable_value
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import choose_move
from tests.until_over import until_over

ROOT = Path(__file__).resolve().parents[2]
HASH_SEEDS = ("1", "2")

Digests = Mapping[str, str]
"""By part of a position, its digest."""


def match_in_each_order(helper: GameHelper, start: MatchStart) -> list[list[Digests]]:
    """For each of the seeds, the positions of a random match in a process that hashes strings by that seed."""
    processes = [_open_process(seed) for seed in HASH_SEEDS]
    for process in processes:
        assert process.stdin is not None
        print(pickle.dumps((type(helper), helper.game, start)).hex(), file=process.stdin, flush=True)
    replies = [json.loads(process.stdout.readline()) for process in processes if process.stdout is not None]
    for reply in replies:
        assert isinstance(reply, list), f"the match fails in the other process: {reply}"
    return replies


@cache
def _open_process(hash_seed: str) -> Popen[str]:
    """A process that plays matches on request until its input ends. One serves all laws, since imports are slow."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-m", "tests.contract.hash_orders"]
    process = Popen(command, env=environment, cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True)
    atexit.register(process.communicate)
    return process


def _play_match(helper: GameHelper, start: MatchStart) -> Iterator[Digests]:
    """At each position: the events of the last move, the state, the legal moves in order, a view and a sample of it."""
    game, rng, events = helper.game, Random(f"{start.seed} orders"), list[Event]()
    state = helper.start_state(start)
    for decisions in chain(until_over(game, state), ({},)):
        moves = [(seat, [*map(game.format_move, game.moves(state, seat))]) for seat in decisions]
        view = game.view(state, next(iter(decisions), None))
        parts = {
            "events": game.events_adapter.dump_json(events),
            "state": game.checkpoint_adapter.dump_json(state),
            "moves": repr(moves).encode(),
            "view": repr(comparable_value(view)).encode(),
            "sample": game.checkpoint_adapter.dump_json(game.sample(view, Chance(start.seed))),
        }
        yield {name: sha256(part).hexdigest() for name, part in parts.items()}
        if decisions:
            events = game.play(state, *choose_move(helper, state, rng))


def _answer_requests() -> None:
    for line in sys.stdin:
        kind, game, start = pickle.loads(bytes.fromhex(line))
        helper = kind()
        helper.game = game
        try:
            reply: object = [*_play_match(helper, start)]
        except Exception:  # noqa: BLE001  # a boundary: the other process reports it
            reply = traceback.format_exc()
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    _answer_requests()
