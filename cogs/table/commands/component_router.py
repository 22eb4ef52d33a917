"""Routes every click on a button, list or modal by its custom id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import discord
from discord.ext import commands

from cogs.table.actions.table_actions import TableActions
from cogs.table.deals.deal_actions import DealActions
from cogs.table.learning.first_steps import FirstSteps, opens_table
from cogs.table.learning.hand_clicks import only_value
from cogs.table.learning.lesson_actions import LessonActions
from cogs.table.learning.puzzle_actions import PuzzleActions
from cogs.table.pages import custom_ids, menu_pages, refusal_messages
from cogs.table.pages.custom_ids import Control
from cogs.table.pages.lobby_pages import MAX_OPTIONS_PAGES
from cogs.table.replaying.clip_actions import ClipActions
from cogs.table.replaying.replay_actions import ReplayActions
from cogs.table.replaying.replay_place import opens_message, opens_practice
from cogs.table.reporting.report_actions import ReportActions
from cogs.table.taking_back.take_back_actions import TakeBackActions
from cogs.table.transport.deduplication import Deduplicator
from cogs.table.transport.interaction_response import InteractionReply, reply_boundary
from cogs.table.transport.log_context import set_log_context
from cogs.table.watching.guess_actions import GuessActions
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import LIVE
from players import LEVELS

OPTIONS_ACTIONS = {f"options-{page}": page for page in range(1, MAX_OPTIONS_PAGES + 1)}
MENU_ACTIONS = frozenset({"hint", "leave", "leave-on", "leave-ask", "seat", "stop", "stop-ask", "cancel"}) | {
    *("cancel-ask", "keep", "host", "take-back", "practice"),
}
EDITING_ACTIONS = MENU_ACTIONS | {
    *("join", "start", "back", "return", "here", "no-computer", "agree", "refuse"),
    *(f"computer-{level}" for level in LEVELS),
    *OPTIONS_ACTIONS,
}
CHANGING_ACTIONS = frozenset(
    {"join", "leave", "leave-on", "start", "no-computer", "cancel", "seat", "stop", "host"}
    | {"take-back", "practice", "agree", "refuse"}
) | {f"computer-{level}" for level in LEVELS}
"""Actions that change a match or are refused, and whose answer shows only the result."""
NO_WAY_BACK = "You cannot take this seat any more: somebody else has it, or the match is over."
TableAction = Callable[[InteractionReply, str], Awaitable[None]]
AdminHandler = Callable[[InteractionReply, Control], Awaitable[None]]


class ComponentRouter(commands.Cog):
    """Handles all clicks. A custom id only routes; permissions depend on the user who clicked."""

    def __init__(
        self,
        actions: TableActions,
        lessons: LessonActions,
        puzzles: PuzzleActions,
        first_steps: FirstSteps,
        replays: ReplayActions,
        clips: ClipActions,
        deduplicator: Deduplicator,
        reports: ReportActions,
    ) -> None:
        self._actions = actions
        self._lessons = lessons
        self._puzzles = puzzles
        self._first_steps = first_steps
        self._replays = replays
        self._clips = clips
        self._deduplicator = deduplicator
        self._reports = reports
        self._guesses = GuessActions(actions.context)
        self._take_backs = TakeBackActions(actions)
        self._deals = DealActions(actions)
        self.admin_handler: AdminHandler | None = None  # answers an admin's confirmations
        self._table_actions: Mapping[str, TableAction] = {
            "join": actions.join,
            "leave": actions.leave,
            "leave-on": actions.leave_to_computer,
            "leave-ask": actions.ask_leave,
            "start": actions.lobbies.start_match,
            "options": actions.lobbies.show_options,
            **{name: partial(actions.lobbies.show_options, page=page) for name, page in OPTIONS_ACTIONS.items()},
            "computers": actions.lobbies.show_computers,
            "no-computer": actions.lobbies.remove_computer,
            **{f"computer-{level}": partial(actions.lobbies.add_computers, level=level) for level in LEVELS},
            "cancel-ask": actions.ask_cancel,
            "cancel": actions.cancel,
            "keep": actions.keep_match,
            "hand": actions.hands.show_hand,
            "here": actions.take_back_seat,
            "back": actions.hands.back_to_hand,
            "return": actions.hands.again,
            "sheet": actions.show_score_sheet,
            "record": actions.match_list.show_record,
            "replay": replays.open_replay,
            "words": actions.show_in_words,
            "hint": actions.hints.show_hint,
            "review": actions.hints.show_review,
            "rule": actions.rulebook.show_current_rule,
            "minute": self._open_rules,
            "rules": self._open_rules,
            "learn": self._open_lesson,
            "status": actions.show_status,
            "more": actions.show_menu,
            "seat": actions.take_seat,
            "stop": actions.vote_to_end,
            "stop-ask": actions.ask_stop,
            "again": actions.lobbies.play_again,
            "settings": actions.settings.show_settings,
            "note": actions.notes.open_form,
            "guess": self._guesses.show_question,
            "wrong": reports.open_form,
        }

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle a click or a submitted modal. discord.py routes commands itself."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        if not self._deduplicator.is_first(interaction.id, interaction.user.id):
            return
        data: Mapping[str, object] = interaction.data or {}
        control = custom_ids.parse_control(str(data.get("custom_id", "")))
        if control is not None:
            set_log_context(control.match, control.decision)
        table = control is not None and (opens_table(control, _selected_values(data)) or opens_practice(control))
        async with reply_boundary(
            interaction,
            self._actions.studio,
            edits=control is not None and interaction.message is not None and not table and _edits_message(control),
            public=table,
        ) as reply:
            self._actions.context.block_list.require_allowed(interaction.user.id, interaction.guild_id)
            if control is None:
                raise RequestRefused(
                    "This button belongs to an older version of me. Use `/motley matches` to continue."
                )
            values = [_written_text(data)] if _is_form(control) else _selected_values(data)
            if control.lesson is not None:
                await self._lessons.handle_control(reply, control, values)
            elif control.puzzle is not None:
                await self._puzzles.handle_control(reply, control, values)
            elif control.kind in "xz":  # of a match that is over, whose players need not be noted as active
                await self._replays.handle_control(reply, control, values)
            else:
                await self._handle_match_control(reply, control, values)
        if reply.has_responded:
            self._actions.reconciler.connectivity.note_contact()

    async def _handle_match_control(self, reply: InteractionReply, control: Control, values: list[str]) -> None:
        """Handle a control, and note that its player is there."""
        user = reply.interaction.user.id
        if control.match and (guild := self._actions.matches.server_of(control.match)):
            self._actions.context.block_list.require_allowed(user, guild)
        if control.match and control.rest != "here":
            await self._actions.return_if_away(user, control.match)
        await self._handle_control(reply, control, values)
        if control.match and not reply.is_saved and not reply.noted:
            await self._actions.context.mark_active(user, control.match)

    async def _handle_control(self, reply: InteractionReply, control: Control, values: list[str]) -> None:
        """Handle a control. What it shows or refuses is based on the store's newest state, also after foreign changes.

        Requests that change the match skip the check for newer state, because their commit detects a conflict.
        """
        moved_on = self._actions.matches.drop_if_outdated
        if control.match and not _changes_match(control, values):
            await moved_on(control.match)
        try:
            await self._route(reply, control, values)
        except (RequestRefused, IllegalMove):
            if reply.is_saved or not control.match:
                raise
            if await moved_on(control.match):
                await self._route(reply, control, values)
            elif await self._has_no_way_back(reply, control):
                await reply.update_message(menu_pages.closed_page(NO_WAY_BACK))
            else:
                raise

    async def _has_no_way_back(self, reply: InteractionReply, control: Control) -> bool:
        """Return whether the clicked farewell offers a way back into a match that its reader can no longer rejoin."""
        user, message = reply.interaction.user.id, reply.interaction.message
        if (control.kind, control.rest, reply.clicked_in_dm) != ("t", "seat", True) or message is None:
            return False
        for info in await self._actions.matches.find(user=user):
            hand = await self._actions.reconciler.surface(info.id, "hand", info.seat_of(user) or 0)
            if info.id == control.match or (hand and hand.message == message.id):
                return False  # the user has a seat there, or clicked a hand, which offers no way back
        try:
            info = (await self._actions.matches.get_snapshot(control.match)).info
        except RequestRefused:
            return True
        left = any(seat.user == user and seat.gone for seat in info.seats)
        return info.status not in LIVE or not left

    async def _route(self, reply: InteractionReply, control: Control, values: list[str]) -> None:
        if control.match:
            await self._actions.check_access(reply.interaction, control.match)
        match control.kind:
            case "m":
                await self._actions.hands.make_move(reply, control.match, control.decision, control.rest)
            case "c":
                await self._actions.hands.ask_confirmation(reply, control.match, control.decision, control.rest)
            case "s":
                await self._actions.hands.make_move(reply, control.match, control.decision, only_value(values))
            case "p":
                await self._actions.hands.show_picks(reply, control.match, control.decision, control.rest, values)
            case "o":
                await self._actions.hands.show_picks_order(reply, control.match, control.decision, control.rest)
            case "f" if notation := custom_ids.instant_move(only_value(values)):
                await self._actions.hands.make_move(reply, control.match, control.decision, notation)
            case "f" | "n" | "g":
                path = only_value(values) if control.kind == "f" else control.rest
                await self._actions.hands.show_step(reply, control.match, control.decision, path)
            case "d":
                await self._actions.hands.plan_move(
                    reply, control.match, control.decision, control.rest, only_value(values) if values else ""
                )
            case "r":
                key, _, turned = control.rest.partition(":")
                part = turned or only_value(values)
                await self._actions.rulebook.turn_page(
                    reply, self._find_game(key), int(part) if part.isdecimal() else 0
                )
            case "u":
                game, _, rule = control.rest.partition(":")
                await self._actions.rulebook.show_rule(reply, self._find_game(game), rule)
            case "v":
                option, _, value = control.rest.partition("=")
                await self._actions.lobbies.choose_option(reply, control.match, option, value or only_value(values))
            case "b":
                await self._actions.lobbies.start_match(reply, control.match, control.rest)
            case "l":
                await self._actions.match_list.show_matches(reply, int(control.rest))
            case "a":
                if self.admin_handler is not None:
                    await self.admin_handler(reply, control)
            case "y":
                name, _, value = control.rest.partition("=")
                await self._actions.settings.change_setting(reply, name, value or only_value(values))
            case "h":
                name, _, value = control.rest.partition("=")
                await self._actions.servers.change_setting(reply, name, [value] if value else values)
            case "i":
                await self._first_steps.handle_control(reply, control, values)
            case "q":
                what, _, number = control.rest.partition(":")
                await self._actions.privacy.handle_press(reply, what, int(number or 0))
            case "e":
                await self._guesses.save_guess(reply, control.match, int(control.rest), values)
            case "j":
                await self._clips.handle_control(reply, control.match, control.rest, values)
            case "w" if control.rest == "wrong":
                await self._reports.show_draft(reply, control.match, only_value(values))
            case "w" if control.rest:
                what, _, number = control.rest.partition(".")
                await self._reports.handle_press(reply, what, int(number))
            case "w":
                await self._actions.save_note(reply, control.match, only_value(values))
            case "k":
                digits = only_value(values) if not control.rest else ""
                await self._deals.handle_control(reply, control.match, control.rest, digits)
            case "t":
                await self._route_table_action(reply, control, values)

    async def _route_table_action(self, reply: InteractionReply, control: Control, values: list[str]) -> None:
        if control.action in MENU_ACTIONS:
            await self._route_menu_action(reply, control, values)
        elif action := self._find_action(control):
            await action(reply, control.match)
        else:
            raise RequestRefused("This button belongs to another version of me. Use `/motley matches` to continue.")

    def _find_action(self, control: Control) -> TableAction | None:
        """Return what a table action does; None if there is none."""
        name, number = control.action, control.number
        numbered: Mapping[str, TableAction] = {
            "take-back": partial(self._take_backs.take_back, moves=number),
            "practice": partial(self._take_backs.take_back, moves=number, accepts_practice=True),
            "agree": partial(self._take_backs.answer, move=number, agrees=True),
            "refuse": partial(self._take_backs.answer, move=number, agrees=False),
        }
        return self._table_actions.get(name) or numbered.get(name)

    async def _open_rules(self, reply: InteractionReply, match: str) -> None:
        """Show the rules of a match's game. A hand that offered them does not offer them again."""
        await self._lessons.open_rules(reply, (await self._actions.matches.get_snapshot(match)).game)

    async def _open_lesson(self, reply: InteractionReply, match: str) -> None:
        """Show the lesson of a match's game."""
        await self._lessons.open_lesson(reply, (await self._actions.matches.get_snapshot(match)).game)

    async def _route_menu_action(self, reply: InteractionReply, control: Control, values: list[str]) -> None:
        """Run a menu's action. If it is refused, show the reason in the menu with the actions that are possible now."""
        try:
            if control.rest == "host":
                user = only_value(values)
                await self._actions.hand_over_host(reply, control.match, int(user) if user.isdecimal() else 0)
            elif action := self._find_action(control):
                await action(reply, control.match)
        except RequestRefused as why:
            message = reply.interaction.message
            if message is None or not message.flags.ephemeral:
                raise
            await self._actions.say_in_menu(reply, control.match, refusal_messages.refusal_text(why))

    def _find_game(self, key: str) -> AnyGame:
        game = self._actions.matches.games.get(key)
        if game is None:
            raise RequestRefused("I no longer have that game.")
        return game


def _changes_match(control: Control, values: list[str]) -> bool:
    """Return whether a control asks for a change of the match, such as a move."""
    if control.kind == "f":
        return len(values) == 1 and bool(custom_ids.instant_move(values[0]))
    if control.kind == "k":
        return control.rest in ("", "last", "free")
    return control.kind in "msbv" or (control.kind == "t" and control.action in CHANGING_ACTIONS)


def _edits_message(control: Control) -> bool:
    """Return whether the reply edits the clicked message."""
    if control.lesson is not None or control.puzzle is not None:
        return control.rest != "play"
    if control.kind == "k":
        return control.rest in ("last", "free")
    if control.kind in "xz":
        return not opens_message(control)
    if control.kind == "j":
        return control.rest != "open"
    return control.kind in "mcspofngdrvblhyiqwe" or (control.kind == "t" and control.action in EDITING_ACTIONS)


def _selected_values(data: Mapping[str, object]) -> list[str]:
    values = data.get("values")
    return [str(value) for value in values] if isinstance(values, list) else []


def _is_form(control: Control) -> bool:
    """Return whether a control is a form, and not a button."""
    return (control.kind == "w" and control.rest in ("", "wrong")) or (control.kind == "k" and not control.rest)


def _written_text(data: Mapping[str, object]) -> str:
    """Return the text of a submitted form. Raises RequestRefused if it has none, because a form can be forged."""
    parts = data.get("components")
    for part in parts if isinstance(parts, list) else []:
        field = part.get("component") if isinstance(part, dict) else None
        if isinstance(field, dict) and field.get("custom_id") == custom_ids.FORM_FIELD:
            return str(field.get("value") or "")
    raise RequestRefused("This form belongs to another version of me. Open the current one again.")
