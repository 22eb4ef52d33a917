"""What somebody changes in secret is told to nobody: not that it was changed, nor how often."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.table.pages.custom_ids import feature_id
from engines.features.takebacks.rules import CHOOSE_AGAIN
from engines.features.takebacks.taking_back import request_stamp, view_stamp
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.undoing import TableRequest, Undoing
from tests.games import GAMES
from tests.messages import Message, control_ids, message_text
from tests.plain.fake_discord import PendingInteraction
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot

ADA, BELA, CHIDI = range(3)


async def start_jest(plain_bot: PlainBot) -> str:
    return await plain_bot.seat_match(GAMES["jest"], PEOPLE[:3], {})


async def offer(plain_bot: PlainBot, match: str, seat: int, which: int = 0) -> None:
    """Choose one of the two cards of an offer, or change that."""
    snapshot = await plain_bot.load_snapshot(match)
    notation = snapshot.game.format_move(snapshot.moves(seat)[which])
    hand = await plain_bot.surface_message(match, "hand", seat)
    await plain_bot.click_control(PEOPLE[seat], hand, f"m:{match}:{snapshot.decisions()[seat].number}:{notation}")
    assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves + 1


async def open_menu(plain_bot: PlainBot, match: str, seat: int) -> Message:
    menu = (await plain_bot.press(PEOPLE[seat], match, "more")).answer
    assert menu is not None
    return menu


def take_back_id(menu: Message) -> str:
    (custom_id,) = [each for each in control_ids(menu) if ":take:" in each]
    return custom_id


@pytest.mark.parametrize("changes", range(4))
async def test_a_menu_says_the_same_however_often_somebody_else_changed_their_mind(changes: int) -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await start_jest(plain_bot)
        for seat in (ADA, BELA):
            await offer(plain_bot, match, seat)
        before = await open_menu(plain_bot, match, ADA)
        for number in range(changes):
            await offer(plain_bot, match, BELA, (number + 1) % 2)
        after = await open_menu(plain_bot, match, ADA)
        assert control_ids(after) == control_ids(before)


async def test_a_secret_change_refuses_nothing() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await start_jest(plain_bot)
        for seat in (ADA, BELA):
            await offer(plain_bot, match, seat)
        menu = await open_menu(plain_bot, match, ADA)
        await offer(plain_bot, match, BELA, 1)
        await plain_bot.click_control(PEOPLE[ADA], menu, take_back_id(menu))
        assert await waiting(plain_bot, match) == (ADA, CHIDI)


async def waiting(plain_bot: PlainBot, match: str) -> tuple[int, ...]:
    return (await plain_bot.load_snapshot(match)).due_seats()


async def test_an_event_that_the_reader_saw_since_refuses_it() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await start_jest(plain_bot)
        await offer(plain_bot, match, ADA)
        menu = await open_menu(plain_bot, match, ADA)
        await offer(plain_bot, match, BELA)
        await plain_bot.click_control(PEOPLE[ADA], menu, take_back_id(menu))
        assert await waiting(plain_bot, match) == (CHIDI,)
        now = plain_bot.current_message(menu)
        assert "no longer open" in message_text(now)
        await plain_bot.click_control(PEOPLE[ADA], now, take_back_id(now))
        assert await waiting(plain_bot, match) == (ADA, CHIDI)


async def test_a_change_that_nobody_saw_is_not_taken_back_for_all_to_see() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await start_jest(plain_bot)
        await offer(plain_bot, match, ADA)
        await offer(plain_bot, match, ADA, 1)
        snapshot, menu = await plain_bot.load_snapshot(match), await open_menu(plain_bot, match, ADA)
        assert not [each for each in control_ids(menu) if ":take:" in each]
        custom_id = feature_id("takebacks", match, "take", view_stamp(snapshot, ADA))
        sent = await plain_bot.sent_by(plain_bot.click_control(PEOPLE[ADA], menu, custom_id))
        assert CHOOSE_AGAIN in message_text(plain_bot.current_message(menu))
        assert await plain_bot.load_snapshot(match) == snapshot
        assert {each.reader for each in sent} == {ADA + 1}


async def test_a_refusal_names_nobody_who_only_changed_their_mind() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await start_jest(plain_bot)
        for seat, which in ((BELA, 0), (ADA, 0), (BELA, 1), (CHIDI, 0)):
            await offer(plain_bot, match, seat, which)
        menu = await open_menu(plain_bot, match, ADA)
        assert not [each for each in control_ids(menu) if ":take:" in each]
        custom_id = feature_id("takebacks", match, "take", view_stamp(await plain_bot.load_snapshot(match), ADA))
        await plain_bot.click_control(PEOPLE[ADA], menu, custom_id)
        text = message_text(plain_bot.current_message(menu))
        assert "Chidi has moved since" in text
        assert "Bela has moved since" not in text


@pytest.mark.parametrize("seed", range(1, 5))
async def test_a_computer_moves_at_the_same_time_however_often_somebody_changes_their_mind(seed: int) -> None:
    """It has a pause for each decision of its own, because what it takes next hangs on what others still change."""
    times = []
    for changes in (0, 2):
        async with start_plain_bot(f"{seed:032x}") as plain_bot:
            match = await start_jest(plain_bot)
            for seat in (ADA, CHIDI):
                await offer(plain_bot, match, seat)
            await plain_bot.press(PEOPLE[BELA], match, "leave-on")
            await plain_bot.pass_time(1 / 8)
            for number in reversed(range(changes)):
                await offer(plain_bot, match, ADA, number % 2)
            times.append(await times_of_moves(plain_bot, match, changes))
    assert times[0] == times[1]


async def times_of_moves(plain_bot: PlainBot, match: str, secret: int) -> list[tuple[float, int]]:
    """When a computer moves until somebody else is to take a card, and how many moves there were then."""
    found, before = list[tuple[float, int]](), (await plain_bot.load_snapshot(match)).info.moves
    while await waiting(plain_bot, match) == (BELA,):
        await plain_bot.pass_time(1 / 8)
        if (now := (await plain_bot.load_snapshot(match)).info.moves) > before:
            found.append((plain_bot.time.seconds, now - secret))
            before = now
    return found


def test_the_answers_to_a_request_say_what_everybody_knows_of_it() -> None:
    seats = tuple(Seat(number, PEOPLE[number]) for number in range(3))
    request = TableRequest(ADA, 4, 60, (BELA, CHIDI))
    undoing_ = Undoing(request, ((4,), (), ()))
    info = MatchInfo("abcd2345", "jest", 1, "{}", Status.RUNNING, 1, Place(1, 2), seats, undoing=undoing_, moves=5)
    more = Undoing(TableRequest(ADA, 7, 60, (BELA, CHIDI)), ((7,), (), ()))
    assert request_stamp(info) == request_stamp(replace(info, undoing=more, moves=9, revision=20))
    others = (replace(undoing_, request=each) for each in (replace(request, seat=BELA), replace(request, until=61)))
    assert request_stamp(info) not in [request_stamp(replace(info, undoing=each)) for each in others]
    assert request_stamp(info) != request_stamp(replace(info, decision_offset=2))


# Buttons of version 1.0.0


@pytest.mark.parametrize("action", ["take-back", "practice", "agree", "refuse"])
@pytest.mark.parametrize("surface", ["menu", "hand", "table"])
async def test_an_old_button_gets_the_current_menu_and_does_nothing(action: str, surface: str) -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], PEOPLE[:3], {})
        snapshot = await plain_bot.load_snapshot(match)
        seat = snapshot.due_seats()[0]
        await plain_bot.click_move(snapshot, seat)
        before = await plain_bot.load_snapshot(match)
        interaction = await press_old(plain_bot, before, seat, f"{action}=1", surface)
        assert await plain_bot.load_snapshot(match) == before
        message = interaction.source if surface == "menu" else interaction.answer
        assert message is not None
        menu = plain_bot.current_message(message)
        assert "is out of date" in message_text(menu)
        assert take_back_id(menu) == f"takebacks:{match}:take:{view_stamp(before, seat)}"
        if surface == "hand":
            assert not [
                each for each in control_ids(await plain_bot.surface_message(match, "hand", seat)) if ":take:" in each
            ]


async def press_old(
    plain_bot: PlainBot, snapshot: MatchSnapshot, seat: int, action: str, surface: str
) -> PendingInteraction:
    match, name = snapshot.info.id, PEOPLE[seat]
    if surface == "menu":
        return await plain_bot.click_control(name, await open_menu(plain_bot, match, seat), f"t:{match}:{action}")
    return await plain_bot.press(name, match, action, seat if surface == "hand" else None)
