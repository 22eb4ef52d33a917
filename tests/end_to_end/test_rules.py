"""The rules where one stands: from a hand the part that belongs to the decision, from elsewhere the minute."""

from __future__ import annotations

import pytest

from cogs.table import ids, pages
from cogs.table.rules import Rules
from tests.end_to_end.players import hand, join, look, start, table
from tests.end_to_end.world import World, told
from tests.fronts import RULES, SCREENS
from tests.games import GAMES

every_game = pytest.mark.parametrize("key", GAMES)


async def begun(w: World, key: str) -> str:
    """A match with as few as can be."""
    await w["Ada"].slash(w.table, f"{key} new")
    (info,) = await w.bot.matches.find()
    await join(w, info.id, *("Bela", "Chidi")[: GAMES[key].seats[0] - 1])
    await start(w, info.id)
    return info.id


def opening(rules: Rules, part: int) -> str:
    """How a part begins as it is shown."""
    return rules.parts[part][1].partition("\n")[0]


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
        rule = pages.rule(now, seat, SCREENS[key])
        assert opening(rules, rules.places.get(rule, 0)) in told(shown)
        assert seat in now.decisions() or rule == ""
        assert minute in told(await inn.press(person.name, await table(inn, match), "Rules"))
        assert minute in told(await inn[person.name].slash(inn.thread, f"{key} rules"))
    assert minute in told(await inn.forge("Greta", await table(inn, match), ids.table(match, "rule")))
    menu = await inn.press("Greta", await table(inn, match), "⋯")
    assert menu.response is not None
    assert minute in told(await inn["Greta"].click(menu.response, label="Rules"))


async def test_a_part_of_the_rules_can_be_asked_for_in_words(inn: World) -> None:
    rules, greta = RULES["wizard"], inn["Greta"]
    for typed in ("bidding", "W7", "w6", "3"):
        assert opening(rules, rules.places["W7"]) in told(await greta.slash(inn.table, "wizard rules", part=typed))
    assert "The rules have no such part. There are: In a minute," in told(
        await greta.slash(inn.table, "wizard rules", part="whist")
    )
    offered = await greta.autocomplete(inn.table, "wizard rules", "part", "")
    assert [choice["name"] for choice in offered] == [title for title, _ in rules.parts]
