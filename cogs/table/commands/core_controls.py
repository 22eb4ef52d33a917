"""The controls of the core: what answers each of them, and how. Those of features are in `feature_ui.py`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from cogs.table.actions.first_steps import OPEN, FirstSteps
from cogs.table.actions.hand_actions import HandActions
from cogs.table.actions.rights import ANYBODY, LOBBY_HOST, READERS, SEATED, Access, Phase, Who, phase_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.pages import custom_ids
from cogs.table.pages.options_pages import MAX_PAGES
from cogs.table.scheduling.computer_turns import SUBSTITUTE_LEVEL
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused, status_sentence
from engines.kit.contract import AnyGame
from players import LEVELS

Values = Sequence[str]
Answer = Callable[[InteractionReply, custom_ids.Control, Values], Awaitable[None]]
"""Answers a control that is about no match. It gets the chosen values."""
MatchAnswer = Callable[[InteractionReply, Visit, custom_ids.Control, Values], Awaitable[None]]
"""Answers a control of a match."""
TableAction = Callable[[InteractionReply, Visit], Awaitable[None]]
STEP_MOVE = "f:move"  # a control whose value says what it does
DUE = Access(Who.DUE, Phase.RUNNING, answers_late=True)
PLAYING = Access(Who.SEATED, Phase.RUNNING)
LEAVING = Access(Who.SEATED, Phase.LOBBY | Phase.RUNNING)
NEWCOMER = Access(Who.UNSEATED, Phase.LOBBY, not_you="You have already joined.")
MANAGER = Access(Who.MATCH_MANAGER)
RESETTER = Access(Who.MATCH_MANAGER, Phase.LOBBY | Phase.RUNNING | Phase.ASIDE)
HOST = Access(Who.HOST, Phase.LOBBY | Phase.RUNNING)
CHOSEN = Access(Who.READER, ~Phase.ASIDE)  # the options of a match that is set aside may be damaged
SEAT_TAKER = Access(Who.UNSEATED, Phase.RUNNING)
RECORD = Access(Who.READER, Phase.OVER, not_now="You can get the record once the match is over.")


def _no_vote(visit: Visit) -> RequestRefused:
    more = " Its host can cancel it." if phase_of(visit.info) is Phase.LOBBY else ""
    return RequestRefused(status_sentence(visit.info) + more, has_names=True)


def _no_rematch(visit: Visit) -> RequestRefused:
    own = f"You can open your own table with `/{visit.info.game} new`."
    return RequestRefused(f"Only people who played in this match can join its rematch. {own}")


VOTER = Access(Who.SEATED, Phase.RUNNING, not_now=_no_vote)
REMATCH = Access(Who.SEATED, Phase.OVER, not_you=_no_rematch, not_now="This match is not over yet.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlColumns:
    """How a control is answered.

    If it `edits`, the reply edits the clicked message; if it `is_public`, it is a message for everybody. If it
    `changes_match`, it changes the match or is refused, and needs no look for newer state. If it is `about_finished`
    matches, only the header of the match is read, and nobody is noted as active. If it `is_in_menu`, the clicked menu
    shows a refusal, with what is possible now. If it `posts` where the match was played, the door asks whether the
    person may write there; a public reply is posted there only from direct messages.
    """

    edits: bool = False
    is_form: bool = False
    is_public: bool = False
    changes_match: bool = False
    about_finished: bool = False
    is_in_menu: bool = False
    posts: bool = False


@dataclass(frozen=True, slots=True)
class CoreControl(ControlColumns):
    """A control of the core. `access` says who may press it, and when; the door asks that."""

    answer: Callable[[InteractionReply, Visit | None, custom_ids.Control, Values], Awaitable[None]]
    access: Access


def find_core(table: Mapping[str, CoreControl], control: custom_ids.Control, values: Values) -> CoreControl | None:
    """Return the control of a parsed custom id; None if it belongs to a feature, or to another version."""
    word = control.action.partition(":")[0]
    if control.kind == "f" and len(values) == 1 and custom_ids.instant_move(values[0]):
        return table[STEP_MOVE]
    return table.get(f"{control.kind}:{word}") or table.get(control.kind)


def core_controls(actions: TableActions, first_steps: FirstSteps) -> dict[str, CoreControl]:
    """Return the controls by the kind of their custom ids, or by kind and word; see `custom_ids`."""
    return (
        _hand_controls(actions.hands)
        | _lobby_controls(actions)
        | _table_controls(actions)
        | _other_controls(actions, first_steps)
    )


def _hand_controls(hands: HandActions) -> dict[str, CoreControl]:
    def move(notation: Callable[[custom_ids.Control, Values], str]) -> CoreControl:
        return _about(
            DUE,
            lambda reply, visit, control, values: hands.make_move(
                reply, visit, control.decision, notation(control, values)
            ),
            edits=True,
            changes_match=True,
        )

    def step(act: Callable[[InteractionReply, Visit, int, str], Awaitable[None]], *, is_picked: bool) -> CoreControl:
        return _about(
            DUE,
            lambda reply, visit, control, values: act(
                reply, visit, control.decision, custom_ids.only_value(values) if is_picked else control.rest
            ),
            edits=True,
        )

    return {
        "m": move(lambda control, values: control.rest),
        "s": move(lambda control, values: custom_ids.only_value(values)),
        STEP_MOVE: move(lambda control, values: custom_ids.instant_move(custom_ids.only_value(values))),
        "c": step(hands.ask_confirmation, is_picked=False),
        "p": _about(
            DUE,
            lambda reply, visit, control, values: hands.show_picks(
                reply, visit, control.decision, " ".join((control.rest, *custom_ids.picked(values)))
            ),
            edits=True,
        ),
        "o": step(hands.tap_pick, is_picked=False),
        "f": step(hands.show_step, is_picked=True),
        "n": step(hands.show_step, is_picked=False),
        "g": step(hands.show_step, is_picked=False),
    }


def _lobby_controls(actions: TableActions) -> dict[str, CoreControl]:
    lobbies = actions.lobbies

    async def choose_option(reply: InteractionReply, visit: Visit, control: custom_ids.Control, values: Values) -> None:
        option, _, value = control.rest.partition("=")
        await lobbies.choose_option(reply, visit, option, value or " ".join(values))

    pages = range(1, MAX_PAGES + 1)
    levels = {f"t:computer-{level}": partial(lobbies.add_computers, level=level) for level in LEVELS}
    return {
        "v": _about(LOBBY_HOST, choose_option, edits=True, changes_match=True),
        "b": _about(
            LOBBY_HOST,
            lambda reply, visit, control, values: lobbies.start_match(reply, visit, control.rest),
            edits=True,
            changes_match=True,
        ),
        "t:join": _act(NEWCOMER, actions.join, edits=True, changes_match=True),
        "t:start": _act(LOBBY_HOST, lobbies.start_match, edits=True, changes_match=True),
        "t:options": _act(lobbies.options_access, lobbies.show_options),
        **{
            f"t:options-{page}": _act(lobbies.options_access, partial(lobbies.show_options, page=page), edits=True)
            for page in pages
        },
        "t:chosen": _act(CHOSEN, lobbies.show_chosen_options),
        "t:computers": _act(lobbies.computers_access, lobbies.show_computers),
        "t:no-computer": _act(LOBBY_HOST, lobbies.remove_computer, edits=True, changes_match=True),
        **{name: _act(LOBBY_HOST, add, edits=True, changes_match=True) for name, add in levels.items()},
        "t:cancel-ask": _act(LOBBY_HOST, actions.ask_cancel, edits=True, is_in_menu=True),
        "t:cancel": _act(LOBBY_HOST, actions.cancel, edits=True, is_in_menu=True, changes_match=True),
        "t:again": _act(REMATCH, lobbies.play_again, posts=True),
    }


def _table_controls(actions: TableActions) -> dict[str, CoreControl]:
    async def hand_over_host(
        reply: InteractionReply, visit: Visit, control: custom_ids.Control, values: Values
    ) -> None:
        user = custom_ids.only_value(values)
        await actions.hand_over_host(reply, visit, int(user) if user.isdecimal() else 0)

    leave_to_computer = partial(actions.leave, level=SUBSTITUTE_LEVEL)
    return {
        "t:leave": _act(LEAVING, actions.leave, edits=True, is_in_menu=True, changes_match=True),
        "t:leave-on": _act(LEAVING, leave_to_computer, edits=True, is_in_menu=True, changes_match=True),
        "t:leave-ask": _act(SEATED, actions.ask_leave, edits=True, is_in_menu=True),
        "t:keep": _act(
            READERS, partial(actions.say_in_menu, text="The match stays as it is."), edits=True, is_in_menu=True
        ),
        "t:hand": _act(SEATED, actions.hands.show_hand),
        "t:here": _act(PLAYING, actions.return_to_seat, edits=True),
        "t:back": _act(SEATED, actions.hands.back_to_hand, edits=True),
        "t:return": _act(SEATED, actions.hands.redraw_hand, edits=True),
        "t:sheet": _act(READERS, actions.show_score_sheet),
        "t:sheet-words": _act(READERS, actions.show_sheet_in_words, edits=True),
        "t:record": _act(RECORD, actions.match_list.show_record),
        "t:words": _act(READERS, actions.show_in_words),
        "t:rule": _act(READERS, actions.rulebook.show_current_rule),
        "t:minute": _act(READERS, actions.rulebook.show_rules),
        "t:rules": _act(READERS, actions.rulebook.show_rules),
        "t:status": _act(READERS, actions.show_status),
        "t:more": _act(READERS, actions.show_menu),
        "t:seat": _act(SEAT_TAKER, actions.take_seat, edits=True, is_in_menu=True, changes_match=True),
        "t:stop": _act(VOTER, actions.vote_to_end, edits=True, is_in_menu=True, changes_match=True),
        "t:stop-ask": _act(VOTER, actions.ask_stop, edits=True, is_in_menu=True),
        "t:settings": _about(READERS, lambda reply, visit, control, values: actions.settings.show_settings(reply)),
        "t:host": _about(HOST, hand_over_host, edits=True, is_in_menu=True, changes_match=True),
    }


def _other_controls(actions: TableActions, first_steps: FirstSteps) -> dict[str, CoreControl]:
    def find_game(key: str) -> AnyGame:
        if key not in actions.matches.games:
            raise RequestRefused("I no longer have that game.")
        return actions.matches.games[key]

    async def turn_rules(reply: InteractionReply, control: custom_ids.Control, values: Values) -> None:
        key, _, turned_page = control.rest.partition(":")
        part = turned_page or custom_ids.only_value(values)
        await actions.rulebook.turn_page(reply, find_game(key), int(part) if part.isdecimal() else 0)

    async def show_rule(reply: InteractionReply, control: custom_ids.Control, values: Values) -> None:
        key, _, rule = control.rest.partition(":")
        await actions.rulebook.show_rule(reply, find_game(key), rule)

    async def change_own_setting(reply: InteractionReply, control: custom_ids.Control, values: Values) -> None:
        name, _, value = control.rest.partition("=")
        await actions.settings.change_setting(reply, name, value or custom_ids.only_value(values))

    async def change_server_setting(reply: InteractionReply, control: custom_ids.Control, values: Values) -> None:
        name, _, value = control.rest.partition("=")
        await actions.servers.change_setting(reply, name, [value] if value else values)

    async def handle_own_data(reply: InteractionReply, control: custom_ids.Control, values: Values) -> None:
        what, _, number = control.rest.partition(":")
        await actions.privacy.handle_press(reply, what, int(number or 0))

    return {
        "r": _apart(ANYBODY, turn_rules, edits=True),
        "u": _apart(ANYBODY, show_rule),
        "l": _apart(
            ANYBODY,
            lambda reply, control, values: actions.match_list.show_matches(reply, int(control.rest)),
            edits=True,
        ),
        "y": _apart(ANYBODY, change_own_setting, edits=True),
        "h": _apart(Access(Who.MANAGER), change_server_setting, edits=True),
        "i": _apart(ANYBODY, first_steps.handle_control, edits=True),
        f"i:{OPEN}": _apart(Access(Who.IN_SERVER), first_steps.open_table, is_public=True),
        "q": _apart(Access(Who.ABOUT_SELF), handle_own_data, edits=True),
    }


def _apart(access: Access, answer: Answer, **options: bool) -> CoreControl:
    """Return a control that is about no match."""
    return CoreControl(lambda reply, visit, control, values: answer(reply, control, values), access, **options)


def _about(access: Access, answer: MatchAnswer, **options: bool) -> CoreControl:
    """Return a control of a match."""

    async def answer_visit(
        reply: InteractionReply, visit: Visit | None, control: custom_ids.Control, values: Values
    ) -> None:
        assert visit is not None, "its custom id names a match"
        await answer(reply, visit, control, values)

    return CoreControl(answer_visit, access, **options)


def _act(access: Access, act: TableAction, **options: bool) -> CoreControl:
    """Return a control that needs only its match."""
    return _about(access, lambda reply, visit, control, values: act(reply, visit), **options)
