"""Choices in steps: private, never stored, reversible, and robust to restarts and stale clicks."""

from __future__ import annotations

from typing import Any

import pytest

from engines.court import COURT, board
from engines.store.match_store import Status
from tests.cogs.court.table import (
    FOUR,
    choose_lively,
    held_cards,
    make_move,
    offered_moves,
    play_moves,
    play_to_moment,
    play_to_phase_two,
    press_step,
    seat_court,
    step_buttons,
)
from tests.end_to_end.players import find_hand, find_table, leave_match, load_snapshot, show_hand
from tests.end_to_end.world import PendingClick, SimulatedServer, message_text, reply_text

HINDER = "Hinder the others: choose a card."


async def test_one_may_go_back_or_choose_another_card(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 3)
    name = await play_to_phase_two(inn, match, "menhir")
    plain = message_text(find_hand(inn, name, match))
    cards = list(dict.fromkeys(await held_cards(inn, match)))
    requests = len(inn.sent_requests())
    for card in [card for card in cards if card != "menhir"][:2]:
        message = await press_step(inn, match, name, card)
        assert f"discard {card}" in offered_moves(message)
        await inn.press_button(name, message, "Other card")
    message = await press_step(inn, match, name, "menhir")
    message = await press_step(inn, match, name, "menhir/J6")
    await inn.press_button(name, message, "Back")
    assert "Which part of the board for your Menhir?" in message_text(find_hand(inn, name, match))
    await inn.press_button(name, find_hand(inn, name, match), "Other card")
    assert message_text(find_hand(inn, name, match)) == plain
    await inn.env.settle()
    assert [
        path for method, path in inn.sent_requests(requests) if method in ("PATCH", "POST") and "/callback" not in path
    ] == []
    assert set(step_buttons(find_hand(inn, name, match))) == set(cards)


async def test_steps_survive_a_restart(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    await press_step(inn, match, name, "menhir")
    message = await press_step(inn, match, name, "menhir/F1")
    await inn.restart()
    assert message_text(find_hand(inn, name, match)) == message_text(message)
    await inn.press_button(name, message, "Back")
    message = await press_step(inn, match, name, "menhir/J1")
    await inn.restart()
    move, custom_id = next(iter(offered_moves(find_hand(inn, name, match)).items()))
    await inn.press_button(name, find_hand(inn, name, match), custom_id)
    assert (await load_snapshot(inn, match)).state.menhirs[FOUR.index(name)] == board.parse_square(move.split()[1])


@pytest.mark.parametrize("phase", ["place", "move", "hinder"])
async def test_every_decision_is_made_with_its_old_buttons_after_a_restart(inn: SimulatedServer, phase: str) -> None:
    match = await seat_court(inn, 3)
    while (now := await load_snapshot(inn, match)).decisions()[now.due_seats()[0]].kind != phase:
        await play_moves(inn, match, [COURT.format_move(now.moves(now.due_seats()[0])[0])])
    (seat,) = now.due_seats()
    kept = find_hand(inn, FOUR[seat], match)
    await inn.restart()
    assert (await load_snapshot(inn, match)) == now
    assert message_text(find_hand(inn, FOUR[seat], match)) == message_text(kept)
    await make_move(inn, match, COURT.format_move(now.moves(seat)[0]))
    assert (await load_snapshot(inn, match)).info.moves == now.info.moves + 1


async def test_a_hand_shown_at_the_table_goes_by_steps_for_its_owner_alone(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    shown = await show_hand(inn, name, match)
    public = [message_text(message) for message in inn.public_messages(inn.thread)]
    for path in ("menhir", "menhir/N1"):
        await inn.press_button(name, shown, step_buttons(shown)[path])
        (shown,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn[name].id]
    assert "Which square for your Menhir?" in message_text(shown)
    assert [message_text(message) for message in inn.public_messages(inn.thread)] == public
    move, custom_id = list(offered_moves(shown).items())[3]
    await inn.press_button(name, shown, custom_id)
    assert (await load_snapshot(inn, match)).state.menhirs[FOUR.index(name)] == board.parse_square(move.split()[1])
    assert offered_moves(find_hand(inn, name, match)) == {}  # the other copy follows


async def test_steps_of_a_decision_that_is_past_change_nothing_and_show_the_hand(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    await press_step(inn, match, name, "menhir")
    message = await press_step(inn, match, name, "menhir/F1")
    number = next(iter(offered_moves(message).values())).split(":")[2]
    await place_menhir(inn, match, name)
    await play_to_next(inn, match, name)
    before = (await load_snapshot(inn, match)).info
    (card, *_) = await held_cards(inn, match)
    for kind in "ng":
        answer = await inn.forge_click(name, find_hand(inn, name, match), f"{kind}:{match}:{number}:{card}", None)
        assert "no longer open" in reply_text(answer)
        assert HINDER in message_text(find_hand(inn, name, match))
        assert (await load_snapshot(inn, match)).info == before


async def play_to_next(w: SimulatedServer, match: str, name: str) -> None:
    """Play until the player's next Phase Two."""

    def there(before: Any, seat: int, move: Any, events: Any) -> bool:
        return before.phase == "hinder" and not before.owed and seat == FOUR.index(name)

    await play_to_moment(w, match, there, choose_lively, 20)


async def place_menhir(w: SimulatedServer, match: str, name: str) -> None:
    """Put the Menhir on the first square of the chosen row."""
    await w.press_button(name, find_hand(w, name, match), next(iter(offered_moves(find_hand(w, name, match)).values())))


@pytest.mark.parametrize("path", ["5Z", "menhir/W", "menhir/2/B2", "/", "x" * 80, "🂡", "menhir//"], ids=str)
async def test_a_path_that_leads_nowhere_shows_the_hand(inn: SimulatedServer, path: str) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    message = find_hand(inn, name, match)
    number = next(iter(step_buttons(message).values())).split(":")[2]
    answer = await inn.forge_click(name, message, f"n:{match}:{number}:{path}", None)
    assert HINDER in message_text(find_hand(inn, name, match))
    assert len(reply_text(answer)) > 10
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


async def test_steps_of_other_people_get_a_sentence(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    other = next(each for each in FOUR[:2] if each != name)
    number = next(iter(step_buttons(find_hand(inn, name, match)).values())).split(":")[2]
    public = await find_table(inn, match)
    for who in (other, "Greta"):
        for kind in "ng":
            answer = await inn.forge_click(who, public, f"{kind}:{match}:{number}:menhir", None)
            assert len(reply_text(answer)) > 10
            assert answer.ephemeral or all(each.ephemeral for each in answer.followups)
            assert "which row" not in reply_text(answer)
    assert message_text(await find_table(inn, match)) == message_text(public)


async def test_while_the_match_is_paused_no_step_is_shown(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    custom_id = step_buttons(find_hand(inn, name, match))["menhir"]
    await leave_match(inn, match, next(each for each in FOUR[:2] if each != name))
    answer = await inn.forge_click(name, find_hand(inn, name, match), custom_id, None)
    assert "which row" not in message_text(find_hand(inn, name, match))
    assert "paused" in reply_text(answer) + message_text(find_hand(inn, name, match))


async def test_a_move_that_is_made_twice_counts_once(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    before = await load_snapshot(inn, match)
    message = await press_step(inn, match, name, "menhir")
    click = PendingClick(name, message, offered_moves(message)["discard menhir"])
    await inn.click_at_once(click, click)
    now = await load_snapshot(inn, match)
    assert now.info.moves == before.info.moves + 1
