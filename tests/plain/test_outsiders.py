"""Somebody who may not press a control or give a command is refused in a sentence, learns nothing, and changes nothing.

The table in `access.py` says who may, and when. The law walks it with everybody around a match, in every phase of it;
MOTLEY_STARTS=all does so with everybody in every game, and not only with some of them in games but the first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from discord import app_commands

from cogs import admin_commands
from cogs.features.guesses import feature_ui as guess_ui
from cogs.features.reports import feature_ui as report_ui
from cogs.table.actions import door, rights
from cogs.table.actions.rights import Access, Phase, Who, access_of
from cogs.table.actions.visit import Visit
from cogs.table.commands import component_router
from cogs.table.commands.component_router import OTHER_VERSION_CONTROL, ComponentRouter
from cogs.table.state.block_list import BlockList
from engines.features.guesses.guessing import open_question
from engines.features.reports import REPORTS, Report
from engines.features.takebacks.taking_back import TakingBack
from engines.hosting.match import Match, MatchSnapshot
from engines.hosting.match_changes import MatchEditor
from engines.hosting.matches import lobbies, records, seating
from engines.hosting.matches.lobbies import Lobbies
from engines.hosting.matches.records import Compute, MatchRecords
from engines.store.match_store import MatchInfo, Status
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.features.parsing import CORE_KINDS, parse
from tests.plain.access import PRESSES, Press, verb_press
from tests.plain.outsiders import EVERYBODY, HOST, PHASES, Scene, start_scene
from tests.plain.payloads import GUILD

ALL = os.environ.get("MOTLEY_STARTS") == "all"
FIRST = next(iter(HELPERS))
EVERY_NTH = 2  # of those who may not press something, in games but the first
LASTING = {"matches", "saved", "deals", "servers", "blocks", "rows"}  # what must be as before for the next press
Install = Callable[[pytest.MonkeyPatch], None]
OWN_PARTS = {"preferences"}  # what players may change of their own even if the rest is refused: their first steps


def _presses(scene: Scene, only: str = "") -> Iterator[Press]:
    """Return the table, with the commands of the game for its moves; or `only` what has this in its name."""
    yield from (each for each in PRESSES if only in each.name)
    known = {each.name for each in PRESSES if each.is_command}
    for root, part, options in _match_commands(scene):
        if not only and root == scene.helper.game.key and f"{{game}} {part}" not in known:
            yield verb_press(f"{{game}} {part}", [each for each in options if each != "match"])


def _match_commands(scene: Scene) -> Iterator[tuple[str, str, list[str]]]:
    """Return every command that takes a match, with the names of its options."""
    for root in scene.plain_bot.wire.commands:
        for part in root["options"]:
            options = [each["name"] for each in part.get("options", ())]
            if "match" in options:
                yield root["name"], part["name"], options


async def press_closed(scene: Scene, every: int = 1, only: str = "") -> int:
    """Have everybody press what they may not press. Return how many presses that were."""
    count = 0
    for number, press in enumerate(_presses(scene, only)):
        for turn, name in enumerate(EVERYBODY):
            if (number + turn) % every or await scene.may_press(name, press):
                continue
            outcome = await scene.press(name, press, is_public=bool((number + turn // every) % 2))
            description = f"{press} of {name}"
            assert outcome.is_refused, f"{description} is not refused: {outcome.texts}"
            changed = {*outcome.changed} - (OWN_PARTS if await scene.has_seat(name) else set())
            assert not changed, f"{description} changes {changed}"
            leaks = scene.find_leaks(name, press, outcome)
            assert not leaks, f"{description} tells {leaks}"
            count += 1
    return count


async def press_open(scene: Scene, only: str = "") -> int:
    """Have everybody press what they may press. Return how many presses that were."""
    count = 0
    for press in _presses(scene, only):
        for name in EVERYBODY:
            if not await scene.may_press(name, press):
                continue
            outcome = await scene.press(name, press, is_public=False)
            description = f"{press} of {name}"
            leaks = scene.find_leaks(name, press, outcome)
            assert not leaks, f"{description} tells {leaks}"
            assert not (press.answers and outcome.is_refused), f"{description} is refused: {outcome.refusals}"
            count += 1
            if LASTING & {*outcome.changed}:
                await scene.prepare()
    return count


async def press_everything(scene: Scene, only: str) -> None:
    """Have everybody press all that has this in its name, whether they may or not."""
    await press_closed(scene, only=only)
    await press_open(scene, only)


@pytest.mark.sampled
@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
async def test_somebody_who_may_not_press_something_is_refused(helper: GameHelper, phase: str) -> None:
    async with start_scene(helper, phase) as scene:
        assert await press_closed(scene, 1 if ALL or helper.game.key == FIRST else EVERY_NTH) > 100


@pytest.mark.sampled(2)
@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("helper", [HELPERS[FIRST]], ids=lambda each: each.game.key)
async def test_somebody_who_may_press_something_is_answered(helper: GameHelper, phase: str) -> None:
    async with start_scene(helper, phase) as scene:
        assert await press_open(scene) > 100


async def test_every_control_and_command_has_its_place_in_the_table() -> None:
    async with start_scene(HELPERS[FIRST], "lobby") as scene:
        router = scene.plain_bot.bot.get_cog("ComponentRouter")
        assert isinstance(router, ComponentRouter)
        known = {(root, part) for root, part, _ in _match_commands(scene) if root == FIRST or root not in HELPERS}
        own = {name.removeprefix("t:") for name in router.core if name.startswith("t:")}
        features = {*router._features._controls}
        controls = [parse(each.name.format_map(scene.places)) for each in PRESSES if not each.is_command]
        verbs = {tuple(each.name.format_map(scene.places).split()) for each in _presses(scene) if each.is_command}
        assert all(controls)
        found = [control for control in controls if control is not None]
        assert {control.kind for control in found} >= CORE_KINDS
        assert {control.action for control in found if control.kind == "t"} >= own
        assert {(control.kind, control.rest.partition(":")[0]) for control in found} >= features, (
            "tests/plain/access.py: PRESSES lacks a control of a feature"
        )
        assert known == verbs


UNASKED = {"t:{match}:clicked", "l:0"}
"""What the door does not ask: nothing answers a placeholder, and a list of somebody's own matches is about none."""


async def test_the_columns_of_the_product_say_what_the_table_says() -> None:
    async with start_scene(HELPERS[FIRST], "lobby") as scene:
        presses = [press for press in _presses(scene) if press.name not in UNASKED]
        declared = {str(press): _columns(_declared_access(scene, press)) for press in presses}
        assert declared == {str(press): (press.who.name, press.when) for press in presses}


def _declared_access(scene: Scene, press: Press) -> Access:
    """Return who may press or give that, and when, by the product's own tables."""
    name = press.name.format_map(scene.places)
    if press.is_command:
        root, part = name.split()
        group = scene.plain_bot.bot.tree.get_command(root)
        assert isinstance(group, app_commands.Group)
        return access_of(group.get_command(part))
    router, control = scene.plain_bot.bot.get_cog("ComponentRouter"), parse(name)
    assert isinstance(router, ComponentRouter)
    assert control is not None
    if control.exercise:
        return rights.ANYBODY
    found = router._find(control, [each.format_map(scene.places) for each in press.values or ()])
    assert found is not OTHER_VERSION_CONTROL, press
    return found.access


def _columns(access: Access) -> tuple[str, frozenset[str]]:
    phases = access.when & (Phase.LOBBY | Phase.RUNNING | Phase.OVER)
    return access.who.name, frozenset(str(each.name).lower() for each in phases)


@pytest.mark.parametrize(("phase", "word"), [("lobby", "t:{match}:computer-"), ("over", "x:{match}:p")])
async def test_nobody_adds_a_computer_if_computers_are_off(phase: str, word: str) -> None:
    async with start_scene(HELPERS[FIRST], phase) as scene:
        await scene.plain_bot.matches.lobbies.change_server_settings(GUILD, lambda old: replace(old, computers=False))
        presses = [*_presses(scene, word)]
        for press in presses:
            outcome = await scene.press(HOST, press, is_public=False)
            assert outcome.is_refused
            assert not LASTING & {*outcome.changed}
        assert presses


# What gives way is caught


async def _any_draft(matches: MatchEditor, user: int, number: int) -> Report | None:
    rows = await matches.load_rows(REPORTS, number)
    return rows[0] if rows else None


def _nothing(*arguments: object, **more: object) -> None:
    pass


async def _nothing_later(*arguments: object) -> None:
    pass


def _first_seat(visit: Visit) -> int:
    return visit.seat or 0


def _answer_for_others(patch: pytest.MonkeyPatch) -> None:
    """An answer to a request to take a move back counts as the answer of somebody who was asked."""
    answer = TakingBack.answer_take_back

    async def answered(part: TakingBack, match: str, user: int, *arguments: Any, **more: Any) -> Any:
        info = (await part._editor.cache.get_snapshot(match)).info
        request = info.undoing.open_request
        return await answer(part, match, info.seats[request.seats[0]].user if request else user, *arguments, **more)

    patch.setattr(TakingBack, "answer_take_back", answered)


def _join_again(patch: pytest.MonkeyPatch) -> None:
    """Somebody who sits at a table can join it again."""
    join = Lobbies.join
    patch.setattr(
        Lobbies, "join", lambda part, match, user, *arguments, **more: join(part, match, -user, *arguments, **more)
    )


def _tell_every_deal(patch: pytest.MonkeyPatch) -> None:
    """The record of a match with its seed, whether it is over or not."""
    patch.setattr(records, "CLOSED", frozenset(Status))


def _anybody(person: Who, install: Install) -> Install:
    """A door that does not ask this, and what else lets people through who are not."""

    def install_both(patch: pytest.MonkeyPatch) -> None:
        patch.setitem(rights.QUESTIONS, person, lambda visit: True)
        install(patch)

    return install_both


def _any_time(install: Install) -> Install:
    """A door that does not ask for the phase of the match, and what else lets people through too early or late."""

    def install_both(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(rights, "phase_of", lambda info: Phase(0))
        install(patch)

    return install_both


def _patching(owner: Any, name: str, broken: Any) -> Install:
    return lambda patch: patch.setattr(owner, name, broken)


def _any_question(snapshot: MatchSnapshot, *arguments: object) -> Any:
    return open_question(snapshot)


async def _build_record(part: MatchRecords, match: str, compute: Compute) -> str:
    saved = await part._editor.store.load(match)
    return await part._record_of(await part._editor.cache.get_snapshot(match), saved, compute)


async def _load_moves(part: MatchRecords, match: str) -> Any:
    return await part._editor.store.load(match)


BROKEN: Mapping[str, tuple[str, str, Install]] = {
    "server": ("running", "sheet", _patching(door, "require_reader", _nothing)),
    "server, for a replay": ("over", "replays:", _patching(door, "require_reader", _nothing)),
    "block": ("running", "r:", _patching(BlockList, "require_allowed", _nothing)),
    "seat": ("running", "hand", _anybody(Who.SEATED, _patching(Visit, "own_seat", property(_first_seat)))),
    "no seat": ("lobby", "join", _anybody(Who.UNSEATED, _join_again)),
    "watcher": (
        "running",
        "guesses",
        _anybody(Who.WATCHER, _patching(guess_ui, "require_watcher", _any_question)),
    ),
    "due": (
        "running",
        "m:",
        _patching(Match, "_acting_seat", lambda match, user: min(match.game.decisions(match.state))),
    ),
    "host": ("lobby", "cancel", _anybody(Who.HOST, _patching(lobbies, "require_host", lambda info, user: info))),
    "manager": (
        "running",
        "h:",
        _patching(component_router, "managed_server", _nothing),
    ),
    "manager of the match": (
        "running",
        "admin",
        _anybody(Who.MATCH_MANAGER, _patching(admin_commands, "managed_server", lambda asker, refusal: GUILD)),
    ),
    "person asked": ("asked", "agree", _anybody(Who.ASKED, _answer_for_others)),
    "author": ("running", "send", _patching(report_ui, "find_draft", _any_draft)),
    "lobby": ("running", "v:", _any_time(_patching(lobbies, "require_lobby", lambda current: current.info))),
    "running": ("over", "stop", _any_time(_patching(seating, "require_seated", MatchInfo.seat_of))),
    "over, for the deal": ("running", "check", _tell_every_deal),
    "over, for a replay": ("running", "replay", _any_time(_patching(MatchRecords, "load_moves", _load_moves))),
    "over, for a record": ("running", "record", _any_time(_patching(MatchRecords, "build_record", _build_record))),
}
"""For each column of the table a bot that lacks it, with a phase and a word of what is pressed, which show it."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("column", BROKEN)
async def test_a_bot_that_lacks_a_column_is_caught(column: str, monkeypatch: pytest.MonkeyPatch) -> None:
    phase, only, install = BROKEN[column]
    async with start_scene(HELPERS[FIRST], phase) as scene:
        install(monkeypatch)
        with pytest.raises(AssertionError, match=r"is not refused|changes|tells"):
            await press_everything(scene, only)
