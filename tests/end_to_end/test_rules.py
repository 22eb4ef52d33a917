"""The rules where one stands: from a hand the part of the decision, from elsewhere the minute; cited by refusals."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest

from cogs.table.pages import custom_ids, refusal_messages
from cogs.table.pages.page import Page, Row, Text
from cogs.table.pages.rules_pages import RulesPages
from engines.hosting.match import MatchSnapshot, StaleDecision
from engines.kit.errors import BadNotation, IllegalMove
from tests.contract.helpers import HELPERS
from tests.contract.shown import hand_screen
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.game_uis import RULES
from tests.games import GAMES
from tests.messages import Message, button_labels, control_ids, message_text
from tests.playing import move_command

every_game = pytest.mark.parametrize("key", GAMES)


def page_opening(rules: RulesPages, leaf: int) -> str:
    return rules.pages[leaf][1].partition("\n")[0]


@every_game
async def test_rules_on_a_hand_open_the_part_of_its_decision(server: SimulatedServer, key: str) -> None:
    match, rules = await server.seat_and_start(THREE[: GAMES[key].seats[0]], game=key), RULES[key]
    now, table, minute = await server.load_snapshot(match), await server.find_table(match), page_opening(rules, 0)
    for seat, person in enumerate(now.info.seats):
        menu = await server.press_button(person.name, server.find_hand(person.name, match), "More")
        shown_page = await server.press_answer(person.name, menu, "Rules")
        assert shown_page.ephemeral
        rule = hand_screen(HELPERS[key], now, seat).rule if seat in now.decisions() else ""
        assert page_opening(rules, rules.pages_by_rule.get(rule, 0)) in reply_text(shown_page)
        assert minute in reply_text(await server[person.name].slash(server.thread, f"{key} rules"))
    forged = await server.forge_click("Greta", table, custom_ids.table_action_id(match, "rule"))
    assert minute in reply_text(forged)


async def test_a_part_of_the_rules_can_be_asked_for_in_words(server: SimulatedServer) -> None:
    greta, bidding = server["Greta"], "## Bidding and playing"
    none = "The rules have no such part. The parts are: The rules in one minute,"
    for typed, expected_text in (("bidding", bidding), ("3", bidding), ("W7", "(W7)"), ("w6", "(W6)"), ("whist", none)):
        assert expected_text in reply_text(await greta.slash(server.table, "wizard rules", part=typed))
    lobby = await server.find_lobby(await server.open_lobby())
    opened = await server.forge_click("Greta", lobby, custom_ids.rule_id("wizard", "W99"))  # the page says it no more
    assert RULES["wizard"].parts[0][1][:40] in reply_text(opened)
    offered = await greta.autocomplete(server.table, "wizard rules", "part", "")
    assert [choice["name"] for choice in offered] == [title for title, _ in RULES["wizard"].parts]


def offers_rules(w: SimulatedServer, match: str, *names: str) -> list[bool]:
    return ["Rules" in button_labels(w.find_hand(name, match)) for name in names]


async def test_every_hand_has_a_button_that_opens_the_rules_and_stays(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi")
    assert offers_rules(server, match, *THREE) == [True, True, True]
    await server.start_match(match)
    for _ in range(2):
        shown_page = await server.press_button("Bela", server.find_hand("Bela", match), "Rules")
        assert shown_page.ephemeral
        assert page_opening(RULES["wizard"], 0) in reply_text(shown_page)
        assert offers_rules(server, match, *THREE) == [True, True, True]
        await server.restart()
    moves_made = dict.fromkeys(THREE, 0)
    while min(moves_made.values()) < 4:
        moves_made[await server.make_move(match)] += 1
        await server.env.settle()
        assert offers_rules(server, match, *THREE) == [True, True, True]


async def start_smallest(w: SimulatedServer, key: str) -> tuple[str, str, int, str, str]:
    """A match, who is to decide first, its number; and a move that a rule forbids then."""
    match, name = await w.start_due(THREE[: GAMES[key].seats[0]], game=key)
    now = await w.load_snapshot(match)
    return match, name, now.decisions()[now.due_seats()[0]].number, *forbidden_move(now)


def forbidden_move(now: MatchSnapshot) -> tuple[str, str]:
    game, seat = now.game, now.due_seats()[0]
    for move in HELPERS[game.key].move_vocabulary(len(now.info.seats)):
        try:
            game.check(now.state, seat, move)
        except IllegalMove as refused:
            with suppress(LookupError, BadNotation):  # some moves that there never are cannot be written
                if refused.rule is not None and game.parse_move(game.format_move(move)) == move:
                    return game.format_move(move), refused.rule
    raise AssertionError(f"no rule of {game.title} forbids anything now")


def possible_clicks(match: str, decision: int, notation: str) -> list[tuple[str, list[str] | None]]:
    """The custom_ids and values by which a hand could ask for a move: a button, a list, picks, their order."""
    verb, *rest = notation.split()
    chosen = custom_ids.move_select_id(match, decision, 0), [notation]
    picked = custom_ids.picks_id(match, decision, verb), rest
    order = custom_ids.picks_order_id(match, decision, notation)
    return [(custom_ids.move_id(match, decision, notation), None), chosen, picked, (order, None)]


def cites_rule(message: Message, key: str, rule: str) -> bool:
    """Whether a message says the rule that forbids the move, and has the button that leads there."""
    is_rule_named = f"({rule})" in message_text(message)
    linked = custom_ids.rule_id(key, rule) in control_ids(message) and f"Rule {rule}" in button_labels(message)
    assert is_rule_named == linked
    return is_rule_named


def rule_opening(key: str, rule: str) -> str:
    rules = RULES[key]
    return rules.pages[rules.pages_by_rule[rule]][1][:60]


@every_game
@pytest.mark.parametrize("way", range(4))
async def test_a_forbidden_move_is_refused_with_its_rule(server: SimulatedServer, key: str, way: int) -> None:
    match, name, decision, notation, rule = await start_smallest(server, key)
    before = (await server.load_snapshot(match)).info
    custom_id, values = possible_clicks(match, decision, notation)[way]
    await server.forge_click(name, server.find_hand(name, match), custom_id, values)
    message = server.find_hand(name, match)
    assert cites_rule(message, key, rule)
    assert len(control_ids(message)) > 4  # it is the hand, with all that can be done
    assert (await server.load_snapshot(match)).info == before
    answer = await server.press_button(name, message, f"Rule {rule}")
    assert rule_opening(key, rule) in reply_text(answer)
    assert answer.ephemeral
    assert cites_rule(server.find_hand(name, match), key, rule)


@every_game
async def test_commands_cite_the_rule_too_and_its_button_outlives_a_restart(server: SimulatedServer, key: str) -> None:
    match, name, decision, notation, rule = await start_smallest(server, key)
    command, given = move_command(key, notation)
    answer = await server[name].slash(server.thread, command, **given)
    assert answer.ephemeral
    (shown_message,) = server.private_messages(name)
    assert cites_rule(shown_message, key, rule)
    await server.forge_click(name, server.find_hand(name, match), custom_ids.move_id(match, decision, notation))
    old = server.find_hand(name, match)
    await server.restart()
    for message in (shown_message, old):
        opened = await server.forge_click(name, message, custom_ids.rule_id(key, rule))
        assert rule_opening(key, rule) in reply_text(opened)
        assert opened.ephemeral
    assert await server.move_count(match) == 0


@every_game
async def test_refusals_without_a_rule_cite_none(server: SimulatedServer, key: str) -> None:
    match, name, decision, notation, _ = await start_smallest(server, key)
    now = await server.load_snapshot(match)
    refused = (decision, "dance", "“dance” is not a move of"), (decision + 7, notation, f"{StaleDecision()}**")
    for number, move, expected_text in refused:
        await server.forge_click(name, server.find_hand(name, match), custom_ids.move_id(match, number, move))
        message = server.find_hand(name, match)
        assert message_text(message).startswith(f"**{expected_text}")
        assert not [each for each in control_ids(message) if each.startswith("u:")]
    if len(now.decisions()) == 1:
        command, given = move_command(key, notation)
        answer = await server["Bela" if name == "Ada" else "Ada"].slash(server.thread, command, **given)
        assert reply_text(answer) == "It is not your turn."
    assert (await server.load_snapshot(match)).info == now.info


def test_a_refusal_is_a_sentence_its_rule_and_a_button() -> None:
    refuse = partial(refusal_messages.refusal_blocks, GAMES["wizard"])
    *sentence, row = refuse(IllegalMove("W7", "You must follow hearts."))
    assert sentence == [Text("**You must follow hearts.** (W7)")]
    assert isinstance(row, Row)
    assert refuse(IllegalMove(None, "You do not hold it.")) == (Text("**You do not hold it.**"),)
    assert Page((*sentence, row)).digest != Page(tuple(sentence)).digest
