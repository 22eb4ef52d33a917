"""What a server has chosen holds for every game alike: a table of each that is opened, filled and begun there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engines.store.match_store import Status
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.engines.memory_store import MemoryStore
from tests.messages import can_press
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.plain.test_calls import MINUTE, count_calls

CHOSEN = ServerSettings(frozenset({CHANNEL}), False, False, False, "5 minutes", own_lobbies=1, own_tables=1, tables=1)


async def check_settings_hold(plain_bot: PlainBot, helper: GameHelper) -> None:
    key, (host, *others) = helper.game.key, PEOPLE[: helper.game.seats[0]]
    match, lobby = await plain_bot.open_lobby(host, helper.game, **helper.short_options)
    assert plain_bot.store.infos[match].table_options.clock == CHOSEN.clock, "the clock"
    await plain_bot.click_control(host, lobby, f"t:{match}:computer-easy")
    assert not can_press(lobby, "Add computer"), "computers"
    assert len(plain_bot.store.infos[match].seats) == 1, "computers"
    await plain_bot.run_command(host, f"{key} new")
    assert len(plain_bot.store.infos) == 1, "lobbies of one host"
    for other in others:
        await plain_bot.click_control(other, lobby, f"t:{match}:join")
    start = len(plain_bot.wire.sent_requests)
    await plain_bot.click_control(host, lobby, f"t:{match}:start")
    assert plain_bot.store.infos[match].status is Status.RUNNING
    assert not any(each.path.endswith("/threads") for each in plain_bot.wire.sent_requests), "threads"
    await plain_bot.pass_time(MINUTE + 1)
    assert count_calls(plain_bot, start) == 0, "calls"
    assert not any(">, your turn" in each.body_text for each in plain_bot.wire.sent_requests), "calls"
    await plain_bot.run_command(host, f"{key} new")
    assert len(plain_bot.store.infos) == 1, "tables of one host"
    await plain_bot.run_command(PEOPLE[-1], f"{key} new")
    assert len(plain_bot.store.infos) == 1, "tables in all"
    nowhere: dict[str, Any] = {"channels": frozenset({CHANNEL + 1}), "own_tables": None, "tables": None}
    await plain_bot.matches.lobbies.change_server_settings(GUILD, lambda old: replace(old, **nowhere))
    await plain_bot.run_command(PEOPLE[-1], f"{key} new")
    assert len(plain_bot.store.infos) == 1, "channels"
    await plain_bot.matches.lobbies.change_server_settings(GUILD, lambda old: replace(old, channels=CHOSEN.channels))
    await plain_bot.run_command(PEOPLE[-1], f"{key} new")
    assert len(plain_bot.store.infos) == 2, "channels that are chosen"


@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_the_choices_of_a_server_hold_for_every_game(helper: GameHelper) -> None:
    async with start_plain_bot("0a" * 16) as plain_bot:
        plain_bot.store.servers[GUILD] = CHOSEN
        await check_settings_hold(plain_bot, helper)


IGNORED: Mapping[str, str] = {
    **{name: name for name in ("computers", "threads", "calls", "channels")},
    "clock": "the clock",
    "own_lobbies": "lobbies of one host",
    "own_tables": "tables of one host",
    "tables": "tables in all",
}
"""Settings, and what is said if they do not hold."""


@pytest.mark.parametrize("name", IGNORED)
async def test_a_setting_that_does_not_hold_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def server(store: MemoryStore, guild: int) -> ServerSettings:
        return replace(store.servers[guild], **{name: getattr(DEFAULT_SERVER_SETTINGS, name)})

    bound: dict[str, dict[str, Any]] = {"own_tables": {"tables": None}}
    bound["own_lobbies"] = {"own_tables": None, "tables": None}
    async with start_plain_bot("0a" * 16) as plain_bot:
        plain_bot.store.servers[GUILD] = replace(CHOSEN, **bound.get(name, {}))
        monkeypatch.setattr(MemoryStore, "server_settings", server)
        with pytest.raises(AssertionError, match=f"^{IGNORED[name]}"):
            await check_settings_hold(plain_bot, HELPERS["wizard"])
