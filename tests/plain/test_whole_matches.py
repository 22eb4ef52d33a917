"""Whole matches of every game from the lobby to the result, with any number of seats, over a plain wire."""

from __future__ import annotations

import logging

import pytest

from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import Step
from tests.messages import Message
from tests.plain.inn import PEOPLE, Plain, plain
from tests.playing import command, ends, make, short_match

CASES = [(helper, seats) for helper in HELPERS.values() for seats in helper.game.seats]
NAMES = [f"{helper.game.key}-{seats}" for helper, seats in CASES]


@pytest.mark.parametrize("by_command", [False, True], ids=["messages", "commands"])
@pytest.mark.parametrize(("helper", "seats"), CASES, ids=NAMES)
async def test_a_whole_match(helper: Helper, seats: int, by_command: bool, caplog: pytest.LogCaptureFixture) -> None:
    start, plan = short_match(helper, seats)
    names = PEOPLE[:seats]
    async with plain(start.seed) as inn:
        match = await inn.seat(helper.game, names, helper.short)
        for step in plan:
            look = await inn.look(match)
            assert look.state == step.state, "another move was made"
            if by_command:
                await _command(inn, match, step)
            else:
                await _messages(inn, match, step)
        look = await inn.look(match)
        hands = [await inn.surface(match, "hand", seat) for seat in range(seats)]
        table, lobby = await inn.surface(match, "table"), await inn.surface(match, "lobby")
        ends(look, table, lobby, hands, names, table["files"])
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def _messages(inn: Plain, match: str, step: Step) -> None:
    """Make a move by the hand in somebody's direct messages."""

    async def click(message: Message, custom_id: str, values: object) -> Message:
        await inn.click(PEOPLE[step.seat], message, custom_id, values)  # type: ignore[arg-type]
        return inn.newest(message)

    await make(click, await inn.surface(match, "hand", step.seat), await inn.look(match), step)


async def _command(inn: Plain, match: str, step: Step) -> None:
    """Make a move by its command, with what is offered while it is typed; the answer is a line."""
    name = PEOPLE[step.seat]
    game = (await inn.look(match)).game
    made, options = command(game.key, game.write(step.move))
    for option, value in options.items():
        if isinstance(value, str):
            others = {each: given for each, given in options.items() if each != option} | {"match": match}
            offered = await inn.typing(name, made, option, value, **others)
            assert value in [each["value"] for each in offered], f"{option} of {made} is not offered {value}"
    since = len(inn.wire.sent)
    await inn.slash(name, made, **options, match=match)
    answers = [sent for sent in inn.wire.sent[since:] if sent.path.endswith("/callback")]
    assert [sent.by for sent in answers] == [inn.wire.people[name]], "the answer is for the one who asked"
    assert '"Done: ' in answers[0].said
