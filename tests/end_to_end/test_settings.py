"""Personal settings: seen and changed by each alone, at every request, and kept."""

from __future__ import annotations

import pytest

from cogs.table.pages import custom_ids
from cogs.table.wording import narration
from engines.store.surface_storage import Preferences
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.game_uis import SCREENS
from tests.messages import SELECT, Message, message_text, walk_components


async def stored_preferences(w: SimulatedServer, name: str) -> Preferences:
    return await w.bot.surfaces.preferences(w[name].id)


def selected_line(message: Message) -> str:
    menus = {c["custom_id"]: c for c in walk_components(message["components"]) if c["type"] == SELECT}
    menu = menus[custom_ids.player_setting_id("call")]
    (line,) = [line["label"] for line in menu["options"] if line.get("default")]
    return str(line)


async def open_settings(w: SimulatedServer, name: str) -> Message:
    answer = await w[name].slash(w.table, "motley settings")
    assert answer.ephemeral
    return w.newest_private(name)


async def test_words_and_worth_are_turned_on_and_off_by_buttons_that_say_so(server: SimulatedServer) -> None:
    page = await open_settings(server, "Ada")
    assert selected_line(page) == "After one minute"
    assert "as a picture" in message_text(page)
    assert "your hands show them" in message_text(page)
    for label, likes in (
        ("Show hands in words", Preferences(words=True)),
        ("Hide point values", Preferences(words=True, worth=False)),
        ("Show hands as pictures", Preferences(worth=False)),
        ("Show point values", Preferences()),
    ):
        await server.press_button("Ada", server.newest_private("Ada"), label)
        assert await stored_preferences(server, "Ada") == likes
    for name, value in (("call", "7"), ("words", "maybe"), ("nothing", "on"), ("worth", "never")):
        answer = await server.forge_click("Ada", page, custom_ids.player_setting_id(name, value))
        assert "/motley settings" in reply_text(answer)
        assert await stored_preferences(server, "Ada") == Preferences()


@pytest.mark.parametrize(
    ("value", "seconds", "expected_text"),
    [("0", 0, "At once"), ("60", 60, "After one minute"), ("300", 300, "After five minutes"), ("never", None, "Never")],
)
async def test_the_time_of_a_call_is_stored(
    server: SimulatedServer, value: str, seconds: int | None, expected_text: str
) -> None:
    page = await open_settings(server, "Ada")
    await server.choose_options("Ada", page, "y:call", value)
    assert selected_line(server.newest_private("Ada")) == expected_text
    await server.restart()
    assert (await stored_preferences(server, "Ada")).call == seconds
    assert selected_line(await open_settings(server, "Ada")) == expected_text
    assert await stored_preferences(server, "Bela") == Preferences()


async def test_a_setting_counts_at_once_for_the_hand_that_is_shown_and_for_the_one_on_demand(
    server: SimulatedServer,
) -> None:
    match = await server.seat_and_start(("Ada", "Bela"), game="jokers")
    now, screen, name = await server.load_snapshot(match), SCREENS["jokers"], await server.due_name_now(match)
    (seat,), other = now.due_seats(), {"Ada": "Bela", "Bela": "Ada"}[name]
    drawn = screen.hand(now.view(seat), now.decisions()[seat], now.moves(seat), narration.screen_context(now))
    in_words, worth = drawn.below[-1], drawn.worth_text

    async def shown(what: str) -> list[bool]:
        await server.env.settle()
        hands = (server.find_hand(name, match), await server.show_hand(name, match), server.find_hand(other, match))
        return [what in message_text(message) for message in hands]

    async def choose(label: str) -> None:
        await server[name].slash(
            server.thread, "motley settings"
        )  # where the hand on demand is, so that it is the newest
        await server.press_button(name, server.newest_private(name), label)

    assert in_words
    assert worth
    assert await shown(in_words) == [False, False, False]
    assert await shown(worth) == [True, True, False]
    await choose("Hide point values")
    assert await shown(worth) == [False, False, False]
    await choose("Show hands in words")
    assert await shown(in_words) == [True, True, False]


@pytest.mark.parametrize("where", ["direct messages", "menu"])
async def test_settings_are_asked_for_in_direct_messages_and_in_the_menu_too(
    server: SimulatedServer, where: str
) -> None:
    if where == "menu":
        menu = await server.press_button("Ada", await server.find_table(await server.seat_and_start()), "More")
        answer = await server.press_answer("Ada", menu, "Settings")
    else:
        answer = await server["Ada"].user.slash("motley settings")
    assert answer.ephemeral
    await server.press_button("Ada", server.newest_private("Ada"), "Show hands in words")
    assert (await stored_preferences(server, "Ada")).words


@pytest.mark.parametrize("where", ["table", "hand"])
async def test_a_setting_that_is_forged_on_another_message_leaves_that_alone(
    server: SimulatedServer, where: str
) -> None:
    async def stands() -> Message:
        return await server.find_table(match) if where == "table" else server.find_hand("Ada", match)

    match = await server.seat_and_start()
    answer = await server.forge_click("Ada", await stands(), custom_ids.player_setting_id("words", "on"))
    assert answer.ephemeral
    assert "Your settings" not in message_text(await stands())
    assert (await stored_preferences(server, "Ada")).words
