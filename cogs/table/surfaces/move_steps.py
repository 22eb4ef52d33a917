"""The step that each player has reached while choosing a move, so that a redrawn hand shows the same step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cogs.table.channels import channel_access
from cogs.table.channels.table_services import TableServices
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Menu, Page, Row, text_blocks
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport.network_errors import ignore_refusal
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.errors import IllegalMove
from engines.store.surface_storage import Surface

LOST = "I restarted, so please pick again."
CHOOSES = frozenset("mcspofng")  # the kinds of controls that belong to a decision
BACK = "back"  # stands for any control that leads back to the hand, from a step or a question


@dataclass(frozen=True, slots=True)
class MoveStep:
    """A step on the way to a move: the path of keys that leads to it, or the picks so far written as a move."""

    user: int
    decision: int
    path: str = ""
    picked: str = ""

    @property
    def text(self) -> str:
        """The text form that is stored with the decision's due time; empty if it is not printable."""
        text = f"{self.decision}:{'o' if self.picked else 'g'}:{self.picked or self.path}"
        return text if text.isprintable() else ""


@dataclass(slots=True)
class Earlier:
    """A decision that was already open when this process first drew a hand of its match."""

    user: int
    decision: int
    sure: bool  # whether the stored step is known to be right
    lost: bool = False  # whether the player had picked something that is lost


def parse_step(text: str, user: int) -> MoveStep | None:
    """Parse a stored step of the player with this seat; None if the text is malformed."""
    decision, _, rest = text.partition(":")
    kind, _, rest = rest.partition(":")
    if not decision.isdecimal() or not rest:
        return None
    return MoveStep(user, int(decision), picked=rest) if kind == "o" else MoveStep(user, int(decision), rest)


def add_tap(newest: str, pressed: str) -> str:
    """Return the picks after a tap on one of their buttons, whose page may be older than the newest picks.

    A button adds one pick to those that its page shows, or takes one back. If this is no such change of the newest
    picks, a quick second tap came before the hand showed the first. It adds its pick to the newest ones.
    """
    now, wanted = newest.split(), pressed.split()
    changes = ([*now[:place], *now[place + 1 :]] for place in range(len(now)))
    if wanted[:-1] == now or wanted == now or wanted in changes or wanted[:-1] != now[: len(wanted) - 1]:
        return pressed
    return " ".join((*now, wanted[-1]))


class MoveSteps:
    """The step that each seat's hand shows. It counts as long as the hand leads there.

    The store keeps the step with the decision's due time. A single process also has it in memory, and may crash before
    it writes it. So it checks once what an older message shows. If that is further on than the stored step, the hand
    says that the picks are lost. Several processes write to the store before they answer.
    """

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._steps: dict[str, dict[int, MoveStep]] = {}
        self._earlier: dict[str, dict[int, Earlier]] = {}

    async def set_step(self, snapshot: MatchSnapshot, seat: int, step: MoveStep | None) -> None:
        """Set the step that a hand shows from now on; None means its beginning."""
        if self._services.lease.is_only_process:
            steps = await self._of(snapshot)
            steps.pop(seat, None)
            if step is not None:
                steps[seat] = step
        self._earlier.get(snapshot.info.id, {}).pop(seat, None)

    async def newest_picks(self, snapshot: MatchSnapshot, seat: int, decision: int) -> str:
        """Return the picks that a hand shows now, written as a move; empty if there are none for this decision."""
        step = (await self._of(snapshot)).get(seat)
        is_open = step is not None and (step.user, step.decision) == (snapshot.info.seats[seat].user, decision)
        return step.picked if step is not None and is_open else ""

    def forget(self, match: str) -> None:
        """Drop everything about a match from memory."""
        self._steps.pop(match, None)
        self._earlier.pop(match, None)

    async def hand_at_step(
        self,
        snapshot: MatchSnapshot,
        seat: int,
        page_context: match_pages.PageContext,
        reader: Reader,
        hand: Page,
        surface: Surface | None,
    ) -> Page:
        """A seat's hand at its current step.

        `hand` is the page at the beginning. `surface` is the hand's message, if any: it counts if the stored step may
        be out of date. Raises transient errors.
        """
        match, sits, steps = snapshot.info.id, snapshot.info.seats[seat], await self._of(snapshot)
        decision, way = snapshot.decisions().get(seat), steps.get(seat)
        if decision is None or not sits.owner_plays:
            return hand
        step_page = (
            None if way is None else await draw_in_thread(_page_if_open, snapshot, seat, page_context, reader, way)
        )
        now, earlier = (sits.user, decision.number), self._earlier.get(match, {}).get(seat)
        if earlier is None or (earlier.user, earlier.decision) != now:
            return hand if step_page is None else match_pages.as_step_of(step_page, hand)
        if not earlier.sure:
            found = _choices(await self._controls(surface), match, decision.number)
            if self._earlier.get(match, {}).get(seat) is not earlier:  # the player clicked in the meantime
                return await self.hand_at_step(snapshot, seat, page_context, reader, hand, surface)
            earlier.sure = True
            if found and not _offers(step_page, found):
                earlier.lost = BACK in found and not _offers(hand, found)
                steps.pop(seat, None)
                step_page = way = None
        if step_page is not None:
            return match_pages.as_step_of(step_page, hand)
        if way is not None and (way.user, way.decision) == now:
            earlier.lost = True  # this version of the bot has no such step
        return match_pages.as_step_of(match_pages.with_note(hand, text_blocks((LOST,))), hand) if earlier.lost else hand

    # Inside

    async def _of(self, snapshot: MatchSnapshot) -> dict[int, MoveStep]:
        """The steps of a match's hands, by seat; always read from the store if other processes answer clicks, too."""
        match, alone = snapshot.info.id, self._services.lease.is_only_process
        if alone and match in self._steps:
            return self._steps[match]
        stored = await self._services.matches.activity.load_move_steps(match)
        found = {seat: parse_step(text, snapshot.info.seats[seat].user) for seat, text in stored.items()}
        steps = {seat: way for seat, way in found.items() if way is not None}
        if match not in self._earlier:
            self._earlier[match] = {
                seat: Earlier(snapshot.info.seats[seat].user, each.number, sure=not alone)
                for seat, each in snapshot.decisions().items()
            }
        return self._steps.setdefault(match, steps) if alone else steps

    async def _controls(self, surface: Surface | None) -> list[str]:
        if surface is None or not surface.message:
            return []
        with ignore_refusal(f"Match {surface.match}: could not read a hand"):
            message = channel_access.partial_message(self._services.client, surface.channel, surface.message)
            return [*controls((await message.fetch()).components)]
        return []


def controls(components: Iterable[Any]) -> Iterator[str]:
    """The custom_ids on a message, each with the values of its lines; chosen lines are marked."""
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            lines = getattr(component, "options", ())
            yield _control(custom_id, ((line.value, line.default) for line in lines))
        yield from controls(getattr(component, "children", ()))


def offered(page: Page) -> Iterator[str]:
    """The custom_ids on a page, in the same form as `controls`."""
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
    """The hand at a step; None if it has no such step. Raises RequestRefused or IllegalMove if a pick is illegal."""
    if not step.picked:
        return match_pages.step_page(snapshot, seat, page_context, custom_ids.step_keys(step.path), reader)
    move = snapshot.game.parse_move(step.picked)
    snapshot.game.check(snapshot.state, seat, move)
    return match_pages.picks_page(snapshot, seat, page_context, snapshot.game.format_move(move), reader)


def _page_if_open(
    snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext, reader: Reader, step: MoveStep
) -> Page | None:
    """The hand at a step, if its decision is still open and still belongs to that player."""
    decision, sits = snapshot.decisions().get(seat), snapshot.info.seats[seat]
    if decision is None or decision.number != step.decision or sits.user != step.user or not sits.owner_plays:
        return None
    try:
        return page_at_step(snapshot, seat, page_context, reader, step)
    except (RequestRefused, IllegalMove):
        return None


def _offers(page: Page | None, shown_controls: set[str]) -> bool:
    """Whether a page offers the same choices as a message, or asks the question that the message shows."""
    if page is None:
        return False
    offered_controls, chosen = set(offered(page)), shown_controls - {BACK}
    return {each for each in offered_controls if each[0] in CHOOSES} == chosen or {
        f"c{each[1:]}" for each in chosen
    } <= offered_controls


def _choices(controls: Iterable[str], match: str, decision: int) -> set[str]:
    """The shown controls that belong to a decision, and `BACK` if the hand is not at its beginning."""
    read = {each: control for each in controls if (control := custom_ids.parse_control(each.partition("\n")[0]))}
    choices = {each for each, control in read.items() if control.kind in CHOOSES and control.match == match}
    if not any(read[each].decision == decision for each in choices):
        return set()
    back = any(control.kind == "g" or control.rest in ("back", "return") for control in read.values())
    return choices | ({BACK} if back else set())


def _control(custom_id: str, lines: Iterable[tuple[str, bool]]) -> str:
    return "\n".join((custom_id, *(f"{value}{' ✓' if chosen else ''}" for value, chosen in lines)))
