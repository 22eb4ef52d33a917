"""Matches of Jesters from the lobby to the final scoring: public attempts and choices in steps."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from cogs.table.pages import custom_ids
from engines import GAMES
from engines.hosting import record
from engines.jesters import JESTERS, prospects
from engines.jesters.components import catalogue
from engines.jesters.model import Learn
from engines.store.match_store import Status
from tests.cogs.jesters.table import (
    ChooseMove,
    choose_clumsy,
    choose_eager,
    choose_reroll,
    choose_step,
    choose_with_cards,
    dice_of_move,
    is_in_phase,
    make_move,
    move_buttons_of,
    pick_dice,
    pick_lists,
    play_until,
    seat_jesters,
    seat_names,
    step_lists,
    words_shown,
)
from tests.end_to_end.players import due_name, find_hand, find_table, leave_match, load_snapshot
from tests.end_to_end.world import PendingClick, SimulatedServer, button_labels, client_text, message_text, reply_text
from tests.playing import hand_path_to


async def play_until_dice(w: SimulatedServer, match: str, number: int = 3) -> str:
    """Play until the player on turn has this many dice to perform with, and return the player."""

    def ready(now: Any) -> bool:
        return bool(now.state.phase == "turn" and sum(now.state.dice[now.state.turn]) >= number)

    def learn(state: Any, rng: Random) -> Any:
        learns = [move for move in JESTERS.moves(state, state.turn) if isinstance(move, Learn)]
        return max(learns, key=lambda move: len(catalogue.jest_card(move.card).top))

    await play_until(w, match, ready, learn)
    name = await due_name(w, match)
    assert name is not None
    return name


@pytest.mark.parametrize("seats", [2])
async def test_whole_matches_in_which_everything_comes_up(inn: SimulatedServer, seats: int) -> None:
    match = await seat_jesters(inn, seats)
    assert await play_to_end(inn, match, seats, choose_eager, choose_with_cards) == {"turn", "attempt", "mark", "keep"}


async def play_to_end(w: SimulatedServer, match: str, seats: int, *players: ChooseMove) -> set[str]:
    """Play to the end, check that the final message is complete, and return the kinds of decisions seen."""
    rng, kinds = Random(seats), set()
    while (now := await load_snapshot(w, match)).info.status is Status.RUNNING:
        kinds.add(now.state.phase)
        await make_move(w, match, JESTERS.format_move(rng.choice(players)(now.state, rng)))
        assert (await load_snapshot(w, match)).info.moves == now.info.moves + 1
    end, shown = await load_snapshot(w, match), await find_table(w, match)
    outcome, said = end.outcome(), await words_shown(w, match)
    assert outcome is not None
    for seat, name in enumerate(seat_names(seats)):
        assert f"{name}: {str(outcome.points[seat]).replace('-', '−')} Fame" in said
    points = zip(seat_names(seats), outcome.points, strict=True)
    totals = ", ".join(f"{name} {total}" for name, total in points).replace("-", "−")
    assert f"**Total**: {totals}" in said
    for line in ("Majority 6/3", "Majority 5/2", "Majority 4/1", "Failure track", "First player card", "Performances"):
        assert said.count(f"**{line}**") == 1
    assert button_labels(shown) == ["Scoring", "Play again", "My costliest moves", "⋯"]
    assert {each["filename"] for each in shown["attachments"]} == {"result.png", f"jesters-{match}.txt"}
    kept = next(each for each in w.file_bytes(shown) if not each.startswith(b"\x89PNG")).decode()
    assert record.replay(record.parse_record(kept), GAMES).state == end.state
    return kinds


# Choosing what to perform, and with which dice


async def test_performing_goes_by_steps_and_nothing_is_rolled_before_it_is_confirmed(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    before = await load_snapshot(inn, match)
    plain = message_text(find_hand(inn, name, match))
    target = before.state.board[0]
    message = await choose_step(inn, match, name, str(target))
    assert "**Roll which dice?**" in message_text(message)
    assert "ithout changes" in message_text(message)
    ((value, *_),) = pick_lists(message).values()
    message = await pick_dice(inn, match, name, custom_ids.pick_token(value))
    assert f"Roll: {custom_ids.pick_token(value)}" in message_text(message)
    assert await load_snapshot(inn, match) == before
    await inn.press_button(name, message, "Back")
    await inn.press_button(name, find_hand(inn, name, match), "Back")
    assert message_text(find_hand(inn, name, match)) == plain
    await choose_step(inn, match, name, "f")
    await pick_dice(inn, match, name, custom_ids.pick_token(value))
    await inn.press_button(name, find_hand(inn, name, match), "Roll")
    now = await load_snapshot(inn, match)
    assert (now.state.phase, len(now.state.faces)) == ("attempt", 1)


async def test_several_dice_of_one_colour_are_picked_and_shown_as_picked(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match, 4)
    now = await load_snapshot(inn, match)
    owned = dice_of_move(JESTERS.format_move(next(m for m in reversed(now.moves(now.state.turn)[:-1]))))
    await choose_step(inn, match, name, "f")
    message = await pick_dice(inn, match, name, *owned)
    assert f"Roll: {', '.join(owned)}" in message_text(message)
    await inn.press_button(name, message, "Roll")
    now = await load_snapshot(inn, match)
    assert [("red", "blue", "green", "purple")[colour] for colour in now.state.own] == owned


async def test_a_step_survives_a_restart(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    message = await choose_step(inn, match, name, "f")
    (values,) = pick_lists(message).values()
    await inn.restart()
    assert message_text(find_hand(inn, name, match)) == message_text(message)
    message = await pick_dice(inn, match, name, custom_ids.pick_token(values[0]))
    await inn.restart()
    await inn.press_button(name, message, "Roll")
    assert (await load_snapshot(inn, match)).state.phase == "attempt"


async def test_steps_of_a_decision_that_is_past_show_the_hand(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    message = find_hand(inn, name, match)
    (custom_id, values) = next((c, v) for c, v in step_lists(message).items() if "f" in v)
    await make_move(inn, match, "pass")
    before = (await load_snapshot(inn, match)).info
    answer = await inn.forge_click(name, find_hand(inn, name, match), custom_id, [values[0]])
    assert "no longer open" in reply_text(answer)
    assert (await load_snapshot(inn, match)).info == before


@pytest.mark.parametrize("values", [[], [""], ["x"], ["f/f"], ["f"] * 9, ["🂡"], ["perform 1 red"]], ids=str)
async def test_whatever_is_sent_as_a_step_or_as_dice_changes_nothing(inn: SimulatedServer, values: list[str]) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    before = (await load_snapshot(inn, match)).info
    number = next(iter(step_lists(find_hand(inn, name, match)))).split(":")[2]
    for custom_id in (f"f:{match}:{number}:0", f"p:{match}:{number}:perform 1", f"p:{match}:{number}:perform favorite"):
        if values == ["f"] and custom_id.startswith("f"):
            continue
        answer = await inn.forge_click(name, find_hand(inn, name, match), custom_id, values)
        assert len(reply_text(answer)) > 10
        assert (await load_snapshot(inn, match)).info == before


async def test_a_colour_for_any_is_chosen_in_a_step(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 4)

    def free(now: Any) -> bool:
        learns = [move for move in now.moves(now.state.turn)[:40] if isinstance(move, Learn)]
        return any(move.colours for move in learns)

    now = await play_until(inn, match, free, lambda state, rng: JESTERS.moves(state, state.turn)[0])
    chosen = next(move for move in now.moves(now.state.turn) if isinstance(move, Learn) and move.colours)
    seat = now.state.turn
    name = await make_move(inn, match, JESTERS.format_move(chosen))
    assert (await load_snapshot(inn, match)).state.dice[seat][chosen.colours[0]] > now.state.dice[seat][
        chosen.colours[0]
    ]
    assert f"{name} discards Jest card {chosen.card}" in await words_shown(inn, match)


# Attempts, seen by everybody


async def test_everybody_sees_the_attempt_live(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 3)
    now = await play_until(inn, match, is_in_phase("attempt"))
    seen, rng = set(), Random(2)
    while now.state.phase in ("attempt", "mark"):
        view = now.view(None)
        assert view.attempt is not None
        for reader in ("Greta", *seat_names(3)):
            said = await words_shown(inn, match, reader)
            for number, die in enumerate(view.attempt.dice, 1):
                colour = ("red", "blue", "green", "purple")[die.colour]
                assert f"**{number}**: {colour} {die.face}" in said
        target = prospects.attempted_task(view).name
        answer = await inn["Greta"].slash(inn.thread, "jesters status")
        assert f" to perform {target}." in reply_text(answer)
        assert f" to perform {target}." in message_text(await find_table(inn, match))
        seen.add(tuple(die.face for die in view.attempt.dice))
        await make_move(inn, match, JESTERS.format_move(choose_with_cards(now.state, rng)))
        now = await load_snapshot(inn, match)
    assert len(seen) > 1
    assert "**Dice**" not in await words_shown(inn, match)


async def test_dice_are_marked_one_by_one_and_rerolled(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 3)
    await play_until(inn, match, is_in_phase("mark"), choose_reroll)
    await make_move(inn, match, "mark 1")
    assert "marks die 1" in await words_shown(inn, match)
    assert "**Marked for the reroll**: die 1" in await words_shown(inn, match)
    await make_move(inn, match, "unmark 1")
    name = await due_name(inn, match)
    assert name is not None
    assert "roll" not in move_buttons_of(find_hand(inn, name, match))
    await make_move(inn, match, "mark 2")
    before = (await load_snapshot(inn, match)).state.faces
    await make_move(inn, match, "roll")
    now = await load_snapshot(inn, match)
    assert now.state.phase == "attempt"
    assert [a == b for a, b in zip(before, now.state.faces, strict=True)].count(False) <= 1
    assert f"{name} rerolls: die 2 shows {now.state.faces[1]}" in await words_shown(inn, match)


async def test_a_failure_is_asked_for_and_brings_cards_to_its_seat_alone(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 3)
    now = await play_until(inn, match, is_in_phase("attempt"), choose_clumsy)
    name, seat = await due_name(inn, match), now.state.turn
    assert name is not None
    message = find_hand(inn, name, match)
    await inn.press_button(name, message, "Finish: a failure")
    asked = inn.newest_in_inbox(name)
    assert "Finish as a failure?" in message_text(asked)
    await inn.press_button(name, asked, "Back to the hand")
    assert (await load_snapshot(inn, match)).info == now.info
    await make_move(inn, match, "finish")
    after = await load_snapshot(inn, match)
    assert after.state.failures[seat] == 1
    assert len(after.state.hands[seat]) == len(now.state.hands[seat]) + 1
    assert "(failure 1 of 3) and draws 1 Jest card" in await words_shown(inn, match)
    assert "You draw the Jest card" in await words_shown(inn, match, name)
    for other in seat_names(3):
        assert other == name or "You draw the Jest card" not in await words_shown(inn, match, other)


async def test_a_third_failure_puts_a_seat_out_and_the_others_play_on(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 3)

    def player(state: Any, rng: Random) -> Any:
        return choose_clumsy(state, rng) if state.turn == 0 else choose_eager(state, rng)

    now = await play_until(inn, match, lambda now: now.state.failures[0] == 3, player)
    assert "Ada" in await words_shown(inn, match)
    assert "Ada is out of play" in await words_shown(inn, match)
    assert sum(now.state.dice[0]) == 0
    rng = Random(1)
    while (now := await load_snapshot(inn, match)).info.status is Status.RUNNING:
        assert now.state.turn != 0
        assert move_buttons_of(find_hand(inn, "Ada", match)) == {}
        await make_move(inn, match, JESTERS.format_move(player(now.state, rng)))
    track = re.search(r"\*\*Failure track\*\*: Ada (\S+),", await words_shown(inn, match))
    assert track is not None
    assert track[1] == "−5"


async def test_a_success_at_the_favorite_brings_two_gifts_of_which_one_is_kept(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 3)
    now = await play_until(inn, match, is_in_phase("keep"))
    name, seat = await due_name(inn, match), now.state.turn
    assert name is not None
    one, other = now.state.drawn
    assert sorted(move_buttons_of(find_hand(inn, name, match))) == sorted([f"keep {one}", f"keep {other}"])
    assert "You draw Gift" in await words_shown(inn, match, name)
    await make_move(inn, match, f"keep {one}")
    after = await load_snapshot(inn, match)
    assert one in after.state.gifts[seat]
    assert f"{name} keeps Gift {one}" in await words_shown(inn, match)
    assert "the other one goes under the pile" in await words_shown(inn, match)
    hidden = rf"[Gg]ift {other}(?!\d)"
    for reader in seat_names(3):
        assert reader == name or not re.search(hidden, client_text(find_hand(inn, reader, match)))
    assert not re.search(hidden, client_text(await find_table(inn, match)))


async def test_a_success_is_told_and_the_board_is_refilled(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    now = await play_until(inn, match, lambda now: any(now.state.completed))
    seat = next(seat for seat, own in enumerate(now.state.completed) if own)
    done = catalogue.performance(now.state.completed[seat][0])
    said = await words_shown(inn, match)
    assert f"completes “{done.name}”" in said
    assert "A new Performance" in said
    assert f"{done.fame} Fame" in said
    sheet = await inn.press_button("Greta", await find_table(inn, match), "Score sheet")
    assert done.name in reply_text(sheet)


# Restarts in the middle of every kind of decision


async def test_a_roll_that_is_confirmed_twice_is_made_once(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    message = await choose_step(inn, match, name, "f")
    (values,) = pick_lists(message).values()
    message = await pick_dice(inn, match, name, custom_ids.pick_token(values[0]))
    button = next(
        custom_id for move, custom_id in move_buttons_of(message).items() if move.startswith("perform favorite")
    )
    before = (await load_snapshot(inn, match)).info.moves
    await inn.click_at_once(PendingClick(name, message, button), PendingClick(name, message, button))
    assert (await load_snapshot(inn, match)).info.moves == before + 1


async def test_while_the_match_is_paused_no_step_is_shown(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    custom_id = next(c for c, values in step_lists(find_hand(inn, name, match)).items() if "f" in values)
    await leave_match(inn, match, next(other for other in seat_names(2) if other != name))
    answer = await inn.forge_click(name, find_hand(inn, name, match), custom_id, ["f"])
    assert "paused" in reply_text(answer)


# Slash commands


async def test_autocomplete_offers_ones_own_moves_alone(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    for other in (*seat_names(2), "Greta"):
        for command, option in (("learn", "card"), ("perform", "what"), ("perform", "dice")):
            found = await inn[other].autocomplete(inn.thread, f"jesters {command}", option, "", match=match)
            assert bool(found) is (other == name), (other, command)


async def test_autocomplete_of_dice_tells_the_chance(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    name = await play_until_dice(inn, match)
    found = await inn[name].autocomplete(inn.thread, "jesters perform", "dice", "", what="favorite", match=match)
    assert all("without changes" in each["name"] for each in found)
    bare = await inn[name].autocomplete(inn.thread, "jesters perform", "dice", "", match=match)
    assert not any("without changes" in each["name"] for each in bare)


async def test_refusals_are_sentences(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    now = await load_snapshot(inn, match)
    name = await due_name(inn, match)
    assert name is not None
    missing = next(card for card in range(1, 51) if card not in now.state.hands[now.state.turn])
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("jesters learn", {"card": str(missing)}, f"You do not have Jest card {missing}"),
        ("jesters learn", {"card": "nonsense"}, "Name the Jest card by its number"),
        ("jesters perform", {"what": "favorite", "dice": "red"}, "You have no red Techniques"),
        ("jesters perform", {"what": "99", "dice": "red"}, "There is no Performance 99"),
        ("jesters move", {"move": "spend 1 1 1"}, "not rolled any dice"),
        ("jesters move", {"move": "reroll 1"}, "not rolled any dice"),
        ("jesters move", {"move": "finish"}, "not rolled any dice"),
        ("jesters move", {"move": "roll"}, "not rolled any dice"),
        ("jesters move", {"move": "keep 1"}, "not rolled any dice"),
        ("jesters move", {"move": "dance"}, "You have no such move now"),
        ("jesters move", {"move": "learn"}, "That could be “Learn with your "),
    ]
    for command, options, sentence in refused:
        answer = await inn[name].slash(inn.thread, command, **options)
        assert sentence in reply_text(answer)
        assert answer.ephemeral
    assert (await load_snapshot(inn, match)).info.moves == 0
    other = next(each for each in seat_names(2) if each != name)
    answer = await inn[other].slash(inn.thread, "jesters pass")
    assert "not your turn" in reply_text(answer)


async def test_the_way_to_every_move_is_short(inn: SimulatedServer) -> None:
    match = await seat_jesters(inn, 2)
    now = await play_until(inn, match, is_in_phase("attempt"))
    assert prospects.attempted_task(now.view(None)).name in message_text(await find_table(inn, match))
    ways = [hand_path_to(now, now.state.turn, JESTERS.format_move(move)) for move in now.moves(now.state.turn)]
    assert all(len(way.step_keys) <= 2 for way in ways)
