"""The rules where one stands: from a hand the part of the decision, from elsewhere the minute; offered once a game."""

from __future__ import annotations

import pytest

from cogs.table.pages import custom_ids
from cogs.table.pages.rules_pages import Rules
from tests.contract.helpers import HELPERS
from tests.contract.shown import hand as drawn
from tests.end_to_end.players import due, hand, join, leave, look, move, open_lobby, seat_and_start, start, table
from tests.end_to_end.world import World, labels, told
from tests.fronts import RULES
from tests.games import GAMES

every_game = pytest.mark.parametrize("key", GAMES)


async def begun(w: World, key: str) -> str:
    """A match with as few as can be."""
    await w["Ada"].slash(w.table, f"{key} new")
    (info,) = await w.bot.matches.find()
    await join(w, info.id, *("Bela", "Chidi")[: GAMES[key].seats[0] - 1])
    await start(w, info.id)
    return info.id


def opening(rules: Rules, leaf: int) -> str:
    """How a leaf begins as it is shown."""
    return rules.leaves[leaf][1].partition("\n")[0]


@every_game
async def test_rules_on_a_hand_open_the_part_of_the_decision_and_the_minute_where_there_is_none(
    inn: World, key: str
) -> None:
    match, rules = await begun(inn, key), RULES[key]
    now = await look(inn, match)
    minute = opening(rules, 0)
    for seat, person in enumerate(now.info.seats):
        menu = await inn.press(person.name, hand(inn, person.name, match), "⋯")
        assert menu.response is not None
        shown = await inn[person.name].user.click(menu.response, label="Rules")
        assert shown.ephemeral
        rule = drawn(HELPERS[key], now, seat).rule if seat in now.decisions() else ""
        assert opening(rules, rules.places.get(rule, 0)) in told(shown)
        assert minute in told(await inn[person.name].slash(inn.thread, f"{key} rules"))
    assert minute in told(await inn.forge("Greta", await table(inn, match), custom_ids.table(match, "rule")))
    menu = await inn.press("Greta", await table(inn, match), "⋯")
    assert menu.response is not None
    assert minute in told(await inn["Greta"].click(menu.response, label="Rules"))


async def test_a_part_of_the_rules_can_be_asked_for_in_words(inn: World) -> None:
    rules, greta = RULES["wizard"], inn["Greta"]
    for typed in ("bidding", "3"):
        assert "## Bidding and playing" in told(await greta.slash(inn.table, "wizard rules", part=typed))
    for typed in ("W7", "w6"):
        assert f"({typed.upper()})" in told(await greta.slash(inn.table, "wizard rules", part=typed))
    assert "The rules have no such part. There are: In a minute," in told(
        await greta.slash(inn.table, "wizard rules", part="whist")
    )
    offered = await greta.autocomplete(inn.table, "wizard rules", "part", "")
    assert [choice["name"] for choice in offered] == [title for title, _ in rules.parts]


OFFER = "Rules"


def offers(w: World, match: str, *names: str) -> list[bool]:
    """Whether the hands of these people offer the rules."""
    return [OFFER in labels(hand(w, name, match)) for name in names]


async def test_somebodys_first_hand_of_a_game_offers_its_rules_until_they_are_opened(inn: World) -> None:
    people = ("Ada", "Bela", "Chidi")
    match = await open_lobby(inn)
    await join(inn, match, "Bela", "Chidi")
    assert offers(inn, match, *people) == [True, True, True]
    shown = await inn.press("Bela", hand(inn, "Bela", match), OFFER)
    assert shown.ephemeral
    assert opening(RULES["wizard"], 0) in told(shown)
    await inn.env.settle()
    assert offers(inn, match, *people) == [True, False, True]
    await start(inn, match)
    assert offers(inn, match, *people) == [True, False, True]
    await inn.restart()
    await inn["Ada"].slash(inn.thread, "wizard rules")  # however they are opened
    await inn.env.settle()
    assert offers(inn, match, *people) == [False, False, True]
    other = await seat_and_start(inn, people)
    assert offers(inn, other, *people) == [False, False, True]
    jest = await seat_and_start(inn, people, game="jest")
    assert offers(inn, jest, *people) == [True, True, True]


async def test_whoever_has_made_three_moves_is_not_offered_the_rules_again(inn: World) -> None:
    people = ("Ada", "Bela", "Chidi")
    match = await seat_and_start(inn, people, rounds=2)
    made = dict.fromkeys(people, 0)
    while min(made.values()) < 3:
        mover = await move(inn, match)
        made[mover] += 1
        await inn.env.settle()
        assert offers(inn, match, mover) == [made[mover] < 3]
    assert await due(inn, match)
    await inn.restart()
    other = await seat_and_start(inn, people)
    assert offers(inn, other, *people) == [False, False, False]


async def test_all_hands_know_it_also_where_the_third_move_comes_too_late(inn: World) -> None:
    here, there = [await seat_and_start(inn, ("Ada", "Bela", "Chidi"), rounds=2) for _ in range(2)]
    while (await look(inn, here)).movers.count(0) < 2:
        await move(inn, here)
    assert offers(inn, here, "Ada") + offers(inn, there, "Ada") == [True, True]
    late = await inn.forge("Ada", await table(inn, here), f"m:{here}:0:bid 0")
    assert "no longer open" in told(late)
    await inn.env.settle()
    assert offers(inn, here, "Ada") + offers(inn, there, "Ada") == [False, False]


async def test_whoever_takes_an_empty_seat_is_offered_the_rules_until_they_move(inn: World) -> None:
    match = await seat_and_start(inn, ("Ada", "Bela", "Chidi"), rounds=3)
    while (await look(inn, match)).movers.count(0) < 3:
        await move(inn, match)
    await leave(inn, match, "Ada")
    await inn.press("Greta", await table(inn, match), "Take the empty seat")
    await inn.env.settle()
    assert offers(inn, match, "Greta") == [True]
    while await move(inn, match) != "Greta":
        pass
    assert offers(inn, match, "Greta") == [False]
