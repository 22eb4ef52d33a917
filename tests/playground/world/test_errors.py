"""Every error Discord would answer with, brought about at the running server."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import pytest

from playground.server import Playground
from playground.simulation.faults import Counted
from playground.simulation.interactions import Kind
from playground.world import ids
from playground.world.errors import DiscordError
from playground.world.world import Channel
from tests.playground.discord_rest import COMMANDS, GAMES, Answer, Rest
from tests.playground.manual_clock import ManualClock

HELLO = {"content": "Hello"}
Provoke = Callable[[Rest, ManualClock], Awaitable[Answer]]
PROVOKED: dict[DiscordError, Provoke] = {}


def provokes(error: DiscordError) -> Callable[[Provoke], Provoke]:
    """Note that a function brings an error about."""

    def note(provoke: Provoke) -> Provoke:
        PROVOKED[error] = provoke
        return provoke

    return note


async def started_thread(rest: Rest) -> Channel:
    """A thread in #games."""
    made = await rest.ask("POST", f"{GAMES}/threads", {"name": "Match", "type": 11})
    return rest.playground.house.world.channels[int(made.body["id"])]


async def in_locked_thread(rest: Rest) -> Answer:
    """A message to a thread that a moderator has locked."""
    channel = await started_thread(rest)
    assert channel.thread is not None
    channel.thread.locked = True
    return await rest.ask("POST", f"/channels/{channel.id}/messages", HELLO)


async def dm(rest: Rest, person: int) -> Answer:
    """A direct message to somebody."""
    opened = await rest.ask("POST", "/users/@me/channels", {"recipient_id": str(person)})
    return await rest.ask("POST", f"/channels/{opened.body['id']}/messages", HELLO)


@provokes(DiscordError.NO_ROUTE)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("GET", "/guilds/1/audit-logs")


@provokes(DiscordError.RATE_LIMITED)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    rest.playground.house.faults.begin(Counted.RATE_LIMIT, 1)
    return await rest.ask("GET", "/users/@me")


@provokes(DiscordError.SERVER_ERROR)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    rest.playground.house.faults.break_down(1, 500, "users")
    return await rest.ask("GET", "/users/@me")


@provokes(DiscordError.UNKNOWN_CHANNEL)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("POST", "/channels/1/messages", HELLO)


@provokes(DiscordError.UNKNOWN_GUILD)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    rest.playground.house.put_bot_out(rest.playground.house.world.home)
    return await rest.ask("GET", f"/guilds/{ids.GUILD}")


@provokes(DiscordError.UNKNOWN_MEMBER)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    del rest.playground.house.world.home.members[ids.GRETA]
    return await rest.ask("GET", f"/guilds/{ids.GUILD}/members/{ids.GRETA}")


@provokes(DiscordError.UNKNOWN_MESSAGE)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("PATCH", f"{GAMES}/messages/1", HELLO)


@provokes(DiscordError.UNKNOWN_USER)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("GET", "/users/1")


@provokes(DiscordError.UNKNOWN_WEBHOOK)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.by_token("POST", rest.interaction(), payload=HELLO)


@provokes(DiscordError.UNKNOWN_INTERACTION)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    interaction = rest.interaction()
    clock.advance(3.5)
    return await rest.respond(interaction, 4, HELLO)


@provokes(DiscordError.UNKNOWN_COMMAND)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("DELETE", f"{COMMANDS}/1")


@provokes(DiscordError.OLD_MESSAGE_EDITS)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    message = await rest.post()
    clock.advance(3601)
    for _ in range(3):
        assert (await rest.ask("PATCH", f"{GAMES}/messages/{message}", HELLO)).status == 200
    return await rest.ask("PATCH", f"{GAMES}/messages/{message}", HELLO)


@provokes(DiscordError.UNAUTHORIZED)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("GET", "/users/@me", token="stolen")


@provokes(DiscordError.DMS_TOO_FAST)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    rest.playground.house.faults.begin(Counted.DMS_TOO_FAST, 1)
    return await rest.ask("POST", "/users/@me/channels", {"recipient_id": str(ids.ADA)})


@provokes(DiscordError.ALREADY_ACKNOWLEDGED)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    interaction = rest.interaction()
    await rest.respond(interaction, 5)
    return await rest.respond(interaction, 4, HELLO)


@provokes(DiscordError.MISSING_ACCESS)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("GET", f"/channels/{ids.CELLAR}")


@provokes(DiscordError.WRONG_CHANNEL_TYPE)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    thread = await started_thread(rest)
    return await rest.ask("POST", f"/channels/{thread.id}/threads", {"name": "Inner"})


@provokes(DiscordError.NOT_THE_AUTHOR)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    house = rest.playground.house
    said = house.scribe.post(house.world.channels[ids.GAMES], ids.ADA, {"content": "Mine"})
    return await rest.ask("PATCH", f"{GAMES}/messages/{said.id}", HELLO)


@provokes(DiscordError.DM_CLOSED)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await dm(rest, ids.EMIL)


@provokes(DiscordError.MISSING_PERMISSIONS)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("POST", f"/channels/{ids.NO_BOTS}/messages", HELLO)


@provokes(DiscordError.INVALID_WEBHOOK_TOKEN)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    interaction = rest.interaction()
    await rest.respond(interaction, 4, HELLO)
    clock.advance(15 * 60 + 1)
    return await rest.by_token("PATCH", interaction, "/messages/@original", HELLO)


@provokes(DiscordError.INVALID_RECIPIENT)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("POST", "/users/@me/channels", {"recipient_id": "1"})


@provokes(DiscordError.INVALID_FORM)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("POST", f"{GAMES}/messages", {"content": "x" * 2001})


@provokes(DiscordError.THREAD_ARCHIVED)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    thread = await started_thread(rest)
    message = await rest.post(channel=thread.id)
    await rest.ask("PATCH", f"/channels/{thread.id}", {"archived": True})
    return await rest.ask("PATCH", f"/channels/{thread.id}/messages/{message}", HELLO)


@provokes(DiscordError.THREAD_CLOSED)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await in_locked_thread(rest)


@provokes(DiscordError.THREAD_LOCKED)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    rest.playground.house.faults.answer_locked(160005)
    return await in_locked_thread(rest)


@provokes(DiscordError.INVALID_JSON)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    return await rest.ask("PUT", COMMANDS, {"name": "no list"})


@provokes(DiscordError.ENTRY_POINT_LEFT_OUT)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    rest.playground.house.commands.switch_activities_on()
    return await rest.ask("PUT", COMMANDS, [{"name": "play", "description": "Plays"}])


@provokes(DiscordError.NO_MUTUAL_GUILD)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    del rest.playground.house.world.home.members[ids.FUMI]
    return await dm(rest, ids.FUMI)


@provokes(DiscordError.THREAD_EXISTS)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    path = f"{GAMES}/messages/{await rest.post()}/threads"
    await rest.ask("POST", path, {"name": "One"})
    return await rest.ask("POST", path, {"name": "Two"})


@provokes(DiscordError.TOO_MANY_THREADS)
async def _(rest: Rest, clock: ManualClock) -> Answer:
    rest.playground.house.faults.begin(Counted.TOO_MANY_THREADS, 1)
    return await rest.ask("POST", f"{GAMES}/threads", {"name": "Match", "type": 11})


def test_no_error_is_missed() -> None:
    assert set(PROVOKED) == set(DiscordError)


@pytest.mark.parametrize("error", PROVOKED, ids=lambda error: error.name)
async def test_error(error: DiscordError, playground: Playground, clock: ManualClock) -> None:
    async with Rest.to(playground) as rest:
        answer = await PROVOKED[error](rest, clock)
    assert answer.status == error.status
    if error is not DiscordError.SERVER_ERROR:
        assert answer.body["code"] == error.code
        assert answer.body["message"] == error.sentence


async def test_an_unknown_route_is_refused_loudly(playground: Playground, caplog: pytest.LogCaptureFixture) -> None:
    async with Rest.to(playground) as rest:
        answer = await rest.ask("POST", "/guilds/1/bans")
    assert answer.error == (404, 0)
    assert [record.levelno for record in caplog.records if "does not know" in record.message] == [logging.ERROR]
    assert playground.house.log.since(0)[-1]["status"] == 404


async def test_another_token_may_not_answer_for_an_interaction(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        interaction = rest.interaction()
        answer = await rest.ask("POST", f"/interactions/{interaction.id}/wrong/callback", {"type": 5})
        assert answer.error == (404, 10062)


@pytest.mark.parametrize(("kind", "callback"), [(Kind.COMMAND, 7), (Kind.MODAL_SUBMIT, 9), (Kind.AUTOCOMPLETE, 4)])
async def test_not_every_callback_fits_every_interaction(kind: Kind, callback: int, playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        answer = await rest.respond(rest.interaction(kind), callback, HELLO)
        assert answer.error == (400, 50035)
        assert "type" in answer.body["errors"]


async def test_rate_limits_are_kept_and_told(clock: ManualClock) -> None:
    async with Playground(clock=clock) as paced, Rest.to(paced) as rest:
        for left in (4, 3, 2, 1, 0):
            answer = await rest.ask("POST", f"{GAMES}/messages", HELLO)
            assert answer.headers["X-RateLimit-Remaining"] == str(left)
        refused = await rest.ask("POST", f"{GAMES}/messages", HELLO)
        assert refused.status == 429
        assert 0 < refused.body["retry_after"] <= 5
        assert (await rest.ask("POST", f"/channels/{ids.LOUNGE}/messages", HELLO)).status == 200
        clock.advance(refused.body["retry_after"] + 0.1)
        assert (await rest.ask("POST", f"{GAMES}/messages", HELLO)).status == 200


class OneMoment(ManualClock):
    """A clock that stands still, however long a test takes."""

    def __init__(self) -> None:
        super().__init__()
        self._moment = super().now()

    def now(self) -> float:
        return self._moment


async def test_fifty_requests_a_second_are_kept_over_all_routes_but_those_of_interactions() -> None:
    async with Playground(clock=OneMoment()) as paced, Rest.to(paced) as rest:
        asked = [await rest.ask("GET", path) for path in ("/users/@me", f"{GAMES}") for _ in range(25)]
        assert {answer.status for answer in asked} == {200}
        refused = await rest.ask("GET", f"/guilds/{ids.GUILD}")
        assert refused.status == 429
        assert refused.body["global"] is True
        assert 0 < refused.body["retry_after"] <= 1
        assert (refused.headers["X-RateLimit-Global"], refused.headers["X-RateLimit-Scope"]) == ("true", "global")
        assert "X-RateLimit-Bucket" not in refused.headers
        interaction = rest.interaction()
        assert (await rest.respond(interaction, 4, HELLO)).status == 200
        assert (await rest.by_token("POST", interaction, payload=HELLO)).status == 200


async def test_one_routes_limit_is_not_the_global_one(clock: ManualClock) -> None:
    async with Playground(clock=clock) as paced, Rest.to(paced) as rest:
        refused = [await rest.ask("POST", f"{GAMES}/messages", HELLO) for _ in range(6)][-1]
        assert (refused.status, refused.body["global"]) == (429, False)
        assert refused.headers["X-RateLimit-Scope"] == "user"
        assert "X-RateLimit-Global" not in refused.headers
