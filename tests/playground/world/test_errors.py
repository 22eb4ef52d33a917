"""Every error that Discord would give, provoked on the running server."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from playground.server import Playground
from playground.simulation.faults import CountedFault
from playground.simulation.interactions import InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import ids
from playground.world.application_emoji import StoredEmoji
from playground.world.errors import DiscordError
from playground.world.world import Channel
from tests.playground.broken_limits import BREAKING_EXAMPLES
from tests.playground.discord_rest import COMMANDS_PATH, EMOJI_PATH, GAMES_PATH, MESSAGES_PATH, RestClient, RestResponse
from tests.playground.manual_clock import ManualClock

HELLO = {"content": "Hello"}
THREAD = {"name": "Match", "type": 11}
PLAYS = {"name": "play", "description": "Plays"}
TO_ADA = {"recipient_id": str(ids.ADA)}

REQUESTS: dict[DiscordError, tuple[str, str, Any]] = {
    DiscordError.NO_ROUTE: ("GET", "/guilds/1/audit-logs", None),
    DiscordError.RATE_LIMITED: ("GET", "/users/@me", None),
    DiscordError.BLOCKED: ("GET", "/users/@me", None),
    DiscordError.SERVER_ERROR: ("GET", "/users/@me", None),
    DiscordError.UNKNOWN_CHANNEL: ("POST", "/channels/1/messages", HELLO),
    DiscordError.UNKNOWN_GUILD: ("GET", f"/guilds/{ids.GUILD}", None),
    DiscordError.UNKNOWN_MEMBER: ("GET", f"/guilds/{ids.GUILD}/members/{ids.GRETA}", None),
    DiscordError.UNKNOWN_MESSAGE: ("PATCH", f"{MESSAGES_PATH}/1", HELLO),
    DiscordError.UNKNOWN_USER: ("GET", "/users/1", None),
    DiscordError.UNKNOWN_COMMAND: ("DELETE", f"{COMMANDS_PATH}/1", None),
    DiscordError.UNKNOWN_EMOJI: ("DELETE", f"{EMOJI_PATH}/1", None),
    DiscordError.TOO_MANY_EMOJI: ("POST", EMOJI_PATH, BREAKING_EXAMPLES["emoji.name"].payload | {"name": "club"}),
    DiscordError.DMS_TOO_FAST: ("POST", "/users/@me/channels", TO_ADA),
    DiscordError.QUARANTINED: ("POST", "/users/@me/channels", TO_ADA),
    DiscordError.MISSING_ACCESS: ("GET", f"/channels/{ids.CELLAR_CHANNEL}", None),
    DiscordError.MISSING_PERMISSIONS: ("POST", f"/channels/{ids.NO_BOTS_CHANNEL}/messages", HELLO),
    DiscordError.INVALID_RECIPIENT: ("POST", "/users/@me/channels", {"recipient_id": "1"}),
    DiscordError.INVALID_FORM: ("POST", MESSAGES_PATH, {"content": "x" * 2001}),
    DiscordError.INVALID_JSON: ("PUT", COMMANDS_PATH, {"name": "no list"}),
    DiscordError.ENTRY_POINT_LEFT_OUT: ("PUT", COMMANDS_PATH, [PLAYS]),
    DiscordError.TOO_MANY_THREADS: ("POST", f"{GAMES_PATH}/threads", THREAD),
}
PREPARATIONS: dict[DiscordError, Callable[[Simulation], object]] = {
    DiscordError.RATE_LIMITED: lambda house: house.faults.start_counted(CountedFault.RATE_LIMIT, 1),
    DiscordError.BLOCKED: lambda house: house.faults.start_counted(CountedFault.BLOCKED, 1),
    DiscordError.SERVER_ERROR: lambda house: house.faults.start_server_errors(1, 500, "users"),
    DiscordError.UNKNOWN_GUILD: lambda house: house.remove_bot(house.world.home_guild),
    DiscordError.UNKNOWN_MEMBER: lambda house: house.world.home_guild.members.pop(ids.GRETA),
    DiscordError.DMS_TOO_FAST: lambda house: house.faults.start_counted(CountedFault.DMS_TOO_FAST, 1),
    DiscordError.QUARANTINED: lambda house: house.faults.start_quarantine(),
    DiscordError.TOO_MANY_EMOJI: lambda house: house.emoji.by_id.update(
        {
            number: StoredEmoji(number, f"e{number}", b"", "image/png", house.world.users[ids.BOT])
            for number in range(2000)
        }
    ),
    DiscordError.THREAD_LOCKED: lambda house: house.faults.set_locked_answer(160005),
    DiscordError.ENTRY_POINT_LEFT_OUT: lambda house: house.commands.switch_activities_on(),
    DiscordError.NO_MUTUAL_GUILD: lambda house: house.world.home_guild.members.pop(ids.FUMI),
    DiscordError.TOO_MANY_THREADS: lambda house: house.faults.start_counted(CountedFault.TOO_MANY_THREADS, 1),
}


async def start_thread(rest: RestClient) -> Channel:
    created = await rest.send_request("POST", f"{GAMES_PATH}/threads", THREAD)
    return rest.simulation.world.channels[int(created.body["id"])]


async def post_in_locked_thread(rest: RestClient) -> RestResponse:
    channel = await start_thread(rest)
    assert channel.thread is not None
    channel.thread.locked = True
    return await rest.send_request("POST", f"/channels/{channel.id}/messages", HELLO)


async def send_dm(rest: RestClient, person: int) -> RestResponse:
    response = await rest.send_request("POST", "/users/@me/channels", {"recipient_id": str(person)})
    return await rest.send_request("POST", f"/channels/{response.body['id']}/messages", HELLO)


async def answer_too_late(rest: RestClient, clock: ManualClock) -> RestResponse:
    interaction = rest.start_interaction()
    clock.advance(3.5)
    return await rest.respond_first(interaction, 4, HELLO)


async def edit_old_message(rest: RestClient, clock: ManualClock) -> RestResponse:
    message = await rest.post_message()
    clock.advance(3601)
    for _ in range(3):
        assert (await rest.send_request("PATCH", f"{MESSAGES_PATH}/{message}", HELLO)).status == 200
    return await rest.send_request("PATCH", f"{MESSAGES_PATH}/{message}", HELLO)


async def answer_twice(rest: RestClient, clock: ManualClock) -> RestResponse:
    interaction = rest.start_interaction()
    await rest.respond_first(interaction, 5)
    return await rest.respond_first(interaction, 4, HELLO)


async def start_thread_in_thread(rest: RestClient, clock: ManualClock) -> RestResponse:
    thread = await start_thread(rest)
    return await rest.send_request("POST", f"/channels/{thread.id}/threads", {"name": "Inner"})


async def edit_message_of_ada(rest: RestClient, clock: ManualClock) -> RestResponse:
    games = rest.simulation.world.channels[ids.GAMES_CHANNEL]
    message = rest.simulation.message_builder.post_message(games, ids.ADA, {"content": "Mine"})
    return await rest.send_request("PATCH", f"{MESSAGES_PATH}/{message.id}", HELLO)


async def use_expired_token(rest: RestClient, clock: ManualClock) -> RestResponse:
    interaction = rest.start_interaction()
    await rest.respond_first(interaction, 4, HELLO)
    clock.advance(15 * 60 + 1)
    return await rest.send_by_token("PATCH", interaction, "/messages/@original", HELLO)


async def edit_in_archived_thread(rest: RestClient, clock: ManualClock) -> RestResponse:
    thread = await start_thread(rest)
    message = await rest.post_message(channel=thread.id)
    await rest.send_request("PATCH", f"/channels/{thread.id}", {"archived": True})
    return await rest.send_request("PATCH", f"/channels/{thread.id}/messages/{message}", HELLO)


async def start_second_thread(rest: RestClient, clock: ManualClock) -> RestResponse:
    path = f"{MESSAGES_PATH}/{await rest.post_message()}/threads"
    await rest.send_request("POST", path, {"name": "One"})
    return await rest.send_request("POST", path, {"name": "Two"})


STEPS: dict[DiscordError, Callable[[RestClient, ManualClock], Awaitable[RestResponse]]] = {
    DiscordError.UNKNOWN_WEBHOOK: lambda rest, _: rest.send_by_token("POST", rest.start_interaction(), payload=HELLO),
    DiscordError.UNKNOWN_INTERACTION: answer_too_late,
    DiscordError.OLD_MESSAGE_EDITS: edit_old_message,
    DiscordError.UNAUTHORIZED: lambda rest, _: rest.send_request("GET", "/users/@me", token="stolen"),
    DiscordError.ALREADY_ACKNOWLEDGED: answer_twice,
    DiscordError.WRONG_CHANNEL_TYPE: start_thread_in_thread,
    DiscordError.NOT_THE_AUTHOR: edit_message_of_ada,
    DiscordError.DM_CLOSED: lambda rest, _: send_dm(rest, ids.EMIL),
    DiscordError.INVALID_WEBHOOK_TOKEN: use_expired_token,
    DiscordError.THREAD_ARCHIVED: edit_in_archived_thread,
    DiscordError.THREAD_CLOSED: lambda rest, _: post_in_locked_thread(rest),
    DiscordError.THREAD_LOCKED: lambda rest, _: post_in_locked_thread(rest),
    DiscordError.NO_MUTUAL_GUILD: lambda rest, _: send_dm(rest, ids.FUMI),
    DiscordError.THREAD_EXISTS: start_second_thread,
}


def test_no_error_is_missed() -> None:
    assert {*REQUESTS, *STEPS} == set(DiscordError)


@pytest.mark.parametrize("error", DiscordError, ids=lambda error: error.name)
async def test_error(error: DiscordError, rest: RestClient, clock: ManualClock) -> None:
    if error in PREPARATIONS:
        PREPARATIONS[error](rest.simulation)
    answer = await (rest.send_request(*REQUESTS[error]) if error in REQUESTS else STEPS[error](rest, clock))
    assert answer.status == error.status
    if error is not DiscordError.SERVER_ERROR:
        assert (answer.body["code"], answer.body["message"]) == (error.code, error.sentence)


async def test_an_unknown_route_is_refused_loudly(caplog: pytest.LogCaptureFixture, rest: RestClient) -> None:
    answer = await rest.send_request("POST", "/guilds/1/bans")
    assert answer.status_and_code == (404, 0)
    assert [record.levelno for record in caplog.records if "does not implement" in record.message] == [logging.ERROR]
    assert rest.simulation.request_log.entries_since(0)[-1]["status"] == 404


async def test_not_every_callback_or_token_fits_every_interaction(rest: RestClient) -> None:
    path = f"/interactions/{rest.start_interaction().id}/wrong/callback"
    assert (await rest.send_request("POST", path, {"type": 5})).status_and_code == (404, 10062)
    kind = InteractionKind
    for kind_, callback in ((kind.COMMAND, 7), (kind.MODAL_SUBMIT, 9), (kind.AUTOCOMPLETE, 4)):
        answer = await rest.respond_first(rest.start_interaction(kind_), callback, HELLO)
        assert answer.status_and_code == (400, 50035)
        assert "type" in answer.body["errors"]


async def test_a_routes_rate_limit_is_kept_and_told(clock: ManualClock) -> None:
    async with Playground(clock=clock) as paced, RestClient.connect(paced) as rest:
        for left in (4, 3, 2, 1, 0):
            answer = await rest.send_request("POST", MESSAGES_PATH, HELLO)
            assert answer.headers["X-RateLimit-Remaining"] == str(left)
        response = await rest.send_request("POST", MESSAGES_PATH, HELLO)
        assert (response.status, response.body["global"]) == (429, False)
        assert response.headers["X-RateLimit-Scope"] == "user"
        assert "X-RateLimit-Global" not in response.headers
        assert 0 < response.body["retry_after"] <= 5
        assert (await rest.send_request("POST", f"/channels/{ids.LOUNGE_CHANNEL}/messages", HELLO)).status == 200
        clock.advance(response.body["retry_after"] + 0.1)
        assert (await rest.send_request("POST", MESSAGES_PATH, HELLO)).status == 200


async def test_fifty_requests_a_second_are_kept_over_all_routes_but_interactions(clock: ManualClock) -> None:
    clock.freeze()
    async with Playground(clock=clock) as paced, RestClient.connect(paced) as rest:
        answers = [await rest.send_request("GET", path) for path in ("/users/@me", f"{GAMES_PATH}") for _ in range(25)]
        assert {answer.status for answer in answers} == {200}
        response = await rest.send_request("GET", f"/guilds/{ids.GUILD}")
        assert response.status == 429
        assert response.body["global"] is True
        assert 0 < response.body["retry_after"] <= 1
        assert (response.headers["X-RateLimit-Global"], response.headers["X-RateLimit-Scope"]) == ("true", "global")
        assert "X-RateLimit-Bucket" not in response.headers
        interaction = rest.start_interaction()
        assert (await rest.respond_first(interaction, 4, HELLO)).status == 200
        assert (await rest.send_by_token("POST", interaction, payload=HELLO)).status == 200
