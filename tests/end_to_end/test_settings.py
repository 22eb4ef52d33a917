"""Personal settings: seen and changed by each alone, wherever they are asked for, and kept."""

from __future__ import annotations

import pytest
from simcord.results import InteractionResult

from cogs.table.pages import custom_ids
from cogs.table.wording import narration
from engines.store.surface_storage import Preferences
from tests.end_to_end.players import hand, hand_on_demand, look, seat_and_start, table, turn
from tests.end_to_end.world import SELECT, Message, World, told, walk, words
from tests.fronts import SCREENS


async def liked(w: World, name: str) -> Preferences:
    """What that person likes, as it is stored."""
    return await w.bot.keeper.preferences(w[name].id)


def newest(w: World, name: str) -> Message:
    """The newest message that this person alone sees."""
    return [seen.message for seen in w.ephemerals() if seen.by == w[name].id][-1]


def chosen(message: Message) -> str:
    """The line of the list that is marked."""
    (menu,) = [c for c in walk(message["components"]) if c["type"] == SELECT]
    (line,) = [line["label"] for line in menu["options"] if line.get("default")]
    return str(line)


async def opened(w: World, name: str) -> Message:
    """The settings as they are shown to a person."""
    answer: InteractionResult = await w[name].slash(w.table, "motley settings")
    assert answer.ephemeral
    return newest(w, name)


async def test_everybody_begins_with_the_same_settings(inn: World) -> None:
    page = await opened(inn, "Ada")
    assert chosen(page) == "After one minute"
    assert "by their picture" in words(page)
    assert "your hands say it" in words(page)


@pytest.mark.parametrize(
    ("value", "seconds", "said"),
    [
        ("0", 0, "At once"),
        ("60", 60, "After one minute"),
        ("300", 300, "After five minutes"),
        ("never", None, "Never"),
    ],
)
async def test_when_one_is_called_is_chosen_and_kept(inn: World, value: str, seconds: int | None, said: str) -> None:
    page = await opened(inn, "Ada")
    await inn.choose("Ada", page, "y:call", value)
    assert chosen(newest(inn, "Ada")) == said
    await inn.restart()
    assert (await liked(inn, "Ada")).call == seconds
    assert chosen(await opened(inn, "Ada")) == said
    assert await liked(inn, "Bela") == Preferences()


async def test_words_and_worth_are_turned_on_and_off_by_buttons_that_say_so(inn: World) -> None:
    await opened(inn, "Ada")
    for label, likes in (
        ("Show hands in words", Preferences(words=True)),
        ("Leave out what things are worth", Preferences(words=True, worth=False)),
        ("Show hands as pictures", Preferences(worth=False)),
        ("Say what things are worth", Preferences()),
    ):
        await inn.press("Ada", newest(inn, "Ada"), label)
        assert await liked(inn, "Ada") == likes


async def test_a_setting_counts_at_once_for_the_hand_that_is_shown_and_for_the_one_on_demand(inn: World) -> None:
    match = await seat_and_start(inn, ("Ada", "Bela"), game="jokers")
    now, screen, name = await look(inn, match), SCREENS["jokers"], await turn(inn, match)
    (seat,), other = now.due(), {"Ada": "Bela", "Bela": "Ada"}[name]
    drawn = screen.hand(now.view(seat), now.decisions()[seat], now.moves(seat), narration.context(now))
    in_words, worth = drawn.below[-1], drawn.worth

    async def shown(what: str) -> list[bool]:
        await inn.env.settle()
        hands = (hand(inn, name, match), await hand_on_demand(inn, name, match), hand(inn, other, match))
        return [what in words(message) for message in hands]

    async def choose(label: str) -> None:
        await inn[name].slash(inn.thread, "motley settings")  # where the hand on demand is, so that it is the newest
        await inn.press(name, newest(inn, name), label)

    assert in_words
    assert worth
    assert await shown(in_words) == [False, False, False]
    assert await shown(worth) == [True, True, False]
    await choose("Leave out what things are worth")
    assert await shown(worth) == [False, False, False]
    await choose("Show hands in words")
    assert await shown(in_words) == [True, True, False]


async def test_settings_are_asked_for_in_direct_messages_too(inn: World) -> None:
    answer = await inn["Ada"].user.slash("motley settings")
    assert answer.ephemeral
    await inn.press("Ada", newest(inn, "Ada"), "Show hands in words")
    assert (await liked(inn, "Ada")).words


async def test_the_table_leads_to_the_settings(inn: World) -> None:
    match = await seat_and_start(inn)
    menu = await inn.press("Ada", await table(inn, match), "⋯")
    assert menu.response is not None
    answer = await inn["Ada"].click(menu.response, label="Settings")
    assert answer.ephemeral
    await inn.press("Ada", newest(inn, "Ada"), "Show hands in words")
    assert (await liked(inn, "Ada")).words


@pytest.mark.parametrize("where", ["table", "hand"])
async def test_a_setting_that_is_forged_on_another_message_leaves_that_alone(inn: World, where: str) -> None:
    match = await seat_and_start(inn)
    message = await table(inn, match) if where == "table" else hand(inn, "Ada", match)
    answer = await inn.forge("Ada", message, custom_ids.setting("words", "on"))
    assert answer.ephemeral
    after = await table(inn, match) if where == "table" else hand(inn, "Ada", match)
    assert "Your settings" not in words(after)
    assert (await liked(inn, "Ada")).words


@pytest.mark.parametrize(("name", "value"), [("call", "7"), ("words", "maybe"), ("nothing", "on"), ("worth", "never")])
async def test_a_setting_that_there_is_not_changes_nothing(inn: World, name: str, value: str) -> None:
    page = await opened(inn, "Ada")
    answer = await inn.forge("Ada", page, custom_ids.setting(name, value))
    assert "/motley settings" in told(answer)
    assert await liked(inn, "Ada") == Preferences()
