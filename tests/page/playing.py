"""Any game, played in the page by whatever its hands offer, seat after seat, until the result stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final

from playwright.async_api import Locator, expect

from playground.page.client import SeenMessage
from tests.page.page_driver import MOVE_SELECTOR, PageDriver

CLOSED_NAME: Final = "Emil"  # whose direct messages are closed, so that he plays at the table
RESULT_PATTERN: Final = re.compile(r"wins? with|share the win")
MAX_STEPS: Final = 8  # more than any move takes
_OFFERED_SCRIPT: Final = f"""hand => [...hand.querySelectorAll(`{MOVE_SELECTOR}, [data-custom-id^="o:"]`)]
    .filter(one => !one.disabled && !one.querySelector('.chosen')).map(one => one.dataset.customId)"""
_DIFFERS_SCRIPT: Final = f"""([id, was]) =>
    ({_OFFERED_SCRIPT})(document.querySelector(`[data-testid=${{id}}]`)).join() !== was.join()"""


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move that is made by a command once, whose option is filled by the first of what it offers."""

    command: str  # jest offer
    option: str
    prompt: str  # what stands on the hand of a player who may make it


def current_table(driver: PageDriver) -> SeenMessage:
    table = driver.server_table()
    assert table is not None
    return table


async def go_to_moves(driver: PageDriver, name: str) -> None:
    """To where somebody plays: direct messages, or the table if these are closed."""
    if name == CLOSED_NAME:
        await driver.go_to_table(name)
        await driver.show_hand()
    else:
        await driver.go_to_hand(name)
    await driver.newest_holding(MOVE_SELECTOR).wait_for()


class RandomPlayer:
    def __init__(self, driver: PageDriver, seed: int) -> None:
        self.driver = driver
        self.rng = Random(seed)
        self.used: set[str] = set()  # kinds of controls, by the first letter of their custom_ids

    async def make_move(self) -> None:
        """Make one move on the newest hand: by any of its controls, then by what each one brings."""
        hand = await self.driver.newest_hand()
        offered: list[str] = await hand.evaluate(_OFFERED_SCRIPT)
        fresh, decision, name = offered, offered[0].split(":")[1:3], await hand.get_attribute("data-testid")
        for _ in range(MAX_STEPS):
            await self._use_control(hand, self._choose_control(fresh))
            await self.driver.page.wait_for_function(_DIFFERS_SCRIPT, arg=[name, offered])
            before, offered = offered, await hand.evaluate(_OFFERED_SCRIPT)
            if decision not in [each.split(":")[1:3] for each in offered]:
                return
            fresh = [one for one in offered if one not in before] or offered  # lists are numbered anew at each step
        raise AssertionError(f"No move came of {offered}")

    def _choose_control(self, offered: list[str]) -> str:
        """Any of them; but a kind that was not used yet comes first, and an order is changed no more than once."""
        if "o" not in self.used and (orders := [one for one in offered if one[0] == "o"]):
            return self.rng.choice(orders)
        unused = [one for one in offered if one[0] not in self.used]
        return self.rng.choice(unused or [one for one in offered if one[0] != "o"])

    async def _use_control(self, hand: Locator, control: str) -> None:
        kind = control[0]
        self.used.add(kind)
        await hand.locator(f'[data-custom-id="{control}"]').click()
        if kind in "spf":
            lines = await self.driver.page.get_by_role("option").all()
            self.rng.shuffle(lines)
            done_button = self.driver.page.get_by_test_id("select-done")
            for line in lines[: self.rng.randint(2, 3)]:
                await line.click()
                if not await done_button.count():
                    return  # of such a list one is chosen
            await done_button.click()


async def move_by_suggestion(driver: PageDriver, typed: TypedMove) -> None:
    old = await (await driver.hand_control()).get_attribute("data-custom-id")
    composer = driver.page.get_by_test_id("composer")
    await composer.fill(f"/{typed.command[:-2]}")
    await driver.page.get_by_test_id(f"command-{typed.command.replace(' ', '-')}").click()
    await driver.page.get_by_test_id("choice-0").click()
    await expect(driver.page.get_by_test_id(f"command-option-{typed.option}")).not_to_have_value("")
    await driver.page.get_by_test_id("command-send").click()
    await expect(composer).to_be_visible()
    await expect(driver.page.locator(f'[data-custom-id="{old}"]')).to_have_count(0)
    await expect(driver.page.get_by_test_id("ephemeral-note").last).to_be_visible()


# A restart may take less time than there is between two looks at the banner.
WATCH_BANNER_SCRIPT = """() => {
    const banner = document.querySelector('[data-testid="banner"]');
    window.told = [];
    new MutationObserver(() => window.told.push(banner.textContent)).observe(banner, { childList: true });
}"""
IS_BACK_SCRIPT = """() => {
    const gone = window.told.findIndex((said) => /restarting|offline/.test(said));
    return gone >= 0 && window.told.slice(gone).includes("Motley is back.");
}"""


async def restart_bot(driver: PageDriver) -> None:
    await driver.page.evaluate(WATCH_BANNER_SCRIPT)
    await driver.page.get_by_test_id("faults-toggle").click()
    await driver.page.get_by_test_id("fault-restart_bot").click()
    await driver.page.wait_for_function(IS_BACK_SCRIPT)
    await driver.page.get_by_test_id("faults-toggle").click()


async def reload_page(driver: PageDriver) -> None:
    before = await driver.newest_holding(MOVE_SELECTOR).inner_text()
    await driver.reload()
    await expect(driver.newest_holding(MOVE_SELECTOR)).to_be_visible()
    assert await driver.newest_holding(MOVE_SELECTOR).inner_text() == before


async def check_watcher(driver: PageDriver) -> None:
    await driver.go_to_table("Greta")
    await driver.wait_pictures_loaded()
    await expect(driver.messages().filter(has_text="Your hand")).to_have_count(0)
    await driver.show_hand()
    notes = driver.messages().filter(has=driver.page.get_by_test_id("ephemeral-note"))
    await expect(notes).to_have_count(1)
    await expect(notes).to_contain_text("You are not sitting at this table")
    await expect(notes).to_contain_text("watch")


async def play_out(driver: PageDriver, player: RandomPlayer, typed: TypedMove, *, started: bool = False) -> int:
    """Start the match in front of us, unless it runs already, and play it to its end; the number of moves.

    On the way: a restart, a page loaded again, a move by command, and somebody who looks on."""
    if not started:
        await driver.press_button("Start")
    await driver.visitor.wait_until(driver.due_names, "the table")
    actions_done, moves = set(), 0
    while due := driver.due_names():
        table, name = current_table(driver), player.rng.choice(due)
        await go_to_moves(driver, name)
        alts = await driver.wait_pictures_loaded()
        assert alts
        assert all(len(alt) > 10 for alt in alts)
        hand = await driver.newest_holding(MOVE_SELECTOR).inner_text()
        if typed.prompt in hand and name != CLOSED_NAME and "typed" not in actions_done:
            actions_done.add("typed")
            await move_by_suggestion(driver, typed)
        else:
            if moves == 3:
                await restart_bot(driver)
            elif moves > 4 and name != CLOSED_NAME and "reloaded" not in actions_done:
                actions_done.add("reloaded")
                await reload_page(driver)
            await player.make_move()
        await driver.wait_table_changed(table)
        moves += 1
        if moves == 7:
            await check_watcher(driver)
    assert actions_done == {"reloaded", "typed"}
    assert moves > 7
    return moves


async def read_result(driver: PageDriver, host: str, *, picture: str) -> str:
    """Look at the result with its picture, and load the record down."""
    await driver.go_to_table(host)
    result = driver.messages().filter(has_text=RESULT_PATTERN).first
    await expect(result).to_be_visible()
    assert any(picture in alt for alt in await driver.wait_pictures_loaded())
    async with driver.page.expect_download() as downloading:
        await result.locator('[data-testid^="file-"]').click()
    record = (await (await downloading.value).path()).read_text()
    assert "seed: " in record
    return record


async def play_again(driver: PageDriver, host: str, *others: str, text: str) -> None:
    await driver.press_button("Play again")
    await driver.go_to_games(host)
    await expect(driver.newest_holding('[data-custom-id$=":join"]')).to_contain_text(text)
    for name in others:
        chip = driver.page.get_by_test_id(f"people-chip-{name}")
        await expect(chip).to_have_attribute("data-calls", re.compile("[1-9]"))
    await expect(driver.page.locator(".chip[data-due]")).to_have_count(0)  # invited, but not to move
