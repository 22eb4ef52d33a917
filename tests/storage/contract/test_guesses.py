"""Guesses belong to a person, a match and a question: read back, replaced, and forgotten with the person or match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.features.guesses.guessing import GUESS_ROWS, Guess
from engines.store.match_store import Change, Status, WriteConflict
from tests.feature_rows import load_guesses, put_guess
from tests.storage.contract.kinds import MatchStore, SurfaceStore
from tests.storage.samples import NASTY_TEXTS, start_running

DORA, EMIL = Guess("m1", 1, 7, "Dora", (0, 2)), Guess("m1", 1, 8, "Emil", (-1,))


@pytest.fixture(autouse=True)
async def _create_two_matches(matches: MatchStore) -> None:
    for match in ("m1", "m2"):
        await start_running(matches, match)


async def revision(matches: MatchStore, match: str = "m1") -> int:
    found = await matches.revision(match)
    assert found is not None
    return found


async def put(matches: MatchStore, *guesses: Guess) -> None:
    for guess in guesses:
        await put_guess(matches, guess, await revision(matches, guess.match))


async def test_a_guess_is_one_persons_for_one_question_and_the_last_one_counts(matches: MatchStore) -> None:
    assert await load_guesses(matches, "m1") == []
    later, other_guess = replace(DORA, question=12), replace(DORA, match="m2")
    await put(matches, later, EMIL, DORA, other_guess)
    assert await load_guesses(matches, "m1") == [DORA, EMIL, later]
    assert await load_guesses(matches, "m2") == [other_guess]
    changed = replace(DORA, name="Dora the Second", choices=(1,), user=2**62)
    await put(matches, replace(DORA, choices=(1,)), changed)
    assert await load_guesses(matches, "m1") == [replace(DORA, choices=(1,)), EMIL, changed, later]


async def test_a_guess_after_the_match_has_moved_on_is_refused(matches: MatchStore) -> None:
    await put(matches, EMIL)
    before = await revision(matches)
    info = await matches.load_info("m1")
    assert info is not None
    await matches.commit(Change(replace(info, revision=before + 1, votes=(5,)), "vote end", 5))
    for guess in (DORA, replace(EMIL, choices=(1,)), replace(DORA, match="nowhere")):
        for known in (before, before + 2):
            with pytest.raises(WriteConflict):
                await put_guess(matches, guess, known)
    assert await load_guesses(matches, "m1") == [EMIL]
    assert await revision(matches) == before + 1, "a guess is no change of the match"


async def test_a_start_draws_the_table_again_that_tells_of_a_new_row(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    await surfaces.mark_current({each: await revision(matches, each) for each in ("m1", "m2")})
    await put(matches, DORA)
    assert await surfaces.stale_matches() == ["m1"]


@pytest.mark.parametrize("name", [text for text in NASTY_TEXTS if text])
async def test_the_name_comes_back_as_it_is(matches: MatchStore, name: str) -> None:
    await put(matches, replace(DORA, name=name))
    assert await load_guesses(matches, "m1") == [replace(DORA, name=name)]


async def test_guesses_go_with_their_match(matches: MatchStore) -> None:
    other_guess = replace(DORA, match="m2")
    await put(matches, DORA, other_guess)
    await matches.erase_match("m1")
    assert await load_guesses(matches, "m1") == []
    assert await load_guesses(matches, "m2") == [other_guess]


async def test_people_who_only_watched_have_data_and_are_forgotten_and_the_table_is_drawn_again(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    await put(matches, DORA, EMIL, replace(DORA, match="m2"))
    traces = await matches.load_traces(7, 0, 9)
    assert [(trace.match, trace.rows.of(GUESS_ROWS), trace.seats) for trace in traces] == [
        ("m1", (DORA,), ()),
        ("m2", (replace(DORA, match="m2"),), ()),
    ]
    assert [trace.rows.of(GUESS_ROWS) for trace in await matches.load_traces(5, 0, 9)] == [(), ()]
    await matches.request_forgetting(7)
    assert await matches.pending_forgetting() == [(7, "m1"), (7, "m2"), (7, "")]
    await surfaces.mark_current({each: await revision(matches, each) for each in ("m1", "m2")})
    assert await matches.scrub_user("m1", 7)
    assert await surfaces.stale_matches() == ["m1"]
    assert await load_guesses(matches, "m1") == [EMIL]
    assert await matches.pending_forgetting() == [(7, "m2"), (7, "")]


async def test_guesses_are_forgotten_with_a_seat_and_with_everything_else(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    sitting = replace(DORA, user=5)
    await put(matches, sitting, EMIL)
    info = await matches.load_info("m1")
    assert info is not None
    seats = (replace(info.seats[0], user=-7, name="Somebody"), info.seats[1])
    left = replace(info, seats=seats, host=6, revision=info.revision + 1, status=Status.RUNNING)
    await matches.commit(Change(left, "forget", -7, forgotten_user=5))
    assert await load_guesses(matches, "m1") == [EMIL]
    await surfaces.forget_person(8)
    assert await load_guesses(matches, "m1") == []
