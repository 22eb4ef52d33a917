"""Jester's Court in the page, move by move: first the card, then what to do with it; what falls due out of turn."""

from __future__ import annotations

import re
from typing import Final

from playwright.async_api import Locator, expect

from engines.match import Look
from engines.seats import seat_of
from tests.page.inn import Inn
from tests.page.playing import over_a_reload, over_a_restart, read_result, shown, to_moves

NAMES: Final = ("Ada", "Bela", "Emil")
DEAL: Final = f"{18:032x}"
MATCH: Final = (  # so dealt: the moves, and what the table tells then
    ("B place L12", "Bela places the Mage on L12."),
    ("A place L11", "Ada places the Mage on L11."),
    ("C place K11", "Turn 1, Phase One. 2 banners win."),
    ("C move 10H", "to K1."),
    ("C menhir K6", "Emil places the Menhir on K6."),
    ("A move 3C", "to I11."),
    ("A attack KS", "Ada attacks with the K♠ and rolls 2. Bela rolls 2 (tie), 3: safe; Emil rolls 6: safe."),
    ("B move 10H", "to L2."),
    ("B push 5H C", "Waiting for Emil to place the Mage."),
    ("C place L11", "Emil places the Mage again on L11."),
    ("C move 8S", "to L19."),
    ("C push 4C A", "to E11."),
    ("A move 6C", "Waiting for Ada to place the Mage."),
    ("A place L12", "Ada places the Mage again on L12."),
    ("A push 5S C", "Emil wins with 2 banners"),
)
KNOCKED_OUT: Final = f"{742:032x}"  # in turn 42 an ace knocks out two at once, who have banners to choose from
SHAPES: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


async def test_a_match_move_by_move_to_a_win_by_a_rivals_card(desk: Inn) -> None:
    await desk.seat("/court new banners:2", *NAMES)
    await desk.ahead(DEAL, lambda look: True)
    for move, told in MATCH:
        who, notation = move.split(" ", 1)
        name, table = NAMES[seat_of(who)], shown(desk)
        assert desk.due() == [name]
        await to_moves(desk, name)
        await make(desk, await desk.hand(), notation)
        await desk.turned(table)
        assert told in shown(desk).text.replace("**", "")
    record = await read_result(desk, "Bela", said="Emil wins with 2 banners", picture="The end: 1st C with 2 banners")
    assert re.findall(r"(?m)^\d+ ([A-C] .+)$", record) == [move for move, _ in MATCH]


async def make(desk: Inn, hand: Locator, notation: str) -> None:
    """Make a move by what the hand shows, as a person would; one of them by a command."""
    verb, *words = notation.split()
    match verb:
        case "menhir":
            await by_column_and_row(desk, hand, words[0])
        case "push" | "attack":
            await by_card(desk, hand, notation, words[0])
        case "move" if words == ["3C"]:
            await by_suggestion(desk, "3", "3♣, to I11")
        case _:
            await button(hand, notation).click()
    await desk.answered()


async def by_card(desk: Inn, hand: Locator, notation: str, card: str) -> None:
    """First the card, then what to do with it; what brings a rival a banner is asked for once more."""
    before = await desk.loaded()
    await pick(desk, hand, "f", card[:-1] + SHAPES[card[-1]])
    control = button(hand, notation)
    assert await desk.loaded() != before or notation.startswith("attack")
    said = await control.inner_text()
    brings = "banner" in said
    await control.click()
    if brings:
        last = notation == "push 5S C"
        await expect(hand).to_contain_text("This makes Emil win" if last else "This brings Emil the banner of hearts")
        await button(hand, notation).click()


async def by_column_and_row(desk: Inn, hand: Locator, square: str) -> None:
    """The Menhir: its column and its row, with a restart between them."""
    await pick(desk, hand, "f", "Menhir")
    assert any("to choose your Menhir's square on." in alt for alt in await desk.loaded())
    await pick(desk, hand, "f", f"Column {square[0]}")
    assert any(f"Column {square[0]} is marked." in alt for alt in await desk.loaded())
    await over_a_restart(desk)
    await pick(desk, hand, "s", square)


async def by_suggestion(desk: Inn, typed: str, wanted: str) -> None:
    """By `/court move`, from what it offers when so much of the card is typed."""
    await desk.page.get_by_test_id("composer").fill("/court mo")
    await desk.page.get_by_test_id("command-court-move").click()
    option = desk.page.get_by_test_id("command-option-move")
    await option.fill(typed)
    await desk.page.get_by_role("option").filter(has_text=wanted).click()
    await desk.page.get_by_test_id("command-send").click()
    await expect(desk.page.get_by_test_id("composer")).to_be_visible()


async def pick(desk: Inn, hand: Locator, kind: str, line: str) -> None:
    """Pick a line of the hand's lowest list: `f` for a step, `s` for a move."""
    await hand.locator(f'[data-custom-id^="{kind}:"]').last.click()
    await desk.page.get_by_role("option").filter(has=desk.page.get_by_text(line, exact=True)).click()
    await desk.answered()


def button(hand: Locator, notation: str) -> Locator:
    """The button that makes this move, or asks for it once more."""
    return hand.locator(f'button[data-custom-id$=":{notation}"]')


def giving(look: Look) -> bool:
    """Somebody's Mage was knocked out, and has banners to choose from."""
    owed = look.view(None).owed
    return bool(owed) and owed[0].what == "give"


async def test_who_is_knocked_out_gives_a_banner_back_and_places_the_mage(desk: Inn) -> None:
    await desk.seat("/court new", *NAMES)
    await desk.ahead(KNOCKED_OUT, giving)
    assert desk.due() == ["Bela"]
    await to_moves(desk, "Bela")
    await over_a_reload(desk)
    await give_and_place(desk, "Bela")
    assert desk.due() == ["Ada"]  # knocked out by the same ace
    await to_moves(desk, "Ada")
    await give_and_place(desk, "Ada")
    assert "Turn 43, Phase One." in shown(desk).text


async def give_and_place(desk: Inn, name: str) -> None:
    """Somebody's banner goes back, and the Mage to a starting square."""
    hand, table = await desk.hand(), shown(desk)
    await expect(hand).to_contain_text("Your Mage was knocked out: give back one of your banners.")
    given = hand.get_by_role("button", name=re.compile("Give back")).last
    suit = (await given.inner_text()).split("Give back ")[1]
    await given.click()
    await desk.turned(table)
    assert f"{name} gives back a banner: {suit}." in shown(desk).text
    assert desk.due() == [name]
    await expect(hand).to_contain_text("Place your Mage on a starting square again: it was knocked out.")
    square, table = await (await desk.control()).inner_text(), shown(desk)
    await desk.press(square)
    await desk.turned(table)
    assert f"{name} places the Mage again on {square}." in shown(desk).text
