"""Jester's Court in the page: whole matches, every seat played there, on the real bot; choices by steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.async_api import Locator, expect

from engines.match import Look
from tests.page.inn import MOVES, Inn
from tests.page.playing import (
    Player,
    Typed,
    over_a_reload,
    over_a_restart,
    play_again,
    play_out,
    read_result,
    shown,
    to_moves,
)

DISCARD = Typed("court discard", "card", "Phase Two: hinder")
DEAL = f"{18:032x}"
MATCH = """2 place L12; 1 place L11; 3 place K11
    3 move 10H; 3 menhir K6
    1 move 3C; 1 attack KS
    2 move 10H; 2 push 5H 3; 3 place L11
    3 move 8S; 3 push 4C 1
    1 move 6C; 1 place L12; 1 push 5S 3"""  # so dealt; everything that three players do but aces and knock-outs
GIVING = f"{3:032x}"


def script() -> Iterator[tuple[int, str]]:
    """The moves of the match: whose, and which."""
    for move in re.split(r"[;\n]", MATCH):
        seat, notation = move.strip().split(" ", 1)
        yield int(seat), notation


def button(hand: Locator, notation: str) -> Locator:
    """The button that makes this move, or asks for it once more."""
    return hand.locator(f'button[data-custom-id$=":{notation}"]')


async def pick(inn: Inn, hand: Locator, kind: str, line: str) -> None:
    """Pick a line of a hand's list: `f` for a step, `s` for a move."""
    await hand.locator(f'[data-custom-id^="{kind}:"]').last.click()
    await inn.page.get_by_role("option").filter(has_text=re.compile(rf"^\s*\S*\s*{line}")).first.click()
    await inn.answered()


async def test_a_match_of_any_moves_is_played_from_the_lobby_to_the_record(inn: Inn) -> None:
    await inn.seat("/court new banners:2 turns:4", "Ada", "Bela", "Emil")
    moves = await play_out(inn, Player(inn, 5), DISCARD)
    assert moves <= 3 + 4 * 4  # the placing, and in each turn two moves and two Mages over an edge at most
    record = await read_result(inn, "Ada", said="Score sheet", picture="The end: 1st")
    assert len(re.findall(r"(?m)^\d+ [1-3] .+$", record)) == moves
    await play_again(inn, "Ada", "Bela", said="1 of 2–4 players")


async def test_a_match_move_by_move_to_a_win_by_a_rivals_card(inn: Inn) -> None:
    await inn.seat("/court new banners:2", "Ada", "Bela", "Emil")
    await inn.ahead(DEAL, lambda look: True)
    names = ["Ada", "Bela", "Emil"]
    for number, (seat, notation) in enumerate(script(), 1):
        name, table = names[seat - 1], shown(inn)
        assert inn.due() == [name]
        await to_moves(inn, name)
        hand = await inn.hand()
        await inn.loaded()
        await make(inn, hand, notation)
        await inn.turned(table)
        for said in TOLD.get(number, ()):
            assert said in shown(inn).text
    record = await read_result(inn, "Bela", said="Emil wins with 2 banners", picture="The end: 1st C with 2 banners")
    assert re.findall(r"(?m)^\d+ ([1-3]) (\w.*?)(?: \(|$)", record) == []


async def make(inn: Inn, hand: Locator, notation: str) -> None:
    """Make a move by what the hand shows, in the way that is a person's."""
    verb, *words = notation.split()
    if verb == "menhir":
        await by_column_and_row(inn, hand, words[0])
    elif verb in ("push", "attack", "discard"):
        await by_card(inn, hand, notation, words[0])
    elif notation == "move 3C":
        await by_suggestion(inn, "court move", "3", "3♣")
    else:
        await button(hand, notation).click()
    await inn.answered()
