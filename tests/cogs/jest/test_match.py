"""Jest at a table: secret offers by all at once, and face-down cards that two people know."""

from __future__ import annotations

import random

from cogs.jest.words import card_text
from engines.hosting.match import MatchSnapshot
from engines.jest import JEST
from engines.jest.model import Offer
from engines.kit.seats import parse_seat
from tests.cogs.jest.table import hand_messages, make_offer, seat_jest
from tests.end_to_end.players import THREE, due_name_now, find_hand, find_table, load_snapshot
from tests.end_to_end.simulated_server import (
    BUTTON,
    PendingClick,
    SimulatedServer,
    message_text,
    move_buttons,
    reply_text,
)
from tests.messages import alt_texts, walk_components


def face_down_moves(now: MatchSnapshot) -> list[str]:
    return [JEST.format_move(Offer(card)) for card in now.state.down]


def move_of(custom_id: str) -> str:
    return custom_id.split(":", 3)[3]


def message_changes(w: SimulatedServer, start: int) -> list[tuple[str, str]]:
    return [(method, path) for method, path in w.sent_requests(start) if method != "GET" and "/callback" not in path]


async def test_one_may_change_ones_mind_and_nobody_notices(server: SimulatedServer) -> None:
    match = await seat_jest(server)
    first = await make_offer(server, match, "Ada", 0)
    await server.env.settle()
    others = {name: find_hand(server, name, match) for name in ("Bela", "Chidi")}
    public, at_table = await find_table(server, match), server.public_messages(server.thread)
    for which in (1, 0, 1):
        before = len(server.sent_requests())
        name = await make_offer(server, match, "Ada", which)
        await server.env.settle()
        assert message_changes(server, before) == []
        assert (await find_table(server, match), server.public_messages(server.thread)) == (public, at_table)
        assert {name: find_hand(server, name, match) for name in others} == others
    assert name != first
    buttons = [c for c in walk_components(find_hand(server, "Ada", match)["components"]) if c["type"] == BUTTON]
    marked = [c for c in buttons if c.get("emoji", {}).get("name") == "✅"]
    assert [c["custom_id"].rsplit(" ", 1)[1] for c in marked] == [name]
    for late in ("Bela", "Chidi"):
        await make_offer(server, match, late)
    assert face_down_moves(await load_snapshot(server, match))[0] == f"offer {name}"


async def test_everybody_sees_that_somebody_has_chosen_and_each_message_is_edited_once(server: SimulatedServer) -> None:
    match = await seat_jest(server)
    assert "Waiting for Ada, Bela and Chidi to choose" in message_text(await find_table(server, match))
    before = len(server.sent_requests())
    await make_offer(server, match, "Ada")
    await server.env.settle()
    for message in (await find_table(server, match), find_hand(server, "Bela", match)):
        assert "Ada has chosen" in message_text(message)
        assert any("Ada: has chosen" in alt for alt in alt_texts(message))
    edited = [path for method, path in message_changes(server, before) if method == "PATCH"]
    assert len(edited) == len(set(edited)) == 3  # the table, and two hands


async def test_offers_made_at_the_same_moment_all_count(server: SimulatedServer) -> None:
    match = await seat_jest(server)
    old = hand_messages(server, match)
    chosen = {name: random.Random(name).choice(move_buttons(old[name])) for name in THREE}
    await server.click_at_once(*(PendingClick(name, old[name], chosen[name]) for name in THREE))
    await server.env.settle()
    now = await load_snapshot(server, match)
    assert (now.state.phase, now.info.moves) == ("take", 3)
    assert face_down_moves(now) == [move_of(chosen[name]) for name in THREE]
    assert "to take a card" in message_text(await find_table(server, match))


async def test_a_change_of_mind_races_the_last_offer_and_either_order_holds(server: SimulatedServer) -> None:
    match = await seat_jest(server)
    offered_card = await make_offer(server, match, "Ada")
    await make_offer(server, match, "Bela")
    old = hand_messages(server, match)
    change, last = move_buttons(old["Ada"])[1], move_buttons(old["Chidi"])[0]
    await server.click_at_once(PendingClick("Ada", old["Ada"], change), PendingClick("Chidi", old["Chidi"], last))
    await server.env.settle()
    now = await load_snapshot(server, match)
    assert now.state.phase == "take"
    changed = now.info.moves == 4
    assert face_down_moves(now)[0] == (move_of(change) if changed else f"offer {offered_card}")
    late = await server.forge_click("Ada", old["Ada"], change)
    assert "offers of this round are complete" in reply_text(late) or "no longer open" in reply_text(late)
    assert (await load_snapshot(server, match)).info.moves == now.info.moves


async def test_takes_are_seen_by_all_and_face_down_cards_by_two(server: SimulatedServer) -> None:
    match = await seat_jest(server)
    for name in THREE:
        await make_offer(server, match, name)
    taker = await due_name_now(server, match)
    message = find_hand(server, taker, match)
    custom_id = next(each for each in move_buttons(message) if each.endswith(" down"))
    source = THREE[parse_seat(custom_id.split()[-2])]
    await server.press_button(taker, message, custom_id)
    now = await load_snapshot(server, match)
    (other,) = [name for name in THREE if name not in (taker, source)]
    assert f"{taker} takes {source}'s face-down card" in message_text(await find_table(server, match))
    hidden = card_text(now.state.down[THREE.index(source)])
    for message in (await find_table(server, match), find_hand(server, other, match)):
        assert not any(hidden in alt for alt in alt_texts(message))
    assert f"Your Jest: {hidden}" in alt_texts(find_hand(server, taker, match))[0]
    assert f"{hidden} (face down, taken by {taker})" in alt_texts(find_hand(server, source, match))[0]
    assert now.state.takes[0].up is False
