"""A second tap after a redraw ends no turn: what ends one never takes the place of what was just pressed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cogs.table.actions import context
from cogs.table.actions.context import ends_turn
from cogs.table.pages.page import Page, Place, Press, clear_place, press_at, press_rows
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Status
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.messages import Message, kind_of
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot

SEED = "0f" * 16
MAX_TAPS = 120
MAX_PARTS, MAX_BUTTONS = 40, 5  # components of a message, and buttons in a row: Discord's limits
ACTION_ROW, BUTTON, SELECT = 1, 2, 3


def rows_of(components: Any) -> Iterator[list[dict[str, Any]]]:
    for each in components:
        if each["type"] == ACTION_ROW:
            yield each["components"]
        else:
            yield from rows_of(each.get("components", ()))


def count_parts(components: Any) -> int:
    return sum(1 + count_parts(each.get("components", ())) for each in components)


def control_at(message: Message, row: int, column: int) -> dict[str, Any]:
    rows = [*rows_of(message["components"])]
    found: dict[str, Any] = rows[row][column] if row < len(rows) and column < len(rows[row]) else {}
    return {} if found.get("disabled") else found


def choices(message: Message) -> list[tuple[int, int, str, list[str] | None]]:
    """What can be tapped on a hand towards a move: the place, the custom id, and the picked line of a list."""
    found: list[tuple[int, int, str, list[str] | None]] = []
    for row, controls in enumerate(rows_of(message["components"])):
        for column, each in enumerate(controls):
            custom_id = each.get("custom_id", "")
            if each.get("disabled") or not (
                kind_of(custom_id) in {*"mcsofng"} or custom_id.endswith((":back", ":return"))
            ):
                continue
            if each["type"] == SELECT:
                found += [(row, column, custom_id, [line["value"]]) for line in each["options"]]
            else:
                found.append((row, column, custom_id, None))
    return found


async def check_game(helper: GameHelper, *, at_table: bool = False) -> int:
    """The law: after any tap on a hand, the same place ends no turn. Return after how many taps a place was cleared.

    The hands are in direct messages, or else those that people are shown at the table.
    """
    chance, cleared, hands = Random(SEED), 0, dict[int, Message]()
    async with start_plain_bot(SEED) as plain_bot:
        plain_bot.wire.closed_inboxes |= {*plain_bot.wire.people.values()} if at_table else set()
        match = await plain_bot.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], {})
        for _ in range(MAX_TAPS):
            snapshot = await plain_bot.load_snapshot(match)
            if snapshot.info.status is not Status.RUNNING:
                break
            seat = chance.choice(snapshot.due_seats())
            hand = await show_hand(plain_bot, match, seat, hands if at_table else None)
            row, column, custom_id, values = chance.choice(choices(hand))
            await plain_bot.click_control(PEOPLE[seat], hand, custom_id, values)
            hand = plain_bot.current_message(hand) if at_table else await plain_bot.surface_message(match, "hand", seat)
            cleared += check_place(await plain_bot.load_snapshot(match), seat, hand, (row, column), custom_id)
    return cleared


async def show_hand(plain_bot: PlainBot, match: str, seat: int, hands: dict[int, Message] | None) -> Message:
    """A hand in direct messages; with those that are `hands` at the table, the one there, or a new one."""
    if hands is None:
        return await plain_bot.surface_message(match, "hand", seat)
    if seat not in hands or not choices(plain_bot.current_message(hands[seat])):
        answer = (await plain_bot.press(PEOPLE[seat], match, "hand")).answer
        assert answer is not None
        hands[seat] = answer
    return plain_bot.current_message(hands[seat])


def check_place(after: MatchSnapshot, seat: int, hand: Message, place: tuple[int, int], clicked: str) -> bool:
    next_id = control_at(hand, *place).get("custom_id", "")
    assert next_id == clicked or not ends_turn(after, seat, next_id), f"a second tap on {clicked} would be {next_id}"
    assert count_parts(hand["components"]) <= MAX_PARTS
    assert all(len(row) <= MAX_BUTTONS for row in rows_of(hand["components"]))
    return any(each.get("custom_id", "").endswith(":clicked") for row in rows_of(hand["components"]) for each in row)


@pytest.mark.sampled
@pytest.mark.parametrize("at_table", [False, True], ids=["direct messages", "table"])
@pytest.mark.parametrize("key", HELPERS)
async def test_a_control_that_ends_a_turn_never_takes_the_place_of_the_pressed_one(key: str, *, at_table: bool) -> None:
    await check_game(HELPERS[key], at_table=at_table)


@pytest.mark.sampled
@pytest.mark.parametrize("at_table", [False, True], ids=["direct messages", "table"])
@pytest.mark.parametrize("key", ["jokers", "wizard", "jest"])
async def test_the_law_finds_a_page_that_puts_it_there(
    monkeypatch: pytest.MonkeyPatch, key: str, *, at_table: bool
) -> None:
    assert await check_game(HELPERS[key], at_table=at_table)
    monkeypatch.setattr(context, "clear_place", lambda page, place, to: page)
    with pytest.raises(AssertionError, match="a second tap"):
        await check_game(HELPERS[key], at_table=at_table)


async def test_a_choice_that_was_just_made_and_can_be_changed_keeps_its_place() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(HELPERS["jest"].game, PEOPLE[:3], {})
        before = await plain_bot.surface_message(match, "hand", 0)
        row, column, custom_id, _ = choices(before)[1]
        await plain_bot.click_control(PEOPLE[0], before, custom_id)
        after = await plain_bot.surface_message(match, "hand", 0)
        assert control_at(after, row, column)["custom_id"].endswith(custom_id.rpartition(":")[2])
        labels = [[each.get("label") for each in controls] for controls in rows_of(after["components"])]
        assert "✓" not in labels[row], labels


def test_only_the_place_itself_moves_on() -> None:
    full = [Press(letter, f"t:abcd2345:{letter}") for letter in "abcdefg"]
    page = Page(press_rows(full))
    cleared = clear_place(page, Place(0, 1), "t:abcd2345:clicked")
    labels = [[press.label for press in row.items] for row in cleared.blocks]  # type: ignore[union-attr]
    assert labels == [["a", "✓", "b", "c", "d"], ["e"], ["f", "g"]]
    assert press_at(cleared, Place(0, 1)) == Press("✓", "t:abcd2345:clicked", idle=True)
    assert press_at(cleared, Place(2, 1)) == full[6]
    assert press_at(cleared, Place(2, 2)) is None
    assert press_at(cleared, Place(3, 0)) is None
