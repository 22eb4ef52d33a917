"""Matches of Jest, from the lobby to the last Jest worked out."""

from __future__ import annotations

import random

import pytest

from cogs.jest.words import card
from engines.hosting import record
from engines.hosting.match import Look
from engines.jest import JEST
from engines.jest.model import Offer
from engines.kit.seats import seat_of
from engines.store.match_store import Status
from tests.cogs.jest.table import hands, offer, open_jest, play_to, seat_jest
from tests.end_to_end.players import (
    THREE,
    at_random,
    due,
    hand,
    hand_on_demand,
    join,
    lobby,
    look,
    move,
    play_out,
    table,
)
from tests.end_to_end.world import BUTTON, Click, World, move_buttons, told, walk, words
from tests.messages import alts

FOUR = ("Ada", "Bela", "Chidi", "Dora")
WRITES = ("POST", "PATCH", "PUT", "DELETE")


def lying(now: Look) -> list[str]:
    """What lies face down, by seat, as the moves that laid it there."""
    return [JEST.write(Offer(card)) for card in now.state.down]


def move_of(custom_id: str) -> str:
    """The move that a button makes."""
    return custom_id.split(":", 3)[3]


def changes(w: World, since: int) -> list[tuple[str, str]]:
    """The requests since then that change a message."""
    return [(method, path) for method, path in w.sent(since) if method in WRITES and "/callback" not in path]


async def test_a_fifth_person_finds_no_place_and_two_are_too_few(inn: World) -> None:
    match = await open_jest(inn)
    await join(inn, match, "Bela")
    await inn.press("Ada", await lobby(inn, match), "Start")
    assert (await look(inn, match)).info.status is Status.LOBBY
    await join(inn, match, "Chidi", "Dora")
    assert "All 4 places are taken" in told(await inn.press("Emil", await lobby(inn, match), "Join"))


# Offers (J4)


async def test_everybody_is_asked_at_once(inn: World) -> None:
    match = await seat_jest(inn)
    for message in hands(inn, match).values():
        assert words(message).count("Which of your cards lies face down?") == 1
        assert len(move_buttons(message)) == 2
    await offer(inn, match, "Bela")
    assert (await look(inn, match)).due() == (0, 2)


async def test_hands_drawn_before_anybody_chose_all_work(inn: World) -> None:
    match = await seat_jest(inn)
    old = hands(inn, match)
    chosen = {name: move_buttons(old[name])[1] for name in THREE}
    for name in THREE:
        await inn.press(name, old[name], chosen[name])
    now = await look(inn, match)
    assert now.state.phase == "take"
    assert lying(now) == [move_of(button) for button in chosen.values()]


async def test_one_may_change_ones_mind_and_nobody_notices(inn: World) -> None:
    match = await seat_jest(inn)
    first = await offer(inn, match, "Ada", 0)
    await inn.env.settle()
    others = {name: hand(inn, name, match) for name in ("Bela", "Chidi")}
    public, at_table = await table(inn, match), inn.public(inn.thread)
    for which in (1, 0, 1):
        before = len(inn.sent())
        name = await offer(inn, match, "Ada", which)
        await inn.env.settle()
        assert changes(inn, before) == []
        assert (await table(inn, match), inn.public(inn.thread)) == (public, at_table)
        assert {name: hand(inn, name, match) for name in others} == others
    assert name != first
    shown = [c for c in walk(hand(inn, "Ada", match)["components"]) if c["type"] == BUTTON and c.get("emoji")]
    marked = [c for c in shown if c["emoji"]["name"] == "✅"]
    assert [c["custom_id"].rsplit(" ", 1)[1] for c in marked] == [name]
    for late in ("Bela", "Chidi"):
        await offer(inn, match, late)
    assert lying(await look(inn, match))[0] == f"offer {name}"


async def test_that_one_has_chosen_is_seen_by_all_and_costs_one_edit_of_each_message(inn: World) -> None:
    match = await seat_jest(inn)
    assert "Waiting for Ada, Bela and Chidi to choose" in words(await table(inn, match))
    before = len(inn.sent())
    await offer(inn, match, "Ada")
    await inn.env.settle()
    for message in (await table(inn, match), hand(inn, "Bela", match)):
        assert "Ada has chosen" in words(message)
        assert any("Ada: has chosen" in alt for alt in alts(message))
    edited = [path for method, path in changes(inn, before) if method == "PATCH"]
    assert len(edited) == len(set(edited)) == 3  # the table, and two hands


async def test_offers_made_at_the_same_moment_all_count(inn: World) -> None:
    match = await seat_jest(inn)
    old = hands(inn, match)
    chosen = {name: random.Random(name).choice(move_buttons(old[name])) for name in THREE}
    await inn.at_once(*(Click(name, old[name], chosen[name]) for name in THREE))
    await inn.env.settle()
    now = await look(inn, match)
    assert (now.state.phase, now.info.moves) == ("take", 3)
    assert lying(now) == [move_of(chosen[name]) for name in THREE]
    assert "to take a card" in words(await table(inn, match))
    await play_out(inn, match)


async def test_a_change_of_mind_races_the_last_offer_and_either_order_holds(inn: World) -> None:
    match = await seat_jest(inn)
    kept = await offer(inn, match, "Ada")
    await offer(inn, match, "Bela")
    old = hands(inn, match)
    change = move_buttons(old["Ada"])[1]
    last = move_buttons(old["Chidi"])[0]
    await inn.at_once(Click("Ada", old["Ada"], change), Click("Chidi", old["Chidi"], last))
    await inn.env.settle()
    now = await look(inn, match)
    assert now.state.phase == "take"
    changed = now.info.moves == 4
    assert lying(now)[0] == (move_of(change) if changed else f"offer {kept}")
    late = await inn.forge("Ada", old["Ada"], change)
    assert "offers of this round are made" in told(late) or "no longer open" in told(late)
    assert (await look(inn, match)).info.moves == now.info.moves


# Taking (J6 to J8)


async def test_takes_are_seen_by_all_and_face_down_cards_by_two(inn: World) -> None:
    match = await seat_jest(inn)
    for name in THREE:
        await offer(inn, match, name)
    taker = await due(inn, match)
    assert taker is not None
    message = hand(inn, taker, match)
    custom_id = next(each for each in move_buttons(message) if each.endswith(" down"))
    source = THREE[seat_of(custom_id.split()[-2])]
    label = next(c["label"] for c in walk(message["components"]) if c.get("custom_id") == custom_id)
    assert label == f"{source}: face down"
    await inn.press(taker, message, custom_id)
    now = await look(inn, match)
    (other,) = [name for name in THREE if name not in (taker, source)]
    assert f"{taker} takes {source}'s face-down card" in words(await table(inn, match))
    hidden = card(now.state.down[THREE.index(source)])
    for message in (await table(inn, match), hand(inn, other, match)):
        assert not any(hidden in alt for alt in alts(message))
    assert f"Your Jest: {hidden}" in alts(hand(inn, taker, match))[0]
    assert f"{hidden} (face down, taken by {taker})" in alts(hand(inn, source, match))[0]
    assert now.state.takes[0].up is False


# Restarts


@pytest.mark.parametrize(
    ("phase", "round_", "after"), [("offer", 1, 1), ("offer", 2, 2), ("take", 1, 0), ("take", 2, 1)]
)
async def test_a_match_goes_on_with_its_old_buttons_after_a_restart(
    inn: World, phase: str, round_: int, after: int
) -> None:
    match = await seat_jest(inn)
    await play_to(inn, match, phase, round_, at_random(7))
    for _ in range(after):
        await move(inn, match)
    before, old = await look(inn, match), hands(inn, match)
    sent = len(inn.sent())
    await inn.restart()
    assert changes(inn, sent) == []
    assert await look(inn, match) == before
    for seat in sorted(before.decisions(), key=lambda seat: before.decisions()[seat].due):  # changes of mind first
        name = THREE[seat]
        await inn.press(name, old[name], move_buttons(old[name])[0])
    assert (await look(inn, match)).info.moves == before.info.moves + len(before.decisions())
    await play_out(inn, match)
    assert (await look(inn, match)).info.status is Status.OVER


# Slash commands


async def test_autocomplete_calls_offers_by_their_owners_and_nobody_else_sees_ones_cards(inn: World) -> None:
    match = await seat_jest(inn)
    own = {name: await inn[name].autocomplete(inn.thread, "jest offer", "card", "") for name in THREE}
    assert len({each["value"] for found in own.values() for each in found}) == 6
    assert await inn["Greta"].autocomplete(inn.thread, "jest offer", "card", "", match=match) == []
    for name in THREE:
        await offer(inn, match, name)
    taker = await due(inn, match)
    assert taker is not None
    (other, *_) = [name for name in THREE if name != taker]
    offered = await inn[taker].autocomplete(inn.thread, "jest take", "from", other.lower())
    assert [each["name"].startswith(f"Take {other}'s ") for each in offered] == [True, True]
    assert await inn[other].autocomplete(inn.thread, "jest take", "from", "") == []


async def test_commands_work_in_direct_messages_and_refuse_with_a_sentence(inn: World) -> None:
    match = await seat_jest(inn)
    user = inn["Ada"].user
    assert "Which of your cards" in told(await user.slash("jest hand"))
    assert "Waiting for" in told(await user.slash("jest status"))
    (one, two) = await user.autocomplete("jest offer", "card", "")
    await user.slash("jest offer", card=one["value"])
    await user.slash("jest offer", card=two["value"])
    assert JEST.write(Offer((await look(inn, match)).state.down[0])) == f"offer {two['value']}"
    assert "only aces, 2s, 3s and 4s" in told(await user.slash("jest offer", card="9H"))
    refused = told(await user.slash("jest take", **{"from": "B up"}))
    assert refused == "**First everybody chooses which card to offer face down.** (J4)"
    assert (await look(inn, match)).info.moves == 2


# Closed direct messages


async def test_with_closed_direct_messages_one_plays_by_the_table(inn: World) -> None:
    inn.close_dms("Bela")
    match = await seat_jest(inn)
    shown = await hand_on_demand(inn, "Bela", match)
    first, second = move_buttons(shown)
    await inn.press("Bela", shown, first)
    mine = [seen.message for seen in inn.ephemerals() if seen.by == inn["Bela"].id]
    (again,) = [message for message in mine if "you may change it" in words(message)]
    await inn.press(
        "Bela", again, next(each for each in move_buttons(again) if each.endswith(second.rsplit(" ", 1)[1]))
    )
    assert JEST.write(Offer((await look(inn, match)).state.down[1])) == move_of(second)
    await play_out(inn, match)
    assert (await look(inn, match)).info.status is Status.OVER


# The record


async def test_the_record_of_a_match_with_changes_of_mind_replays_to_the_same_end(inn: World) -> None:
    match = await seat_jest(inn)
    for which in (0, 1, 0):
        await offer(inn, match, "Chidi", which)
    await play_out(inn, match, at_random(2))
    shown = await table(inn, match)
    (text,) = [
        each.decode()
        for each, file in zip(inn.bytes_of(shown), shown["attachments"], strict=True)
        if file["filename"].endswith(".txt")
    ]
    made = record.parse(text)
    assert len(made.moves) == 24 + 2
    assert JEST.outcome(record.replay(made).state) == (await look(inn, match)).outcome()
