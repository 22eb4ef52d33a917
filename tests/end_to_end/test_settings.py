"""Personal settings: seen and changed by each alone, wherever they are asked for, and kept."""

from __future__ import annotations

import pytest
from simcord.results import InteractionResult

from cogs.table.pages import custom_ids
from cogs.table.wording import narration
from engines.store.surface_storage import Preferences
from tests.end_to_end.players import due_name_now, find_hand, find_table, load_snapshot, seat_and_start, show_hand
from tests.end_to_end.world import SELECT, Message, SimulatedServer, message_text, reply_text, walk_components
from tests.fronts import SCREENS


async def stored_preferences(w: SimulatedServer, name: str) -> Preferences:
    """What that person likes, as it is stored."""
    return await w.bot.reconciler.preferences(w[name].id)


def newest_private(w: SimulatedServer, name: str) -> Message:
    """The newest message that this person alone sees."""
    return [seen.message for seen in w.ephemeral_messages() if seen.viewer == w[name].id][-1]


def selected_line(message: Message) -> str:
    """The line of the list that is marked."""
    (menu,) = [c for c in walk_components(message["components"]) if c["type"] == SELECT]
    (line,) = [line["label"] for line in menu["options"] if line.get("default")]
    return str(line)


async def open_settings(w: SimulatedServer, name: str) -> Message:
    """The settings as they are shown to a person."""
    answer: InteractionResult = await w[name].slash(w.table, "motley settings")
    assert answer.ephemeral
    return newest_private(w, name)


async def test_everybody_begins_with_the_same_settings(inn: SimulatedServer) -> None:
    page = await open_settings(inn, "Ada")
    assert selected_line(page) == "After one minute"
    assert "as a picture" in message_text(page)
    assert "your hands show it" in message_text(page)


@pytest.mark.parametrize(
    ("value", "seconds", "said"),
    [
        ("0", 0, "At once"),
        ("60", 60, "After one minute"),
        ("300", 300, "After five minutes"),
        ("never", None, "Never"),
    ],
)
async def test_when_one_is_called_is_chosen_and_kept(
    inn: SimulatedServer, value: str, seconds: int | None, said: str
) -> None:
    page = await open_settings(inn, "Ada")
    await inn.choose_options("Ada", page, "y:call", value)
    assert selected_line(newest_private(inn, "Ada")) == said
    await inn.restart()
    assert (await stored_preferences(inn, "Ada")).call == seconds
    assert selected_line(await open_settings(inn, "Ada")) == said
    assert await stored_preferences(inn, "Bela") == Preferences()


async def test_words_and_worth_are_turned_on_and_off_by_buttons_that_say_so(inn: SimulatedServer) -> None:
    await open_settings(inn, "Ada")
    for label, likes in (
        ("Show hands in words", Preferences(words=True)),
        ("Hide what things are worth", Preferences(words=True, worth=False)),
        ("Show hands as pictures", Preferences(worth=False)),
        ("Show what things are worth", Preferences()),
    ):
        await inn.press_button("Ada", newest_private(inn, "Ada"), label)
        assert await stored_preferences(inn, "Ada") == likes


async def test_a_setting_counts_at_once_for_the_hand_that_is_shown_and_for_the_one_on_demand(
    inn: SimulatedServer,
) -> None:
    match = await seat_and_start(inn, ("Ada", "Bela"), game="jokers")
    now, screen, name = await load_snapshot(inn, match), SCREENS["jokers"], await due_name_now(inn, match)
    (seat,), other = now.due_seats(), {"Ada": "Bela", "Bela": "Ada"}[name]
    drawn = screen.hand(now.view(seat), now.decisions()[seat], now.moves(seat), narration.screen_context(now))
    in_words, worth = drawn.below[-1], drawn.worth_text

    async def shown(what: str) -> list[bool]:
        await inn.env.settle()
        hands = (find_hand(inn, name, match), await show_hand(inn, name, match), find_hand(inn, other, match))
        return [what in message_text(message) for message in hands]

    async def choose(label: str) -> None:
        await inn[name].slash(inn.thread, "motley settings")  # where the hand on demand is, so that it is the newest
        await inn.press_button(name, newest_private(inn, name), label)

    assert in_words
    assert worth
    assert await shown(in_words) == [False, False, False]
    assert await shown(worth) == [True, True, False]
    await choose("Hide what things are worth")
    assert await shown(worth) == [False, False, False]
    await choose("Show hands in words")
    assert await shown(in_words) == [True, True, False]


async def test_settings_are_asked_for_in_direct_messages_too(inn: SimulatedServer) -> None:
    answer = await inn["Ada"].user.slash("motley settings")
    assert answer.ephemeral
    await inn.press_button("Ada", newest_private(inn, "Ada"), "Show hands in words")
    assert (await stored_preferences(inn, "Ada")).words


async def test_the_table_leads_to_the_settings(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    menu = await inn.press_button("Ada", await find_table(inn, match), "⋯")
    assert menu.response is not None
    answer = await inn["Ada"].click(menu.response, label="Settings")
    assert answer.ephemeral
    await inn.press_button("Ada", newest_private(inn, "Ada"), "Show hands in words")
    assert (await stored_preferences(inn, "Ada")).words


@pytest.mark.parametrize("where", ["table", "hand"])
async def test_a_setting_that_is_forged_on_another_message_leaves_that_alone(inn: SimulatedServer, where: str) -> None:
    match = await seat_and_start(inn)
    message = await find_table(inn, match) if where == "table" else find_hand(inn, "Ada", match)
    answer = await inn.forge_click("Ada", message, custom_ids.player_setting_id("words", "on"))
    assert answer.ephemeral
    after = await find_table(inn, match) if where == "table" else find_hand(inn, "Ada", match)
    assert "Your settings" not in message_text(after)
    assert (await stored_preferences(inn, "Ada")).words


@pytest.mark.parametrize(("name", "value"), [("call", "7"), ("words", "maybe"), ("nothing", "on"), ("worth", "never")])
async def test_a_setting_that_there_is_not_changes_nothing(inn: SimulatedServer, name: str, value: str) -> None:
    page = await open_settings(inn, "Ada")
    answer = await inn.forge_click("Ada", page, custom_ids.player_setting_id(name, value))
    assert "/motley settings" in reply_text(answer)
    assert await stored_preferences(inn, "Ada") == Preferences()
