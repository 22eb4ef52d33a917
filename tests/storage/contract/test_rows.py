"""Rows that features write with a change: in its transaction, or not at all; read by match and by person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.features.guesses.guessing import CLOSED_ROWS, GUESS_ROWS, ClosedQuestion, Guess
from engines.features.notes import PLAYER_NOTES, PlayerNote
from engines.store.match_store import Change, RowTaken, WriteConflict
from engines.store.rows import AddRow, DropRow, PutRow, ReplaceRow, RowWrite
from tests.storage.contract.kinds import MatchStore, SurfaceStore
from tests.storage.samples import start_running

GUESSES = tuple(Guess("m1", 1, 7 + number, "Do\x00ra", (0, number)) for number in range(2))


@pytest.fixture(autouse=True)
async def _create_two_matches(matches: MatchStore) -> None:
    for match in ("m1", "m2"):
        await start_running(matches, match)


async def change(matches: MatchStore, *rows: RowWrite, behind: int = 0) -> None:
    info = await matches.load_info("m1")
    assert info is not None
    new = replace(info, revision=info.revision + 1 - behind, votes=(5,))
    await matches.commit(Change(new, "vote end", 5, rows=rows))


async def test_rows_come_with_the_change_and_not_without_it(matches: MatchStore) -> None:
    before = await matches.revision("m1")
    await change(matches, *(PutRow(GUESS_ROWS, row) for row in GUESSES), PutRow(CLOSED_ROWS, ClosedQuestion("m1", 3)))
    assert await matches.load_rows(GUESS_ROWS, "m1") == [*GUESSES]
    with pytest.raises(WriteConflict):
        await change(matches, DropRow(GUESS_ROWS, ("m1",)), PutRow(CLOSED_ROWS, ClosedQuestion("m1", 4)), behind=1)
    assert await matches.load_rows(GUESS_ROWS, "m1") == [*GUESSES]
    assert await matches.load_rows(CLOSED_ROWS, "m1") == [ClosedQuestion("m1", 3)]
    assert await matches.revision("m1") == (before or 0) + 1
    await change(matches, DropRow(GUESS_ROWS, ("m1", 1, 7)), AddRow(GUESS_ROWS, replace(GUESSES[1], choices=(3,))))
    assert await matches.load_rows(GUESS_ROWS, "m1") == [GUESSES[1]], "the earlier row stays"


async def test_a_row_that_cannot_be_stored_takes_its_change_along(matches: MatchStore) -> None:
    before = await matches.revision("m1")
    with pytest.raises(Exception):  # noqa: B017, PT011  # of either kind
        await change(matches, PutRow(GUESS_ROWS, replace(GUESSES[0], match="nowhere")))
    assert await matches.revision("m1") == before
    assert await matches.find_rows(GUESS_ROWS, "user", (7,)) == []


async def test_a_write_by_itself_makes_all_or_none_and_refuses_a_taken_key(matches: MatchStore) -> None:
    await matches.write_rows([AddRow(GUESS_ROWS, GUESSES[0])], "m1")
    with pytest.raises(RowTaken):
        await matches.write_rows([PutRow(CLOSED_ROWS, ClosedQuestion("m1", 3)), AddRow(GUESS_ROWS, GUESSES[0])], "m1")
    assert await matches.load_rows(CLOSED_ROWS, "m1") == []


async def test_a_row_replaces_only_one_that_is_there(matches: MatchStore) -> None:
    await matches.write_rows([PutRow(GUESS_ROWS, GUESSES[0]), ReplaceRow(GUESS_ROWS, GUESSES[1])], "m1")
    assert await matches.load_rows(GUESS_ROWS, "m1") == [GUESSES[0]]
    new = replace(GUESSES[0], name="another", choices=(3,))
    await matches.write_rows([ReplaceRow(GUESS_ROWS, new)])
    assert await matches.load_rows(GUESS_ROWS, "m1") == [new]


@pytest.mark.parametrize(
    "write",
    [
        PutRow(GUESS_ROWS, GUESSES[1]),
        ReplaceRow(GUESS_ROWS, replace(GUESSES[0], name="another")),
        DropRow(GUESS_ROWS, ("m1",)),
    ],
)
async def test_a_write_about_another_revision_is_refused(matches: MatchStore, write: RowWrite) -> None:
    await matches.write_rows([PutRow(GUESS_ROWS, GUESSES[0])], "m1")
    revision = await matches.revision("m1") or 0
    with pytest.raises(WriteConflict):
        await matches.write_rows([write], "m1", revision + 1)
    assert await matches.load_rows(GUESS_ROWS, "m1") == [GUESSES[0]]
    await matches.write_rows([write], "m1", revision)
    assert await matches.load_rows(GUESS_ROWS, "m1") != [GUESSES[0]]


async def test_rows_are_read_by_match_and_by_person_and_go_with_either(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    note = PlayerNote("m2", 7, "a thought")
    await change(matches, *(PutRow(GUESS_ROWS, row) for row in GUESSES))
    await matches.write_rows([PutRow(PLAYER_NOTES, note)], "m2")
    found = await matches.load_match_rows("m1", (GUESS_ROWS, CLOSED_ROWS))
    assert (found.of(GUESS_ROWS), found.of(CLOSED_ROWS)) == (GUESSES, ())
    assert await matches.find_rows(GUESS_ROWS, "user", (7, 9)) == [GUESSES[0]]
    await matches.erase_match("m1")
    assert await matches.find_rows(GUESS_ROWS, "user", (7, 8)) == []
    assert await matches.find_rows(PLAYER_NOTES, "user", (7,)) == [note]
    await surfaces.forget_person(7)
    assert await matches.load_rows(PLAYER_NOTES, "m2") == []
