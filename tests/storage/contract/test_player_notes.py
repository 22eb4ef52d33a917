"""Private notes belong to a person and a match: read back, replaced, deleted, and forgotten with either."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.features.notes import PLAYER_NOTES
from engines.store.match_store import Change, Status, StoreFailure
from tests.feature_rows import player_notes, put_player_note
from tests.storage.contract.kinds import MatchStore, SurfaceStore
from tests.storage.samples import NASTY_TEXTS, start_running


@pytest.fixture(autouse=True)
async def _create_two_matches(matches: MatchStore) -> None:
    for match in ("m1", "m2"):
        await start_running(matches, match)


async def test_a_note_is_one_persons_about_one_match(surfaces: SurfaceStore) -> None:
    assert await player_notes(surfaces, "m1") == {}
    for match, user in (("m1", 5), ("m1", 6), ("m2", 5), ("m1", 2**62)):
        await put_player_note(surfaces, match, user, f"{match} {user}")
    await put_player_note(surfaces, "m1", 5, "another")
    assert await player_notes(surfaces, "m1") == {5: "another", 6: "m1 6", 2**62: f"m1 {2**62}"}
    assert await player_notes(surfaces, "m2") == {5: "m2 5"}
    await put_player_note(surfaces, "m1", 5, "")
    await put_player_note(surfaces, "m1", 7, "")
    assert await player_notes(surfaces, "m1") == {6: "m1 6", 2**62: f"m1 {2**62}"}
    assert await player_notes(surfaces, "nowhere") == {}
    with pytest.raises(StoreFailure):
        await put_player_note(surfaces, "nowhere", 5, "lost")


@pytest.mark.parametrize("text", [text for text in NASTY_TEXTS if text])
async def test_a_note_comes_back_as_it_is(surfaces: SurfaceStore, text: str) -> None:
    await put_player_note(surfaces, "m1", 5, text)
    assert await player_notes(surfaces, "m1") == {5: text}


async def test_a_new_note_makes_the_hand_stale(surfaces: SurfaceStore) -> None:
    for note in ("a thought", ""):
        await surfaces.mark_current({"m1": 1, "m2": 1})
        assert await surfaces.stale_matches() == []
        await put_player_note(surfaces, "m1", 5, note)
        assert await surfaces.stale_matches() == ["m1"]


async def test_a_note_goes_with_its_match(surfaces: SurfaceStore, matches: MatchStore) -> None:
    for match in ("m1", "m2"):
        await put_player_note(surfaces, match, 5, match)
    await matches.erase_match("m1")
    assert await player_notes(surfaces, "m1") == {}
    assert await player_notes(surfaces, "m2") == {5: "m2"}


async def test_notes_are_forgotten_with_their_writer_and_those_of_others_stay(
    surfaces: SurfaceStore, matches: MatchStore
) -> None:
    for match in ("m1", "m2"):
        for user in (5, 6):
            await put_player_note(surfaces, match, user, "a thought")
    await surfaces.forget_person(5)
    assert [await player_notes(surfaces, match) for match in ("m1", "m2")] == [{6: "a thought"}] * 2


async def test_a_note_is_forgotten_with_the_writers_part_in_the_match(
    surfaces: SurfaceStore, matches: MatchStore
) -> None:
    for user in (5, 6):
        await put_player_note(surfaces, "m1", user, "a thought")
    info = await matches.load_info("m1")
    assert info is not None
    seats = (replace(info.seats[0], user=-7, name="Somebody"), info.seats[1])
    left = replace(info, seats=seats, host=6, revision=info.revision + 1, status=Status.RUNNING)
    await matches.commit(Change(left, "forget", -7, forgotten_user=5))
    assert await player_notes(surfaces, "m1") == {6: "a thought"}
    ended = replace(left, status=Status.OVER, revision=left.revision + 1)
    await matches.commit(Change(ended, "end"))
    await matches.scrub_user("m1", 6)
    assert await player_notes(surfaces, "m1") == {}


async def test_a_note_is_in_the_data_of_its_writer_alone(surfaces: SurfaceStore, matches: MatchStore) -> None:
    await put_player_note(surfaces, "m1", 5, "a thought")
    assert [[row.note for row in trace.rows.of(PLAYER_NOTES)] for trace in await matches.load_traces(5, 0, 9)] == [
        ["a thought"],
        [],
    ]
    assert [[row.note for row in trace.rows.of(PLAYER_NOTES)] for trace in await matches.load_traces(6, 0, 9)] == [
        [],
        [],
    ]
