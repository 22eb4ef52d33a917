"""People are called all sorts of things. No name breaks a message, mentions anybody, or hides who somebody is."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.screens.truncation import utf16_length
from engines.store.match_store import Status
from tests.end_to_end.players import (
    find_lobby,
    find_table,
    join_lobby,
    leave_match,
    load_snapshot,
    open_lobby,
    play_out,
    random_chooser,
    start_match,
)
from tests.end_to_end.world import SimulatedServer, client_text, message_text, reply_text, start_world
from tests.messages import is_about_match

STRANGE = {
    "markdown": "**bold** `code` ||spoiler|| [link](https://example.org) # head",
    "everyone": "@everyone <@123456789012345678> <@&223456789012345678> @here",
    "right to left": "שלום",
    "override": "\u202eadA\u202d\u2066\u2069",
    "long": "W" * 400,
    "emoji": "🃏🧙\u200d♂️🃏",
    "nothing": "\u200b\u200d\ufeff",
    "addresses": "xhttps://a.example discord.gg/b",
    "signs": "<t:99:R></wizard new:1>",
    "family": "👩\u200d👩\u200d👧 می\u200cخواهم",
    "lines": "one\ntwo\r\n# three",
    "stacked": "Z" + "\u0334\u0335" * 40,
}
THREAD_CREATED = 18  # Discord's own note of a new thread, which mentions nobody


@pytest.fixture
async def odd(tmp_path: Path) -> AsyncIterator[SimulatedServer]:
    """A server in which everybody has a strange name; Ada's is her own."""
    async with start_world(tmp_path / "motley.db", ("Ada",), seed="5" * 32) as made:
        for key, name in STRANGE.items():
            made.people[key] = made.guild.add_member(made.env.create_user(key, global_name=name))
        yield made


@pytest.mark.parametrize(
    "names",
    [
        ("markdown", "everyone", "right to left", "override"),
        ("long", "emoji", "nothing", "lines", "stacked"),
        ("addresses", "signs", "family"),
    ],
)
async def test_a_match_of_people_with_strange_names(odd: SimulatedServer, names: tuple[str, ...]) -> None:
    match = await open_lobby(odd, "Ada", rounds=1)
    await join_lobby(odd, match, *names)
    assert len(message_text(await find_lobby(odd, match)).splitlines()) < 20
    await start_match(odd, match)
    await leave_match(odd, match, names[0])
    await odd.press_button(names[0], await find_table(odd, match), "Take the empty seat")
    await play_out(odd, match, random_chooser(1))
    assert (await load_snapshot(odd, match)).info.status is Status.OVER
    for message in [seen.message for seen in odd.seen_messages if seen.message["type"] != THREAD_CREATED]:
        assert not message["mention_everyone"]
        assert len(message["mentions"]) <= 1
        said = client_text(message)
        assert "@everyone" not in said
        assert "@here" not in said
        assert "<@&223456789012345678>" not in said
        assert "\u202e" not in said
        assert "](https://example.org)" not in message_text(message).replace("\\]", "")
        assert not re.search(r"(?<!\\)https?:(?!//discord\.com/channels/)|discord\.gg/|<t:99|</", message_text(message))
        for line in message_text(message).splitlines():
            assert not line.startswith("# three")


async def test_whoever_is_refused_something_reads_harmless_names(odd: SimulatedServer) -> None:
    match = await open_lobby(odd, "signs")
    await join_lobby(odd, match, "Ada", "addresses")
    said = reply_text(await odd.press_button("Ada", await find_lobby(odd, match), "Start"))
    assert "The host is \\<t\\:99\\:R\\>" in said
    await start_match(odd, match, "signs")
    await leave_match(odd, match, "addresses")
    said = reply_text(await odd["Ada"].slash(odd.table, "wizard bid", tricks=0))
    assert "xhttps\\:\\/\\/a\\.example" in said
    assert "https:" not in said


async def test_a_name_without_a_visible_letter_is_given_one(odd: SimulatedServer) -> None:
    match = await open_lobby(odd, "Ada")
    await join_lobby(odd, match, "nothing", "emoji")
    seats = (await load_snapshot(odd, match)).info.seats
    assert seats[1].name == "Somebody"
    assert seats[2].name.startswith("🃏")
    assert "Somebody" in message_text(await find_lobby(odd, match))


async def test_a_long_name_is_cut(odd: SimulatedServer) -> None:
    match = await open_lobby(odd, "long")
    assert len((await load_snapshot(odd, match)).info.seats[0].name) == 32


async def test_a_name_of_markdown_is_shown_as_it_is_written(odd: SimulatedServer) -> None:
    match = await open_lobby(odd, "markdown")
    assert "\\*\\*bold\\*\\*" in message_text(await find_lobby(odd, match))


async def test_the_threads_name_fits(odd: SimulatedServer) -> None:
    match = await open_lobby(odd, "long", rounds=1)
    await join_lobby(odd, match, "markdown", "everyone", "stacked", "emoji")
    await start_match(odd, match, "long")
    name = odd.thread.name
    assert name is not None
    assert len(name) <= 100


async def test_a_server_with_a_strange_name(odd: SimulatedServer) -> None:
    channel, people = odd.add_guild("*The* `Inn` @everyone \u202e", "Ada", "emoji", "lines")
    await people["Ada"].slash(channel, "wizard new")
    (info,) = await odd.bot.matches.find()
    (lobby_message,) = odd.public_messages(channel)
    for name in ("emoji", "lines"):
        await odd.press_button(name, lobby_message, "Join")
    await odd.press_button("Ada", odd.public_messages(channel)[0], "Start")
    said = message_text(odd.newest_in_inbox("Ada"))
    assert is_about_match(odd.newest_in_inbox("Ada"), info.id)
    assert "\\*The\\*" in said
    assert "@everyone" not in said
    assert "\u202e" not in said


async def test_somebody_with_a_name_like_anothers(odd: SimulatedServer) -> None:
    odd.people["double"] = odd.guild.add_member(odd.env.create_user("double", global_name="Ada"))
    match = await open_lobby(odd, "Ada", rounds=1)
    await join_lobby(odd, match, "double", "emoji")
    await start_match(odd, match)
    await leave_match(odd, match, "double")
    assert (await load_snapshot(odd, match)).info.seats[0].gone == ""
    assert (await load_snapshot(odd, match)).info.seats[1].gone == "left"
    said = client_text(await find_table(odd, match))
    for letter in "AB":
        assert f"{letter}: no bid yet" in said or f"{letter}: deals, no bid" in said


async def test_the_thread_is_named_by_whole_characters_and_within_discords_limit(odd: SimulatedServer) -> None:
    cards = [odd.guild.add_member(odd.env.create_user(f"cards{n}", global_name="🃏" * 32)) for n in range(2)]
    for n, person in enumerate(cards):
        odd.people[f"cards{n}"] = person
    match = await open_lobby(odd, "Ada", rounds=1)
    await join_lobby(odd, match, "cards0", "cards1")
    await start_match(odd, match)
    (thread,) = odd.table.threads
    assert thread.name is not None
    assert utf16_length(thread.name) <= 100
    assert thread.name == f"Wizard: Ada, {'🃏' * 32}, {'🃏' * 10}…"
