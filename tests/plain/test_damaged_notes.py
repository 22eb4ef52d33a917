"""What the bot has noted about a match and cannot read any more counts as not there: said in the log, kept anew."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import GAMES
from tests.plain.inn import PEOPLE, PlainBot, start_plain_bot
from tests.plain.payloads import GUILD

SEED = "7e" * 16
GAME = next(iter(GAMES.values()))
NAMES = PEOPLE[: max(GAME.seats[0], 2)]
DAMAGED = ['{"server":"The In', '{"server":1,"message":"x"}', "[[1]]", "", "\x00"]


def logged_warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


def only_complaint(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said, which is no error that nobody has foreseen."""
    assert not [record for record in caplog.records if record.exc_info]
    return logged_warnings(caplog)


async def make_move(inn: PlainBot, match: str) -> None:
    look = await inn.load_snapshot(match)
    seat = look.due_seats()[0]
    await inn.play_undrawn(look, seat, look.moves(seat)[0])
    await inn.show_match(match)


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_what_is_around_a_match_is_unknown_then_and_known_again_by_who_is_told_of_the_server(
    damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        shown, key, guild = inn.bot.surfaces, f"around {match}", inn.bot.get_guild(GUILD)
        assert guild is not None
        kept = await shown.read_note(key)
        assert kept
        assert guild.name in kept
        await shown.put_note(key, damaged)
        inn.bot._connection._remove_guild(guild)
        for _ in range(3):
            await make_move(inn, match)
        assert guild.name not in str(await inn.surface_message(match, "hand", 0))
        assert only_complaint(caplog) == [f"The note “{key}” is damaged and counts as missing."]
        assert await shown.read_note(key) == damaged, "nobody knows better"
        inn.bot._connection._add_guild(guild)
        await make_move(inn, match)
        assert await shown.read_note(key) == kept
        assert guild.name in str(await inn.surface_message(match, "hand", 0))
        assert len(only_complaint(caplog)) == 1


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_a_change_of_options_is_told_then(damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    async with start_plain_bot(SEED) as inn:
        await inn.run_command(NAMES[0], f"{GAME.key} new")
        ((match, _),) = inn.store.infos.items()
        lobby, key = await inn.surface_message(match, "lobby"), f"told {match}"
        await inn.click_control(NAMES[1], lobby, f"t:{match}:join")
        await inn.bot.surfaces.put_note(key, damaged)
        await inn.click_control(NAMES[0], lobby, f"v:{match}:clock", ["3 days"])
        told: list[Any] = [each for each in inn.wire.sent_requests if "options have changed" in each.body_text]
        assert len(told) == 1
        assert only_complaint(caplog) == [f"The note “{key}” is damaged and counts as missing."]
        kept = await inn.bot.surfaces.read_note(key)
        assert kept
        assert kept != damaged


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_the_match_goes_on_where_it_is_not_known_which_notices_have_buttons(
    damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        key = f"notices {match}"
        await inn.bot.surfaces.put_note(key, damaged)
        inn.bot.reconciler.surface_sync.notices.forget(match)  # as after a start
        for _ in range(3):
            await make_move(inn, match)
        await inn.click_control(NAMES[0], await inn.surface_message(match, "table"), f"t:{match}:leave")
        assert only_complaint(caplog) == [f"The note “{key}” is damaged and counts as missing."]
        kept = await inn.bot.surfaces.read_note(key)
        assert kept
        assert kept != damaged
