"""The rules where one stands: from a hand the part of the decision, from elsewhere the minute; offered once a game."""

from __future__ import annotations

import pytest

from cogs.table.pages import custom_ids
from cogs.table.pages.rules_pages import RulesPages
from tests.contract.helpers import HELPERS
from tests.contract.shown import hand_screen as drawn
from tests.end_to_end.players import (
    due_name,
    find_hand,
    find_table,
    join_lobby,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    seat_and_start,
    start_match,
)
from tests.end_to_end.world import SimulatedServer, button_labels, reply_text
from tests.fronts import RULES
from tests.games import GAMES

every_game = pytest.mark.parametrize("key", GAMES)


async def start_smallest(w: SimulatedServer, key: str) -> str:
    """A match with as few as can be."""
    await w["Ada"].slash(w.table, f"{key} new")
    (info,) = await w.bot.matches.find()
    await join_lobby(w, info.id, *("Bela", "Chidi")[: GAMES[key].seats[0] - 1])
    await start_match(w, info.id)
    return info.id


def page_opening(rules: RulesPages, leaf: int) -> str:
    """How a leaf begins as it is shown."""
    return rules.pages[leaf][1].partition("\n")[0]


@every_game
async def test_rules_on_a_hand_open_the_part_of_the_decision_and_the_minute_where_there_is_none(
    inn: SimulatedServer, key: str
) -> None:
    match, rules = await start_smallest(inn, key), RULES[key]
    now = await load_snapshot(inn, match)
    minute = page_opening(rules, 0)
    for seat, person in enumerate(now.info.seats):
        menu = await inn.press_button(person.name, find_hand(inn, person.name, match), "⋯")
        assert menu.response is not None
        shown = await inn[person.name].user.click(menu.response, label="Rules")
        assert shown.ephemeral
        rule = drawn(HELPERS[key], now, seat).rule if seat in now.decisions() else ""
        assert page_opening(rules, rules.pages_by_rule.get(rule, 0)) in reply_text(shown)
        assert minute in reply_text(await inn[person.name].slash(inn.thread, f"{key} rules"))
    assert minute in reply_text(
        await inn.forge_click("Greta", await find_table(inn, match), custom_ids.table_action_id(match, "rule"))
    )
    menu = await inn.press_button("Greta", await find_table(inn, match), "⋯")
    assert menu.response is not None
    assert minute in reply_text(await inn["Greta"].click(menu.response, label="Rules"))


async def test_a_part_of_the_rules_can_be_asked_for_in_words(inn: SimulatedServer) -> None:
    rules, greta = RULES["wizard"], inn["Greta"]
    for typed in ("bidding", "3"):
        assert "## Bidding and playing" in reply_text(await greta.slash(inn.table, "wizard rules", part=typed))
    for typed in ("W7", "w6"):
        assert f"({typed.upper()})" in reply_text(await greta.slash(inn.table, "wizard rules", part=typed))
    assert "The rules have no such part. The parts are: In a minute," in reply_text(
        await greta.slash(inn.table, "wizard rules", part="whist")
    )
    offered = await greta.autocomplete(inn.table, "wizard rules", "part", "")
    assert [choice["name"] for choice in offered] == [title for title, _ in rules.parts]


OFFER = "Rules"


def offers_rules(w: SimulatedServer, match: str, *names: str) -> list[bool]:
    """Whether the hands of these people offer the rules."""
    return [OFFER in button_labels(find_hand(w, name, match)) for name in names]


async def test_somebodys_first_hand_of_a_game_offers_its_rules_until_they_are_opened(inn: SimulatedServer) -> None:
    people = ("Ada", "Bela", "Chidi")
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela", "Chidi")
    assert offers_rules(inn, match, *people) == [True, True, True]
    shown = await inn.press_button("Bela", find_hand(inn, "Bela", match), OFFER)
    assert shown.ephemeral
    assert page_opening(RULES["wizard"], 0) in reply_text(shown)
    await inn.env.settle()
    assert offers_rules(inn, match, *people) == [True, False, True]
    await start_match(inn, match)
    assert offers_rules(inn, match, *people) == [True, False, True]
    await inn.restart()
    await inn["Ada"].slash(inn.thread, "wizard rules")  # however they are opened
    await inn.env.settle()
    assert offers_rules(inn, match, *people) == [False, False, True]
    other = await seat_and_start(inn, people)
    assert offers_rules(inn, other, *people) == [False, False, True]
    jest = await seat_and_start(inn, people, game="jest")
    assert offers_rules(inn, jest, *people) == [True, True, True]


async def test_whoever_has_made_three_moves_is_not_offered_the_rules_again(inn: SimulatedServer) -> None:
    people = ("Ada", "Bela", "Chidi")
    match = await seat_and_start(inn, people, rounds=2)
    made = dict.fromkeys(people, 0)
    while min(made.values()) < 3:
        mover = await make_move(inn, match)
        made[mover] += 1
        await inn.env.settle()
        assert offers_rules(inn, match, mover) == [made[mover] < 3]
    assert await due_name(inn, match)
    await inn.restart()
    other = await seat_and_start(inn, people)
    assert offers_rules(inn, other, *people) == [False, False, False]


async def test_all_hands_know_it_also_where_the_third_move_comes_too_late(inn: SimulatedServer) -> None:
    here, there = [await seat_and_start(inn, ("Ada", "Bela", "Chidi"), rounds=2) for _ in range(2)]
    while (await load_snapshot(inn, here)).movers.count(0) < 2:
        await make_move(inn, here)
    assert offers_rules(inn, here, "Ada") + offers_rules(inn, there, "Ada") == [True, True]
    late = await inn.forge_click("Ada", await find_table(inn, here), f"m:{here}:0:bid 0")
    assert "no longer open" in reply_text(late)
    await inn.env.settle()
    assert offers_rules(inn, here, "Ada") + offers_rules(inn, there, "Ada") == [False, False]


async def test_whoever_takes_an_empty_seat_is_offered_the_rules_until_they_move(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, ("Ada", "Bela", "Chidi"), rounds=3)
    while (await load_snapshot(inn, match)).movers.count(0) < 3:
        await make_move(inn, match)
    await leave_match(inn, match, "Ada")
    await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    await inn.env.settle()
    assert offers_rules(inn, match, "Greta") == [True]
    while await make_move(inn, match) != "Greta":
        pass
    assert offers_rules(inn, match, "Greta") == [False]
