"""The drawer of faults: what is set there is in force, and is told as long as it lasts."""

from __future__ import annotations

import aiohttp
import pytest
from playwright.async_api import expect

from tests.page.page_driver import PageDriver
from tests.playground.discord_rest import GAMES_PATH, RestClient


async def test_faults_are_set_told_and_cleared_and_connections_are_cut(desktop: PageDriver) -> None:
    await desktop.page.get_by_test_id("faults-toggle").click()
    now = desktop.page.get_by_test_id("faults-now")
    await expect(now).to_have_text("No faults.")
    faults = ("dms too fast · count 3", "too many threads · count 1", "locked answer · code 160005")
    for fault in (
        *faults,
        "bare rate limit · count 3",
        "blocked · count 3",
        "doubled events · percent 25",
        "late events · percent 25",
    ):
        form = desktop.page.get_by_test_id(f"fault-{fault.partition(' · ')[0].replace(' ', '_')}")
        await form.get_by_role("button", name="Set").click()
        await expect(now).to_contain_text(fault)
    await desktop.page.get_by_test_id("fault-clear").click()
    await expect(now).to_have_text("No faults.")  # the forms are drawn anew
    for kind in ("cut_connections", "lost_answers"):
        form = desktop.page.get_by_test_id(f"fault-{kind}")
        await form.locator("[name=percent]").fill("100")
        await form.locator("[name=path]").fill("/messages$")
        await form.get_by_role("button", name="Set").click()
        await expect(now).to_contain_text(f"{kind.replace('_', ' ')} · percent 100, path /messages$")
        async with RestClient.connect(desktop.playground) as rest:
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await rest.post_message(f"Under {kind}")
        await desktop.page.get_by_test_id("fault-clear").click()
        await expect(now).to_have_text("No faults.")
    await expect(desktop.newest_saying("Under lost_answers")).to_be_visible()
    await expect(desktop.newest_saying("Under cut_connections")).to_have_count(0)
    await desktop.page.get_by_test_id("log-toggle").click()
    await desktop.page.get_by_test_id("log-errors").click()
    codes = desktop.page.get_by_test_id("log-drawer").locator(".code.grade-5")
    assert (await codes.all_inner_texts())[:2] == ["answer lost", "cut"]


async def test_a_moderator_locks_and_unlocks_a_thread(desktop: PageDriver) -> None:
    async with RestClient.connect(desktop.playground) as rest:
        created = await rest.send_request("POST", f"{GAMES_PATH}/threads", {"type": 11, "name": "Match"})
        thread = int(created.body["id"])
        await desktop.play_as("Ada")
        await desktop.go_to_channel(str(thread))
        composer = desktop.page.get_by_test_id("composer")
        await expect(composer).to_have_attribute("placeholder", "Message “Match” or type /")
        await desktop.page.get_by_test_id("faults-toggle").click()
        state, lock = desktop.page.get_by_test_id("thread-state"), desktop.page.get_by_test_id("act-lock")
        await expect(state).to_have_text("")
        await lock.click()
        await expect(state).to_have_text("locked")
        written = await rest.send_request("POST", f"/channels/{thread}/messages", {"content": "Hm"})
        assert written.status_and_code == (403, 50083)
        await desktop.page.get_by_test_id("act-archive").click()
        await expect(state).to_have_text("archived, locked")
        await expect(lock).to_have_text("Unlock this thread")
        await lock.click()
        await expect(state).to_have_text("archived")
        await desktop.page.get_by_role("button", name="Open this thread").click()
        await expect(state).to_have_text("")
        await rest.post_message("On we go", thread)
        await expect(desktop.newest_saying("On we go")).to_be_visible()


async def test_the_bot_is_forbidden_to_speak_and_to_see_and_allowed_again(desktop: PageDriver) -> None:
    await desktop.play_as("Ada")
    await desktop.go_to_channel(GAMES_PATH.rpartition("/")[2])
    await desktop.page.get_by_test_id("faults-toggle").click()
    async with RestClient.connect(desktop.playground) as rest:
        for action, forbid, allow, code in (
            ("speak", "Forbid the bot to write here", "Let the bot write here", 50013),
            ("see", "Hide this channel from the bot", "Show this channel to the bot", 50001),
        ):
            button = desktop.page.get_by_test_id(f"act-bot-{action}")
            await expect(button).to_have_text(forbid)
            await button.click()
            await expect(button).to_have_text(allow)
            answer = await rest.send_request("POST", f"{GAMES_PATH}/messages", {"content": "Hm"})
            assert answer.status_and_code == (403, code)
            await button.click()
            await expect(button).to_have_text(forbid)
            await rest.post_message("On we go")
