"""Reading matches after a restart: resumed, carried over, set aside when damaged, left alone when newer."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import pytest

from engines.hosting.match import BeingUpdated, Refused
from engines.hosting.matches import Matches
from engines.hosting.record import parse, replay
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import Change, Info, Place, Saved, Seat, Status, StoreFailure
from engines.wizard.game import WizardGame
from tests.engines.at_tables import checked
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES

SEED = "5eed" * 8
USERS = (11, 12, 13, 14)
NOW = 1_000_000


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def over(store: MemoryStore, games: Mapping[str, AnyGame] = GAMES) -> Matches:
    """Matches as after a start of the bot."""
    return Matches(store, games, lambda: NOW, seed=lambda: Chance(SEED))


async def lobby(matches: Matches, game: AnyGame, **options: Any) -> str:
    """A lobby with as many people as the game needs."""
    first, *others = USERS[: game.seats[0]]
    info = await matches.open(game, game.options(**options), Place(1, 2), Seat(first, "A"))
    for user in others:
        await matches.join(info.id, user, f"user{user}")
    return info.id


async def started(matches: Matches, game: AnyGame, moves: int = 0, **options: Any) -> str:
    """A running match with so many moves."""
    match = await lobby(matches, game, **options)
    await matches.start(match, USERS[0])
    for _ in range(moves):
        await move(matches, match)
    return match


async def move(matches: Matches, match: str) -> Info:
    """A legal move of whoever is due."""
    look = await matches.look(match)
    seat = look.due()[0]
    chosen = Random(look.info.moves).choice(look.moves(seat))
    return await matches.play(match, look.info.seats[seat].user, None, look.game.write(chosen))


# What is damaged


def other_move(saved: Saved) -> Saved:
    return replace(saved, moves=(replace(saved.moves[0], notation="bid 7"), *saved.moves[1:]))


def moves_of_nobody(saved: Saved) -> Saved:
    return replace(saved, moves=tuple(replace(move, seat=99) for move in saved.moves))


def lost_move(saved: Saved) -> Saved:
    return replace(saved, moves=saved.moves[:-1])


def other_checkpoint(saved: Saved) -> Saved:
    state = json.loads(saved.checkpoint)
    state["chance"]["count"] += 1
    return replace(saved, checkpoint=json.dumps(state))


def broken_checkpoint(saved: Saved) -> Saved:
    return replace(saved, checkpoint="{")


def broken_base(saved: Saved) -> Saved:
    return replace(saved, base="[]")


TAMPER = [other_move, moves_of_nobody, lost_move, other_checkpoint, broken_checkpoint, broken_base]


@pytest.mark.parametrize("tamper", TAMPER, ids=lambda tamper: tamper.__name__)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_a_damaged_match_is_set_aside_and_the_others_run(
    store: MemoryStore, game: AnyGame, tamper: Callable[[Saved], Saved], caplog: pytest.LogCaptureFixture
) -> None:
    matches = over(store)
    bad, good = await started(matches, game, 2), await started(matches, game)
    store.saved[bad] = tamper(store.saved[bad])
    again = over(store)
    with caplog.at_level(logging.ERROR):
        statuses = {info.id: info.status for info in await checked(again)}
    assert statuses == {bad: Status.ASIDE, good: Status.RUNNING}
    assert bad in caplog.text
    assert SEED not in caplog.text
    assert store.infos[bad].reason
    with pytest.raises(Refused, match="set aside"):
        await again.play(bad, USERS[0], None, "bid 0")
    assert (await move(again, good)).moves == 1


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
    matches = over(store)
    bad, good = await started(matches, GAMES["wizard"], 1), await started(matches, GAMES["wizard"])
    store.infos[bad] = replace(store.infos[bad], **changes)
    store.saved[bad] = replace(store.saved[bad], info=store.infos[bad])
    again = over(store)
    assert good in {info.id for info in await checked(again)}
    look = await again.look(bad)
    assert look.info.status is Status.ASIDE
    assert look.info.reason
    assert (await move(again, good)).moves == 1


async def test_a_lobby_with_damaged_options_is_set_aside_and_one_without_a_state_is_no_match(
    store: MemoryStore,
) -> None:
    matches = over(store)
    waiting, running = await lobby(matches, GAMES["wizard"]), await started(matches, GAMES["wizard"])
    store.infos[waiting] = replace(store.infos[waiting], options='{"rounds":-1}')
    del store.saved[running]
    again = over(store)
    assert {info.status for info in await checked(again)} == {Status.ASIDE}
    with pytest.raises(Refused, match="set aside"):
        await again.join(waiting, 99, "Zoe")


class Stumbling(WizardGame):
    """Wizard that trips over what it did not foresee."""

    def check(self, state: Any, seat: int, move: Any) -> None:
        raise KeyError(state.hands)


async def test_a_game_that_trips_over_a_record_stops_no_other(
    store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    matches = over(store)
    bad, good = await started(matches, GAMES["wizard"], 1), await started(matches, GAMES["jest"])
    again = over(store, {**GAMES, "wizard": Stumbling()})
    statuses = {info.id: info.status for info in await checked(again)}
    assert statuses == {bad: Status.ASIDE, good: Status.RUNNING}
    assert "KeyError in check, line" in caplog.text
    assert "[" not in store.infos[bad].reason  # no hands


async def test_a_match_that_cannot_be_marked_is_set_aside_all_the_same(store: MemoryStore) -> None:
    matches = over(store)
    bad, good = await started(matches, GAMES["wizard"], 1), await started(matches, GAMES["wizard"])
    store.saved[bad] = broken_base(store.saved[bad])
    store.fail = StoreFailure("The disk is full.")
    again = over(store)
    assert {i.id: i.status for i in await checked(again)} == {bad: Status.ASIDE, good: Status.RUNNING}
    assert store.infos[bad].status is Status.RUNNING
    assert (await over(store).look(bad)).info.status is Status.ASIDE


async def test_a_match_that_was_set_aside_is_named_at_every_start(
    store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    match = await started(over(store), GAMES["wizard"], 1)
    store.saved[match] = broken_base(store.saved[match])
    await checked(over(store))
    caplog.clear()
    assert await checked(over(store)) == []
    assert f"Match {match} stays set aside: its checkpoint cannot be read" in caplog.text


async def test_a_match_that_was_set_aside_can_be_reset(store: MemoryStore) -> None:
    match = await started(over(store), GAMES["wizard"], 1)
    store.saved[match] = broken_base(store.saved[match])
    again = over(store)
    await checked(again)
    assert (await again.reset(match, by=99)).status is Status.RESET


# What is older, and what is newer


class Older(WizardGame):
    """Wizard as it might have been: every bid counted one more."""

    version: ClassVar[int] = 0


class Newer(WizardGame):
    """Wizard that can take a match of the older rules over."""

    past: ClassVar[dict[int, AnyGame]] = {0: Older()}

    def migrate(self, checkpoint: Any, version: int) -> Any:
        assert version == 0
        return {**checkpoint, "scores": [score + 1000 for score in checkpoint["scores"]]}


async def test_a_match_of_older_rules_replays_under_them_and_is_carried_over(store: MemoryStore) -> None:
    older = over(store, {"wizard": Older()})
    match = await started(older, Older(), 1)
    newer = over(store, {"wizard": Newer()})
    look = await newer.look(match)
    assert (look.info.rules, look.state.scores) == (1, [1000] * 3)
    assert store.saved[match].base_moves == 1
    await move(newer, match)
    again = await over(store, {"wizard": Newer()}).look(match)
    assert (again.info.moves, again.state.scores) == (2, [1000] * 3)


async def test_a_match_of_rules_that_cannot_be_carried_over_is_set_aside(store: MemoryStore) -> None:
    match = await started(over(store, {"wizard": Older()}), Older(), 1)
    look = await over(store, {"wizard": WIZARD_WITHOUT_A_WAY}).look(match)
    assert look.info.status is Status.ASIDE


class WithoutAWay(WizardGame):
    """Wizard that knows the older rules, and no way from them to its own."""

    past: ClassVar[dict[int, AnyGame]] = {0: Older()}


WIZARD_WITHOUT_A_WAY = WithoutAWay()


def tomorrow(game: AnyGame) -> AnyGame:
    """The game in a newer version, with the same states."""
    members = {"version": game.version + 1, "past": {game.version: game}, "migrate": lambda self, kept, version: kept}
    newer: AnyGame = type("Tomorrow", (type(game),), members)()
    return newer


class OtherDeal(WizardGame):
    """Wizard that deals from the same seed otherwise than before; what was dealt, it takes over as it is."""

    past: ClassVar[dict[int, AnyGame]] = {0: Older()}

    def start(self, seats: int, options: Any, chance: Chance) -> Any:
        chance.below(6)
        return super().start(seats, options, chance)

    def migrate(self, checkpoint: Any, version: int) -> Any:
        return checkpoint


class OtherEverything(OtherDeal):
    """Such a Wizard that counts points otherwise, too."""

    def migrate(self, checkpoint: Any, version: int) -> Any:
        return {**checkpoint, "scores": [score + 1000 for score in checkpoint["scores"]]}


async def played_out(matches: Matches, match: str) -> Info:
    """A match to its end."""
    info = (await matches.look(match)).info
    while info.status is Status.RUNNING:
        info = await move(matches, match)
    return info


@pytest.mark.parametrize(
    ("newer", "rules"),
    [(tomorrow(Older()), 1), (OtherDeal(), 0), (OtherEverything(), None)],
    ids=["tomorrow", "other deal", "other everything"],
)
async def test_the_record_of_a_match_carried_over_before_its_first_move_names_rules_that_replay_it(
    store: MemoryStore, newer: AnyGame, rules: int | None
) -> None:
    match = await started(over(store, {"wizard": Older()}), Older(), rounds=1)
    matches = over(store, {"wizard": newer})
    await played_out(matches, match)
    text = await matches.record(match)
    if rules is None:
        assert text == ""
    else:
        assert parse(text).rules == rules
        assert replay(parse(text), {"wizard": newer}).state


async def test_a_finished_match_of_older_rules_is_left_as_it_is_and_keeps_its_record(store: MemoryStore) -> None:
    older = over(store, {"wizard": Older()})
    match = await started(older, Older(), rounds=1)
    await played_out(older, match)
    text = await older.record(match)
    kept = list(store.changes), dict(store.infos), dict(store.saved)
    newer = over(store, {"wizard": OtherDeal()})
    assert (await newer.look(match)).outcome() is not None
    assert await newer.record(match) == text
    assert (store.changes, store.infos, store.saved) == kept


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_a_lobby_of_older_rules_is_started_under_those_of_today(store: MemoryStore, game: AnyGame) -> None:
    waiting, closed = [await lobby(over(store), game) for _ in range(2)]
    await over(store).cancel(closed, USERS[0])
    before = store.infos[closed]
    newer = over(store, {**GAMES, game.key: tomorrow(game)})
    assert (await newer.look(waiting)).info.rules == game.version + 1
    assert (await newer.look(closed)).info == store.infos[closed] == before
    await newer.start(waiting, USERS[0])
    again = over(store, {**GAMES, game.key: tomorrow(game)})
    assert (await move(again, waiting)).moves == 1


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("known", [True, False])
async def test_rolled_back_and_forward_again_every_match_is_as_it_was(
    store: MemoryStore, game: AnyGame, known: bool
) -> None:
    new = {**GAMES, game.key: tomorrow(game)}
    old = GAMES if known else {key: other for key, other in GAMES.items() if other is not game}
    updated = over(store, new)
    waiting, running = await lobby(updated, new[game.key]), await started(updated, new[game.key], 2)
    paused = await started(updated, new[game.key])
    await updated.leave(paused, USERS[1])
    before = [await updated.look(match) for match in (waiting, running, paused)]
    kept: tuple[list[Change], dict[str, Info], dict[str, Saved]]
    kept = list(store.changes), dict(store.infos), dict(store.saved)

    back = over(store, old)
    assert await checked(back) == []
    for match in (waiting, running, paused):
        for asked in (
            back.look(match),
            back.join(match, 99, "Zoe"),
            back.start(match, USERS[0]),
            back.play(match, USERS[0], None, "bid 0"),
            back.leave(match, USERS[0]),
            back.take_seat(match, 99, "Zoe"),
            back.vote_end(match, USERS[0]),
            back.hand_over(match, USERS[0], USERS[1]),
            back.cancel(match, USERS[0]),
            back.expire(match),
            back.settle(match, 5),
            back.remove(match, USERS[0], by=99),
            back.reset(match, by=99),
        ):
            with pytest.raises(BeingUpdated, match="being updated"):
                await asked
    assert {info.id for info in await back.find()} == {waiting, running, paused}
    assert (store.changes, store.infos, store.saved) == kept

    forward = over(store, new)
    assert [await forward.look(match) for match in (waiting, running, paused)] == before
    assert (await move(forward, running)).moves == 3
    await forward.take_seat(paused, 99, "Zoe")
    assert (await move(forward, paused)).moves == 1
