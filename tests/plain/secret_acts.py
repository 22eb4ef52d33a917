"""What people do in secret, as often as they like: nobody else can tell that they did, nor how often.

Each act is of somebody for whom the match does not wait, because everybody sees that a ping waits for somebody who
has just clicked. After it, the match stands as before for everybody else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from string import Formatter
from typing import Any

from cogs.features.plans.plan_controls import change_id
from cogs.table.pages.custom_ids import feature_id
from engines.features.plans.planned_moves import MARK, WITHDRAW, next_decision, open_planning
from engines.features.reports import REPORTS
from engines.hosting.match import MatchSnapshot
from tests.plain.access import PRESSES, Who
from tests.plain.leak_reader import hand_message, press_move
from tests.plain.plain_bot import PEOPLE, PlainBot

SOME_LOOKS = 6
LOOKS = [
    press.name
    for press in PRESSES
    if press.who in (Who.READER, Who.SEATED)
    and not (press.changes or press.is_command or press.values or press.text)
    and {name for _, name, _, _ in Formatter().parse(press.name) if name} == {"match"}
    and press.name != "t:{match}:status"  # it has all messages looked at again
]
NOTES = ("Watch the clubs.", "", "They bluff.")


@dataclass(frozen=True)
class Secretive:
    """Somebody who acts in secret, in one of the worlds."""

    plain_bot: PlainBot
    match: str
    seat: int
    rng: Random
    moves: Sequence[Any]  # of another match, to be tried at the wrong time

    @property
    def name(self) -> str:
        return PEOPLE[self.seat]

    async def look(self) -> MatchSnapshot:
        return await self.plain_bot.load_snapshot(self.match)


async def change_choice(actor: Secretive) -> None:
    """Make a sealed choice again, the same or another one."""
    snapshot = await actor.look()
    await press_move(actor.plain_bot, actor.match, actor.seat, actor.rng.choice(snapshot.moves(actor.seat)))


async def plan_and_withdraw(actor: Secretive) -> None:
    snapshot, hand = await actor.look(), await hand_message(actor.plain_bot, actor.match, actor.seat)
    planning, number = open_planning(snapshot, actor.seat), next_decision(snapshot, actor.seat)
    assert planning is not None
    move = snapshot.game.format_move(actor.rng.choice(planning.moves(snapshot.view(actor.seat))))
    await actor.plain_bot.click_control(actor.name, hand, change_id(actor.match, number, MARK), [move])
    await actor.plain_bot.click_control(actor.name, hand, change_id(actor.match, number, WITHDRAW))


async def write_note(actor: Secretive) -> None:
    menu = await actor.plain_bot.click_control(
        actor.name, await hand_message(actor.plain_bot, actor.match, actor.seat), f"t:{actor.match}:more"
    )
    await actor.plain_bot.submit_note(actor.name, actor.match, actor.rng.choice(NOTES), menu.answer)


async def change_setting(actor: Secretive) -> None:
    hand = await hand_message(actor.plain_bot, actor.match, actor.seat)
    settings = (await actor.plain_bot.click_control(actor.name, hand, f"t:{actor.match}:settings")).answer
    for setting in actor.rng.sample(("words=on", "words=off", "worth=on", "worth=off"), 2):
        await actor.plain_bot.click_control(actor.name, settings or hand, f"y:{setting}")


async def look_around(actor: Secretive) -> None:
    """Open some of what players can look at, by the own hand and at the table."""
    snapshot, table = await actor.look(), await actor.plain_bot.surface_message(actor.match, "table")
    for name in actor.rng.sample(LOOKS, SOME_LOOKS):
        for message in (table, await hand_message(actor.plain_bot, actor.match, actor.seat)):
            await actor.plain_bot.click_control(actor.name, message, name.format(match=actor.match))
    await actor.plain_bot.click_control(
        actor.name, table, f"m:{actor.match}:0:{snapshot.game.format_move(actor.rng.choice(actor.moves))}"
    )
    for command in ("motley matches", "motley my-data"):
        await actor.plain_bot.run_command(actor.name, command)
    await write_report(actor)


async def write_report(actor: Secretive) -> None:
    drafted = await actor.plain_bot.submit_report(actor.name, actor.match, "It looks odd.")
    for report in await actor.plain_bot.matches.editor.find_rows(REPORTS, "user", [drafted.user]):
        await actor.plain_bot.click_control(
            actor.name, drafted.answer or {}, feature_id("reports", actor.match, "drop", report.id)
        )


SecretAct = Callable[[Secretive], Awaitable[None]]


def secret_acts(snapshot: MatchSnapshot, seat: int) -> list[SecretAct]:
    """What somebody can do in secret now; nothing if the match waits for them, or if a computer plays for them."""
    if seat in snapshot.due_seats() or snapshot.info.seats[seat].level:
        return []
    acts: list[SecretAct] = [write_note, change_setting, look_around]
    if seat in snapshot.decisions():
        acts += [change_choice] * 4
    if open_planning(snapshot, seat) is not None:
        acts += [plan_and_withdraw] * 4
    return acts
