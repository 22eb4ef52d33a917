"""Jester's Court in the page: whole matches, every seat played there, on the real bot; moves by steps."""

from __future__ import annotations

import re
from typing import Final

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

DISCARD: Final = Typed("court discard", "card", "Phase Two: hinder")
NAMES: Final = ("Ada", "Bela", "Emil")
DEAL: Final = f"{18:032x}"
MATCH: Final = """
    2 place L12; 1 place L11; 3 place K11;
    3 move 10H; 3 menhir K6;
    1 move 3C; 1 attack KS;
    2 move 10H; 2 push 5H 3; 3 place L11;
    3 move 8S; 3 push 4C 1;
    1 move 6C; 1 place L12; 1 push 5S 3"""  # so dealt, whose and which
TOLD: Final = {
    "menhir K6": "Emil places the Menhir on K6.",
    "attack KS": "Ada attacks with the K♠ and rolls",
    "push 5H 3": "Waiting for C Emil to place the Mage",
    "place L11": "Emil places the Mage again on L11.",
    "push 4C 1": "stopped",
    "move 6C": "Ada claims the banner of clubs.",
}
GIVING: Final = f"{3:032x}"
SHAPES: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


async def test_a_match_of_any_moves_is_played_from_the_lobby_to_the_record(inn: Inn) -> None:
    await inn.seat("/court new banners:2 turns:4", *NAMES)
    moves = await play_out(inn, Player(inn, 5), DISCARD)
    assert moves <= 3 + 4 * 4  # the placing; in each turn two moves and at most two Mages over an edge
    record = await read_result(inn, "Ada", said="Score sheet", picture="The end: 1st")
    assert len(re.findall(r"(?m)^\d+ [1-3] .+$", record)) == moves
    await play_again(inn, "Ada", "Bela", said="1 of 2–4 players")


async def test_a_match_move_by_move_to_a_win_by_a_rivals_card(inn: Inn) -> None:
    await inn.seat("/court new banners:2", *NAMES)
    await inn.ahead(DEAL, lambda look: True)
    moves = [move.strip() for move in MATCH.split(";")]
    for seat, notation in (move.split(" ", 1) for move in moves):
        name, table = NAMES[int(seat) - 1], shown(inn)
        assert inn.due() == [name]
        await to_moves(inn, name)
        await make(inn, await inn.hand(), notation)
        await inn.turned(table)
        told = shown(inn).text.replace("**", "")
        assert TOLD.get(notation, "") in told, told
    record = await read_result(inn, "Bela", said="Emil wins with 2 banners", picture="The end: 1st C with 2 banners")
    assert re.findall(r"(?m)^\d+ ([1-3] .+)$", record) == moves


async def make(inn: Inn, hand: Locator, notation: str) -> None:
    """Make a move by what the hand shows, as a person would; one of them by a command."""
    verb, *words = notation.split()
    match verb:
        case "menhir":
            await by_column_and_row(inn, hand, words[0])
        case "push" | "attack":
            await by_card(inn, hand, notation, words[0])
        case "move" if words == ["3C"]:
            await by_suggestion(inn, "3", "3♣ to I11")
        case _:
            await button(hand, notation).click()
    await inn.answered()


async def by_card(inn: Inn, hand: Locator, notation: str, card: str) -> None:
    """First the card, then what to do with it; what brings a rival a banner is asked for once more."""
    before = await inn.loaded()
    await pick(inn, hand, "f", card[:-1] + SHAPES[card[-1]])
    control = button(hand, notation)
    assert await inn.loaded() != before or notation.startswith("attack")
    brings = "banner" in await control.inner_text()
    await control.click()
    if brings:
        last = notation == "push 5S 3"
        await expect(hand).to_contain_text("This makes Emil win" if last else "This brings Emil the banner of hearts")
        await inn.press("Yes")


async def by_column_and_row(inn: Inn, hand: Locator, square: str) -> None:
    """The Menhir: its column and its row, with a restart and a reload between them."""
    await pick(inn, hand, "f", "Menhir")
    assert any("to choose your Menhir's square on." in alt for alt in await inn.loaded())
    await pick(inn, hand, "f", f"Column {square[0]}")
    assert any(f"Column {square[0]} is marked." in alt for alt in await inn.loaded())
    await over_a_restart(inn)
    await pick(inn, hand, "s", square)


async def by_suggestion(inn: Inn, typed: str, wanted: str) -> None:
    """By `/court move`, from what it offers when so much of the card is typed."""
    await inn.page.get_by_test_id("composer").fill("/court mo")
    await inn.page.get_by_test_id("command-court-move").click()
    option = inn.page.get_by_test_id("command-option-card")
    await option.fill(typed)
    await inn.page.get_by_role("option").filter(has_text=wanted).click()
    await inn.page.get_by_test_id("command-send").click()
    await expect(inn.page.get_by_test_id("composer")).to_be_visible()


async def pick(inn: Inn, hand: Locator, kind: str, line: str) -> None:
    """Pick a line of the hand's lowest list: `f` for a step, `s` for a move."""
    await hand.locator(f'[data-custom-id^="{kind}:"]').last.click()
    await inn.page.get_by_role("option").filter(has=inn.page.get_by_text(line, exact=True)).click()
    await inn.answered()


def button(hand: Locator, notation: str) -> Locator:
    """The button that makes this move, or asks for it once more."""
    return hand.locator(f'button[data-custom-id$=":{notation}"]')


def giving(look: Look) -> bool:
    """Somebody's Mage was knocked out, and has banners to choose from."""
    owed = look.view(None).owed
    return bool(owed) and owed[0].what == "give"


async def test_who_is_knocked_out_gives_a_banner_back_and_places_the_mage(inn: Inn) -> None:
    await inn.seat("/court new", "Ada", "Bela")
    await inn.ahead(GIVING, giving)
    (name,) = inn.due()
    await to_moves(inn, name)
    hand = await inn.hand()
    await expect(hand).to_contain_text("Your Mage was knocked out: give back one of your banners.")
    await over_a_reload(inn)
    table = shown(inn)
    await hand.get_by_role("button", name=re.compile("Give back")).first.click()
    await inn.turned(table)
    assert f"{name} gives back the banner of" in shown(inn).text
    assert inn.due() == [name]
    await expect(hand).to_contain_text("it was knocked out")
    await expect(inn.newest(MOVES).locator('[data-custom-id*=":place "]').first).to_be_visible()
    await button(hand, "place K11").or_(button(hand, "place L11")).first.click()
    await expect(hand).to_contain_text("health 6/6")
    assert inn.due() != [name] or "Phase One" in shown(inn).text
