"""Reading matches after a restart: resumed, carried over, set aside when damaged, left alone when newer."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from engines.features.registry import FEATURES
from engines.hosting.match import NewerMatch, RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.hosting.records.record import parse_record, replay
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import Change, MatchInfo, SavedMatch, Status, StoreFailure
from engines.wizard.game import WizardGame
from tests.engines import memory_matches
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    SEED,
    open_lobby,
    play_first_legal,
    play_to_end,
    reload_live,
)
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES

USERS = (ADA, BELA, CHIDI, DORA)
NOW = 1_000_000


def make_matches(store: MemoryStore, games: Mapping[str, AnyGame] = GAMES) -> Matches:
    return Matches(store, games, lambda: NOW, sources=MatchSources(new_chance=lambda: Chance(SEED)), features=FEATURES)


async def open_waiting_lobby(matches: Matches, game: AnyGame) -> str:
    return await open_lobby(matches, *USERS[: game.seats[0]], game=game)


async def start_match(matches: Matches, game: AnyGame, moves: int = 0, rounds: int | None = None) -> str:
    match = await memory_matches.start_match(matches, *USERS[: game.seats[0]], rounds=rounds, game=game)
    for _ in range(moves):
        await play_first_legal(matches, match)
    return match


# What is damaged


def other_checkpoint(saved: SavedMatch) -> SavedMatch:
    state = json.loads(saved.checkpoint)
    state["chance"]["count"] += 1
    return replace(saved, checkpoint=json.dumps(state))


def broken_base(saved: SavedMatch) -> SavedMatch:
    return replace(saved, base="[]")


TAMPER: dict[str, Callable[[SavedMatch], SavedMatch]] = {
    "other move": lambda saved: replace(saved, moves=(replace(saved.moves[0], notation="bid 7"), *saved.moves[1:])),
    "moves of nobody": lambda saved: replace(saved, moves=tuple(replace(move, seat=99) for move in saved.moves)),
    "lost move": lambda saved: replace(saved, moves=saved.moves[:-1]),
    "other checkpoint": other_checkpoint,
    "broken checkpoint": lambda saved: replace(saved, checkpoint="{"),
    "broken base": broken_base,
}


@pytest.mark.parametrize("tamper", TAMPER.values(), ids=TAMPER)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_a_damaged_match_is_set_aside_and_the_others_run(
    store: MemoryStore, game: AnyGame, tamper: Callable[[SavedMatch], SavedMatch], caplog: pytest.LogCaptureFixture
) -> None:
    matches = make_matches(store)
    bad, good = await start_match(matches, game, 2), await start_match(matches, game)
    store.saved[bad] = tamper(store.saved[bad])
    restarted = make_matches(store)
    with caplog.at_level(logging.ERROR):
        statuses = {info.id: info.status for info in await reload_live(restarted)}
    assert statuses == {bad: Status.ASIDE, good: Status.RUNNING}
    assert bad in caplog.text
    assert SEED not in caplog.text
    assert store.infos[bad].reason
    with pytest.raises(RequestRefused, match="set aside"):
        await restarted.moves.play_move(bad, USERS[0], None, "bid 0")
    assert (await play_first_legal(restarted, good)).moves == 1


HEADERS: dict[str, dict[str, Any]] = {
    "options": {"options": "{"},
    "other options": {"options": '{"rounds": "lots"}'},
    "what could not be read": {"damage": "its votes cannot be read"},
    "no seats": {"seats": ()},
    "a strange host": {"host": 99},
    "a lobby that has begun": {"status": Status.LOBBY},
    "over, and yet not": {"status": Status.OVER},
    "rules of before": {"rules": 0},
}


@pytest.mark.parametrize("changes", HEADERS.values(), ids=HEADERS)
async def test_a_match_with_a_damaged_header_is_set_aside(store: MemoryStore, changes: dict[str, Any]) -> None:
    matches = make_matches(store)
    bad, good = await start_match(matches, GAMES["wizard"], 1), await start_match(matches, GAMES["wizard"])
    store.infos[bad] = replace(store.infos[bad], **changes)
    store.saved[bad] = replace(store.saved[bad], info=store.infos[bad])
    restarted = make_matches(store)
    assert good in {info.id for info in await reload_live(restarted)}
    snapshot = await restarted.cache.get_snapshot(bad)
    assert snapshot.info.status is Status.ASIDE
    assert snapshot.info.reason
    assert (await play_first_legal(restarted, good)).moves == 1


async def test_a_lobby_with_damaged_options_is_set_aside_and_one_without_a_state_is_no_match(
    store: MemoryStore,
) -> None:
    matches = make_matches(store)
    waiting, running = await open_waiting_lobby(matches, GAMES["wizard"]), await start_match(matches, GAMES["wizard"])
    store.infos[waiting] = replace(store.infos[waiting], options='{"rounds":-1}')
    del store.saved[running]
    restarted = make_matches(store)
    assert {info.status for info in await reload_live(restarted)} == {Status.ASIDE}
    with pytest.raises(RequestRefused, match="set aside"):
        await restarted.lobbies.join(waiting, 99, "Zoe")


class StumblingWizard(WizardGame):
    def check(self, state: Any, seat: int, move: Any) -> None:
        raise KeyError(state.hands)


async def test_a_game_that_trips_over_a_record_stops_no_other(
    store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    matches = make_matches(store)
    bad, good = await start_match(matches, GAMES["wizard"], 1), await start_match(matches, GAMES["jest"])
    restarted = make_matches(store, {**GAMES, "wizard": StumblingWizard()})
    statuses = {info.id: info.status for info in await reload_live(restarted)}
    assert statuses == {bad: Status.ASIDE, good: Status.RUNNING}
    assert "KeyError in check, line" in caplog.text
    assert "[" not in store.infos[bad].reason  # no hands


async def test_a_match_that_cannot_be_marked_is_set_aside_all_the_same(store: MemoryStore) -> None:
    matches = make_matches(store)
    bad, good = await start_match(matches, GAMES["wizard"], 1), await start_match(matches, GAMES["wizard"])
    store.saved[bad] = broken_base(store.saved[bad])
    store.fail = StoreFailure("The disk is full.")
    restarted = make_matches(store)
    assert {i.id: i.status for i in await reload_live(restarted)} == {bad: Status.ASIDE, good: Status.RUNNING}
    assert store.infos[bad].status is Status.RUNNING
    assert (await make_matches(store).cache.get_snapshot(bad)).info.status is Status.ASIDE


async def test_a_match_that_was_set_aside_is_named_at_every_start_and_can_be_reset(
    store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    match = await start_match(make_matches(store), GAMES["wizard"], 1)
    store.saved[match] = broken_base(store.saved[match])
    await reload_live(make_matches(store))
    caplog.clear()
    restarted = make_matches(store)
    assert await reload_live(restarted) == []
    assert f"Match {match} is still set aside: its checkpoint cannot be read" in caplog.text
    assert (await restarted.seating.reset_match(match, by=99)).status is Status.RESET


# What is older, and what is newer


class OlderWizard(WizardGame):
    """Wizard as it might have been: every bid counted one more."""

    version: ClassVar[int] = 0


class UnmigratableWizard(WizardGame):
    """Wizard that knows the older rules, and no way from them to its own."""

    past_versions: ClassVar[dict[int, AnyGame]] = {0: OlderWizard()}


class NewerWizard(UnmigratableWizard):
    """Wizard that can take a match of the older rules over."""

    def migrate(self, checkpoint: Any, version: int) -> Any:
        assert version == 0
        return {**checkpoint, "scores": [score + 1000 for score in checkpoint["scores"]]}


async def test_a_match_of_older_rules_replays_under_them_and_is_carried_over(store: MemoryStore) -> None:
    older = make_matches(store, {"wizard": OlderWizard()})
    match = await start_match(older, OlderWizard(), 1)
    newer = make_matches(store, {"wizard": NewerWizard()})
    snapshot = await newer.cache.get_snapshot(match)
    assert (snapshot.info.rules, snapshot.state.scores) == (WizardGame.version, [1000] * 3)
    assert store.saved[match].base_moves == 1
    await play_first_legal(newer, match)
    reloaded = await make_matches(store, {"wizard": NewerWizard()}).cache.get_snapshot(match)
    assert (reloaded.info.moves, reloaded.state.scores) == (2, [1000] * 3)


CARRIED = [(game, version, moves) for game in GAMES.values() for version in game.past_versions for moves in (0, 5)]


@pytest.mark.parametrize(
    ("game", "version", "moves"), CARRIED, ids=[f"{game.key}-{version}-{moves}" for game, version, moves in CARRIED]
)
async def test_a_match_of_every_past_version_goes_on_to_its_result(
    store: MemoryStore, game: AnyGame, version: int, moves: int
) -> None:
    past_game = game.past_versions[version]
    match = await start_match(make_matches(store, {game.key: past_game}), past_game, moves)
    assert store.infos[match].rules == version
    matches = make_matches(store)
    snapshot = await matches.cache.get_snapshot(match)
    assert (snapshot.info.status, snapshot.info.rules, snapshot.info.moves) == (Status.RUNNING, game.version, moves)
    await play_to_end(matches, match)
    text = await matches.records.build_record(match)
    assert bool(text) is (moves == 0)  # the rules of others changed midway
    if text:
        assert replay(parse_record(text), GAMES).state == (await matches.cache.get_snapshot(match)).state


async def test_a_match_of_rules_that_cannot_be_carried_over_is_set_aside(store: MemoryStore) -> None:
    match = await start_match(make_matches(store, {"wizard": OlderWizard()}), OlderWizard(), 1)
    snapshot = await make_matches(store, {"wizard": UnmigratableWizard()}).cache.get_snapshot(match)
    assert snapshot.info.status is Status.ASIDE


def newer_game(game: AnyGame) -> AnyGame:
    members = {"version": game.version + 1, "past_versions": {game.version: game}}
    newer: AnyGame = type("Tomorrow", (type(game),), {**members, "migrate": lambda self, state, version: state})()
    return newer


class OtherDeal(UnmigratableWizard):
    """Wizard that deals from the same seed otherwise than before; what was dealt, it takes over as it is."""

    def start(self, seats: int, options: Any, chance: Chance) -> Any:
        chance.randbelow(6)
        return super().start(seats, options, chance)

    def migrate(self, checkpoint: Any, version: int) -> Any:
        return checkpoint


class OtherEverything(NewerWizard, OtherDeal):
    """A Wizard like that one, which also counts points differently."""


@pytest.mark.parametrize(
    ("newer", "rules"),
    [(newer_game(OlderWizard()), 1), (OtherDeal(), 0), (OtherEverything(), None)],
    ids=["tomorrow", "other deal", "other everything"],
)
async def test_the_record_of_a_match_carried_over_before_its_first_move_names_rules_that_replay_it(
    store: MemoryStore, newer: AnyGame, rules: int | None
) -> None:
    match = await start_match(make_matches(store, {"wizard": OlderWizard()}), OlderWizard(), rounds=1)
    matches = make_matches(store, {"wizard": newer})
    await play_to_end(matches, match)
    text = await matches.records.build_record(match)
    if rules is None:
        assert text == ""
    else:
        assert parse_record(text).rules == rules
        assert replay(parse_record(text), {"wizard": newer}).state


async def test_a_finished_match_of_older_rules_is_left_as_it_is_and_keeps_its_record(store: MemoryStore) -> None:
    older = make_matches(store, {"wizard": OlderWizard()})
    match = await start_match(older, OlderWizard(), rounds=1)
    await play_to_end(older, match)
    text = await older.records.build_record(match)
    stored = list(store.changes), dict(store.infos), dict(store.saved)
    newer = make_matches(store, {"wizard": OtherDeal()})
    assert (await newer.cache.get_snapshot(match)).outcome() is not None
    assert await newer.records.build_record(match) == text
    assert (store.changes, store.infos, store.saved) == stored


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_a_lobby_of_older_rules_is_started_under_those_of_today(store: MemoryStore, game: AnyGame) -> None:
    waiting, closed = [await open_waiting_lobby(make_matches(store), game) for _ in range(2)]
    await make_matches(store).lobbies.cancel_lobby(closed, USERS[0])
    before = store.infos[closed]
    newer = make_matches(store, {**GAMES, game.key: newer_game(game)})
    assert (await newer.cache.get_snapshot(waiting)).info.rules == game.version + 1
    assert (await newer.cache.get_snapshot(closed)).info == store.infos[closed] == before
    await newer.lobbies.start_match(waiting, USERS[0])
    restarted = make_matches(store, {**GAMES, game.key: newer_game(game)})
    assert (await play_first_legal(restarted, waiting)).moves == 1


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("known", [True, False])
async def test_rolled_back_and_forward_again_every_match_is_as_it_was(
    store: MemoryStore, game: AnyGame, known: bool
) -> None:
    new = {**GAMES, game.key: newer_game(game)}
    old = GAMES if known else {key: other for key, other in GAMES.items() if other is not game}
    updated = make_matches(store, new)
    waiting, running = await open_waiting_lobby(updated, new[game.key]), await start_match(updated, new[game.key], 2)
    paused = await start_match(updated, new[game.key])
    await updated.seating.leave_match(paused, USERS[1])
    before = [await updated.cache.get_snapshot(match) for match in (waiting, running, paused)]
    stored: tuple[list[Change], dict[str, MatchInfo], dict[str, SavedMatch]]
    stored = list(store.changes), dict(store.infos), dict(store.saved)

    back = make_matches(store, old)
    assert await reload_live(back) == []
    for match in (waiting, running, paused):
        for actions in (
            back.cache.get_snapshot(match),
            back.lobbies.join(match, 99, "Zoe"),
            back.lobbies.start_match(match, USERS[0]),
            back.moves.play_move(match, USERS[0], None, "bid 0"),
            back.seating.leave_match(match, USERS[0]),
            back.seating.take_seat(match, 99, "Zoe"),
            back.seating.vote_to_end(match, USERS[0]),
            back.lobbies.hand_over_host(match, USERS[0], USERS[1]),
            back.lobbies.cancel_lobby(match, USERS[0]),
            back.lobbies.expire_lobby(match),
            back.lobbies.set_thread(match, 5),
            back.seating.remove_player(match, USERS[0], by=99),
            back.seating.reset_match(match, by=99),
        ):
            with pytest.raises(NewerMatch, match="being updated"):
                await actions
    assert {info.id for info in await back.lookup.find()} == {waiting, running, paused}
    assert (store.changes, store.infos, store.saved) == stored

    forward = make_matches(store, new)
    assert [await forward.cache.get_snapshot(match) for match in (waiting, running, paused)] == before
    assert (await play_first_legal(forward, running)).moves == 3
    await forward.seating.take_seat(paused, 99, "Zoe")
    assert (await play_first_legal(forward, paused)).moves == 1
