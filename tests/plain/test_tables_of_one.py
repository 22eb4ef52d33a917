"""Who sits at several tables: each hand names its match, and that outlives a crash at any moment."""

from __future__ import annotations

import pytest

from cogs.table.surfaces.reader_preferences import PLAYING
from tests.contract.helpers import HELPERS
from tests.plain.inn import PEOPLE, Plain, plain

SEED = "5c" * 16
HELPER = next(iter(HELPERS.values()))
OPTIONS = {**HELPER.short, "clock": "none"}  # else a start looks at every match whose deadline it puts off


async def named(inn: Plain, match: str, seat: int = 0) -> bool:
    """Whether a hand says of which match it is."""
    return f"`{match}`" in str(await inn.surface(match, "hand", seat))


async def two(inn: Plain) -> tuple[str, str]:
    """Two matches in which the first of the people sits; the second begins as the bot dies: nothing of it is shown."""
    names = PEOPLE[: HELPER.game.seats[0]]
    first = await inn.seat(HELPER.game, names, OPTIONS)
    await inn.later(20)  # all of it is shown, and that is kept
    assert not await inn.bot.shown.behind()
    await inn.slash(names[0], f"{HELPER.game.key} new", **OPTIONS)
    (second,) = {info.id for info in await inn.matches.find()} - {first}
    lobby = await inn.surface(second, "lobby")
    for name in names[1:]:
        await inn.click(name, lobby, f"t:{second}:join")
    return first, second


async def test_a_hand_names_its_match_as_soon_as_there_are_two_and_no_longer_than_that() -> None:
    async with plain(SEED) as inn:
        first, second = await two(inn)
        assert not await named(inn, first)
        await inn.click(PEOPLE[0], await inn.surface(second, "lobby"), f"t:{second}:start")
        assert await named(inn, first)
        assert await named(inn, second)
        for name in PEOPLE[: HELPER.game.seats[0]]:
            await inn.click(name, await inn.surface(second, "table"), f"t:{second}:leave")
        assert (await inn.look(second)).info.status not in PLAYING
        assert not await named(inn, first)


@pytest.mark.parametrize("marked", [False, True], ids=["as the match begins", "as all of that is shown"])
async def test_a_hand_of_another_match_is_looked_at_after_a_crash(marked: bool) -> None:
    async with plain(SEED) as before:
        first, second = await two(before)
        keeper = before.bot.keeper
        woken = keeper.wake

        def wake(match: str, *seats: int) -> None:
            if match == second and marked:
                woken(match, *seats)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(keeper, "wake", wake)
            patched.setattr(keeper.redraw, "_wake", wake)
            await before.click(PEOPLE[0], await before.surface(second, "lobby"), f"t:{second}:start")
            if marked:
                await before.later(20)
        assert not await named(before, first)
        behind = await before.bot.shown.behind()
        assert behind == [first] if marked else behind == [second]
        stores = before.store, before.bot.shown._store
        async with plain(SEED, after=before, stores=stores) as inn:
            await inn._do(lambda: inn.bot.tasks.start("resume", inn.bot._resume, inn.bot.part))
            assert await named(inn, first)
            assert await named(inn, second)
