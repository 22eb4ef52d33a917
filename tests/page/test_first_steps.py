"""Where one begins in the playground: a table by one click, the others by a second, and then after the due player."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import expect

from cogs.games import GAME_UIS
from engines import GAMES
from tests.page.bot_forker import BotForker
from tests.page.message_heights import MessageRuler
from tests.page.page_driver import MOVE_SELECTOR, NARROW_SIZE, ROOT, WIDE_SIZE, BrowserWindows, PageDriver, Size
from tests.page.playing import current_table
from tests.page.test_phone import check_fits

SIGN_PIXELS = 252
LOBBY = '[data-custom-id$=":join"]'


@pytest.mark.parametrize("size", [WIDE_SIZE, NARROW_SIZE])
async def test_two_clicks_seat_a_table(
    browser: BrowserWindows, bot_forker: BotForker, tmp_path: Path, size: Size
) -> None:
    async with PageDriver.open(browser, bot_forker, tmp_path / "motley.db", size) as driver:
        steps = driver.page.get_by_test_id("first-steps")
        await expect(steps).to_be_visible()
        assert await steps.get_by_role("button").count() == 2 * len(GAMES)
        await expect(steps).to_contain_text("To play alone, press Add computer.")
        texts = await steps.locator(".opener-row p").all_inner_texts()
        assert sorted(texts) == sorted(game_ui.intro.description for game_ui in GAME_UIS.values())
        signs = await steps.locator(".sign").evaluate_all("signs => signs.map(each => [each.naturalWidth, each.alt])")
        assert signs == [[SIGN_PIXELS, ""]] * len(GAMES)
        assert [text.endswith("Start here!") for text in texts] == [True, *[False] * (len(GAMES) - 1)]
        await expect(steps.get_by_role("button").first).to_be_in_viewport(ratio=1)
        if size == NARROW_SIZE:
            await check_fits(driver)
        await driver.page.get_by_test_id("learn-jest").click()
        await expect(driver.newest_saying("Jest · lesson, step 1 of")).to_be_visible()
        if size == NARROW_SIZE:
            await check_fits(driver)
        await driver.page.get_by_test_id("open-wizard").click()
        await expect(driver.newest_holding(LOBBY)).to_contain_text("Two more needed")
        await expect(driver.newest_saying("The deal of this table is sealed")).to_be_visible()  # it moves the button
        await driver.page.get_by_role("button", name="Seat Bela and Chidi").click()
        await expect(driver.newest_holding(LOBBY)).to_contain_text("Enough players to start; three more can join.")
        seating = driver.page.get_by_test_id("seating")
        await expect(seating).to_contain_text("presses Start")
        await seating.get_by_role("button", name="Follow the turn").click()
        if size == NARROW_SIZE:
            await check_fits(driver)
        await driver.press_button("Start")
        for _ in range(4):
            await driver.visitor.wait_until(driver.due_names, "somebody to be due")
            (name,), table = driver.due_names(), current_table(driver)
            await expect(driver.page.get_by_test_id(f"people-chip-{name}")).to_have_attribute("data-due", "")
            await expect(driver.page.get_by_test_id("current-person")).to_have_text(name)
            await expect(driver.page.get_by_test_id("channel-name")).to_have_text("Motley")
            await expect(driver.newest_holding(MOVE_SELECTOR)).to_be_in_viewport()
            await driver.use_control(await driver.hand_control())
            await driver.wait_table_changed(table)
        assert driver.complaints == []


async def test_a_due_player_is_notified_and_reached_without_a_ping(desktop: PageDriver) -> None:
    await desktop.seat_people("/jokers new rounds:1", "Ada", "Emil")
    await desktop.press_button("Start")
    await desktop.visitor.wait_until(desktop.due_names, "somebody to be due")
    due = desktop.due_names()[0]
    for message in [*desktop.visitor.messages[desktop.newest_thread].values()]:
        if message["mentions"]:
            ping = {"channel_id": message["channel_id"], "message_id": message["id"]}
            await desktop.visitor.player("Ada").act("delete_message", **ping)
    chip = desktop.page.get_by_test_id(f"people-chip-{due}")
    await expect(chip).to_have_attribute("data-due", "")
    await desktop.page.get_by_test_id("follow-toggle").click()
    await expect(desktop.page.get_by_test_id("current-person")).to_have_text(due)
    place = "Motley" if due != "Emil" else desktop.visitor.channels[desktop.newest_thread]["name"]  # whose are closed
    await expect(desktop.page.get_by_test_id("channel-name")).to_have_text(place)


LONG = "Maximiliana of the Hill"
WAITING = {
    "Waiting for **Chidi** to bid.": ["Chidi"],
    "**Waiting for Ada to play a card.**": ["Ada"],
    "**Waiting for Adam to play a card.**": ["Adam"],
    "Waiting for Ada, Adam and Chidi to choose what lies face down.": ["Ada", "Adam", "Chidi"],
    "**Waiting for Ada and Maximil… to bid.**": ["Ada", LONG],
    "Waiting for **D Maximil…** to bid.": [LONG],
    f"Waiting for {LONG}.": [LONG],
    "### Paused": [],
    "Your turn, <@Chidi>": ["Chidi"],  # a ping
}
_DUE = """async ([names, words]) => {
    const { state } = await import("/static/state.js"), { isDue } = await import("/static/turn.js");
    const text = (content) => ({ type: 10, content });
    const row = { type: 1, components: [{ type: 2, style: 1, custom_id: "x" }] };
    const bots = (id, components) => [{ id, channel_id: id, author: { id: "bot" }, content: words, components }];
    state.bot.id = "bot";
    state.people = names.map((name) => ({ id: name, name }));
    state.channels = new Map([["2", { id: "2", type: 11 }]]);
    state.messages = new Map([["2", bots("2", [text("Round 1"), text(words), row])]]);
    return names.filter(isDue);
}"""


async def test_the_due_player_is_the_awaited_one_or_else_the_pinged_one(browser: BrowserWindows) -> None:
    async with MessageRuler.open(browser, WIDE_SIZE) as ruler:
        for words, due in WAITING.items():
            assert await ruler.page.evaluate(_DUE, [["Ada", "Adam", "Chidi", LONG], words]) == due, words


async def test_commands_begin_with_new_tables_whose_options_are_offered_apart(desktop: PageDriver) -> None:
    await desktop.page.get_by_test_id("slash-button").click()
    names = await desktop.page.locator(".suggestion-name").all_inner_texts()
    assert names[: len(GAMES)] == sorted(f"/{key} new" for key in GAMES)
    groups = list(dict.fromkeys(name.split()[0] for name in names[len(GAMES) :]))
    assert groups == [*sorted(f"/{key}" for key in GAMES), "/motley", "/admin"]
    composer = desktop.page.get_by_test_id("composer")
    await composer.fill("/court new")
    suggestion = desktop.page.get_by_test_id("command-court-new")
    await expect(suggestion).to_contain_text("+9 optional")
    await suggestion.click()
    row = desktop.page.get_by_test_id("command-row")
    await expect(row.locator("input")).to_have_count(0)
    await desktop.page.keyboard.press("Tab")
    more = desktop.page.get_by_test_id("command-more")
    await expect(more).to_be_focused()
    await expect(more).to_have_text("+9 optional")
    await desktop.page.keyboard.press("Enter")
    await expect(row.locator("input")).to_have_count(9)
    await desktop.page.keyboard.type("quick")  # of the rules, the first option
    await desktop.page.keyboard.press("Enter")
    await expect(desktop.newest_holding(LOBBY)).to_contain_text("3 banners win")


async def test_a_missing_choice_is_complained_of_until_it_is_made(desktop: PageDriver) -> None:
    page = desktop.page
    await desktop.type_command("/jokers new")
    await desktop.newest_holding(LOBBY).wait_for()
    await page.get_by_test_id("composer").fill("/admin show")
    await page.get_by_test_id("command-admin-show").click()
    await page.get_by_test_id("command-send").click()
    complaint, match = page.get_by_test_id("command-error"), page.get_by_test_id("command-option-match")
    await expect(complaint).to_have_text("match is required.")
    await page.get_by_test_id("choice-0").click()
    await expect(match).not_to_have_value("")
    await match.press("ArrowDown")
    await expect(complaint).to_have_count(0)
    await page.get_by_test_id("command-cancel").click()


def test_the_playground_names_no_game() -> None:
    assert (ROOT / "playground" / "static" / "app.js").is_file()
    for path in (ROOT / "playground" / "static").iterdir():
        text = path.read_text().lower()
        assert [key for key in GAMES if key in text] == [], path
