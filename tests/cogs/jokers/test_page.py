"""Jokers in the page: a whole match, both seats played there, on the real bot; a turn of each kind, step by step."""

from __future__ import annotations

import re

from playwright.async_api import Locator, expect

from tests.page.inn import MOVES, Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result, shown, to_moves

TRADE = Typed("jokers trade", "cards", "Your turn: trade")
FULL_SOON = f"{3778:032x}"  # whoever starts trades the four cards in no meld and has a full hand


async def test_a_match_is_played_from_the_lobby_to_the_record(desk: Inn) -> None:
    await desk.seat("/jokers new rounds:1", "Ada", "Emil")
    player = Player(desk, 1)
    moves = await play_out(desk, player, TRADE)
    assert player.used >= {"p", "o", "m"}
    record = await read_result(desk, "Ada", said="Round 1 of 1, the end.", picture="score sheet of 1 round")
    assert len(re.findall(r"(?m)^\d+ [AB] .+$", record)) == moves
    await play_again(desk, "Ada", said="1 of 2 players")


async def choose(desk: Inn, which: str, *labels: str) -> None:
    """Pick lines of a list of the newest hand, one after the other."""
    await desk.newest(MOVES).locator(f'[data-custom-id^="{which}:"]').click()
    for label in labels:
        await desk.page.get_by_role("option").filter(has_text=label).first.click()
    if which == "p":
        await desk.page.get_by_test_id("select-done").click()
    await desk.answered()


async def loose(hand: Locator) -> list[str]:
    """The cards in no meld, as a hand tells them."""
    found = re.search(r"In no meld: (.*)", await hand.inner_text())
    assert found is not None
    return found[1].split(", ")


async def test_a_turn_of_each_kind_to_a_declared_hand_and_the_last_turn_after_it(desk: Inn) -> None:
    await desk.seat("/jokers new rounds:1", "Ada", "Bela")
    await desk.ahead(FULL_SOON, lambda look: True)
    (first,) = desk.due()
    await to_moves(desk, first)
    hand = await desk.hand()
    await expect(hand).to_contain_text("Full hand: not yet")
    cards = await loose(hand)
    assert len(cards) == 4
    await choose(desk, "p", *cards)
    await expect(hand).to_contain_text("Trade in this order")
    await desk.press(f"{cards[0]} on top")
    await expect(hand).to_contain_text(f"{cards[0]} (on top)")
    await expect(desk.page.get_by_role("button", name=f"{cards[0]} on top")).to_be_disabled()
    table = shown(desk)
    await desk.press("Trade")
    await desk.turned(table)
    assert f"{cards[0]} (on top)" in shown(desk).text
    assert f"1:\N{NO-BREAK SPACE}{cards[0]}\N{NO-BREAK SPACE}· 2:" in shown(desk).text

    await expect(hand).to_contain_text("Full hand: yes, declared it scores")
    await desk.press("Done")
    await expect(hand).to_contain_text("You hold a full hand")
    await desk.press("Back to the hand")
    table = shown(desk)
    await hand.get_by_role("button", name=re.compile("Declare for")).click()
    await desk.turned(table)
    await expect(hand).to_contain_text("Full hand: you have declared it")

    (last,) = desk.due()
    assert {first, last} == {"Ada", "Bela"}
    await to_moves(desk, last)
    hand = await desk.hand()
    await expect(hand).to_contain_text(f"since {first} has declared")
    await desk.press("Turn up safety 1")
    await expect(hand).to_contain_text("Your safety card is the")
    await choose(desk, "s", "1: ")
    await expect(hand).to_contain_text("Discard a card, to have eight again.")
    await choose(desk, "s", cards[0])
    await expect(hand).to_contain_text("Your last turn of this round")
    await desk.press("Done")
    await expect(hand).to_contain_text("Score sheet")
    record = await read_result(desk, first, said="Round 1 of 1, the end.", picture="score sheet of 1 round")
    assert re.findall(r"(?m)^\d+ [AB] (\w+)", record) == ["trade", "declare", "safety", "take", "discard", "done"]
