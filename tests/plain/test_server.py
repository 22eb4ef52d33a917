"""What a server has chosen holds for every game alike: a table of each that is opened, filled and begun there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engines.store.match_store import Status
from engines.store.server_settings import UNTOUCHED, Server
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.engines.memory_store import MemoryStore
from tests.messages import labels
from tests.plain.inn import PEOPLE, Plain, plain
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.test_calls import MINUTE, called

CHOSEN = Server(frozenset({CHANNEL}), False, False, False, "5 minutes", own_lobbies=1, own_tables=1, tables=1)
NOWHERE = frozenset({CHANNEL + 1})


async def holds(inn: Plain, helper: Helper) -> None:
    """What was chosen holds for a table of that game. Raises AssertionError."""
    key, (host, *others) = helper.game.key, PEOPLE[: helper.game.seats[0]]
    await inn.slash(host, f"{key} new", **helper.short)
    ((match, info),) = inn.store.infos.items()
    assert info.house.clock == CHOSEN.clock, "the clock"
    lobby = await inn.surface(match, "lobby")
    await inn.click(host, lobby, f"t:{match}:computer-easy")
    assert "Add computer" not in labels(lobby), "computers"
    assert len(inn.store.infos[match].seats) == 1, "computers"
    await inn.slash(host, f"{key} new")
    assert len(inn.store.infos) == 1, "lobbies of one host"
    for other in others:
        await inn.click(other, lobby, f"t:{match}:join")
    since = len(inn.wire.sent)
    await inn.click(host, lobby, f"t:{match}:start")
    assert inn.store.infos[match].status is Status.RUNNING
    assert not any(each.path.endswith("/threads") for each in inn.wire.sent), "threads"
    await inn.later(MINUTE + 1)
    assert called(inn, since) == 0, "calls"
    assert not any(">, your turn" in each.said for each in inn.wire.sent), "calls"
    await inn.slash(host, f"{key} new")
    assert len(inn.store.infos) == 1, "tables of one host"
    await inn.slash(PEOPLE[-1], f"{key} new")
    assert len(inn.store.infos) == 1, "tables in all"
    await inn.matches.arrange(GUILD, lambda old: replace(old, channels=NOWHERE, own_tables=None, tables=None))
    await inn.slash(PEOPLE[-1], f"{key} new")
    assert len(inn.store.infos) == 1, "channels"
    await inn.matches.arrange(GUILD, lambda old: replace(old, channels=CHOSEN.channels))
    await inn.slash(PEOPLE[-1], f"{key} new")
    assert len(inn.store.infos) == 2, "channels that are chosen"


@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_what_a_server_has_chosen_holds_for_every_game(helper: Helper) -> None:
    async with plain("0a" * 16) as inn:
        inn.store.servers[GUILD] = CHOSEN
        await holds(inn, helper)


IGNORED: Mapping[str, str] = {
    "clock": "the clock",
    "computers": "computers",
    "own_lobbies": "lobbies of one host",
    "threads": "threads",
    "calls": "calls",
    "own_tables": "tables of one host",
    "tables": "tables in all",
    "channels": "channels",
}
"""Settings, and what is said where they do not hold."""


@pytest.mark.parametrize("name", IGNORED)
async def test_a_setting_that_does_not_hold_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def server(store: MemoryStore, guild: int) -> Server:
        return replace(store.servers[guild], **{name: getattr(UNTOUCHED, name)})

    bound: dict[str, dict[str, Any]] = {
        "own_lobbies": {"own_tables": None, "tables": None},
        "own_tables": {"tables": None},
    }
    async with plain("0a" * 16) as inn:
        inn.store.servers[GUILD] = replace(CHOSEN, **bound.get(name, {}))
        monkeypatch.setattr(MemoryStore, "server", server)
        with pytest.raises(AssertionError, match=f"^{IGNORED[name]}"):
            await holds(inn, HELPERS["wizard"])
