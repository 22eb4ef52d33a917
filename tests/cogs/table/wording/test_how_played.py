"""How a match is played: a lobby names only what differs from the published game and from a usual table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cogs.table.wording.how_played import differences, how_played_text
from engines.features.registry import TABLE_OPTIONS
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.table_options import TableOptions, options_for
from engines.wizard.model import SPECIAL_NAMES
from tests.contract.laws.options import assert_reads_as_reason
from tests.game_uis import SCREENS
from tests.games import GAMES

SPECIALS: dict[str, Any] = dict.fromkeys(SPECIAL_NAMES, True)
TOLD: list[tuple[str, int, dict[str, Any], dict[str, Any], str]] = [
    ("wizard", 4, {}, {}, ""),
    ("wizard", 4, {"rounds": 1}, {}, "1 of 15 rounds"),
    ("wizard", 1, {"rounds": 20}, {}, ""),
    ("wizard", 6, {"rounds": 20}, {}, ""),
    ("wizard", 4, {"hook": 10, "rounds": 5}, {}, "5 of 15 rounds"),
    ("wizard", 4, {"hook": 2}, {}, "the hook from 2 cards on"),
    ("wizard", 4, {"hands": "by twos", "bids": "late", **SPECIALS}, {}, "hands by twos, late bids, all special cards"),
    ("wizard", 4, {"blind": True, "mouse": True, "rounds": 2}, {}, "2 of 15 rounds"),
    ("wizard", 4, {"mouse": True, "elephant": True}, {}, "the Elephant, the Mouse"),
    ("wizard", 4, {"hands": "all cards", "chameleon": True}, {}, "all cards in every round"),
    ("wizard", 4, {"hands": "descending", "rounds": 1, "carousel": True}, {}, "1 of 15 rounds"),
    ("wizard", 2, {"dummy": True}, {}, "a dummy hand"),
    ("wizard", 3, {"dummy": True}, {}, ""),
    ("court", 2, {"turns": 5}, {}, "5 turns at most"),
    ("court", 2, {"banners": 3}, {}, "3 banners win"),
    ("jokers", 2, {"rounds": 1}, {}, "1 round"),
    ("jest", 3, {}, {"clock": "2 minutes plus 15 seconds a move"}, "2 minutes plus 15 seconds a move"),
    ("jest", 3, {}, {"clock": "30 seconds", "breaks": "7 days"}, "30 seconds a move"),
    ("jest", 3, {}, {"clock": None, "breaks": None, "autoplay": False}, "no clock"),
    (
        "jesters",
        3,
        {},
        {"hints": False, "autoplay": False, "takebacks": "never"},
        "no hints, no autoplay, no take-backs",
    ),
]


def lobby_of(key: str, seats: int, changes: dict[str, Any], table: dict[str, Any]) -> MatchSnapshot:
    game = GAMES[key]
    options = replace(game.options(), **changes)
    people = tuple(Seat(number, f"P{number}") for number in range(1, seats + 1))
    stored = game.options_adapter.dump_json(options).decode()
    info = MatchInfo("abcd2345", key, game.version, stored, Status.LOBBY, 1, Place(1, 2), people)
    table_options = TableOptions(known=TABLE_OPTIONS).set_values(table)
    return MatchSnapshot(replace(info, table_options=table_options), game, options, None)


@pytest.mark.parametrize(("key", "seats", "changes", "table", "text"), TOLD)
def test_only_what_differs_and_has_an_effect_is_named(
    key: str, seats: int, changes: dict[str, Any], table: dict[str, Any], text: str
) -> None:
    assert ", ".join(differences(lobby_of(key, seats, changes, table), SCREENS[key])) == text


def test_the_text_names_the_published_rules_only_if_nothing_differs_and_counts_what_it_has_no_room_for() -> None:
    screen = SCREENS["wizard"]
    assert how_played_text(lobby_of("wizard", 4, {}, {}), screen) == "by the published rules"
    many = lobby_of("wizard", 4, {"rounds": 3, "hands": "by twos", "bids": "late", "mouse": True}, {"hints": False})
    assert how_played_text(many, screen) == "3 of 8 rounds, hands by twos, late bids and no hints"
    assert how_played_text(many, screen, 3) == "3 of 8 rounds, hands by twos and 2 more"
    assert how_played_text(many, screen, 4) == how_played_text(many, screen)


@pytest.mark.parametrize("key", GAMES)
def test_every_table_option_has_phrases_and_reasons_that_read_well(key: str) -> None:
    for option in options_for(GAMES[key], TABLE_OPTIONS):
        assert {*option.values} - {option.default} <= {*option.phrases}, f"{option.name} has values without a phrase"
        others = [each for each in TABLE_OPTIONS if each is not option]
        for value, other in ((value, other) for value in option.values for other in others):
            for other_value in other.values:
                chosen = TableOptions(known=TABLE_OPTIONS).set_values({option.name: value, other.name: other_value})
                if why := option.no_effect(GAMES[key], chosen):
                    assert_reads_as_reason(why)


@pytest.mark.parametrize("option", TABLE_OPTIONS, ids=lambda option: str(option.name))
def test_every_table_option_has_an_effect_at_some_table(option: Any) -> None:
    usual = TableOptions(known=TABLE_OPTIONS)
    games = [game for game in GAMES.values() if option in options_for(game, TABLE_OPTIONS)]
    assert any(not option.no_effect(game, usual.set_option(option, value)) for game in games for value in option.values)
