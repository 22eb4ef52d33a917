"""How buttons look: no move looks better than another, and red is what cannot be taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.menu_pages import menu_page
from cogs.table.pages.page import Menu, Row, Text
from engines.store.match_store import Status
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.shown import LONG_NAMES, all_match_pages, match_snapshots, other_pages, page_buttons, page_setting

CASES = [(helper, start) for helper in HELPERS.values() for start in helper.starts()[:1]]
every_game = pytest.mark.parametrize(("helper", "start"), CASES, ids=[helper.game.key for helper, _ in CASES])


@every_game
def test_moves_look_alike_and_stand_out_if_alone(helper: GameHelper, start: MatchStart) -> None:
    for snapshot in match_snapshots(helper, start)[:40]:
        for seat, page in all_match_pages(helper, snapshot):
            moves = [press for press in page_buttons(page) if press.to.startswith(("m:", "c:", "n:"))]
            taps = [press for press in page_buttons(page) if press.to.startswith("o:")]
            lists = [row for row in page.blocks if isinstance(row, Row) and isinstance(row.items, Menu)]
            assert seat is not None or not moves
            assert {press.style for press in moves} <= ({"primary", "secondary"} if lists or taps else {"primary"})
            assert len({press.style for press in moves}) <= 1
            if moves:
                others = [press for press in page_buttons(page) if press not in (*moves, *taps)]
                assert {press.style for press in others} <= {"secondary"}
                assert {press.style for press in taps} <= {"secondary", "success"}


@every_game
def test_red_is_what_cannot_be_taken_back(helper: GameHelper, start: MatchStart) -> None:
    presses = [press for page in other_pages(helper, start, LONG_NAMES) for press in page_buttons(page)]
    every = [custom_ids.parse_control(press.to) for press in presses if press.style == "danger"]
    rest = {control.rest for control in every if control and control.kind == "t"}
    assert rest == {"leave", "stop", "cancel"}


def test_the_answer_to_a_question_is_the_move_by_its_name() -> None:
    helper = HELPERS["wizard"]
    snapshot = match_snapshots(helper, helper.starts()[0])[0]
    page = match_pages.confirm_move_page(snapshot, 3, "pass", "Really?", "Pass")
    yes, no = page_buttons(page)
    assert (yes.label, yes.style, yes.to) == ("Pass", "danger", custom_ids.move_id(snapshot.info.id, 3, "pass"))
    assert (no.label, no.style) == ("Back to the hand", "secondary")


@every_game
def test_a_paused_table_has_one_row_of_buttons(helper: GameHelper, start: MatchStart) -> None:
    snapshot = match_snapshots(helper, start, LONG_NAMES)[0]
    info = replace(snapshot.info, status=Status.PAUSED, reason="Ana has left.", votes=(snapshot.info.seats[1].user,))
    page = match_pages.table_page(replace(snapshot, info=info), page_setting(helper))
    assert [press.label for press in page_buttons(page)] == ["Take the empty seat", "Vote", "More"]
    assert len([block for block in page.blocks if isinstance(block, Row)]) == 1
    seated = page_buttons(menu_page(replace(snapshot, info=info), snapshot.info.seats[0].user, helper.screen))
    assert "Show my hand" in {press.label for press in seated}, "the hand is behind More"


@every_game
def test_the_reader_is_called_you(helper: GameHelper, start: MatchStart) -> None:
    snapshot = match_snapshots(helper, start)[0]
    due = {snapshot.info.seats[seat].user for seat in snapshot.due_seats()}
    for seat in snapshot.info.seats:
        text = match_pages.standing_text(snapshot, helper.screen, seat.user)
        assert ("Waiting for you" in text) is (seat.user in due)
        assert (seat.user in due) <= (seat.name not in text)
    lobby = replace(
        snapshot, state=None, events=(), movers=(), info=replace(snapshot.info, status=Status.LOBBY, moves=0)
    )
    for number, seat in enumerate(lobby.info.seats):
        blocks = match_pages.hand_page(lobby, number, page_setting(helper)).blocks
        whole = " ".join(block.text for block in blocks if isinstance(block, Text))
        assert ("when you start" in whole) is (seat.user == lobby.info.host)
