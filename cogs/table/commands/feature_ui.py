"""The contract of a feature on Discord: its pages, the controls that it answers, its exercises, and its commands."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.pictures.raster.canvas import Layouts
from cogs.table.actions.rights import ANYBODY, QUESTIONS, Access, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.core_controls import ControlColumns
from cogs.table.commands.game_commands import Choices, filter_choices, own_match_choices, safe_autocomplete
from cogs.table.commands.match_lookup import MatchFinder
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.feature_pages import FeaturePages
from cogs.table.pages.match_pages import PageContext
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import Reader
from cogs.table.scheduling.feature_due_times import DueRows
from cogs.table.surfaces import move_steps
from cogs.table.surfaces.move_steps import MoveStep
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.replayed_position import LEARNER
from engines.kit.contract import AnyGame
from engines.store.match_store import ActionKind

Answer = Callable[[InteractionReply, Visit, str, Sequence[str]], Awaitable[None]]
"""Answers a control. It gets the visit, the rest of the custom id, and the chosen or written values."""


@dataclass(frozen=True, slots=True)
class FeatureControl(ControlColumns):
    """A control of a feature.

    `word` is the second part of its custom id, and `rest` the pattern of what follows. `access` says who may press it,
    and when; the door asks that.
    """

    word: str
    answer: Answer
    access: Access
    rest: str = ""


@dataclass(frozen=True, slots=True)
class ApartControl(ControlColumns):
    """A control of a feature that is about no match: nothing stands for one in its custom id. See `FeatureControl`."""

    word: str
    answer: Callable[[InteractionReply, str, Sequence[str]], Awaitable[None]]
    access: Access = ANYBODY
    rest: str = ""


OwnControl = FeatureControl | ApartControl
APART = frozenset({Who.ANYBODY, Who.ABOUT_SELF, Who.MANAGER})
"""Who may press a control that is about no match, as far as the door asks that."""


@dataclass(frozen=True, slots=True)
class OldControl:
    """A custom id of an older version: its pattern, perhaps with the groups `match` and `rest`, and its word today."""

    pattern: str
    word: str


@dataclass(frozen=True, slots=True)
class Exercises:
    """Hands of a feature that belong to no stored match, with the controls of all hands; see `ExerciseId`.

    `mark` is one of `MARKS`. `answer` gets each click; `parse_hand_click` reads it. Table actions that are in `opens`
    are answered with a new message, and everything else edits the clicked one.
    """

    mark: str
    answer: Callable[[InteractionReply, custom_ids.Control, Sequence[str]], Awaitable[None]]
    opens: frozenset[str] = frozenset()


class FeatureCog(commands.Cog):
    """Commands of a feature."""

    def __init__(self, actions: TableActions) -> None:
        super().__init__()
        self.actions = actions
        self.finder = MatchFinder(actions)

    @property
    def games(self) -> Sequence[AnyGame]:
        """The games that its commands are about."""
        return [*self.actions.matches.games.values()]

    @safe_autocomplete
    async def complete_game(self, interaction: discord.Interaction, current: str) -> Choices:
        """Return the games as choices."""
        return filter_choices([(game.title, game.key) for game in self.games], current)

    @safe_autocomplete
    async def complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        """Return the user's live matches as choices."""
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)


class FeatureUI(FeaturePages):
    """What a feature is on Discord. Its registry is `cogs.features.registry.FEATURE_UIS`."""

    old_controls: Sequence[OldControl] = ()
    layouts: ClassVar[Layouts] = MappingProxyType({})
    """How its own pictures are laid out, by the type of what they show."""
    motley_commands: type[FeatureCog] | None = None
    """Commands of `/motley`."""
    own_commands: Sequence[type[FeatureCog]] = ()
    """Further commands, which stand beside `/motley`. `Feature.command_names` lists their names."""
    help_text: str = ""
    """A sentence for the page that says how to play here."""
    action_texts: Mapping[ActionKind, str] = MappingProxyType({})
    """How the history of a match tells its actions, after the name of the person."""
    counters: Sequence[tuple[str, str]] = ()
    """What metrics count for each game and step: names, each with a description. `ActionContext.count_step` counts."""

    def controls(self, actions: TableActions) -> Sequence[OwnControl]:
        """Return the controls that it answers."""
        return ()

    def exercises(self, actions: TableActions) -> Exercises | None:
        """Return its hands that belong to no stored match, if it has such hands."""
        return None

    def due_rows(self, actions: TableActions) -> Sequence[DueRows[Any]]:
        """Return which of its rows become due, and what happens then."""
        return ()

    def context_menus(self, actions: TableActions) -> Sequence[app_commands.ContextMenu]:
        """Return the commands in the menus of people and messages."""
        return ()


class FeatureControls:
    """Finds what answers a custom id. Raises ValueError if two features, or two controls of one, have one name."""

    def __init__(self, features: Sequence[FeatureUI], actions: TableActions) -> None:
        self._controls: dict[tuple[str, str], OwnControl] = {}
        self._old: list[tuple[OldControl, str]] = []
        self._exercises: dict[str, Exercises] = {}
        names = [ui.name for ui in features]
        for name, ui in zip(names, features, strict=True):
            if names.count(name) > 1 or not re.fullmatch("[a-z]{2,20}", name):
                raise ValueError(f"{name!r} is no name of a feature, or the name of two.")
            for control in ui.controls(actions):
                self._add(name, control)
            if exercises := ui.exercises(actions):
                self._add_exercises(name, exercises)
            for old in ui.old_controls:
                if (name, old.word) not in self._controls:
                    raise ValueError(f"{name}: no control answers {old.pattern}.")
                self._old.append((old, name))

    def _add(self, name: str, control: OwnControl) -> None:
        if (name, control.word) in self._controls:
            raise ValueError(f"{name} has two controls {control.word!r}.")
        if not re.fullmatch(r"[a-z-]{1,20}", control.word):
            raise ValueError(f"{name}: {control.word!r} is no word of a control.")
        if control.access.who not in (QUESTIONS if isinstance(control, FeatureControl) else APART):
            raise ValueError(f"{name}: the door cannot ask who may press {control.word!r}.")
        re.compile(control.rest, re.ASCII)
        self._controls[name, control.word] = control

    def _add_exercises(self, name: str, exercises: Exercises) -> None:
        if exercises.mark in self._exercises or exercises.mark not in {*custom_ids.MARKS}:
            raise ValueError(f"{name} cannot have the mark {exercises.mark!r}.")
        self._exercises[exercises.mark] = exercises

    def parse_old(self, custom_id: str) -> custom_ids.Control | None:
        """Parse a custom id of an older version."""
        for pattern, name, word in self._old_patterns:
            if found := pattern.fullmatch(custom_id):
                match, rest = map(found.groupdict().get, ("match", "rest"))
                return custom_ids.Control(name, match or "", -1, f"{word}:{rest}" if rest else word)
        return None

    @cached_property
    def _old_patterns(self) -> Sequence[tuple[re.Pattern[str], str, str]]:  # a start need not wait for them
        return [(re.compile(old.pattern, re.ASCII), name, old.word) for old, name in self._old]

    def find(self, control: custom_ids.Control) -> OwnControl | None:
        """Return the feature's control of a parsed custom id; None if it belongs to the core, or to another version."""
        word, _, rest = control.rest.partition(":")
        found = self._controls.get((control.kind, word))
        if found is None or isinstance(found, ApartControl) == bool(control.match):
            return None
        return found if re.fullmatch(found.rest, rest, re.ASCII) else None

    def find_exercises(self, control: custom_ids.Control) -> Exercises | None:
        """Return what answers a control outside a match; None if it belongs to a match, or to another version."""
        return self._exercises.get(control.exercise.mark) if control.exercise else None


@dataclass(frozen=True, slots=True)
class HandClick:
    """What a click asks for: the hand, a move, the question before it, or the choices that remain at a step."""

    kind: Literal["show", "move", "question", "step"]
    notation: str = ""
    step: MoveStep = field(default_factory=lambda: MoveStep(LEARNER, 0))


def page_in_move(
    click: HandClick, snapshot: MatchSnapshot, seat: int, page_context: PageContext, reader: Reader
) -> Page | None:
    """Return the question before a move, or the choices that remain of it; None for the whole hand.

    Raises IllegalMove.
    """
    if click.kind == "question":
        return match_pages.confirm_page(snapshot, seat, page_context, click.notation)
    return move_steps.page_at_step(snapshot, seat, page_context, reader, click.step) if click.kind == "step" else None


def parse_hand_click(control: custom_ids.Control, values: Sequence[str]) -> HandClick:
    """Return what a click asks for. Raises RequestRefused for a control that such a hand does not have."""
    match control.kind, control.rest:
        case "t", "show" | "back" | "return":
            return HandClick("show")
        case "m", notation:
            return HandClick("move", notation)
        case "s", _:
            return HandClick("move", custom_ids.only_value(values))
        case "f", _ if notation := custom_ids.instant_move(custom_ids.only_value(values)):
            return HandClick("move", notation)
        case "c", notation:
            return HandClick("question", notation)
        case "f", _:
            return HandClick("step", step=MoveStep(LEARNER, 0, custom_ids.only_value(values)))
        case "n" | "g", path:
            return HandClick("step", step=MoveStep(LEARNER, 0, path))
        case "p", verb:
            return HandClick("step", step=MoveStep(LEARNER, 0, picked=" ".join((verb, *custom_ids.picked(values)))))
        case "o", picked:
            return HandClick("step", step=MoveStep(LEARNER, 0, picked=picked))
        case _:
            raise RequestRefused("This button is out of date. Use `/motley help` to start again.")
