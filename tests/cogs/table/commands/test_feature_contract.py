"""What holds for every feature on Discord: its controls are its own, old ids answer, and private rows stay private."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import MagicMock

import discord
import pytest
from discord import app_commands

from cogs.client import MotleyBot
from cogs.features.registry import FEATURE_UIS
from cogs.table.actions.rights import ANYBODY, READERS
from cogs.table.channels.bot_settings import BotSettings
from cogs.table.commands.feature_ui import (
    ApartControl,
    Exercises,
    FeatureCog,
    FeatureControl,
    FeatureControls,
    FeatureUI,
    OldControl,
    OwnControl,
)
from cogs.table.pages import custom_ids
from cogs.table.pages.custom_ids import MARKS, Control, ExerciseId
from cogs.table.pages.feature_pages import Additions, Facts, FeaturePages, Offer
from cogs.table.pages.page import Block, Press, Text
from cogs.table.pages.server_settings_pages import settings_page
from cogs.table.state.feature_rows import FeatureRows
from cogs.table.wording.command_names import CommandNames
from engines.features.registry import COMMAND_NAMES, FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.reactions import LATE_REACTIONS, LateReaction
from engines.store.match_store import TableLimits
from engines.store.rows import Rows, RowTable, Second
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots
from tests.features.parsing import is_answered
from tests.features.samples import OLD_IDS, SAMPLES
from tests.features.sketches import ATTEMPTS, NIGHTS
from tests.features.sketches import SAMPLES as SKETCH_SAMPLES

ACTIONS: Any = MagicMock()
LOOK = cast(
    "MatchSnapshot",
    SimpleNamespace(info=SimpleNamespace(id="m1", game="wizard"), compute_once=lambda key, compute: compute()),
)


async def answer(reply: Any, visit: Any, rest: str, values: Sequence[str]) -> None:
    raise AssertionError("nobody asks it")


async def answer_click(reply: Any, control: Control, values: Sequence[str]) -> None:
    raise AssertionError("nobody asks it")


async def answer_apart(*_: Any) -> None:
    """Answers a control that is about no match."""


class SomeUI(FeatureUI):
    """A feature with these controls, and exercises with this mark."""

    def __init__(
        self, name: str, *controls: OwnControl, old: Sequence[OldControl] = (), mark: str | None = None
    ) -> None:
        self.name = name  # type: ignore[misc]
        self.old_controls = old
        self._controls = controls
        self._exercises = None if mark is None else Exercises(mark, answer_click, opens=frozenset({"play"}))

    def controls(self, actions: Any) -> Sequence[OwnControl]:
        return self._controls

    def exercises(self, actions: Any) -> Exercises | None:
        return self._exercises


def test_both_registries_have_the_same_features() -> None:
    """Those that store and decide nothing without Discord are in the upper one alone."""
    stored = {feature.name: feature.tables for feature in FEATURES}
    assert [ui.name for ui in FEATURE_UIS if ui.name in stored] == [*stored]
    for ui in FEATURE_UIS:
        assert {*ui.tables} <= {*stored.get(ui.name, ())}


@pytest.mark.parametrize(
    "features",
    [
        (SomeUI("same"), SomeUI("same")),
        (SomeUI("one_two"),),
        (SomeUI("one", FeatureControl("open", answer, READERS), FeatureControl("open", answer, READERS)),),
        (SomeUI("one", FeatureControl("with space", answer, READERS)),),
        (SomeUI("one", FeatureControl("open", answer, READERS), old=(OldControl("x:(?P<match>.+)", "close"),)),),
        (SomeUI("one", FeatureControl("open", answer, ANYBODY)),),
        (SomeUI("one", ApartControl("open", answer_apart, READERS)),),
        (SomeUI("one", mark="!"), SomeUI("two", mark="!")),
        (SomeUI("one", mark="a"),),
        (SomeUI("one", mark=""),),
    ],
    ids=["names", "name", "words", "word", "old", "match", "no match", "marks", "mark", "no mark"],
)
def test_controls_that_would_be_mistaken_for_each_other_are_refused(features: Sequence[FeatureUI]) -> None:
    with pytest.raises(ValueError, match=r"one|two|same"):
        FeatureControls(features, ACTIONS)


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(Exception, match="unterminated"):
        FeatureControls((SomeUI("one", FeatureControl("open", answer, READERS, rest="[")),), ACTIONS)


@pytest.mark.parametrize(
    "custom_id",
    ["one:abcd2345:pick", "one:abcd2345:pick:x", "one:abcd2345:pick:1:2", "one:abcd2345:close", "two:abcd2345:pick:1"],
)
def test_a_rest_that_does_not_match_its_pattern_is_refused(custom_id: str) -> None:
    controls = FeatureControls((SomeUI("one", FeatureControl("pick", answer, READERS, rest=r"\d")),), ACTIONS)
    assert is_answered(controls, "one:abcd2345:pick:1")
    assert not is_answered(controls, custom_id)


def test_a_control_about_no_match_and_one_about_a_match_are_not_mistaken_for_each_other() -> None:
    ui = SomeUI("one", FeatureControl("pick", answer, READERS), ApartControl("choose", answer_apart))
    controls = FeatureControls((ui,), ACTIONS)
    for right, wrong in (("one:abcd2345:pick", "one::pick"), ("one::choose", "one:abcd2345:choose")):
        assert is_answered(controls, right)
        assert not is_answered(controls, wrong)
        known, unknown = custom_ids.parse_control(right), custom_ids.parse_control(wrong)
        assert known is not None
        assert unknown is not None
        assert controls.find(known) is not None
        assert controls.find(unknown) is None


@pytest.mark.parametrize("mark", MARKS)
def test_an_exercise_is_answered_by_the_feature_with_its_mark(mark: str) -> None:
    features = [SomeUI(f"with{name}", mark=each) for name, each in zip("abcdefgh", MARKS[:-1], strict=False)]
    controls, match = FeatureControls(features, ACTIONS), str(ExerciseId(mark, "wizard", 12))
    for custom_id in (custom_ids.move_id(match, 3, "play 7H"), custom_ids.table_action_id(match, "play")):
        control = custom_ids.parse_control(custom_id)
        assert control is not None
        assert control.exercise == (mark, "wizard", 12)
        found = controls.find_exercises(control)
        assert (found and found.mark) == (None if mark == MARKS[-1] else mark)
    plain = custom_ids.parse_control("m:abcd2345:3:play 7H")
    assert plain is not None
    assert controls.find_exercises(plain) is None
    assert custom_ids.parse_control(f"m:{mark}wizard.123:3:play 7H") is None


@pytest.mark.parametrize("ui", FEATURE_UIS, ids=lambda ui: ui.name)
def test_old_custom_ids_answer(ui: FeatureUI) -> None:
    controls, samples = FeatureControls(FEATURE_UIS, ACTIONS), OLD_IDS.get(ui.name, ())
    for old in ui.old_controls:
        assert any(controls.parse_old(each) for each in samples), f"no sample of {old.pattern}"
    for each in samples:
        parsed = controls.parse_old(each)
        assert parsed is not None
        assert (parsed.kind, parsed.match) == (ui.name, "abcd2345" if "abcd2345" in each else "")
        assert controls.find(parsed) is not None


class StoredRows:
    """The rows of the samples, as stores and caches hand them out."""

    def __init__(self) -> None:
        self.editor = self

    async def rows(self, table: RowTable[Any], match: str) -> tuple[Any, ...]:
        return SAMPLES[table.name]

    async def load_match_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        return Rows(tuple((table, SAMPLES[table.name]) for table in tables))


class CarelessRows(FeatureRows):
    """Hands out everybody's private rows."""

    async def _parts(
        self, wanted: Sequence[FeaturePages], snapshot: MatchSnapshot, reader: int, public: Rows
    ) -> tuple[tuple[FeaturePages, Rows], ...]:
        return tuple((pages, Rows(tuple((each, SAMPLES[each.name]) for each in pages.tables))) for pages in wanted)


class Always(FeaturePages):
    """The pages of a feature, in a match that uses it."""

    def __init__(self, pages: FeaturePages) -> None:
        self.name, self.tables = pages.name, pages.tables  # type: ignore[misc]
        self.filled_places = pages.filled_places


async def leaked_rows(loader: type[FeatureRows], reader: int) -> list[Any]:
    """The private rows of others among what is handed to the pages of a reader."""
    stored: Any = StoredRows()
    rows = loader([Always(ui) for ui in FEATURE_UIS], {}, stored, stored)
    found = await rows.additions(LOOK, reader)
    return [
        row
        for _, own in found.parts
        for table, listed in own
        for row in listed
        if table.seen == "hand" and row.user != reader
    ]


@pytest.mark.parametrize("reader", [0, 5, 6, 99])
async def test_private_rows_reach_only_the_pages_of_their_person(reader: int) -> None:
    assert await leaked_rows(FeatureRows, reader) == []
    assert await leaked_rows(CarelessRows, reader), "the broken loader is not caught"


async def test_pages_say_that_a_feature_is_late() -> None:
    late = LateReaction("m1", 9, "guesses", "take back", 8, 9, "running", "over", 1, Second(1), Second(2))
    stored: Any = StoredRows()

    async def load(match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        return Rows(tuple((table, (late,) if table is LATE_REACTIONS else ()) for table in tables))

    stored.load_match_rows = load
    rows = FeatureRows([Always(ui) for ui in FEATURE_UIS], {}, stored, stored)
    assert (await rows.additions(LOOK)).late_lines
    others = FeatureRows([Always(ui) for ui in FEATURE_UIS if ui.name != "guesses"], {}, stored, stored)
    assert not (await others.additions(LOOK)).late_lines


@dataclass
class Offering(FeaturePages):
    """Offers a button."""

    label: str
    rank: int = 0

    def table_press(self, facts: Facts) -> Iterable[Offer[Press]]:
        return (Offer(Press(self.label, "x"), self.rank),)


def test_a_place_for_one_goes_to_the_highest_rank_and_then_to_the_first() -> None:
    offers, screen = (Offering("a"), Offering("b", 2), Offering("c", 2)), cast("Any", None)
    additions = Additions(tuple((each, Rows()) for each in offers))
    best = additions.best_at(FeaturePages.table_press, LOOK, screen)
    assert best is not None
    assert best.label == "b"
    assert Additions().best_at(FeaturePages.table_press, LOOK, screen) is None


class NightPages(FeaturePages):
    """Says which nights of tables a server has announced."""

    name = "nights"
    tables = (NIGHTS, ATTEMPTS)

    def server_blocks(self, rows: Rows) -> Iterable[Block]:
        return [Text(row.title) for row in rows.of(NIGHTS)]


class AlwaysThere(FeaturePages):
    """Takes the place of the score sheet in every match."""

    name = "always"

    def table_press(self, facts: Facts) -> Iterable[Offer[Press]]:
        return (Offer(Press("Press me", "x")),)


def offered_presses(features: Iterable[FeaturePages]) -> tuple[Offer[Press], ...]:
    """What these features offer for the middle of a table on which nothing has happened."""
    helper = HELPERS["wizard"]
    snapshot = match_snapshots(helper, helper.starts()[0])[0]
    parts = [
        (pages, Rows(tuple((table, ()) for table in pages.tables))) for pages in features if pages.needs_rows(snapshot)
    ]
    return Additions(tuple(parts)).at(FeaturePages.table_press, snapshot, helper.screen)


def test_no_feature_takes_the_place_of_the_score_sheet_on_a_table_that_does_not_use_it() -> None:
    assert offered_presses(FEATURE_UIS) == ()
    assert offered_presses([AlwaysThere()]), "the broken feature is not caught"


async def test_a_feature_adds_to_the_settings_of_a_server_from_its_rows_about_it() -> None:
    stored: Any = StoredRows()

    async def load(table: RowTable[Any], guild: int) -> list[Any]:
        assert table is NIGHTS, "the other one's key does not begin with a server"
        return [row for row in SKETCH_SAMPLES[table.name] if row.guild == guild]

    stored.load_rows = load
    rows = FeatureRows([NightPages()], {}, stored, stored)
    titles = [row.title for row in SKETCH_SAMPLES["nights"]]
    blocks = await rows.server_blocks(1)
    assert blocks == tuple(Text(title) for title in titles)
    assert await rows.server_blocks(2) == ()
    page = settings_page(DEFAULT_SERVER_SETTINGS, [], TableLimits(), [], blocks)
    assert page.blocks[-len(blocks) :] == blocks


class DailyCog(FeatureCog):
    """A command beside `/motley`."""

    @app_commands.command(name="daily", description="The deal of the day")
    async def daily(self, interaction: discord.Interaction) -> None:
        raise AssertionError("nobody asks it")


class DailyUI(FeatureUI):
    """A feature with a command of its own, and one in the menus of people."""

    name = "daily"
    own_commands = (DailyCog,)

    def context_menus(self, actions: Any) -> Sequence[app_commands.ContextMenu]:
        async def avoid(interaction: discord.Interaction, person: discord.User) -> None:
            raise AssertionError("nobody asks it")

        return (app_commands.ContextMenu(name="Never seat me with", callback=avoid),)


async def test_commands_beside_motley_can_be_renamed_by_the_owner() -> None:
    cogs: list[FeatureCog] = []
    menus: list[app_commands.ContextMenu] = []

    async def add_cog(cog: FeatureCog) -> None:
        cogs.append(cog)

    names = CommandNames.parse("daily=today", ["daily"])
    bot: Any = SimpleNamespace(actions=ACTIONS, settings=BotSettings(command_names=names), add_cog=add_cog)
    bot.tree = SimpleNamespace(add_command=menus.append)
    await MotleyBot._add_feature_commands(bot, DailyUI())
    assert [command.name for cog in cogs for command in cog.get_app_commands()] == ["today"]
    assert [menu.name for menu in menus] == ["Never seat me with"]
    assert names.in_text("Use `/daily`.") == "Use `/today`."
    with pytest.raises(ValueError, match="names no command group"):
        CommandNames.parse("daily=today", [])


def test_the_registry_knows_the_names_of_all_own_commands() -> None:
    names = {command.name for ui in FEATURE_UIS for cog in ui.own_commands for command in cog.__cog_app_commands__}
    assert names == {*COMMAND_NAMES}
