"""Jester's Court in the page, move by move: the card, then its use, and decisions out of turn."""

from __future__ import annotations

import re
from typing import Final

from playwright.async_api import Locator, expect

from cogs.court.drawing.spec import part_of
from engines.court import board
from engines.hosting.match import MatchSnapshot
from engines.kit.seats import parse_seat
from tests.page.inn import PageDriver
from tests.page.playing import current_table, go_to_moves, read_result, reload_page, restart_bot

NAMES: Final = ("Ada", "Bela", "Emil")
DEAL: Final = f"{18:032x}"
MATCH: Final = (  # for this deal: the moves, and the narration of each
    ("B place L12", "Bela on L12"),
    ("A place L11", "Ada on L11"),
    ("C place K11", "Waiting for Emil to move."),
    ("C move 10H", "Emil 10♥ to K1"),
    ("C menhir K6", "Emil Menhir on K6"),
    ("A move 3C", "Ada 3♣ to I11"),
    ("A attack KS", "Ada K♠ hits nobody"),
    ("B move 10H", "Bela 10♥ to L2"),
    ("B push 5H C", "Bela 5♥: Emil over\N{NO-BREAK SPACE}♥\N{NO-BREAK SPACE}· Emil gets banner\N{NO-BREAK SPACE}♥"),
    ("C place L11", "Emil on L11"),
    ("C move 8S", "Emil 8♠ to L19"),
    ("C push 4C A", "Emil 4♣: Ada to E11"),
    ("A move 6C", "Waiting for Ada to place a Mage."),
    ("A place L12", "Ada on L12"),
    ("A push 5S C", "Emil wins with 2 banners"),
)
KNOCKED_OUT: Final = f"{742:032x}"  # in turn 42, an ace knocks out two Mages whose owners can choose a banner
SHAPES: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


async def test_a_match_move_by_move_to_a_win_by_a_rivals_card(desk: PageDriver) -> None:
    await desk.seat_people("/court new banners:2", *NAMES)
    await desk.skip_ahead(DEAL, lambda look: True)
    for move, told in MATCH:
        who, notation = move.split(" ", 1)
        name, table = NAMES[parse_seat(who)], current_table(desk)
        assert desk.due_names() == [name]
        await go_to_moves(desk, name)
        await make_move(desk, await desk.newest_hand(), notation)
        await desk.wait_table_changed(table)
        assert told in current_table(desk).text.replace("**", "")
    record = await read_result(
        desk, "Bela", said="Emil wins with 2 banners", picture="The end: 1st Emil with 2 banners"
    )
    assert re.findall(r"(?m)^\d+ ([A-C] .+)$", record) == [move for move, _ in MATCH]


async def make_move(desk: PageDriver, hand: Locator, notation: str) -> None:
    """Make a move with the hand's controls, and one by command."""
    verb, *words = notation.split()
    match verb:
        case "menhir":
            await move_menhir(desk, hand, words[0])
        case "push" | "attack":
            await move_by_card(desk, hand, notation, words[0])
        case "move" if words == ["3C"]:
            await move_by_suggestion(desk, "3", "3♣, to I11")
        case _:
            await move_button(hand, notation).click()
    await desk.wait_answered()


async def move_by_card(desk: PageDriver, hand: Locator, notation: str, card: str) -> None:
    """Choose the card, then its use. A banner for a rival needs a confirmation."""
    before = await desk.wait_pictures_loaded()
    await press_onward(desk, hand, card[:-1] + SHAPES[card[-1]])
    assert await desk.wait_pictures_loaded() != before
    control = move_button(hand, notation)
    brings = "gets banner" in await control.inner_text()
    await control.click()
    if brings:
        last = notation == "push 5S C"
        await expect(hand).to_contain_text("This makes Emil win" if last else "This gives Emil the banner of hearts")
        await move_button(hand, notation).click()


async def move_menhir(desk: PageDriver, hand: Locator, square: str) -> None:
    """Place the Menhir: choose the part of the board, restart, then choose the square."""
    await press_onward(desk, hand, "Menhir")
    assert any("for choosing your Menhir's square." in alt for alt in await desk.wait_pictures_loaded())
    part = board.square_name(part_of(board.parse_square(square)))
    await press_onward(desk, hand, part)
    assert any(f"The part {part} to " in alt for alt in await desk.wait_pictures_loaded())
    await restart_bot(desk)
    await move_button(hand, f"menhir {square}").click()


async def press_onward(desk: PageDriver, hand: Locator, label: str) -> None:
    """Press a button that opens a step."""
    await hand.locator('[data-custom-id^="n:"]').filter(has=desk.page.get_by_text(label, exact=True)).click()
    await desk.wait_answered()


async def move_by_suggestion(desk: PageDriver, typed: str, wanted: str) -> None:
    """Make a move by `/court move`, from its suggestions for the start of a card."""
    await desk.page.get_by_test_id("composer").fill("/court mo")
    await desk.page.get_by_test_id("command-court-move").click()
    option = desk.page.get_by_test_id("command-option-move")
    await option.fill(typed)
    await desk.page.get_by_role("option").filter(has_text=wanted).click()
    await desk.page.get_by_test_id("command-send").click()
    await expect(desk.page.get_by_test_id("composer")).to_be_visible()


def move_button(hand: Locator, notation: str) -> Locator:
    """Return the button that makes this move or asks for a confirmation."""
    return hand.locator(f'button[data-custom-id$=":{notation}"]')


def is_giving(look: MatchSnapshot) -> bool:
    """Return whether a Mage was knocked out and its owner can choose a banner."""
    owed = look.view(None).owed
    return bool(owed) and owed[0].what == "give"


async def test_who_is_knocked_out_gives_a_banner_back_and_places_the_mage(desk: PageDriver) -> None:
    await desk.seat_people("/court new", *NAMES)
    await desk.skip_ahead(KNOCKED_OUT, is_giving)
    assert desk.due_names() == ["Bela"]
    await go_to_moves(desk, "Bela")
    await reload_page(desk)
    await give_and_place(desk, "Bela")
    assert desk.due_names() == ["Ada"]  # knocked out by the same ace
    await go_to_moves(desk, "Ada")
    await give_and_place(desk, "Ada")
    assert re.search(r"Waiting for \w+ to move\.", current_table(desk).text)


async def give_and_place(desk: PageDriver, name: str) -> None:
    """Give back a banner, and place the Mage on a starting square."""
    hand, table = await desk.newest_hand(), current_table(desk)
    await expect(hand).to_contain_text("Knocked out: give back a banner.")
    given = hand.get_by_role("button", name=re.compile("Give back")).last
    suit = (await given.inner_text()).split("Give back ")[1].strip()
    await given.click()
    await desk.wait_table_changed(table)
    assert f"{name} gives back\N{NO-BREAK SPACE}{suit}" in current_table(desk).text
    assert desk.due_names() == [name]
    await expect(hand).to_contain_text("Knocked out: place your Mage again.")
    square, table = await (await desk.hand_control()).inner_text(), current_table(desk)
    await desk.press_button(square)
    await desk.wait_table_changed(table)
    assert f"{name} on {square}" in current_table(desk).text
