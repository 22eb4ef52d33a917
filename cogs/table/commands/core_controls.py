"""The controls of the core: what answers each of them, and how. Those of features are in `feature_ui.py`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from cogs.table.actions.first_steps import FirstSteps, opens_table
from cogs.table.actions.hand_actions import HandActions
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages import custom_ids
from cogs.table.pages.custom_ids import Control, only_value
from cogs.table.pages.lobby_pages import MAX_OPTIONS_PAGES
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from players import LEVELS

Values = Sequence[str]
Answer = Callable[[InteractionReply, Control, Values], Awaitable[None]]
"""Answers a control. It gets the chosen or written values."""
TableAction = Callable[[InteractionReply, str], Awaitable[None]]
Step = Callable[[InteractionReply, tuple[str, int], str, Values], Awaitable[None]]
"""Answers a control of a hand. It gets the match and the decision, the rest of the custom id, and the chosen values."""
STEP_MOVE, PICK_TABLE = "f:move", "i:table"  # controls whose values say what they do


@dataclass(frozen=True, slots=True)
class CoreControl:
    """A control of the core.

    If it `edits`, the reply edits the clicked message; if it `is_public`, it is a message for everybody. If it
    `changes_match`, it changes the match or is refused, and its answer shows only the result. If it `is_in_menu`, a
    refusal is shown in the menu, with what is possible now. If it `is_own_data`, blocked people may press it too.
    """

    answer: Answer
    edits: bool = False
    is_form: bool = False
    is_public: bool = False
    changes_match: bool = False
    is_in_menu: bool = False
    is_own_data: bool = False


def find_core(table: Mapping[str, CoreControl], control: Control, values: Values) -> CoreControl | None:
    """Return the control of a parsed custom id; None if it belongs to a feature, or to another version."""
    word = control.action
    if control.kind == "f" and len(values) == 1 and custom_ids.instant_move(values[0]):
        return table[STEP_MOVE]
    if opens_table(control, values):
        return table[PICK_TABLE]
    return table.get(f"{control.kind}:{word}") or table.get(control.kind)


def core_controls(actions: TableActions, first_steps: FirstSteps, open_rules: TableAction) -> dict[str, CoreControl]:
    """Return the controls by the kind of their custom ids, or by kind and word; see `custom_ids`."""
    return (
        _hand_controls(actions.hands)
        | _lobby_controls(actions)
        | _table_controls(actions, open_rules)
        | _other_controls(actions, first_steps)
    )


def _hand_controls(hands: HandActions) -> dict[str, CoreControl]:
    return {
        "m": _step(lambda reply, at, rest, values: hands.make_move(reply, *at, rest), changes_match=True),
        "s": _step(lambda reply, at, rest, values: hands.make_move(reply, *at, only_value(values)), changes_match=True),
        STEP_MOVE: _step(
            lambda reply, at, rest, values: hands.make_move(reply, *at, custom_ids.instant_move(only_value(values))),
            changes_match=True,
        ),
        "c": _step(lambda reply, at, rest, values: hands.ask_confirmation(reply, *at, rest)),
        "p": _step(lambda reply, at, rest, values: hands.show_picks(reply, *at, rest, list(values))),
        "o": _step(lambda reply, at, rest, values: hands.show_picks_order(reply, *at, rest)),
        "f": _step(lambda reply, at, rest, values: hands.show_step(reply, *at, only_value(values))),
        "n": _step(lambda reply, at, rest, values: hands.show_step(reply, *at, rest)),
        "g": _step(lambda reply, at, rest, values: hands.show_step(reply, *at, rest)),
    }


def _lobby_controls(actions: TableActions) -> dict[str, CoreControl]:
    lobbies = actions.lobbies

    async def choose_option(reply: InteractionReply, control: Control, values: Values) -> None:
        option, _, value = control.rest.partition("=")
        await lobbies.choose_option(reply, control.match, option, value or only_value(values))

    pages = range(1, MAX_OPTIONS_PAGES + 1)
    levels = {f"t:computer-{level}": partial(lobbies.add_computers, level=level) for level in LEVELS}
    return {
        "v": CoreControl(choose_option, edits=True, changes_match=True),
        "b": CoreControl(
            lambda reply, control, values: lobbies.start_match(reply, control.match, control.rest),
            edits=True,
            changes_match=True,
        ),
        "t:join": _act(actions.join, edits=True, changes_match=True),
        "t:start": _act(lobbies.start_match, edits=True, changes_match=True),
        "t:options": _act(lobbies.show_options),
        **{f"t:options-{page}": _act(partial(lobbies.show_options, page=page), edits=True) for page in pages},
        "t:computers": _act(lobbies.show_computers),
        "t:no-computer": _act(lobbies.remove_computer, edits=True, changes_match=True),
        **{name: _act(add, edits=True, changes_match=True) for name, add in levels.items()},
        "t:cancel-ask": _act(actions.ask_cancel, edits=True, is_in_menu=True),
        "t:cancel": _act(actions.cancel, edits=True, is_in_menu=True, changes_match=True),
        "t:again": _act(lobbies.play_again),
    }


def _table_controls(actions: TableActions, open_rules: TableAction) -> dict[str, CoreControl]:
    async def hand_over_host(reply: InteractionReply, control: Control, values: Values) -> None:
        user = only_value(values)
        await actions.hand_over_host(reply, control.match, int(user) if user.isdecimal() else 0)

    return {
        "t:leave": _act(actions.leave, edits=True, is_in_menu=True, changes_match=True),
        "t:leave-on": _act(actions.leave_to_computer, edits=True, is_in_menu=True, changes_match=True),
        "t:leave-ask": _act(actions.ask_leave, edits=True, is_in_menu=True),
        "t:keep": _act(actions.keep_match, edits=True, is_in_menu=True),
        "t:hand": _act(actions.hands.show_hand),
        "t:here": _act(actions.take_back_seat, edits=True),
        "t:back": _act(actions.hands.back_to_hand, edits=True),
        "t:return": _act(actions.hands.again, edits=True),
        "t:sheet": _act(actions.show_score_sheet),
        "t:record": _act(actions.match_list.show_record),
        "t:words": _act(actions.show_in_words),
        "t:rule": _act(actions.rulebook.show_current_rule),
        "t:minute": _act(open_rules),
        "t:rules": _act(open_rules),
        "t:status": _act(actions.show_status),
        "t:more": _act(actions.show_menu),
        "t:seat": _act(actions.take_seat, edits=True, is_in_menu=True, changes_match=True),
        "t:stop": _act(actions.vote_to_end, edits=True, is_in_menu=True, changes_match=True),
        "t:stop-ask": _act(actions.ask_stop, edits=True, is_in_menu=True),
        "t:settings": _act(actions.settings.show_settings),
        "t:host": CoreControl(hand_over_host, edits=True, is_in_menu=True, changes_match=True),
    }


def _other_controls(actions: TableActions, first_steps: FirstSteps) -> dict[str, CoreControl]:
    def find_game(key: str) -> AnyGame:
        if key not in actions.matches.games:
            raise RequestRefused("I no longer have that game.")
        return actions.matches.games[key]

    async def turn_rules(reply: InteractionReply, control: Control, values: Values) -> None:
        key, _, turned = control.rest.partition(":")
        part = turned or only_value(values)
        await actions.rulebook.turn_page(reply, find_game(key), int(part) if part.isdecimal() else 0)

    async def show_rule(reply: InteractionReply, control: Control, values: Values) -> None:
        key, _, rule = control.rest.partition(":")
        await actions.rulebook.show_rule(reply, find_game(key), rule)

    async def change_own_setting(reply: InteractionReply, control: Control, values: Values) -> None:
        name, _, value = control.rest.partition("=")
        await actions.settings.change_setting(reply, name, value or only_value(values))

    async def change_server_setting(reply: InteractionReply, control: Control, values: Values) -> None:
        name, _, value = control.rest.partition("=")
        await actions.servers.change_setting(reply, name, [value] if value else values)

    async def handle_own_data(reply: InteractionReply, control: Control, values: Values) -> None:
        what, _, number = control.rest.partition(":")
        await actions.privacy.handle_press(reply, what, int(number or 0))

    return {
        "r": CoreControl(turn_rules, edits=True),
        "u": CoreControl(show_rule),
        "l": CoreControl(
            lambda reply, control, values: actions.match_list.show_matches(reply, int(control.rest)), edits=True
        ),
        "y": CoreControl(change_own_setting, edits=True),
        "h": CoreControl(change_server_setting, edits=True),
        "i": CoreControl(first_steps.handle_control, edits=True),
        PICK_TABLE: CoreControl(first_steps.handle_control, is_public=True),
        "q": CoreControl(handle_own_data, edits=True, is_own_data=True),
    }


def _step(step: Step, *, changes_match: bool = False) -> CoreControl:
    """Return a control of a hand."""
    return CoreControl(
        lambda reply, control, values: step(reply, (control.match, control.decision), control.rest, values),
        edits=True,
        changes_match=changes_match,
    )


def _act(act: TableAction, **how: bool) -> CoreControl:
    """Return a control that needs only its match."""

    return CoreControl(lambda reply, control, values: act(reply, control.match), **how)
