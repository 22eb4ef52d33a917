"""How far people have come on the way to a move: where their hand is shown anew, it takes them there again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import discord

from cogs.table.channels import channel_access
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Menu, Page, Row, texts
from cogs.table.pages.page_drawing import drawn
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.server_lease import Held
from cogs.table.transport.network_errors import passing
from engines.hosting.match import Look, Refused
from engines.hosting.matches import Matches
from engines.kit.contract import IllegalMove
from engines.store.surface_storage import Surface

LOST = "I restarted, so please pick again."
CHOOSES = frozenset("mcspofng")  # the kinds of controls that belong to a decision
BACK = "back"  # stands for whatever leads back to the hand, from a step or a question


@dataclass(frozen=True, slots=True)
class Way:
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


def read(text: str, user: int) -> Way | None:
    """The way that a text is of, as whoever sits there has gone it."""
    decision, _, rest = text.partition(":")
    kind, _, rest = rest.partition(":")
    if not decision.isdecimal() or not rest:
        return None
    return Way(user, int(decision), picked=rest) if kind == "o" else Way(user, int(decision), rest)


class Ways:
    """Where each seat's hand stands, unless it is at its beginning. It counts as long as the hand leads there.

    The store keeps it with the call that the decision awaits. One process alone also has it in memory, and may die
    before the store is told. So it looks once at what a message shows that was there before it: if that is further on
    than the store knows, the hand says that the picks are lost. Several processes tell the store before they answer.
    """

    def __init__(self, client: discord.Client, matches: Matches, held: Held) -> None:
        self._client = client
        self._matches = matches
        self._held = held
        self._ways: dict[str, dict[int, Way]] = {}
        self._earlier: dict[str, dict[int, Earlier]] = {}

    async def go(self, look: Look, seat: int, way: Way | None) -> None:
        """The hand stands there from now on; None: at its beginning."""
        if self._held.alone:
            ways = await self._of(look)
            ways.pop(seat, None)
            if way is not None:
                ways[seat] = way
        self._earlier.get(look.info.id, {}).pop(seat, None)

    def forget(self, match: str) -> None:
        """Keep nothing of a match in memory."""
        self._ways.pop(match, None)
        self._earlier.pop(match, None)

    async def along(
        self,
        look: Look,
        seat: int,
        setting: match_pages.Setting,
        reader: Reader,
        hand: Page,
        shown: Surface | None,
    ) -> Page:
        """A seat's hand where it stands, in place of its beginning.

        `shown` is the message that is kept up to date, if any: it counts where the store may not know. Raises what
        passes by itself.
        """
        match, sits, ways = look.info.id, look.info.seats[seat], await self._of(look)
        decision, way = look.decisions().get(seat), ways.get(seat)
        if decision is None or not sits.present:
            return hand
        there = None if way is None else await drawn(_open, look, seat, setting, reader, way)
        now, earlier = (sits.user, decision.number), self._earlier.get(match, {}).get(seat)
        if earlier is None or (earlier.user, earlier.decision) != now:
            return hand if there is None else match_pages.midway(there, hand)
        if not earlier.sure:
            found = _choices(await self._controls(shown), match, decision.number)
            if self._earlier.get(match, {}).get(seat) is not earlier:  # somebody has tapped meanwhile
                return await self.along(look, seat, setting, reader, hand, shown)
            earlier.sure = True
            if found and not _offers(there, found):
                earlier.lost = BACK in found and not _offers(hand, found)
                ways.pop(seat, None)
                there = way = None
        if there is not None:
            return match_pages.midway(there, hand)
        if way is not None and (way.user, way.decision) == now:
            earlier.lost = True  # this version of the bot does not lead there
        return match_pages.midway(match_pages.noted(hand, texts((LOST,))), hand) if earlier.lost else hand

    # Inside

    async def _of(self, look: Look) -> dict[int, Way]:
        """Where the hands of a match stand, by seat; where others answer clicks, too, the store alone knows."""
        match, alone = look.info.id, self._held.alone
        if alone and match in self._ways:
            return self._ways[match]
        kept = await self._matches.ways(match)
        found = {seat: read(text, look.info.seats[seat].user) for seat, text in kept.items()}
        ways = {seat: way for seat, way in found.items() if way is not None}
        if match not in self._earlier:
            self._earlier[match] = {
                seat: Earlier(look.info.seats[seat].user, each.number, sure=not alone)
                for seat, each in look.decisions().items()
            }
        return self._ways.setdefault(match, ways) if alone else ways

    async def _controls(self, shown: Surface | None) -> list[str]:
        """What can be clicked on a message, where it is still there."""
        if shown is None or not shown.message:
            return []
        try:
            message = await channel_access.partial(self._client, shown.channel, shown.message).fetch()
        except discord.HTTPException as error:
            if passing(error):
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


def page(look: Look, seat: int, setting: match_pages.Setting, reader: Reader, way: Way) -> Page | None:
    """The hand there; None where it offers no such step. Raises Refused and IllegalMove for what cannot be picked."""
    if not way.picked:
        return match_pages.step(look, seat, setting, custom_ids.keys(way.path), reader)
    move = look.game.read(way.picked)
    look.game.check(look.state, seat, move)
    return match_pages.ordering(look, seat, setting, look.game.write(move), reader)


def _open(look: Look, seat: int, setting: match_pages.Setting, reader: Reader, way: Way) -> Page | None:
    """The same, as long as that decision is open, and theirs."""
    decision, sits = look.decisions().get(seat), look.info.seats[seat]
    if decision is None or decision.number != way.decision or sits.user != way.user or not sits.present:
        return None
    try:
        return page(look, seat, setting, reader, way)
    except (Refused, IllegalMove):
        return None


def _offers(page: Page | None, shown: set[str]) -> bool:
    """Whether a page offers what a message does, or asks the question that this message is."""
    if page is None:
        return False
    there, chosen = set(offered(page)), shown - {BACK}
    return {each for each in there if each[0] in CHOOSES} == chosen or {f"c{each[1:]}" for each in chosen} <= there


def _choices(shown: Iterable[str], match: str, decision: int) -> set[str]:
    """What of that belongs to a decision; with `BACK`, where it is no hand at its beginning."""
    read = {each: control for each in shown if (control := custom_ids.read(each.partition("\n")[0]))}
    choices = {each for each, control in read.items() if control.kind in CHOOSES and control.match == match}
    if not any(read[each].decision == decision for each in choices):
        return set()
    back = any(control.kind == "g" or control.rest in ("back", "return") for control in read.values())
    return choices | ({BACK} if back else set())


def _control(custom_id: str, lines: Iterable[tuple[str, bool]]) -> str:
    return "\n".join((custom_id, *(f"{value}{' ✓' if chosen else ''}" for value, chosen in lines)))
