"""Watching a finished match again: by oneself, together with others, and with a “what if”."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

import discord
from discord import app_commands

from cogs.features.replays import replay_pages
from cogs.features.replays.replay_place import (
    LEADER,
    OPEN_HANDS,
    OTHER_VERSION,
    PLACE,
    TABLE,
    ReplayClick,
    ReplayPlace,
    parse_click,
    parse_led_click,
)
from cogs.features.replays.what_if import acting_seat, play_on
from cogs.table.actions.rights import FINISHED, Access, Phase, Who, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.channels.channel_access import message_url
from cogs.table.commands.feature_ui import FeatureCog, FeatureControl, FeatureUI, OldControl
from cogs.table.commands.game_commands import Choices, own_match_choices, safe_autocomplete, with_reply
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Page, Press
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.scheduling.computer_turns import SUBSTITUTE_LEVEL
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import count_post, long_turn
from cogs.table.state.replayed_match import ReplayedMatch
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.replays.practice import PracticeStart, end_older_practice, start_practice
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.matches.records import NOT_PLAYED_OUT
from engines.store.match_store import MatchInfo, Status, StoreFailure

log = logging.getLogger(__name__)
NO_SUCH_MOMENT = "There is no such move in this match. Use `/motley replay` to watch it from the start."
OVER_HERE = "The match is over at this point. Go back to an earlier one."
LEADER_ONLY = "Only the person who leads this replay can do that. Press **On my own** to look around by yourself."
CACHED_MATCHES = 16  # matches; the most recently watched ones are kept
WATCHER = Access(Who.READER, Phase.OVER, not_now=NOT_PLAYED_OUT)
_PRIVATE, _LED = r"x:(?P<match>[a-z0-9]{8}):", rf"z:(?P<match>[a-z0-9]{{8}}):{LEADER}:"


class ReplayActions:
    """Requests to watch finished matches again. Nothing is stored: every control says what its message shows."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._matches = actions.matches
        self._screens = actions.screens
        self._readers = actions.surface_sync.readers
        self._replays = ReplayCache(actions.matches)

    async def open_replay(
        self, reply: InteractionReply, visit: Visit, rest: str = "", values: Sequence[str] = ()
    ) -> None:
        """Show a moment of a finished match in a new private message: that of a message for everybody, or the first."""
        place = replace(parse_click(visit.match, rest).place, what_if=None) if rest else ReplayPlace(visit.match)
        await reply.send_page(await self._draw(reply, await self._replays.replayed_match(visit.info), place))

    async def turn(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Show another place in the clicked message."""
        page = await self._next_page(reply, visit, parse_click(visit.match, rest), values)
        await reply.show_page(page)

    async def lead(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Show another place in a message for everybody, for the person who leads it.

        The clicked message proves who leads, because only the bot wrote it.
        """
        click = parse_led_click(visit.match, rest)
        if reply.interaction.user.id != click.place.leader or reply.clicked_place is None:
            raise RequestRefused(LEADER_ONLY)
        await reply.update_message(await self._next_page(reply, visit, click, values))

    async def share(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Post a message for everybody where the match was played: in its thread, or in the channel if that is gone."""
        replayed = await self._replays.replayed_match(visit.info)
        place = replace(parse_click(visit.match, rest).place, leader=reply.interaction.user.id)
        count_post()
        page = await self._draw(reply, replayed, place)
        await reply.acknowledge()
        channel, message = await self._actions.context.post_where_played(replayed.info, page, str(reply.click_id))
        url = message_url(replayed.info.place.guild, channel, message)
        await reply.send_text(f"Everybody can watch with you: {url}")

    async def play_from_here(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Open a practice match that begins at this moment, with the person in the seat that they look at.

        It takes the place of their older one. From direct messages it is opened where the match was played.
        """
        replayed, place = await self._replays.replayed_match(visit.info), parse_click(visit.match, rest).place
        _require_moment(replayed, place)
        moment, info, user = replayed.snapshot(place.moment), replayed.info, reply.interaction.user.id
        acting = acting_seat(moment)
        if acting is None:
            raise RequestRefused(OVER_HERE)
        await self._matches.lobbies.require_computers(reply.interaction.guild_id or info.place.guild)
        own = next((number for number, seat in enumerate(info.seats) if seat.user == user), acting)
        seat = own if place.seat is None else place.seat
        options = {field.name: getattr(moment.options, field.name) for field in fields(moment.options)}
        opened = await self._actions.open_lobby(
            reply, moment.game, options, {"clock": None}, practice=True, from_messages=visit
        )
        reply.is_saved = True
        start = PracticeStart(moment.state, replayed.seed, len(info.seats), seat, SUBSTITUTE_LEVEL)
        if (await self._matches.cache.get_snapshot(opened.id)).info.status is Status.LOBBY:
            await start_practice(self._matches.editor, opened.id, user, start)
        try:
            await end_older_practice(self._matches.editor, user)
        except StoreFailure as failure:  # the next one, or a day without a move, ends it
            log.warning("An older practice match goes on: %s", failure)

    async def _next_page(
        self, reply: InteractionReply, visit: Visit, click: ReplayClick, values: Sequence[str]
    ) -> Page:
        place, lists = click.place, 0
        replayed = await self._replays.replayed_match(visit.info)
        _require_moment(replayed, place)
        match click.role:
            case "section":
                place = replace(place, moment=_number(values))
            case "view":
                place = _with_view(place, values)
            case "what if":
                place = replace(place, what_if=())
            case "move":
                place = replace(place, what_if=(*(place.what_if or ()), _number(values)))
            case "play on":
                place = await draw_in_thread(play_on, replayed, place)
            case "lists":
                lists = click.number
        return await self._draw(reply, replayed, place, lists)

    async def _draw(self, reply: InteractionReply, replayed: ReplayedMatch, place: ReplayPlace, lists: int = 0) -> Page:
        """Return the page of a place. Messages for everybody have pictures, whatever the leader likes.

        Raises RequestRefused if the match has no such moment or seat.
        """
        _require_moment(replayed, place)
        screen = self._screens[replayed.info.game]
        reader = DEFAULT_READER if place.leader else await self._readers.plain_reader(reply.interaction.user.id)
        if place.what_if is None:
            return await draw_in_thread(replay_pages.replay_page, replayed, place, screen, reader)
        if acting_seat(replayed.snapshot(place.moment)) is None:
            raise RequestRefused(OVER_HERE)
        return await draw_in_thread(replay_pages.what_if_page, replayed, place, screen, reader, lists)


def _require_moment(replayed: ReplayedMatch, place: ReplayPlace) -> None:
    """Check that the match has that moment and that seat."""
    if place.moment > replayed.last or (place.seat is not None and place.seat >= len(replayed.info.seats)):
        raise RequestRefused(NO_SUCH_MOMENT)


def _number(values: Sequence[str]) -> int:
    """Return the number that was picked. Raises RequestRefused if a forged click has none."""
    if len(values) != 1 or not (values[0].isascii() and values[0].isdecimal() and len(values[0]) <= 5):
        raise RequestRefused(OTHER_VERSION)
    return int(values[0])


def _with_view(place: ReplayPlace, values: Sequence[str]) -> ReplayPlace:
    """Return the place with the view that was picked, or with the length of the match hidden or shown."""
    match [*values]:
        case [replay_pages.HIDE | replay_pages.SHOW as picked]:
            return replace(place, hides_length=picked == replay_pages.HIDE)
        case [view] if view in (TABLE, OPEN_HANDS) or (len(view) == 1 and view.isascii() and view.isdecimal()):
            return replace(place, view=view)
        case _:
            raise RequestRefused(OTHER_VERSION)


class ReplayCache:
    """The finished matches that were watched again lately."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._replayed: OrderedDict[str, ReplayedMatch] = OrderedDict()

    async def replayed_match(self, info: MatchInfo) -> ReplayedMatch:
        """Return a match that was played to its end. Raises RequestRefused for any other."""
        match, replayed = info.id, self._replayed.get(info.id)
        if replayed is None or replayed.info != info:  # somebody in it was forgotten since
            async with long_turn():
                saved = await self._matches.records.load_moves(match)
                replayed = await draw_in_thread(ReplayedMatch.from_saved, self._matches.games[info.game], saved)
        self._replayed[match] = replayed
        self._replayed.move_to_end(match)
        if len(self._replayed) > CACHED_MATCHES:
            self._replayed.popitem(last=False)
        return replayed


class ReplayCommands(FeatureCog):
    """The part of `/motley` about replays."""

    @app_commands.command(
        description="Watch a finished match again, move by move; only you can see it", extras=extras_of(WATCHER)
    )
    @app_commands.describe(match="Which finished match; leave it out for your latest one")
    @with_reply
    async def replay(self, reply: InteractionReply, match: str | None = None) -> None:
        """`replay`: show a finished match from its start."""
        visit = await self.finder.find_finished(reply.interaction, match)
        await self.actions.service(ReplayActions).open_replay(reply, visit)

    @replay.autocomplete("match")
    @safe_autocomplete
    async def _complete_finished_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.finished_matches(interaction), current)


class ReplaysUI(FeatureUI):
    """Replays: the button to that of a finished match."""

    name = "replays"
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):replay(?:=\d{1,6})?", "open"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?=o){PLACE})", "own"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?=t){PLACE})", "together"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?=p){PLACE})", "practice"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?![otp]){PLACE})", "at"),
        OldControl(rf"{_LED}(?P<rest>(?=o){PLACE})", "own"),
        OldControl(rf"z:(?P<match>[a-z0-9]{{8}}):(?P<rest>{LEADER}:(?!o){PLACE})", "led"),
    )
    motley_commands = ReplayCommands

    def result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button."""
        return (Press("Watch again", feature_id("replays", facts.snapshot.info.id, "open")),)

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button, for a match that is over."""
        return (MenuEntry(MenuGroup.LOOK, 40, press) for press in self.list_presses(facts))

    def list_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button, for a match that is over."""
        return self.result_presses(facts) if facts.snapshot.info.status is Status.OVER else ()

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, and the controls below a moment: of a private message, and of one for everybody."""
        own = actions.service(ReplayActions)
        return (
            FeatureControl("open", own.open_replay, FINISHED, about_finished=True),
            FeatureControl("at", own.turn, FINISHED, rest=PLACE, edits=True, about_finished=True),
            FeatureControl("led", own.lead, FINISHED, rest=f"{LEADER}:{PLACE}", edits=True, about_finished=True),
            FeatureControl("own", own.open_replay, FINISHED, rest=PLACE, about_finished=True),
            FeatureControl("together", own.share, FINISHED, rest=PLACE, about_finished=True, posts=True),
            FeatureControl(
                "practice", own.play_from_here, FINISHED, rest=PLACE, is_public=True, about_finished=True, posts=True
            ),
        )
