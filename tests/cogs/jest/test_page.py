"""Jest in the page: whole matches with every seat played there, on the real bot, and secret offers."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.page.inn import PageDriver
from tests.page.playing import RandomPlayer, TypedMove, current_table, go_to_moves, play_again, play_out, read_result

OFFER = TypedMove("jest offer", "card", "Which card do you lay face down")
DEAL = "0123456789abcdef0123456789abcdef"


async def test_a_match_is_played_from_the_lobby_to_the_record(desk: PageDriver) -> None:
    seats = 4
    await desk.seat_people("/jest new", "Ada", "Bela", "Emil", "Chidi")
    await play_out(desk, RandomPlayer(desk, seats - 1), OFFER)
    record = await read_result(desk, "Ada", picture="The value of every Jest")
    moves = re.findall(r"(?m)^\d+ [A-D] (offer|take) .+$", record)
    assert moves.count("take") == 3 * seats
    assert moves.count("offer") >= moves.count("take")  # some are changed
    await play_again(desk, "Ada", "Bela", said="1 player; 2 more")


async def test_an_offer_is_secret_and_may_be_changed_until_all_have_chosen(desk: PageDriver) -> None:
    await desk.seat_people("/jest new", "Ada", "Bela", "Emil")
    await desk.skip_ahead(DEAL, lambda look: True)
    assert desk.due_names() == ["Ada", "Bela", "Emil"]
    await go_to_moves(desk, "Ada")
    hand = await desk.newest_hand()
    buttons = hand.locator('[data-custom-id^="m:"]')
    cards = [label.split()[-3] for label in await buttons.all_inner_texts()]
    for i in (0, 1):  # the second time it is a change
        table = current_table(desk)
        await buttons.nth(i).click()
        await expect(hand).to_contain_text(f"{cards[i]} lies face down")
        if i == 0:
            await desk.wait_table_changed(table)
        assert desk.due_names() == ["Bela", "Emil"]
        assert not any(card in current_table(desk).text for card in cards)
    for name in ("Bela", "Emil"):
        table = current_table(desk)
        await go_to_moves(desk, name)
        await desk.make_any_move()
        await desk.wait_table_changed(table)
    assert f"Ada {cards[0]}" in current_table(desk).text  # face up, because the other card was laid down in the end
    assert cards[1] not in current_table(desk).text
