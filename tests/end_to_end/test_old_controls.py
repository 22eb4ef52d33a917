"""Controls of messages that an older version posted still answer."""

from __future__ import annotations

from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_guesses import start_watched
from tests.end_to_end.test_notes import NOTE, field
from tests.feature_rows import load_guesses, player_notes


async def test_they_answer(server: SimulatedServer) -> None:
    match = await start_watched(server)
    table = await server.find_table(match)
    assert "round 1" in reply_text(await server.forge_click("Dora", table, f"t:{match}:guess", None))
    await server.forge_click("Dora", table, f"e:{match}:1", ["0"])
    assert [each.choices for each in await load_guesses(server.bot.matches.editor.store, match)] == [(0,)]
    await server.forge_form("Ada", f"w:{match}", field(NOTE))
    assert [*(await player_notes(server.bot.surfaces.store, match)).values()] == [NOTE]
    for strange in (
        f"guesses:{match}:nothing",
        f"ratings:{match}:open",
        f"guesses:{match}:pick:",
        f"guesses:{match}:pick:x",
        f"guesses:{match}:pick:1:2",
    ):
        answer = reply_text(await server.forge_click("Dora", table, strange, ["0"]))
        assert "out of date" in answer, strange
