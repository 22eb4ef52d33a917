"""A backup is restored, and people play on: every message shows what is true again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from engines.store.match_store import Status
from motley.__main__ import main
from tests.end_to_end.players import THREE, find_hand, find_table, load_snapshot, make_move, play_out, seat_and_start
from tests.end_to_end.world import SimulatedServer, control_ids, message_text, move_buttons


async def shown_contents(inn: SimulatedServer, match: str) -> list[tuple[str, object]]:
    """What the table and each hand say and offer."""
    messages = [await find_table(inn, match), *(find_hand(inn, name, match) for name in THREE)]
    return [(message_text(message), control_ids(message)) for message in messages]


async def test_after_a_restore_every_message_shows_it_and_the_match_is_played_to_its_end(
    inn: SimulatedServer, tmp_path: Path
) -> None:
    def run(*arguments: object) -> int:
        return main(["--database", str(inn.path), *map(str, arguments)])

    match, backup = await seat_and_start(inn, rounds=2), tmp_path / "kept" / "backup.db"
    await make_move(inn, match)
    then = await load_snapshot(inn, match)
    shown = await shown_contents(inn, match)
    assert await asyncio.to_thread(run, "backup", backup) == 0  # while the bot runs
    for _ in range(4):
        await make_move(inn, match)
    later = await seat_and_start(inn)
    assert all(one != other for one, other in zip(await shown_contents(inn, match), shown, strict=True))
    assert await asyncio.to_thread(run, "restore", backup) == 1  # not while it runs
    await inn.restart(lambda: run("restore", backup))
    assert await load_snapshot(inn, match) == then
    assert await shown_contents(inn, match) == shown
    assert await inn.bot.matches.find() == [then.info]  # the other match is not known any more
    assert later != match
    due = then.due_seats()[0]
    await inn.press_button(
        THREE[due], find_hand(inn, THREE[due], match), move_buttons(find_hand(inn, THREE[due], match))[0]
    )
    assert (await load_snapshot(inn, match)).info.moves == then.info.moves + 1
    await play_out(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.OVER
    await inn.restart()
    assert run("check") == 0
