"""All of a replay stands in custom ids: they fit, they are read back, and forged ones are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.features.replays.replay_place import MOST_MOVES, ReplayPlace, control_id
from cogs.table.pages.custom_ids import MAX_ID_LENGTH
from engines.hosting.match import RequestRefused
from tests.features.parsing import ROUTER, is_answered, parse
from tests.features.replay_clicks import read_click

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
    click = read_click(control_id(place, "move", 2))
    assert click is not None
    assert (click.place, click.role, click.number) == (place, "move", 2)


def test_a_what_if_is_full_before_its_custom_ids_are_too_long() -> None:
    place = PLACES[-1]
    while not place.is_full:
        place = replace(place, what_if=(*(place.what_if or ()), MOST_MOVES - 1))
        assert len(control_id(place, "move")) <= MAX_ID_LENGTH
    assert len(place.what_if or ()) > 10
    assert is_answered(ROUTER._features, control_id(replace(place, what_if=(0,) * 55), "move"))


@pytest.mark.parametrize(("leader", "few"), [(0, 60), (SOMEBODY, 50)])
def test_a_what_if_has_room_for_many_moves(leader: int, few: int) -> None:
    assert not ReplayPlace("abcd2345", 690, leader=leader, what_if=(60,) * few).is_full


FORGED = ["n0ty", "n0ty-1", "n0ty123456", "nxty1", "n0ty²", "n0tw1:é", f"n0tw1:{'0' * 81}", ""]


@pytest.mark.parametrize("place", FORGED)
def test_a_malformed_place_is_no_control(place: str) -> None:
    for head in ("x:abcd2345", "z:abcd2345:1", "z:abcd2345"):
        assert parse(f"{head}:{place}") is None
    for word in ("at", "led:1", "led", "own", "together", "practice"):
        control = parse(f"replays:abcd2345:{word}:{place}")
        assert control is None or ROUTER._features.find(control) is None


@pytest.mark.parametrize("forged", ["z:abcd2345:zzzzzzzzzzzzzz:n0ty1", "z:abcd2345:n0ty1", "z:abcd2345::n0ty1"])
def test_a_leader_that_is_none_is_no_control(forged: str) -> None:
    assert parse(forged) is None


@pytest.mark.parametrize("forged", ["q0ty1", "n0qy1", "n0tq1", "n0tw1:z", "n0tw1:zA"])
def test_a_forged_place_is_refused_with_a_sentence(forged: str) -> None:
    for head in ("x:abcd2345", "z:abcd2345:1", "replays:abcd2345:at", "replays:abcd2345:led:1"):
        with pytest.raises(RequestRefused, match="out of date"):
            read_click(f"{head}:{forged}")


@pytest.mark.parametrize(
    ("old", "word"),
    [
        *(("x:abcd2345:n0ty1", "at"), ("x:abcd2345:o0ty1", "own"), ("x:abcd2345:t0ty1", "together")),
        *(("x:abcd2345:p0ty1", "practice"), ("z:abcd2345:1:n0ty1", "led"), ("z:abcd2345:1:o0ty1", "own")),
        *(("x:abcd2345:m0tw1:01", "at"), ("z:abcd2345:zz:m0tw1:01", "led"), ("t:abcd2345:replay", "open")),
    ],
)
def test_old_controls_open_messages_of_their_own_or_change_theirs(old: str, word: str) -> None:
    control = parse(old)
    assert control is not None
    found = ROUTER._features.find(control)
    assert found is not None
    assert (found.word, found.edits) == (word, word in ("at", "led"))
    assert found.is_public is (word == "practice")
