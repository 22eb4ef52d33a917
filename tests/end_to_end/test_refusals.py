"""Refusals in every game: a rule that forbids a move is cited, and leads to its place in the rules; nothing else is."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from cogs.table import ids, refusals
from cogs.table.page import Page, Row, Text
from engines import GAMES
from engines.game import IllegalMove
from engines.jest import JEST
from engines.jest.model import Take
from engines.match import Stale
from tests.end_to_end.players import due, hand, join, look, start
from tests.end_to_end.world import Message, World, controls, labels, told, words
from tests.fronts import RULES


class Forbidden(NamedTuple):
    """A move that a rule forbids whoever is first to decide, and the command that asks for it."""

    notation: str
    rule: str
    command: str
    options: dict[str, Any]


TAKE = JEST.write(Take(1, up=True))
FORBIDDEN = {
    "wizard": Forbidden("bid 9", "W4", "bid", {"tricks": 9}),
    "jest": Forbidden(TAKE, "J4", "take", {"from": TAKE.removeprefix("take ")}),
    "jokers": Forbidden("declare", "K9", "declare", {}),
    "court": Forbidden("move 4H", "T2", "move", {"card": "4H"}),
    "jesters": Forbidden("finish", "S5", "finish", {}),
}
every_game = pytest.mark.parametrize("key", GAMES)


async def begun(w: World, key: str) -> tuple[str, str]:
    """A match with as few as can be; its id, and who is to decide."""
    await w["Ada"].slash(w.table, f"{key} new")
    (info,) = await w.bot.matches.find()
    await join(w, info.id, *("Bela", "Chidi")[: GAMES[key].seats[0] - 1])
    await start(w, info.id)
    name = await due(w, info.id)
    assert name is not None
    return info.id, name


async def number(w: World, match: str) -> int:
    """The number of the decision of who is first to decide."""
    now = await look(w, match)
    return now.decisions()[now.due()[0]].number


def ways(match: str, decision: int, notation: str) -> dict[str, tuple[str, list[str] | None]]:
    """The custom_ids and values by which a hand could ask for a move."""
    verb, *rest = notation.split()
    return {
        "a button": (ids.move(match, decision, notation), None),
        "a list": (ids.select(match, decision, 0), [notation]),
        "picks": (ids.picks(match, decision, verb), rest),
        "their order": (ids.order(match, decision, notation), None),
    }


def cites(message: Message, key: str) -> bool:
    """Whether a message says the rule that forbids the move, and has the button that leads there."""
    rule = FORBIDDEN[key].rule
    said = f"({rule})" in words(message)
    linked = ids.rule(key, rule) in controls(message) and f"Rule {rule}" in labels(message)
    assert said == linked
    return said


def shown_part(key: str) -> str:
    """How the part of the rules begins that the button has to open."""
    rules = RULES[key]
    return rules.parts[rules.places[FORBIDDEN[key].rule]][1][:60]


@every_game
@pytest.mark.parametrize("way", ["a button", "a list", "picks", "their order"])
async def test_whatever_asks_for_it_on_a_hand_a_forbidden_move_is_refused_with_its_rule(
    inn: World, key: str, way: str
) -> None:
    match, name = await begun(inn, key)
    before = (await look(inn, match)).info
    custom_id, values = ways(match, await number(inn, match), FORBIDDEN[key].notation)[way]
    await inn.forge(name, hand(inn, name, match), custom_id, values)
    message = hand(inn, name, match)
    assert cites(message, key)
    assert len(controls(message)) > 4  # it is the hand, with all that can be done
    assert (await look(inn, match)).info == before
    answer = await inn.press(name, message, f"Rule {FORBIDDEN[key].rule}")
    assert shown_part(key) in told(answer)
    assert answer.ephemeral
    assert cites(hand(inn, name, match), key)


@every_game
async def test_the_rule_is_cited_by_commands_too_and_its_button_outlives_a_restart(inn: World, key: str) -> None:
    match, name = await begun(inn, key)
    forbidden = FORBIDDEN[key]
    answer = await inn[name].slash(inn.thread, f"{key} {forbidden.command}", **forbidden.options)
    assert answer.ephemeral
    assert answer.response is not None
    (shown,) = [seen.message for seen in inn.ephemerals() if seen.by == inn[name].id]
    assert cites(shown, key)
    await inn.forge(name, hand(inn, name, match), ids.move(match, await number(inn, match), forbidden.notation))
    old = hand(inn, name, match)
    await inn.restart()
    for message in (shown, old):
        opened = await inn.forge(name, message, ids.rule(key, forbidden.rule))
        assert shown_part(key) in told(opened)
        assert opened.ephemeral
    assert (await look(inn, match)).info.moves == 0


@every_game
async def test_what_no_rule_forbids_cites_none(inn: World, key: str) -> None:
    """By spelling, by turn, by age."""
    match, name = await begun(inn, key)
    before = (await look(inn, match)).info
    decision = await number(inn, match)
    for custom_id in (ids.move(match, decision, "dance"), ids.move(match, decision + 7, FORBIDDEN[key].notation)):
        await inn.forge(name, hand(inn, name, match), custom_id)
        message = hand(inn, name, match)
        assert words(message).startswith("**“dance” is no move of" if "dance" in custom_id else f"**{Stale()}**")
        assert not [each for each in controls(message) if each.startswith("u:")]
    if key != "jest":  # where everybody may decide at first
        other = next(each for each in ("Ada", "Bela") if each != name)
        answer = await inn[other].slash(inn.thread, f"{key} {FORBIDDEN[key].command}", **FORBIDDEN[key].options)
        assert told(answer) == "It is not your turn."
    assert (await look(inn, match)).info == before


async def test_a_rule_that_the_page_does_not_say_any_more_opens_the_beginning(inn: World) -> None:
    match, name = await begun(inn, "wizard")
    answer = await inn.forge(name, hand(inn, name, match), ids.rule("wizard", "W99"))
    assert RULES["wizard"].parts[0][1][:40] in told(answer)


def test_a_refusal_is_a_sentence_its_rule_and_a_button() -> None:
    wizard = GAMES["wizard"]
    *sentence, row = refusals.told(wizard, IllegalMove("W7", "You must follow hearts."))
    assert sentence == [Text("**You must follow hearts.** (W7)")]
    assert isinstance(row, Row)
    assert refusals.told(wizard, IllegalMove(None, "You do not hold it.")) == (Text("**You do not hold it.**"),)
    assert Page((*sentence, row)).digest != Page(tuple(sentence)).digest
