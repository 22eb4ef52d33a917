"""What people type is text and nothing else, and the page can be used without a mouse."""

from __future__ import annotations

from collections.abc import Mapping

from playwright.async_api import expect

from engines import GAMES
from playground.world import ids
from tests.page.page_driver import PageDriver

NAME = "<img src=x onerror=hacked=1>"  # no longer than a display name may be
TALK = "<script>hacked=1</script> <b onclick='hacked=1'>bold</b> &amp; [x](javascript:hacked=1)"


async def test_markup_in_names_and_talk_is_shown_as_text(desktop: PageDriver) -> None:
    world = desktop.playground.simulation.world
    world.users[ids.DORA].name = NAME
    world.notify_people_changed()
    await desktop.go_to_games(NAME)
    await desktop.type_command(TALK)
    await expect(desktop.newest_saying("<script>")).to_contain_text("<b onclick='hacked=1'>bold</b> &amp;")
    await expect(desktop.newest_saying("<script>").locator(".author")).to_have_text(NAME)
    await desktop.type_command("/wizard new")
    lobby = desktop.newest_holding('[data-custom-id$=":join"]')
    await expect(lobby).to_contain_text("Two more needed")
    assert any(f"{NAME} (host)" in alt for alt in await desktop.wait_pictures_loaded())
    await desktop.page.get_by_test_id("log-toggle").click()
    await expect(desktop.page.get_by_test_id("log-drawer")).to_contain_text("INTERACTION_CREATE")
    assert await desktop.page.evaluate("window.hacked ?? null") is None
    alive = desktop.page.locator("img[src=x], #message-list script, #message-list b, a[href^=javascript]")
    assert await alive.count() == 0


LIVELY = ("xhttps://a.example/b_c_", "<t:99:R> <#1> <@&1> <id:browse>", "<:joker:123><a@b.example>")
LIFE = "a[href], .mention, .emoji-name, time[data-seconds='99'], em"  # what Discord makes of such words


async def test_addresses_and_signs_come_to_life_in_talk_and_never_in_names(desktop: PageDriver) -> None:
    world = desktop.playground.simulation.world
    for user, name in zip((ids.DORA, ids.BELA, ids.CHIDI), LIVELY, strict=True):
        world.users[user].name = name
    world.notify_people_changed()
    await desktop.go_to_games(LIVELY[0])
    await desktop.type_command(f"they say {' '.join(LIVELY)} <mailto:a@b.example>")
    assert await desktop.newest_saying("they say").locator(LIFE).count() == 7
    await desktop.seat_people("/jest new", *LIVELY)
    lobby = desktop.newest_holding('[data-custom-id$=":join"]')
    for name in LIVELY:
        await expect(lobby.get_by_alt_text(name)).to_be_visible()
    assert await lobby.locator(LIFE).all_inner_texts() == ["/jest new"]  # the command that it answers


async def test_the_members_of_the_server_are_listed_with_who_is_there(desktop: PageDriver) -> None:
    members = desktop.page.get_by_test_id("members").locator("li")
    await expect(members).to_have_count(8)
    await expect(members.first).to_contain_text("Motleybot, online")
    await desktop.bot.stop()
    await expect(members.first).to_contain_text("Motleybot, offline")
    await desktop.page.get_by_test_id("faults-toggle").click()
    await desktop.page.get_by_test_id("fault-member-Greta").click()
    await expect(members).to_have_count(7)
    await expect(members.filter(has_text="Greta")).to_have_count(0)
    await desktop.play_as("Greta")
    await expect(members).to_have_count(0)


async def offered_groups(desktop: PageDriver) -> set[str]:
    composer = desktop.page.get_by_test_id("composer")
    await composer.fill("/")
    await desktop.page.get_by_test_id("command-picker").wait_for()
    labels = await desktop.page.locator(".suggestion-name").all_inner_texts()
    await composer.fill("")
    return {name.split()[0] for name in labels}


async def test_commands_are_offered_only_where_they_can_be_used(desktop: PageDriver) -> None:
    everywhere = {*(f"/{key}" for key in GAMES), "/motley"}
    await desktop.go_to_games("Ada")
    assert await offered_groups(desktop) == {*everywhere, "/admin"}
    await desktop.type_command("/wizard new")
    await desktop.go_to_hand("Ada")
    assert await offered_groups(desktop) == everywhere
    await desktop.type_command("/jest new")
    await expect(desktop.newest_saying("You can only open a table on a server")).to_be_visible()


async def tab_to(desktop: PageDriver, selector: str) -> None:
    """Press Tab until that has the focus, which must be to be seen."""
    for _ in range(80):
        await desktop.page.keyboard.press("Tab")
        if await desktop.page.locator(f"{selector}:focus-visible").count():
            return
    raise AssertionError(f"Tab does not come to {selector}")


async def test_a_match_is_opened_joined_and_read_by_keyboard_alone(desktop: PageDriver) -> None:
    keys = desktop.page.keyboard
    await keys.press("/")
    await expect(desktop.page.get_by_test_id("command-picker")).to_be_visible()
    await keys.type("wizard ne")
    await keys.press("Enter")
    await expect(desktop.page.get_by_test_id("command-row")).to_contain_text("/wizard new")
    await tab_to(desktop, '[data-testid="command-more"]')
    await keys.press("Enter")
    await keys.type("quick")  # of the rules, the first option
    await keys.press("Enter")
    await keys.press("Enter")
    lobby = desktop.newest_holding('[data-custom-id$=":join"]')
    await expect(lobby).to_contain_text("Two more needed")
    await tab_to(desktop, '[data-testid="people-chip-Bela"]')
    await keys.press("Enter")
    await expect(desktop.page.get_by_test_id("current-person")).to_have_text("Bela")
    await tab_to(desktop, '[data-custom-id$=":join"]')
    await keys.press("Enter")
    await expect(lobby).to_contain_text("One more needed")
    await expect(desktop.page.locator('[data-custom-id$=":join"]:focus')).to_have_count(1)
    await tab_to(desktop, '[data-custom-id$=":more"]')
    await keys.press(" ")
    await tab_to(desktop, '[data-custom-id$=":rule"]')
    await keys.press("Enter")
    select = desktop.page.locator('[data-custom-id="r:wizard"]')
    before = await select.inner_text()
    await tab_to(desktop, '[data-custom-id="r:wizard"]')
    await keys.press("Enter")
    await keys.press("ArrowDown")
    await keys.press("Enter")
    await expect(select).not_to_have_text(before)


async def test_a_voice_channel_has_no_hash_in_its_head_its_first_line_or_a_list(desktop: PageDriver) -> None:
    composer = desktop.page.get_by_test_id("composer")
    await desktop.go_to_games("Ada")
    await expect(composer).to_have_attribute("placeholder", "Message #games or type /")
    await expect(desktop.page.locator(".intro-mark")).to_have_text("#")
    await desktop.type_command("/motley server")
    await desktop.press_button("Only in some channels")
    for channel, hashes in ((ids.GAMES_CHANNEL, 1), (ids.NEWS_CHANNEL, 0), (ids.SNUG_CHANNEL, 0)):
        option = desktop.page.get_by_test_id(f"select-option-{channel}")
        await expect(option.locator(".hash")).to_have_count(hashes)
        await expect(option.locator("svg.icon:not(.tick *)")).to_have_count(1 - hashes)
    await desktop.page.keyboard.press("Escape")
    await desktop.go_to_channel(str(ids.SNUG_CHANNEL))
    await expect(composer).to_have_attribute("placeholder", "Message snug or type /")
    await expect(desktop.page.locator(".intro-mark svg")).to_be_visible()


async def test_a_press_counts_though_a_message_comes_before_the_release(desktop: PageDriver) -> None:
    await desktop.go_to_games("Ada")
    button, mouse = desktop.page.get_by_test_id("learn-jest"), desktop.page.mouse
    await desktop.page.get_by_test_id("composer").focus()
    await button.hover()
    await mouse.down()
    for number in range(12):  # more than one screen of them
        await desktop.visitor.player("Bela").send_message(f"Message {number}.\nIs it long?\nIt is.")
    await desktop.page.wait_for_timeout(300)  # until the page has heard of them
    await mouse.up()
    await expect(desktop.newest_saying("Jest · lesson, step 1 of")).to_be_visible()
    await expect(desktop.newest_saying("Message 11.")).to_be_visible()


# Presses whose release never comes, or comes otherwise; the touches are those of two fingers.
POINTER_SCRIPT = """([kind, details]) => document.body.dispatchEvent(
    new PointerEvent(kind, { bubbles: true, pointerId: 1, pointerType: "mouse", ...details }))"""
DOWN = ("pointerdown", {"button": 0, "buttons": 1})
ENDS = [
    ("pointermove", {"button": -1, "buttons": 0}),
    ("pointercancel", {}),
    ("lostpointercapture", {}),
    ("contextmenu", {}),
    ("dragend", {}),
]


async def send_pointer(driver: PageDriver, kind: str, details: Mapping[str, object]) -> None:
    await driver.page.evaluate(POINTER_SCRIPT, [kind, dict(details)])


async def say_in_games(driver: PageDriver, text: str) -> None:
    """A message that the page has heard of."""
    await driver.visitor.player("Bela").send_message(text)
    await driver.page.wait_for_timeout(300)


async def test_a_press_of_another_button_holds_nothing_up(desktop: PageDriver) -> None:
    await desktop.go_to_games("Ada")
    await desktop.page.mouse.move(600, 300)
    await desktop.page.mouse.down(button="right")
    await say_in_games(desktop, "Is it drawn?")
    await expect(desktop.newest_saying("Is it drawn?")).to_be_visible()
    await desktop.page.mouse.up(button="right")


async def test_the_page_is_drawn_again_if_the_release_of_a_press_never_comes(desktop: PageDriver) -> None:
    await desktop.go_to_games("Ada")
    for kind, details in ENDS:
        message = desktop.newest_saying(f"Before {kind}.")
        await send_pointer(desktop, *DOWN)
        await say_in_games(desktop, f"Before {kind}.")
        await expect(message).to_have_count(0)
        await send_pointer(desktop, kind, details)
        await expect(message).to_be_visible()


async def test_a_touch_lasts_until_its_click_and_another_finger_does_not_end_it(desktop: PageDriver) -> None:
    await desktop.go_to_games("Ada")
    first, second = ({"pointerType": "touch", "pointerId": finger} for finger in (7, 8))
    message = desktop.newest_saying("Two fingers.")
    for finger in (first, second):
        await send_pointer(desktop, "pointerdown", finger)
    await say_in_games(desktop, "Two fingers.")
    for kind in ("pointerup", "click"):
        await send_pointer(desktop, kind, second)
    await desktop.page.wait_for_timeout(300)
    await expect(message).to_have_count(0)
    is_drawn = """async ([script, finger, kinds, ms]) => {
        for (const kind of kinds) eval(script)([kind, finger]);
        await new Promise((done) => setTimeout(done, ms));
        return document.getElementById("message-list").textContent.includes("Two fingers.");
    }"""
    assert not await desktop.page.evaluate(is_drawn, [POINTER_SCRIPT, first, ["pointerup"], 20])
    assert await desktop.page.evaluate(is_drawn, [POINTER_SCRIPT, first, ["click"], 20])


async def test_the_banner_and_the_times_also_wait_for_the_end_of_a_press(desktop: PageDriver) -> None:
    await desktop.go_to_games("Ada")
    banner, time = desktop.page.get_by_test_id("banner"), desktop.page.locator("time").last
    await desktop.visitor.player("Bela").send_message("Since <t:99:R>.")
    await expect(time).to_contain_text("ago")
    await time.evaluate("one => (one.textContent = 'old')")
    await desktop.page.mouse.move(600, 300)
    await desktop.page.mouse.down()
    await time.evaluate("one => (one.textContent = 'old')")  # a tick may have come before the press
    await desktop.bot.stop()
    await desktop.page.wait_for_timeout(1200)  # longer than between two ticks
    await expect(banner).to_be_hidden()
    await expect(time).to_have_text("old")
    await desktop.page.mouse.up()
    await expect(banner).to_have_text("Motley is offline.")
    await expect(time).to_contain_text("ago")
