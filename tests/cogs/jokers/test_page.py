"""Jokers in the page: a whole match with both seats played there, on the real bot, and a turn of each kind."""

from __future__ import annotations

import re

from playwright.async_api import Locator, expect

from tests.page.inn import MOVE_SELECTOR, PageDriver
from tests.page.playing import RandomPlayer, TypedMove, current_table, go_to_moves, play_again, play_out, read_result

TRADE = TypedMove("jokers trade", "cards", "Trade")
NUMBERED = re.compile(r" \(\d\)$")  # the suffix of a picked card's button
FULL_SOON = f"{3778:032x}"  # the first player trades four cards and has a full hand


async def test_a_match_is_played_from_the_lobby_to_the_record(desk: PageDriver) -> None:
    await desk.seat_people("/jokers new rounds:1", "Ada", "Emil")
    player = RandomPlayer(desk, 1)
    moves = await play_out(desk, player, TRADE)
    assert player.used >= {"p", "o", "m"}
    record = await read_result(desk, "Ada", picture="score sheet of 1 round")
    assert len(re.findall(r"(?m)^\d+ [AB] .+$", record)) == moves
    await play_again(desk, "Ada", said="1 player; 1 more")


async def choose_line(desk: PageDriver, label: str) -> None:
    """Pick a line from the list of the newest hand."""
    await desk.newest_holding(MOVE_SELECTOR).locator('[data-custom-id^="s:"]').click()
    await desk.page.get_by_role("option").filter(has_text=label).first.click()
    await desk.wait_answered()


async def pick(desk: PageDriver, hand: Locator, cards: list[str]) -> None:
    """Pick cards from the hand's list, the last one first."""
    await hand.locator('[data-custom-id^="p:"]').click()
    for card in reversed(cards):
        await desk.page.get_by_role("option").filter(has_text=card).first.click()
    await desk.page.get_by_test_id("select-done").click()
    await desk.wait_answered()


async def loose_cards(hand: Locator) -> list[str]:
    """Return the cards in no meld, from the alt text of a hand's picture."""
    found = re.search(r"Your hand: .*?no meld (.*?);", await hand.locator("img").first.get_attribute("alt") or "")
    assert found is not None
    return found[1].split(", ")


async def check_told(hand: Locator, said: str) -> None:
    """Check that the alt text of the hand's picture says this."""
    await expect(hand.locator("img").first).to_have_attribute("alt", re.compile(re.escape(said)))


async def test_a_turn_of_each_kind_to_a_declared_hand_and_the_last_turn_after_it(desk: PageDriver) -> None:
    await desk.seat_people("/jokers new rounds:1", "Ada", "Bela")
    await desk.skip_ahead(FULL_SOON, lambda look: True)
    (first,) = desk.due_names()
    await go_to_moves(desk, first)
    hand = await desk.newest_hand()
    await check_told(hand, "if the round ends now")
    cards = await loose_cards(hand)
    assert len(cards) == 4
    await pick(desk, hand, cards)
    await expect(hand).to_contain_text("Trade in this order")
    picked = await hand.get_by_role("button", name=NUMBERED).all_inner_texts()
    card, *others = [NUMBERED.sub("", each) for each in picked]
    await desk.press_button(f"{card} (1)")  # taken back
    await desk.press_button(card)
    await expect(hand).to_contain_text(f"{card} (on top)")
    table = current_table(desk)
    await desk.press_button("Trade")
    await desk.wait_table_changed(table)
    assert f"trades {', '.join([*others, card])}" in current_table(desk).text

    await check_told(hand, "full hand: ")
    await desk.press_button("Done")
    await expect(hand).to_contain_text("You hold a full hand")
    await desk.press_button("Back to the hand")
    table = current_table(desk)
    await hand.get_by_role("button", name=re.compile("Declare for")).click()
    await desk.wait_table_changed(table)
    await check_told(hand, "declared: ")

    (last,) = desk.due_names()
    assert {first, last} == {"Ada", "Bela"}
    await go_to_moves(desk, last)
    hand = await desk.newest_hand()
    await expect(hand).to_contain_text("Your last turn")
    await desk.press_button("Safety 1")
    await expect(hand).to_contain_text("Take a discard, or keep the ")
    await hand.locator('[data-custom-id$=":take 1"]').click()
    await desk.wait_answered()
    await expect(hand).to_contain_text("Discard a card to get back to eight.")
    await choose_line(desk, card)
    await expect(hand).to_contain_text("Your last turn")
    await desk.press_button("Done")
    await expect(hand).to_contain_text("Scoring")
    record = await read_result(desk, first, said="wins with", picture="score sheet of 1 round")
    assert re.findall(r"(?m)^\d+ [AB] (\w+)", record) == ["trade", "declare", "safety", "take", "discard", "done"]
