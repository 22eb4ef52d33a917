"""Matches of Jesters, from the lobby to the final scoring; attempts that everybody sees; choices in steps."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from cogs.table import ids
from engines import record
from engines.jesters import JESTERS, components, prospects
from engines.jesters.model import Learn
from engines.store import Status
from tests.cogs.jesters.table import (
    Player,
    clumsy,
    dice_of,
    eager,
    everybody,
    in_phase,
    in_words,
    make,
    pick,
    picks,
    play_on,
    pressed,
    reroll,
    seat_jesters,
    step,
    steps,
    use_cards,
)
from tests.end_to_end.players import due, hand, leave, look, table
from tests.end_to_end.world import Click, World, everything, labels, told, words
from tests.playing import way_to


async def has_dice(w: World, match: str, number: int = 3) -> str:
    """Play until whoever's turn it is has so many dice to perform with; who that is."""

    def ready(now: Any) -> bool:
        return bool(now.state.phase == "turn" and sum(now.state.dice[now.state.turn]) >= number)

    def learn(state: Any, rng: Random) -> Any:
        learns = [move for move in JESTERS.moves(state, state.turn) if isinstance(move, Learn)]
        return max(learns, key=lambda move: len(components.jest_card(move.card).top))

    await play_on(w, match, ready, learn)
    name = await due(w, match)
    assert name is not None
    return name


@pytest.mark.parametrize("seats", [2])
async def test_whole_matches_in_which_everything_comes_up(inn: World, seats: int) -> None:
    match = await seat_jesters(inn, seats)
    assert await to_the_end(inn, match, seats, eager, use_cards) == {"turn", "attempt", "mark", "keep"}


async def to_the_end(w: World, match: str, seats: int, *players: Player) -> set[str]:
    """Play to the end, whose message must tell everything; the kinds of decisions that came up."""
    rng, kinds = Random(seats), set()
    while (now := await look(w, match)).info.status is Status.RUNNING:
        kinds.add(now.state.phase)
        await make(w, match, JESTERS.write(rng.choice(players)(now.state, rng)))
        assert (await look(w, match)).info.moves == now.info.moves + 1
    end, shown = await look(w, match), await table(w, match)
    outcome, said = end.outcome(), await in_words(w, match)
    assert outcome is not None
    for seat, name in enumerate(everybody(seats)):
        assert f"{name}: {str(outcome.points[seat]).replace('-', '−')} Fame" in said
    points = zip(everybody(seats), outcome.points, strict=True)
    totals = ", ".join(f"{name} {total}" for name, total in points).replace("-", "−")
    assert f"**Total**: {totals}" in said
    for line in ("Majority 6/3", "Majority 5/2", "Majority 4/1", "Failure track", "First player card", "Performances"):
        assert said.count(f"**{line}**") == 1
    assert labels(shown) == ["Scoring", "Play again", "My costliest moves", "⋯"]
    assert {each["filename"] for each in shown["attachments"]} == {"result.png", f"jesters-{match}.txt"}
    kept = next(each for each in w.bytes_of(shown) if not each.startswith(b"\x89PNG")).decode()
    assert record.replay(record.parse(kept)).state == end.state
    return kinds


# Choosing what to perform, and with which dice


async def test_performing_goes_by_steps_and_nothing_is_rolled_before_it_is_confirmed(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    before = await look(inn, match)
    plain = words(hand(inn, name, match))
    target = before.state.board[0]
    message = await step(inn, match, name, str(target))
    assert "**Roll which dice?**" in words(message)
    assert "ithout changes" in words(message)
    ((value, *_),) = picks(message).values()
    message = await pick(inn, match, name, ids.token(value))
    assert f"Roll: {ids.token(value)}" in words(message)
    assert await look(inn, match) == before
    await inn.press(name, message, "Back")
    await inn.press(name, hand(inn, name, match), "Back")
    assert words(hand(inn, name, match)) == plain
    await step(inn, match, name, "f")
    await pick(inn, match, name, ids.token(value))
    await inn.press(name, hand(inn, name, match), "Roll")
    now = await look(inn, match)
    assert (now.state.phase, len(now.state.faces)) == ("attempt", 1)


async def test_several_dice_of_one_colour_are_picked_and_shown_as_picked(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match, 4)
    now = await look(inn, match)
    owned = dice_of(JESTERS.write(next(m for m in reversed(now.moves(now.state.turn)[:-1]))))
    await step(inn, match, name, "f")
    message = await pick(inn, match, name, *owned)
    assert f"Roll: {', '.join(owned)}" in words(message)
    await inn.press(name, message, "Roll")
    now = await look(inn, match)
    assert [("red", "blue", "green", "purple")[colour] for colour in now.state.own] == owned


async def test_a_step_survives_a_restart(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    message = await step(inn, match, name, "f")
    (values,) = picks(message).values()
    await inn.restart()
    assert words(hand(inn, name, match)) == words(message)
    message = await pick(inn, match, name, ids.token(values[0]))
    await inn.restart()
    await inn.press(name, message, "Roll")
    assert (await look(inn, match)).state.phase == "attempt"


async def test_steps_of_a_decision_that_is_past_show_the_hand(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    message = hand(inn, name, match)
    (custom_id, values) = next((c, v) for c, v in steps(message).items() if "f" in v)
    await make(inn, match, "pass")
    before = (await look(inn, match)).info
    answer = await inn.forge(name, hand(inn, name, match), custom_id, [values[0]])
    assert "no longer open" in told(answer)
    assert (await look(inn, match)).info == before


@pytest.mark.parametrize("values", [[], [""], ["x"], ["f/f"], ["f"] * 9, ["🂡"], ["perform 1 red"]], ids=str)
async def test_whatever_is_sent_as_a_step_or_as_dice_changes_nothing(inn: World, values: list[str]) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    before = (await look(inn, match)).info
    number = next(iter(steps(hand(inn, name, match)))).split(":")[2]
    for custom_id in (f"f:{match}:{number}:0", f"p:{match}:{number}:perform 1", f"p:{match}:{number}:perform favorite"):
        if values == ["f"] and custom_id.startswith("f"):
            continue
        answer = await inn.forge(name, hand(inn, name, match), custom_id, values)
        assert len(told(answer)) > 10
        assert (await look(inn, match)).info == before


async def test_a_colour_for_any_is_chosen_in_a_step(inn: World) -> None:
    match = await seat_jesters(inn, 4)

    def free(now: Any) -> bool:
        learns = [move for move in now.moves(now.state.turn)[:40] if isinstance(move, Learn)]
        return any(move.colours for move in learns)

    now = await play_on(inn, match, free, lambda state, rng: JESTERS.moves(state, state.turn)[0])
    chosen = next(move for move in now.moves(now.state.turn) if isinstance(move, Learn) and move.colours)
    seat = now.state.turn
    name = await make(inn, match, JESTERS.write(chosen))
    assert (await look(inn, match)).state.dice[seat][chosen.colours[0]] > now.state.dice[seat][chosen.colours[0]]
    assert f"{name} discards Jest card {chosen.card}" in await in_words(inn, match)


# Attempts, seen by everybody


async def test_everybody_sees_the_attempt_live(inn: World) -> None:
    match = await seat_jesters(inn, 3)
    now = await play_on(inn, match, in_phase("attempt"))
    seen, rng = set(), Random(2)
    while now.state.phase in ("attempt", "mark"):
        view = now.view(None)
        assert view.attempt is not None
        for reader in ("Greta", *everybody(3)):
            said = await in_words(inn, match, reader)
            for number, die in enumerate(view.attempt.dice, 1):
                colour = ("red", "blue", "green", "purple")[die.colour]
                assert f"**{number}**: {colour} {die.face}" in said
        target = prospects.task(view).name
        answer = await inn["Greta"].slash(inn.thread, "jesters status")
        assert f" to perform {target}." in told(answer)
        assert f" to perform {target}." in words(await table(inn, match))
        seen.add(tuple(die.face for die in view.attempt.dice))
        await make(inn, match, JESTERS.write(use_cards(now.state, rng)))
        now = await look(inn, match)
    assert len(seen) > 1
    assert "**Dice**" not in await in_words(inn, match)


async def test_dice_are_marked_one_by_one_and_rerolled(inn: World) -> None:
    match = await seat_jesters(inn, 3)
    await play_on(inn, match, in_phase("mark"), reroll)
    await make(inn, match, "mark 1")
    assert "marks die 1" in await in_words(inn, match)
    assert "**Marked for the reroll**: die 1" in await in_words(inn, match)
    await make(inn, match, "unmark 1")
    name = await due(inn, match)
    assert name is not None
    assert "roll" not in pressed(hand(inn, name, match))
    await make(inn, match, "mark 2")
    before = (await look(inn, match)).state.faces
    await make(inn, match, "roll")
    now = await look(inn, match)
    assert now.state.phase == "attempt"
    assert [a == b for a, b in zip(before, now.state.faces, strict=True)].count(False) <= 1
    assert f"{name} rerolls: die 2 shows {now.state.faces[1]}" in await in_words(inn, match)


async def test_a_failure_is_asked_for_and_brings_cards_to_its_seat_alone(inn: World) -> None:
    match = await seat_jesters(inn, 3)
    now = await play_on(inn, match, in_phase("attempt"), clumsy)
    name, seat = await due(inn, match), now.state.turn
    assert name is not None
    message = hand(inn, name, match)
    await inn.press(name, message, "Finish: a failure")
    asked = inn.hand_of(name)
    assert "Finish as a failure?" in words(asked)
    await inn.press(name, asked, "Back to the hand")
    assert (await look(inn, match)).info == now.info
    await make(inn, match, "finish")
    after = await look(inn, match)
    assert after.state.failures[seat] == 1
    assert len(after.state.hands[seat]) == len(now.state.hands[seat]) + 1
    assert "for the 1st time of 3 and draws 1 Jest card" in await in_words(inn, match)
    assert "You draw the Jest card" in await in_words(inn, match, name)
    for other in everybody(3):
        assert other == name or "You draw the Jest card" not in await in_words(inn, match, other)


async def test_a_third_failure_puts_a_seat_out_and_the_others_play_on(inn: World) -> None:
    match = await seat_jesters(inn, 3)

    def player(state: Any, rng: Random) -> Any:
        return clumsy(state, rng) if state.turn == 0 else eager(state, rng)

    now = await play_on(inn, match, lambda now: now.state.failures[0] == 3, player)
    assert "Ada" in await in_words(inn, match)
    assert "Ada is out of play" in await in_words(inn, match)
    assert sum(now.state.dice[0]) == 0
    rng = Random(1)
    while (now := await look(inn, match)).info.status is Status.RUNNING:
        assert now.state.turn != 0
        assert pressed(hand(inn, "Ada", match)) == {}
        await make(inn, match, JESTERS.write(player(now.state, rng)))
    track = re.search(r"\*\*Failure track\*\*: Ada (\S+),", await in_words(inn, match))
    assert track is not None
    assert track[1] == "−5"


async def test_a_success_at_the_favorite_brings_two_gifts_of_which_one_is_kept(inn: World) -> None:
    match = await seat_jesters(inn, 3)
    now = await play_on(inn, match, in_phase("keep"))
    name, seat = await due(inn, match), now.state.turn
    assert name is not None
    one, other = now.state.drawn
    assert sorted(pressed(hand(inn, name, match))) == sorted([f"keep {one}", f"keep {other}"])
    assert "You draw Gift" in await in_words(inn, match, name)
    await make(inn, match, f"keep {one}")
    after = await look(inn, match)
    assert one in after.state.gifts[seat]
    assert f"{name} keeps Gift {one}" in await in_words(inn, match)
    assert "the other one goes under the pile" in await in_words(inn, match)
    hidden = rf"[Gg]ift {other}(?!\d)"
    for reader in everybody(3):
        assert reader == name or not re.search(hidden, everything(hand(inn, reader, match)))
    assert not re.search(hidden, everything(await table(inn, match)))


async def test_a_success_is_told_and_the_board_is_refilled(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    now = await play_on(inn, match, lambda now: any(now.state.completed))
    seat = next(seat for seat, own in enumerate(now.state.completed) if own)
    done = components.performance(now.state.completed[seat][0])
    said = await in_words(inn, match)
    assert f"completes “{done.name}”" in said
    assert "A new Performance" in said
    assert f"{done.fame} Fame" in said
    sheet = await inn.press("Greta", await table(inn, match), "Score sheet")
    assert done.name in told(sheet)


# Restarts in the middle of every kind of decision


async def test_a_roll_that_is_confirmed_twice_is_made_once(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    message = await step(inn, match, name, "f")
    (values,) = picks(message).values()
    message = await pick(inn, match, name, ids.token(values[0]))
    button = next(custom_id for move, custom_id in pressed(message).items() if move.startswith("perform favorite"))
    before = (await look(inn, match)).info.moves
    await inn.at_once(Click(name, message, button), Click(name, message, button))
    assert (await look(inn, match)).info.moves == before + 1


async def test_while_the_match_is_paused_no_step_is_shown(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    custom_id = next(c for c, values in steps(hand(inn, name, match)).items() if "f" in values)
    await leave(inn, match, next(other for other in everybody(2) if other != name))
    answer = await inn.forge(name, hand(inn, name, match), custom_id, ["f"])
    assert "paused" in told(answer)


# Slash commands


async def test_autocomplete_offers_ones_own_moves_alone(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    for other in (*everybody(2), "Greta"):
        for command, option in (("learn", "card"), ("perform", "what"), ("perform", "dice")):
            found = await inn[other].autocomplete(inn.thread, f"jesters {command}", option, "", match=match)
            assert bool(found) is (other == name), (other, command)


async def test_autocomplete_of_dice_tells_the_chance(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    name = await has_dice(inn, match)
    found = await inn[name].autocomplete(inn.thread, "jesters perform", "dice", "", what="favorite", match=match)
    assert all("without changes" in each["name"] for each in found)
    bare = await inn[name].autocomplete(inn.thread, "jesters perform", "dice", "", match=match)
    assert not any("without changes" in each["name"] for each in bare)


async def test_refusals_are_sentences(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    now = await look(inn, match)
    name = await due(inn, match)
    assert name is not None
    missing = next(card for card in range(1, 51) if card not in now.state.hands[now.state.turn])
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("jesters learn", {"card": str(missing)}, f"You do not hold Jest card {missing}"),
        ("jesters learn", {"card": "nonsense"}, "Name the Jest card by its number"),
        ("jesters perform", {"what": "favorite", "dice": "red"}, "You have no red Techniques"),
        ("jesters perform", {"what": "99", "dice": "red"}, "There is no Performance 99"),
        ("jesters move", {"move": "spend 1 1 1"}, "no dice lie rolled"),
        ("jesters move", {"move": "reroll 1"}, "no dice lie rolled"),
        ("jesters move", {"move": "finish"}, "no dice lie rolled"),
        ("jesters move", {"move": "roll"}, "no dice lie rolled"),
        ("jesters move", {"move": "keep 1"}, "no dice lie rolled"),
        ("jesters move", {"move": "dance"}, "Nothing that you may do now is called that"),
        ("jesters move", {"move": "learn"}, "That could be “Learn with your "),
    ]
    for command, options, sentence in refused:
        answer = await inn[name].slash(inn.thread, command, **options)
        assert sentence in told(answer)
        assert answer.ephemeral
    assert (await look(inn, match)).info.moves == 0
    other = next(each for each in everybody(2) if each != name)
    answer = await inn[other].slash(inn.thread, "jesters pass")
    assert "not your turn" in told(answer)


async def test_the_way_to_every_move_is_short(inn: World) -> None:
    match = await seat_jesters(inn, 2)
    now = await play_on(inn, match, in_phase("attempt"))
    assert prospects.task(now.view(None)).name in words(await table(inn, match))
    ways = [way_to(now, now.state.turn, JESTERS.write(move)) for move in now.moves(now.state.turn)]
    assert all(len(way.keys) <= 2 for way in ways)
