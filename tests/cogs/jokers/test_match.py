"""Jokers at a table: trades show their order before they count."""

from __future__ import annotations

import re

from engines.jokers import deck
from tests.end_to_end.players import due_name_now, find_hand, find_table, load_snapshot, seat_and_start
from tests.end_to_end.simulated_server import (
    Message,
    SimulatedServer,
    button_labels,
    control_ids,
    message_text,
    reply_text,
)

TWO = ("Ada", "Bela")


async def seat_two(w: SimulatedServer) -> tuple[str, str, list[str]]:
    match = await seat_and_start(w, TWO, game="jokers", rounds=1)
    now = await load_snapshot(w, match)
    return match, await due_name_now(w, match), list(map(deck.card_name, now.view(now.due_seats()[0]).hand))


def short_card(card: str) -> str:
    return card if card == "joker" else card[:-1] + "♣♦♥♠"["CDHS".index(card[-1])]


def picked_cards(message: Message) -> list[str]:
    numbered = (re.fullmatch(r"(.+) \(([\d, ]+)\)", label) for label in button_labels(message))
    places = {int(place): each[1] for each in numbered if each for place in each[2].split(", ")}
    return [places[place] for place in sorted(places)]


def pick_button_ids(message: Message) -> list[str]:
    return [custom_id for custom_id in control_ids(message) if custom_id.startswith("o:")]


async def tap_cards(w: SimulatedServer, match: str, name: str, *cards: str) -> Message:
    message, wanted = find_hand(w, name, match), f":trade {' '.join(cards)}"
    await w.press_button(name, message, next(each for each in pick_button_ids(message) if each.endswith(wanted)))
    return find_hand(w, name, match)


async def test_a_trade_is_shown_in_its_order_and_can_be_changed_before_it_counts(server: SimulatedServer) -> None:
    match, name, (one, two, three, *_) = await seat_two(server)
    before = await load_snapshot(server, match)
    spoken = [short_card(card) for card in (one, two, three)]
    assert f"Trade: {spoken[0]}" in message_text(await tap_cards(server, match, name, one))
    await tap_cards(server, match, name, one, two)
    message = await tap_cards(server, match, name, one, two, three)
    places = [label.split(" (")[0] for label in button_labels(message)]
    assert f"Trade in this order: {spoken[0]} (first), {spoken[1]}, {spoken[2]} (on top)" in message_text(message)
    assert picked_cards(message) == spoken

    await tap_cards(server, match, name, two, three)  # takes the first one back
    message = await tap_cards(server, match, name, two, three, one)
    assert f"{spoken[1]} (first), {spoken[2]}, {spoken[0]} (on top)" in message_text(message)
    assert [label.split(" (")[0] for label in button_labels(message)] == places
    assert await load_snapshot(server, match) == before

    await server.press_button(name, message, "Trade")
    now = await load_snapshot(server, match)
    assert [deck.card_name(card) for card in now.state.discard] == [two, three, one]
    assert f"trades 3 cards ({spoken[0]} on top)" in message_text(await find_table(server, match))
    assert "You draw " in message_text(find_hand(server, name, match))
    other = next(each for each in TWO if each != name)
    assert "you draw " not in message_text(find_hand(server, other, match)).lower()


async def test_taps_that_come_before_the_hand_shows_the_ones_before_add_up(server: SimulatedServer) -> None:
    match, name, (one, two, three, *_) = await seat_two(server)
    first = find_hand(server, name, match)
    buttons = {
        card: next(each for each in pick_button_ids(first) if each.endswith(f":trade {card}"))
        for card in (one, two, three)
    }
    for card in (one, two, three):
        await server.forge_click(name, first, buttons[card])
    assert picked_cards(find_hand(server, name, match)) == [short_card(card) for card in (one, two, three)]


async def test_malformed_picks_get_a_sentence(server: SimulatedServer) -> None:
    """Hands of older versions have a list of picks, with this custom_id."""
    match, name, cards = await seat_two(server)
    hand = find_hand(server, name, match)
    before, number = button_labels(hand), pick_button_ids(hand)[0].split(":")[2]
    custom_id = f"p:{match}:{number}:trade"
    missing = next(one for one in ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C") if one not in cards)
    sent = [[], [""], ["no card"], [missing] * 9, ["joker~1"] * 3, ["x" * 100] * 25, ["4C 9D"], ["~"], ["trade"]]
    for values in (*sent, ["\n"], ["🂡"]):
        answer = await server.forge_click(name, find_hand(server, name, match), custom_id, values)
        assert len(reply_text(answer)) > 10
        assert (await load_snapshot(server, match)).info.moves == 0
        assert set(before) <= {*button_labels(find_hand(server, name, match))}


async def test_picks_of_other_moves_and_of_other_people_get_a_sentence(server: SimulatedServer) -> None:
    match, name, cards = await seat_two(server)
    await tap_cards(server, match, name, cards[0])
    message = await tap_cards(server, match, name, *cards[:2])
    order, *_ = pick_button_ids(message)
    number = order.split(":")[2]
    custom_id = f"p:{match}:{number}:trade"
    forged: list[tuple[str, str, list[str] | None]] = [
        (name, f"p:{match}:{number}:done", []),
        (name, f"p:{match}:{number}:safety", ["1"]),
        *((name, f"o:{match}:{number}:{rest}", None) for rest in ("done", "trade", "🂡")),
        (name, "p:zzzzzzzz:0:trade", cards[:1]),
        ("Greta", custom_id, cards[:2]),
        ("Greta", order, None),
        (next(each for each in TWO if each != name), custom_id, cards[:2]),
    ]
    public = await find_table(server, match)
    for name_, control, values in forged:
        answer = await server.forge_click(name_, message if name_ == name else public, control, values)
        assert len(reply_text(answer)) > 10, control
        assert all(each.ephemeral for each in (answer.response, *answer.followups) if each and name_ != name)
        assert (await load_snapshot(server, match)).info.moves == 0, control
    assert message_text(await find_table(server, match)) == message_text(public)
