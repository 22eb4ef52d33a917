"""The messages of a match, drawn from a snapshot: lobby, table, hand, questions, status. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cogs.screens.control_widths import MAX_LABEL
from cogs.screens.screen import Context, GameScreen, LazyParagraphs, Screen, Step
from cogs.screens.special_cards import SpecialCard, with_effects
from cogs.screens.truncation import truncate
from cogs.screens.words import join_with_and
from cogs.table.pages import custom_ids, hand_controls, lobby_invitation, options_pages, screen_layout
from cogs.table.pages.feature_pages import NO_ADDITIONS, NO_QUESTION, Additions, FeaturePages
from cogs.table.pages.page import (
    GOLD,
    GREY,
    Block,
    Page,
    Paper,
    Press,
    Row,
    Text,
    more_press,
    press_rows,
    table_press,
    text_blocks,
)
from cogs.table.pages.screen_layout import DEFAULT_READER, Reader
from cogs.table.wording import match_words
from cogs.table.wording.how_played import how_played_text
from cogs.table.wording.narration import escape_info, narrate, narrate_briefly, screen_context
from cogs.table.wording.new_card import new_card
from cogs.table.wording.player_names import seat_name
from engines.hosting.match import MatchSnapshot, RequestRefused, status_sentence
from engines.hosting.matches.records import PublicDeal
from engines.kit.contract import Outcome
from engines.store.match_store import MatchInfo, Status
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import differing_table_options

WAITING_PREFIX = "Waiting for"  # how screens begin the line that says whose turn it is
RESULT_NAME_LENGTH = (
    20  # characters of a winner's name in a headline; it is shorter if several win or names begin alike
)
MAX_NAMED = 3  # people whom a sentence names; it counts the others if there are more
CLOSED_STATUSES = frozenset({Status.ENDED, Status.CANCELLED, Status.EXPIRED, Status.RESET, Status.ASIDE})


@dataclass(frozen=True, slots=True)
class HandFrame:
    """What a hand outside a match has around it: a heading with its text, and the last buttons."""

    heading: str
    presses: tuple[Press, ...]


@dataclass(frozen=True, slots=True)
class PageContext:
    """The game's screen, and the facts that a message shows besides the match."""

    screen: GameScreen
    server: str = ""
    table_url: str = ""  # the address of the table message, once it is posted
    trouble: str = ""  # why the table cannot be kept up to date
    record: str = ""  # the readable record of a finished match
    settings: ServerSettings = DEFAULT_SERVER_SETTINGS  # those of the server, for a lobby
    frame: HandFrame | None = None  # for a hand outside a match
    deal: PublicDeal | None = None  # the open deal of a match that was closed without a result
    features: Additions = NO_ADDITIONS  # what features add
    is_seal_missing: bool = False  # whether the seal of a lobby could not be posted, so that the lobby says where it is


def lobby_page(snapshot: MatchSnapshot, page_context: PageContext, *, has_picture: bool = True) -> Page:
    """Return the lobby message: the game and its seats, and after the start a link to the table.

    Without its picture, the lobby says the same in words.
    """
    info = snapshot.info
    if info.status is Status.LOBBY:
        return lobby_invitation.lobby_page(
            snapshot,
            page_context.screen,
            page_context.settings,
            page_context.features,
            has_picture=has_picture,
            is_seal_missing=page_context.is_seal_missing,
        )
    if info.status in (Status.RUNNING, Status.PAUSED):
        return _started_page(snapshot, page_context)
    title = f"## {_full_title(snapshot)} — {'the match is over' if info.status is Status.OVER else 'closed'}"
    text = (
        _winners_text(snapshot, page_context.screen)
        if info.status is Status.OVER
        else status_sentence(escape_info(info))
    )
    link = (Row((_table_link(page_context),)),) if page_context.table_url else ()
    return Page((*text_blocks((title, text, match_words.opened_text(page_context.deal))), *link), GREY)


def table_page(snapshot: MatchSnapshot, page_context: PageContext) -> Page:
    """Return the public table."""
    info, screen = snapshot.info, page_context.screen
    if snapshot.state is None:
        return Page((_head_text(snapshot), Text(f"**{status_sentence(escape_info(info))}**")), GREY)
    view, context = snapshot.view(None), screen_context(snapshot, narrate(snapshot, screen, None))
    outcome, small = (
        snapshot.outcome(),
        " · ".join(filter(None, (_head_text(snapshot).text, match_words.countdown(snapshot)))),
    )
    if outcome is not None:
        drawn = screen.result(view, outcome, _result_context(snapshot, outcome))
        unusual = " · ".join(differing_table_options(snapshot.game, info.table_options))
        small = f"{small} · {unusual}" if unusual else small
        features = page_context.features
        lines = features.at(FeaturePages.result_lines, snapshot, screen)
        small = "\n-# ".join((small, *lines, *features.late_lines))
        return Page(
            (
                *screen_layout.public_blocks(small, drawn, ()),
                *_result_blocks(snapshot, page_context),
            ),
            GOLD,
        )
    drawn, brief = screen.table(view, context), narrate_briefly(snapshot, screen, None)
    if info.status in CLOSED_STATUSES:
        small = f"{small}\n**{status_sentence(escape_info(info))}**"
        opened = text_blocks((match_words.opened_text(page_context.deal),))
        return Page((*screen_layout.public_blocks(small, drawn, brief, names=context.short_names), *opened), GREY)
    if info.status is Status.PAUSED:
        text = f"Take the empty seat and its hand, or vote to end the match ({_vote_count(info)} so far)."
        presses = (
            table_press(info.id, "Take the empty seat", "seat", "primary"),
            end_press(info, "Vote"),
            more_press(info.id),
        )
        return Page(screen_layout.public_blocks(small, _paused_screen(snapshot, drawn, text), (text,), presses), GREY)
    if info.votes:
        small = f"{small}\n{_vote_count(info)} {'has' if len(info.votes) == 1 else 'have'} voted to end the match."
    if away := [seat_name(seat) for seat in info.seats if seat.is_away]:
        small = (
            f"{small}\n-# {join_with_and(away)} {'is' if len(away) == 1 else 'are'} away: the computer plays for them."
        )
    question = page_context.features.best_at(FeaturePages.table_question, snapshot, screen) or NO_QUESTION
    if question.text:
        small = f"{small}\n{question.text}"
        brief = [] if question.presses else brief
    lines = page_context.features.at(FeaturePages.table_lines, snapshot, screen)
    small = "\n-# ".join((small, *lines, *page_context.features.late_lines))
    offered = page_context.features.best_at(FeaturePages.table_press, snapshot, screen)
    buttons = _table_presses(info, question.presses, offered)
    return Page(screen_layout.public_blocks(small, drawn, brief, buttons, context.short_names))


def end_press(info: MatchInfo, vote: str = "Vote to end it") -> Press:
    """Return the button to end a match without a result: a vote, or for a single voter a question."""
    if info.voter_count > 1:
        return table_press(info.id, vote, "stop", "danger")
    return table_press(info.id, "End the match", "stop-ask")


def hand_page(snapshot: MatchSnapshot, seat: int, page_context: PageContext, reader: Reader = DEFAULT_READER) -> Page:
    """Return a seat's own hand, with a control for every legal move."""
    return _hand_content(snapshot, seat, page_context, reader).for_reader(_reader_at(snapshot, seat, page_context))


def _reader_at(snapshot: MatchSnapshot, seat: int, page_context: PageContext) -> int | None:
    """Return who alone may see what is drawn for a seat; None outside a match."""
    return None if page_context.frame else snapshot.info.seats[seat].user


def _hand_content(snapshot: MatchSnapshot, seat: int, page_context: PageContext, reader: Reader) -> Page:
    info, screen, small = snapshot.info, page_context.screen, _hand_heading(snapshot, page_context, reader, seat)
    top = text_blocks((small,))
    if snapshot.state is None:
        return Page(
            (
                *top,
                *text_blocks(_waiting_texts(snapshot, seat, page_context.screen)),
                *press_rows((_rules_press(info),) if info.status is Status.LOBBY else ()),
            )
        )
    if (outcome := snapshot.outcome()) is not None:
        context = screen_context(snapshot) if reader.words else _result_context(snapshot, outcome)
        drawn = screen.result(snapshot.view(seat), outcome, context)
        drawn = replace(drawn, picture=None) if reader.words else drawn  # the words have all that is in it
        own = page_context.features.at(FeaturePages.hand_result_presses, snapshot, screen)
        presses = _result_presses(snapshot, page_context, *own)
        return Page(screen_layout.hand_blocks(small, drawn, (), reader, screen_layout.NO_CONTROLS, presses), GOLD)
    if info.status is Status.PAUSED:
        text = "The match goes on as soon as somebody takes the empty seat."
        drawn = _paused_screen(snapshot, screen.hand(snapshot.view(seat), None, (), screen_context(snapshot)), text)
        presses = _hand_presses(info)
        return Page(screen_layout.hand_blocks(small, drawn, (text,), reader, screen_layout.NO_CONTROLS, presses), GREY)
    if info.status is not Status.RUNNING:
        text = f"{small}\n**{status_sentence(escape_info(info))}**"
        return Page((Text(screen_layout.with_lines(text, reader)),), GREY)
    if info.seats[seat].is_away:
        text = f"{small}\n**The computer is playing for you.** Press **I am back** to take over."
        presses = _return_press(info), more_press(info.id)
        return Page((Text(screen_layout.with_lines(text, reader)), *press_rows(presses)), GREY)
    drawn, number = _hand_screen(snapshot, page_context.screen, seat)
    controls = hand_controls.lay_out_controls(info.id, number, drawn.controls)
    controls = replace(controls, remaining=(*controls.remaining, *reader.rows))
    return _running_hand_page(snapshot, seat, page_context, reader, drawn, controls)


def step_page(
    snapshot: MatchSnapshot, seat: int, page_context: PageContext, keys: Sequence[str], reader: Reader = DEFAULT_READER
) -> Page | None:
    """Return the hand with the choices that remain after a step; None if the hand offers no such step."""
    drawn, number = _hand_screen(snapshot, page_context.screen, seat)
    steps = hand_controls.find_steps(drawn.controls, keys)
    if steps is None:
        return None
    controls = hand_controls.lay_out_controls(snapshot.info.id, number, drawn.controls, steps)
    return _running_hand_page(snapshot, seat, page_context, reader, _with_step_picture(drawn, steps), controls)


def picks_page(
    snapshot: MatchSnapshot, seat: int, page_context: PageContext, notation: str, reader: Reader = DEFAULT_READER
) -> Page:
    """Return the hand with several picks in order, to change or confirm. The custom_ids contain all of them.

    Raises RequestRefused if the hand does not offer these picks.
    """
    drawn, number = _hand_screen(snapshot, page_context.screen, seat)
    found = hand_controls.find_picks(drawn.controls, notation)
    if found is None:
        raise RequestRefused("Please choose from what your hand offers.")
    steps, picks = found
    controls = hand_controls.lay_out_picks(snapshot.info.id, number, drawn.controls, steps, picks, notation)
    return _running_hand_page(snapshot, seat, page_context, reader, _with_step_picture(drawn, steps), controls)


def as_step_of(page: Page, hand: Page) -> Page:
    """Return a step page with the digest of its hand, so that it stays current as long as the hand does."""
    return replace(page, stands_for=hand.digest)


def _running_hand_page(
    snapshot: MatchSnapshot,
    seat: int,
    page_context: PageContext,
    reader: Reader,
    drawn: Screen,
    controls: hand_controls.HandControls,
) -> Page:
    small, screen, frame = _hand_heading(snapshot, page_context, reader, seat), page_context.screen, page_context.frame
    if drawn.picture is not None:
        in_hand = screen.own_special_cards(snapshot.view(seat))
        drawn = replace(drawn, picture=with_effects(drawn.picture, in_hand))
    if frame is not None:
        return Page(screen_layout.hand_blocks(small, drawn, (), reader, controls, frame.presses))
    brief = snapshot.compute_once((screen, seat, "brief"), lambda: narrate_briefly(snapshot, screen, seat))
    info = snapshot.info
    presses: tuple[Press, ...] = (more_press(info.id),) if controls.back else _hand_presses(info)
    features = page_context.features.read_by(snapshot.info.seats[seat].user)
    if question := features.best_at(FeaturePages.hand_question, snapshot, screen):
        drawn, reader = replace(drawn, worth_text=question.text), replace(reader, worth=True, lines=())
        controls = replace(controls, description=question.text) if controls.chosen else controls
        presses, brief = (*question.presses, *presses), [] if question.presses else brief
    elif reader.worth and (card := _new_card(snapshot, screen, seat)):
        reader = replace(reader, lines=(*reader.lines, f"-# {card.text}"))
    blocks = screen_layout.hand_blocks(
        small, drawn, brief, reader, controls, presses, screen_context(snapshot).short_names
    )
    return Page(blocks, reader=_reader_at(snapshot, seat, page_context))


def _new_card(snapshot: MatchSnapshot, screen: GameScreen, seat: int) -> SpecialCard | None:
    return snapshot.compute_once((screen, seat, "new card"), lambda: new_card(snapshot, seat, screen))


def _with_step_picture(drawn: Screen, steps: Sequence[Step]) -> Screen:
    """Return the screen with the picture of the latest step that has one."""
    pictures = [step.picture for step in steps if step.picture]
    return replace(drawn, picture=pictures[-1]) if pictures else drawn


def confirm_page(snapshot: MatchSnapshot, seat: int, page_context: PageContext, notation: str) -> Page:
    """Return the question before a move that could be a costly mistake: the one on its button, or a general one.

    The button that makes the move names it, so that players who read nothing else know what it does.
    """
    only, (drawn, number) = _reader_at(snapshot, seat, page_context), _hand_screen(snapshot, page_context.screen, seat)
    buttons = hand_controls.iter_buttons(drawn.controls)
    asking = next((button for button in buttons if button.move == notation and button.confirm), None)
    if asking is not None and asking.confirm:
        return confirm_move_page(snapshot, number, notation, asking.confirm, asking.label).for_reader(only)
    label = page_context.screen.move_label(snapshot.game.parse_move(notation))
    question = f"**{label}**: are you sure?"
    return confirm_move_page(snapshot, number, notation, question, truncate(label, MAX_LABEL)).for_reader(only)


def with_note(page: Page, note: Sequence[Block]) -> Page:
    """Return a page with a note on top."""
    return replace(page, blocks=(*note, *page.blocks))


def with_date(page: Page, now: int) -> Page:
    """Return a page with the time when it was drawn, because it will not be updated forever."""
    return replace(page, blocks=(*page.blocks, Text(f"-# As of <t:{now}:T>. Press “Show my hand” for the latest.")))


def confirm_move_page(snapshot: MatchSnapshot, decision: int, notation: str, question: str, label: str) -> Page:
    """Return a question with a button that makes the move, and one that leads back."""
    presses = (
        Press(label, custom_ids.move_id(snapshot.info.id, decision, notation), "danger"),
        table_press(snapshot.info.id, "Back to the hand", "return"),
    )
    return Page((Text(question), *press_rows(presses)))


def sheet_page(
    snapshot: MatchSnapshot, screen: GameScreen, features: Additions = NO_ADDITIONS, *, words: bool = False
) -> Page:
    """Return the score sheet as a picture with a button to its words, or in words; after the match, the scoring.

    It is in words if the game draws none.
    """
    if snapshot.state is None:
        return Page((Text("The match has not started yet."),))
    drawn = screen.sheet(snapshot.view(None), screen_context(snapshot))
    more = text_blocks((*features.at(FeaturePages.sheet_texts, snapshot, screen), *features.late_lines))
    if words or drawn.picture is None:
        return Page((*screen_layout.word_blocks(replace(drawn, picture=None)), *more))
    in_words = press_rows((table_press(snapshot.info.id, "Show as text", "sheet-words"),))
    return Page((_head_text(snapshot), drawn.picture, *more, *in_words))


def words_page(snapshot: MatchSnapshot, seat: int | None, page_context: PageContext) -> Page:
    """Return the whole hand, or the table if `seat` is None, in words alone."""
    if snapshot.state is None:
        return Page((Text("The match has not started yet."),))
    screen, outcome = page_context.screen, snapshot.outcome()
    if seat is not None and outcome is None:
        drawn = _hand_screen(snapshot, screen, seat)[0]
    else:
        view, context = snapshot.view(None), screen_context(snapshot, narrate(snapshot, screen, None))
        drawn = screen.result(view, outcome, context) if outcome else screen.table(view, context)
    only = None if seat is None else _reader_at(snapshot, seat, page_context)
    return Page(screen_layout.word_blocks(replace(drawn, picture=None)), reader=only)


def status_page(snapshot: MatchSnapshot, page_context: PageContext) -> Page:
    """Return the status of a match for anyone who asks."""
    head = Text(
        f"**{_full_title(snapshot)}**, match `{snapshot.info.id}`\n{standing_text(snapshot, page_context.screen)}"
    )
    link = (Row((_table_link(page_context),)),) if page_context.table_url else ()
    if snapshot.state is None or snapshot.info.status is Status.ASIDE:
        return Page((head, *link))
    outcome, screen, context = snapshot.outcome(), page_context.screen, screen_context(snapshot)
    drawn = (
        screen.result(snapshot.view(None), outcome, context) if outcome else screen.table(snapshot.view(None), context)
    )
    trouble = text_blocks((f"⚠ {page_context.trouble}" if page_context.trouble else "",))
    if snapshot.info.status is Status.PAUSED:
        drawn = _paused_screen(snapshot, drawn, "")
        head = _head_text(snapshot)
    return Page(
        (
            *trouble,
            *screen_layout.public_blocks(
                head.text, drawn, narrate_briefly(snapshot, screen, None), names=context.short_names
            ),
            *link,
        )
    )


def current_rule(snapshot: MatchSnapshot, seat: int, screen: GameScreen) -> str:
    """Return the id of the rule for a seat's current decision; empty if there is none."""
    return _hand_screen(snapshot, screen, seat)[0].rule if seat in snapshot.decisions() else ""


def is_worked_out(snapshot: MatchSnapshot, seat: int, screen: GameScreen) -> bool:
    """Whether a seat's hand screen was already drawn for this snapshot."""
    return snapshot.has_computed((screen, seat))


def _hand_screen(snapshot: MatchSnapshot, screen: GameScreen, seat: int) -> tuple[Screen, int]:
    """Return a seat's hand screen in a running match, and the number of its decision."""
    return snapshot.compute_once((screen, seat), lambda: _draw_hand_screen(snapshot, screen, seat))


def _draw_hand_screen(snapshot: MatchSnapshot, screen: GameScreen, seat: int) -> tuple[Screen, int]:
    decision = snapshot.decisions().get(seat)
    context = screen_context(snapshot, narrate(snapshot, screen, seat))
    drawn = screen.hand(snapshot.view(seat), decision, snapshot.moves(seat), context)
    if decision is not None and seat in snapshot.forced_seats():
        forced_text = screen.forced_text(decision)
        whole = drawn.above
        drawn = replace(drawn, headline=forced_text, above=LazyParagraphs(lambda: (f"**{forced_text}**", *whole)))
    return drawn, decision.number if decision else 0


def _hand_presses(info: MatchInfo) -> tuple[Press, ...]:
    """Return the buttons at the end of every hand. In the middle of a move, *Back* stands in the place of the rules."""
    return (_rules_press(info), more_press(info.id))


def _rules_press(info: MatchInfo) -> Press:
    return table_press(info.id, "Rules", "minute")


def _started_page(snapshot: MatchSnapshot, page_context: PageContext) -> Page:
    """Return the lobby message of a started match."""
    info, paused = snapshot.info, snapshot.info.status is Status.PAUSED
    names = join_with_and([seat_name(seat) for seat in info.seats if not seat.is_empty])
    text = (
        f"## {_full_title(snapshot)} — the match is {'paused' if paused else 'running'}",
        f"{escape_info(info).reason} Anyone can take the empty seat and its hand." if paused else "",
        f"At the table: {names}.",
    )
    seat = (table_press(info.id, "Take the empty seat", "seat", "primary"),) if paused else ()
    presses = [*seat, table_press(info.id, "Show my hand", "hand", "secondary" if paused else "primary")]
    if page_context.table_url:
        presses.append(_table_link(page_context))
    return Page((*text_blocks(text), *press_rows(presses)))


def _head_text(snapshot: MatchSnapshot) -> Text:
    """Return the game and the match id in small print, and whether the match counts."""
    return Text(f"-# {_short_title(snapshot)} · match `{snapshot.info.id}`")


def _short_title(snapshot: MatchSnapshot) -> str:
    """Return the game's title, or one word while a countdown needs the room."""
    timed = snapshot.info.table_options.clock is not None and snapshot.info.status is Status.RUNNING
    return (
        f"{snapshot.info.game.capitalize()}{match_words.practice_mark(snapshot.info)}"
        if timed
        else _full_title(snapshot)
    )


def _full_title(snapshot: MatchSnapshot) -> str:
    """Return the game's title, with a mark if the match is only practice."""
    return f"{snapshot.game.title}{match_words.practice_mark(snapshot.info)}"


def _hand_heading(snapshot: MatchSnapshot, page_context: PageContext, reader: Reader, seat: int) -> str:
    """Return a hand's heading in small print: game, server, table, match, time left, notes, and trouble."""
    if page_context.frame is not None:
        return page_context.frame.heading
    server = f" · {page_context.server}" if page_context.server else ""
    time = f" · {until}" if (until := match_words.countdown(snapshot, seat)) else ""
    named = reader.has_several_tables or snapshot.info.status not in (Status.RUNNING, Status.PAUSED)
    table = f"`{snapshot.info.id}`" if named and time else "table"  # both do not fit
    link = f" · [{table}]({page_context.table_url})" if page_context.table_url else ""
    which = f" · match `{snapshot.info.id}`" if named and not (time and link) else ""
    trouble = f"\n-# ⚠ {page_context.trouble}" if page_context.trouble else ""
    own = replace(page_context.features, reader=snapshot.info.seats[seat].user)
    notes = "".join(f"\n-# {note}" for note in own.at(FeaturePages.hand_notes, snapshot, page_context.screen))
    return f"-# {_short_title(snapshot)}{server}{link}{which}{time}{notes}{trouble}"


def _waiting_texts(snapshot: MatchSnapshot, seat: int, screen: GameScreen) -> tuple[str, ...]:
    """Return the text of a hand before the deal."""
    info = snapshot.info
    if info.status is not Status.LOBBY:
        return (f"**{status_sentence(escape_info(info))}**",)
    starts = "you start" if info.seats[seat].user == info.host else f"{options_pages.host_name(snapshot)} starts"
    played = f"-# How it is played: {how_played_text(snapshot, screen)}."
    return (f"**You are in.** Your hand will appear here when {starts} the match.", played)


def standing_text(snapshot: MatchSnapshot, screen: GameScreen, user: int | None = None) -> str:
    """Return a sentence about who the match waits for, the reader first, or who has won."""
    if snapshot.outcome() is not None:
        return _winners_text(snapshot, screen)
    due = [snapshot.info.seats[seat] for seat in snapshot.due_seats()]
    others = [seat_name(seat) for seat in due if seat.user != user or seat.is_away]
    named = [*(["you"] if len(others) < len(due) else []), *others]
    if len(named) > MAX_NAMED:
        named = [*named[: MAX_NAMED - 1], f"{len(named) - MAX_NAMED + 1} others"]
    return f"Waiting for {join_with_and(named)}." if due else status_sentence(escape_info(snapshot.info))


def _vote_count(info: MatchInfo) -> str:
    """Return how many voters want to end the match: `1 of 3`."""
    return f"{len(info.votes)} of {info.voter_count}"


def _paused_screen(snapshot: MatchSnapshot, drawn: Screen, text: str) -> Screen:
    """Return the screen of a paused match: the pause comes first, and the lines about turns and controls are gone."""
    why = status_sentence(escape_info(snapshot.info))
    lines = ([line for line in part.split("\n") if not line.startswith(WAITING_PREFIX)] for part in drawn.above)
    rest = tuple("\n".join(left) for left in lines if left)
    return replace(drawn, above=(f"**{why}**\n{text}", *rest), headline=why, worth_text="", controls=())


def _table_presses(info: MatchInfo, answers: tuple[Press, ...], offered: Press | None) -> tuple[Press, ...]:
    """Return the buttons below a table.

    The answers to a question replace the button in the middle. That is the score sheet, or what a feature offers, or
    the button to return while somebody is away. The menu has all of them.
    """
    middle = offered or table_press(info.id, "Score sheet", "sheet")
    if any(seat.is_away for seat in info.seats):
        middle = _return_press(info)
    return (
        table_press(info.id, "Show my hand", "hand", "primary"),
        *(answers or (middle,)),
        more_press(info.id),
    )


def _return_press(info: MatchInfo) -> Press:
    """Return the button for an away player to take the seat back."""
    return table_press(info.id, "I am back", "here", "primary")


def _result_context(snapshot: MatchSnapshot, outcome: Outcome) -> Context:
    """Return what a screen gets for a result with a picture: names that leave it on one screen of a phone."""
    context = screen_context(snapshot)
    seats = [replace(seat, name=truncate(seat.name, RESULT_NAME_LENGTH)) for seat in snapshot.info.seats]
    are_alike = len({seat.name for seat in seats}) < len(seats)
    if len(outcome.winners) > 1 or are_alike:
        return replace(context, names=context.short_names)
    return replace(context, names=tuple(map(seat_name, seats)))


def _result_blocks(snapshot: MatchSnapshot, page_context: PageContext) -> tuple[Block, ...]:
    """Return the end of a result: the record as a file, and buttons such as Play again."""
    info = snapshot.info
    paper = (Paper(f"{info.game}-{info.id}.txt", page_context.record),) if page_context.record else ()
    return (*paper, *press_rows(_result_presses(snapshot, page_context)))


def _result_presses(snapshot: MatchSnapshot, page_context: PageContext, *own: Press) -> tuple[Press, ...]:
    """Return the buttons below a result, at the table and on hands: Play again, those of features, and the scoring.

    `own` are those of one player.
    """
    info = snapshot.info
    return (
        table_press(info.id, "Play again", "again", "primary"),
        *page_context.features.at(FeaturePages.result_presses, snapshot, page_context.screen),
        *own,
        table_press(info.id, "Scoring", "sheet"),
        more_press(info.id),
    )


def _winners_text(snapshot: MatchSnapshot, screen: GameScreen) -> str:
    """Return the headline of the game's result as a sentence."""
    outcome = snapshot.outcome()
    assert outcome is not None
    return f"{screen.result(snapshot.view(None), outcome, screen_context(snapshot)).headline.rstrip('.')}."


def _table_link(page_context: PageContext) -> Press:
    return Press("Go to the table", page_context.table_url, link=True)


def list_entry(
    snapshot: MatchSnapshot, page_context: PageContext, user: int, own: Additions = NO_ADDITIONS
) -> tuple[Block, ...]:
    """Return an entry for a player's list of matches."""
    at = f" on {page_context.server}" if page_context.server else ""
    link = f" · [table]({page_context.table_url})" if page_context.table_url else ""
    when = f" · <t:{snapshot.info.changed}:d>" if snapshot.info.status is Status.OVER else ""
    written = "".join(f"\n{line}" for line in own.at(FeaturePages.list_lines, snapshot, page_context.screen))
    return (
        Text(
            f"**{_full_title(snapshot)}**{at} · match "
            f"`{snapshot.info.id}`{link}{when}\n{standing_text(snapshot, page_context.screen, user)}{written}"
        ),
    )
