"""Refusals in every game: a rule that forbids a move is cited, and leads to its place in the rules; nothing else is."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from simcord.results import InteractionResult

from cogs.table.pages import custom_ids, refusal_messages
from cogs.table.pages.page import Page, Row, Text
from engines.hosting.match import MatchSnapshot, StaleDecision
from engines.kit.contract import AnyGame
from engines.kit.errors import BadNotation, IllegalMove
from tests.contract.helpers import HELPERS
from tests.end_to_end.players import due_name, find_hand, join_lobby, load_snapshot, start_match
from tests.end_to_end.world import Message, SimulatedServer, button_labels, control_ids, message_text, reply_text
from tests.fronts import RULES
from tests.games import GAMES
from tests.playing import move_command


class StartedMatch(NamedTuple):
    """A match at its first decision: who is to make it and its number; and a move that a rule forbids then."""

    match: str
    name: str
    decision: int
    notation: str
    rule: str


every_game = pytest.mark.parametrize("key", GAMES)


async def start_smallest(w: SimulatedServer, key: str) -> StartedMatch:
    """A match with as few as can be."""
    await w["Ada"].slash(w.table, f"{key} new")
    (info,) = await w.bot.matches.find()
    await join_lobby(w, info.id, *("Bela", "Chidi")[: GAMES[key].seats[0] - 1])
    await start_match(w, info.id)
    name = await due_name(w, info.id)
    assert name is not None
    now = await load_snapshot(w, info.id)
    return StartedMatch(info.id, name, now.decisions()[now.due_seats()[0]].number, *forbidden_move(now))


def forbidden_move(now: MatchSnapshot) -> tuple[str, str]:
    """The first of all moves of the game that a rule forbids now, and that rule."""
    game, seat = now.game, now.due_seats()[0]
    for move in HELPERS[game.key].move_vocabulary(len(now.info.seats)):
        try:
            game.check(now.state, seat, move)
        except IllegalMove as refused:
            if refused.rule is not None and _can_be_written(game, move):
                return game.format_move(move), refused.rule
    raise AssertionError(f"no rule of {game.title} forbids anything now")


def _can_be_written(game: AnyGame, move: Any) -> bool:
    """Whether a move can be written: some that there never are cannot."""
    try:
        return bool(game.parse_move(game.format_move(move)) == move)
    except (LookupError, BadNotation):
        return False


async def ask_by_command(w: SimulatedServer, name: str, key: str, notation: str) -> InteractionResult:
    """Ask for a move by its command."""
    made, given = move_command(key, notation)
    return await w[name].slash(w.thread, made, **given)


def click_ways(match: str, decision: int, notation: str) -> dict[str, tuple[str, list[str] | None]]:
    """The custom_ids and values by which a hand could ask for a move."""
    verb, *rest = notation.split()
    return {
        "a button": (custom_ids.move_id(match, decision, notation), None),
        "a list": (custom_ids.move_select_id(match, decision, 0), [notation]),
        "picks": (custom_ids.picks_id(match, decision, verb), rest),
        "their order": (custom_ids.picks_order_id(match, decision, notation), None),
    }


def cites_rule(message: Message, key: str, rule: str) -> bool:
    """Whether a message says the rule that forbids the move, and has the button that leads there."""
    said = f"({rule})" in message_text(message)
    linked = custom_ids.rule_id(key, rule) in control_ids(message) and f"Rule {rule}" in button_labels(message)
    assert said == linked
    return said


def rule_opening(key: str, rule: str) -> str:
    """How the leaf of the rules begins that the button has to open."""
    rules = RULES[key]
    return rules.pages[rules.pages_by_rule[rule]][1][:60]


@every_game
@pytest.mark.parametrize("way", ["a button", "a list", "picks", "their order"])
async def test_whatever_asks_for_it_on_a_hand_a_forbidden_move_is_refused_with_its_rule(
    inn: SimulatedServer, key: str, way: str
) -> None:
    match, name, decision, notation, rule = await start_smallest(inn, key)
    before = (await load_snapshot(inn, match)).info
    custom_id, values = click_ways(match, decision, notation)[way]
    await inn.forge_click(name, find_hand(inn, name, match), custom_id, values)
    message = find_hand(inn, name, match)
    assert cites_rule(message, key, rule)
    assert len(control_ids(message)) > 4  # it is the hand, with all that can be done
    assert (await load_snapshot(inn, match)).info == before
    answer = await inn.press_button(name, message, f"Rule {rule}")
    assert rule_opening(key, rule) in reply_text(answer)
    assert answer.ephemeral
    assert cites_rule(find_hand(inn, name, match), key, rule)


@every_game
async def test_the_rule_is_cited_by_commands_too_and_its_button_outlives_a_restart(
    inn: SimulatedServer, key: str
) -> None:
    match, name, decision, notation, rule = await start_smallest(inn, key)
    answer = await ask_by_command(inn, name, key, notation)
    assert answer.ephemeral
    assert answer.response is not None
    (shown,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn[name].id]
    assert cites_rule(shown, key, rule)
    await inn.forge_click(name, find_hand(inn, name, match), custom_ids.move_id(match, decision, notation))
    old = find_hand(inn, name, match)
    await inn.restart()
    for message in (shown, old):
        opened = await inn.forge_click(name, message, custom_ids.rule_id(key, rule))
        assert rule_opening(key, rule) in reply_text(opened)
        assert opened.ephemeral
    assert (await load_snapshot(inn, match)).info.moves == 0


@every_game
async def test_what_no_rule_forbids_cites_none(inn: SimulatedServer, key: str) -> None:
    """By spelling, by turn, by age."""
    match, name, decision, notation, _ = await start_smallest(inn, key)
    now = await load_snapshot(inn, match)
    for custom_id in (custom_ids.move_id(match, decision, "dance"), custom_ids.move_id(match, decision + 7, notation)):
        await inn.forge_click(name, find_hand(inn, name, match), custom_id)
        message = find_hand(inn, name, match)
        assert message_text(message).startswith(
            "**“dance” is not a move of" if "dance" in custom_id else f"**{StaleDecision()}**"
        )
        assert not [each for each in control_ids(message) if each.startswith("u:")]
    if len(now.decisions()) == 1:
        other = next(each for each in ("Ada", "Bela") if each != name)
        assert reply_text(await ask_by_command(inn, other, key, notation)) == "It is not your turn."
    assert (await load_snapshot(inn, match)).info == now.info


async def test_a_rule_that_the_page_does_not_say_any_more_opens_the_beginning(inn: SimulatedServer) -> None:
    match, name, *_ = await start_smallest(inn, "wizard")
    answer = await inn.forge_click(name, find_hand(inn, name, match), custom_ids.rule_id("wizard", "W99"))
    assert RULES["wizard"].parts[0][1][:40] in reply_text(answer)


def test_a_refusal_is_a_sentence_its_rule_and_a_button() -> None:
    wizard = GAMES["wizard"]
    *sentence, row = refusal_messages.refusal_blocks(wizard, IllegalMove("W7", "You must follow hearts."))
    assert sentence == [Text("**You must follow hearts.** (W7)")]
    assert isinstance(row, Row)
    assert refusal_messages.refusal_blocks(wizard, IllegalMove(None, "You do not hold it.")) == (
        Text("**You do not hold it.**"),
    )
    assert Page((*sentence, row)).digest != Page(tuple(sentence)).digest
