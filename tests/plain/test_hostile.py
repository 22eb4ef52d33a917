"""Hostile and clumsy people in the midst of live matches of every game: nothing gives way, and each gets an answer.

MOTLEY_INTERACTIONS says how many of theirs there are (`make soak-ci` asks for 20,000, `make soak` for a million). A
failure prints its seed; MOTLEY_SEED repeats that one run, and nothing else. MOTLEY_FIRST is the seed of the first
of many, which then follow each other: so a run goes on where another ended, and CI's are always the same.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cogs.table.actions import door
from cogs.table.commands import component_router
from cogs.table.state.block_list import BlockList
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording import narration
from engines.hosting.match import Match
from tests.plain.hostile_run import play_hostile_run

MOST = 100  # interactions of a run
SEED = os.environ.get("MOTLEY_SEED")
FIRST = os.environ.get("MOTLEY_FIRST")
WANTED = int(os.environ.get("MOTLEY_INTERACTIONS", "1000000" if os.environ.get("MOTLEY_SOAK") else "100"))
RUNS = 1 if SEED else -(-WANTED // MOST)
RUNS_TO_SEE = 12  # in which whatever gives way is surely seen
PARTS = min(8, -(-RUNS // 10))
AGAIN = "MOTLEY_SEED={} .venv/bin/python -m pytest tests/plain/test_hostile.py -k hostile_people_change_nothing"


@pytest.mark.timeout(100_000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_hostile_people_change_nothing(part: int) -> None:
    counted = Counter[str]()
    for number in range(part, RUNS, PARTS):
        seed = int(first_seed) + number if (first_seed := SEED or FIRST) else random.randrange(10**9)
        try:
            counted += await play_hostile_run(seed, MOST)
        except Exception as error:
            raise AssertionError(f"Run {seed}, to be repeated by {AGAIN.format(seed)}: {error}") from error
    print(dict(counted))
    few = RUNS < RUNS_TO_SEE * PARTS  # of which each may lack something
    assert few or all(counted[kind] > 0 for kind in ("m", "burst", "computers", "refused", "blocks")), counted


async def nothing(*arguments: object) -> None:
    pass


BROKEN: Mapping[str, tuple[str, Sequence[tuple[Any, str, Any]]]] = {
    "anybody moves": (
        "do not allow",
        [
            (
                Match,
                "_acting_seat",
                lambda match, user: match._require_running() and min(match.game.decisions(match.state)),
            )
        ],
    ),
    "strangers are admitted": ("do not allow", [(door, "require_reader", lambda asker, info: None)]),
    "anybody manages": (
        "do not allow",
        [(component_router, "managed_server", lambda interaction, elsewhere: interaction.guild_id or 0)],
    ),
    "nobody is shut out": (
        "somebody who is shut out",
        [(BlockList, "require_allowed", lambda *arguments, **more: None)],
    ),
    "names get through": (
        "gets through",
        [
            (narration, "seat_name", lambda seat: seat.name),
            (narration, "markdown_name", lambda name: name),
            (narration, "_seat_names", narration._seat_names.__wrapped__),  # whose cache knows the names of other runs
        ],
    ),
    "nobody says wait": ("no answer within", [(InteractionReply, "acknowledge_late", nothing)]),
}
"""Ways to break the bot, and what is said then."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("broken", BROKEN)
async def test_a_broken_bot_is_caught(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    error, breaks = BROKEN[broken]
    for each in breaks:
        monkeypatch.setattr(*each)

    async def play_runs() -> None:
        for seed in range(RUNS_TO_SEE):
            await play_hostile_run(seed, MOST)

    with pytest.raises(AssertionError, match=error):
        await play_runs()
