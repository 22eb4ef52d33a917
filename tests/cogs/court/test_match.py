"""Matches of Jester's Court, from the lobby to the last banner, by hands and by commands."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.court import COURT, board, deck
from engines.court.model import BannerClaimed, Discard, Heal, MageKnockedOut, Push, Skip, Step, Strike
from engines.seats import seat_of
from engines.store import Status
from tests.cogs.court.table import (
    FOUR,
    ended,
    harsh,
    held,
    lively,
    make,
    offered,
    open_court,
    seat_court,
    step,
    to,
    to_hinder,
)
from tests.end_to_end.players import due, hand, join, lobby, look, start, table
from tests.end_to_end.world import World, everything, labels, told, words

# Whole matches


async def test_t13_the_agreed_number_of_turns_ends_the_match(inn: World) -> None:
    match = await open_court(inn, turns=3)
    assert "Turns: at most 3, all players' together" in words(await lobby(inn, match))
    await join(inn, match, "Bela")
    await start(inn, match)
    rng = Random(3)
    while (now := await look(inn, match)).info.status is Status.RUNNING:
        await make(inn, match, COURT.write(lively(now.state, now.due()[0], rng)))
    assert now.state.ending == "turns"
    assert "the agreed turns are over" in words(await table(inn, match))


# Moving


async def test_the_hand_says_where_each_card_leads_before_one_chooses(inn: World) -> None:
    match = await seat_court(inn, 3)

    def moving(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Step) and len({card // 13 for card in before.hands[seat] if card < 52}) > 2

    move = await to(inn, match, moving, lively, 60)
    now = await look(inn, match)
    (seat,) = now.due()
    name = FOUR[seat]
    shown = labels(hand(inn, name, match))
    for each in now.moves(seat):
        assert isinstance(each, Step)
        path = board.path(now.state, seat, each.card)
        label = next(label for label in shown if label.startswith(short(deck.name(each.card))))
        goes = ("banner", "crosses") if path.crosses else "stays" if path.end == path.start else board.name(path.end)
        assert label.endswith(goes)
    await make(inn, match, move)
    assert f"{name} {short(move.split()[1])} " in words(await table(inn, match))
    if await due(inn, match) == name:
        assert "Hinder the others" in words(hand(inn, name, match))


def short(card: str) -> str:
    """A card in short words."""
    return card[:-1] + "♣♦♥♠"["CDHS".index(card[-1])]


async def test_t7_who_is_pushed_over_an_edge_gets_the_banner_and_places_the_mage(inn: World) -> None:
    match = await seat_court(inn, 3)

    def pushed_out(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Push) and any(isinstance(event, BannerClaimed) for event in events)

    move = await to(inn, match, pushed_out, lively, 120)
    before = await look(inn, match)
    (pusher,), target = before.due(), seat_of(move.split()[2])
    card = move.split()[1]
    message = await step(inn, match, FOUR[pusher], card)
    await inn.press(FOUR[pusher], message, offered(message)[move])
    asked = inn.hand_of(FOUR[pusher])
    assert f"brings {FOUR[target]} the banner" in words(asked)
    await inn.press(FOUR[pusher], asked, "Back to the hand")
    assert (await look(inn, match)).info == before.info
    message = hand(inn, FOUR[pusher], match)  # with that card chosen
    await inn.press(FOUR[pusher], message, offered(message)[move])
    await inn.press(FOUR[pusher], inn.hand_of(FOUR[pusher]), f"m{offered(message)[move][1:]}")
    assert await due(inn, match) == FOUR[target]
    assert f"{FOUR[target]} gets banner\N{NO-BREAK SPACE}" in words(await table(inn, match))

    # the others wait, also after a restart
    stale = hand(inn, FOUR[pusher], match)
    assert offered(stale) == {}
    await inn.restart()
    answer = await inn[FOUR[pusher]].slash(inn.thread, "court move", move="discard menhir")
    assert "not your turn" in told(answer)
    message = hand(inn, FOUR[target], match)
    assert "place your Mage" in words(message)
    free = list(offered(message))
    assert free
    assert all(move.startswith("place ") for move in free)
    await inn.press(FOUR[target], message, offered(message)[free[-1]])
    assert (await look(inn, match)).state.mages[target] == board.square(free[-1].split()[1])


async def test_t13_one_wins_by_being_pushed_over_the_last_edge(inn: World) -> None:
    match = await seat_court(inn, 2, banners=2)

    def won(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Push) and ended(before, seat, move, events)

    move = await to(inn, match, won, harsh, 60)
    (pusher,) = (await look(inn, match)).due()
    winner = FOUR[1 - pusher]
    message = await step(inn, match, FOUR[pusher], move.split()[1])
    await inn.press(FOUR[pusher], message, offered(message)[move])
    assert f"makes {winner} win" in words(inn.hand_of(FOUR[pusher]))
    await inn.press(FOUR[pusher], inn.hand_of(FOUR[pusher]), f"m{offered(message)[move][1:]}")
    assert (await look(inn, match)).info.status is Status.OVER
    final = words(await table(inn, match))
    assert f"{winner} wins with 2 banners" in final
    assert f"{winner} gets banner\N{NO-BREAK SPACE}" in final


# Knocked out


async def test_t10_two_knocked_out_by_one_ace_decide_one_after_the_other(inn: World) -> None:
    match = await seat_court(inn, 4)

    def two(before: Any, seat: int, move: Any, events: Any) -> bool:
        return isinstance(move, Strike) and sum(isinstance(event, MageKnockedOut) for event in events) == 2

    await make(inn, match, await to(inn, match, two, harsh, 200))
    now = await look(inn, match)
    assert len({owed.seat for owed in now.state.owed}) == 2
    first, last = now.state.owed[0].seat, now.state.owed[-1].seat
    said = words(await table(inn, match))
    for seat in (first, last):
        assert f"{FOUR[seat]} is knocked out" in said
        assert now.state.health[seat] == 6
    for seat in (first, last):
        while (await look(inn, match)).due() == (seat,):
            await inn.restart()
            others = [name for name in FOUR if name != FOUR[seat]]
            assert all(offered(hand(inn, name, match)) == {} for name in others)
            message = hand(inn, FOUR[seat], match)
            move, custom_id = next(iter(offered(message).items()))
            assert move.split()[0] in ("give", "place")
            await inn.press(FOUR[seat], message, custom_id)
    assert (await look(inn, match)).state.phase == "move"
    assert (await look(inn, match)).state.owed == []


async def test_t10_a_banner_is_given_back_by_choice(inn: World) -> None:
    match = await seat_court(inn, 4)

    def gives(before: Any, seat: int, move: Any, events: Any) -> bool:
        return bool(before.owed) and before.owed[0].what == "give"

    move = await to(inn, match, gives, harsh, 200)
    now = await look(inn, match)
    (seat,) = now.due()
    await inn.restart()
    message = hand(inn, FOUR[seat], match)
    assert "Knocked out: give back a banner." in words(message)
    assert len(offered(message)) == len(now.view(None).banners[seat]) >= 2
    await make(inn, match, move)
    assert f"{FOUR[seat]} gives back\N{NO-BREAK SPACE}" in words(await table(inn, match))
    assert len((await look(inn, match)).view(None).banners[seat]) == len(now.view(None).banners[seat]) - 1


# Menhirs


async def test_t8_a_menhir_is_placed_by_its_part_and_its_square(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    before = await look(inn, match)
    message = await step(inn, match, name, "menhir")
    assert "Your Menhir: in which part?" in words(message)
    assert "The whole board" in everything(message)
    message = await step(inn, match, name, "menhir/F18")
    assert "The part F18 to I22 is chosen" in everything(message)
    await inn.press(name, message, "Back")
    message = await step(inn, match, name, "menhir/A18")
    assert "The part A18 to E22 is chosen" in everything(message)
    assert "menhir B21" in offered(message)
    assert len(offered(message)) <= 25
    assert await look(inn, match) == before
    await inn.press(name, message, "B21")
    now = await look(inn, match)
    assert now.state.menhirs[FOUR.index(name)] == board.square("B21")
    assert f"{name} Menhir on B21" in words(await table(inn, match))


@pytest.mark.parametrize(
    ("square", "reason"),
    [
        ("k 11", "K11 is a starting square"),
        ("W3", "is no square"),
        ("mage", "A Mage stands on"),
        ("A0", "is no square"),
    ],
)
async def test_t8_a_menhir_is_refused_with_the_reason(inn: World, square: str, reason: str) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    now = await look(inn, match)
    mage = next(mage for mage in now.state.mages if mage not in board.STARTS)
    typed = board.name(mage).lower() if square == "mage" else square
    answer = await inn[name].slash(inn.thread, "court move", move=f"menhir {typed}")
    assert reason in told(answer)
    assert answer.ephemeral
    assert (await look(inn, match)).info == now.info


async def test_t8_a_menhirs_square_is_typed(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    found = await inn[name].autocomplete(inn.thread, "court move", "move", "menhir b2", match=match)
    assert [each["value"] for each in found] == ["menhir B2", "menhir B20", "menhir B21", "menhir B22"]
    await inn[name].slash(inn.thread, "court move", move=" menhir b21 ")
    assert (await look(inn, match)).state.menhirs[FOUR.index(name)] == board.square("B21")


# Slash commands


async def by_command(w: World, match: str, move: str) -> Any:
    """Make a legal move by slash command, as autocomplete offers it."""
    name = FOUR[(await look(w, match)).due()[0]]
    found = await w[name].autocomplete(w.thread, "court move", "move", move, match=match)
    assert move in [each["value"] for each in found]
    return await w[name].slash(w.thread, "court move", move=move, match=match)


async def test_skipping_healing_and_discarding_by_command(inn: World) -> None:
    wanted = {Skip: " skips", Heal: " heals: health", Discard: " discards "}
    for kind, said in wanted.items():
        match = await seat_court(inn, 2)

        def there(before: Any, seat: int, move: Any, events: Any, kind: Any = kind) -> bool:
            return isinstance(move, kind)

        def any_move(state: Any, seat: int, rng: Random) -> Any:
            return rng.choice(COURT.moves(state, seat))

        move = await to(inn, match, there, any_move, 400)
        await by_command(inn, match, move)
        assert said in words(await table(inn, match))


async def test_autocomplete_offers_ones_own_moves_alone(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await to_hinder(inn, match, "menhir")
    cards = await held(inn, match)
    for who in (*FOUR[:2], "Greta"):
        found = await inn[who].autocomplete(inn.thread, "court move", "move", "discard", match=match)
        discards = [f"discard {card}" for card in sorted(set(cards))]
        assert sorted(each["value"] for each in found) == (discards if who == name else [])
        squares = await inn[who].autocomplete(inn.thread, "court move", "move", "place menhir", match=match)
        assert len(squares) == (25 if who == name else 0)


async def test_refusals_are_sentences(inn: World) -> None:
    match = await seat_court(inn, 2)
    name = await due(inn, match)
    assert name is not None
    refused = [
        ("place A1", "placed on a starting square"),
        ("place Z99", "is no square"),
        ("skip", "Place your Mage on a starting square first"),
        ("push 4H B", "Place your Mage on a starting square first"),
        ("push 4H nobody", "is no seat"),
        ("attack nonsense", "nonsense"),
        ("give hearts", "Place your Mage"),
    ]
    for move, sentence in refused:
        answer = await inn[name].slash(inn.thread, "court move", move=move)
        assert sentence in told(answer), move
        assert answer.ephemeral
    assert (await look(inn, match)).info.moves == 0


async def test_the_score_sheet_has_banners_health_and_knock_outs(inn: World) -> None:
    match = await seat_court(inn, 2)
    answer = await inn.press("Ada", await table(inn, match), "Score sheet")
    assert "**Ada**: 0 banners · health 6 · 0 knock-outs" in told(answer).replace("\N{NO-BREAK SPACE}", " ")
