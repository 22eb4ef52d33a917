"""Buttons show the application's emoji if Discord has them, and text or Unicode if not."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from cogs.pictures.emoji_names import emoji_name
from motley.emoji_upload import game_emoji
from tests.end_to_end.players import random_chooser
from tests.end_to_end.simulated_server import Message, SimulatedServer, walk_components

DRAWINGS = game_emoji()


def shown_emoji(message: Message) -> list[dict[str, Any]]:
    parts = [*walk_components(message["components"])]
    found = [each.get("emoji") for part in parts for each in (part, *part.get("options", ()))]
    return [each for each in found if each]


def own_names(messages: Iterable[Message]) -> set[str]:
    return {each["name"] for message in messages for each in shown_emoji(message) if each.get("id")}


async def upload(server: SimulatedServer) -> None:
    for key in DRAWINGS:
        server.add_emoji(emoji_name(key, DRAWINGS))
    await server.restart()


async def test_hands_show_cards_and_without_an_upload_text(server: SimulatedServer) -> None:
    match = await server.seat_and_start(("Ada", "Bela"), game="jokers")
    _, hand = await server.due_hand(match)
    assert own_names([hand]) == set()
    assert hand["components"]
    before = len(server.sent_requests())
    await upload(server)
    sent = server.sent_requests(before)
    assert not [path for method, path in sent if "/messages" in path], "no start redraws messages for their emoji alone"
    read, *others = [place for place, (_, path) in enumerate(sent) if path.endswith("/emojis")]
    assert not others, "once at a start"
    assert read < min(place for place, (_, path) in enumerate(sent) if path.endswith("/commands")), "before all others"
    (_, hand) = await server.due_hand(match)
    assert own_names([hand]) == set()
    await server.make_move(match, random_chooser(1))
    hands = [server.find_hand(name, match) for name in ("Ada", "Bela")]
    labels = own_names(hands)
    assert labels
    assert labels <= {emoji_name(key, DRAWINGS) for key in DRAWINGS}


async def test_deleted_emoji_stop_nobody(server: SimulatedServer) -> None:
    await upload(server)
    match = await server.seat_and_start(("Ada", "Bela"), game="jokers")
    assert own_names([(await server.due_hand(match))[1]])
    server.remove_emoji()
    rng = random.Random(2)
    for _ in range(4):
        await server.make_move(match, random_chooser(rng.randrange(99)))
        _, hand = await server.due_hand(match)
        assert own_names([hand]) == set()
        assert hand["components"]
    assert server.take_broken_limits(), "they were tried, once at least"
