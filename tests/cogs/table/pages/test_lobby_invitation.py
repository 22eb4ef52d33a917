"""The message of a lobby: what it says at each number of players, which button is highlighted, and what is unusual."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.pictures.spec import LobbyPicture
from cogs.table.pages import lobby_invitation
from cogs.table.pages.feature_pages import NO_ADDITIONS
from cogs.table.pages.page import Page, Text
from engines.features.registry import TABLE_OPTIONS
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.store.match_store import HAS_CUT_LAST, NO_LAST_CUT_YET, Seat
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS
from engines.store.table_options import TableOptions, options_for
from engines.wizard.model import Options as WizardOptions
from tests.cogs.table.pages.test_lobby_pages import lobby_snapshot
from tests.cogs.table.pages.test_options_pages import many_options
from tests.contract.laws.lobbies import MAX_WORDS, count_words
from tests.contract.shown import page_buttons, page_text
from tests.game_uis import SCREENS
from tests.games import GAMES


def draw_lobby(snapshot: MatchSnapshot) -> Page:
    return lobby_invitation.lobby_page(snapshot, SCREENS[snapshot.info.game])


def spec_of(snapshot: MatchSnapshot) -> LobbyPicture:
    spec = lobby_invitation.lobby_picture(snapshot, SCREENS[snapshot.info.game]).spec
    assert isinstance(spec, LobbyPicture)
    return spec


@pytest.mark.parametrize(
    ("game", "seats", "state", "highlighted"),
    [
        ("wizard", 1, "Two more needed; six can play.", "Join"),
        ("wizard", 2, "One more needed; six can play.", "Join"),
        ("wizard", 3, "Enough players to start; three more can join.", "Start"),
        ("wizard", 5, "Enough players to start; one more can join.", "Start"),
        ("wizard", 6, "Everyone is here. The host can start the match.", "Start"),
        ("court", 1, "One more needed; four can play.", "Join"),
        ("jokers", 1, "One more needed.", "Join"),
        ("jokers", 2, "Everyone is here. The host can start the match.", "Start"),
    ],
)
def test_a_lobby_says_how_many_more_may_join_and_highlights_what_comes_next(
    game: str, seats: int, state: str, highlighted: str
) -> None:
    page = draw_lobby(lobby_snapshot(GAMES[game], seats))
    cards = {"wizard": "Wizards and Jesters", "court": "Menhirs", "jokers": "two jokers"}[game]
    assert page_text(page).startswith(f"**{state}**\nHow it is played: by the published rules, with {cards}.\n")
    assert [press.label for press in page_buttons(page) if press.style == "primary"] == [highlighted]


def test_gold_is_what_comes_next_the_seats_that_are_needed_or_the_host_who_may_start() -> None:
    for seats, needed, may_start in ((1, 2, False), (2, 1, False), (3, 0, True), (6, 0, True)):
        spec = spec_of(lobby_snapshot(GAMES["wizard"], seats))
        assert (len(spec.seats), spec.needed, spec.open) == (seats, needed, 6 - seats - needed)
        assert [plate.turn for plate in spec.seats] == [may_start, *[False] * (seats - 1)]


def test_a_player_who_cuts_last_holds_up_the_start_and_the_lobby_says_so() -> None:
    at = lobby_snapshot(GAMES["wizard"], 4)
    for last_cut, state in (
        (NO_LAST_CUT_YET, "Bela cuts last; then the match can start."),
        (HAS_CUT_LAST, "Enough"),
    ):
        seats = (at.info.seats[0], replace(at.info.seats[1], last_cut=last_cut), *at.info.seats[2:])
        page = draw_lobby(replace(at, info=replace(at.info, seats=seats)))
        assert page_text(page).startswith(f"**{state}")
        (start,) = [press for press in page_buttons(page) if press.label == "Start"]
        assert (start.style == "primary") is (last_cut == HAS_CUT_LAST)


def test_computers_have_their_face_and_level_and_make_room_for_people() -> None:
    at = lobby_snapshot(GAMES["jest"], 3)
    seats = (*at.info.seats, Seat(0, "Wisp", level="hard"))
    full = replace(at, info=replace(at.info, seats=seats))
    spec = spec_of(full)
    assert (spec.seats[3].computer, spec.seats[3].lines[0].text) == (True, "computer, hard")
    assert "you can replace a computer" in page_text(draw_lobby(full))


def test_minutes_are_those_of_this_table() -> None:
    lengths = [spec_of(lobby_snapshot(GAMES["wizard"], seats)).length for seats in range(1, 7)]
    assert lengths == ["about 95 min"] * 3 + ["about 70 min", "about 55 min", "about 45 min"]
    short = spec_of(lobby_snapshot(GAMES["wizard"], 3, WizardOptions(rounds=5)))
    assert short.length == "about 10 min"
    court = GAMES["court"]
    for banners, turns, length in ((4, None, "about 3 h"), (3, None, "about 30 min"), (4, 120, "about 55 min")):
        options = replace(court.options(), banners=banners, turns=turns)
        assert spec_of(lobby_snapshot(court, 4, options)).length == length


def test_w19_two_people_can_start_with_a_dummy_hand() -> None:
    for dummy, state in (
        (False, "One more needed; six can play."),
        (True, "Enough players to start; four more"),
    ):
        page = draw_lobby(lobby_snapshot(GAMES["wizard"], 2, WizardOptions(dummy=dummy)))
        assert page_text(page).startswith(f"**{state}")


def test_a_lobby_says_when_its_options_changed() -> None:
    plain, changed = (page_text(draw_lobby(lobby_snapshot(GAMES["jest"], 2, chosen=at))) for at in (0, 1234))
    assert "1 day a move. Hands: direct message or **Show my hand**." in plain
    assert "Options changed <t:1234:R>. Hands: direct message or **Show my hand**." in changed


def test_a_clock_that_is_not_the_usual_one_is_said_once() -> None:
    text = page_text(draw_lobby(lobby_snapshot(GAMES["jest"], 2, table_options=TableOptions("1 hour"))))
    assert "How it is played: 1 hour a move, with the Joker." in text
    assert "1 day a move" not in text


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_whatever_is_unusual_a_lobby_stays_short(game: AnyGame) -> None:
    everything = TableOptions(known=TABLE_OPTIONS).set_values(
        {option.name: option.values[-1] for option in options_for(game, TABLE_OPTIONS)}
    )
    for options in many_options(game):
        at = lobby_snapshot(game, 1, options, table_options=everything, chosen=1234)
        last = (replace(at.info.seats[0], last_cut=HAS_CUT_LAST),)
        at = replace(at, info=replace(at.info, seats=last, seal="5e" * 32))
        page = lobby_invitation.lobby_page(at, SCREENS[game.key], is_seal_missing=True)
        assert "cuts last. " in page_text(page)
        assert "Seal `5e5e5e5e…`: under **More**." in page_text(page)
        assert count_words(page) <= MAX_WORDS, page_text(page)


def test_a_table_without_computers_keeps_their_place() -> None:
    server = replace(DEFAULT_SERVER_SETTINGS, computers=False)
    at = lobby_snapshot(GAMES["jest"], 2)
    with_computer = replace(at, info=replace(at.info, seats=(*at.info.seats, Seat(0, "Wisp", level="easy"))))
    for snapshot, is_off in ((at, True), (with_computer, False)):
        page = lobby_invitation.lobby_page(snapshot, SCREENS["jest"], server)
        (computers,) = [press for press in page_buttons(page) if press.label == "Add computer"]
        assert computers.idle is is_off


def test_practice_says_that_nobody_can_join() -> None:
    page = draw_lobby(lobby_snapshot(GAMES["wizard"], 1, practice=True))
    assert page_text(page).startswith("**A practice match: it does not count, and nobody can join.**")
    assert not [press for press in page_buttons(page) if press.style == "primary"]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_practice_lobby_shows_no_free_seats(game: AnyGame) -> None:
    at = lobby_snapshot(game, 1, practice=True)
    spec = spec_of(at)
    assert (len(spec.seats), spec.needed, spec.open) == (1, 0, 0)
    picture = lobby_invitation.lobby_picture(at, SCREENS[game.key])
    for text in (picture.alt, lobby_invitation.lobby_words(at, SCREENS[game.key])):
        assert "Ada" in text
        assert "free seat" not in text
        assert "needed" not in text


def test_a_lobby_without_its_picture_says_the_same_in_words() -> None:
    at = lobby_snapshot(GAMES["court"], 3)
    pages = [
        lobby_invitation.lobby_page(at, SCREENS["court"], has_picture=has_picture) for has_picture in (True, False)
    ]
    assert [page_buttons(page) for page in pages] == [page_buttons(pages[0])] * 2
    assert pages[1].blocks[0] == Text(
        "## Jester's Court\nRace your Mage to all four edges; knock rivals back.\n"
        "-# 2–4 players · about 35 min · medium\n- Ada (host)\n- Bela\n- \\*Chidi\\*\n- 1 free seat"
    )
    assert pages[1].blocks[1:] == pages[0].blocks[1:]


def test_the_menu_of_a_lobby_says_until_when_it_is_open() -> None:
    at = lobby_snapshot(GAMES["jest"], 2)
    lines = lobby_invitation.menu_lines(at, SCREENS["jest"], NO_ADDITIONS)
    assert lines == ["-# If nobody starts it, it is cancelled <t:87400:R>."]
