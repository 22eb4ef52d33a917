"""Matches of Jokers, from the lobby to the last hands; trades whose order is shown before they count."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cogs.table.pages import custom_ids
from engines.jokers import deck
from engines.store.match_store import Status
from tests.cogs.jokers.table import (
    TWO,
    any_move,
    chosen,
    make,
    offered,
    orders,
    pick,
    pick_at_once,
    seat_jokers,
    several,
    tap,
)
from tests.end_to_end.players import due, hand, hand_on_demand, leave, look, table
from tests.end_to_end.world import Click, World, labels, told, words
from tests.playing import values_of

FULL_SOON = f"{435:032x}"  # whoever starts trades once and has a full hand


async def turn(w: World, match: str) -> tuple[str, list[str]]:
    """Whose turn it is, and the names of the cards in that hand."""
    name = await due(w, match)
    assert name is not None
    now = await look(w, match)
    return name, list(map(deck.name, now.view(now.due()[0]).hand))


async def to_full_hand(w: World, match: str) -> str:
    """Play until somebody can declare; who that is."""
    while "declare" not in offered(hand(w, name := (await turn(w, match))[0], match)):
        now = await look(w, match)
        move = any_move(now, Random(1))
        while not move.startswith("trade"):
            move = any_move(now, Random(len(move) + now.info.moves))
        await make(w, match, move)
    return name


# Trades, whose order is shown and can be changed


async def test_a_trade_is_shown_in_its_order_and_can_be_changed_before_it_counts(inn: World) -> None:
    match = await seat_jokers(inn)
    name, (one, two, three, *_) = await turn(inn, match)
    before = await look(inn, match)
    message = await pick(inn, match, name, one, two, three)
    places = [label.split(" (")[0] for label in labels(message)]
    spoken = [said(card) for card in (one, two, three)]
    assert f"Trade in this order: {spoken[0]} (first), {spoken[1]}, {spoken[2]} (on top)" in words(message)
    assert chosen(message) == spoken

    await tap(inn, name, message, two, three)  # takes the first one back
    await tap(inn, name, hand(inn, name, match), two, three, one)
    message = hand(inn, name, match)
    assert f"{spoken[1]} (first), {spoken[2]}, {spoken[0]} (on top)" in words(message)
    assert [label.split(" (")[0] for label in labels(message)] == places
    assert await look(inn, match) == before

    await inn.press(name, message, "Trade")
    now = await look(inn, match)
    assert [deck.name(card) for card in now.state.discard] == [two, three, one]
    assert f"trades {spoken[1]}, {spoken[2]}, {spoken[0]}" in words(await table(inn, match))
    assert "You draw " in words(hand(inn, name, match))
    other = next(each for each in TWO if each != name)
    assert "you draw " not in words(hand(inn, other, match)).lower()


def said(card: str) -> str:
    """A card in short words."""
    return card if card == "joker" else card[:-1] + "♣♦♥♠"["CDHS".index(card[-1])]


async def test_six_cards_are_traded_by_one_list_and_one_press_in_the_order_of_the_hand(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    _, lines = several(hand(inn, name, match))
    wanted = [token for token in map(custom_ids.token, lines) if token in cards[1:7]]
    message = await pick_at_once(inn, match, name, *wanted[::-1])
    assert chosen(message) == list(map(said, wanted))
    assert f"{said(wanted[0])} (first)" in words(message)
    assert f"{said(wanted[-1])} (on top)" in words(message)
    await inn.press(name, message, "Trade")
    assert [deck.name(card) for card in (await look(inn, match)).state.discard] == wanted


async def test_the_order_of_what_was_picked_at_once_can_be_changed_by_buttons(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    plain = hand(inn, name, match)
    message = await pick_at_once(inn, match, name, *cards[:3])
    _, lines = several(plain)
    first, *others = [token for token in map(custom_ids.token, lines) if token in cards[:3]]
    await tap(inn, name, message, *others)  # takes the first one back
    message = hand(inn, name, match)
    assert chosen(message) == list(map(said, others))
    await tap(inn, name, message, *others, first)
    await inn.press(name, hand(inn, name, match), "Trade")
    assert [deck.name(card) for card in (await look(inn, match)).state.discard] == [*others, first]


async def test_a_trade_of_one_card_is_confirmed_as_well(inn: World) -> None:
    match = await seat_jokers(inn)
    name, (one, *_) = await turn(inn, match)
    message = await pick(inn, match, name, one)
    assert f"Trade: {said(one)}" in words(message)
    await inn.press(name, message, "Trade")
    assert [deck.name(card) for card in (await look(inn, match)).state.discard] == [one]


async def test_one_may_go_back_to_the_hand_and_pick_others(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    plain = hand(inn, name, match)
    message = await pick(inn, match, name, *cards[:2])
    await inn.press(name, message, "Back to the hand")
    message = hand(inn, name, match)
    assert (words(message), labels(message)) == (words(plain), labels(plain))
    assert chosen(await pick(inn, match, name, *cards[2:6])) == list(map(said, cards[2:6]))
    assert (await look(inn, match)).info.moves == 0


async def test_a_whole_hand_can_be_put_in_any_order(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    wanted = Random(4).sample(cards, 8)
    message = await pick(inn, match, name, *wanted)
    await inn.press(name, message, "Trade")
    assert [deck.name(card) for card in (await look(inn, match)).state.discard] == wanted


async def test_a_hand_shown_at_the_table_orders_trades_for_its_owner_alone(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    kept = await hand_on_demand(inn, name, match)
    public = [words(message) for message in inn.public(inn.thread)]
    custom_id, lines = several(kept)
    await inn.choose(name, kept, custom_id, *values_of(lines, cards[:1]))
    for number in (2, 3, 4):
        (kept,) = [seen.message for seen in inn.ephemerals() if seen.by == inn[name].id]
        if number < 4:
            await tap(inn, name, kept, *cards[:number])
    assert "Trade in this order" in words(kept)
    assert [words(message) for message in inn.public(inn.thread)] == public
    await inn.press(name, kept, "Trade")
    assert [deck.name(card) for card in (await look(inn, match)).state.discard] == cards[:3]
    assert chosen(hand(inn, name, match)) == []  # the other copy follows


async def test_picks_for_a_decision_that_is_past_change_nothing_and_show_the_hand(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    message = await pick(inn, match, name, *cards[:3])
    order, *_ = orders(message)
    await inn.press(name, message, "Trade")
    before = (await look(inn, match)).info
    for stale, values in ((f"p:{match}:{order.split(':')[2]}:trade", cards[3:5]), (order, None)):
        answer = await inn.forge(name, hand(inn, name, match), stale, values)
        assert "no longer open" in told(answer)
        assert chosen(hand(inn, name, match)) == []
        assert (await look(inn, match)).info == before


async def test_a_trade_that_is_confirmed_twice_counts_once(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    message = await pick(inn, match, name, *cards[:2])
    click = Click(name, message, next(iter(offered(message).values())))
    await inn.at_once(click, click)
    now = await look(inn, match)
    assert (now.info.moves, len(now.state.discard)) == (1, 2)


@pytest.mark.parametrize(
    "values",
    [
        *([], [""], ["no card"], ["4C"] * 9, ["joker~1"] * 3, ["x" * 100] * 25, ["4C 9D"], ["~"], ["trade"], ["\n"]),
        ["🂡"],
    ],
    ids=str,
)
async def test_whatever_is_sent_as_picks_gets_a_sentence(inn: World, values: list[str]) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    number = several(hand(inn, name, match))[0].split(":")[2]
    missing = next(one for one in ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C") if one not in cards)
    sent = [missing if value == "4C" else value for value in values]
    before = labels(hand(inn, name, match))
    answer = await inn.forge(name, hand(inn, name, match), f"p:{match}:{number}:trade", sent)
    assert len(told(answer)) > 10
    assert (await look(inn, match)).info.moves == 0
    assert set(before) <= {*labels(hand(inn, name, match)), "Rules"}


async def test_picks_of_other_moves_and_of_other_people_get_a_sentence(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    message = await pick(inn, match, name, *cards[:2])
    order, *_ = orders(message)
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
    public = await table(inn, match)
    for who, control, values in forged:
        answer = await inn.forge(who, message if who == name else public, control, values)
        assert len(told(answer)) > 10, control
        assert all(each.ephemeral for each in (answer.response, *answer.followups) if each and who != name)
        assert (await look(inn, match)).info.moves == 0, control
    assert words(await table(inn, match)) == words(public)


async def test_while_the_match_is_paused_nothing_can_be_ordered(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    message = await pick(inn, match, name, *cards[:2])
    await leave(inn, match, next(each for each in TWO if each != name))
    answer = await inn.forge(name, hand(inn, name, match), orders(message)[0])
    assert "paused" in told(answer)


# Restarts in the middle of every kind of decision


async def test_an_order_survives_a_restart(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    message = await pick(inn, match, name, *cards[:4])
    await inn.restart()
    assert words(hand(inn, name, match)) == words(message)
    await tap(inn, name, message, *cards[1:4])
    await tap(inn, name, hand(inn, name, match), *cards[1:4], cards[0])
    await inn.restart()
    await inn.press(name, hand(inn, name, match), "Trade")
    discard = [deck.name(card) for card in (await look(inn, match)).state.discard]
    assert discard == [*cards[1:4], cards[0]]


@pytest.mark.dealt(FULL_SOON)
async def test_the_last_turn_after_a_declaration_is_played_after_a_restart(inn: World) -> None:
    match = await seat_jokers(inn)
    name = await to_full_hand(inn, match)
    await make(inn, match, "declare")
    other = next(each for each in TWO if each != name)
    assert f"{name} declares" in words(await table(inn, match))
    await inn.restart()
    assert "Your last turn" in words(hand(inn, other, match))
    assert "declare" not in offered(hand(inn, other, match))
    assert await make(inn, match, "done") == other
    assert (await look(inn, match)).info.status is Status.OVER
    assert f"{name} wins with" in words(await table(inn, match))


# A full hand


@pytest.mark.dealt(FULL_SOON)
async def test_ending_the_turn_with_a_full_hand_is_asked_for(inn: World) -> None:
    match = await seat_jokers(inn)
    name = await to_full_hand(inn, match)
    before = (await look(inn, match)).info
    message = hand(inn, name, match)
    await inn.press(name, message, "Done")
    asked = inn.hand_of(name)
    assert "You hold a full hand" in words(asked)
    assert "points" in words(asked)
    await inn.press(name, asked, "Back to the hand")
    assert (await look(inn, match)).info == before
    await inn.press(name, inn.hand_of(name), "Done")
    await inn.press(name, inn.hand_of(name), "Done")
    assert (await look(inn, match)).info.moves == before.moves + 1
    assert await due(inn, match) != name


# Slash commands


@pytest.mark.dealt(FULL_SOON)
async def test_a_full_hand_is_declared_by_command(inn: World) -> None:
    match = await seat_jokers(inn)
    name = await to_full_hand(inn, match)
    answer = await inn[name].user.slash("jokers declare")
    assert told(answer) == "Done: declare the full hand."
    assert "Waiting for" in words(hand(inn, name, match))


async def test_done_is_the_turns_end_and_stop_the_vote_to_end_the_match(inn: World) -> None:
    match = await seat_jokers(inn)
    name, _ = await turn(inn, match)
    other = next(each for each in TWO if each != name)
    await inn[name].slash(inn.thread, "jokers done")
    assert await due(inn, match) == other
    assert (await look(inn, match)).info.votes == ()
    answer = await inn[other].slash(inn.thread, "jokers done")
    assert told(answer) == "Done: end your turn."
    assert await due(inn, match) == name
    answer = await inn[name].slash(inn.thread, "motley stop")
    assert "vote" in told(answer)
    await inn[other].slash(inn.thread, "motley stop")
    assert (await look(inn, match)).info.status is Status.ENDED


async def test_autocomplete_offers_ones_own_cards_alone(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    for other in (*TWO, "Greta"):
        found = await inn[other].autocomplete(inn.thread, "jokers trade", "cards", "", match=match)
        expected = list(dict.fromkeys(cards)) if other == name else []
        assert sorted(each["value"] for each in found) == sorted(expected)


async def test_refusals_are_sentences(inn: World) -> None:
    match = await seat_jokers(inn)
    name, cards = await turn(inn, match)
    missing = next(one for one in ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C") if one not in cards)
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("jokers trade", {"cards": missing}, "You do not hold"),
        ("jokers trade", {"cards": "nonsense"}, "is not a card; write it like 10H, QS or joker."),
        ("jokers move", {"move": "safety 1"}, "only while the discard pile has a card"),
        ("jokers move", {"move": "take 1"}, "Turn up a safety card first"),
        ("jokers move", {"move": f"discard {cards[0]}"}, "after a safety card only"),
        ("jokers declare", {}, "not full"),
    ]
    for command, options, sentence in refused:
        answer = await inn[name].slash(inn.thread, command, **options)
        assert sentence in told(answer)
        assert answer.ephemeral
    assert (await look(inn, match)).info.moves == 0
