"""Who sits at several tables: each hand names its match, and that outlives a crash at any moment."""

from __future__ import annotations

import pytest

from cogs.table.state.reader_preferences import PLAYING_STATUSES
from tests.contract.helpers import HELPERS
from tests.plain.inn import PEOPLE, PlainBot, start_plain_bot

SEED = "5c" * 16
HELPER = next(iter(HELPERS.values()))
OPTIONS = {**HELPER.short_options, "clock": "none"}  # else a start looks at every match whose deadline it puts off


async def names_match(inn: PlainBot, match: str, seat: int = 0) -> bool:
    """Whether a hand says of which match it is."""
    return f"`{match}`" in str(await inn.surface_message(match, "hand", seat))


async def start_two_matches(inn: PlainBot) -> tuple[str, str]:
    """Two matches in which the first of the people sits; the second begins as the bot dies: nothing of it is shown."""
    names = PEOPLE[: HELPER.game.seats[0]]
    first = await inn.seat_match(HELPER.game, names, OPTIONS)
    await inn.pass_time(20)  # all of it is shown, and that is kept
    assert not await inn.bot.surfaces.stale_matches()
    await inn.run_command(names[0], f"{HELPER.game.key} new", **OPTIONS)
    (second,) = {info.id for info in await inn.matches.find()} - {first}
    lobby = await inn.surface_message(second, "lobby")
    for name in names[1:]:
        await inn.click_control(name, lobby, f"t:{second}:join")
    return first, second


async def test_a_hand_names_its_match_as_soon_as_there_are_two_and_no_longer_than_that() -> None:
    async with start_plain_bot(SEED) as inn:
        first, second = await start_two_matches(inn)
        assert not await names_match(inn, first)
        await inn.click_control(PEOPLE[0], await inn.surface_message(second, "lobby"), f"t:{second}:start")
        assert await names_match(inn, first)
        assert await names_match(inn, second)
        for name in PEOPLE[: HELPER.game.seats[0]]:
            await inn.click_control(name, await inn.surface_message(second, "table"), f"t:{second}:leave")
        assert (await inn.load_snapshot(second)).info.status not in PLAYING_STATUSES
        assert not await names_match(inn, first)


@pytest.mark.parametrize("marked", [False, True], ids=["as the match begins", "as all of that is shown"])
async def test_a_hand_of_another_match_is_looked_at_after_a_crash(marked: bool) -> None:
    async with start_plain_bot(SEED) as before:
        first, second = await start_two_matches(before)
        keeper = before.bot.reconciler
        woken = keeper.wake

        def wake(match: str, *seats: int) -> None:
            if match == second and marked:
                woken(match, *seats)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(keeper, "wake", wake)
            patched.setattr(keeper.redraw_pass, "_wake", wake)
            await before.click_control(PEOPLE[0], await before.surface_message(second, "lobby"), f"t:{second}:start")
            if marked:
                await before.pass_time(20)
        assert not await names_match(before, first)
        behind = await before.bot.surfaces.stale_matches()
        assert behind == [first] if marked else behind == [second]
        stores = before.store, before.bot.surfaces._store
        async with start_plain_bot(SEED, after=before, stores=stores) as inn:
            await inn._do_and_wait(lambda: inn.bot.tasks.start("resume", inn.bot._resume_partition, inn.bot.partition))
            assert await names_match(inn, first)
            assert await names_match(inn, second)
