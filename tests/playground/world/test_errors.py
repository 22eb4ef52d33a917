"""Every error that Discord would give, provoked on the running server."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import pytest

from playground.server import Playground
from playground.simulation.faults import CountedFault
from playground.simulation.interactions import InteractionKind
from playground.world import ids
from playground.world.errors import DiscordError
from playground.world.world import Channel
from tests.playground.discord_rest import COMMANDS_PATH, GAMES_PATH, RestClient, RestResponse
from tests.playground.manual_clock import ManualClock

HELLO = {"content": "Hello"}
Provoke = Callable[[RestClient, ManualClock], Awaitable[RestResponse]]
PROVOKED: dict[DiscordError, Provoke] = {}


def provokes(error: DiscordError) -> Callable[[Provoke], Provoke]:
    """Mark a function that provokes an error."""

    def note(provoke: Provoke) -> Provoke:
        PROVOKED[error] = provoke
        return provoke

    return note


async def start_thread(rest: RestClient) -> Channel:
    """Start a thread in #games."""
    made = await rest.send_request("POST", f"{GAMES_PATH}/threads", {"name": "Match", "type": 11})
    return rest.playground.simulation.world.channels[int(made.body["id"])]


async def post_in_locked_thread(rest: RestClient) -> RestResponse:
    """Send a message to a thread that a moderator has locked."""
    channel = await start_thread(rest)
    assert channel.thread is not None
    channel.thread.locked = True
    return await rest.send_request("POST", f"/channels/{channel.id}/messages", HELLO)


async def send_dm(rest: RestClient, person: int) -> RestResponse:
    """Send a direct message to a person."""
    opened = await rest.send_request("POST", "/users/@me/channels", {"recipient_id": str(person)})
    return await rest.send_request("POST", f"/channels/{opened.body['id']}/messages", HELLO)


@provokes(DiscordError.NO_ROUTE)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("GET", "/guilds/1/audit-logs")


@provokes(DiscordError.RATE_LIMITED)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    rest.playground.simulation.faults.start_counted(CountedFault.RATE_LIMIT, 1)
    return await rest.send_request("GET", "/users/@me")


@provokes(DiscordError.SERVER_ERROR)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    rest.playground.simulation.faults.start_server_errors(1, 500, "users")
    return await rest.send_request("GET", "/users/@me")


@provokes(DiscordError.UNKNOWN_CHANNEL)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("POST", "/channels/1/messages", HELLO)


@provokes(DiscordError.UNKNOWN_GUILD)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    rest.playground.simulation.remove_bot(rest.playground.simulation.world.home_guild)
    return await rest.send_request("GET", f"/guilds/{ids.GUILD}")


@provokes(DiscordError.UNKNOWN_MEMBER)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    del rest.playground.simulation.world.home_guild.members[ids.GRETA]
    return await rest.send_request("GET", f"/guilds/{ids.GUILD}/members/{ids.GRETA}")


@provokes(DiscordError.UNKNOWN_MESSAGE)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("PATCH", f"{GAMES_PATH}/messages/1", HELLO)


@provokes(DiscordError.UNKNOWN_USER)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("GET", "/users/1")


@provokes(DiscordError.UNKNOWN_WEBHOOK)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_by_token("POST", rest.start_interaction(), payload=HELLO)


@provokes(DiscordError.UNKNOWN_INTERACTION)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    interaction = rest.start_interaction()
    clock.advance(3.5)
    return await rest.respond_first(interaction, 4, HELLO)


@provokes(DiscordError.UNKNOWN_COMMAND)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("DELETE", f"{COMMANDS_PATH}/1")


@provokes(DiscordError.OLD_MESSAGE_EDITS)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    message = await rest.post_message()
    clock.advance(3601)
    for _ in range(3):
        assert (await rest.send_request("PATCH", f"{GAMES_PATH}/messages/{message}", HELLO)).status == 200
    return await rest.send_request("PATCH", f"{GAMES_PATH}/messages/{message}", HELLO)


@provokes(DiscordError.UNAUTHORIZED)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("GET", "/users/@me", token="stolen")


@provokes(DiscordError.DMS_TOO_FAST)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    rest.playground.simulation.faults.start_counted(CountedFault.DMS_TOO_FAST, 1)
    return await rest.send_request("POST", "/users/@me/channels", {"recipient_id": str(ids.ADA)})


@provokes(DiscordError.ALREADY_ACKNOWLEDGED)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    interaction = rest.start_interaction()
    await rest.respond_first(interaction, 5)
    return await rest.respond_first(interaction, 4, HELLO)


@provokes(DiscordError.MISSING_ACCESS)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("GET", f"/channels/{ids.CELLAR_CHANNEL}")


@provokes(DiscordError.WRONG_CHANNEL_TYPE)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    thread = await start_thread(rest)
    return await rest.send_request("POST", f"/channels/{thread.id}/threads", {"name": "Inner"})


@provokes(DiscordError.NOT_THE_AUTHOR)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    house = rest.playground.simulation
    said = house.message_builder.post_message(house.world.channels[ids.GAMES_CHANNEL], ids.ADA, {"content": "Mine"})
    return await rest.send_request("PATCH", f"{GAMES_PATH}/messages/{said.id}", HELLO)


@provokes(DiscordError.DM_CLOSED)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await send_dm(rest, ids.EMIL)


@provokes(DiscordError.MISSING_PERMISSIONS)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("POST", f"/channels/{ids.NO_BOTS_CHANNEL}/messages", HELLO)


@provokes(DiscordError.INVALID_WEBHOOK_TOKEN)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    interaction = rest.start_interaction()
    await rest.respond_first(interaction, 4, HELLO)
    clock.advance(15 * 60 + 1)
    return await rest.send_by_token("PATCH", interaction, "/messages/@original", HELLO)


@provokes(DiscordError.INVALID_RECIPIENT)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("POST", "/users/@me/channels", {"recipient_id": "1"})


@provokes(DiscordError.INVALID_FORM)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("POST", f"{GAMES_PATH}/messages", {"content": "x" * 2001})


@provokes(DiscordError.THREAD_ARCHIVED)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    thread = await start_thread(rest)
    message = await rest.post_message(channel=thread.id)
    await rest.send_request("PATCH", f"/channels/{thread.id}", {"archived": True})
    return await rest.send_request("PATCH", f"/channels/{thread.id}/messages/{message}", HELLO)


@provokes(DiscordError.THREAD_CLOSED)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await post_in_locked_thread(rest)


@provokes(DiscordError.THREAD_LOCKED)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    rest.playground.simulation.faults.set_locked_answer(160005)
    return await post_in_locked_thread(rest)


@provokes(DiscordError.INVALID_JSON)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    return await rest.send_request("PUT", COMMANDS_PATH, {"name": "no list"})


@provokes(DiscordError.ENTRY_POINT_LEFT_OUT)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    rest.playground.simulation.commands.switch_activities_on()
    return await rest.send_request("PUT", COMMANDS_PATH, [{"name": "play", "description": "Plays"}])


@provokes(DiscordError.NO_MUTUAL_GUILD)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    del rest.playground.simulation.world.home_guild.members[ids.FUMI]
    return await send_dm(rest, ids.FUMI)


@provokes(DiscordError.THREAD_EXISTS)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    path = f"{GAMES_PATH}/messages/{await rest.post_message()}/threads"
    await rest.send_request("POST", path, {"name": "One"})
    return await rest.send_request("POST", path, {"name": "Two"})


@provokes(DiscordError.TOO_MANY_THREADS)
async def _(rest: RestClient, clock: ManualClock) -> RestResponse:
    rest.playground.simulation.faults.start_counted(CountedFault.TOO_MANY_THREADS, 1)
    return await rest.send_request("POST", f"{GAMES_PATH}/threads", {"name": "Match", "type": 11})


def test_no_error_is_missed() -> None:
    assert set(PROVOKED) == set(DiscordError)


@pytest.mark.parametrize("error", PROVOKED, ids=lambda error: error.name)
async def test_error(error: DiscordError, playground: Playground, clock: ManualClock) -> None:
    async with RestClient.connect(playground) as rest:
        answer = await PROVOKED[error](rest, clock)
    assert answer.status == error.status
    if error is not DiscordError.SERVER_ERROR:
        assert answer.body["code"] == error.code
        assert answer.body["message"] == error.sentence


async def test_an_unknown_route_is_refused_loudly(playground: Playground, caplog: pytest.LogCaptureFixture) -> None:
    async with RestClient.connect(playground) as rest:
        answer = await rest.send_request("POST", "/guilds/1/bans")
    assert answer.status_and_code == (404, 0)
    assert [record.levelno for record in caplog.records if "does not implement" in record.message] == [logging.ERROR]
    assert playground.simulation.request_log.entries_since(0)[-1]["status"] == 404


async def test_another_token_may_not_answer_for_an_interaction(playground: Playground) -> None:
    async with RestClient.connect(playground) as rest:
        interaction = rest.start_interaction()
        answer = await rest.send_request("POST", f"/interactions/{interaction.id}/wrong/callback", {"type": 5})
        assert answer.status_and_code == (404, 10062)


@pytest.mark.parametrize(
    ("kind", "callback"),
    [(InteractionKind.COMMAND, 7), (InteractionKind.MODAL_SUBMIT, 9), (InteractionKind.AUTOCOMPLETE, 4)],
)
async def test_not_every_callback_fits_every_interaction(
    kind: InteractionKind, callback: int, playground: Playground
) -> None:
    async with RestClient.connect(playground) as rest:
        answer = await rest.respond_first(rest.start_interaction(kind), callback, HELLO)
        assert answer.status_and_code == (400, 50035)
        assert "type" in answer.body["errors"]


async def test_rate_limits_are_kept_and_told(clock: ManualClock) -> None:
    async with Playground(clock=clock) as paced, RestClient.connect(paced) as rest:
        for left in (4, 3, 2, 1, 0):
            answer = await rest.send_request("POST", f"{GAMES_PATH}/messages", HELLO)
            assert answer.headers["X-RateLimit-Remaining"] == str(left)
        refused = await rest.send_request("POST", f"{GAMES_PATH}/messages", HELLO)
        assert refused.status == 429
        assert 0 < refused.body["retry_after"] <= 5
        assert (await rest.send_request("POST", f"/channels/{ids.LOUNGE_CHANNEL}/messages", HELLO)).status == 200
        clock.advance(refused.body["retry_after"] + 0.1)
        assert (await rest.send_request("POST", f"{GAMES_PATH}/messages", HELLO)).status == 200


class OneMoment(ManualClock):
    """A clock that stands still, however long a test takes."""

    def __init__(self) -> None:
        super().__init__()
        self._moment = super().now()

    def now(self) -> float:
        return self._moment


async def test_fifty_requests_a_second_are_kept_over_all_routes_but_those_of_interactions() -> None:
    async with Playground(clock=OneMoment()) as paced, RestClient.connect(paced) as rest:
        asked = [await rest.send_request("GET", path) for path in ("/users/@me", f"{GAMES_PATH}") for _ in range(25)]
        assert {answer.status for answer in asked} == {200}
        refused = await rest.send_request("GET", f"/guilds/{ids.GUILD}")
        assert refused.status == 429
        assert refused.body["global"] is True
        assert 0 < refused.body["retry_after"] <= 1
        assert (refused.headers["X-RateLimit-Global"], refused.headers["X-RateLimit-Scope"]) == ("true", "global")
        assert "X-RateLimit-Bucket" not in refused.headers
        interaction = rest.start_interaction()
        assert (await rest.respond_first(interaction, 4, HELLO)).status == 200
        assert (await rest.send_by_token("POST", interaction, payload=HELLO)).status == 200


async def test_one_routes_limit_is_not_the_global_one(clock: ManualClock) -> None:
    async with Playground(clock=clock) as paced, RestClient.connect(paced) as rest:
        refused = [await rest.send_request("POST", f"{GAMES_PATH}/messages", HELLO) for _ in range(6)][-1]
        assert (refused.status, refused.body["global"]) == (429, False)
        assert refused.headers["X-RateLimit-Scope"] == "user"
        assert "X-RateLimit-Global" not in refused.headers
