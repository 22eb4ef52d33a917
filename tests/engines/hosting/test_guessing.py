"""Guesses: by spectators, while a question is open, whichever process the match has moved on in."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engines.features.guesses.guessing import (
    CAN_GUESS,
    Guess,
    answered,
    open_question,
    own_guess,
    question_answers,
    save_guess,
)
from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.store.match_store import Status, StoreFailure
from engines.store.table_options import TableOptions
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    Clock,
    make_matches,
    play_first_legal,
    play_to_end,
    start_match,
)
from tests.engines.memory_store import MemoryStore
from tests.feature_rows import load_guesses

EMIL = 15
WATCHED = TableOptions(clock=None).set_option(CAN_GUESS, True)
ONE, SOME = frozenset({1}), frozenset({0, 2})


async def start_watched(matches: Matches, rounds: int = 2) -> str:
    return await start_match(matches, rounds=rounds, table_options=WATCHED)


async def open_number(matches: Matches, match: str) -> int | None:
    question = open_question(await matches.cache.get_snapshot(match))
    return question.number if question else None


async def close_question(matches: Matches, match: str) -> None:
    while await open_number(matches, match) is not None:
        await play_first_legal(matches, match)


async def test_a_guess_is_stored_and_the_last_one_counts(matches: Matches, store: MemoryStore) -> None:
    match = await start_watched(matches)
    before = (await matches.cache.get_snapshot(match)).info
    snapshot, question = await save_guess(matches.editor, match, DORA, "Dora", 1, ONE)
    assert (snapshot.info, question) == (before, GuessQuestion(1, (0, 1, 2, NOBODY), several=True))
    await save_guess(matches.editor, match, EMIL, "Emil", 1, frozenset({NOBODY}))
    await save_guess(matches.editor, match, DORA, "Dora", 1, SOME)
    stored = [Guess(match, 1, DORA, "Dora", (0, 2)), Guess(match, 1, EMIL, "Emil", (NOBODY,))]
    assert await load_guesses(store, match) == stored
    assert await own_guess(matches.editor, match, DORA, 1) == (0, 2)
    assert await own_guess(matches.editor, match, DORA, 2) == await own_guess(matches.editor, match, ADA, 1) == ()
    assert (await matches.cache.get_snapshot(match)).info == before, "a guess changes the match"
    assert answered(await matches.cache.get_snapshot(match), await load_guesses(store, match)) == (), (
        "an open question tells"
    )
    await close_question(matches, match)
    assert answered(await matches.cache.get_snapshot(match), await load_guesses(store, match)) == ()
    while not question_answers(snapshot := await matches.cache.get_snapshot(match)):
        await play_first_legal(matches, match)
    assert answered(snapshot, await load_guesses(store, match)) == tuple(stored)
    await save_guess(matches.editor, match, DORA, "Dora", 2, ONE)
    assert answered(snapshot, await load_guesses(store, match)) == tuple(stored), "the next question tells"


@pytest.mark.parametrize(
    ("user", "number", "choices", "refusal"),
    [
        (ADA, 1, ONE, "You are playing in this match"),
        (DORA, 2, ONE, "This question is closed"),
        (DORA, 0, ONE, "This question is closed"),
        (DORA, 1, frozenset({3}), "choose from what the list offers"),
        (DORA, 1, frozenset({0, NOBODY}), "choose from what the list offers"),
        (DORA, 1, frozenset[int](), "choose from what the list offers"),
    ],
)
async def test_a_refused_guess_is_not_stored(
    matches: Matches, store: MemoryStore, user: int, number: int, choices: frozenset[int], refusal: str
) -> None:
    match = await start_watched(matches)
    with pytest.raises(RequestRefused, match=refusal):
        await save_guess(matches.editor, match, user, "x", number, choices)
    assert await load_guesses(store, match) == []


async def test_somebody_who_left_the_table_knows_too_much(matches: Matches) -> None:
    match = await start_watched(matches)
    await matches.seating.leave_match(match, BELA, "normal")
    with pytest.raises(RequestRefused, match="You are playing in this match"):
        await save_guess(matches.editor, match, BELA, "Bela", 1, ONE)


async def test_without_the_option_and_in_a_lobby_and_a_pause_nobody_is_asked(matches: Matches) -> None:
    match = await start_match(matches)
    with pytest.raises(RequestRefused, match="did not turn guesses on"):
        await save_guess(matches.editor, match, DORA, "Dora", 1, ONE)
    await play_to_end(matches, match)
    assert question_answers(await matches.cache.get_snapshot(match)) == {}
    match = await start_watched(matches)
    await matches.seating.leave_match(match, CHIDI)
    assert (await matches.cache.get_snapshot(match)).info.status is Status.PAUSED
    with pytest.raises(RequestRefused, match="This question is closed"):
        await save_guess(matches.editor, match, DORA, "Dora", 1, ONE)


async def test_a_question_that_another_process_has_closed_is_closed(store: MemoryStore, clock: Clock) -> None:
    one, other = make_matches(store, clock), make_matches(store, clock)
    match = await start_watched(one)
    await close_question(other, match)
    assert await open_number(one, match) == 1, "this process knows nothing of it"
    with pytest.raises(RequestRefused, match="This question is closed"):
        await save_guess(one.editor, match, DORA, "Dora", 1, ONE)
    assert await load_guesses(store, match) == []
    match = await start_watched(one)
    await play_first_legal(other, match)  # the question is still open
    await save_guess(one.editor, match, DORA, "Dora", 1, ONE)
    assert [guess.choices for guess in await load_guesses(store, match)] == [(1,)]


async def test_a_guess_and_the_move_that_closes_it_at_once_come_one_after_the_other(
    matches: Matches, store: MemoryStore
) -> None:
    for order in (0, 1):
        match = await start_watched(matches)
        while await open_number(matches, match) is not None:
            before = await matches.cache.get_snapshot(match)
            requests = [play_first_legal(matches, match), save_guess(matches.editor, match, DORA, "Dora", 1, ONE)]
            _, guessed = (await asyncio.gather(*requests[:: 1 - 2 * order], return_exceptions=True))[:: 1 - 2 * order]
            if isinstance(guessed, RequestRefused):
                assert await open_number(matches, match) is None
            else:
                assert isinstance(guessed, tuple)
                assert open_question(guessed[0]) == open_question(before)


async def test_a_store_that_fails_stores_no_guess(matches: Matches, store: MemoryStore) -> None:
    match = await start_watched(matches)
    store.fail = StoreFailure("No.")
    with pytest.raises(StoreFailure):
        await save_guess(matches.editor, match, DORA, "Dora", 1, ONE)
    assert await load_guesses(store, match) == []


async def test_a_match_whose_first_events_are_unknown_has_no_guesses(matches: Matches) -> None:
    """A migration to new rules drops them, and with them the number of each question."""
    match = await start_watched(matches)
    for _ in range(3):
        await play_first_legal(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    migrated: MatchSnapshot = replace(snapshot, events=snapshot.events[-1:], movers=snapshot.movers[1:])
    assert open_question(snapshot) is not None
    assert (open_question(migrated), question_answers(migrated)) == (None, {})
