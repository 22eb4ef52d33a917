"""Two promises about private (ephemeral) messages: nobody else acts on them, and the gateway tells nobody of them."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from playground.simulation.interactions import Interaction
from playground.simulation.request_log import TO_BOT
from playground.world import ids
from playground.world.world import EPHEMERAL
from tests.playground.broken_limits import action_row, button, string_select
from tests.playground.discord_rest import MESSAGES_PATH, RestClient
from tests.playground.jester_bot import make_form
from tests.playground.simulation.test_gateway import identify

ALL_INTENTS = (1 << 22) - 1
CONTROLS = [action_row(button("secret")), action_row(string_select(custom_id="pick"))]
OTHERS = {"the owner": ids.ADA, "a member": ids.BELA}
ACTS: dict[str, dict[str, Any]] = {
    "click": {"do": "click", "custom_id": "secret"},
    "forged click": {"do": "click", "custom_id": "anything", "unchecked": True},
    "selection": {"do": "select", "custom_id": "pick", "values": ["0"]},
    "forged selection": {"do": "select", "custom_id": "pick", "values": ["x"], "unchecked": True},
    "deletion": {"do": "delete_message"},
}


async def answer_privately(rest: RestClient, **body: Any) -> tuple[Interaction, str]:
    """Dora's interaction, answered by a message that only she sees; with the message's id."""
    interaction = rest.start_interaction(person=ids.DORA)
    response = (await rest.respond_first(interaction, 4, {"content": "Psst", "flags": EPHEMERAL, **body})).body
    return interaction, str(response["resource"]["message"]["id"])


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_nobody_else_acts_on_a_private_message(
    act: dict[str, Any], other: int, rest: RestClient, session: aiohttp.ClientSession
) -> None:
    wire = identify(rest.simulation, ALL_INTENTS)
    _, message = await answer_privately(rest, components=CONTROLS)
    before = len(wire.frames)
    act = {**act, "channel_id": str(ids.GAMES_CHANNEL), "message_id": message}
    async with session.post("/play/act", json={"person": str(other), **act}) as answer:
        assert (answer.status, await answer.json()) == (409, {"error": "Unknown Message."})
    assert len(wire.frames) == before, "nothing reaches the bot"
    async with session.post("/play/act", json={"person": str(ids.DORA), **act}) as answer:
        assert answer.status == 200, "its reader may"
    assert act["do"] == "delete_message" or wire.event_names[-1] == "INTERACTION_CREATE"


async def test_nobody_else_submits_the_form_of_a_private_message(
    rest: RestClient, session: aiohttp.ClientSession
) -> None:
    wire = identify(rest.simulation, ALL_INTENTS)
    _, message = await answer_privately(rest, components=CONTROLS)
    click = {**ACTS["click"], "channel_id": str(ids.GAMES_CHANNEL), "message_id": message}
    async with session.post("/play/act", json={"person": str(ids.DORA), **click}) as answer:
        interaction = rest.simulation.interactions.find_interaction(int((await answer.json())["interaction_id"]))
    assert interaction is not None
    await rest.respond_first(interaction, 9, make_form().to_dict())
    before = len(wire.frames)
    form = {
        "do": "modal",
        "interaction_id": str(interaction.id),
        "custom_id": "the-form",
        "components": [],
        "unchecked": True,
    }
    for other in OTHERS.values():
        async with session.post("/play/act", json={"person": str(other), **form}) as answer:
            assert (answer.status, await answer.json()) == (409, {"error": "You have no such form open."})
    assert len(wire.frames) == before
    async with session.post("/play/act", json={"person": str(ids.DORA), **form}) as answer:
        assert answer.status == 200, "its reader may"
    assert wire.event_names[-1] == "INTERACTION_CREATE"


async def test_the_gateway_tells_nobody_of_private_messages(rest: RestClient, session: aiohttp.ClientSession) -> None:
    """Neither of an answer and a follow-up, nor of a deferred one, their edits and their ends."""
    wires = [identify(rest.simulation, intents) for intents in (ALL_INTENTS, 1 << 0)]
    before = [wire.event_names for wire in wires]
    interaction, first = await answer_privately(rest)
    more = (await rest.send_by_token("POST", interaction, payload={"content": "More", "flags": EPHEMERAL})).body["id"]
    deferred = rest.start_interaction(person=ids.DORA)
    await rest.respond_first(deferred, 5, {"flags": EPHEMERAL})
    await rest.send_by_token("PATCH", deferred, "/messages/@original", {"content": "Done"})
    for tail in (f"/messages/{more}", "/messages/@original"):
        assert (await rest.send_by_token("PATCH", interaction, tail, {"content": "Changed"})).status == 200
    assert (await rest.send_by_token("DELETE", interaction, f"/messages/{more}")).status == 204
    deletion = {"do": "delete_message", "channel_id": str(ids.GAMES_CHANNEL), "message_id": first}
    async with session.post("/play/act", json={"person": str(ids.DORA), **deletion}) as answer:
        assert answer.status == 200
    expected = [[*names, "INTERACTION_CREATE", "INTERACTION_CREATE"] for names in before]
    assert [wire.event_names for wire in wires] == expected
    await rest.post_message("Seen by all")
    assert wires[0].event_names == [*expected[0], "MESSAGE_CREATE"]
    payloads = [entry["body"] for entry in rest.simulation.request_log.entries_since(0) if entry["direction"] == TO_BOT]
    assert not [text for text in payloads if first in text or more in text]


async def test_the_bots_own_token_finds_no_private_message(rest: RestClient) -> None:
    wire = identify(rest.simulation, ALL_INTENTS)
    _, message = await answer_privately(rest)
    before = list(wire.event_names)
    own = f"{MESSAGES_PATH}/{message}"
    requests: tuple[tuple[str, str, Any], ...] = (
        ("GET", own, None),
        ("PATCH", own, {"content": "Changed"}),
        ("DELETE", own, None),
        ("POST", f"{own}/threads", {"name": "Match"}),
    )
    for method, path, body in requests:
        assert (await rest.send_request(method, path, body)).status_and_code == (404, 10008), (method, path)
    assert (await rest.send_request("GET", MESSAGES_PATH)).body == []
    assert (await rest.send_request("GET", f"/channels/{ids.GAMES_CHANNEL}")).body["last_message_id"] is None
    reply = {"content": "Reply", "message_reference": {"message_id": message, "fail_if_not_exists": False}}
    replied = (await rest.send_request("POST", MESSAGES_PATH, reply)).body
    assert replied.get("referenced_message") is None
    assert wire.event_names == [*before, "MESSAGE_CREATE"]
