"""Threads that are archived or locked: what the bot may do there, and what Discord answers when it may not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import discord
import pytest

from playground.page.client import TurnedDown, Visitor
from playground.server import Playground
from playground.simulation.interactions import Kind
from playground.world import ids
from playground.world.permissions import Permission
from playground.world.world import EPHEMERAL, Channel, ThreadState
from tests.playground.discord_rest import GAMES, Answer, Rest
from tests.playground.jester_bot import JesterBot

ARCHIVED = (400, 50083)
LOCKED = (403, 50083)
FORBIDDEN = (403, 50013)


@dataclass
class Place:
    """A thread with one message in it."""

    rest: Rest
    channel: Channel
    message: str

    @property
    def state(self) -> ThreadState:
        """Whether it is archived or locked."""
        assert self.channel.thread is not None
        return self.channel.thread

    async def write(self) -> Answer:
        return await self.rest.ask("POST", f"/channels/{self.channel.id}/messages", {"content": "More"})

    async def edit(self) -> Answer:
        return await self.rest.ask(
            "PATCH", f"/channels/{self.channel.id}/messages/{self.message}", {"content": "Better"}
        )

    async def delete(self) -> Answer:
        return await self.rest.ask("DELETE", f"/channels/{self.channel.id}/messages/{self.message}")

    async def change(self, **body: Any) -> Answer:
        return await self.rest.ask("PATCH", f"/channels/{self.channel.id}", body)

    async def add(self) -> Answer:
        return await self.rest.ask("PUT", f"/channels/{self.channel.id}/thread-members/{ids.ADA}")


async def begin(rest: Rest, *, archived: bool = False, locked: bool = False) -> Place:
    """A thread of the bot's, then archived or locked by a moderator."""
    made = await rest.ask("POST", f"{GAMES}/threads", {"type": 11, "name": "Match"})
    message = await rest.post("The table", int(made.body["id"]))
    place = Place(rest, rest.playground.house.world.channels[int(made.body["id"])], message)
    place.state.archived, place.state.locked = archived, locked
    return place


def promote(playground: Playground) -> None:
    """Give the bot Manage Threads."""
    playground.house.world.home.roles[ids.BOT_ROLE].permissions |= Permission.MANAGE_THREADS


@pytest.mark.parametrize("archived", [False, True])
async def test_a_locked_thread_refuses_writing_and_changing(archived: bool, playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        place = await begin(rest, archived=archived, locked=True)
        assert (await place.write()).error == LOCKED
        assert (await place.edit()).error == (ARCHIVED if archived else LOCKED)
        assert (await place.add()).error == (ARCHIVED if archived else LOCKED)
        for change in ({"archived": False}, {"name": "New"}, {"archived": False, "locked": False}):
            assert (await place.change(**change)).error == FORBIDDEN
        assert (place.state.archived, place.state.locked) == (archived, True)


@pytest.mark.parametrize("archived", [False, True])
async def test_who_may_manage_threads_is_not_kept_out(archived: bool, playground: Playground) -> None:
    promote(playground)
    async with Rest.to(playground) as rest:
        place = await begin(rest, archived=archived, locked=True)
        assert (await place.edit()).status == (400 if archived else 200)
        assert (await place.delete()).status == 204
        assert (await place.write()).status == 200
        assert (place.state.archived, place.state.locked) == (False, True)
        assert (await place.change(locked=False)).status == 200
        assert not place.state.locked


async def test_deleting_is_refused_only_where_it_is_locked_and_archived(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        for archived, locked, refused in ((True, False, None), (False, True, None), (True, True, LOCKED)):
            place = await begin(rest, archived=archived, locked=locked)
            answer = await place.delete()
            assert (answer.error if answer.body else None) == refused


async def test_an_archived_thread_is_opened_by_writing_and_by_whoever_may_write(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        place = await begin(rest, archived=True)
        assert (await place.edit()).error == ARCHIVED
        assert (await place.write()).status == 200
        assert not place.state.archived
        place.state.archived, place.state.owner_id = True, ids.ADA
        assert (await place.change(name="Mine")).error == FORBIDDEN
        assert (await place.change(archived=False)).status == 200


async def test_an_interaction_in_a_locked_thread_is_answered_to_the_asker_alone(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        place = await begin(rest, locked=True)
        house = playground.house
        message = house.world.message(place.channel.id, int(place.message))
        for kind, data, answer in (
            (4, {"content": "To all"}, LOCKED),
            (7, {"content": "Changed"}, LOCKED),
            (5, {}, LOCKED),
            (4, {"content": "Psst", "flags": EPHEMERAL}, None),
            (6, None, None),
        ):
            clicked = house.interactions.begin(Kind.COMPONENT, ids.ADA, place.channel, {}, source=message)
            told = await rest.respond(clicked, kind, data)
            assert (told.error if told.status >= 400 else None) == answer, (kind, told)
        edited = await rest.by_token("PATCH", clicked, "/messages/@original", {"content": "Changed"})
        assert edited.error == LOCKED
        assert (await rest.by_token("POST", clicked, payload={"content": "To all"})).error == LOCKED
        assert (await rest.by_token("POST", clicked, payload={"content": "Psst", "flags": EPHEMERAL})).status == 200
        assert message.data["content"] == "The table"


@pytest.mark.parametrize(("code", "error"), [(50083, LOCKED), (50013, FORBIDDEN), (160005, (400, 160005))])
async def test_what_discord_says_of_a_lock_can_be_chosen(
    code: int, error: tuple[int, int], playground: Playground
) -> None:
    async with Rest.to(playground) as rest, Visitor.to(playground.base) as visitor:
        await visitor.fault("locked_answer", code=code)
        place = await begin(rest, locked=True)
        assert (await place.write()).error == (await place.edit()).error == error
        await visitor.fault("clear")
        assert (await place.write()).error == LOCKED
        with pytest.raises(TurnedDown):
            await visitor.fault("locked_answer", code=10008)


async def test_a_moderator_locks_and_unlocks_and_nobody_else(playground: Playground) -> None:
    async with Rest.to(playground) as rest, Visitor.to(playground.base) as visitor:
        place = await begin(rest)
        ada, bela = visitor.player("Ada"), visitor.player("Bela")
        here = str(place.channel.id)
        with pytest.raises(TurnedDown, match="may not"):
            await bela.act("lock", channel_id=here, locked=True)
        await ada.act("lock", channel_id=here, locked=True)
        assert (place.state.archived, place.state.locked) == (False, True)
        await visitor.until(lambda: visitor.channels[here]["thread_metadata"]["locked"], "the lock")
        with pytest.raises(TurnedDown, match="locked"):
            await bela.say("Hm", here)
        await ada.say("Quiet, please", here)
        await ada.act("archive", channel_id=here)
        assert (place.state.archived, place.state.locked) == (True, True)
        await ada.act("archive", channel_id=here, archived=False)
        await ada.act("lock", channel_id=here, locked=False)
        await bela.say("At last", here)
        with pytest.raises(TurnedDown, match="Only a thread"):
            await ada.act("lock", channel_id=str(ids.GAMES), locked=True)


async def test_direct_messages_opened_too_fast_and_too_many_threads(playground: Playground) -> None:
    async with Rest.to(playground) as rest, Visitor.to(playground.base) as visitor:
        await visitor.fault("dms_too_fast", count=2)
        await visitor.fault("too_many_threads", count=1)
        to_ada = {"recipient_id": str(ids.ADA)}
        message = await rest.post("The table")
        told = [await rest.ask("POST", "/users/@me/channels", to_ada) for _ in range(3)]
        assert [answer.status for answer in told] == [403, 403, 200]
        assert told[0].error == (403, 40003)
        begun = f"{GAMES}/messages/{message}/threads"
        assert (await rest.ask("POST", begun, {"name": "Match"})).error == (400, 160006)
        assert (await rest.ask("POST", begun, {"name": "Match"})).status == 201
        await visitor.until(lambda: not visitor.faults, "the end of the faults")


async def test_a_thread_under_an_announcement_channel_is_of_its_own_type(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        news = f"/channels/{ids.NEWS}"
        message = await rest.post("Hear, hear", ids.NEWS)
        for begun in (f"{news}/messages/{message}/threads", f"{news}/threads"):
            made = await rest.ask("POST", begun, {"name": "Match", "type": 10})
            assert (made.status, made.body["type"], made.body["parent_id"]) == (201, 10, str(ids.NEWS))
            await rest.post("The table", int(made.body["id"]))
        for refused in ({"name": "Secret"}, {"name": "Secret", "type": 12}):
            assert (await rest.ask("POST", f"{news}/threads", refused)).error == (400, 50024)


async def test_the_chat_of_a_voice_channel_is_for_those_who_may_connect(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        there = f"/channels/{ids.SNUG}/messages"
        assert (await rest.ask("POST", there, {"content": "x"})).error == (403, 50001)
        assert (await rest.ask("GET", there)).error == (403, 50001)
        snug = playground.house.world.channels[ids.SNUG]
        snug.overwrites = ()
        message = await rest.post("x", ids.SNUG)
        assert len((await rest.ask("GET", there)).body) == 1
        begun = await rest.ask("POST", f"{there}/{message}/threads", {"name": "Match"})
        assert begun.error == (400, 50024)


async def test_discord_py_knows_the_channels_and_their_threads(visitor: Visitor, bot: JesterBot) -> None:
    news, snug = bot.get_channel(ids.NEWS), bot.get_channel(ids.SNUG)
    assert isinstance(news, discord.TextChannel)
    assert isinstance(snug, discord.VoiceChannel)
    assert news.is_news()
    assert not snug.permissions_for(snug.guild.me).connect
    begun = await (await news.send("Hear, hear")).create_thread(name="Match")
    assert begun.type is discord.ChannelType.news_thread
    asked = asyncio.create_task(bot.wait_for("interaction", timeout=5))
    await visitor.player("Ada").command("plain new", "snug", rounds=1)
    assert not (await asked).app_permissions.connect
