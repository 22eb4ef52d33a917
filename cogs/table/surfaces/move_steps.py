"""How far people have come on the way to a move: where their hand is shown anew, it takes them there again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import discord

from cogs.table.channels import channel_access
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Menu, Page, Row, text_blocks
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.server_lease import ServerLease
from cogs.table.transport.network_errors import is_transient
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.kit.errors import IllegalMove
from engines.store.surface_storage import Surface

LOST = "I restarted, so please pick again."
CHOOSES = frozenset("mcspofng")  # the kinds of controls that belong to a decision
BACK = "back"  # stands for whatever leads back to the hand, from a step or a question


@dataclass(frozen=True, slots=True)
class MoveStep:
    """From a decision's hand to a step, by the keys in its path; or to what somebody has picked so far, as a move."""

    user: int
    decision: int
    path: str = ""
    picked: str = ""

    @property
    def text(self) -> str:
        """By which it is kept with the decision's call."""
        text = f"{self.decision}:{'o' if self.picked else 'g'}:{self.picked or self.path}"
        return text if text.isprintable() else ""


@dataclass(slots=True)
class Earlier:
    """A decision that was open already when this process first drew a hand of its match."""

    user: int
    decision: int
    sure: bool  # whether the store knows how far its reader has come
    lost: bool = False  # whether they have come somewhere, and nobody knows where


def parse_step(text: str, user: int) -> MoveStep | None:
    """The way that a text is of, as whoever sits there has gone it."""
    decision, _, rest = text.partition(":")
    kind, _, rest = rest.partition(":")
    if not decision.isdecimal() or not rest:
        return None
    return MoveStep(user, int(decision), picked=rest) if kind == "o" else MoveStep(user, int(decision), rest)


class MoveSteps:
    """Where each seat's hand stands, unless it is at its beginning. It counts as long as the hand leads there.

    The store keeps it with the call that the decision awaits. One process alone also has it in memory, and may die
    before the store is told. So it looks once at what a message shows that was there before it: if that is further on
    than the store knows, the hand says that the picks are lost. Several processes tell the store before they answer.
    """

    def __init__(self, client: discord.Client, matches: Matches, held: ServerLease) -> None:
        self._client = client
        self._matches = matches
        self._held = held
        self._steps: dict[str, dict[int, MoveStep]] = {}
        self._earlier: dict[str, dict[int, Earlier]] = {}

    async def set_step(self, look: MatchSnapshot, seat: int, step: MoveStep | None) -> None:
        """The hand stands there from now on; None: at its beginning."""
        if self._held.is_only_process:
            ways = await self._of(look)
            ways.pop(seat, None)
            if step is not None:
                ways[seat] = step
        self._earlier.get(look.info.id, {}).pop(seat, None)

    def forget(self, match: str) -> None:
        """Keep nothing of a match in memory."""
        self._steps.pop(match, None)
        self._earlier.pop(match, None)

    async def hand_at_step(
        self,
        snapshot: MatchSnapshot,
        seat: int,
        page_context: match_pages.PageContext,
        reader: Reader,
        hand: Page,
        shown: Surface | None,
    ) -> Page:
        """A seat's hand where it stands, in place of its beginning.

        `shown` is the message that is kept up to date, if any: it counts where the store may not know. Raises what
        passes by itself.
        """
        match, sits, ways = snapshot.info.id, snapshot.info.seats[seat], await self._of(snapshot)
        decision, way = snapshot.decisions().get(seat), ways.get(seat)
        if decision is None or not sits.owner_plays:
            return hand
        there = None if way is None else await draw_in_thread(_page_if_open, snapshot, seat, page_context, reader, way)
        now, earlier = (sits.user, decision.number), self._earlier.get(match, {}).get(seat)
        if earlier is None or (earlier.user, earlier.decision) != now:
            return hand if there is None else match_pages.as_step_of(there, hand)
        if not earlier.sure:
            found = _choices(await self._controls(shown), match, decision.number)
            if self._earlier.get(match, {}).get(seat) is not earlier:  # somebody has tapped meanwhile
                return await self.hand_at_step(snapshot, seat, page_context, reader, hand, shown)
            earlier.sure = True
            if found and not _offers(there, found):
                earlier.lost = BACK in found and not _offers(hand, found)
                ways.pop(seat, None)
                there = way = None
        if there is not None:
            return match_pages.as_step_of(there, hand)
        if way is not None and (way.user, way.decision) == now:
            earlier.lost = True  # this version of the bot does not lead there
        return match_pages.as_step_of(match_pages.with_note(hand, text_blocks((LOST,))), hand) if earlier.lost else hand

    # Inside

    async def _of(self, look: MatchSnapshot) -> dict[int, MoveStep]:
        """Where the hands of a match stand, by seat; where others answer clicks, too, the store alone knows."""
        match, alone = look.info.id, self._held.is_only_process
        if alone and match in self._steps:
            return self._steps[match]
        kept = await self._matches.ways(match)
        found = {seat: parse_step(text, look.info.seats[seat].user) for seat, text in kept.items()}
        ways = {seat: way for seat, way in found.items() if way is not None}
        if match not in self._earlier:
            self._earlier[match] = {
                seat: Earlier(look.info.seats[seat].user, each.number, sure=not alone)
                for seat, each in look.decisions().items()
            }
        return self._steps.setdefault(match, ways) if alone else ways

    async def _controls(self, shown: Surface | None) -> list[str]:
        """What can be clicked on a message, where it is still there."""
        if shown is None or not shown.message:
            return []
        try:
            message = await channel_access.partial_message(self._client, shown.channel, shown.message).fetch()
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            return []
        return [*controls(message.components)]


def controls(components: Iterable[Any]) -> Iterator[str]:
    """The custom_ids on a message, each with the values of its lines; a line that is chosen says so."""
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            lines = getattr(component, "options", ())
            yield _control(custom_id, ((line.value, line.default) for line in lines))
        yield from controls(getattr(component, "children", ()))


def offered(page: Page) -> Iterator[str]:
    """The same of a page."""
    for block in page.blocks:
        if isinstance(block, Row):
            for item in (block.items,) if isinstance(block.items, Menu) else block.items:
                if isinstance(item, Menu):
                    yield _control(item.to, ((line.value, line.chosen) for line in item.lines))
                elif not item.link:
                    yield _control(item.to, ())


def page_at_step(
    snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext, reader: Reader, step: MoveStep
) -> Page | None:
    """The hand there; None where it offers no such step. Raises Refused and IllegalMove for what cannot be picked."""
    if not step.picked:
        return match_pages.step_page(snapshot, seat, page_context, custom_ids.step_keys(step.path), reader)
    move = snapshot.game.parse_move(step.picked)
    snapshot.game.check(snapshot.state, seat, move)
    return match_pages.picks_page(snapshot, seat, page_context, snapshot.game.format_move(move), reader)


def _page_if_open(
    snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext, reader: Reader, step: MoveStep
) -> Page | None:
    """The same, as long as that decision is open, and theirs."""
    decision, sits = snapshot.decisions().get(seat), snapshot.info.seats[seat]
    if decision is None or decision.number != step.decision or sits.user != step.user or not sits.owner_plays:
        return None
    try:
        return page_at_step(snapshot, seat, page_context, reader, step)
    except (RequestRefused, IllegalMove):
        return None


def _offers(page: Page | None, shown: set[str]) -> bool:
    """Whether a page offers what a message does, or asks the question that this message is."""
    if page is None:
        return False
    there, chosen = set(offered(page)), shown - {BACK}
    return {each for each in there if each[0] in CHOOSES} == chosen or {f"c{each[1:]}" for each in chosen} <= there


def _choices(shown: Iterable[str], match: str, decision: int) -> set[str]:
    """What of that belongs to a decision; with `BACK`, where it is no hand at its beginning."""
    read = {each: control for each in shown if (control := custom_ids.parse_control(each.partition("\n")[0]))}
    choices = {each for each, control in read.items() if control.kind in CHOOSES and control.match == match}
    if not any(read[each].decision == decision for each in choices):
        return set()
    back = any(control.kind == "g" or control.rest in ("back", "return") for control in read.values())
    return choices | ({BACK} if back else set())


def _control(custom_id: str, lines: Iterable[tuple[str, bool]]) -> str:
    return "\n".join((custom_id, *(f"{value}{' ✓' if chosen else ''}" for value, chosen in lines)))
