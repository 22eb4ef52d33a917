"""Jesters in the page, move by move: attempts, changes of dice, and keeping a Gift."""

from __future__ import annotations

import re
from typing import Final

from playwright.async_api import Locator, expect

from engines.jesters import JESTERS
from engines.jesters.model import Options
from engines.kit.chance import Chance
from engines.kit.seats import letter
from tests.engines.jesters.policy import choose_move
from tests.page.ahead import choose_sensible
from tests.page.inn import PageDriver
from tests.page.playing import current_table, go_to_moves, read_result, restart_bot

NAMES: Final = ("Ada", "Emil")
DEAL: Final = f"{68:032x}"
WATCHED: Final = 61  # from this move on, the few remaining moves are of all these kinds
KINDS: Final = {"learn", "perform", "spend", "reroll", "mark", "roll", "finish", "keep", "pass"}


async def test_attempts_to_the_final_scoring(desk: PageDriver) -> None:
    await desk.seat_people("/jesters new", *NAMES)
    await desk.skip_ahead(DEAL, lambda look: look.info.moves == WATCHED, choose_sensible)
    state, made = JESTERS.start(len(NAMES), Options(), Chance(DEAL)), list[str]()
    while decisions := JESTERS.decisions(state):
        (seat,) = decisions
        move = choose_move(JESTERS.view(state, seat))
        if len(made) >= WATCHED:
            await move_watched(desk, NAMES[seat], JESTERS.format_move(move))
        JESTERS.play(state, seat, move)
        made.append(f"{letter(seat)} {JESTERS.format_move(move)}")
    assert {move.split()[1] for move in made[WATCHED:]} == KINDS
    outcome = JESTERS.outcome(state)
    assert outcome is not None
    winner = f"{NAMES[outcome.places.index(1)]} wins with {max(outcome.points)} Fame"
    record = await read_result(desk, "Ada", said=winner, picture="final scoring")
    assert re.findall(r"(?m)^\d+ ([AB] .+)$", record) == made


QUIET = {"reroll", "mark", "unmark"}  # shown by the picture alone


async def move_watched(desk: PageDriver, name: str, notation: str) -> None:
    """Make a move by clicks, and check that the table narrates it."""
    table = current_table(desk)
    assert desk.due_names() == [name]
    await go_to_moves(desk, name)
    hand = await desk.newest_hand()
    assert await desk.wait_pictures_loaded()
    await make_move(desk, hand, notation)
    if notation.split()[0] not in QUIET:
        await desk.wait_table_changed(table)


async def make_move(desk: PageDriver, hand: Locator, notation: str) -> None:
    """Make a move with the hand's controls, step by step. The bot restarts while dice are marked."""
    verb, *words = notation.split()
    match verb:
        case "learn" if words[1:]:
            await pick_value(desk, hand, f"l{words[0]}")
        case "roll":
            assert re.search(r"Reroll \d dic?e \(\d+%\)", await hand.inner_text())
            await restart_bot(desk)
    if verb == "perform":
        if not await try_pick_value(desk, hand, notation):
            await pick_value(desk, hand, words[0][0] if words[0] == "favorite" else words[0])
            await pick_dice(desk, hand, words[1:])
            await desk.press_button("Roll")
        return await desk.wait_answered()
    button = hand.locator(f'button[data-custom-id$=":{notation}"]')
    if await button.count():
        await button.click()
    else:
        await pick_value(desk, hand, notation)
    await desk.wait_answered()
    asked = hand.locator(f'button[data-custom-id^="m:"][data-custom-id$=":{notation}"]')
    if verb == "pass" and await asked.count():
        await asked.click()
    return None


async def pick_value(desk: PageDriver, hand: Locator, value: str) -> None:
    """Pick the line with this value from the hand's lists."""
    assert await try_pick_value(desk, hand, value), f"No list has {value}"


async def try_pick_value(desk: PageDriver, hand: Locator, value: str) -> bool:
    """Pick the line with this value if any list has it, and return whether one did."""
    values = [value, f"={value}"]  # a line that opens a step, or one that makes its move at once
    wanted = desk.page.locator(", ".join(f'[data-testid="select-option-{each}"]' for each in values))
    lists = hand.locator(':is([data-custom-id^="s:"], [data-custom-id^="f:"])')
    for i in range(await lists.count()):
        await lists.nth(i).click()
        await expect(desk.page.get_by_role("option").first).to_be_visible()
        if await wanted.count():
            await wanted.click()
            await desk.wait_answered()
            return True
        await desk.page.keyboard.press("Escape")
    return False


async def pick_dice(desk: PageDriver, hand: Locator, dice: list[str]) -> None:
    """Pick dice to roll: `2 red blue` means two red ones and a blue one."""
    await hand.locator('[data-custom-id^="p:"]').click()
    for number, colour in re.findall(r"(?:(\d+) )?([a-z]+)", " ".join(dice)):
        lines = desk.page.get_by_role("option").filter(has_text=colour)
        for i in range(int(number or 1)):
            await lines.nth(i).click()
    await desk.page.get_by_test_id("select-done").click()
    await desk.wait_answered()
