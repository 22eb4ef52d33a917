"""Choices in steps: private, never stored, reversible, and robust to stale clicks."""

from __future__ import annotations

from engines.court import COURT, board, deck
from engines.court.model import State
from engines.store.match_store import Status
from tests.cogs.court.states import choose_lively
from tests.cogs.hands import offered_moves, play_until
from tests.end_to_end.players import THREE, find_hand, find_table, leave_match, load_snapshot, seat_and_start, show_hand
from tests.end_to_end.simulated_server import Message, SimulatedServer, control_ids, message_text, reply_text

HINDER = "Hinder the others: choose a card."
TWO = THREE[:2]


def step_buttons(message: Message) -> dict[str, str]:
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in control_ids(message) if custom_id[:2] == "n:"}


async def press_step(w: SimulatedServer, match: str, name: str, path: str) -> Message:
    message = find_hand(w, name, match)
    await w.press_button(name, message, step_buttons(message)[path])
    return find_hand(w, name, match)


async def seat_with_menhir(w: SimulatedServer) -> tuple[str, str, list[str]]:
    """Start a match of two, and return it with the player in Phase Two who holds a Menhir, and the player's cards."""
    match = await seat_and_start(w, TWO, game="court")

    def holds(state: State) -> bool:
        is_ready = state.phase == "hinder" and not state.owed and not set(state.mages) <= set(board.START_SQUARES)
        return is_ready and deck.MENHIR in state.hands[state.turn]

    name = await play_until(w, match, holds, choose_lively)
    now = await load_snapshot(w, match)
    return match, name, list(dict.fromkeys(map(deck.card_name, now.view(now.due_seats()[0]).hand)))


async def test_one_may_go_back_or_choose_another_card(server: SimulatedServer) -> None:
    match, name, cards = await seat_with_menhir(server)
    plain, requests = message_text(find_hand(server, name, match)), len(server.sent_requests())
    for card in [card for card in cards if card != "menhir"][:2]:
        message = await press_step(server, match, name, card)
        assert f"discard {card}" in offered_moves(message)
        await server.press_button(name, message, "Other card")
    await press_step(server, match, name, "menhir")
    await server.press_button(name, await press_step(server, match, name, "menhir/6"), "Back")
    assert "Which row for your Menhir?" in message_text(find_hand(server, name, match))
    await server.press_button(name, find_hand(server, name, match), "Other card")
    assert message_text(find_hand(server, name, match)) == plain
    await server.env.settle()
    sent = server.sent_requests(requests)
    assert [path for method, path in sent if method in ("PATCH", "POST") and "/callback" not in path] == []
    assert set(step_buttons(find_hand(server, name, match))) == set(cards)


async def test_a_hand_shown_at_the_table_goes_by_steps_for_its_owner_alone(server: SimulatedServer) -> None:
    match, name, _ = await seat_with_menhir(server)
    hand_message = await show_hand(server, name, match)
    public = [message_text(message) for message in server.public_messages(server.thread)]
    for path in ("menhir", "menhir/1"):
        await server.press_button(name, hand_message, step_buttons(hand_message)[path])
        (hand_message,) = [reply.message for reply in server.ephemeral_messages() if reply.viewer == server[name].id]
    assert "Which square of row 1?" in message_text(hand_message)
    assert [message_text(message) for message in server.public_messages(server.thread)] == public
    move, custom_id = list(offered_moves(hand_message).items())[3]
    await server.press_button(name, hand_message, custom_id)
    assert (await load_snapshot(server, match)).state.menhirs[TWO.index(name)] == board.parse_square(move.split()[1])
    assert offered_moves(find_hand(server, name, match)) == {}  # the other copy follows


async def test_steps_of_a_decision_that_is_past_change_nothing_and_show_the_hand(server: SimulatedServer) -> None:
    match, name, _ = await seat_with_menhir(server)
    await press_step(server, match, name, "menhir")
    message = await press_step(server, match, name, "menhir/2")
    custom_id = next(iter(offered_moves(message).values()))
    await server.press_button(name, message, custom_id)
    seat = TWO.index(name)

    def holds(state: State) -> bool:
        return state.phase == "hinder" and [*COURT.decisions(state)] == [seat]

    await play_until(server, match, holds, lambda state, seat, rng: rng.choice(COURT.moves(state, seat)))
    now = await load_snapshot(server, match)
    card = deck.card_name(now.view(seat).hand[0])
    for kind in "ng":
        stale = f"{kind}:{match}:{custom_id.split(':')[2]}:{card}"
        answer = await server.forge_click(name, find_hand(server, name, match), stale, None)
        assert "no longer open" in reply_text(answer)
        assert HINDER in message_text(find_hand(server, name, match))
        assert (await load_snapshot(server, match)).info == now.info


async def test_a_path_that_leads_nowhere_shows_the_hand(server: SimulatedServer) -> None:
    match, name, _ = await seat_with_menhir(server)
    number = next(iter(step_buttons(find_hand(server, name, match)).values())).split(":")[2]
    for path in ("5Z", "menhir/W", "menhir/J6", "menhir/2/B2", "/", "x" * 80, "🂡", "menhir//"):
        answer = await server.forge_click(name, find_hand(server, name, match), f"n:{match}:{number}:{path}", None)
        assert HINDER in message_text(find_hand(server, name, match))
        assert len(reply_text(answer)) > 10
        assert (await load_snapshot(server, match)).info.status is Status.RUNNING


async def test_steps_of_other_people_and_of_a_paused_match_are_not_shown(server: SimulatedServer) -> None:
    match, name, _ = await seat_with_menhir(server)
    other = next(each for each in TWO if each != name)
    custom_id = step_buttons(find_hand(server, name, match))["menhir"]
    public = await find_table(server, match)
    for name_ in (other, "Greta"):
        for kind in "ng":
            answer = await server.forge_click(name_, public, kind + custom_id[1:], None)
            assert len(reply_text(answer)) > 10
            assert answer.ephemeral or all(each.ephemeral for each in answer.followups)
            assert "Which row" not in reply_text(answer)
    assert message_text(await find_table(server, match)) == message_text(public)
    await leave_match(server, match, other)
    answer = await server.forge_click(name, find_hand(server, name, match), custom_id, None)
    assert "Which row" not in message_text(find_hand(server, name, match))
    assert "paused" in reply_text(answer) + message_text(find_hand(server, name, match))
