"""Archived and locked threads: what the bot may do there, and what Discord answers if it may not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import discord
import pytest

from playground.page.client import PlaygroundClient, RequestRejected
from playground.simulation.interactions import InteractionKind
from playground.world import ids
from playground.world.permissions import Permission
from playground.world.world import EPHEMERAL, Channel, ThreadState
from tests.playground.discord_rest import GAMES_PATH, MESSAGES_PATH, RestClient, RestResponse
from tests.playground.jester_bot import JesterBot

ARCHIVED = (400, 50083)
LOCKED = (403, 50083)
FORBIDDEN = (403, 50013)


@dataclass
class PreparedThread:
    rest: RestClient
    channel: Channel
    message: str

    @property
    def thread_state(self) -> ThreadState:
        assert self.channel.thread is not None
        return self.channel.thread

    async def send(self, method: str, path: str = "", payload: Any = None) -> RestResponse:
        return await self.rest.send_request(method, f"/channels/{self.channel.id}{path}", payload)

    async def post_message(self) -> RestResponse:
        return await self.send("POST", "/messages", {"content": "More"})

    async def edit_message(self) -> RestResponse:
        return await self.send("PATCH", f"/messages/{self.message}", {"content": "Better"})

    async def delete_message(self) -> RestResponse:
        return await self.send("DELETE", f"/messages/{self.message}")

    async def change_thread(self, **body: Any) -> RestResponse:
        return await self.send("PATCH", payload=body)


async def make_test_thread(rest: RestClient, *, archived: bool = False, locked: bool = False) -> PreparedThread:
    created = await rest.send_request("POST", f"{GAMES_PATH}/threads", {"type": 11, "name": "Match"})
    message = await rest.post_message("The table", int(created.body["id"]))
    place = PreparedThread(rest, rest.simulation.world.channels[int(created.body["id"])], message)
    place.thread_state.archived, place.thread_state.locked = archived, locked
    return place


@pytest.mark.parametrize("archived", [False, True])
async def test_a_locked_thread_refuses_writing_and_changing(archived: bool, rest: RestClient) -> None:
    place = await make_test_thread(rest, archived=archived, locked=True)
    assert (await place.post_message()).status_and_code == LOCKED
    assert (await place.edit_message()).status_and_code == (ARCHIVED if archived else LOCKED)
    assert (await place.send("PUT", f"/thread-members/{ids.ADA}")).status_and_code == (ARCHIVED if archived else LOCKED)
    for change in ({"archived": False}, {"name": "New"}, {"archived": False, "locked": False}):
        assert (await place.change_thread(**change)).status_and_code == FORBIDDEN
    assert (place.thread_state.archived, place.thread_state.locked) == (archived, True)


@pytest.mark.parametrize("archived", [False, True])
async def test_people_who_may_manage_threads_are_not_locked_out(archived: bool, rest: RestClient) -> None:
    rest.simulation.world.home_guild.roles[ids.BOT_ROLE].permissions |= Permission.MANAGE_THREADS
    place = await make_test_thread(rest, archived=archived, locked=True)
    assert (await place.edit_message()).status == (400 if archived else 200)
    assert (await place.delete_message()).status == 204
    assert (await place.post_message()).status == 200
    assert (place.thread_state.archived, place.thread_state.locked) == (False, True)
    assert (await place.change_thread(locked=False)).status == 200
    assert not place.thread_state.locked


async def test_deleting_is_refused_only_if_it_is_locked_and_archived(rest: RestClient) -> None:
    for archived, locked, refused in ((True, False, None), (False, True, None), (True, True, LOCKED)):
        place = await make_test_thread(rest, archived=archived, locked=locked)
        answer = await place.delete_message()
        assert (answer.status_and_code if answer.body else None) == refused


async def test_an_archived_thread_is_opened_by_writing_and_by_anybody_who_may_write(rest: RestClient) -> None:
    place = await make_test_thread(rest, archived=True)
    assert (await place.edit_message()).status_and_code == ARCHIVED
    assert (await place.post_message()).status == 200
    assert not place.thread_state.archived
    place.thread_state.archived, place.thread_state.owner_id = True, ids.ADA
    assert (await place.change_thread(name="Mine")).status_and_code == FORBIDDEN
    assert (await place.change_thread(archived=False)).status == 200


async def test_an_interaction_in_a_locked_thread_is_answered_to_the_asker_alone(rest: RestClient) -> None:
    place, psst = await make_test_thread(rest, locked=True), {"content": "Psst", "flags": EPHEMERAL}
    message = rest.simulation.world.message(place.channel.id, int(place.message))
    component = InteractionKind.COMPONENT
    refused: list[tuple[int, Any]] = [(4, {"content": "To all"}), (7, {"content": "Changed"}), (5, {})]
    for kind, data in (*refused, (4, psst), (6, None)):
        clicked = rest.simulation.interactions.start_interaction(component, ids.ADA, place.channel, {}, source=message)
        answer = await rest.respond_first(clicked, kind, data)
        assert (answer.status_and_code if answer.status >= 400 else None) == (
            LOCKED if (kind, data) in refused else None
        )
    edited = await rest.send_by_token("PATCH", clicked, "/messages/@original", {"content": "Changed"})
    assert edited.status_and_code == LOCKED
    assert (await rest.send_by_token("POST", clicked, payload={"content": "To all"})).status_and_code == LOCKED
    assert (await rest.send_by_token("POST", clicked, payload=psst)).status == 200
    assert message.data["content"] == "The table"


@pytest.mark.parametrize(("code", "error"), [(50083, LOCKED), (50013, FORBIDDEN), (160005, (400, 160005))])
async def test_the_answer_to_a_lock_is_chosen(code: int, error: Any, rest: RestClient, page: PlaygroundClient) -> None:
    await page.cause_fault("locked_answer", code=code)
    place = await make_test_thread(rest, locked=True)
    assert (await place.post_message()).status_and_code == (await place.edit_message()).status_and_code == error
    await page.cause_fault("clear")
    assert (await place.post_message()).status_and_code == LOCKED
    with pytest.raises(RequestRejected):
        await page.cause_fault("locked_answer", code=10008)


async def test_a_moderator_locks_and_unlocks_and_nobody_else(rest: RestClient, page: PlaygroundClient) -> None:
    place = await make_test_thread(rest)
    ada, bela = page.player("Ada"), page.player("Bela")
    thread_id = str(place.channel.id)
    with pytest.raises(RequestRejected, match="may not"):
        await bela.act("lock", channel_id=thread_id, locked=True)
    await ada.act("lock", channel_id=thread_id, locked=True)
    assert (place.thread_state.archived, place.thread_state.locked) == (False, True)
    await page.wait_until(lambda: page.channels[thread_id]["thread_metadata"]["locked"], "the lock")
    with pytest.raises(RequestRejected, match="locked"):
        await bela.send_message("Hm", thread_id)
    await ada.send_message("Quiet, please", thread_id)
    await ada.act("archive", channel_id=thread_id)
    assert (place.thread_state.archived, place.thread_state.locked) == (True, True)
    await ada.act("archive", channel_id=thread_id, archived=False)
    await ada.act("lock", channel_id=thread_id, locked=False)
    await bela.send_message("At last", thread_id)
    with pytest.raises(RequestRejected, match="Only a thread"):
        await ada.act("lock", channel_id=str(ids.GAMES_CHANNEL), locked=True)


async def test_direct_messages_opened_too_fast_and_too_many_threads_are_refused(
    rest: RestClient, page: PlaygroundClient
) -> None:
    await page.cause_fault("dms_too_fast", count=2)
    await page.cause_fault("too_many_threads", count=1)
    to_ada = {"recipient_id": str(ids.ADA)}
    message = await rest.post_message("The table")
    answers = [await rest.send_request("POST", "/users/@me/channels", to_ada) for _ in range(3)]
    assert [answer.status for answer in answers] == [403, 403, 200]
    assert answers[0].status_and_code == (403, 40003)
    path = f"{MESSAGES_PATH}/{message}/threads"
    assert (await rest.send_request("POST", path, {"name": "Match"})).status_and_code == (400, 160006)
    assert (await rest.send_request("POST", path, {"name": "Match"})).status == 201
    await page.wait_until(lambda: not page.faults, "the end of the faults")


async def test_a_quarantine_refuses_first_contacts_from_a_given_one_on(
    rest: RestClient, page: PlaygroundClient
) -> None:
    async def open_dm(user: int) -> RestResponse:
        return await rest.send_request("POST", "/users/@me/channels", {"recipient_id": str(user)})

    async def send(channel: RestResponse) -> RestResponse:
        return await rest.send_request("POST", f"/channels/{channel.body['id']}/messages", {"content": "Your hand"})

    known = await open_dm(ids.ADA)
    assert (await send(known)).status == 200
    await page.cause_fault("quarantine", first=2)
    assert (await open_dm(ids.ADA)).status == 200, "she is no first contact"
    assert (await open_dm(ids.BELA)).status == 200
    for _ in range(2):
        assert (await open_dm(ids.CHIDI)).status_and_code == (403, 20026)
    assert page.faults == {"quarantine": {"first": 2, "step": "opening"}}
    await page.cause_fault("quarantine", first=1, step="sending")
    refused_channel = await open_dm(ids.CHIDI)
    assert (await send(refused_channel)).status_and_code == (403, 20026)
    assert (await send(known)).status == 200
    await page.cause_fault("clear")
    assert (await send(refused_channel)).status == 200
    await page.cause_fault("dms_refused", count=1)
    assert (await open_dm(ids.DORA)).status_and_code == (403, 50007)
    assert (await open_dm(ids.DORA)).status == 200
    for wrong in ({"first": 0}, {"step": "thinking"}):
        with pytest.raises(RequestRejected, match="not well formed"):
            await page.cause_fault("quarantine", **wrong)


async def test_a_thread_under_an_announcement_channel_is_of_its_own_type(rest: RestClient) -> None:
    news_path = f"/channels/{ids.NEWS_CHANNEL}"
    message = await rest.post_message("Hear, hear", ids.NEWS_CHANNEL)
    for path in (f"{news_path}/messages/{message}/threads", f"{news_path}/threads"):
        created = await rest.send_request("POST", path, {"name": "Match", "type": 10})
        assert (created.status, created.body["type"], created.body["parent_id"]) == (201, 10, str(ids.NEWS_CHANNEL))
        await rest.post_message("The table", int(created.body["id"]))
    for refused in ({"name": "Secret"}, {"name": "Secret", "type": 12}):
        assert (await rest.send_request("POST", f"{news_path}/threads", refused)).status_and_code == (400, 50024)


async def test_the_chat_of_a_voice_channel_is_for_those_who_may_connect(rest: RestClient) -> None:
    path = f"/channels/{ids.SNUG_CHANNEL}/messages"
    assert (await rest.send_request("POST", path, {"content": "x"})).status_and_code == (403, 50001)
    assert (await rest.send_request("GET", path)).status_and_code == (403, 50001)
    snug = rest.simulation.world.channels[ids.SNUG_CHANNEL]
    snug.overwrites = ()
    message = await rest.post_message("x", ids.SNUG_CHANNEL)
    assert len((await rest.send_request("GET", path)).body) == 1
    answer = await rest.send_request("POST", f"{path}/{message}/threads", {"name": "Match"})
    assert answer.status_and_code == (400, 50024)


async def test_discord_py_knows_the_channels_and_their_threads(visitor: PlaygroundClient, bot: JesterBot) -> None:
    news_channel, snug = bot.get_channel(ids.NEWS_CHANNEL), bot.get_channel(ids.SNUG_CHANNEL)
    assert isinstance(news_channel, discord.TextChannel)
    assert isinstance(snug, discord.VoiceChannel)
    assert news_channel.is_news()
    assert not snug.permissions_for(snug.guild.me).connect
    thread = await (await news_channel.send("Hear, hear")).create_thread(name="Match")
    assert thread.type is discord.ChannelType.news_thread
    interaction = asyncio.create_task(bot.wait_for("interaction", timeout=60))
    await visitor.player("Ada").run_command("plain new", "snug", rounds=1)
    assert not (await interaction).app_permissions.connect
