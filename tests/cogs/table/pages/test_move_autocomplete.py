"""Moves in words: filtered by the typed text, parsed, and reported once they are made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.screens.screen import filter_offers, has_whole_words
from cogs.table.pages import move_autocomplete
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.errors import BadNotation
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.shown import LONG_NAMES, match_snapshots

CARDS = ("Play the queen of clubs ♣", "play QC"), ("Play the queen of spades ♠", "play QS"), ("Play a Wizard", "play W")


def first_moment(key: str, kind: str) -> tuple[GameHelper, MatchSnapshot, int]:
    """Return the first snapshot of a match in which such a decision is open, and its seat."""
    helper = HELPERS[key]
    for snapshot in match_snapshots(helper, helper.starts()[0]):
        for seat, decision in snapshot.decisions().items():
            if decision.kind == kind and len(snapshot.moves(seat)) > 1:
                return helper, snapshot, seat
    raise AssertionError(f"no {kind} in {key}")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", ["play QC", "play QS", "play W"]),
        ("queen", ["play QC", "play QS"]),
        ("clubs queen", ["play QC"]),
        ("QS", ["play QS"]),
        ("Q♠", ["play QS"]),
        ("♣", ["play QC"]),
        ("PLAY wiz", ["play W"]),
        ("play w", ["play W"]),
        ("king", []),
    ],
)
def test_every_word_that_is_typed_narrows_in_any_order(typed: str, found: list[str]) -> None:
    assert [value for _, value in filter_offers(CARDS, typed)] == found


def test_whole_words_come_first() -> None:
    bids = tuple((f"Bid {n}", f"bid {n}") for n in (10, 1, 21))
    assert [value for _, value in filter_offers(bids, "1")] == ["bid 1", "bid 10", "bid 21"]
    assert [has_whole_words(bid, "bid 1") for bid in bids] == [False, True, False]


def test_some_moves_of_every_verb_are_offered_if_there_are_very_many() -> None:
    many = [(f"Learn {n}", f"learn {n}") for n in range(80)] + [("Pass", "pass")]
    found = move_autocomplete.spread_verbs(many, 25)
    assert (len(found), found[0], found[-1]) == (25, ("Learn 0", "learn 0"), ("Pass", "pass"))
    assert move_autocomplete.spread_verbs(many[:9], 25) == many[:9]


def test_written_choices_are_offered_first_in_their_order() -> None:
    helper, snapshot, seat = first_moment("jokers", "turn")
    written = (snapshot.game.format_move(move).split() for move in snapshot.moves(seat))
    verb, one, two = next(words for words in written if words[0] == "trade" and len({*words}) == len(words) == 3)
    for text in (f"{verb} {one} {two}", f"{verb} {two} {one}"):
        assert move_autocomplete.move_offers(snapshot, seat, helper.screen, text.lower())[0][1] == text
        assert move_autocomplete.parse_move(snapshot, seat, helper.screen, text) == text


def test_words_that_fit_several_moves_or_none_are_refused_with_what_they_could_be() -> None:
    helper, snapshot, seat = first_moment("wizard", "bid")
    assert move_autocomplete.parse_move(snapshot, seat, helper.screen, "Bid 1") == "bid 1"
    with pytest.raises(RequestRefused, match=r"^That could be “Bid 0” or “Bid 1”"):
        move_autocomplete.parse_move(snapshot, seat, helper.screen, "bid")
    with pytest.raises(RequestRefused, match=r"^You have no such move now"):
        move_autocomplete.parse_move(snapshot, seat, helper.screen, "dance")
    with pytest.raises(BadNotation, match="bid"):
        move_autocomplete.parse_move(snapshot, seat, helper.screen, "bid a lot")


def test_a_part_of_a_word_is_offered_but_makes_no_move() -> None:
    helper, snapshot, seat = first_moment("jest", "offer")
    label, value = move_autocomplete.move_offers(snapshot, seat, helper.screen, "")[0]
    part = label.split()[2][:1]
    assert value in [
        each for _, each in move_autocomplete.move_offers(snapshot, seat, helper.screen, f"face down {part}")
    ]
    with pytest.raises(RequestRefused, match="That could be"):
        move_autocomplete.parse_move(snapshot, seat, helper.screen, "fac dow")


def test_nothing_is_offered_to_seats_that_may_not_move() -> None:
    helper, snapshot, seat = first_moment("wizard", "play")
    for other in set(range(len(snapshot.info.seats))) - {seat}:
        assert move_autocomplete.move_offers(snapshot, other, helper.screen, "") == []


def test_offered_moves_show_safe_names() -> None:
    helper, snapshot, seat = first_moment("jest", "take")
    people = tuple(replace(each, name=LONG_NAMES[0]) for each in snapshot.info.seats)
    with_names = replace(snapshot, info=replace(snapshot.info, seats=people))
    other = next(move for move in snapshot.moves(seat) if move.source != seat)
    text = move_autocomplete.done_text(with_names, seat, helper.screen, snapshot.game.format_move(other))
    assert text.startswith("Done: take A\\_\\_")
    assert "_" not in text.replace("\\_", "")
