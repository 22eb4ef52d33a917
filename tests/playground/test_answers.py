"""Requests that are answered in memory, for a bot in the same process."""

from __future__ import annotations

from typing import Any

import pytest

from playground.rest.answers import BotRequest, answer_request
from playground.rest.request import ApiResponse
from playground.simulation.interactions import InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import ids
from playground.world.errors import DiscordError
from playground.world.messages import Upload
from playground.world.world import EPHEMERAL
from tests.playground.discord_rest import GAMES_PATH, MESSAGES_PATH
from tests.playground.manual_clock import ManualClock


@pytest.fixture
def simulation() -> Simulation:
    return Simulation("http://127.0.0.1:1", clock=ManualClock(), rate_limited=False)


async def send(simulation: Simulation, method: str, path: str, payload: Any = None, *files: Upload) -> ApiResponse:
    token = f"Bot {simulation.token}"
    return await answer_request(simulation, BotRequest(method, path, payload, uploads=files, authorization=token))


async def test_a_message_is_posted_in_memory_with_its_file(simulation: Simulation) -> None:
    posted = await send(simulation, "POST", MESSAGES_PATH, {"content": "Hello"}, Upload("files[0]", "a.txt", b"a"))
    assert posted.status == 200
    (message,) = simulation.world.messages[ids.GAMES_CHANNEL].values()
    assert posted.body == message.data
    file = simulation.world.find_file(ids.GAMES_CHANNEL, int(message.files[0]["id"]))
    assert file is not None
    assert file.data == b"a"


async def test_without_the_token_nothing_happens(simulation: Simulation) -> None:
    answer = await answer_request(simulation, BotRequest("POST", MESSAGES_PATH, {"content": "Hello"}))
    assert (answer.status, answer.body["code"]) == (401, DiscordError.UNAUTHORIZED.code)
    assert not simulation.world.messages[ids.GAMES_CHANNEL]


async def test_refusals_are_answers(simulation: Simulation) -> None:
    too_long = await send(simulation, "POST", MESSAGES_PATH, {"content": "x" * 2001})
    assert (too_long.status, too_long.body["code"]) == (400, DiscordError.INVALID_FORM.code)
    unknown = await send(simulation, "POST", f"{GAMES_PATH}/pins")
    assert (unknown.status, unknown.body["code"]) == (404, DiscordError.NO_ROUTE.code)


async def test_rate_limits_count_in_memory() -> None:
    simulation = Simulation("http://127.0.0.1:1", clock=ManualClock())
    answers = [await send(simulation, "POST", MESSAGES_PATH, {"content": "Hello"}) for _ in range(6)]
    assert [each.status for each in answers] == [200] * 5 + [429]
    assert answers[0].headers["X-RateLimit-Limit"] == "5"
    assert float(answers[-1].headers["Retry-After"]) > 0


async def test_an_interaction_is_opened_and_answered_without_the_gateway(simulation: Simulation) -> None:
    channel = simulation.world.channels[ids.GAMES_CHANNEL]
    interaction, payload = simulation.interactions.open_interaction(
        InteractionKind.COMMAND, ids.DORA, channel, {"name": "x"}
    )
    assert payload["member"]["user"]["id"] == str(ids.DORA)
    assert not simulation.request_log.entries_since(0)
    path = f"/interactions/{payload['id']}/{payload['token']}/callback"
    answer = await send(simulation, "POST", path, {"type": 4, "data": {"content": "Psst", "flags": EPHEMERAL}})
    assert answer.status == 204
    assert interaction.original is not None
    assert interaction.original.visible_to == ids.DORA
