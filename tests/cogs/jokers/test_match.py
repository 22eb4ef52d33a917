"""Matches of Jokers from the lobby to the last hands, with trades that show their order before they count."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cogs.table.pages import custom_ids
from engines.jokers import deck
from engines.store.match_store import Status
from tests.cogs.jokers.table import (
    TWO,
    make_move,
    offered_moves,
    pick_at_once,
    pick_button_ids,
    pick_cards,
    picked_cards,
    random_move_of,
    seat_jokers,
    several,
    tap_cards,
)
from tests.end_to_end.players import due_name, find_hand, find_table, leave_match, load_snapshot, show_hand
from tests.end_to_end.world import PendingClick, SimulatedServer, button_labels, message_text, reply_text
from tests.playing import values_of

FULL_SOON = f"{435:032x}"  # the first player has a full hand after one trade


async def turn_and_hand(w: SimulatedServer, match: str) -> tuple[str, list[str]]:
    """Return the player on turn, and the names of their cards."""
    name = await due_name(w, match)
    assert name is not None
    now = await load_snapshot(w, match)
    return name, list(map(deck.card_name, now.view(now.due_seats()[0]).hand))


async def play_to_full_hand(w: SimulatedServer, match: str) -> str:
    """Play until a player can declare, and return the player."""
    while "declare" not in offered_moves(find_hand(w, name := (await turn_and_hand(w, match))[0], match)):
        now = await load_snapshot(w, match)
        move = random_move_of(now, Random(1))
        while not move.startswith("trade"):
            move = random_move_of(now, Random(len(move) + now.info.moves))
        await make_move(w, match, move)
    return name


# Trades, whose order is shown and can be changed


async def test_a_trade_is_shown_in_its_order_and_can_be_changed_before_it_counts(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, (one, two, three, *_) = await turn_and_hand(inn, match)
    before = await load_snapshot(inn, match)
    message = await pick_cards(inn, match, name, one, two, three)
    places = [label.split(" (")[0] for label in button_labels(message)]
    spoken = [short_card(card) for card in (one, two, three)]
    assert f"Trade in this order: {spoken[0]} (first), {spoken[1]}, {spoken[2]} (on top)" in message_text(message)
    assert picked_cards(message) == spoken

    await tap_cards(inn, name, message, two, three)  # takes the first one back
    await tap_cards(inn, name, find_hand(inn, name, match), two, three, one)
    message = find_hand(inn, name, match)
    assert f"{spoken[1]} (first), {spoken[2]}, {spoken[0]} (on top)" in message_text(message)
    assert [label.split(" (")[0] for label in button_labels(message)] == places
    assert await load_snapshot(inn, match) == before

    await inn.press_button(name, message, "Trade")
    now = await load_snapshot(inn, match)
    assert [deck.card_name(card) for card in now.state.discard] == [two, three, one]
    assert f"trades {spoken[1]}, {spoken[2]}, {spoken[0]}" in message_text(await find_table(inn, match))
    assert "You draw " in message_text(find_hand(inn, name, match))
    other = next(each for each in TWO if each != name)
    assert "you draw " not in message_text(find_hand(inn, other, match)).lower()


def short_card(card: str) -> str:
    """Return a card's short name."""
    return card if card == "joker" else card[:-1] + "♣♦♥♠"["CDHS".index(card[-1])]


async def test_six_cards_are_traded_by_one_list_and_one_press_in_the_order_of_the_hand(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    _, lines = several(find_hand(inn, name, match))
    wanted = [token for token in map(custom_ids.pick_token, lines) if token in cards[1:7]]
    message = await pick_at_once(inn, match, name, *wanted[::-1])
    assert picked_cards(message) == list(map(short_card, wanted))
    assert f"{short_card(wanted[0])} (first)" in message_text(message)
    assert f"{short_card(wanted[-1])} (on top)" in message_text(message)
    await inn.press_button(name, message, "Trade")
    assert [deck.card_name(card) for card in (await load_snapshot(inn, match)).state.discard] == wanted


async def test_the_order_of_what_was_picked_at_once_can_be_changed_by_buttons(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    plain = find_hand(inn, name, match)
    message = await pick_at_once(inn, match, name, *cards[:3])
    _, lines = several(plain)
    first, *others = [token for token in map(custom_ids.pick_token, lines) if token in cards[:3]]
    await tap_cards(inn, name, message, *others)  # takes the first one back
    message = find_hand(inn, name, match)
    assert picked_cards(message) == list(map(short_card, others))
    await tap_cards(inn, name, message, *others, first)
    await inn.press_button(name, find_hand(inn, name, match), "Trade")
    assert [deck.card_name(card) for card in (await load_snapshot(inn, match)).state.discard] == [*others, first]


async def test_a_trade_of_one_card_is_confirmed_as_well(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, (one, *_) = await turn_and_hand(inn, match)
    message = await pick_cards(inn, match, name, one)
    assert f"Trade: {short_card(one)}" in message_text(message)
    await inn.press_button(name, message, "Trade")
    assert [deck.card_name(card) for card in (await load_snapshot(inn, match)).state.discard] == [one]


async def test_one_may_go_back_to_the_hand_and_pick_others(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    plain = find_hand(inn, name, match)
    message = await pick_cards(inn, match, name, *cards[:2])
    await inn.press_button(name, message, "Back to the hand")
    message = find_hand(inn, name, match)
    assert (message_text(message), button_labels(message)) == (message_text(plain), button_labels(plain))
    assert picked_cards(await pick_cards(inn, match, name, *cards[2:6])) == list(map(short_card, cards[2:6]))
    assert (await load_snapshot(inn, match)).info.moves == 0


async def test_a_whole_hand_can_be_put_in_any_order(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    wanted = Random(4).sample(cards, 8)
    message = await pick_cards(inn, match, name, *wanted)
    await inn.press_button(name, message, "Trade")
    assert [deck.card_name(card) for card in (await load_snapshot(inn, match)).state.discard] == wanted


async def test_a_hand_shown_at_the_table_orders_trades_for_its_owner_alone(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    kept = await show_hand(inn, name, match)
    public = [message_text(message) for message in inn.public_messages(inn.thread)]
    custom_id, lines = several(kept)
    await inn.choose_options(name, kept, custom_id, *values_of(lines, cards[:1]))
    for number in (2, 3, 4):
        (kept,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn[name].id]
        if number < 4:
            await tap_cards(inn, name, kept, *cards[:number])
    assert "Trade in this order" in message_text(kept)
    assert [message_text(message) for message in inn.public_messages(inn.thread)] == public
    await inn.press_button(name, kept, "Trade")
    assert [deck.card_name(card) for card in (await load_snapshot(inn, match)).state.discard] == cards[:3]
    assert picked_cards(find_hand(inn, name, match)) == []  # the other copy follows


async def test_picks_for_a_decision_that_is_past_change_nothing_and_show_the_hand(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    message = await pick_cards(inn, match, name, *cards[:3])
    order, *_ = pick_button_ids(message)
    await inn.press_button(name, message, "Trade")
    before = (await load_snapshot(inn, match)).info
    for stale, values in ((f"p:{match}:{order.split(':')[2]}:trade", cards[3:5]), (order, None)):
        answer = await inn.forge_click(name, find_hand(inn, name, match), stale, values)
        assert "no longer open" in reply_text(answer)
        assert picked_cards(find_hand(inn, name, match)) == []
        assert (await load_snapshot(inn, match)).info == before


async def test_a_trade_that_is_confirmed_twice_counts_once(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    message = await pick_cards(inn, match, name, *cards[:2])
    click = PendingClick(name, message, next(iter(offered_moves(message).values())))
    await inn.click_at_once(click, click)
    now = await load_snapshot(inn, match)
    assert (now.info.moves, len(now.state.discard)) == (1, 2)


@pytest.mark.parametrize(
    "values",
    [
        *([], [""], ["no card"], ["4C"] * 9, ["joker~1"] * 3, ["x" * 100] * 25, ["4C 9D"], ["~"], ["trade"], ["\n"]),
        ["🂡"],
    ],
    ids=str,
)
async def test_whatever_is_sent_as_picks_gets_a_sentence(inn: SimulatedServer, values: list[str]) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    number = several(find_hand(inn, name, match))[0].split(":")[2]
    missing = next(one for one in ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C") if one not in cards)
    sent = [missing if value == "4C" else value for value in values]
    before = button_labels(find_hand(inn, name, match))
    answer = await inn.forge_click(name, find_hand(inn, name, match), f"p:{match}:{number}:trade", sent)
    assert len(reply_text(answer)) > 10
    assert (await load_snapshot(inn, match)).info.moves == 0
    assert set(before) <= {*button_labels(find_hand(inn, name, match)), "Rules"}


async def test_picks_of_other_moves_and_of_other_people_get_a_sentence(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    message = await pick_cards(inn, match, name, *cards[:2])
    order, *_ = pick_button_ids(message)
    number = order.split(":")[2]
    custom_id = f"p:{match}:{number}:trade"
    forged: list[tuple[str, str, list[str] | None]] = [
        (name, f"p:{match}:{number}:done", []),
        (name, f"p:{match}:{number}:safety", ["1"]),
        (name, f"o:{match}:{number}:done", None),
        (name, f"o:{match}:{number}:trade", None),
        (name, f"o:{match}:{number}:🂡", None),
        (name, "p:zzzzzzzz:0:trade", cards[:1]),
        ("Greta", custom_id, cards[:2]),
        ("Greta", order, None),
        (next(each for each in TWO if each != name), custom_id, cards[:2]),
    ]
    public = await find_table(inn, match)
    for who, control, values in forged:
        answer = await inn.forge_click(who, message if who == name else public, control, values)
        assert len(reply_text(answer)) > 10, control
        assert all(each.ephemeral for each in (answer.response, *answer.followups) if each and who != name)
        assert (await load_snapshot(inn, match)).info.moves == 0, control
    assert message_text(await find_table(inn, match)) == message_text(public)


async def test_while_the_match_is_paused_nothing_can_be_ordered(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    message = await pick_cards(inn, match, name, *cards[:2])
    await leave_match(inn, match, next(each for each in TWO if each != name))
    answer = await inn.forge_click(name, find_hand(inn, name, match), pick_button_ids(message)[0])
    assert "paused" in reply_text(answer)


# Restarts in the middle of every kind of decision


async def test_an_order_survives_a_restart(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    message = await pick_cards(inn, match, name, *cards[:4])
    await inn.restart()
    assert message_text(find_hand(inn, name, match)) == message_text(message)
    await tap_cards(inn, name, message, *cards[1:4])
    await tap_cards(inn, name, find_hand(inn, name, match), *cards[1:4], cards[0])
    await inn.restart()
    await inn.press_button(name, find_hand(inn, name, match), "Trade")
    discard = [deck.card_name(card) for card in (await load_snapshot(inn, match)).state.discard]
    assert discard == [*cards[1:4], cards[0]]


@pytest.mark.dealt(FULL_SOON)
async def test_the_last_turn_after_a_declaration_is_played_after_a_restart(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name = await play_to_full_hand(inn, match)
    await make_move(inn, match, "declare")
    other = next(each for each in TWO if each != name)
    assert f"{name} declares" in message_text(await find_table(inn, match))
    await inn.restart()
    assert "Your last turn" in message_text(find_hand(inn, other, match))
    assert "declare" not in offered_moves(find_hand(inn, other, match))
    assert await make_move(inn, match, "done") == other
    assert (await load_snapshot(inn, match)).info.status is Status.OVER
    assert f"{name} wins with" in message_text(await find_table(inn, match))


# A full hand


@pytest.mark.dealt(FULL_SOON)
async def test_ending_the_turn_with_a_full_hand_is_asked_for(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name = await play_to_full_hand(inn, match)
    before = (await load_snapshot(inn, match)).info
    message = find_hand(inn, name, match)
    await inn.press_button(name, message, "Done")
    asked = inn.newest_in_inbox(name)
    assert "You hold a full hand" in message_text(asked)
    assert "points" in message_text(asked)
    await inn.press_button(name, asked, "Back to the hand")
    assert (await load_snapshot(inn, match)).info == before
    await inn.press_button(name, inn.newest_in_inbox(name), "Done")
    await inn.press_button(name, inn.newest_in_inbox(name), "Done")
    assert (await load_snapshot(inn, match)).info.moves == before.moves + 1
    assert await due_name(inn, match) != name


# Slash commands


@pytest.mark.dealt(FULL_SOON)
async def test_a_full_hand_is_declared_by_command(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name = await play_to_full_hand(inn, match)
    answer = await inn[name].user.slash("jokers declare")
    assert reply_text(answer) == "Done: declare the full hand."
    assert "Waiting for" in message_text(find_hand(inn, name, match))


async def test_done_is_the_turns_end_and_stop_the_vote_to_end_the_match(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, _ = await turn_and_hand(inn, match)
    other = next(each for each in TWO if each != name)
    await inn[name].slash(inn.thread, "jokers done")
    assert await due_name(inn, match) == other
    assert (await load_snapshot(inn, match)).info.votes == ()
    answer = await inn[other].slash(inn.thread, "jokers done")
    assert reply_text(answer) == "Done: end your turn."
    assert await due_name(inn, match) == name
    answer = await inn[name].slash(inn.thread, "motley stop")
    assert "vote" in reply_text(answer)
    await inn[other].slash(inn.thread, "motley stop")
    assert (await load_snapshot(inn, match)).info.status is Status.ENDED


async def test_autocomplete_offers_ones_own_cards_alone(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    for other in (*TWO, "Greta"):
        found = await inn[other].autocomplete(inn.thread, "jokers trade", "cards", "", match=match)
        expected = list(dict.fromkeys(cards)) if other == name else []
        assert sorted(each["value"] for each in found) == sorted(expected)


async def test_refusals_are_sentences(inn: SimulatedServer) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn_and_hand(inn, match)
    missing = next(one for one in ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C") if one not in cards)
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("jokers trade", {"cards": missing}, "You do not hold"),
        ("jokers trade", {"cards": "nonsense"}, "is not a card. Write it like 10H, QS or joker."),
        ("jokers move", {"move": "safety 1"}, "while the discard pile is empty"),
        ("jokers move", {"move": "take 1"}, "Turn up a safety card first"),
        ("jokers move", {"move": f"discard {cards[0]}"}, "only after using a safety card"),
        ("jokers declare", {}, "not full"),
    ]
    for command, options, sentence in refused:
        answer = await inn[name].slash(inn.thread, command, **options)
        assert sentence in reply_text(answer)
        assert answer.ephemeral
    assert (await load_snapshot(inn, match)).info.moves == 0
