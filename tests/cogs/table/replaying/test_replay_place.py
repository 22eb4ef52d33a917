"""All of a replay stands in custom ids: they fit, they are read back, and forged ones are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.table.pages.custom_ids import MAX_ID_LENGTH, parse_control
from cogs.table.replaying.replay_place import MOST_MOVES, ReplayPlace, control_id, opens_message, parse_click
from engines.hosting.match import RequestRefused

SOMEBODY = 2**63 - 1  # no user id is longer
PLACES = [
    ReplayPlace("abcd2345"),
    ReplayPlace("abcd2345", 690, "o", hides_length=True),
    ReplayPlace("abcd2345", 12, "5", leader=SOMEBODY),
    ReplayPlace("abcd2345", 12, leader=SOMEBODY, what_if=()),
    ReplayPlace("abcd2345", 12, what_if=(1, 2, 1, 2, 3)),  # as long as a leader and a place
    ReplayPlace("abcd2345", 99999, "o", True, SOMEBODY, (0, 9, 60, 61, 62, 122, 123, MOST_MOVES - 1)),
]


@pytest.mark.parametrize("place", PLACES)
def test_a_place_is_read_back(place: ReplayPlace) -> None:
    control = parse_control(control_id(place, "move", 2))
    assert control is not None
    click = parse_click(control)
    assert (click.place, click.role, click.number) == (place, "move", 2)


def test_a_what_if_is_full_before_its_custom_ids_are_too_long() -> None:
    place = PLACES[-1]
    while not place.is_full:
        place = replace(place, what_if=(*(place.what_if or ()), MOST_MOVES - 1))
        assert len(control_id(place, "move")) <= MAX_ID_LENGTH
    assert len(place.what_if or ()) > 10
    assert parse_control(control_id(replace(place, what_if=(0,) * 60), "move")) is not None


@pytest.mark.parametrize(
    "forged",
    [
        "x:abcd2345:n0ty",
        "x:abcd2345:n0ty-1",
        "x:abcd2345:n0ty123456",
        "x:abcd2345:nxty1",
        "x:abcd2345:n0ty²",
        "z:abcd2345:n0ty1",
        "z:abcd2345:zzzzzzzzzzzzzz:n0ty1",
        "x:abcd2345:n0tw1:é",
        f"x:abcd2345:n0tw1:{'0' * 81}",
    ],
)
def test_what_has_no_such_form_is_no_control(forged: str) -> None:
    assert parse_control(forged) is None


@pytest.mark.parametrize("forged", ["q0ty1", "n0qy1", "n0tq1", "n0tw1:z", "n0tw1:zA"])
def test_a_forged_place_is_refused_with_a_sentence(forged: str) -> None:
    control = parse_control(f"x:abcd2345:{forged}")
    assert control is not None
    with pytest.raises(RequestRefused, match="another version"):
        parse_click(control)


def test_some_controls_open_a_message_of_their_own() -> None:
    for role, opens in (("own", True), ("together", True), ("practice", True), ("next", False), ("move", False)):
        control = parse_control(control_id(PLACES[2], role))  # type: ignore[arg-type]
        assert control is not None
        assert opens_message(control) == opens
