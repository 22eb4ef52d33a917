"""Jest in the page: whole matches, every seat played there, on the real bot; offers that stay secret."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.async_api import expect

from tests.page.inn import Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result, shown, to_moves

OFFER = Typed("jest offer", "card", "Offer: ")
DEAL = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("others", [("Bela", "Emil"), ("Bela", "Emil", "Chidi")], ids=["three", "four"])
async def test_a_match_is_played_from_the_lobby_to_the_record(inn: Inn, others: Sequence[str]) -> None:
    await inn.seat("/jest new", "Ada", *others)
    await play_out(inn, Player(inn, len(others)), OFFER)
    record = await read_result(inn, "Ada", said="the end.", picture="worked out")
    seats = 1 + len(others)
    moves = re.findall(r"(?m)^\d+ [A-D] (offer|take) .+$", record)
    assert moves.count("take") == (4 if seats == 3 else 3) * seats
    assert moves.count("offer") >= moves.count("take")  # some are changed
    await play_again(inn, "Ada", "Bela", said="1 of 3–4 players")


async def test_an_offer_is_secret_and_may_be_changed_until_all_have_chosen(inn: Inn) -> None:
    await inn.seat("/jest new", "Ada", "Bela", "Emil")
    await inn.ahead(DEAL, lambda look: True)
    assert inn.due() == ["Ada", "Bela", "Emil"]
    await to_moves(inn, "Ada")
    hand = await inn.hand()
    buttons = hand.locator('[data-custom-id^="m:"]')
    cards = [label.split()[-3] for label in await buttons.all_inner_texts()]
    for i in (0, 1):  # the second time it is a change
        table = shown(inn)
        await buttons.nth(i).click()
        await expect(hand).to_contain_text(f"Offered: {cards[i]} face down")
        if i == 0:
            await inn.turned(table)
        assert inn.due() == ["Bela", "Emil"]
        assert not any(card in shown(inn).text for card in cards)
    for name in ("Bela", "Emil"):
        table = shown(inn)
        await to_moves(inn, name)
        await inn.move()
        await inn.turned(table)
    assert f"Ada {cards[0]}" in shown(inn).text  # face up, since the other one was laid down in the end
    assert cards[1] not in shown(inn).text
