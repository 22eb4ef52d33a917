"""A backup is restored, and people play on: every message shows what is true again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from engines.store.match_store import Status
from motley.__main__ import main
from tests.end_to_end.players import THREE, hand, look, move, play_out, seat_and_start, table
from tests.end_to_end.world import World, controls, move_buttons, words


async def seen(inn: World, match: str) -> list[tuple[str, object]]:
    """What the table and each hand say and offer."""
    messages = [await table(inn, match), *(hand(inn, name, match) for name in THREE)]
    return [(words(message), controls(message)) for message in messages]


async def test_after_a_restore_every_message_shows_it_and_the_match_is_played_to_its_end(
    inn: World, tmp_path: Path
) -> None:
    def run(*arguments: object) -> int:
        return main(["--database", str(inn.path), *map(str, arguments)])

    match, backup = await seat_and_start(inn, rounds=2), tmp_path / "kept" / "backup.db"
    await move(inn, match)
    then = await look(inn, match)
    shown = await seen(inn, match)
    assert await asyncio.to_thread(run, "backup", backup) == 0  # while the bot runs
    for _ in range(4):
        await move(inn, match)
    later = await seat_and_start(inn)
    assert all(one != other for one, other in zip(await seen(inn, match), shown, strict=True))
    assert await asyncio.to_thread(run, "restore", backup) == 1  # not while it runs
    await inn.restart(lambda: run("restore", backup))
    assert await look(inn, match) == then
    assert await seen(inn, match) == shown
    assert await inn.bot.matches.find() == [then.info]  # the other match is not known any more
    assert later != match
    due = then.due()[0]
    await inn.press(THREE[due], hand(inn, THREE[due], match), move_buttons(hand(inn, THREE[due], match))[0])
    assert (await look(inn, match)).info.moves == then.info.moves + 1
    await play_out(inn, match)
    assert (await look(inn, match)).info.status is Status.OVER
    await inn.restart()
    assert run("check") == 0
