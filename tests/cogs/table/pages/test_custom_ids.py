"""custom_ids: parsing returns what was written, they are short enough, and no two kinds are confused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.features.guesses.guess_pages import pick_id
from cogs.features.notes.note_pages import form_id
from cogs.features.plans.plan_controls import change_id
from cogs.table.commands.core_controls import find_core
from cogs.table.pages import custom_ids
from cogs.table.pages.custom_ids import Control
from tests.features.parsing import CORE
from tests.games import GAMES

MATCH = "abcd2345"

WRITTEN = [
    (custom_ids.move_id(MATCH, 12, "play 10H"), Control("m", MATCH, 12, "play 10H")),
    (custom_ids.confirm_id(MATCH, 0, "offer 3S 4C"), Control("c", MATCH, 0, "offer 3S 4C")),
    (custom_ids.move_select_id(MATCH, 3, 1), Control("s", MATCH, 3, "1")),
    (custom_ids.picks_id(MATCH, 3, "trade"), Control("p", MATCH, 3, "trade")),
    (custom_ids.picks_id(MATCH, 3, "perform 7"), Control("p", MATCH, 3, "perform 7")),
    (custom_ids.picks_order_id(MATCH, 0, "trade 4C 9D"), Control("o", MATCH, 0, "trade 4C 9D")),
    (custom_ids.step_select_id(MATCH, 3, 12), Control("f", MATCH, 3, "12")),
    (custom_ids.next_step_id(MATCH, 3, ("4H", "K")), Control("n", MATCH, 3, "4H/K")),
    (custom_ids.previous_step_id(MATCH, 3, ("4H", "K")), Control("g", MATCH, 3, "4H/K")),
    (change_id(MATCH, 12, "if H"), Control("plans", MATCH, -1, "change:12:if H")),
    (custom_ids.table_action_id(MATCH, "leave-ask"), Control("t", MATCH, -1, "leave-ask")),
    (custom_ids.table_action_id(MATCH, "options-2"), Control("t", MATCH, -1, "options-2")),
    (custom_ids.option_id(MATCH, "rounds"), Control("v", MATCH, -1, "rounds")),
    (custom_ids.option_id(MATCH, "rounds", "12"), Control("v", MATCH, -1, "rounds=12")),
    (custom_ids.start_id(MATCH, "0a1b2c3d"), Control("b", MATCH, -1, "0a1b2c3d")),
    (form_id(MATCH), Control("notes", MATCH, -1, "write")),
    (pick_id(MATCH, 12), Control("guesses", MATCH, -1, "pick:12")),
    (custom_ids.rule_id("wizard", "W11"), Control("u", "", -1, "wizard:W11")),
    (custom_ids.admin_action_id(MATCH, "reset", 7), Control("a", MATCH, -1, "reset:7")),
    (custom_ids.server_setting_id("own_lobbies"), Control("h", "", -1, "own_lobbies")),
    (custom_ids.server_setting_id("calls", "off"), Control("h", "", -1, "calls=off")),
    (custom_ids.player_setting_id("call"), Control("y", "", -1, "call")),
    (custom_ids.player_setting_id("words", "on"), Control("y", "", -1, "words=on")),
    (custom_ids.first_steps_id("pick"), Control("i", "", -1, "pick")),
    *((custom_ids.rules_id(key), Control("r", "", -1, key)) for key in GAMES),
    *((custom_ids.rules_id(key, 4), Control("r", "", -1, f"{key}:4")) for key in GAMES),
]


@pytest.mark.parametrize(("written", "control"), WRITTEN)
def test_every_written_custom_id_is_read(written: str, control: Control) -> None:
    assert custom_ids.parse_control(written) == control


@pytest.mark.parametrize(
    "custom_id",
    [
        *("", "m", "m:", f"m:{MATCH}", f"m:{MATCH}:1:", f"x:{MATCH}:1:y", f"t:{MATCH}:UP", "r:", "u:wizard"),
        *("u:wizard:w7", f" t:{MATCH}:hand", f"p:{MATCH}:3:trade 4C"),
        *(f"j:{MATCH}", f"j:{MATCH}:open", "j:open", f"clips:{MATCH}", f"clips:{MATCH}:", "clips:open"),
    ],
)
def test_a_foreign_custom_id_is_not_read(custom_id: str) -> None:
    assert custom_ids.parse_control(custom_id) is None


@given(st.text(max_size=100))
def test_nothing_that_can_be_sent_breaks_the_reading(custom_id: str) -> None:
    control = custom_ids.parse_control(custom_id)
    assert control is None or control.kind in "mcspofngdtvbrualhyiq"


@given(st.integers(0, 999_999), st.text(min_size=1, max_size=80))
def test_a_move_comes_back_whatever_its_notation(decision: int, notation: str) -> None:
    read = custom_ids.parse_control(custom_ids.move_id(MATCH, decision, notation))
    assert read == Control("m", MATCH, decision, notation)


def test_a_control_of_a_hand_changes_that_hand_alone() -> None:
    others = [("u", "wizard:W7"), ("t", "rules"), ("t", "sheet")]
    for kind, rest in [*((kind, "") for kind in "mspofng"), *others]:
        found = find_core(CORE, Control(kind, MATCH, 3, rest), [])
        assert found is not None
        assert found.edits is (not rest)


def test_room_is_left_for_every_notation() -> None:
    longest = custom_ids.MAX_ID_LENGTH - len(custom_ids.move_id(MATCH, 999_999, ""))
    assert longest >= 80
