"""Jokers in the page: a whole match, both seats played there, on the real bot; a turn of each kind, step by step."""

from __future__ import annotations

import re

from playwright.async_api import Locator, expect

from tests.page.inn import MOVES, Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result, shown, to_moves

TRADE = Typed("jokers trade", "cards", "Trade")
NUMBERED = re.compile(r" \(\d\)$")  # what a button says of a card that is picked
FULL_SOON = f"{3778:032x}"  # whoever starts trades the four cards in no meld and has a full hand


async def test_a_match_is_played_from_the_lobby_to_the_record(desk: Inn) -> None:
    await desk.seat("/jokers new rounds:1", "Ada", "Emil")
    player = Player(desk, 1)
    moves = await play_out(desk, player, TRADE)
    assert player.used >= {"p", "o", "m"}
    record = await read_result(desk, "Ada", picture="score sheet of 1 round")
    assert len(re.findall(r"(?m)^\d+ [AB] .+$", record)) == moves
    await play_again(desk, "Ada", said="1 player; 1 more")


async def choose(desk: Inn, label: str) -> None:
    """Pick a line of the list of the newest hand."""
    await desk.newest(MOVES).locator('[data-custom-id^="s:"]').click()
    await desk.page.get_by_role("option").filter(has_text=label).first.click()
    await desk.answered()


async def pick(desk: Inn, hand: Locator, cards: list[str]) -> None:
    """Pick cards from the list of the hand, the last one first."""
    await hand.locator('[data-custom-id^="p:"]').click()
    for card in reversed(cards):
        await desk.page.get_by_role("option").filter(has_text=card).first.click()
    await desk.page.get_by_test_id("select-done").click()
    await desk.answered()


async def loose(hand: Locator) -> list[str]:
    """The cards in no meld, as a hand's picture tells them."""
    found = re.search(r"Your hand: .*?no meld (.*?);", await hand.locator("img").first.get_attribute("alt") or "")
    assert found is not None
    return found[1].split(", ")


async def told(hand: Locator, said: str) -> None:
    """The hand's picture tells that."""
    await expect(hand.locator("img").first).to_have_attribute("alt", re.compile(re.escape(said)))


async def test_a_turn_of_each_kind_to_a_declared_hand_and_the_last_turn_after_it(desk: Inn) -> None:
    await desk.seat("/jokers new rounds:1", "Ada", "Bela")
    await desk.ahead(FULL_SOON, lambda look: True)
    (first,) = desk.due()
    await to_moves(desk, first)
    hand = await desk.hand()
    await told(hand, "if the round ends now")
    cards = await loose(hand)
    assert len(cards) == 4
    await pick(desk, hand, cards)
    await expect(hand).to_contain_text("Trade in this order")
    picked = await hand.get_by_role("button", name=NUMBERED).all_inner_texts()
    card, *others = [NUMBERED.sub("", each) for each in picked]
    await desk.press(f"{card} (1)")  # taken back
    await desk.press(card)
    await expect(hand).to_contain_text(f"{card} (on top)")
    table = shown(desk)
    await desk.press("Trade")
    await desk.turned(table)
    assert f"trades {', '.join([*others, card])}" in shown(desk).text

    await told(hand, "full hand: ")
    await desk.press("Done")
    await expect(hand).to_contain_text("You hold a full hand")
    await desk.press("Back to the hand")
    table = shown(desk)
    await hand.get_by_role("button", name=re.compile("Declare for")).click()
    await desk.turned(table)
    await told(hand, "declared: ")

    (last,) = desk.due()
    assert {first, last} == {"Ada", "Bela"}
    await to_moves(desk, last)
    hand = await desk.hand()
    await expect(hand).to_contain_text("Your last turn")
    await desk.press("Safety 1")
    await expect(hand).to_contain_text("Take a discard, or keep the ")
    await hand.locator('[data-custom-id$=":take 1"]').click()
    await desk.answered()
    await expect(hand).to_contain_text("Discard a card, to have eight again.")
    await choose(desk, card)
    await expect(hand).to_contain_text("Your last turn")
    await desk.press("Done")
    await expect(hand).to_contain_text("Scoring")
    record = await read_result(desk, first, said="wins with", picture="score sheet of 1 round")
    assert re.findall(r"(?m)^\d+ [AB] (\w+)", record) == ["trade", "declare", "safety", "take", "discard", "done"]
