"""Who the computers at a table are: names and characters, chosen once, no two alike."""

from __future__ import annotations

import pytest

from cogs.pictures.raster.typeface import MAX_PLATE_NAME, has_all_signs, plate_names
from engines.store.characters import CHARACTERS, character_of, characters_for
from engines.store.match_store import Seat

NAMES = [each.name for each in CHARACTERS]
MATCHES = [f"match{number}" for number in range(40)]


def test_names_fit_plates_and_are_told_apart_there() -> None:
    assert len(CHARACTERS) >= 12
    assert len({name[0] for name in NAMES}) >= 12, "most begin differently"
    assert max(map(len, NAMES)) <= MAX_PLATE_NAME
    assert all(map(has_all_signs, NAMES))
    for first in range(len(NAMES) - 5):
        assert plate_names(NAMES[first : first + 6]) == tuple(NAMES[first : first + 6])


def test_each_has_one_short_sentence_of_its_own_and_a_pace() -> None:
    sentences = [each.sentence for each in CHARACTERS]
    assert len({*sentences}) == len(sentences)
    for each in CHARACTERS:
        assert each.sentence[0].isupper()
        assert each.sentence.endswith(".")
        assert len(each.sentence) < 40, "two lines of a lobby on a phone"
        assert 0.7 <= each.pace <= 1.4
    assert min(each.pace for each in CHARACTERS) < 0.8 < 1.3 < max(each.pace for each in CHARACTERS)


def test_a_table_has_its_own_company_always_the_same_and_without_the_names_of_others() -> None:
    orders = {match: [each.name for each in characters_for(match, frozenset())] for match in MATCHES}
    assert orders == {match: [each.name for each in characters_for(match, frozenset())] for match in MATCHES}
    assert all(sorted(order) == sorted(NAMES) for order in orders.values())
    assert len({order[0] for order in orders.values()}) > 8
    left = characters_for(MATCHES[0], frozenset({orders[MATCHES[0]][0].upper(), "Ada"}))
    assert [each.name for each in left] == orders[MATCHES[0]][1:]


@pytest.mark.parametrize(
    ("seat", "known"),
    [
        (Seat(0, "Wisp", level="easy"), True),
        (Seat(0, "Feste", level="easy"), False),  # named by an older version
        (Seat(7, "Wisp", level="normal"), False),  # a person, for whom a computer plays
        (Seat(7, "Wisp"), False),
    ],
)
def test_computers_alone_have_a_character(seat: Seat, known: bool) -> None:
    assert (character_of(seat) is not None) == known
