"""Whole matches of every game from the lobby to the result, with any number of seats, over a plain wire."""

from __future__ import annotations

import logging

import pytest

from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import PlannedMove
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.playing import check_ending, move_command, short_match

CASES = [
    pytest.param(helper, seats, id=f"{helper.game.key}-{seats}", marks=[pytest.mark.long] if more else [])
    for helper in HELPERS.values()
    for more, seats in enumerate(helper.game.seats)
]


@pytest.mark.parametrize("by_command", [False, True], ids=["messages", "commands"])
@pytest.mark.parametrize(("helper", "seats"), CASES)
async def test_a_whole_match(
    helper: GameHelper, seats: int, by_command: bool, caplog: pytest.LogCaptureFixture
) -> None:
    start, plan = short_match(helper, seats)
    names = PEOPLE[:seats]
    async with start_plain_bot(start.seed) as plain_bot:
        match = await plain_bot.seat_match(helper.game, names, helper.short_options)
        for step in plan:
            snapshot = await plain_bot.load_snapshot(match)
            assert snapshot.state == step.state, "another move was made"
            await (_move_by_command(plain_bot, match, step) if by_command else plain_bot.play_step(match, step))
        snapshot = await plain_bot.load_snapshot(match)
        hands = [await plain_bot.surface_message(match, "hand", seat) for seat in range(seats)]
        table, lobby = await plain_bot.surface_message(match, "table"), await plain_bot.surface_message(match, "lobby")
        check_ending(snapshot, table, lobby, hands, names, table["files"])
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def _move_by_command(plain_bot: PlainBot, match: str, step: PlannedMove) -> None:
    """Make a move by its command, with what is offered while it is typed; the answer is a line."""
    name = PEOPLE[step.seat]
    game = (await plain_bot.load_snapshot(match)).game
    command, options = move_command(game.key, game.format_move(step.move))
    for option, value in options.items():
        if isinstance(value, str):
            others = {each: given for each, given in options.items() if each != option} | {"match": match}
            offered = await plain_bot.autocomplete(name, command, option, value, **others)
            assert value in [each["value"] for each in offered], f"{option} of {command} is not offered {value}"
    sent = await plain_bot.sent_by(plain_bot.run_command(name, command, **options, match=match))
    answers = [sent for sent in sent if sent.path.endswith("/callback")]
    assert [sent.reader for sent in answers] == [plain_bot.wire.people[name]], "the answer is for the one who asked"
    assert '"Done: ' in answers[0].body_text
