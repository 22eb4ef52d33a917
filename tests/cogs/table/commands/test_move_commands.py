"""Each verb of a game's moves is a command, with its options in the order of the notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType, SimpleNamespace
from typing import Annotated, Any, Literal, cast

import pytest
from discord import AppCommandOptionType
from pydantic import Field

from cogs.screens.screen import Context, TypedCommand
from cogs.system_clock import SystemClock
from cogs.table.commands.game_commands import MATCH_DESCRIPTION, Number, Verb, move_command, new_command, verb
from cogs.table.game_ui import GameUI
from cogs.table.pages.move_autocomplete import option_offers
from cogs.table.state.person_shares import PersonShares
from engines.features.registry import TABLE_OPTIONS
from engines.jest.game import JestGame
from engines.kit.options import format_value, game_options
from engines.store.table_options import CLOCK_SECONDS, list_all_options
from tests.contexts import make_context
from tests.contract.helpers import HELPERS
from tests.contract.shown import SHORT_NAMES
from tests.contract.walk import choose_move
from tests.game_uis import GAME_UIS, STUDIO

every_game = pytest.mark.parametrize("key", GAME_UIS)


@every_game
def test_a_game_has_at_most_eight_commands_and_those_called_like_a_verb_are_its(key: str) -> None:
    cog, shared = GAME_UIS[key].cog_class, {"new", "move", "hand", "status", "rules"}
    found, own = ["new", *(each.name for each in cog.__cog_app_commands__)], {one.name for one in cog.verbs}
    assert shared <= set(found)
    assert len(found) == len(set(found)) <= 8
    assert own <= set(cog.game.notation.verbs) - shared


@every_game
def test_new_asks_for_every_option_text_is_completed_and_the_match_comes_last(key: str) -> None:
    cog = GAME_UIS[key].cog_class
    command = new_command(cog.game, cog.intro, cog.option_descriptions, TABLE_OPTIONS)
    every = list_all_options(cog.game, TABLE_OPTIONS)
    assert [one.name for one in command.parameters] == [option.name for option in every]
    for parameter, option in zip(command.parameters, every, strict=True):
        assert len(str(parameter.description)) > len("…")
        assert (parameter.min_value, parameter.max_value, parameter.required) == (option.low, option.high, False)
    for one in cog.verbs:
        *own, match = move_command(one).parameters
        assert (match.name, match.description) == ("match", MATCH_DESCRIPTION)
        assert (match.required, match.autocomplete) == (False, True)
        for given in own:
            assert given.autocomplete is (given.type is AppCommandOptionType.string)


@dataclass(frozen=True)
class Tastes:
    rounds: Annotated[int, Field(ge=1, le=9)] | None = None
    style: Literal["plain", "wild"] = "plain"
    open: bool = False


class Tasteful(JestGame):
    options = Tastes  # type: ignore[assignment]
    presets = MappingProxyType({"calm": {"style": "plain", "open": False}, "bold": {"style": "wild", "open": True}})


async def test_the_command_new_asks_for_words_if_an_option_is_no_number() -> None:
    command = new_command(Tasteful(), GAME_UIS["wizard"].intro, {"style": "How it is played"}, TABLE_OPTIONS)
    rules, rounds, style, open_, clock, hints, breaks, autoplay, guesses, takebacks = command.parameters
    assert [choice.value for choice in rules.choices] == ["calm", "bold"]
    assert (rounds.min_value, rounds.max_value, rounds.choices) == (1, 9, [])
    assert [choice.value for choice in style.choices] == ["plain", "wild"]
    values = game_options(Tasteful())[2].values
    assert [choice.value for choice in open_.choices] == [format_value(value) for value in values]
    assert [choice.value for choice in clock.choices] == ["none", *CLOCK_SECONDS]
    assert [choice.name for choice in hints.choices] == ["on", "off"]
    assert [choice.value for choice in breaks.choices] == ["none", "1 day", "3 days", "7 days"]
    assert [choice.name for choice in autoplay.choices] == ["on", "off"]
    assert [choice.name for choice in guesses.choices] == ["on", "off"]
    assert [choice.value for choice in takebacks.choices] == ["by consent", "free only", "never"]
    assert not style.autocomplete
    calls: list[Any] = []

    async def open_lobby(answer: object, game: object, options: object, table_options: object) -> None:
        calls.append((options, table_options))

    cog = SimpleNamespace(
        actions=SimpleNamespace(
            studio=STUDIO, clock=SystemClock(), shares=PersonShares(lambda: 0.0), open_lobby=open_lobby
        )
    )
    given = {"rounds": 3, "style": "wild", "open": format_value(True), "clock": "none", "hints": None, "breaks": None}
    given |= {"rules": None, "autoplay": None, "guesses": None, "takebacks": None}
    response = SimpleNamespace(is_done=lambda: True)
    client = SimpleNamespace(dispatch=lambda *arguments: None)
    asker = SimpleNamespace(id=1, client=client, user=SimpleNamespace(id=1), response=response)
    await cast("Any", command).callback(cog, asker, **given)
    assert calls == [({"rounds": 3, "style": "wild", "open": True}, {"clock": None})]
    given |= {"style": "plain", "open": None, "rules": "bold"}
    await cast("Any", command).callback(cog, asker, **given)
    assert calls[1:] == [({"rules": "bold", "rounds": 3, "style": "plain"}, {"clock": None})]


def test_options_are_text_or_numbers_and_may_have_names_that_python_wants() -> None:
    command = move_command(verb("take", "Take", from_="Whose", depth=Number(1, 9, "How deep")))
    source, depth, _ = command.parameters
    assert (command.name, command.description) == ("take", "Take")
    assert (source.display_name, source.required, source.autocomplete) == ("from", True, True)
    assert (depth.min_value, depth.max_value, depth.required, depth.autocomplete) == (1, 9, True, False)


@every_game
def test_every_choice_offered_while_a_command_is_typed_is_a_legal_move(key: str) -> None:
    game_ui, helper, rng, found = GAME_UIS[key], HELPERS[key], Random(3), 0
    start = helper.starts()[0]
    state, around = helper.start_state(start), make_context(SHORT_NAMES[: start.seats], start.options)
    for _ in range(60):
        for seat, moves in ((seat, helper.game.moves(state, seat)) for seat in helper.game.decisions(state)):
            for one in game_ui.cog_class.verbs:
                for value in _offered_choices(game_ui, helper.game.view(state, seat), moves, one, around):
                    helper.game.check(state, seat, helper.game.parse_move(f"{one.name} {value}"))
                    found += 1
        if not helper.game.decisions(state):
            break
        helper.game.play(state, *choose_move(helper, state, rng))
    assert found or not any(_is_only_text(one) for one in game_ui.cog_class.verbs)


def _is_only_text(one: Verb) -> bool:
    """Return whether the command has a single text option, which then holds the whole move."""
    return len(one.options) == 1 and not isinstance(next(iter(one.options.values())), Number)


def _offered_choices(game_ui: GameUI, view: Any, moves: Sequence[Any], one: Verb, around: Context) -> list[str]:
    if not _is_only_text(one):
        return []
    (option,) = one.options
    typed = TypedCommand(one.name, option.rstrip("_"), "", {})
    return [value for _, value in option_offers(game_ui.screen, game_ui.game, view, moves, typed, around)]
