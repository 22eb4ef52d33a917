"""Choices by steps: shown to their owner alone, stored nowhere, back and forth, across restarts and out of date."""

from __future__ import annotations

from typing import Any

import pytest

from engines.court import COURT, board
from engines.store.match_store import Status
from tests.cogs.court.table import (
    FOUR,
    go,
    held,
    lively,
    make,
    offered,
    seat_court,
    step,
    to,
    to_hinder,
    ways,
)
from tests.end_to_end.players import hand, hand_on_demand, leave, look, table
from tests.end_to_end.world import Click, World, told, words

HINDER = "Hinder the others: choose a card."


async def test_one_may_go_back_or_choose_another_card(inn: World) -> None:
    match = await seat_court(inn, 3)
    name = await to_hinder(inn, match, "menhir")
    plain = words(hand(inn, name, match))
    cards = list(dict.fromkeys(await held(inn, match)))
    requests = len(inn.sent())
    for card in [card for card in cards if card != "menhir"][:2]:
        message = await step(inn, match, name, card)
        assert f"discard {card}" in offered(message)
        await inn.press(name, message, "Other card")
    message = await step(inn, match, name, "menhir")
    message = await step(inn, match, name, "menhir/J6")
    await inn.press(name, message, "Back")
    assert "Your Menhir: in which part?" in words(hand(inn, name, match))
    await inn.press(name, hand(inn, name, match), "Other card")
    assert words(hand(inn, name, match)) == plain
    await inn.env.settle()
    assert [
        path for method, path in inn.sent(requests) if method in ("PATCH", "POST") and "/callback" not in path
    ] == []
    assert set(ways(hand(inn, name, match))) == set(cards)


async def test_steps_survive_a_restart(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    await step(inn, match, name, "menhir")
    message = await step(inn, match, name, "menhir/F1")
    await inn.restart()
    assert words(hand(inn, name, match)) == words(message)
    await inn.press(name, message, "Back")
    message = await step(inn, match, name, "menhir/J1")
    await inn.restart()
    move, custom_id = next(iter(offered(hand(inn, name, match)).items()))
    await inn.press(name, hand(inn, name, match), custom_id)
    assert (await look(inn, match)).state.menhirs[FOUR.index(name)] == board.square(move.split()[1])


@pytest.mark.parametrize("phase", ["place", "move", "hinder"])
async def test_every_decision_is_made_with_its_old_buttons_after_a_restart(inn: World, phase: str) -> None:
    match = await seat_court(inn, 3)
    while (now := await look(inn, match)).decisions()[now.due()[0]].kind != phase:
        await go(inn, match, [COURT.write(now.moves(now.due()[0])[0])])
    (seat,) = now.due()
    kept = hand(inn, FOUR[seat], match)
    await inn.restart()
    assert (await look(inn, match)) == now
    assert words(hand(inn, FOUR[seat], match)) == words(kept)
    await make(inn, match, COURT.write(now.moves(seat)[0]))
    assert (await look(inn, match)).info.moves == now.info.moves + 1


async def test_a_hand_shown_at_the_table_goes_by_steps_for_its_owner_alone(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    shown = await hand_on_demand(inn, name, match)
    public = [words(message) for message in inn.public(inn.thread)]
    for path in ("menhir", "menhir/N1"):
        await inn.press(name, shown, ways(shown)[path])
        (shown,) = [seen.message for seen in inn.ephemerals() if seen.by == inn[name].id]
    assert "Your Menhir: on which square?" in words(shown)
    assert [words(message) for message in inn.public(inn.thread)] == public
    move, custom_id = list(offered(shown).items())[3]
    await inn.press(name, shown, custom_id)
    assert (await look(inn, match)).state.menhirs[FOUR.index(name)] == board.square(move.split()[1])
    assert offered(hand(inn, name, match)) == {}  # the other copy follows


async def test_steps_of_a_decision_that_is_past_change_nothing_and_show_the_hand(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    await step(inn, match, name, "menhir")
    message = await step(inn, match, name, "menhir/F1")
    number = next(iter(offered(message).values())).split(":")[2]
    await make_menhir(inn, match, name)
    await to_next(inn, match, name)
    before = (await look(inn, match)).info
    (card, *_) = await held(inn, match)
    for kind in "ng":
        answer = await inn.forge(name, hand(inn, name, match), f"{kind}:{match}:{number}:{card}", None)
        assert "no longer open" in told(answer)
        assert HINDER in words(hand(inn, name, match))
        assert (await look(inn, match)).info == before


async def to_next(w: World, match: str, name: str) -> None:
    """Play until that person's next Phase Two."""

    def there(before: Any, seat: int, move: Any, events: Any) -> bool:
        return before.phase == "hinder" and not before.owed and seat == FOUR.index(name)

    await to(w, match, there, lively, 20)


async def make_menhir(w: World, match: str, name: str) -> None:
    """Put the Menhir on the first square of the row that is chosen."""
    await w.press(name, hand(w, name, match), next(iter(offered(hand(w, name, match)).values())))


@pytest.mark.parametrize("path", ["5Z", "menhir/W", "menhir/2/B2", "/", "x" * 80, "🂡", "menhir//"], ids=str)
async def test_a_path_that_leads_nowhere_shows_the_hand(inn: World, path: str) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    message = hand(inn, name, match)
    number = next(iter(ways(message).values())).split(":")[2]
    answer = await inn.forge(name, message, f"n:{match}:{number}:{path}", None)
    assert HINDER in words(hand(inn, name, match))
    assert len(told(answer)) > 10
    assert (await look(inn, match)).info.status is Status.RUNNING


async def test_steps_of_other_people_get_a_sentence(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    other = next(each for each in FOUR[:2] if each != name)
    number = next(iter(ways(hand(inn, name, match)).values())).split(":")[2]
    public = await table(inn, match)
    for who in (other, "Greta"):
        for kind in "ng":
            answer = await inn.forge(who, public, f"{kind}:{match}:{number}:menhir", None)
            assert len(told(answer)) > 10
            assert answer.ephemeral or all(each.ephemeral for each in answer.followups)
            assert "which row" not in told(answer)
    assert words(await table(inn, match)) == words(public)


async def test_while_the_match_is_paused_no_step_is_shown(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    custom_id = ways(hand(inn, name, match))["menhir"]
    await leave(inn, match, next(each for each in FOUR[:2] if each != name))
    answer = await inn.forge(name, hand(inn, name, match), custom_id, None)
    assert "which row" not in words(hand(inn, name, match))
    assert "paused" in told(answer) + words(hand(inn, name, match))


async def test_a_move_that_is_made_twice_counts_once(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    before = await look(inn, match)
    message = await step(inn, match, name, "menhir")
    click = Click(name, message, offered(message)["discard menhir"])
    await inn.at_once(click, click)
    now = await look(inn, match)
    assert now.info.moves == before.info.moves + 1
