"""Puzzles: from the command to what each move is worth."""

from __future__ import annotations

from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_lessons import shown_message
from tests.features.exercises import PUZZLES


async def test_a_puzzle_is_decided_and_every_move_has_its_worth(server: SimulatedServer) -> None:
    puzzles = PUZZLES["wizard"]
    answer = await server["Ada"].slash(server.table, "motley puzzle", game="wizard", number=4)
    assert answer.ephemeral
    assert f"puzzle 4 of {len(puzzles.puzzles)}" in reply_text(answer)
    wrong, right = "5♣", "Wizard"
    await server.press_answer("Ada", answer, wrong)
    shown_text = str(shown_message(server, answer))
    assert "**Play a Wizard**. This is better than your choice." in shown_text
    assert "(your choice)" in shown_text
    await server.press_answer("Ada", answer, "Look again")
    await server.restart()
    await server.press_answer("Ada", answer, right)
    assert "Right, no other move is better." in str(shown_message(server, answer))
    await server.press_answer("Ada", answer, "Next")
    assert f"puzzle 5 of {len(puzzles.puzzles)}" in str(shown_message(server, answer))
    assert await server.bot.matches.lookup.find() == []


async def test_strange_requests_for_puzzles_change_nothing(server: SimulatedServer) -> None:
    answer = await server["Ada"].slash(server.table, "motley puzzle", game="Jokers")
    message = shown_message(server, answer)
    match = PUZZLES["wizard"].match_id(4)
    for strange in (f"m:{match}:0:bid 3", f"m:{match}:0:nonsense", f"n:{match}:0:a/b"):
        assert "puzzle 4 of" in reply_text(await server.forge_click("Ada", message, strange))
    for strange in ("t:!wizard.99:show", "t:!wizard.0:show", "t:!chess.1:show", f"t:{match}:join"):
        assert "Use `/motley" in reply_text(await server.forge_click("Ada", message, strange))
    for number in (0, 11):
        refused = await server["Ada"].slash(server.table, "motley puzzle", game="wizard", number=number)
        assert "from 1 to 10" in reply_text(refused)
    offered = await server["Ada"].autocomplete(server.table, "motley puzzle", "game", "jok")
    assert [choice["value"] for choice in offered] == ["jokers"]
