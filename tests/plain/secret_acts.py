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


async def change_choice(who: Secretive) -> None:
    """Make a sealed choice again, the same or another one."""
    look = await who.look()
    await press_move(who.plain_bot, who.match, who.seat, who.rng.choice(look.moves(who.seat)))


async def plan_and_withdraw(who: Secretive) -> None:
    look, hand = await who.look(), await hand_message(who.plain_bot, who.match, who.seat)
    planning, number = open_planning(look, who.seat), next_decision(look, who.seat)
    assert planning is not None
    move = look.game.format_move(who.rng.choice(planning.moves(look.view(who.seat))))
    await who.plain_bot.click_control(who.name, hand, change_id(who.match, number, MARK), [move])
    await who.plain_bot.click_control(who.name, hand, change_id(who.match, number, WITHDRAW))


async def write_note(who: Secretive) -> None:
    menu = await who.plain_bot.click_control(
        who.name, await hand_message(who.plain_bot, who.match, who.seat), f"t:{who.match}:more"
    )
    await who.plain_bot.submit_note(who.name, who.match, who.rng.choice(NOTES), menu.answer)


async def change_setting(who: Secretive) -> None:
    hand = await hand_message(who.plain_bot, who.match, who.seat)
    shown = (await who.plain_bot.click_control(who.name, hand, f"t:{who.match}:settings")).answer
    for setting in who.rng.sample(("words=on", "words=off", "worth=on", "worth=off"), 2):
        await who.plain_bot.click_control(who.name, shown or hand, f"y:{setting}")


async def look_around(who: Secretive) -> None:
    """Open some of what players can look at, by the own hand and at the table."""
    look, table = await who.look(), await who.plain_bot.surface_message(who.match, "table")
    for name in who.rng.sample(LOOKS, SOME_LOOKS):
        for message in (table, await hand_message(who.plain_bot, who.match, who.seat)):
            await who.plain_bot.click_control(who.name, message, name.format(match=who.match))
    await who.plain_bot.click_control(
        who.name, table, f"m:{who.match}:0:{look.game.format_move(who.rng.choice(who.moves))}"
    )
    for command in ("motley matches", "motley my-data"):
        await who.plain_bot.run_command(who.name, command)
    await write_report(who)


async def write_report(who: Secretive) -> None:
    drafted = await who.plain_bot.submit_report(who.name, who.match, "It looks odd.")
    for report in await who.plain_bot.matches.editor.find_rows(REPORTS, "user", [drafted.user]):
        await who.plain_bot.click_control(
            who.name, drafted.answer or {}, feature_id("reports", who.match, "drop", report.id)
        )


SecretAct = Callable[[Secretive], Awaitable[None]]


def secret_acts(look: MatchSnapshot, seat: int) -> list[SecretAct]:
    """What somebody can do in secret now; nothing if the match waits for them, or if a computer plays for them."""
    if seat in look.due_seats() or look.info.seats[seat].level:
        return []
    acts: list[SecretAct] = [write_note, change_setting, look_around]
    if seat in look.decisions():
        acts += [change_choice] * 4
    if open_planning(look, seat) is not None:
        acts += [plan_and_withdraw] * 4
    return acts
