"""All that is shown of a match: its pages at every moment, with everything that hands lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from cogs.screens.screen import Context, Control, Picks, Screen, Step, Steps
from cogs.table.pages import hint_pages, lobby_pages, match_pages
from cogs.table.pages.menu_pages import cancelling, leaving, menu
from cogs.table.pages.page import Menu, Page, Press, Row
from cogs.table.pages.screen_layout import ANYBODY, Reader
from cogs.table.wording import narration
from cogs.table.wording.player_names import LONGEST
from engines.hosting.match import Look, Told
from engines.kit.contract import IllegalMove
from engines.store.match_store import Due, Info, Place, Seat, Status
from players import Advice
from players.review import Faced
from tests.contract.helper import Helper, Start
from tests.contract.walk import choose

MATCH = "abcd2345"
SHORT = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
LONG = (
    "A" + "_" * (LONGEST - 1),  # of nothing but what markdown wants escaped
    "ב" * LONGEST,  # from right to left
    *(f"{letter}_*Maximiliana* von und zu Hohenfels"[:LONGEST] for letter in "CDEF"),
)
"""No name is longer, in one way or another."""
OUT = 1_800_000_000  # when everybody's time runs out
RECENT = 60  # moves whose events are still told, as after a restart


@lru_cache(maxsize=64)
def looks(helper: Helper, start: Start, names: Sequence[str] = SHORT) -> tuple[Look, ...]:
    """A random match of those people at every decision and at its end, with the events that had been told by then."""
    if names != SHORT:
        seats = tuple(replace(seat, name=names[i]) for i, seat in enumerate(looks(helper, start)[0].info.seats))
        return tuple(replace(look, info=replace(look.info, seats=seats)) for look in looks(helper, start))
    game, rng = helper.game, Random(f"{start.seed} looks")
    info = Info(
        MATCH,
        game.key,
        game.version,
        game.settings.dump_json(start.options).decode(),
        Status.RUNNING,
        10,
        Place(1, 2, 3),
        tuple(Seat(10 + i, names[i]) for i in range(start.seats)),
    )
    state = helper.begin(start)
    movers: list[int] = []
    found: list[Look] = []
    told: list[Told] = []
    while True:
        going_on = bool(game.decisions(state))
        now = replace(info, moves=len(movers), status=Status.RUNNING if going_on else Status.OVER)
        recent = tuple(each for each in told if each.move > len(movers) - RECENT)
        clocks = {
            seat: Due("clock", MATCH, seat, each.number, OUT)
            for seat, each in game.decisions(state).items()
            if each.due
        }
        found.append(Look(now, game, start.options, game.copy(state), recent, tuple(movers), clocks=clocks))
        if not going_on:
            return tuple(found)
        seat, move = choose(helper, state, rng)
        movers.append(seat)
        told += [Told(len(movers), event) for event in game.play(state, seat, move)]


def screens(helper: Helper, look: Look, news: Sequence[str] | None = None) -> Iterator[tuple[str, int | None, Screen]]:
    """What a game draws at that moment: the table or the result, and the hands, each with whose eyes it is for.

    The news are those of the moment, where none are given.
    """
    view, outcome = look.view(None), look.outcome()
    for seat in (None, *range(len(look.info.seats))):
        told = context(helper, look, seat, news)
        if seat is not None:
            yield "hand", seat, hand(helper, look, seat, told)
        elif outcome is None:
            yield "table", None, helper.screen.table(view, told)
        else:
            yield "result", None, helper.screen.result(view, outcome, told)


def hand(helper: Helper, look: Look, seat: int, told: Context | None = None) -> Screen:
    """A seat's hand as its page has it."""
    decision, told = look.decisions().get(seat), told or context(helper, look, seat)
    return helper.screen.hand(look.view(seat), decision, look.moves(seat), told)


def context(helper: Helper, look: Look, seat: int | None = None, news: Sequence[str] | None = None) -> Context:
    """What a screen is told beside the view, names as they stand in a message."""
    return narration.context(look, narration.news(look, helper.screen, seat) if news is None else news)


def setting(helper: Helper) -> match_pages.Setting:
    """What pages say of the world around a match: as much as there can be, of a server with the longest name."""
    table = "https://discord.com/channels/" + "/".join(["1234567890123456789"] * 3)
    return match_pages.Setting(helper.screen, "_" * 100, table, "I may not post here. " * 10)


def everything(helper: Helper, look: Look) -> Iterator[tuple[int | None, Page]]:
    """The pages of a match at a decision, in words as well, each with whose eyes it is for (None: everybody's).

    Of those who are not asked, one by turns looks at its hand.
    """
    yield None, match_pages.table(look, setting(helper))
    yield None, match_pages.sheet(look, helper.screen)
    yield None, match_pages.words(look, None, setting(helper))
    for seat in {*look.decisions(), look.info.moves % len(look.info.seats)}:
        yield seat, match_pages.hand(look, seat, setting(helper))
        yield seat, match_pages.words(look, seat, setting(helper))
        yield from ((seat, page) for page in further(helper, look, seat))
        if seat in look.decisions():
            yield seat, hinted(helper, look, seat)


def hinted(helper: Helper, look: Look, seat: int) -> Page:
    """A hint, of which nobody has thought: the first move there is rather than the last one."""
    moves = look.moves(seat)
    advice = Advice(moves[0], moves[-1] if len(moves) > 1 else None, 12.4)
    return hint_pages.hint(look, seat, helper.screen, advice, helper.mind.unit, thought=True)


def costly(helper: Helper, looked: Sequence[Look]) -> Iterator[Page]:
    """What is said of one's decisions: of three, of none, and while that is worked out."""
    faced = [
        (Faced(1, look.decisions()[seat], look.view(seat), ""), Advice(look.moves(seat)[0], look.moves(seat)[-1], 12.4))
        for look in looked
        for seat in look.due()[:1]
    ]
    for lessons, number in ((faced[-3:], len(faced)), ([], len(faced)), ([], 0)):
        review = hint_pages.Review(tuple(lessons), number, number)
        yield hint_pages.costliest(looked[-1], helper.screen, review, helper.mind.unit)
    yield hint_pages.looking(len(faced), 34)


def around(helper: Helper, start: Start, names: Sequence[str]) -> Iterator[Page]:
    """The pages of a match that hardly differ from moment to moment: before it, paused, over, and questions."""
    screen, given, last = helper.screen, setting(helper), looks(helper, start, names)[-1]
    lobby = replace(last, state=None, told=(), movers=(), info=replace(last.info, status=Status.LOBBY, moves=0))
    paused = replace(last, info=replace(last.info, status=Status.PAUSED, reason=f"{names[0]} has left."))
    for look in (lobby, looks(helper, start, names)[0], paused, last):
        yield from (draw(look, given) for draw in (match_pages.table, match_pages.lobby, match_pages.status))
        yield from (menu(look, user, screen) for user in (*(seat.user for seat in look.info.seats), 999))
        yield from (match_pages.hand(look, seat, given) for seat in range(start.seats))
        yield leaving(look)
        yield cancelling(look)
    yield from (draw(lobby, screen) for draw in (lobby_pages.options, lobby_pages.sure))
    yield from costly(helper, looks(helper, start, names))


@lru_cache(maxsize=4)
def all_pages(helper: Helper, start: Start, names: Sequence[str], share: float = 1.0) -> tuple[Page, ...]:
    """The pages of a match, or of a share of its moments, without those that are the same."""
    rng = Random(start.seed)
    some = (look for look in looks(helper, start, names) if rng.random() < share)
    drawn = [page for look in some for _, page in everything(helper, look)]
    return tuple(dict.fromkeys([*drawn, *around(helper, start, names)]))


def worded(helper: Helper, start: Start, names: Sequence[str], share: float = 1.0) -> Iterator[Page]:
    """The hands of those who want words, and what they lead to, at a share of a match's moments."""
    rng = Random(start.seed)
    reader = Reader(words=True, new=True, several=True)
    for look in looks(helper, start, names):
        if rng.random() < share:
            for seat in range(start.seats):
                yield match_pages.hand(look, seat, setting(helper), reader)
                yield from further(helper, look, seat, reader)


def further(helper: Helper, look: Look, seat: int, reader: Reader = ANYBODY) -> Iterator[Page]:
    """What a seat's hand leads to: every step, and every list of picks with the fewest and with the most of them."""
    if seat not in look.decisions():
        return
    for keys, left in ways(hand(helper, look, seat).controls):
        if keys:
            page = match_pages.step(look, seat, setting(helper), keys, reader)
            assert page is not None, f"no step {keys}"
            yield page
        for picks in (control for control in left if isinstance(control, Picks)):
            for number in sorted({picks.least, picks.most}):
                tokens = [pick.token for pick in picks.picks[:number]]
                written = _written(look, " ".join((picks.verb, *tokens)))
                yield match_pages.ordering(look, seat, setting(helper), written, reader)


def _written(look: Look, notation: str) -> str:
    """A notation as the table writes it; what is none breaks another law."""
    try:
        return look.game.write(look.game.read(notation))
    except IllegalMove:
        return notation


def ways(
    controls: Sequence[Control], keys: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Sequence[Control]]]:
    """Every way through the steps, and the controls it leads to."""
    yield keys, controls
    for step in steps(controls):
        yield from ways(step.controls, (*keys, step.key))


def steps(controls: Sequence[Control]) -> list[Step]:
    """The lines of these lists of steps."""
    return [step for control in controls if isinstance(control, Steps) for step in control.steps]


def presses(page: Page) -> list[Press]:
    """A page's buttons."""
    return [press for row in _rows(page) if not isinstance(row.items, Menu) for press in row.items]


def menus(page: Page) -> list[Menu]:
    """A page's lists."""
    return [row.items for row in _rows(page) if isinstance(row.items, Menu)]


def _rows(page: Page) -> list[Row]:
    return [block for block in page.blocks if isinstance(block, Row)]
