"""The pages of a finished match that is watched again: one moment with its news, and “what if”. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cogs.features.replays.replay_place import OPEN_HANDS, TABLE, ReplayPlace, Role, WhatIfRole, control_id
from cogs.features.replays.what_if import FULL, acting_seat, what_if_snapshot
from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_OPTION
from cogs.screens.emoji import crest_emoji
from cogs.screens.screen import GameScreen, Screen
from cogs.screens.truncation import truncate
from cogs.table.pages import screen_layout
from cogs.table.pages.page import FELT, GOLD, Block, Line, Menu, Page, Press, Row, Text, press_rows, text_blocks
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.replayed_match import ReplayedMatch, Section
from cogs.table.wording.narration import screen_context
from cogs.table.wording.player_names import markdown_name
from cogs.table.wording.sentences import join_newest
from engines.hosting.match import MatchEvent, MatchSnapshot

PURPLE = 0x7C4D9E  # the colour of what did not happen
MAX_LINES = 25  # of a list
MOVE_LISTS = 3  # in one message
OVER = "The match is over."
HIDE, SHOW = "hide", "show"
"""The values of the line that hides how long the match lasted, or shows it."""
CLOSEST_SECTIONS = 8  # on each side of the present one, that a list of too many sections always has


def replay_page(replayed: ReplayedMatch, place: ReplayPlace, screen: GameScreen, reader: Reader) -> Page:
    """Return one moment of a finished match, with the controls that lead to others."""
    snapshot = replayed.snapshot(place.moment)
    is_over = place.moment == replayed.last
    events = replayed.events_of(place.moment) if place.moment else ()
    heading = (
        _position_line(replayed, place, screen, snapshot),
        *_event_lines(replayed, place, screen, snapshot, events),
    )
    return Page(
        (
            *_moment_blocks(snapshot, place, screen, reader, heading),
            *_step_rows(replayed, place),
            *_section_rows(replayed, place, screen),
            Row(_view_menu(replayed, place)),
            *press_rows(_further_presses(place, is_over=is_over)),
        ),
        GOLD if is_over else FELT,
    )


def what_if_page(
    replayed: ReplayedMatch, place: ReplayPlace, screen: GameScreen, reader: Reader, lists: int = 0
) -> Page:
    """Return the moment after the moves of a “what if”, with all hands open, and the moves of the seat to act.

    If it has too many moves for one message, `lists` counts the messages before this one.
    """
    snapshot, move_count = what_if_snapshot(replayed, place), len(place.what_if or ())
    names, seat = screen_context(snapshot).short_names, acting_seat(snapshot)
    newest = [each.event for each in snapshot.events if each.move > place.moment and each.event.is_visible_to(None)]
    brief = filter(None, (screen.narrate_briefly(event, screen_context(snapshot)) for event in newest))
    count = f"{move_count} made-up move{'' if move_count == 1 else 's'}" if move_count else "choose a move"
    heading = (
        f"{_position_line(replayed, place, screen, snapshot)}\n**What if…** {count}",
        join_newest(list(brief), names),
        FULL if place.is_full and seat is not None else "",
    )
    return Page(
        (
            *_moment_blocks(snapshot, replace(place, view=OPEN_HANDS), screen, reader, heading),
            *(_move_rows(snapshot, place, screen, seat, lists) if seat is not None and not place.is_full else ()),
            *press_rows(_what_if_presses(snapshot, place, seat, lists)),
        ),
        PURPLE,
    )


# The moment


def _moment_blocks(
    snapshot: MatchSnapshot, place: ReplayPlace, screen: GameScreen, reader: Reader, heading: Sequence[str]
) -> tuple[Block, ...]:
    """Return the heading, the picture, and the hands if all are open; without a picture for readers of words."""
    drawn = _draw(snapshot, place, screen)
    standing = drawn.headline if snapshot.outcome() is None else OVER  # the picture of a result has a banner
    text = "\n".join(filter(None, (*heading, f"-# {standing}" if standing else "")))
    hands = "\n".join(_open_hands(snapshot, screen)) if place.view == OPEN_HANDS else ""
    if reader.words:
        whole = (text, hands, *drawn.above, *drawn.below)
        return screen_layout.word_blocks(Screen((), below=tuple(filter(None, whole))))
    return (Text(text), *((drawn.picture,) if drawn.picture else ()), *text_blocks((hands,)))


def _draw(snapshot: MatchSnapshot, place: ReplayPlace, screen: GameScreen) -> Screen:
    """Return the table, the result, or a seat's hand without controls."""
    context, outcome = screen_context(snapshot), snapshot.outcome()
    if outcome is not None:
        return screen.result(snapshot.view(place.seat), outcome, context)
    if place.seat is not None:
        return screen.hand(snapshot.view(place.seat), None, (), context)
    return screen.table(snapshot.view(None), context)


def _open_hands(snapshot: MatchSnapshot, screen: GameScreen) -> list[str]:
    """Return a line for each hand; none once nobody has one."""
    names = screen_context(snapshot).names
    hands = [screen.hand_text(snapshot.view(seat)) for seat in range(len(names))]
    return [f"-# **{name}**: {hand or '–'}" for name, hand in zip(names, hands, strict=True)] if any(hands) else []


def _position_line(replayed: ReplayedMatch, place: ReplayPlace, screen: GameScreen, snapshot: MatchSnapshot) -> str:
    """Return where in the match this is: `Jest · match `abcdefgh` · Round 2 · move 13 of 24`."""
    of = "" if place.hides_length else f" of {replayed.last}"
    section = screen.section_title(snapshot.view(None))
    led = f"-# <@{place.leader}> is leading. Press **On my own** to look around by yourself.\n" if place.leader else ""
    return f"{led}-# {replayed.game.key.capitalize()} · match `{place.match}` · {section} · move {place.moment}{of}"


def _event_lines(
    replayed: ReplayedMatch,
    place: ReplayPlace,
    screen: GameScreen,
    snapshot: MatchSnapshot,
    events: Sequence[MatchEvent],
) -> tuple[str, ...]:
    """Return what the move before this moment brought: the first in bold, the rest in brief."""
    if not place.moment:
        return ("**The match begins.**",)
    context, match_move = screen_context(snapshot), replayed.moves[place.moment - 1]
    visible = [each.event for each in events if each.event.is_visible_to(place.seat)]
    narrated = [(screen.narrate(event, context), screen.narrate_briefly(event, context)) for event in visible]
    pairs = [(sentence, brief) for sentence, brief in narrated if sentence]
    name = context.names[match_move.seat]
    if place.view == OPEN_HANDS:
        view, move = (
            replayed.snapshot(place.moment - 1).view(match_move.seat),
            replayed.game.parse_move(match_move.notation),
        )
        first = f"{name}: {markdown_name(screen.choice_label(view, move, context))}"
    else:
        first = pairs[0][0] if pairs else f"{name} has moved."
    brief = [line for _, line in pairs[1:] if line]
    return (f"**{first}**", join_newest(brief, context.short_names))


# Controls


def _press(label: str, place: ReplayPlace, role: Role | WhatIfRole, *, idle: bool = False, number: int = 0) -> Press:
    return Press(label, control_id(place, role, number), idle=idle)


def _step_rows(replayed: ReplayedMatch, place: ReplayPlace) -> tuple[Row, ...]:
    """Return the buttons to other moments. None leads to the end if the length of the match is hidden."""
    moment, last = place.moment, replayed.last
    presses = [
        _press("⏮", replace(place, moment=0), "first", idle=moment == 0),
        _press("◀", replace(place, moment=max(moment - 1, 0)), "back", idle=moment == 0),
        _press("▶", replace(place, moment=min(moment + 1, last)), "next", idle=moment == last),
    ]
    if not place.hides_length:
        presses.append(_press("⏭", replace(place, moment=last), "end", idle=moment == last))
    return press_rows(presses)


def _section_rows(replayed: ReplayedMatch, place: ReplayPlace, screen: GameScreen) -> tuple[Row, ...]:
    """Return the list of rounds or turns; only of those that have begun if the length of the match is hidden."""
    sections = replayed.sections(screen)
    current = max(number for number, section in enumerate(sections) if section.first <= place.moment)
    known = sections[: current + 1] if place.hides_length else sections
    lines = tuple(
        Line(section.title, str(section.first), chosen=number == current)
        for number, section in _listed_sections(known, current)
    )
    return (Row(Menu(control_id(place, "section"), "Go to", lines)),)


def _listed_sections(sections: Sequence[Section], current: int) -> list[tuple[int, Section]]:
    """Return the sections of a list with their numbers: all, or those around the present one and some of the others."""
    count = len(sections)
    if count <= MAX_LINES:
        return list(enumerate(sections))
    near = set(range(max(current - CLOSEST_SECTIONS, 0), min(current + CLOSEST_SECTIONS + 1, count)))
    left = MAX_LINES - len(near)
    far = [round(each * (count - 1) / (left - 1)) for each in range(left)]
    return [(number, sections[number]) for number in sorted({*near, *far})]


def _view_menu(replayed: ReplayedMatch, place: ReplayPlace) -> Menu:
    """Return the list of views, with a line that hides how long the match lasted."""
    hide = Line("Show how long it lasted", SHOW) if place.hides_length else Line("Hide how long it lasted", HIDE)
    seats = (
        Line(
            f"As {truncate(seat.name, MAX_OPTION - len('As  saw it'))} saw it",
            str(number),
            emoji=crest_emoji(number),
            chosen=place.view == str(number),
        )
        for number, seat in enumerate(replayed.info.seats)
    )
    table = Line("As spectators saw it", TABLE, chosen=place.view == TABLE)
    everything = Line("All hands open", OPEN_HANDS, chosen=place.view == OPEN_HANDS)
    return Menu(control_id(place, "view"), "What you see", (table, *seats, everything, hide))


def _further_presses(place: ReplayPlace, *, is_over: bool) -> Iterator[Press]:
    if not is_over:
        yield _press("What if", place, "what if")
    if place.leader:
        yield _press("On my own", place, "own")
        return
    yield _press("Watch together", place, "together")
    if not is_over:
        yield _press("Play from here", place, "practice")


def _move_rows(snapshot: MatchSnapshot, place: ReplayPlace, screen: GameScreen, seat: int, lists: int) -> Iterator[Row]:
    """Return lists of the legal moves of the seat to act."""
    moves, context = snapshot.moves(seat), screen_context(snapshot)
    view, first = snapshot.view(seat), lists * MOVE_LISTS * MAX_LINES
    for number in range(MOVE_LISTS):
        start = first + number * MAX_LINES
        listed = moves[start : start + MAX_LINES]
        if not listed:
            return
        labels = [_split_label(screen.choice_label(view, move, context)) for move in listed]
        lines = tuple(Line(label, str(index), rest or None) for index, (label, rest) in enumerate(labels, start))
        name = truncate(snapshot.info.seats[seat].name, 16)
        question = f"What does {name} do?" if len(moves) <= MAX_LINES else f"Moves {start + 1} to {start + len(listed)}"
        yield Row(Menu(control_id(place, "move", number), question, lines))


def _split_label(label: str) -> tuple[str, str]:
    """Return a label that fits a line of a list, and the rest of its words for the smaller text below."""
    if len(label) <= MAX_OPTION:
        return label, ""
    end = label.rfind(" ", 0, MAX_OPTION + 1)
    end = end if end > 0 else MAX_OPTION
    return label[:end], truncate(label[end:].strip(), MAX_DESCRIPTION)


def _what_if_presses(snapshot: MatchSnapshot, place: ReplayPlace, seat: int | None, lists: int) -> Iterator[Press]:
    """Return the buttons of a “what if”: a move back, computers that play on, other moves, and what happened."""
    moves = place.what_if or ()
    yield _press("◀", replace(place, what_if=moves[:-1]), "back", idle=not moves)
    if seat is not None and not place.is_full:
        yield _press("Let computers play on", place, "play on")
        pages = -(-len(snapshot.moves(seat)) // (MOVE_LISTS * MAX_LINES))
        if pages > 1:
            yield _press("Other moves", place, "lists", number=(lists + 1) % pages)
    yield replace(_press("Back to the match", replace(place, what_if=None), "happened"), style="primary")
