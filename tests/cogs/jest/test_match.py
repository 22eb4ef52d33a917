"""Matches of Jest from the lobby to the value of the last Jest."""

from __future__ import annotations

import random

import pytest

from cogs.jest.words import card_text
from engines import GAMES
from engines.hosting import record
from engines.hosting.match import MatchSnapshot
from engines.jest import JEST
from engines.jest.model import Offer
from engines.kit.seats import parse_seat
from engines.store.match_store import Status
from tests.cogs.jest.table import hand_messages, make_offer, open_jest, play_to_phase, seat_jest
from tests.end_to_end.players import (
    THREE,
    due_name,
    find_hand,
    find_lobby,
    find_table,
    join_lobby,
    load_snapshot,
    make_move,
    play_out,
    random_chooser,
    show_hand,
)
from tests.end_to_end.world import (
    BUTTON,
    PendingClick,
    SimulatedServer,
    message_text,
    move_buttons,
    reply_text,
    walk_components,
)
from tests.messages import alt_texts

FOUR = ("Ada", "Bela", "Chidi", "Dora")
WRITES = ("POST", "PATCH", "PUT", "DELETE")


def face_down_moves(now: MatchSnapshot) -> list[str]:
    """Return by seat the moves that laid the cards face down."""
    return [JEST.format_move(Offer(card)) for card in now.state.down]


def move_of(custom_id: str) -> str:
    """Return the move that a button makes."""
    return custom_id.split(":", 3)[3]


def message_changes(w: SimulatedServer, since: int) -> list[tuple[str, str]]:
    """Return the later requests that change a message."""
    return [(method, path) for method, path in w.sent_requests(since) if method in WRITES and "/callback" not in path]


async def test_a_fifth_person_finds_no_place_and_two_are_too_few(inn: SimulatedServer) -> None:
    match = await open_jest(inn)
    await join_lobby(inn, match, "Bela")
    await inn.press_button("Ada", await find_lobby(inn, match), "Start")
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    await join_lobby(inn, match, "Chidi", "Dora")
    assert "All 4 seats are taken" in reply_text(await inn.press_button("Emil", await find_lobby(inn, match), "Join"))


# Offers (J4)


async def test_everybody_is_asked_at_once(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    for message in hand_messages(inn, match).values():
        assert message_text(message).count("Which card do you lay face down?") == 1
        assert len(move_buttons(message)) == 2
    await make_offer(inn, match, "Bela")
    assert (await load_snapshot(inn, match)).due_seats() == (0, 2)


async def test_hands_drawn_before_anybody_chose_all_work(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    old = hand_messages(inn, match)
    chosen = {name: move_buttons(old[name])[1] for name in THREE}
    for name in THREE:
        await inn.press_button(name, old[name], chosen[name])
    now = await load_snapshot(inn, match)
    assert now.state.phase == "take"
    assert face_down_moves(now) == [move_of(button) for button in chosen.values()]


async def test_one_may_change_ones_mind_and_nobody_notices(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    first = await make_offer(inn, match, "Ada", 0)
    await inn.env.settle()
    others = {name: find_hand(inn, name, match) for name in ("Bela", "Chidi")}
    public, at_table = await find_table(inn, match), inn.public_messages(inn.thread)
    for which in (1, 0, 1):
        before = len(inn.sent_requests())
        name = await make_offer(inn, match, "Ada", which)
        await inn.env.settle()
        assert message_changes(inn, before) == []
        assert (await find_table(inn, match), inn.public_messages(inn.thread)) == (public, at_table)
        assert {name: find_hand(inn, name, match) for name in others} == others
    assert name != first
    shown = [
        c for c in walk_components(find_hand(inn, "Ada", match)["components"]) if c["type"] == BUTTON and c.get("emoji")
    ]
    marked = [c for c in shown if c["emoji"]["name"] == "✅"]
    assert [c["custom_id"].rsplit(" ", 1)[1] for c in marked] == [name]
    for late in ("Bela", "Chidi"):
        await make_offer(inn, match, late)
    assert face_down_moves(await load_snapshot(inn, match))[0] == f"offer {name}"


async def test_that_one_has_chosen_is_seen_by_all_and_costs_one_edit_of_each_message(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    assert "Waiting for Ada, Bela and Chidi to choose" in message_text(await find_table(inn, match))
    before = len(inn.sent_requests())
    await make_offer(inn, match, "Ada")
    await inn.env.settle()
    for message in (await find_table(inn, match), find_hand(inn, "Bela", match)):
        assert "Ada has chosen" in message_text(message)
        assert any("Ada: has chosen" in alt for alt in alt_texts(message))
    edited = [path for method, path in message_changes(inn, before) if method == "PATCH"]
    assert len(edited) == len(set(edited)) == 3  # the table, and two hands


async def test_offers_made_at_the_same_moment_all_count(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    old = hand_messages(inn, match)
    chosen = {name: random.Random(name).choice(move_buttons(old[name])) for name in THREE}
    await inn.click_at_once(*(PendingClick(name, old[name], chosen[name]) for name in THREE))
    await inn.env.settle()
    now = await load_snapshot(inn, match)
    assert (now.state.phase, now.info.moves) == ("take", 3)
    assert face_down_moves(now) == [move_of(chosen[name]) for name in THREE]
    assert "to take a card" in message_text(await find_table(inn, match))
    await play_out(inn, match)


async def test_a_change_of_mind_races_the_last_offer_and_either_order_holds(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    kept = await make_offer(inn, match, "Ada")
    await make_offer(inn, match, "Bela")
    old = hand_messages(inn, match)
    change = move_buttons(old["Ada"])[1]
    last = move_buttons(old["Chidi"])[0]
    await inn.click_at_once(PendingClick("Ada", old["Ada"], change), PendingClick("Chidi", old["Chidi"], last))
    await inn.env.settle()
    now = await load_snapshot(inn, match)
    assert now.state.phase == "take"
    changed = now.info.moves == 4
    assert face_down_moves(now)[0] == (move_of(change) if changed else f"offer {kept}")
    late = await inn.forge_click("Ada", old["Ada"], change)
    assert "offers of this round are complete" in reply_text(late) or "no longer open" in reply_text(late)
    assert (await load_snapshot(inn, match)).info.moves == now.info.moves


# Taking (J6 to J8)


async def test_takes_are_seen_by_all_and_face_down_cards_by_two(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    for name in THREE:
        await make_offer(inn, match, name)
    taker = await due_name(inn, match)
    assert taker is not None
    message = find_hand(inn, taker, match)
    custom_id = next(each for each in move_buttons(message) if each.endswith(" down"))
    source = THREE[parse_seat(custom_id.split()[-2])]
    label = next(c["label"] for c in walk_components(message["components"]) if c.get("custom_id") == custom_id)
    assert label == f"{source}: face down"
    await inn.press_button(taker, message, custom_id)
    now = await load_snapshot(inn, match)
    (other,) = [name for name in THREE if name not in (taker, source)]
    assert f"{taker} takes {source}'s face-down card" in message_text(await find_table(inn, match))
    hidden = card_text(now.state.down[THREE.index(source)])
    for message in (await find_table(inn, match), find_hand(inn, other, match)):
        assert not any(hidden in alt for alt in alt_texts(message))
    assert f"Your Jest: {hidden}" in alt_texts(find_hand(inn, taker, match))[0]
    assert f"{hidden} (face down, taken by {taker})" in alt_texts(find_hand(inn, source, match))[0]
    assert now.state.takes[0].up is False


# Restarts


@pytest.mark.parametrize(
    ("phase", "round_", "after"), [("offer", 1, 1), ("offer", 2, 2), ("take", 1, 0), ("take", 2, 1)]
)
async def test_a_match_goes_on_with_its_old_buttons_after_a_restart(
    inn: SimulatedServer, phase: str, round_: int, after: int
) -> None:
    match = await seat_jest(inn)
    await play_to_phase(inn, match, phase, round_, random_chooser(7))
    for _ in range(after):
        await make_move(inn, match)
    before, old = await load_snapshot(inn, match), hand_messages(inn, match)
    sent = len(inn.sent_requests())
    await inn.restart()
    assert message_changes(inn, sent) == []
    assert await load_snapshot(inn, match) == before
    for seat in sorted(before.decisions(), key=lambda seat: before.decisions()[seat].due):  # changes of mind first
        name = THREE[seat]
        await inn.press_button(name, old[name], move_buttons(old[name])[0])
    assert (await load_snapshot(inn, match)).info.moves == before.info.moves + len(before.decisions())
    await play_out(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.OVER


# Slash commands


async def test_autocomplete_calls_offers_by_their_owners_and_nobody_else_sees_ones_cards(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    own = {name: await inn[name].autocomplete(inn.thread, "jest offer", "card", "") for name in THREE}
    assert len({each["value"] for found in own.values() for each in found}) == 6
    assert await inn["Greta"].autocomplete(inn.thread, "jest offer", "card", "", match=match) == []
    for name in THREE:
        await make_offer(inn, match, name)
    taker = await due_name(inn, match)
    assert taker is not None
    (other, *_) = [name for name in THREE if name != taker]
    offered = await inn[taker].autocomplete(inn.thread, "jest take", "from", other.lower())
    assert [each["name"].startswith(f"Take {other}'s ") for each in offered] == [True, True]
    assert await inn[other].autocomplete(inn.thread, "jest take", "from", "") == []


async def test_commands_work_in_direct_messages_and_refuse_with_a_sentence(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    user = inn["Ada"].user
    assert "Which card do you lay face down" in reply_text(await user.slash("jest hand"))
    assert "Waiting for" in reply_text(await user.slash("jest status"))
    (one, two) = await user.autocomplete("jest offer", "card", "")
    await user.slash("jest offer", card=one["value"])
    await user.slash("jest offer", card=two["value"])
    assert JEST.format_move(Offer((await load_snapshot(inn, match)).state.down[0])) == f"offer {two['value']}"
    assert "only aces, 2s, 3s and 4s" in reply_text(await user.slash("jest offer", card="9H"))
    refused = reply_text(await user.slash("jest take", **{"from": "B up"}))
    assert refused == "**First everyone chooses a card to offer face down.** (J4)"
    assert (await load_snapshot(inn, match)).info.moves == 2


# Closed direct messages


async def test_with_closed_direct_messages_one_plays_by_the_table(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await seat_jest(inn)
    shown = await show_hand(inn, "Bela", match)
    first, second = move_buttons(shown)
    await inn.press_button("Bela", shown, first)
    mine = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn["Bela"].id]
    (again,) = [message for message in mine if "You can still change it" in message_text(message)]
    await inn.press_button(
        "Bela", again, next(each for each in move_buttons(again) if each.endswith(second.rsplit(" ", 1)[1]))
    )
    assert JEST.format_move(Offer((await load_snapshot(inn, match)).state.down[1])) == move_of(second)
    await play_out(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.OVER


# The record


async def test_the_record_of_a_match_with_changes_of_mind_replays_to_the_same_end(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    for which in (0, 1, 0):
        await make_offer(inn, match, "Chidi", which)
    await play_out(inn, match, random_chooser(2))
    shown = await find_table(inn, match)
    (text,) = [
        each.decode()
        for each, file in zip(inn.file_bytes(shown), shown["attachments"], strict=True)
        if file["filename"].endswith(".txt")
    ]
    made = record.parse_record(text)
    assert len(made.moves) == 24 + 2
    assert JEST.outcome(record.replay(made, GAMES).state) == (await load_snapshot(inn, match)).outcome()
