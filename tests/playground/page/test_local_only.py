"""Who may use the playground: pages of this machine and its own bot, on valid paths."""

from __future__ import annotations

from collections.abc import Mapping

import aiohttp
import pytest

from playground.page.local_only import is_local_request
from playground.server import Playground
from playground.simulation.simulation import Simulation
from playground.world import ids
from tests.playground.discord_rest import MESSAGES_PATH, RestClient

HOSTS, ORIGINS = ("evil.example", "127.0.0.1.evil.example:8750", "[::1"), ("http://evil.example", "http://[", "null")
FOREIGN = [*({"Host": host} for host in HOSTS), *({"Origin": origin} for origin in ORIGINS)]
PATHS = (
    f"/ /static/app.js /avatars/{ids.ADA}.svg /attachments/1/1/a.png /gateway /gateway/ /api/v10/gateway/bot "
    "/api/v10/nowhere /play/snapshot /play/requests /play/events /nowhere"
)


def test_only_this_machines_own_pages_may_ask() -> None:
    local_host, foreign = "127.0.0.1:8750", "evil.example"
    for host, origin in ((local_host, None), ("localhost:8750", "http://localhost:8750"), ("[::1]:8750", None)):
        assert is_local_request(host, origin), (host, origin)
    for origin in (f"http://{foreign}", "http://127.0.0.1:9999", "null", "http://["):
        assert not is_local_request(local_host, origin), origin
    for host in (f"{foreign}:8750", foreign, f"127.0.0.1.{foreign}", "[::1", ""):
        assert not is_local_request(host, None), host
    assert not is_local_request(foreign, f"http://{foreign}")


@pytest.mark.parametrize("headers", FOREIGN)
async def test_strangers_are_turned_away_everywhere(
    headers: Mapping[str, str], playground: Playground, session: aiohttp.ClientSession
) -> None:
    token = {"Authorization": f"Bot {playground.simulation.token}"}
    for path in PATHS.split():
        async with session.get(path, headers={**token, **headers}) as answer:
            assert answer.status == 403, path
    async with session.post("/play/act", json={}, headers=headers) as answer:
        assert answer.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await session.ws_connect("/gateway", headers=headers)
    assert refused.value.status == 403
    assert not playground.simulation.request_log.entries_since(0)
    async with session.ws_connect("/gateway") as line:
        assert (await line.receive_json())["op"] == 10


def test_the_token_is_drawn_again_at_every_start() -> None:
    tokens = {Simulation("http://127.0.0.1:1").token for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) >= 32 for token in tokens)


@pytest.mark.parametrize("odd", ["²", "١", "12²", "%C2%B2"])
async def test_a_number_that_is_none_is_nowhere(odd: str, rest: RestClient, session: aiohttp.ClientSession) -> None:
    for path in (f"/channels/{odd}", f"{MESSAGES_PATH}/{odd}", f"/users/{odd}", f"/guilds/{ids.GUILD}/members/{odd}"):
        assert (await rest.send_request("GET", path)).status_and_code == (404, 0), path
    answer = await rest.send_request("POST", f"/interactions/{odd}/token/callback", {"type": 5})
    assert answer.status_and_code == (404, 0)
    for path in (f"/attachments/{odd}/1/a.png", f"/attachments/1/{odd}/a.png", f"/avatars/{odd}.svg"):
        async with session.get(path) as found:
            assert found.status == 404, path
    async with session.get("/play/requests", params={"since": odd}) as response:
        assert response.status == 200


@pytest.mark.parametrize("odd", ["²", "x", "-1", "9" * 5000])
async def test_a_number_that_is_none_is_refused_in_a_form(odd: str, rest: RestClient) -> None:
    for key in ("before", "after", "around", "limit"):
        answer = await rest.send_request("GET", MESSAGES_PATH, query={key: odd})
        assert answer.status_and_code == (400, 50035), (key, answer)
    response = await rest.send_request("POST", "/users/@me/channels", {"recipient_id": odd})
    assert response.status_and_code == (400, 50033)
    reply = {"content": "x", "message_reference": {"message_id": odd}}
    assert (await rest.send_request("POST", MESSAGES_PATH, reply)).status_and_code == (400, 50035)


async def test_a_path_with_a_word_for_a_number_is_no_snowflake(rest: RestClient) -> None:
    for word in ("abc", "-1", "9" * 21):
        answer = await rest.send_request("GET", f"/channels/{word}")
        assert answer.status_and_code == (400, 50035)
        assert "snowflake" in str(answer.body["errors"]["channel_id"])
