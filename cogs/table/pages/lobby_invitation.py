"""The message of a lobby: its picture, the state, how it is played, and five buttons. Pure functions.

The buttons never change places. Everything else that readers can do stands in the menu.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from cogs.pictures.spec import LobbyPicture, PlateLine, SeatPlate
from cogs.screens.control_widths import count_lines
from cogs.screens.intro import Learning, length_text
from cogs.screens.picture import Picture
from cogs.screens.screen import GameScreen
from cogs.screens.words import join_with_and, pluralize
from cogs.table.pages.feature_pages import NO_ADDITIONS, Additions, FeaturePages
from cogs.table.pages.lobby_pages import COUNTS, fewest_seats
from cogs.table.pages.options_pages import trouble_text
from cogs.table.pages.page import Block, Page, Press, Text, more_press, press_rows, table_press
from cogs.table.wording.how_played import how_played_text, seats_to_play
from cogs.table.wording.match_words import short_seal
from cogs.table.wording.narration import screen_context
from cogs.table.wording.player_names import seat_name
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.lobbies import waits_for_last_cut
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.store.match_store import Seat
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import CLOCK

MOST_DIFFERENCES, MOST_LINES = 4, 3  # of how it is played; other differences are counted, and stand under Options


def lobby_page(
    snapshot: MatchSnapshot,
    screen: GameScreen,
    server: ServerSettings = DEFAULT_SERVER_SETTINGS,
    features: Additions = NO_ADDITIONS,
    *,
    has_picture: bool = True,
    is_seal_missing: bool = False,
) -> Page:
    """Return the lobby while people can join; in words alone if its picture cannot be drawn.

    If the seal could not be posted beside it, it says that the menu has it.
    """
    head: Block = lobby_picture(snapshot, screen) if has_picture else Text(lobby_words(snapshot, screen))
    text = f"**{state_text(snapshot)}**\n{rules_line(snapshot, screen)}\n-# {_small_print(snapshot, is_seal_missing)}"
    return Page((head, Text(text), *press_rows(_lobby_presses(snapshot, screen, server, features))))


def lobby_picture(snapshot: MatchSnapshot, screen: GameScreen) -> Picture:
    """Return the game and its seats as a picture; its alt text says the same."""
    info, intro, plates = snapshot.info, screen.intro, screen_context(snapshot).plate_names
    needed, free = _open_seats(snapshot)
    seats = tuple(_seat_plate(snapshot, number, name) for number, name in enumerate(plates))
    facts = _facts(snapshot, screen)
    effort = get_args(Learning).index(intro.learning) + 1
    spec = intro.lobby(_short_title(snapshot), intro.like, *facts, effort, seats, needed, free)
    return Picture(spec, f"{info.game}-lobby.png", _alt_text(spec))


def lobby_words(snapshot: MatchSnapshot, screen: GameScreen) -> str:
    """Return what the picture shows, in markdown."""
    names = [
        f"- {seat_name(seat)}{f' ({seat.level})' if seat.level else ''}{_host_mark(snapshot, seat)}"
        for seat in snapshot.info.seats
    ]
    free = sum(_open_seats(snapshot))
    names += [f"- {pluralize(free, 'free seat')}"] if free else []
    facts = " · ".join(_facts(snapshot, screen))
    return "\n".join((f"## {_short_title(snapshot)}", screen.intro.like, f"-# {facts}", *names))


def state_text(snapshot: MatchSnapshot) -> str:
    """Return in a sentence whether the match can start, and who may still join."""
    info, most = snapshot.info, snapshot.game.seats[-1]
    needed, free = _free_seats(snapshot)
    if info.practice:
        return "A practice match: it does not count, and nobody can join."
    if trouble := trouble_text(snapshot):
        return trouble
    if needed:
        up_to = f"; {COUNTS[most]} can play" if free else ""
        return f"{COUNTS[needed].capitalize()} more needed{up_to}."
    if (waiting := waits_for_last_cut(info)) is not None:
        name = screen_context(snapshot).short_names[info.seats.index(waiting)]
        return f"{name} cuts last; then the match can start."
    if free:
        return f"Enough players to start; {COUNTS[free]} more can join."
    if any(seat.level for seat in info.seats):
        return "Enough players to start; you can replace a computer."
    return "Everyone is here. The host can start the match."


def rules_line(snapshot: MatchSnapshot, screen: GameScreen) -> str:
    """Return what differs from the usual rules and table options, and the special cards of every match, if they fit:
    `How it is played: 10 of 20 rounds, with Wizards and Jesters.`
    """
    cards = screen.special_cards(snapshot.options, seats_to_play(snapshot))
    named = join_with_and(list(dict.fromkeys(card.lobby for card in cards if card.lobby)))
    lines = [f"How it is played: {how_played_text(snapshot, screen, most)}." for most in range(MOST_DIFFERENCES, 1, -1)]
    with_cards = f"{lines[0][:-1]}, with {named}."
    if named and count_lines(with_cards) < MOST_LINES:
        return with_cards
    return next((line for line in lines if count_lines(line) <= MOST_LINES), lines[-1])


def menu_lines(snapshot: MatchSnapshot, screen: GameScreen, features: Additions) -> list[str]:
    """Return what the menu says of a lobby: until when it is open, and what features note about those who joined."""
    seats, notes = snapshot.info.seats, features.at(FeaturePages.lobby_seat_notes, snapshot, screen)
    noted = [f"-# {seat_name(seats[number])}{note}" for number, note in notes if note]
    return [f"-# If nobody starts it, it is cancelled <t:{snapshot.info.created + LOBBY_SECONDS}:R>.", *noted]


def can_start(snapshot: MatchSnapshot) -> bool:
    """Whether the host's click on Start would start the match."""
    needed, _ = _free_seats(snapshot)
    return not needed and not trouble_text(snapshot) and waits_for_last_cut(snapshot.info) is None


def _lobby_presses(
    snapshot: MatchSnapshot, screen: GameScreen, server: ServerSettings, features: Additions
) -> Sequence[Press]:
    """Return the buttons. The highlighted one is Start as soon as it is possible, and Join before that.

    If the server's managers have turned computers off, the button for them keeps its place.
    """
    match, ready = snapshot.info.id, can_start(snapshot)
    has_computers = server.computers or any(seat.level for seat in snapshot.info.seats)
    is_open = sum(_open_seats(snapshot)) > 0
    return (
        table_press(match, "Join", "join", "primary" if is_open and not ready else "secondary"),
        table_press(match, "Start", "start", "primary" if ready else "secondary"),
        *features.at(FeaturePages.lobby_presses, snapshot, screen),
        replace(table_press(match, "Add computer", "computers"), idle=not has_computers),
        more_press(match),
    )


def _free_seats(snapshot: MatchSnapshot) -> tuple[int, int]:
    """Return how many free seats are needed before the start, and how many others there are."""
    taken = len(snapshot.info.seats)
    needed = max(0, fewest_seats(snapshot) - taken)
    return needed, max(0, snapshot.game.seats[-1] - taken - needed)


def _open_seats(snapshot: MatchSnapshot) -> tuple[int, int]:
    """Return the free seats, needed and others, that people can take: none in a practice match."""
    return (0, 0) if snapshot.info.practice else _free_seats(snapshot)


def _facts(snapshot: MatchSnapshot, screen: GameScreen) -> tuple[str, str, str]:
    """Return how many can play, how long this match takes, and how hard the game is to learn."""
    minutes = screen.match_minutes(snapshot.options, seats_to_play(snapshot))
    return f"{screen.intro.players} players", f"about {length_text(minutes)}", screen.intro.learning


def _short_title(snapshot: MatchSnapshot) -> str:
    return snapshot.game.title.partition(",")[0]


def _seat_plate(snapshot: MatchSnapshot, number: int, name: str) -> SeatPlate:
    seat = snapshot.info.seats[number]
    is_host, ready = seat.user == snapshot.info.host, can_start(snapshot)
    if seat.level:
        line = PlateLine(f"computer, {seat.level}", "quiet")
    elif is_host:
        line = PlateLine("host, can start" if ready else "host")
    else:
        line = PlateLine("joined", "quiet")
    return SeatPlate(number, name, (line,), turn=is_host and ready, computer=bool(seat.level))


def _alt_text(spec: LobbyPicture) -> str:
    taken = [f"{plate.name} ({plate.lines[0].text})" for plate in spec.seats]
    free = spec.needed + spec.open
    seats = [*taken, *([pluralize(free, "free seat")] if free else [])]
    needed = f" {spec.needed} more needed." if spec.needed else ""
    facts = f"{spec.players}, {spec.length}, {spec.learning} to learn."
    return f"{spec.title}: {spec.like} {facts} Seats: {join_with_and(seats)}.{needed}"


def _host_mark(snapshot: MatchSnapshot, seat: Seat) -> str:
    return " (host)" if seat.user == snapshot.info.host else ""


def _small_print(snapshot: MatchSnapshot, is_seal_missing: bool) -> str:
    """Return when the options changed, or else how long a move may take if that is as usual, and where hands come.

    Before that comes who cuts last, if the state does not say it, and after it where the seal is if it has no message.
    """
    info = snapshot.info
    if info.chosen:
        first = f"Options changed <t:{info.chosen}:R>. "
    else:
        first = "1 day a move. " if info.table_options.clock == CLOCK.default else ""
    names = screen_context(snapshot).short_names
    last = next((f"{names[number]} cuts last" for number, seat in enumerate(info.seats) if seat.last_cut), "")
    if last and last not in state_text(snapshot):
        first = f"{last}. {first}"
    seal = f" Seal {short_seal(info.seal)}: under **More**." if is_seal_missing else ""
    return f"{first}Hands: direct message or **Show my hand**.{seal}"
