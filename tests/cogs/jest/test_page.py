"""Jest in the page: whole matches, every seat played there, on the real bot; offers that stay secret."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.page.inn import Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result, shown, to_moves

OFFER = Typed("jest offer", "card", "Which of your cards")
DEAL = "0123456789abcdef0123456789abcdef"


async def test_a_match_is_played_from_the_lobby_to_the_record(desk: Inn) -> None:
    seats = 4
    await desk.seat("/jest new", "Ada", "Bela", "Emil", "Chidi")
    await play_out(desk, Player(desk, seats - 1), OFFER)
    record = await read_result(desk, "Ada", picture="worked out")
    moves = re.findall(r"(?m)^\d+ [A-D] (offer|take) .+$", record)
    assert moves.count("take") == 3 * seats
    assert moves.count("offer") >= moves.count("take")  # some are changed
    await play_again(desk, "Ada", "Bela", said="1 player; 2 more")


async def test_an_offer_is_secret_and_may_be_changed_until_all_have_chosen(desk: Inn) -> None:
    await desk.seat("/jest new", "Ada", "Bela", "Emil")
    await desk.ahead(DEAL, lambda look: True)
    assert desk.due() == ["Ada", "Bela", "Emil"]
    await to_moves(desk, "Ada")
    hand = await desk.hand()
    buttons = hand.locator('[data-custom-id^="m:"]')
    cards = [label.split()[-3] for label in await buttons.all_inner_texts()]
    for i in (0, 1):  # the second time it is a change
        table = shown(desk)
        await buttons.nth(i).click()
        await expect(hand).to_contain_text(f"{cards[i]} lies face down")
        if i == 0:
            await desk.turned(table)
        assert desk.due() == ["Bela", "Emil"]
        assert not any(card in shown(desk).text for card in cards)
    for name in ("Bela", "Emil"):
        table = shown(desk)
        await to_moves(desk, name)
        await desk.move()
        await desk.turned(table)
    assert f"Ada {cards[0]}" in shown(desk).text  # face up, since the other one was laid down in the end
    assert cards[1] not in shown(desk).text
