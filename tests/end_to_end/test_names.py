"""People are called all sorts of things. No name breaks a message, mentions anybody, or hides who somebody is."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.screens.truncation import utf16_length
from engines.store.match_store import Status
from tests.end_to_end.players import random_chooser
from tests.end_to_end.simulated_server import SimulatedServer, reply_text, start_world
from tests.messages import client_text, is_about_match, message_text

STRANGE = {
    "markdown": "**bold** `code` ||spoiler|| [link](https://example.org) # head",
    "long": "W" * 400,
    "addresses": "xhttps://a.example discord.gg/b",
    "everyone": "@everyone <@123456789012345678> <@&223456789012345678> @here",
    "right to left": "שלום",
    "override": "\u202eadA\u202d\u2066\u2069",
    "emoji": "🃏🧙\u200d♂️🃏",
    "nothing": "\u200b\u200d\ufeff",
    "signs": "<t:99:R></wizard new:1>",
    "family": "👩\u200d👩\u200d👧 می\u200cخواهم",
    "lines": "one\ntwo\r\n# three",
    "stacked": "Z" + "\u0334\u0335" * 40,
}
THREAD_CREATED = 18  # Discord's own note of a new thread, which mentions nobody


@pytest.fixture
async def odd(tmp_path: Path) -> AsyncIterator[SimulatedServer]:
    """A server in which everybody has a strange name; Ada's is her own."""
    async with start_world(tmp_path / "motley.db", ("Ada",), seed="5" * 32) as world:
        for key, name in STRANGE.items():
            world.people[key] = world.guild.add_member(world.env.create_user(key, global_name=name))
        yield world


@pytest.mark.parametrize("first", range(3))
async def test_a_match_of_people_with_strange_names(odd: SimulatedServer, first: int) -> None:
    names = list(STRANGE)[first::3]
    match = await odd.open_lobby("Ada", rounds=1)
    await odd.join_lobby(match, *names)
    assert len((await odd.lobby_text(match)).splitlines()) < 20
    await odd.start_match(match)
    await odd.leave_match(match, names[0])
    await odd.press_button(names[0], await odd.find_table(match), "Take the empty seat")
    await odd.play_out(match, random_chooser(1))
    assert await odd.status(match) is Status.OVER
    for message in [
        seen_message.message for seen_message in odd.seen_messages if seen_message.message["type"] != THREAD_CREATED
    ]:
        assert not message["mention_everyone"]
        assert len(message["mentions"]) <= 1
        text = message_text(message)
        for harm in ("@everyone", "@here", "<@&223456789012345678>", "\u202e"):
            assert harm not in client_text(message | {"thread": None})  # the name of a thread calls nobody
        assert "](https://example.org)" not in text.replace("\\]", "")
        assert not re.search(r"(?<!\\)https?:(?!//discord\.com/channels/)|discord\.gg/|<t:99|</", text)
        assert not [line for line in text.splitlines() if line.startswith("# three")]


async def test_refusals_show_harmless_names(odd: SimulatedServer) -> None:
    match = await odd.open_lobby("signs")
    await odd.join_lobby(match, "Ada", "addresses")
    reply = reply_text(await odd.press_button("Ada", await odd.find_lobby(match), "Start"))
    assert "The host is \\<t\\:99\\:R\\>" in reply
    await odd.start_match(match, "signs")
    await odd.leave_match(match, "addresses")
    reply = reply_text(await odd["Ada"].slash(odd.table, "wizard bid", tricks=0))
    assert "xhttps\\:\\/\\/a\\.example" in reply
    assert "https:" not in reply


async def test_names_in_a_lobby_have_a_letter_are_cut_and_shown_as_they_are_written(odd: SimulatedServer) -> None:
    match = await odd.open_lobby("long")
    await odd.join_lobby(match, "nothing", "emoji", "markdown")
    long, nothing, emoji, _ = [seat.name for seat in (await odd.load_snapshot(match)).info.seats]
    assert len(long) == 32
    assert nothing == "Somebody"
    assert emoji.startswith("🃏")
    assert "Somebody" in await odd.lobby_text(match)
    assert "**bold**" in await odd.lobby_text(match)  # in an alt text, which has no markdown


async def test_a_server_with_a_strange_name(odd: SimulatedServer) -> None:
    channel, people = odd.add_guild("*The* `Inn` @everyone \u202e", "Ada", "emoji", "lines")
    await people["Ada"].slash(channel, "wizard new")
    (info,) = await odd.bot.matches.lookup.find()
    for name, label in (("emoji", "Join"), ("lines", "Join"), ("Ada", "Start")):
        await odd.press_button(name, odd.public_messages(channel)[0], label)
    text = message_text(odd.newest_in_inbox("Ada"))
    assert is_about_match(odd.newest_in_inbox("Ada"), info.id)
    assert "\\*The\\*" in text
    assert "@everyone" not in text
    assert "\u202e" not in text


async def test_somebody_with_a_name_like_anothers(odd: SimulatedServer) -> None:
    odd.people["double"] = odd.guild.add_member(odd.env.create_user("double", global_name="Ada"))
    match = await odd.seat_and_start(("Ada", "double", "emoji"))
    await odd.leave_match(match, "double")
    assert [seat.gone for seat in (await odd.load_snapshot(match)).info.seats][:2] == ["", "left"]
    text = client_text(await odd.find_table(match))
    for letter in "AB":
        assert f"{letter}: no bid yet" in text or f"{letter}: deals, no bid" in text


async def test_the_thread_is_named_by_whole_characters_and_within_discords_limit(odd: SimulatedServer) -> None:
    for name in ("cards0", "cards1"):
        odd.people[name] = odd.guild.add_member(odd.env.create_user(name, global_name="🃏" * 32))
    for names in (("Ada", "cards0", "cards1"), ("long", "markdown", "everyone", "stacked", "emoji")):
        await odd.seat_and_start(names)
    first, second = [thread.name or "" for thread in odd.table.threads]
    assert first == f"Wizard: Ada, {'🃏' * 32}, {'🃏' * 10}…"
    assert utf16_length(first) <= 100
    assert 0 < len(second) <= 100
