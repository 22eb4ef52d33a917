"""A card that is marked ahead is played in its turn, unless it no longer fits; nobody else is told of it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from cogs.features.plans.plan_controls import change_id
from cogs.features.registry import ACTION_TEXTS
from cogs.table.actions.match_history import history_text
from cogs.table.scheduling.computer_turns import LONGEST_FEATURE_PAUSE, MOVE_PAUSE
from engines.features.plans.planned_moves import PLANNED_MOVES
from engines.store.match_store import Status
from tests.end_to_end.players import THREE, seat_after
from tests.end_to_end.simulated_server import SimulatedServer
from tests.end_to_end.test_privacy import ask_to_be_forgotten, fetch_data
from tests.messages import SELECT, Message, button_labels, kind_of, message_text, walk_components


async def start_tricks(w: SimulatedServer, rounds: int = 4, round_: int = 3, **options: str) -> str:
    """A match of Wizard at the first card of a round of three cards."""
    match = await w.seat_and_start(rounds=rounds, clock="1 hour", **options)
    await w.play_on(match, "play", round_)
    return match


def plan_menu(message: Message) -> dict[str, Any] | None:
    found = [each for each in walk_components(message["components"]) if each["type"] == SELECT]
    return next((each for each in found if kind_of(each["custom_id"]) == "plans"), None)


async def mark(w: SimulatedServer, name: str, match: str, value: str) -> None:
    menu = plan_menu(w.find_hand(name, match))
    assert menu is not None
    await w.choose_options(name, w.find_hand(name, match), menu["custom_id"], value)


async def plans(w: SimulatedServer, match: str) -> dict[str, str]:
    """Each planned move, by its player's name, with its condition, and why it was cancelled."""
    found = await w.bot.surfaces.store.load_rows(PLANNED_MOVES, match)
    named = {w[name].id: name for name in w.people}
    return {named[plan.user]: f"{plan.notation}, {plan.condition} {plan.dropped}".strip() for plan in found}


async def waiting_name(w: SimulatedServer, match: str) -> str:
    return seat_after(await w.due_name_now(match))


def offered(message: Message) -> list[str]:
    menu = plan_menu(message)
    return [] if menu is None else [str(each["value"]) for each in menu["options"]]


async def test_a_planned_card_is_played_when_its_turn_comes_as_if_it_were_clicked(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    assert "Play ahead" in str(plan_menu(server.find_hand(name, match)))
    assert plan_menu(server.find_hand(await server.due_name_now(match), match)) is None, "whose turn it is plays"
    await server.make_move(match)
    after = seat_after(name)
    await mark(server, after, match, (card := offered(server.find_hand(after, match))[0]))
    assert "Planned: " in server.hand_text(after, match)
    assert "Withdraw" in button_labels(server.find_hand(after, match))
    await server.make_move(match)
    assert await server.due_name_now(match) == after
    moves = await server.move_count(match)
    await server.env.advance_time(MOVE_PAUSE - 0.5)
    assert await server.move_count(match) == moves
    await server.env.advance_time(LONGEST_FEATURE_PAUSE - MOVE_PAUSE + 0.5)
    look = await server.load_snapshot(match)
    saved = await server.bot.matches.editor.store.load(match)
    assert saved is not None
    last_move = saved.moves[-1]
    assert (look.info.moves, last_move.notation, last_move.user, last_move.level) == (
        moves + 1,
        card,
        server[after].id,
        "",
    )
    assert await plans(server, match) == {}
    assert "Marked" not in server.hand_text(after, match)
    history = history_text(look.info, await server.bot.matches.lookup.load_history(match), 2000, ACTION_TEXTS)
    assert "played" not in history, "nothing says that it was marked"
    assert "mark" not in (await server.table_text(match)).lower()


async def test_the_time_before_a_planned_card_differs_from_move_to_move(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    look = await server.load_snapshot(match)
    computers = server.bot.computers
    looks = [replace(look, info=replace(look.info, moves=number)) for number in range(50)]
    pauses = [await computers._feature_pause(each) for each in looks]
    assert [await computers._feature_pause(each) for each in looks] == pauses, "it stays the same after a restart"
    assert MOVE_PAUSE <= min(pauses) < 3.0
    assert 5.0 < max(pauses) <= LONGEST_FEATURE_PAUSE
    assert len(set(pauses)) > 40


async def test_nobody_else_sees_a_mark(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    others = [each for each in THREE if each != name]
    before = await server.load_snapshot(match)
    shown_messages = [await server.find_table(match), *(server.find_hand(each, match) for each in others)]
    request_count = len(server.sent_requests())
    await mark(server, name, match, offered(server.find_hand(name, match))[0])
    await server.env.advance_time(10 * MOVE_PAUSE)
    assert [await server.find_table(match), *(server.find_hand(each, match) for each in others)] == shown_messages
    own = f"/channels/{server[name].user.dm_channel.id}/"
    sent = [
        path
        for _, path in server.sent_requests(request_count)
        if not path.startswith(("/interactions", "/webhooks", own))
    ]
    assert sent == []
    after = await server.load_snapshot(match)
    assert (after.info, after.state) == (before.info, before.state), "the match does not know of it"
    data = await fetch_data(server, others[0])
    assert "'your planned move': None" in str(data)
    assert "'your planned move': {'decision': " in str(await fetch_data(server, name))


async def test_it_is_withdrawn_with_one_press_and_its_condition_changes_with_one(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    card = next(each for each in offered(server.find_hand(name, match)) if each[-1] in "CDHS")
    await mark(server, name, match, card)
    assert await plans(server, match) == {name: f"{card}, {card[-1]}"}
    await server.press_button(name, server.find_hand(name, match), "Whatever happens")
    assert await plans(server, match) == {name: f"{card}, any"}
    assert "· whatever happens" in server.hand_text(name, match)
    await server.press_button(name, server.find_hand(name, match), "Withdraw")
    assert await plans(server, match) == {}
    assert plan_menu(server.find_hand(name, match)) is not None
    await server.make_move(match)
    await server.env.advance_time(10 * MOVE_PAUSE)
    assert await server.due_name_now(match) == name, "a withdrawn card is not played"


async def mark_ruled_out(w: SimulatedServer, match: str) -> tuple[str, str]:
    """Mark a card of a suit that is not led, on the condition that it is; its player, and how its reason begins."""
    leader, name = await w.due_name_now(match), await waiting_name(w, match)
    look = await w.load_snapshot(match)
    led = look.game.format_move(look.moves(THREE.index(leader))[0])
    card = next(each for each in offered(w.find_hand(name, match)) if each[-1] in "CDHS" and each[-1] != led[-1])
    await mark(w, name, match, card)
    await w.make_move(match)
    return name, "Your planned card was cancelled: "


async def test_a_mark_that_no_longer_fits_is_dropped_and_its_player_is_told_why(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    name, refusal_text = await mark_ruled_out(server, match)
    await server.env.advance_time(10 * MOVE_PAUSE)
    assert await server.due_name_now(match) == name, "a dropped card is not played"
    assert re.search(rf"{refusal_text}(clubs|diamonds|hearts|spades|no suit)", server.hand_text(name, match))
    assert re.fullmatch(r"play \w+, [CDHS] ([CDHS]|nosuit)", (await plans(server, match))[name]), "it stays dropped"
    for other in (each for each in THREE if each != name):
        assert refusal_text not in server.hand_text(other, match)
    assert refusal_text not in await server.table_text(match)
    await server.make_move(match)
    await server.env.settle()
    assert refusal_text not in server.hand_text(name, match)
    assert await plans(server, match) == {}


@pytest.mark.parametrize("killed", [False, True])
async def test_a_mark_survives_a_restart_and_is_played_if_its_turn_came(server: SimulatedServer, killed: bool) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    after = seat_after(name)
    await server.make_move(match)
    await mark(server, after, match, offered(server.find_hand(after, match))[0])
    await server.make_move(match)
    server.bot.tasks.stop(f"computers {match}")  # it dies in the pause, when everything is shown
    moves = await server.move_count(match)
    await server.env.advance_time(30)
    assert await server.bot.surfaces.store.stale_matches() == []
    await server.restart(killed=killed)
    await server.env.advance_time(LONGEST_FEATURE_PAUSE)
    assert await server.move_count(match) == moves + 1
    assert await plans(server, match) == {}


async def test_a_click_of_ones_own_comes_first(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    await server.make_move(match)
    name = await waiting_name(server, match)
    await mark(server, name, match, offered(server.find_hand(name, match))[-1])
    await server.make_move(match)
    moves = await server.move_count(match)
    await server.make_move(match)
    await server.env.advance_time(10 * MOVE_PAUSE)
    assert await server.move_count(match) == moves + 1
    assert await plans(server, match) == {}


async def test_a_mark_can_be_withdrawn_during_the_pause(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    await server.make_move(match)
    name = await waiting_name(server, match)
    await mark(server, name, match, offered(server.find_hand(name, match))[0])
    old = server.find_hand(name, match)
    await server.make_move(match)
    withdraw = next(each["custom_id"] for each in walk_components(old["components"]) if each.get("label") == "Withdraw")
    await server.forge_click(name, server.find_hand(name, match), withdraw)
    moves = await server.move_count(match)
    await server.env.advance_time(10 * MOVE_PAUSE)
    assert await server.move_count(match) == moves
    assert await plans(server, match) == {}


async def test_nonsense_and_strangers_mark_nothing(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    hand = server.find_hand(name, match)
    menu = plan_menu(hand)
    assert menu is not None
    decision = int(menu["custom_id"].split(":")[3])
    due = await server.due_name_now(match)
    for who, custom_id, values in (
        (name, menu["custom_id"], ["play nonsense"]),
        (name, menu["custom_id"], ["bid 1"]),
        (name, change_id(match, decision, "if any"), None),
        (name, change_id(match, decision + 1, "move"), [offered(hand)[0]]),
        (name, f"d:{match}:{decision}:if Q", None),
        (due, menu["custom_id"], [offered(hand)[0]]),
        ("Emil", menu["custom_id"], [offered(hand)[0]]),
    ):
        await server.forge_click(who, await server.find_table(match), custom_id, values)
        assert await plans(server, match) == {}, (who, custom_id)
    assert await server.status(match) is Status.RUNNING


async def test_somebody_who_leaves_or_is_forgotten_leaves_no_mark(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    await mark(server, name, match, offered(server.find_hand(name, match))[0])
    await server.leave_match(match, name)
    await server.env.settle()
    assert await plans(server, match) == {}
    other = seat_after(name)
    assert other
    await ask_to_be_forgotten(server, name)
    assert await plans(server, match) == {}


async def test_the_end_of_a_match_leaves_no_mark(server: SimulatedServer) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    await mark(server, name, match, offered(server.find_hand(name, match))[0])
    await server.bot.matches.seating.reset_match(match, 99)
    for _ in range(20):  # it is deleted after the change, beside it
        await server.env.settle()
        if await plans(server, match) == {}:
            return
    raise AssertionError("the mark is still there")


@pytest.mark.parametrize("words", [False, True])
async def test_it_works_on_a_private_copy_and_in_words(server: SimulatedServer, words: bool) -> None:
    match = await start_tricks(server)
    name = await waiting_name(server, match)
    await server.bot.surfaces.change_preferences(server[name].id, lambda old: replace(old, words=words))
    await server.press_button(name, await server.find_table(match), "Show my hand")
    shown_page = server.newest_private(name)
    menu = plan_menu(shown_page)
    assert menu is not None
    await server.choose_options(name, shown_page, menu["custom_id"], str(menu["options"][0]["value"]))
    text = message_text(server.newest_private(name))
    assert "Planned: " in text
    assert "Withdraw" in button_labels(server.newest_private(name))
    await server.env.settle()
    assert "Planned: " in server.hand_text(name, match), "the hand in direct messages shows it, too"
