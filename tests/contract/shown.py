"""All that is shown of a match: its pages at every moment, with everything that hands lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from random import Random

from cogs.features.hints import hint_pages
from cogs.features.notes.feature_ui import NotesUI
from cogs.features.notes.note_pages import MAX_NOTE_LENGTH, note_line
from cogs.features.plans.feature_ui import PlansUI
from cogs.features.replays.replay_pages import replay_page, what_if_page
from cogs.features.replays.replay_place import OPEN_HANDS, TABLE, ReplayPlace
from cogs.features.replays.what_if import play_on
from cogs.screens.screen import Context, Control, GameScreen, Picks, Screen, Step, Steps
from cogs.table.pages import lobby_pages, match_pages, options_pages
from cogs.table.pages.feature_pages import Additions, FeaturePages
from cogs.table.pages.menu_pages import confirm_cancel_page, confirm_leave_page, menu_page
from cogs.table.pages.page import Block, Menu, Page, Press, PressSection, Row, Text
from cogs.table.pages.screen_layout import DEFAULT_READER, Reader
from cogs.table.state.replayed_match import ReplayedMatch
from cogs.table.wording import narration
from cogs.table.wording.player_names import MAX_NAME_LENGTH
from engines.features.notes import PLAYER_NOTES, PlayerNote
from engines.features.plans.planned_moves import PLANNED_MOVES, PlannedMove, next_decision, open_planning
from engines.features.plans.planning import CHANGED
from engines.hosting.match import MatchEvent, MatchSnapshot
from engines.kit.errors import IllegalMove
from engines.store.match_store import DueTime, MatchInfo, Move, Place, Seat, Status
from engines.store.rows import Rows
from players import Advice
from players.review import PastDecision
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.secrets import plan_match
from tests.contract.walk import choose_move
from tests.until_over import until_over

MATCH_ID = "abcd2345"
SHORT_NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
LONG_NAMES = (
    "A" + "_" * (MAX_NAME_LENGTH - 1),  # of nothing but what markdown wants escaped
    "ב" * MAX_NAME_LENGTH,  # from right to left
    *(f"{letter}_*Maximiliana* von und zu Hohenfels"[:MAX_NAME_LENGTH] for letter in "CDEF"),
)
"""No name is longer, in one way or another."""
LONG_NOTE = "*" * MAX_NOTE_LENGTH  # of nothing but what markdown wants escaped
EXPIRY = 1_800_000_000  # when everybody's time runs out
RECENT_SECONDS = 60  # moves whose events are still told, as after a restart


@lru_cache(maxsize=64)
def match_snapshots(
    helper: GameHelper, start: MatchStart, names: Sequence[str] = SHORT_NAMES
) -> tuple[MatchSnapshot, ...]:
    """A random match of those people at every decision and at its end, with the events that had been told by then."""
    if names != SHORT_NAMES:
        seats = tuple(
            replace(seat, name=names[i]) for i, seat in enumerate(match_snapshots(helper, start)[0].info.seats)
        )
        return tuple(
            replace(snapshot, info=replace(snapshot.info, seats=seats)) for snapshot in match_snapshots(helper, start)
        )
    game, rng = helper.game, Random(f"{start.seed} looks")
    info = MatchInfo(
        MATCH_ID,
        game.key,
        game.version,
        game.options_adapter.dump_json(start.options).decode(),
        Status.RUNNING,
        10,
        Place(1, 2, 3),
        tuple(Seat(10 + i, names[i]) for i in range(start.seats)),
    )
    state = helper.start_state(start)
    movers: list[int] = []
    found: list[MatchSnapshot] = []
    match_events: list[MatchEvent] = []
    for decisions in chain(until_over(game, state), ({},)):
        now = replace(info, moves=len(movers), status=Status.RUNNING if decisions else Status.OVER)
        recent = tuple(each for each in match_events if each.move > len(movers) - RECENT_SECONDS)
        clocks = {
            seat: DueTime("clock", MATCH_ID, seat, each.number, EXPIRY) for seat, each in decisions.items() if each.due
        }
        found.append(MatchSnapshot(now, game, start.options, game.copy(state), recent, tuple(movers), deadlines=clocks))
        if decisions:
            seat, move = choose_move(helper, state, rng)
            movers.append(seat)
            match_events += [MatchEvent(len(movers), event) for event in game.play(state, seat, move)]
    return tuple(found)


def drawn_screens(
    helper: GameHelper, snapshot: MatchSnapshot, sentences: Sequence[str] | None = None
) -> Iterator[tuple[str, int | None, Screen]]:
    """What a game draws at that moment: the table or the result, and the hands, each with whose eyes it is for.

    The news are those of the moment, where none are given.
    """
    view, outcome = snapshot.view(None), snapshot.outcome()
    for seat in (None, *range(len(snapshot.info.seats))):
        context = screen_context(helper, snapshot, seat, sentences)
        if seat is not None:
            yield "hand", seat, hand_screen(helper, snapshot, seat, context)
        elif outcome is None:
            yield "table", None, helper.screen.table(view, context)
        else:
            yield "result", None, helper.screen.result(view, outcome, context)


def hand_screen(helper: GameHelper, snapshot: MatchSnapshot, seat: int, context: Context | None = None) -> Screen:
    decision, context = snapshot.decisions().get(seat), context or screen_context(helper, snapshot, seat)
    return helper.screen.hand(snapshot.view(seat), decision, snapshot.moves(seat), context)


def screen_context(
    helper: GameHelper, snapshot: MatchSnapshot, seat: int | None = None, sentences: Sequence[str] | None = None
) -> Context:
    """What a screen is told beside the view, names as they stand in a message."""
    return narration.screen_context(
        snapshot, narration.narrate(snapshot, helper.screen, seat) if sentences is None else sentences
    )


def page_setting(helper: GameHelper) -> match_pages.PageContext:
    """What pages say of the world around a match: as much as there can be, of a server with the longest name."""
    table = "https://discord.com/channels/" + "/".join(["1234567890123456789"] * 3)
    return match_pages.PageContext(helper.screen, "_" * 100, table, "I may not post here. " * 10)


def all_match_pages(helper: GameHelper, snapshot: MatchSnapshot) -> Iterator[tuple[int | None, Page]]:
    """The pages of a match at a decision, in words as well, each with whose eyes it is for (None: everybody's).

    Of those who are not asked, one by turns looks at its hand.
    """
    yield None, match_pages.table_page(snapshot, page_setting(helper))
    yield None, match_pages.sheet_page(snapshot, helper.screen)
    yield None, match_pages.words_page(snapshot, None, page_setting(helper))
    for seat in {*snapshot.decisions(), snapshot.info.moves % len(snapshot.info.seats)}:
        yield seat, match_pages.hand_page(snapshot, seat, page_setting(helper))
        for reader in planning_readers(helper, snapshot, seat):
            yield seat, match_pages.hand_page(snapshot, seat, page_setting(helper), reader)
        yield seat, match_pages.words_page(snapshot, seat, page_setting(helper))
        yield from ((seat, page) for page in hand_follow_ups(helper, snapshot, seat))
        if seat in snapshot.decisions():
            yield seat, hint_page(helper, snapshot, seat)


def planning_readers(
    helper: GameHelper, snapshot: MatchSnapshot, seat: int, reader: Reader = DEFAULT_READER
) -> Iterator[Reader]:
    """Readers who can plan a move, have planned the last one they can, under each condition, and had it dropped."""
    planning, user = open_planning(snapshot, seat), snapshot.info.seats[seat].user
    if planning is None:
        return
    view, plans = snapshot.view(seat), list[PlannedMove]()
    move = planning.moves(view)[-1]
    for condition in planning.conditions(view, move):
        notation, situation = snapshot.game.format_move(move), planning.situation(view)
        plans.append(PlannedMove(snapshot.info.id, user, next_decision(snapshot, seat), notation, condition, situation))
    for rows in ((), *((plan,) for plan in plans), (replace(plans[-1], dropped=CHANGED),)):
        own = Additions(((PlansUI(), Rows(((PLANNED_MOVES, rows),))),), user)
        line = own.best_at(FeaturePages.hand_line, snapshot, helper.screen)
        lines = reader.lines if line is None else (line,)
        yield replace(reader, lines=lines, rows=own.at(FeaturePages.hand_rows, snapshot, helper.screen))


def hint_page(helper: GameHelper, snapshot: MatchSnapshot, seat: int) -> Page:
    """A hint, of which nobody has thought: the first move there is rather than the last one."""
    moves = snapshot.moves(seat)
    advice = Advice(moves[0], moves[-1] if len(moves) > 1 else None, 12.4)
    return hint_pages.hint_page(snapshot, seat, helper.screen, advice, helper.player_model.unit, was_searched=True)


def review_pages(helper: GameHelper, snapshots: Sequence[MatchSnapshot]) -> Iterator[Page]:
    """What is said of one's decisions: of three, of none, and while that is worked out."""
    faced = [
        (
            PastDecision(1, snapshot.decisions()[seat], snapshot.view(seat), ""),
            Advice(snapshot.moves(seat)[0], snapshot.moves(seat)[-1], 12.4),
        )
        for snapshot in snapshots
        for seat in snapshot.due_seats()[:1]
    ]
    for lessons, number in ((faced[-3:], len(faced)), ([], len(faced)), ([], 0)):
        review = hint_pages.Review(tuple(lessons), number, number)
        yield hint_pages.review_page(snapshots[-1], helper.screen, review, helper.player_model.unit)
    yield hint_pages.review_started_page(len(faced), 34)


def other_pages(helper: GameHelper, start: MatchStart, names: Sequence[str]) -> Iterator[Page]:
    """The pages of a match that hardly differ from moment to moment: before it, paused, over, and questions."""
    screen, given, last = helper.screen, page_setting(helper), match_snapshots(helper, start, names)[-1]
    lobby = replace(last, state=None, events=(), movers=(), info=replace(last.info, status=Status.LOBBY, moves=0))
    paused = replace(last, info=replace(last.info, status=Status.PAUSED, reason=f"{names[0]} has left."))
    for snapshot in (lobby, match_snapshots(helper, start, names)[0], paused, last):
        yield from (
            draw(snapshot, given) for draw in (match_pages.table_page, match_pages.lobby_page, match_pages.status_page)
        )
        yield from (
            menu_page(snapshot, user, screen, noted_additions(snapshot.info.id, user))
            for user in (*(seat.user for seat in snapshot.info.seats), 999)
        )
        with_note = Reader(lines=(note_line(LONG_NOTE),))
        yield from (match_pages.hand_page(snapshot, seat, given, with_note) for seat in range(start.seats))
        yield confirm_leave_page(snapshot)
        yield confirm_cancel_page(snapshot)
    yield from options_pages_of(lobby, screen)
    yield lobby_pages.confirm_start_page(lobby, screen)
    yield from review_pages(helper, match_snapshots(helper, start, names))


def options_pages_of(lobby: MatchSnapshot, screen: GameScreen) -> list[Page]:
    """The presets and the options of each group that the game has."""
    numbers = range(1, len(options_pages.PAGE_TITLES) + 1)
    return list(dict.fromkeys(options_pages.options_page(lobby, screen, page=number) for number in numbers))


@lru_cache(maxsize=4)
def distinct_pages(helper: GameHelper, start: MatchStart, names: Sequence[str], share: float = 1.0) -> tuple[Page, ...]:
    """The pages of a match, or of a share of its moments, without those that are the same."""
    rng = Random(start.seed)
    some = (snapshot for snapshot in match_snapshots(helper, start, names) if rng.random() < share)
    drawn = [page for snapshot in some for _, page in all_match_pages(helper, snapshot)]
    return tuple(dict.fromkeys([*drawn, *other_pages(helper, start, names)]))


def worded_hands(helper: GameHelper, start: MatchStart, names: Sequence[str], share: float = 1.0) -> Iterator[Page]:
    """The hands of those who want words, and what they lead to, at a share of a match's moments."""
    rng = Random(start.seed)
    reader = Reader(words=True, has_several_tables=True, lines=(note_line(LONG_NOTE),))
    for snapshot in match_snapshots(helper, start, names):
        if rng.random() < share:
            for seat in range(start.seats):
                yield match_pages.hand_page(snapshot, seat, page_setting(helper), reader)
                for planner in planning_readers(helper, snapshot, seat, reader):
                    yield match_pages.hand_page(snapshot, seat, page_setting(helper), planner)
                yield from hand_follow_ups(helper, snapshot, seat, reader)


def hand_follow_ups(
    helper: GameHelper, snapshot: MatchSnapshot, seat: int, reader: Reader = DEFAULT_READER
) -> Iterator[Page]:
    """What a seat's hand leads to: every step, and every list of picks with the fewest and with the most of them."""
    if seat not in snapshot.decisions():
        return
    for keys, left in step_paths(hand_screen(helper, snapshot, seat).controls):
        if keys:
            page = match_pages.step_page(snapshot, seat, page_setting(helper), keys, reader)
            assert page is not None, f"no step {keys}"
            yield page
        for picks in (control for control in left if isinstance(control, Picks)):
            for number in sorted({picks.least, picks.most}):
                tokens = [pick.token for pick in picks.picks[:number]]
                written = _written_notation(snapshot, " ".join((picks.verb, *tokens)))
                yield match_pages.picks_page(snapshot, seat, page_setting(helper), written, reader)


def _written_notation(snapshot: MatchSnapshot, notation: str) -> str:
    """A notation as the table writes it; what is none breaks another law."""
    try:
        return snapshot.game.format_move(snapshot.game.parse_move(notation))
    except IllegalMove:
        return notation


def step_paths(
    controls: Sequence[Control], keys: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Sequence[Control]]]:
    """Every way through the steps, and the controls it leads to."""
    yield keys, controls
    for step in step_lines(controls):
        yield from step_paths(step.controls, (*keys, step.key))


def step_lines(controls: Sequence[Control]) -> list[Step]:
    return [step for control in controls if isinstance(control, Steps) for step in control.steps]


def replayed_match(helper: GameHelper, start: MatchStart, names: Sequence[str] = SHORT_NAMES) -> ReplayedMatch:
    """A random match of those people that was played to its end."""
    game, options = helper.game, helper.game.options_adapter.dump_json(start.options).decode()
    seats = tuple(Seat(10 + i, names[i]) for i in range(start.seats))
    plan = plan_match(helper, start, 0)
    info = MatchInfo(MATCH_ID, game.key, game.version, options, Status.OVER, 10, Place(1, 2, 3), seats, moves=len(plan))
    rows = [Move(n, step.seat, 0, game.format_move(step.move), 10 + step.seat) for n, step in enumerate(plan, 1)]
    return ReplayedMatch(game, info, game, helper.start_state(start), rows)


def replay_places(match: ReplayedMatch, share: float) -> Iterator[ReplayPlace]:
    """Every view of a share of a match's moments, alone and together, and “what if” at them; the ends always."""
    rng, seats = Random(str(match.last)), len(match.info.seats)
    for moment in range(match.last + 1):
        if moment in (0, match.last) or rng.random() < share:
            place = ReplayPlace(MATCH_ID, moment, leader=rng.choice((0, 2**63 - 1)), hides_length=rng.random() < 0.5)
            yield from (replace(place, view=view) for view in (TABLE, OPEN_HANDS, *map(str, range(seats))))
            if moment < match.last:
                yield replace(place, what_if=())
                yield play_on(match, replace(place, what_if=()))


def replay_pages_of(helper: GameHelper, match: ReplayedMatch, place: ReplayPlace) -> Iterator[Page]:
    """What is shown of a finished match at a place, to readers of pictures and of words."""
    for reader in (DEFAULT_READER, Reader(words=True)):
        if place.what_if is None:
            yield replay_page(match, place, helper.screen, reader)
        else:
            yield from (what_if_page(match, place, helper.screen, reader, lists) for lists in (0, 1))


def page_buttons(page: Page) -> list[Press]:
    beside = [(block.press,) if isinstance(block, PressSection) else _row_presses(block) for block in page.blocks]
    return [press for presses in beside for press in presses]


def page_text(page: Page) -> str:
    """All words of a page that are on no control."""
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text | PressSection))


def _row_presses(block: Block) -> Sequence[Press]:
    return block.items if isinstance(block, Row) and not isinstance(block.items, Menu) else ()


def page_menus(page: Page) -> list[Menu]:
    return [block.items for block in page.blocks if isinstance(block, Row) and isinstance(block.items, Menu)]


def noted_additions(match: str, user: int) -> Additions:
    """What the longest note adds to its writer's pages."""
    rows = Rows(((PLAYER_NOTES, (PlayerNote(match, user, LONG_NOTE),)),))
    return Additions(((NotesUI(), rows),), user)
