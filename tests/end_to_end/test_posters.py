"""Posting from direct messages where a match was played: only members who may write there do, by their name there.

In direct messages, Discord does not check whether somebody may still see the channel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from cogs.table.channels.posters import NO_PLACE, NOT_MEMBER, NOT_WRITER, find_poster
from engines.hosting.match import RequestRefused
from engines.store.match_store import Status
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.games import GAMES
from tests.messages import Message, message_text

PATHS = (
    ("Play again",),
    ("Watch again", "Watch together"),
    ("Watch again", "Play from here"),
    ("Share", "Post"),
)
"""The buttons below a result on a hand in direct messages that end in something for everybody."""
OPENING = tuple(path for path in PATHS if path[-1] in ("Play again", "Play from here"))
GAME = next(iter(GAMES))
NAMES = ("Ada", "Bela", "Chidi", "Dora")[: GAMES[GAME].seats[0]]  # Ada owns the server, and sees everything
Lose = Callable[[SimulatedServer], None]


def leave(w: SimulatedServer) -> None:
    w.leave_guild("Bela")


def lose_sight(w: SimulatedServer) -> None:
    w.hide_channel(w.table, "Bela")


def lose_voice(w: SimulatedServer) -> None:
    w.silence(w.table, "Bela")


async def finish(w: SimulatedServer) -> str:
    return await w.play_out_unseen(GAME, NAMES)


async def open_last(w: SimulatedServer, match: str, path: tuple[str, ...]) -> Message:
    """The message with the last button of the path."""
    message = w.find_hand("Bela", match)
    for label in path[:-1]:
        await w.press_button("Bela", message, label)
        message = w.newest_private("Bela")
    return message


async def press(w: SimulatedServer, match: str, path: tuple[str, ...]) -> str:
    return reply_text(await w.press_button("Bela", await open_last(w, match, path), path[-1]))


def shown_publicly(w: SimulatedServer) -> list[Message]:
    return [message for channel in (w.table, *w.table.threads) for message in w.public_messages(channel)]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[-1])
@pytest.mark.parametrize(("lose", "refusal"), [(leave, NOT_MEMBER), (lose_sight, NOT_WRITER), (lose_voice, NOT_WRITER)])
async def test_nobody_posts_where_they_may_not_write(
    server: SimulatedServer, path: tuple[str, ...], lose: Lose, refusal: str
) -> None:
    match = await finish(server)
    message = await open_last(server, match, path)
    before = shown_publicly(server)
    lose(server)
    assert refusal in reply_text(await server.press_button("Bela", message, path[-1]))
    assert shown_publicly(server) == before
    assert await server.bot.matches.lookup.find() == []


async def test_a_rematch_that_others_opened_seats_nobody_who_has_left(server: SimulatedServer) -> None:
    match = await finish(server)
    await server.press_button("Ada", server.find_hand("Ada", match), "Play again")
    leave(server)
    assert NOT_MEMBER in await press(server, match, ("Play again",))
    (info,) = await server.bot.matches.lookup.find()
    assert [seat.name for seat in info.seats] == ["Ada"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[-1])
async def test_members_post_by_the_name_that_the_server_knows(server: SimulatedServer, path: tuple[str, ...]) -> None:
    match = await finish(server)
    server.rename_member("Bela", "Captain")
    assert NOT_MEMBER not in await press(server, match, path)
    for info in await server.bot.matches.lookup.find():
        assert [seat.name for seat in info.seats if seat.user == server["Bela"].id] == ["Captain"]
    if path[-1] == "Post":
        assert "posted by Captain" in message_text(server.public_messages(server.thread)[-1])
    if path[-1] == "Play again":
        assert any("Captain would like to play again" in message_text(each) for each in shown_publicly(server))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[-1])
async def test_nothing_is_promised_if_the_channel_is_gone(server: SimulatedServer, path: tuple[str, ...]) -> None:
    match = await finish(server)
    message = await open_last(server, match, path)
    server.delete_channel(server.table)
    assert NO_PLACE in reply_text(await server.press_button("Bela", message, path[-1]))
    assert await server.bot.matches.lookup.find() == []


@pytest.mark.parametrize("path", OPENING, ids=lambda path: path[-1])
async def test_no_table_is_opened_where_the_bot_cannot_post_it(server: SimulatedServer, path: tuple[str, ...]) -> None:
    match = await finish(server)
    await press(server, match, ("Watch again", "Play from here"))
    (older,) = await server.bot.matches.lookup.find()
    message = await open_last(server, match, path)
    server.grant_permissions(server.table, attach_files=False)
    reply = reply_text(await server.press_button("Bela", message, path[-1]))
    assert "**Attach Files**" in reply
    assert f"<#{server.table.id}>" in reply
    (info,) = await server.bot.matches.lookup.find()
    assert (info.id, info.status) == (older.id, Status.RUNNING), "the older practice match goes on"


@pytest.mark.parametrize("path", OPENING, ids=lambda path: path[-1])
async def test_channels_that_allow_tables_are_named_to_those_who_see_them(
    server: SimulatedServer, path: tuple[str, ...]
) -> None:
    match = await finish(server)
    secret, visible = server.guild.create_text_channel("secret"), server.guild.create_text_channel("seen")
    server.hide_channel(secret, "Bela")
    await server.bot.matches.lobbies.change_server_settings(
        server.guild.id, lambda old: replace(old, channels=frozenset({secret.id, visible.id}))
    )
    reply = await press(server, match, path)
    assert "in the channel where this match was played" in reply
    assert f"<#{visible.id}>" in reply
    assert f"<#{secret.id}>" not in reply


async def test_practice_is_opened_again_in_a_thread_of_a_channel_that_allows_tables(
    server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await finish(server)
    channel, thread = server.table, server.thread
    monkeypatch.setattr(server, "table", thread)
    match = await finish(server)
    await server.bot.matches.lobbies.change_server_settings(
        server.guild.id, lambda old: replace(old, channels=frozenset({channel.id}))
    )
    assert "Your table is open" in await press(server, match, ("Watch again", "Play from here"))
    (practice,) = await server.bot.matches.lookup.find()
    assert practice.place.channel == thread.id


async def test_a_clip_is_posted_in_the_channel_if_the_thread_is_gone(server: SimulatedServer) -> None:
    match = await finish(server)
    message = await open_last(server, match, ("Share", "Post"))
    server.delete_channel(server.thread)
    await server.press_button("Bela", message, "Post")
    assert "posted by Bela" in message_text(server.public_messages(server.table)[-1])


async def test_a_process_without_the_server_finds_the_same(server: SimulatedServer) -> None:
    place = (await server.load_snapshot(await finish(server))).info.place
    server.rename_member("Bela", "Captain")
    near = await find_poster(server.bot, place, server["Bela"].id)
    server.patch(server.bot, "get_guild", lambda number: None)
    far = await find_poster(server.bot, place, server["Bela"].id)
    assert (far.member.display_name, far.lacking) == (near.member.display_name, near.lacking) == ("Captain", ())
    server.grant_permissions(server.table, attach_files=False)
    assert (await find_poster(server.bot, place, server["Bela"].id)).lacking == ("Attach Files",)
    lose_sight(server)
    with pytest.raises(RequestRefused, match=NOT_WRITER):
        await find_poster(server.bot, place, server["Bela"].id)
    leave(server)
    with pytest.raises(RequestRefused, match=NOT_MEMBER):
        await find_poster(server.bot, place, server["Bela"].id)
