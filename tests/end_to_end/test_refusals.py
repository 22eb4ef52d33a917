"""Refusals in every game: a rule that forbids a move is cited, and leads to its place in the rules; nothing else is."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from simcord.results import InteractionResult

from cogs.table.pages import custom_ids, refusal_messages
from cogs.table.pages.page import Page, Row, Text
from engines.hosting.match import Look, Stale
from engines.kit.contract import AnyGame, BadNotation, IllegalMove
from tests.contract.helpers import HELPERS
from tests.end_to_end.players import due, hand, join, look, start
from tests.end_to_end.world import Message, World, controls, labels, told, words
from tests.fronts import RULES
from tests.games import GAMES
from tests.playing import command


class Begun(NamedTuple):
    """A match at its first decision: who is to make it and its number; and a move that a rule forbids then."""

    match: str
    name: str
    decision: int
    notation: str
    rule: str


every_game = pytest.mark.parametrize("key", GAMES)


async def begun(w: World, key: str) -> Begun:
    """A match with as few as can be."""
    await w["Ada"].slash(w.table, f"{key} new")
    (info,) = await w.bot.matches.find()
    await join(w, info.id, *("Bela", "Chidi")[: GAMES[key].seats[0] - 1])
    await start(w, info.id)
    name = await due(w, info.id)
    assert name is not None
    now = await look(w, info.id)
    return Begun(info.id, name, now.decisions()[now.due()[0]].number, *forbidden(now))


def forbidden(now: Look) -> tuple[str, str]:
    """The first of all moves of the game that a rule forbids now, and that rule."""
    game, seat = now.game, now.due()[0]
    for move in HELPERS[game.key].vocabulary(len(now.info.seats)):
        try:
            game.check(now.state, seat, move)
        except IllegalMove as refused:
            if refused.rule is not None and _written(game, move):
                return game.write(move), refused.rule
    raise AssertionError(f"no rule of {game.title} forbids anything now")


def _written(game: AnyGame, move: Any) -> bool:
    """Whether a move can be written: some that there never are cannot."""
    try:
        return bool(game.read(game.write(move)) == move)
    except (LookupError, BadNotation):
        return False


async def typed(w: World, name: str, key: str, notation: str) -> InteractionResult:
    """Ask for a move by its command."""
    made, given = command(key, notation)
    return await w[name].slash(w.thread, made, **given)


def ways(match: str, decision: int, notation: str) -> dict[str, tuple[str, list[str] | None]]:
    """The custom_ids and values by which a hand could ask for a move."""
    verb, *rest = notation.split()
    return {
        "a button": (custom_ids.move(match, decision, notation), None),
        "a list": (custom_ids.select(match, decision, 0), [notation]),
        "picks": (custom_ids.picks(match, decision, verb), rest),
        "their order": (custom_ids.order(match, decision, notation), None),
    }


def cites(message: Message, key: str, rule: str) -> bool:
    """Whether a message says the rule that forbids the move, and has the button that leads there."""
    said = f"({rule})" in words(message)
    linked = custom_ids.rule(key, rule) in controls(message) and f"Rule {rule}" in labels(message)
    assert said == linked
    return said


def shown_part(key: str, rule: str) -> str:
    """How the leaf of the rules begins that the button has to open."""
    rules = RULES[key]
    return rules.leaves[rules.places[rule]][1][:60]


@every_game
@pytest.mark.parametrize("way", ["a button", "a list", "picks", "their order"])
async def test_whatever_asks_for_it_on_a_hand_a_forbidden_move_is_refused_with_its_rule(
    inn: World, key: str, way: str
) -> None:
    match, name, decision, notation, rule = await begun(inn, key)
    before = (await look(inn, match)).info
    custom_id, values = ways(match, decision, notation)[way]
    await inn.forge(name, hand(inn, name, match), custom_id, values)
    message = hand(inn, name, match)
    assert cites(message, key, rule)
    assert len(controls(message)) > 4  # it is the hand, with all that can be done
    assert (await look(inn, match)).info == before
    answer = await inn.press(name, message, f"Rule {rule}")
    assert shown_part(key, rule) in told(answer)
    assert answer.ephemeral
    assert cites(hand(inn, name, match), key, rule)


@every_game
async def test_the_rule_is_cited_by_commands_too_and_its_button_outlives_a_restart(inn: World, key: str) -> None:
    match, name, decision, notation, rule = await begun(inn, key)
    answer = await typed(inn, name, key, notation)
    assert answer.ephemeral
    assert answer.response is not None
    (shown,) = [seen.message for seen in inn.ephemerals() if seen.by == inn[name].id]
    assert cites(shown, key, rule)
    await inn.forge(name, hand(inn, name, match), custom_ids.move(match, decision, notation))
    old = hand(inn, name, match)
    await inn.restart()
    for message in (shown, old):
        opened = await inn.forge(name, message, custom_ids.rule(key, rule))
        assert shown_part(key, rule) in told(opened)
        assert opened.ephemeral
    assert (await look(inn, match)).info.moves == 0


@every_game
async def test_what_no_rule_forbids_cites_none(inn: World, key: str) -> None:
    """By spelling, by turn, by age."""
    match, name, decision, notation, _ = await begun(inn, key)
    now = await look(inn, match)
    for custom_id in (custom_ids.move(match, decision, "dance"), custom_ids.move(match, decision + 7, notation)):
        await inn.forge(name, hand(inn, name, match), custom_id)
        message = hand(inn, name, match)
        assert words(message).startswith("**“dance” is no move of" if "dance" in custom_id else f"**{Stale()}**")
        assert not [each for each in controls(message) if each.startswith("u:")]
    if len(now.decisions()) == 1:
        other = next(each for each in ("Ada", "Bela") if each != name)
        assert told(await typed(inn, other, key, notation)) == "It is not your turn."
    assert (await look(inn, match)).info == now.info


async def test_a_rule_that_the_page_does_not_say_any_more_opens_the_beginning(inn: World) -> None:
    match, name, *_ = await begun(inn, "wizard")
    answer = await inn.forge(name, hand(inn, name, match), custom_ids.rule("wizard", "W99"))
    assert RULES["wizard"].parts[0][1][:40] in told(answer)


def test_a_refusal_is_a_sentence_its_rule_and_a_button() -> None:
    wizard = GAMES["wizard"]
    *sentence, row = refusal_messages.told(wizard, IllegalMove("W7", "You must follow hearts."))
    assert sentence == [Text("**You must follow hearts.** (W7)")]
    assert isinstance(row, Row)
    assert refusal_messages.told(wizard, IllegalMove(None, "You do not hold it.")) == (Text("**You do not hold it.**"),)
    assert Page((*sentence, row)).digest != Page(tuple(sentence)).digest
