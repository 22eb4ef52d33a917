"""Clips of finished matches: drawn in the background, shown privately, and posted."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from cogs.features.clips.clip_frames import WHOLE_MATCH, Clip, make_clip
from cogs.features.clips.clip_pages import SECTION, clip_page, parse_section, posted_page
from cogs.table.actions.rights import FINISHED, NOT_OVER, Access, Phase, Who, has_played
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Press
from cogs.table.state.person_shares import RequestsAtOnce, count_post, long_turn
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.player_names import clean_name
from engines.hosting.match import RequestRefused
from engines.store.match_store import MatchInfo, SavedMatch, Status
from worker_pool.fair_queue import Person
from worker_pool.pool import JobFailed

HOUR = 3600  # seconds
MAX_PER_HOUR = 10  # clips that are drawn for a person, and clips that they post
MAX_CACHED_BYTES = 16 << 20
JOB_SECONDS = 10.0  # of processor time, after which a worker is ended; a clip limits itself to one second
FAILED = "I could not make this clip. Please try again later."
POSTER = Access(Who.PLAYED, Phase.OVER, not_you="Only players of this match can post its clips.", not_now=NOT_OVER)


class ClipActions:
    """Requests for clips. Anyone who may see a finished match sees them; its players may post them."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._matches = actions.matches
        self._cache = ClipCache()
        self._at_once = RequestsAtOnce(1, "I am still making a clip for you. Please wait for it.")
        self._drawn, self._posted = HourlyLimit(actions.clock.now), HourlyLimit(actions.clock.now)

    async def open_clips(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Show the clip of the whole match to the user alone."""
        await self._show_clip(reply, visit, WHOLE_MATCH)

    async def pick_clip(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Show the clip of the section that was picked in the list."""
        await self._show_clip(reply, visit, parse_section(values))

    async def _show_clip(self, reply: InteractionReply, visit: Visit, chosen: int) -> None:
        clip = await self._find_clip(reply, visit.info, chosen)
        await self._show(reply, visit.info, clip, chosen, can_post=has_played(visit))

    async def post_clip(self, reply: InteractionReply, visit: Visit, section: str, values: Sequence[str]) -> None:
        """Post a clip where the match was played, and say so in the private message."""
        info, chosen = visit.info, int(section)
        clip = await self._find_clip(reply, info, chosen)
        user = visit.member(reply.interaction)
        count_post()
        title = self._matches.lookup.game_title(info.game)
        page = posted_page(title, info.id, clip, chosen, clean_name(user.display_name))
        message = reply.interaction.message
        # Pressing twice in one private message posts once.
        nonce = f"{message.id if message else reply.click_id}-{chosen}"
        with self._posted.counted(user.id, f"You can post {MAX_PER_HOUR} clips an hour. Please try again later."):
            channel, _ = await self._actions.context.post_where_played(info, page, nonce)
        reply.is_saved = True
        await self._show(reply, info, clip, chosen, can_post=False, note=f"Posted in <#{channel}>.")

    async def _show(
        self,
        reply: InteractionReply,
        info: MatchInfo,
        clip: Clip,
        chosen: int,
        *,
        can_post: bool,
        note: str = "",
    ) -> None:
        title = self._matches.lookup.game_title(info.game)
        page = clip_page(info, title, clip, chosen, can_post=can_post, note=note)
        await reply.show_page(page)

    async def _find_clip(self, reply: InteractionReply, info: MatchInfo, chosen: int) -> Clip:
        """Return a clip from the cache, or draw it. Raises RequestRefused if the match or the user may not have it."""
        clip, user = self._cache.find(info, chosen), reply.interaction.user.id
        if clip is None:
            async with long_turn():
                saved = await self._matches.records.load_moves(info.id)
            with self._at_once.count(user, reply.click_id):
                self._drawn.count(
                    user, f"I can make at most {MAX_PER_HOUR} clips an hour for you. Please try again later."
                )
                await reply.acknowledge()
                clip = await self._draw_clip(user, saved, chosen)
            self._cache.add(info, chosen, clip)
        return clip

    async def _draw_clip(self, user: int, saved: SavedMatch, chosen: int) -> Clip:
        key = saved.info.game
        game, screen, layouts = self._matches.games[key], self._actions.screens[key], self._actions.layouts[key]
        try:
            clip = await self._actions.worker_pool.run_in_background(
                Person(user), make_clip, game, screen, layouts, saved, chosen, seconds=JOB_SECONDS
            )
        except JobFailed:
            raise RequestRefused(FAILED) from None
        if clip is None:
            raise RequestRefused("There is no such clip. Please choose from what the list offers.")
        return clip


class HourlyLimit:
    """Counts what each person requested within the last hour, in memory alone."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._times: OrderedDict[int, deque[int]] = OrderedDict()  # by user, those who asked last at the end

    def count(self, user: int, complaint: str) -> None:
        """Count a request. Raises RequestRefused with the complaint if it is one too many."""
        now = self._clock()
        while self._times and next(iter(self._times.values()))[-1] <= now - HOUR:
            self._times.popitem(last=False)
        times = self._times.setdefault(user, deque())
        while times and times[0] <= now - HOUR:
            times.popleft()
        if len(times) >= MAX_PER_HOUR:
            raise RequestRefused(complaint)
        times.append(now)
        self._times.move_to_end(user)

    @contextmanager
    def counted(self, user: int, complaint: str) -> Iterator[None]:
        """Count a request unless it fails. Raises RequestRefused with the complaint if it is one too many."""
        self.count(user, complaint)
        try:
            yield
        except BaseException:
            times = self._times[user]
            times.pop()
            if not times:
                del self._times[user]
            raise


class ClipCache:
    """The clips that were drawn last, up to a number of bytes."""

    def __init__(self, most_bytes: int = MAX_CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._clips: OrderedDict[tuple[str, int], tuple[MatchInfo, Clip]] = OrderedDict()
        self._bytes = 0

    def find(self, info: MatchInfo, chosen: int) -> Clip | None:
        """Return a clip with the names from `info`, if it is cached."""
        known, clip = self._clips.get((info.id, chosen), (None, None))
        if known != info:  # somebody in it was forgotten since
            return None
        self._clips.move_to_end((info.id, chosen))
        return clip

    def add(self, info: MatchInfo, chosen: int, clip: Clip) -> None:
        """Keep a clip, and drop those that were not used for longest."""
        _, replaced = self._clips.pop((info.id, chosen), (None, None))
        self._clips[info.id, chosen] = info, clip
        self._bytes += len(clip.content) - (len(replaced.content) if replaced else 0)
        while self._bytes > self._most_bytes:
            _, (_, dropped) = self._clips.popitem(last=False)
            self._bytes -= len(dropped.content)


class ClipsUI(FeatureUI):
    """Clips: the button to those of a finished match."""

    name = "clips"
    old_controls = (
        OldControl(r"j:(?P<match>[a-z0-9]{8}):open", "open"),
        OldControl(r"j:(?P<match>[a-z0-9]{8}):pick", "pick"),
        OldControl(rf"j:(?P<match>[a-z0-9]{{8}}):post=(?P<rest>{SECTION})", "post"),
    )

    def result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button."""
        return (Press("Share", feature_id("clips", facts.snapshot.info.id, "open")),)

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button, if the match is over."""
        if facts.snapshot.info.status is Status.OVER:
            yield from (MenuEntry(MenuGroup.LOOK, 60, press) for press in self.result_presses(facts))

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, the list of sections, and the button that posts a clip."""
        own = actions.service(ClipActions)
        return (
            FeatureControl("open", own.open_clips, FINISHED, about_finished=True),
            FeatureControl("pick", own.pick_clip, FINISHED, edits=True, about_finished=True),
            FeatureControl("post", own.post_clip, POSTER, rest=SECTION, edits=True, about_finished=True, posts=True),
        )
