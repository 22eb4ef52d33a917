"""What the bot has noted about a match and cannot read any more counts as not there: said in the log, kept anew."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import GAMES
from tests.plain.inn import PEOPLE, Plain, plain
from tests.plain.payloads import GUILD

SEED = "7e" * 16
GAME = next(iter(GAMES.values()))
NAMES = PEOPLE[: max(GAME.seats[0], 2)]
DAMAGED = ['{"server":"The In', '{"server":1,"message":"x"}', "[[1]]", "", "\x00"]


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said, which is no error that nobody has foreseen."""
    assert not [record for record in caplog.records if record.exc_info]
    return complaints(caplog)


async def move(inn: Plain, match: str) -> None:
    look = await inn.look(match)
    seat = look.due()[0]
    await inn.play(look, seat, look.moves(seat)[0])
    await inn.catch_up(match)


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_what_is_around_a_match_is_unknown_then_and_known_again_by_who_is_told_of_the_server(
    damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        shown, key, guild = inn.bot.shown, f"around {match}", inn.bot.get_guild(GUILD)
        assert guild is not None
        kept = await shown.note(key)
        assert kept
        assert guild.name in kept
        await shown.put_note(key, damaged)
        inn.bot._connection._remove_guild(guild)
        for _ in range(3):
            await move(inn, match)
        assert guild.name not in str(await inn.surface(match, "hand", 0))
        assert said(caplog) == [f"The note “{key}” is damaged and counts as not there."]
        assert await shown.note(key) == damaged, "nobody knows better"
        inn.bot._connection._add_guild(guild)
        await move(inn, match)
        assert await shown.note(key) == kept
        assert guild.name in str(await inn.surface(match, "hand", 0))
        assert len(said(caplog)) == 1


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_a_change_of_options_is_told_then(damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    async with plain(SEED) as inn:
        await inn.slash(NAMES[0], f"{GAME.key} new")
        ((match, _),) = inn.store.infos.items()
        lobby, key = await inn.surface(match, "lobby"), f"told {match}"
        await inn.click(NAMES[1], lobby, f"t:{match}:join")
        await inn.bot.shown.put_note(key, damaged)
        await inn.click(NAMES[0], lobby, f"v:{match}:clock", ["3 days"])
        told: list[Any] = [each for each in inn.wire.sent if "options have changed" in each.said]
        assert len(told) == 1
        assert said(caplog) == [f"The note “{key}” is damaged and counts as not there."]
        kept = await inn.bot.shown.note(key)
        assert kept
        assert kept != damaged


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_the_match_goes_on_where_it_is_not_known_which_notices_have_buttons(
    damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        key = f"notices {match}"
        await inn.bot.shown.put_note(key, damaged)
        inn.bot.keeper.showing.notices.forget(match)  # as after a start
        for _ in range(3):
            await move(inn, match)
        await inn.click(NAMES[0], await inn.surface(match, "table"), f"t:{match}:leave")
        assert said(caplog) == [f"The note “{key}” is damaged and counts as not there."]
        kept = await inn.bot.shown.note(key)
        assert kept
        assert kept != damaged
