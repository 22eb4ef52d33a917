"""Hostile and clumsy people in the midst of live matches of every game: nothing gives way, and each gets an answer.

MOTLEY_INTERACTIONS says how many of theirs there are (`make soak-ci` asks for 20,000, `make soak` for a million). A
failure prints its seed; MOTLEY_SEED repeats that one evening, and nothing else. MOTLEY_FIRST is the seed of the first
of many, which then follow each other: so a run goes on where another ended, and CI's are always the same.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from cogs.table.actions import server_settings_actions
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages import lobby_pages
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording import narration
from engines.hosting.match import Match
from tests.plain.evening import play_evening

MOST = 100  # interactions of an evening
SEED = os.environ.get("MOTLEY_SEED")
FIRST = os.environ.get("MOTLEY_FIRST")
WANTED = int(os.environ.get("MOTLEY_INTERACTIONS", "1000000" if os.environ.get("MOTLEY_SOAK") else "100"))
EVENINGS = 1 if SEED else -(-WANTED // MOST)
EVENINGS_TO_SEE = 12  # in which whatever gives way is surely seen
PARTS = min(8, -(-EVENINGS // 10))
AGAIN = "MOTLEY_SEED={} .venv/bin/python -m pytest tests/plain/test_hostile.py -k nothing_gives_way"


def _seed(number: int) -> int:
    begin = SEED or FIRST
    return int(begin) + number if begin else random.randrange(10**9)


async def _play_evenings(many: int) -> None:
    for seed in range(many):
        await play_evening(seed, MOST)


async def _play_evening(seed: int) -> Counter[str]:
    try:
        return await play_evening(seed, MOST)
    except Exception as error:
        raise AssertionError(f"Evening {seed}, to be repeated by {AGAIN.format(seed)}: {error}") from error


@pytest.mark.timeout(100_000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_gives_way(part: int) -> None:
    counted = Counter[str]()
    for number in range(part, EVENINGS, PARTS):
        counted += await _play_evening(_seed(number))
    print(dict(counted))
    few = EVENINGS < EVENINGS_TO_SEE * PARTS  # of which each may lack something
    assert few or all(counted[kind] > 0 for kind in ("m", "burst", "computers")), counted


def anybody_moves(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(Match, "_acting_seat", lambda match, user: min(match.game.decisions(match.state), default=0))


def strangers_are_admitted(patched: pytest.MonkeyPatch) -> None:
    async def admit(desk: TableActions, asker: object, match: str) -> None:
        pass

    patched.setattr(TableActions, "check_access", admit)


def anybody_manages(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(server_settings_actions, "managed_server", lambda interaction, elsewhere: interaction.guild_id or 0)


def names_get_through(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(lobby_pages, "seat_name", lambda seat: seat.name)
    patched.setattr(narration, "markdown_name", lambda name: name)


def nobody_says_wait(patched: pytest.MonkeyPatch) -> None:
    async def acknowledge_late(answer: InteractionReply) -> None:
        pass

    patched.setattr(InteractionReply, "acknowledge_late", acknowledge_late)


BROKEN: Mapping[Callable[[pytest.MonkeyPatch], None], str] = {
    anybody_moves: "do not allow",
    strangers_are_admitted: "do not allow",
    anybody_manages: "do not allow",
    names_get_through: "gets through",
    nobody_says_wait: "no answer within",
}
"""Ways to break the bot, and what is said then."""


@pytest.mark.parametrize("broken", BROKEN, ids=lambda each: getattr(each, "__name__", None))
async def test_what_gives_way_is_caught(
    broken: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch)
    with pytest.raises(AssertionError, match=BROKEN[broken]):
        await _play_evenings(EVENINGS_TO_SEE)
