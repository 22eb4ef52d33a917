"""Matches of Jester's Court from the lobby to the last banner, played with hands and commands."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.court import COURT, board, deck
from engines.court.model import BannerClaimed, Discard, Heal, MageKnockedOut, Push, Skip, Step, Strike
from engines.kit.seats import parse_seat
from engines.store.match_store import Status
from tests.cogs.court.table import (
    FOUR,
    choose_harsh,
    choose_lively,
    ends_match,
    held_cards,
    make_move,
    offered_moves,
    open_court,
    play_to_moment,
    play_to_phase_two,
    press_step,
    seat_court,
)
from tests.end_to_end.players import due_name, find_hand, find_lobby, find_table, join_lobby, load_snapshot, start_match
from tests.end_to_end.world import SimulatedServer, button_labels, client_text, message_text, reply_text

# Whole matches


async def test_t13_the_agreed_number_of_turns_ends_the_match(inn: SimulatedServer) -> None:
    match = await open_court(inn, turns=3)
    assert "Turns: at most 3, counting all players" in message_text(await find_lobby(inn, match))
    await join_lobby(inn, match, "Bela")
    await start_match(inn, match)
    rng = Random(3)
    while (now := await load_snapshot(inn, match)).info.status is Status.RUNNING:
        await make_move(inn, match, COURT.format_move(choose_lively(now.state, now.due_seats()[0], rng)))
    assert now.state.ending == "turns"
    assert "the agreed turns are over" in message_text(await find_table(inn, match))


# Moving


async def test_the_hand_says_where_each_card_leads_before_one_chooses(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 3)

    def moving(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Step) and len({card // 13 for card in before.hands[seat] if card < 52}) > 2

    move = await play_to_moment(inn, match, moving, choose_lively, 60)
    now = await load_snapshot(inn, match)
    (seat,) = now.due_seats()
    name = FOUR[seat]
    shown = button_labels(find_hand(inn, name, match))
    for each in now.moves(seat):
        assert isinstance(each, Step)
        path = board.mage_path(now.state, seat, each.card)
        label = next(label for label in shown if label.startswith(short_card(deck.card_name(each.card))))
        goes = (
            ("banner", "crosses")
            if path.crosses
            else "stays"
            if path.end == path.start
            else board.square_name(path.end)
        )
        assert label.endswith(goes)
    await make_move(inn, match, move)
    assert f"{name} {short_card(move.split()[1])} " in message_text(await find_table(inn, match))
    if await due_name(inn, match) == name:
        assert "Hinder the others" in message_text(find_hand(inn, name, match))


def short_card(card: str) -> str:
    """Return a card's short name."""
    return card[:-1] + "♣♦♥♠"["CDHS".index(card[-1])]


async def test_t7_who_is_pushed_over_an_edge_gets_the_banner_and_places_the_mage(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 3)

    def pushed_out(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Push) and any(isinstance(event, BannerClaimed) for event in events)

    move = await play_to_moment(inn, match, pushed_out, choose_lively, 120)
    before = await load_snapshot(inn, match)
    (pusher,), target = before.due_seats(), parse_seat(move.split()[2])
    card = move.split()[1]
    message = await press_step(inn, match, FOUR[pusher], card)
    await inn.press_button(FOUR[pusher], message, offered_moves(message)[move])
    asked = inn.newest_in_inbox(FOUR[pusher])
    assert f"gives {FOUR[target]} the banner" in message_text(asked)
    await inn.press_button(FOUR[pusher], asked, "Back to the hand")
    assert (await load_snapshot(inn, match)).info == before.info
    message = find_hand(inn, FOUR[pusher], match)  # with that card chosen
    await inn.press_button(FOUR[pusher], message, offered_moves(message)[move])
    asked = inn.newest_in_inbox(FOUR[pusher])
    await inn.press_button(FOUR[pusher], asked, f"m{offered_moves(message)[move][1:]}")
    assert await due_name(inn, match) == FOUR[target]
    assert f"{FOUR[target]} gets banner\N{NO-BREAK SPACE}" in message_text(await find_table(inn, match))

    # the others wait, also after a restart
    stale = find_hand(inn, FOUR[pusher], match)
    assert offered_moves(stale) == {}
    await inn.restart()
    answer = await inn[FOUR[pusher]].slash(inn.thread, "court move", move="discard menhir")
    assert "not your turn" in reply_text(answer)
    message = find_hand(inn, FOUR[target], match)
    assert "place your Mage" in message_text(message)
    free = list(offered_moves(message))
    assert free
    assert all(move.startswith("place ") for move in free)
    await inn.press_button(FOUR[target], message, offered_moves(message)[free[-1]])
    assert (await load_snapshot(inn, match)).state.mages[target] == board.parse_square(free[-1].split()[1])


async def test_t13_one_wins_by_being_pushed_over_the_last_edge(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2, banners=2)

    def won(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Push) and ends_match(before, seat, move, events)

    move = await play_to_moment(inn, match, won, choose_harsh, 60)
    (pusher,) = (await load_snapshot(inn, match)).due_seats()
    winner = FOUR[1 - pusher]
    message = await press_step(inn, match, FOUR[pusher], move.split()[1])
    await inn.press_button(FOUR[pusher], message, offered_moves(message)[move])
    assert f"makes {winner} win" in message_text(inn.newest_in_inbox(FOUR[pusher]))
    await inn.press_button(FOUR[pusher], inn.newest_in_inbox(FOUR[pusher]), f"m{offered_moves(message)[move][1:]}")
    assert (await load_snapshot(inn, match)).info.status is Status.OVER
    final = message_text(await find_table(inn, match))
    assert f"{winner} wins with 2 banners" in final
    assert f"{winner} gets banner\N{NO-BREAK SPACE}" in final


# Knocked out


async def test_t10_two_knocked_out_by_one_ace_decide_one_after_the_other(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 4)

    def two(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Strike) and sum(isinstance(event, MageKnockedOut) for event in events) == 2

    await make_move(inn, match, await play_to_moment(inn, match, two, choose_harsh, 200))
    now = await load_snapshot(inn, match)
    assert len({owed.seat for owed in now.state.owed}) == 2
    first, last = now.state.owed[0].seat, now.state.owed[-1].seat
    said = message_text(await find_table(inn, match))
    for seat in (first, last):
        assert f"{FOUR[seat]} is knocked out" in said
        assert now.state.health[seat] == 6
    for seat in (first, last):
        while (await load_snapshot(inn, match)).due_seats() == (seat,):
            await inn.restart()
            others = [name for name in FOUR if name != FOUR[seat]]
            assert all(offered_moves(find_hand(inn, name, match)) == {} for name in others)
            message = find_hand(inn, FOUR[seat], match)
            move, custom_id = next(iter(offered_moves(message).items()))
            assert move.split()[0] in ("give", "place")
            await inn.press_button(FOUR[seat], message, custom_id)
    assert (await load_snapshot(inn, match)).state.phase == "move"
    assert (await load_snapshot(inn, match)).state.owed == []


async def test_t10_a_banner_is_given_back_by_choice(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 4)

    def gives(before: Any, seat: int, move: Any, events: Any) -> bool:
        return bool(before.owed) and before.owed[0].what == "give"

    move = await play_to_moment(inn, match, gives, choose_harsh, 200)
    now = await load_snapshot(inn, match)
    (seat,) = now.due_seats()
    await inn.restart()
    message = find_hand(inn, FOUR[seat], match)
    assert "Knocked out: give back a banner." in message_text(message)
    assert len(offered_moves(message)) == len(now.view(None).banners[seat]) >= 2
    await make_move(inn, match, move)
    assert f"{FOUR[seat]} gives back\N{NO-BREAK SPACE}" in message_text(await find_table(inn, match))
    assert len((await load_snapshot(inn, match)).view(None).banners[seat]) == len(now.view(None).banners[seat]) - 1


# Menhirs


async def test_t8_a_menhir_is_placed_by_its_part_and_its_square(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    before = await load_snapshot(inn, match)
    message = await press_step(inn, match, name, "menhir")
    assert "Which part of the board for your Menhir?" in message_text(message)
    assert "The whole board" in client_text(message)
    message = await press_step(inn, match, name, "menhir/F18")
    assert "The part F18 to I22 is chosen" in client_text(message)
    await inn.press_button(name, message, "Back")
    message = await press_step(inn, match, name, "menhir/A18")
    assert "The part A18 to E22 is chosen" in client_text(message)
    assert "menhir B21" in offered_moves(message)
    assert len(offered_moves(message)) <= 25
    assert await load_snapshot(inn, match) == before
    await inn.press_button(name, message, "B21")
    now = await load_snapshot(inn, match)
    assert now.state.menhirs[FOUR.index(name)] == board.parse_square("B21")
    assert f"{name} Menhir on B21" in message_text(await find_table(inn, match))


@pytest.mark.parametrize(
    ("square", "reason"),
    [
        ("k 11", "K11 is a starting square"),
        ("W3", "is not a square"),
        ("mage", "A Mage stands on"),
        ("A0", "is not a square"),
    ],
)
async def test_t8_a_menhir_is_refused_with_the_reason(inn: SimulatedServer, square: str, reason: str) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    now = await load_snapshot(inn, match)
    mage = next(mage for mage in now.state.mages if mage not in board.START_SQUARES)
    typed = board.square_name(mage).lower() if square == "mage" else square
    answer = await inn[name].slash(inn.thread, "court move", move=f"menhir {typed}")
    assert reason in reply_text(answer)
    assert answer.ephemeral
    assert (await load_snapshot(inn, match)).info == now.info


async def test_t8_a_menhirs_square_is_typed(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    found = await inn[name].autocomplete(inn.thread, "court move", "move", "menhir b2", match=match)
    assert [each["value"] for each in found] == ["menhir B2", "menhir B20", "menhir B21", "menhir B22"]
    await inn[name].slash(inn.thread, "court move", move=" menhir b21 ")
    assert (await load_snapshot(inn, match)).state.menhirs[FOUR.index(name)] == board.parse_square("B21")


# Slash commands


async def move_by_command(w: SimulatedServer, match: str, move: str) -> Any:
    """Make a legal move by slash command, as autocomplete suggests it."""
    name = FOUR[(await load_snapshot(w, match)).due_seats()[0]]
    found = await w[name].autocomplete(w.thread, "court move", "move", move, match=match)
    assert move in [each["value"] for each in found]
    return await w[name].slash(w.thread, "court move", move=move, match=match)


async def test_skipping_healing_and_discarding_by_command(inn: SimulatedServer) -> None:
    wanted = {Skip: " skips", Heal: " heals: health", Discard: " discards "}
    for kind, said in wanted.items():
        match = await seat_court(inn, 2)

        def there(before: Any, seat: int, move: Any, events: Any, kind: Any = kind) -> bool:
            return isinstance(move, kind)

        def any_move(state: Any, seat: int, rng: Random) -> Any:
            return rng.choice(COURT.moves(state, seat))

        move = await play_to_moment(inn, match, there, any_move, 400)
        await move_by_command(inn, match, move)
        assert said in message_text(await find_table(inn, match))


async def test_autocomplete_offers_ones_own_moves_alone(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await play_to_phase_two(inn, match, "menhir")
    cards = await held_cards(inn, match)
    for who in (*FOUR[:2], "Greta"):
        found = await inn[who].autocomplete(inn.thread, "court move", "move", "discard", match=match)
        discards = [f"discard {card}" for card in sorted(set(cards))]
        assert sorted(each["value"] for each in found) == (discards if who == name else [])
        squares = await inn[who].autocomplete(inn.thread, "court move", "move", "place menhir", match=match)
        assert len(squares) == (25 if who == name else 0)


async def test_refusals_are_sentences(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    name = await due_name(inn, match)
    assert name is not None
    refused = [
        ("place A1", "Place your Mage on a starting square"),
        ("place Z99", "is not a square"),
        ("skip", "Place your Mage on a starting square first"),
        ("push 4H B", "Place your Mage on a starting square first"),
        ("push 4H nobody", "is not a seat"),
        ("attack nonsense", "nonsense"),
        ("give hearts", "Place your Mage"),
    ]
    for move, sentence in refused:
        answer = await inn[name].slash(inn.thread, "court move", move=move)
        assert sentence in reply_text(answer), move
        assert answer.ephemeral
    assert (await load_snapshot(inn, match)).info.moves == 0


async def test_the_score_sheet_has_banners_health_and_knock_outs(inn: SimulatedServer) -> None:
    match = await seat_court(inn, 2)
    answer = await inn.press_button("Ada", await find_table(inn, match), "Score sheet")
    assert "**Ada**: 0 banners · health 6 · 0 knock-outs" in reply_text(answer).replace("\N{NO-BREAK SPACE}", " ")
